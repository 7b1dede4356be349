// Cells taken together by a group number, such as the row or the column they lie in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "labels.hpp"
#include "parallel.hpp"

namespace concordant {

// Groups are numbered from 0; the largest number tells how many there are.
inline std::size_t group_count(const std::int64_t* group, std::size_t length) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < length; ++i) {
        if (group[i] < 0) throw std::invalid_argument("groups are numbered from 0, not from below");
        count = std::max(count, static_cast<std::size_t>(group[i]) + 1);
    }
    return count;
}

// The positions group by group, and where each group starts among them.
struct Grouped {
    std::vector<std::int64_t> position;
    std::vector<std::int64_t> start;  // one more than there are groups

    std::size_t groups() const { return start.size() - 1; }
    auto begin_of(std::size_t group) { return position.begin() + start[group]; }
    auto end_of(std::size_t group) { return position.begin() + start[group + 1]; }
};

inline Grouped grouped(const std::int64_t* group, std::size_t length) {
    Grouped result{std::vector<std::int64_t>(length), std::vector<std::int64_t>(group_count(group, length) + 1, 0)};
    for (std::size_t i = 0; i < length; ++i) ++result.start[static_cast<std::size_t>(group[i]) + 1];
    for (std::size_t g = 1; g < result.start.size(); ++g) result.start[g] += result.start[g - 1];
    std::vector<std::int64_t> next(result.start.begin(), result.start.end() - 1);
    for (std::size_t i = 0; i < length; ++i) {
        const auto slot = next[static_cast<std::size_t>(group[i])]++;
        result.position[static_cast<std::size_t>(slot)] = static_cast<std::int64_t>(i);
    }
    return result;
}

// Within each group the largest keys first; equal ones as they came.
inline Grouped largest_first(const std::int64_t* group, const std::int64_t* key, std::size_t length,
                             Control& control) {
    Grouped result = grouped(group, length);
    for (std::size_t g = 0; g < result.groups(); ++g) {
        if (g % block_length == 0) control.checkpoint();
        if (result.start[g + 1] - result.start[g] < 2) continue;
        std::sort(result.begin_of(g), result.end_of(g), [key](std::int64_t one, std::int64_t other) {
            const std::int64_t a = key[one], b = key[other];
            return a != b ? a > b : one < other;
        });
    }
    return result;
}

// The position of the largest fraction numerator/denominator in each group, the first of equal ones.
// Products of two 64-bit numbers are compared, so no rounding decides.
inline std::vector<std::int64_t> best_fractions(const std::int64_t* group, const std::int64_t* numerator,
                                                const std::int64_t* denominator, std::size_t length,
                                                Control& control) {
    using Product = __int128;
    std::vector<std::int64_t> best(group_count(group, length), -1);
    for (std::size_t i = 0; i < length; ++i) {
        if (i % block_length == 0) control.checkpoint();
        std::int64_t& held = best[static_cast<std::size_t>(group[i])];
        if (held < 0 || Product{numerator[i]} * denominator[held] > Product{numerator[held]} * denominator[i])
            held = static_cast<std::int64_t>(i);
    }
    return best;
}

}  // namespace concordant
