// The codes of items of bytes: 0..k-1 in order of first appearance, found by several threads.
//
// Where a sample holds few distinct items, each task makes its own codes and the distinct items of
// the tasks are merged in order. Where it holds many, the items are partitioned by hash, so
// the table of a partition fits in cache; ranks among the first positions then give the order.
#pragma once

#include <cstdint>

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "labels/codes.hpp"
#include "labels/items.hpp"

namespace concordant {

// The same for any number of threads.
Codes factorize_items(const Items& items, unsigned threads, Control& control);

// Equal integers for equal items, in no particular range: for strings of one form they are faster than codes if
// many items differ.
Buffer<std::int64_t> keys_of_items(const Items& items, unsigned threads, Control& control);

}  // namespace concordant
