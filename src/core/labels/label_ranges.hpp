// The range of all labels, or of a sample of them.
#pragma once

#include <cstddef>

#include "base/parallel.hpp"
#include "labels/labels.hpp"

namespace concordant {

// Reading everything once to learn the range costs as much as counting: long labels are counted on the range
// of a sample, and only if that proves wrong by the range of all.
inline constexpr std::size_t worth_guessing = std::size_t{1} << 16;

// The range of some of the labels, from the start, the end and between.
KeyRange sample_range(const Labels& labels);

// That range and some more: if labels occur in runs, a sample contains only a few of them.
KeyRange likely_range(const Labels& labels);

KeyRange full_range(const Labels& labels, unsigned threads, Control& control);

}  // namespace concordant
