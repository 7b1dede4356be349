// Cells grouped by a number, such as that of their row or column.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/integers128.hpp"
#include "base/parallel.hpp"

namespace concordant {

// The group of each cell. Groups are numbered from 0; the largest number determines how many there are. The numbers
// are the caller's memory, and another thread may write to it meanwhile: each is checked again when it is read.
class GroupNumbers {
public:
    GroupNumbers(const std::int64_t* group, std::size_t length) : group_(group), length_(length) {
        std::size_t groups = 0;  // a variable of its own stays in a register
        for (std::size_t i = 0; i < length; ++i) {
            const std::int64_t number = group[i];
            if (number < 0) throw std::invalid_argument("groups are numbered from 0, not from below");
            groups = std::max(groups, static_cast<std::size_t>(number) + 1);
        }
        groups_ = groups;
    }

    explicit GroupNumbers(const std::vector<std::int64_t>& group) : GroupNumbers(group.data(), group.size()) {}

    std::size_t length() const { return length_; }
    std::size_t groups() const { return groups_; }

    std::size_t operator[](std::size_t cell) const {
        const auto number = static_cast<std::size_t>(group_[cell]);
        if (number >= groups_) [[unlikely]]
            fail();
        return number;
    }

private:
    [[noreturn]] static void fail() {
        throw std::invalid_argument("the numbers of groups changed while they were read");
    }

    const std::int64_t* group_;
    std::size_t length_, groups_ = 0;
};

// Calls use(cell, group) for every cell, in order within each group. Each thread takes a range of groups and looks for
// them among all cells.
template <class Use>
void for_each_in_groups(const GroupNumbers& group, unsigned threads, Control& control, Use use) {
    constexpr unsigned most_readers = 8;
    threads = std::min(threads, most_readers);
    const std::size_t share = group.groups() / threads + 1;
    parallel_for(control, threads, threads, [&](unsigned, std::size_t part) {
        const std::size_t first = part * share;
        for (std::size_t i = 0; i < group.length(); ++i) {
            if (i % block_length == 0) control.checkpoint();
            if (const std::size_t number = group[i]; number - first < share) use(i, number);
        }
    });
}

// The positions group by group, and where each group starts among them.
struct Grouped {
    std::vector<std::int64_t> position;
    std::vector<std::int64_t> start;  // one more than there are groups

    std::size_t groups() const { return start.size() - 1; }
    auto begin_of(std::size_t group) { return position.begin() + start[group]; }
    auto end_of(std::size_t group) { return position.begin() + start[group + 1]; }
};

inline Grouped grouped(const GroupNumbers& group, unsigned threads, Control& control) {
    Grouped result{std::vector<std::int64_t>(group.length()), std::vector<std::int64_t>(group.groups() + 1, 0)};
    for_each_in_groups(group, threads, control, [&](std::size_t, std::size_t number) { ++result.start[number + 1]; });
    for (std::size_t g = 1; g < result.start.size(); ++g) result.start[g] += result.start[g - 1];
    std::vector<std::int64_t> next(result.start.begin(), result.start.end() - 1);
    for_each_in_groups(group, threads, control, [&](std::size_t i, std::size_t number) {
        const auto slot = static_cast<std::size_t>(next[number]++);
        if (slot < group.length()) result.position[slot] = static_cast<std::int64_t>(i);  // always so, if none changed
    });
    return result;
}

inline Grouped grouped(const GroupNumbers& group) {
    Control control;
    return grouped(group, 1, control);
}

// The sum of the values of each group; the result has at least `groups` entries.
inline Buffer<std::int64_t> group_sums(const GroupNumbers& group, const std::int64_t* value, std::size_t groups,
                                       unsigned threads, Control& control) {
    Buffer<std::int64_t> sums(std::max(groups, group.groups()));
    std::fill(sums.begin(), sums.end(), 0);
    for_each_in_groups(group, threads, control, [&](std::size_t i, std::size_t number) {
        std::int64_t& sum = sums[number];
        sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(value[i]));
    });
    return sums;
}

// Sorts positions by the keys there, largest first; equal ones keep their order. Keys are the caller's memory and
// may change meanwhile, where std::sort might run out of its range: few are inserted one by one, which ends
// at the first position whatever the keys, and many are sorted with a copy of their keys.
class LargestFirst {
public:
    explicit LargestFirst(const std::int64_t* key) : key_(key) {}

    template <class Iterator>
    void operator()(Iterator begin, Iterator end) {
        constexpr std::ptrdiff_t few = 16;
        end - begin <= few ? insert_one_by_one(begin, end) : sort_copies(begin, end);
    }

private:
    template <class Iterator>
    void insert_one_by_one(Iterator begin, Iterator end) const {
        for (Iterator next = begin; next != end; ++next) {
            const std::int64_t position = *next, key = key_[position];
            Iterator at = next;
            for (; at != begin && key_[*(at - 1)] < key; --at) *at = *(at - 1);
            *at = position;
        }
    }

    template <class Iterator>
    void sort_copies(Iterator begin, Iterator end) {
        copies_.clear();
        for (Iterator at = begin; at != end; ++at) copies_.emplace_back(key_[*at], *at);
        std::sort(copies_.begin(), copies_.end(), [](const auto& one, const auto& other) {
            return one.first != other.first ? one.first > other.first : one.second < other.second;
        });
        std::transform(copies_.begin(), copies_.end(), begin, [](const auto& copy) { return copy.second; });
    }

    const std::int64_t* key_;
    std::vector<std::pair<std::int64_t, std::int64_t>> copies_;  // key and position
};

// Within each group the largest keys first; equal ones in their original order.
inline Grouped largest_first(const std::int64_t* group, const std::int64_t* key, std::size_t length, unsigned threads,
                             Control& control) {
    Grouped result = grouped(GroupNumbers(group, length), threads, control);
    std::vector<LargestFirst> sort(threads, LargestFirst(key));
    parallel_blocks(control, threads, result.groups(), [&](unsigned worker, std::size_t begin, std::size_t count) {
        for (std::size_t g = begin; g < begin + count; ++g) sort[worker](result.begin_of(g), result.end_of(g));
    });
    return result;
}

// The position of the best cell of each group, the first of equal ones.
template <class IsBetter>
Buffer<std::int64_t> best_in_groups(const GroupNumbers& group, unsigned threads, Control& control, IsBetter is_better) {
    Buffer<std::int64_t> best(group.groups());
    std::fill(best.begin(), best.end(), -1);
    for_each_in_groups(group, threads, control, [&](std::size_t i, std::size_t number) {
        std::int64_t& held = best[number];
        if (held < 0 || is_better(i, static_cast<std::size_t>(held))) held = static_cast<std::int64_t>(i);
    });
    return best;
}

inline Buffer<std::int64_t> largest_in(const GroupNumbers& group, const std::int64_t* size, unsigned threads,
                                       Control& control) {
    return best_in_groups(group, threads, control,
                          [size](std::size_t i, std::size_t held) { return size[i] > size[held]; });
}

// By the fraction numerator/denominator. Products of two 64-bit numbers are compared, so no rounding decides.
inline Buffer<std::int64_t> best_fractions(const GroupNumbers& group, const std::int64_t* numerator,
                                           const std::int64_t* denominator, unsigned threads, Control& control) {
    return best_in_groups(group, threads, control, [=](std::size_t i, std::size_t held) {
        return Int128{numerator[i]} * denominator[held] > Int128{numerator[held]} * denominator[i];
    });
}

}  // namespace concordant
