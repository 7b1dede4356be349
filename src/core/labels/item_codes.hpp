// The codes of items of bytes: 0..k-1 in order of first appearance, found by several threads.
//
// Where a sample holds few distinct items, each task makes its own codes and the distinct items of
// the tasks are merged in order. Where it holds many, the items are partitioned by hash, so
// the table of a partition fits in cache; ranks among the first positions then give the order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "labels/codes.hpp"
#include "labels/digit_strings.hpp"
#include "labels/items.hpp"

namespace concordant {

// The same for any number of threads.
Codes factorize_items(const Items& items, unsigned threads, Control& control);

// Equal integers for equal items, in no particular range: for strings of one form they are faster than codes if
// many items differ.
Buffer<std::int64_t> keys_of_items(const Items& items, unsigned threads, Control& control);

// Some hundreds of items from all over.
std::vector<std::string> sample_of(const Items& items);

// The numbers of all items, if these are strings of one form.
std::optional<Buffer<std::int64_t>> numbers_of_items(const Items& items, const DigitStrings& form, unsigned threads,
                                                     Control& control);

}  // namespace concordant
