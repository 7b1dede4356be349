// The runs of a block, as narrow as they can be counted by.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/parallel.hpp"
#include "labels/labels.hpp"
#include "labels/runs.hpp"

namespace concordant {

// The runs of a block that count: labels by their distances from the low ends of the ranges.
template <class Word>
class RunWords {
public:
    std::array<Word, block_length> u, v, n;
    std::size_t size = 0;

    // False when a label lies outside of its range.
    bool take(const BlockRuns& block, KeyRange u_range, KeyRange v_range) {
        size = block.size();
        bool outside = false;
        for (std::size_t i = 0, count = size; i < count; ++i) {
            const std::uint64_t u_offset = block.u[i] - u_range.low, v_offset = block.v[i] - v_range.low;
            outside |= (u_offset > u_range.span()) | (v_offset > v_range.span());
            u[i] = static_cast<Word>(u_offset);
            v[i] = static_cast<Word>(v_offset);
            n[i] = static_cast<Word>(block.length(i));
        }
        return !outside;
    }

    // Takes out those of the labels that do not count.
    void drop(const BlockRuns& block, std::optional<std::uint64_t> u_dropped, std::optional<std::uint64_t> v_dropped) {
        if (!u_dropped && !v_dropped) return;
        size = 0;
        for (std::size_t i = 0; i < block.size(); ++i) {
            if (block.u[i] == u_dropped || block.v[i] == v_dropped) continue;
            u[size] = u[i];
            v[size] = v[i];
            n[size++] = n[i];
        }
    }

    // Takes over those of `other`, neighbours of the same v as one. Whether they are the same is not to be foreseen, so
    // nothing branches on it.
    void merge_equal_v(const RunWords& other) {
        std::size_t last = 0;
        Word sum = 0;
        for (std::size_t i = 0; i < other.size; ++i) {
            const Word is_same = i == 0 || other.v[i] == other.v[i - 1];
            last += is_same ^ 1;
            sum = sum * is_same + other.n[i];
            v[last] = other.v[i];
            n[last] = sum;
        }
        size = other.size == 0 ? 0 : last + 1;
    }
};

}  // namespace concordant
