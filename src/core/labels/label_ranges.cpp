#include "labels/label_ranges.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace concordant {

namespace {

// The first label and every `step`-th one after it.
Labels every(std::size_t step, Labels labels) {
    labels.length = (labels.length + step - 1) / step;
    labels.stride *= static_cast<std::ptrdiff_t>(step);
    labels.copy = nullptr;
    return labels;
}

}  // namespace

KeyRange sample_range(const Labels& labels) {
    constexpr std::size_t samples = 2048;
    KeyRange range = scan_range(labels, 0, samples);
    range.widen(scan_range(labels, labels.length - samples, samples));
    range.widen(scan_range(every(labels.length / samples, labels), 0, samples));
    return range;
}

KeyRange likely_range(const Labels& labels) {
    KeyRange range = sample_range(labels);
    const std::uint64_t more = range.span() / 16 + 1;
    range.low -= std::min(range.low, more);
    range.high += std::min(~range.high, more);
    return range;
}

KeyRange full_range(const Labels& labels, unsigned threads, Control& control) {
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
