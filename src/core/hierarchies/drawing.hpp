// Drawings of trees: how many lines between two orders of the leaves cross.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace concordant {

// Pairs of values in the wrong order, by merging.
inline std::int64_t inversions(std::vector<std::int64_t> values) {
    std::int64_t count = 0;
    std::vector<std::int64_t> merged(values.size());
    for (std::size_t width = 1; width < values.size(); width *= 2) {
        for (std::size_t begin = 0; begin < values.size(); begin += 2 * width) {
            const std::size_t middle = std::min(begin + width, values.size());
            const std::size_t end = std::min(begin + 2 * width, values.size());
            for (std::size_t left = begin, right = middle, out = begin; out < end; ++out) {
                if (right == end || (left < middle && values[left] <= values[right])) {
                    merged[out] = values[left++];
                } else {
                    merged[out] = values[right++];
                    count += static_cast<std::int64_t>(middle - left);
                }
            }
        }
        values.swap(merged);
    }
    return count;
}

}  // namespace concordant
