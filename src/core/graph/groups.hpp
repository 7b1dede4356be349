// Cells taken together by a group number, such as the row or the column they lie in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "base/buffer.hpp"
#include "base/integers128.hpp"
#include "base/parallel.hpp"

namespace concordant {

// A copy of the caller's numbers. All that is sized by them or indexed with them goes by this copy, since
// another thread may write to the caller's memory meanwhile.
inline Buffer<std::int64_t> copy_of(const std::int64_t* numbers, std::size_t length) {
    Buffer<std::int64_t> copy(length);
    std::copy_n(numbers, length, copy.begin());
    return copy;
}

// The group of each cell. Groups are numbered from 0; the largest number tells how many there are.
class GroupNumbers {
public:
    GroupNumbers(const std::int64_t* group, std::size_t length) : group_(copy_of(group, length)) {
        std::int64_t largest = -1, smallest = 0;
        for (const std::int64_t number : group_) {
            largest = std::max(largest, number);
            smallest = std::min(smallest, number);
        }
        if (smallest < 0) throw std::invalid_argument("groups are numbered from 0, not from below");
        groups_ = static_cast<std::size_t>(largest) + 1;
    }

    std::size_t length() const { return group_.size; }
    std::size_t groups() const { return groups_; }
    std::size_t operator[](std::size_t cell) const { return static_cast<std::size_t>(group_[cell]); }

private:
    Buffer<std::int64_t> group_;
    std::size_t groups_;
};

// The positions group by group, and where each group starts among them.
struct Grouped {
    std::vector<std::int64_t> position;
    std::vector<std::int64_t> start;  // one more than there are groups

    std::size_t groups() const { return start.size() - 1; }
    auto begin_of(std::size_t group) { return position.begin() + start[group]; }
    auto end_of(std::size_t group) { return position.begin() + start[group + 1]; }
};

inline Grouped grouped(const GroupNumbers& group) {
    Grouped result{std::vector<std::int64_t>(group.length()), std::vector<std::int64_t>(group.groups() + 1, 0)};
    for (std::size_t i = 0; i < group.length(); ++i) ++result.start[group[i] + 1];
    for (std::size_t g = 1; g < result.start.size(); ++g) result.start[g] += result.start[g - 1];
    std::vector<std::int64_t> next(result.start.begin(), result.start.end() - 1);
    for (std::size_t i = 0; i < group.length(); ++i)
        result.position[static_cast<std::size_t>(next[group[i]]++)] = static_cast<std::int64_t>(i);
    return result;
}

// Within each group the largest keys first; equal ones as they came.
inline Grouped largest_first(const std::int64_t* group, const std::int64_t* key, std::size_t length,
                             Control& control) {
    Grouped result = grouped(GroupNumbers(group, length));
    const Buffer<std::int64_t> keys = copy_of(key, length);  // sorting relies on keys that stay as they are
    for (std::size_t g = 0; g < result.groups(); ++g) {
        if (g % block_length == 0) control.checkpoint();
        if (result.start[g + 1] - result.start[g] < 2) continue;
        std::sort(result.begin_of(g), result.end_of(g), [&keys](std::int64_t one, std::int64_t other) {
            const std::int64_t a = keys[static_cast<std::size_t>(one)], b = keys[static_cast<std::size_t>(other)];
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
    const GroupNumbers group_of(group, length);
    std::vector<std::int64_t> best(group_of.groups(), -1);
    for (std::size_t i = 0; i < length; ++i) {
        if (i % block_length == 0) control.checkpoint();
        std::int64_t& held = best[group_of[i]];
        if (held < 0 || Int128{numerator[i]} * denominator[held] > Int128{numerator[held]} * denominator[i])
            held = static_cast<std::int64_t>(i);
    }
    return best;
}

}  // namespace concordant
