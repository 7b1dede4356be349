// The sums that determine the pair counts: squares of the overlaps and of the cluster sizes on both sides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

#include "base/integers128.hpp"
#include "counting/triples.hpp"

namespace concordant {

// Each sum is at most the square of the number of counted elements.
struct PairSums {
    std::uint64_t elements;
    Uint128 nn, aa, bb;
};

// Counts of 32 bits belong to fewer than 2^32 elements, whose squares sum up to less than 2^64.
template <class Count>
Uint128 sum_of_squares(const Count* values, std::size_t length) {
    std::conditional_t<sizeof(Count) == 4, std::uint64_t, Uint128> sum = 0;
    for (std::size_t i = 0; i < length; ++i) sum += static_cast<decltype(sum)>(values[i]) * values[i];
    return sum;
}

inline Uint128 sum_of_squares(const std::vector<std::uint64_t>& values) {
    return sum_of_squares(values.data(), values.size());
}

inline std::uint64_t sum_of(const std::vector<std::uint64_t>& values) {
    return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

// Adds up the sums, overlap by overlap: each of the n elements of an overlap is in clusters of a and of b elements.
struct PairSummer {
    PairSums sums{0, 0, 0, 0};

    void add(std::uint64_t n, std::uint64_t a, std::uint64_t b) {
        sums.elements += n;
        sums.nn += product(n, n);
        sums.aa += product(n, a);
        sums.bb += product(n, b);
    }

    // Leaves out the column's part: the square of its size, which is added once for all cells of the column.
    template <class Word>
    void add_cell(Word n, Word a) {
        sums.elements += n;
        if constexpr (sizeof(Word) == sizeof(std::uint32_t)) {
            sums.nn += static_cast<std::uint64_t>(n) * n;
            sums.aa += static_cast<std::uint64_t>(n) * a;
        } else {
            sums.nn += product(n, n);
            sums.aa += product(n, a);
        }
    }

    void add(const PairSummer& other) {
        sums.elements += other.sums.elements;
        sums.nn += other.sums.nn;
        sums.aa += other.sums.aa;
        sums.bb += other.sums.bb;
    }
};

inline PairSums pair_sums(const std::vector<Triple>& triples) {
    PairSums sums{0, 0, 0, 0};
    for (const Triple& triple : triples) {
        const Uint128 elements = product(triple.n, triple.count);
        sums.elements += low_word(elements);
        sums.nn += elements * triple.n;
        sums.aa += elements * triple.a;
        sums.bb += elements * triple.b;
    }
    return sums;
}

}  // namespace concordant
