// The range of all labels, or of a sample of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "labels/labels.hpp"

namespace concordant {

// Reading everything once to learn the range costs as much as counting: long labels are counted on the range
// of a sample, and only if that proves wrong by the range of all.
inline constexpr std::size_t worth_guessing = std::size_t{1} << 16;

// The first label and every `step`-th one after it.
inline Labels every(std::size_t step, Labels labels) {
    labels.length = (labels.length + step - 1) / step;
    labels.stride *= static_cast<std::ptrdiff_t>(step);
    labels.copy = nullptr;
    return labels;
}

// The range of some of the labels, from the start, the end and between.
inline KeyRange sample_range(const Labels& labels) {
    constexpr std::size_t samples = 2048;
    KeyRange range = scan_range(labels, 0, samples);
    range.widen(scan_range(labels, labels.length - samples, samples));
    range.widen(scan_range(every(labels.length / samples, labels), 0, samples));
    return range;
}

// That range and some more: if labels occur in runs, a sample contains only a few of them.
inline KeyRange likely_range(const Labels& labels) {
    KeyRange range = sample_range(labels);
    const std::uint64_t more = range.span() / 16 + 1;
    range.low -= std::min(range.low, more);
    range.high += std::min(~range.high, more);
    return range;
}

inline KeyRange full_range(const Labels& labels, unsigned threads, Control& control) {
    constexpr std::size_t task_length = std::size_t{1} << 18;
    std::vector<KeyRange> partial((labels.length + task_length - 1) / task_length);
    parallel_for(control, threads, partial.size(), [&](unsigned, std::size_t task) {
        const std::size_t begin = task * task_length;
        partial[task] = scan_range(labels, begin, std::min(task_length, labels.length - begin));
    });
    KeyRange range;
    for (const KeyRange& part : partial) range.widen(part);
    return range;
}

}  // namespace concordant
