// The cells of a table as integers, which sort fast: the way from a table to its triples.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/code_table.hpp"
#include "base/hashing.hpp"
#include "counting/triples.hpp"

namespace concordant {

// Distinct sizes, ascending, and the place of each given size among them.
struct RankedSizes {
    std::vector<std::uint64_t> distinct;
    std::vector<std::uint32_t> rank;

    explicit RankedSizes(const std::vector<std::uint64_t>& sizes) : rank(sizes.size()) {
        const Hasher hasher;
        CodeTable table;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const auto fresh = static_cast<std::int64_t>(distinct.size());
            const std::int64_t code = table.find_or_insert(hasher(sizes[i]), fresh, [](std::int64_t) { return true; });
            if (code == no_code) distinct.push_back(sizes[i]);
            rank[i] = static_cast<std::uint32_t>(code == no_code ? fresh : code);
        }
        std::vector<std::uint32_t> order(distinct.size()), place(distinct.size());
        std::iota(order.begin(), order.end(), 0U);
        std::sort(order.begin(), order.end(), [&](auto i, auto j) { return distinct[i] < distinct[j]; });
        for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
        for (std::uint32_t& code : rank) code = place[code];
        std::sort(distinct.begin(), distinct.end());
    }
};

// Radix sort by digits of 8 bits; digits in which all keys agree are skipped.
inline void sort_keys(std::vector<std::uint64_t>& keys) {
    constexpr std::size_t worth_counting = 512;
    constexpr unsigned digit_bits = 8;
    if (keys.size() < worth_counting) return std::sort(keys.begin(), keys.end());
    std::uint64_t differing = 0;
    for (const std::uint64_t key : keys) differing |= key ^ keys[0];
    std::vector<std::uint64_t> other(keys.size());
    for (unsigned shift = 0; shift < 64 && differing >> shift != 0; shift += digit_bits) {
        const auto digit = [shift](std::uint64_t key) { return (key >> shift) & ((1 << digit_bits) - 1); };
        if (digit(differing) == 0) continue;
        std::array<std::size_t, (1 << digit_bits) + 1> start{};
        for (const std::uint64_t key : keys) ++start[digit(key) + 1];
        for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
        for (const std::uint64_t key : keys) other[start[digit(key)]++] = key;
        keys.swap(other);
    }
}

// A cell as (rank of a, rank of b, n) in one integer, the rank of a counted from the first of those that
// are sorted together.
class CellKeys {
public:
    // `largest` is no smaller than any n.
    CellKeys(const std::vector<std::uint64_t>& a_sizes, const std::vector<std::uint64_t>& b_sizes, std::uint64_t largest)
        : a(a_sizes), b(b_sizes), n_bits_(static_cast<unsigned>(std::bit_width(largest))),
          a_shift_(n_bits_ + static_cast<unsigned>(std::bit_width(b.distinct.size()))) {}

    // Appends the keys of a row's cells.
    template <class Count>
    void append(std::vector<std::uint64_t>& keys, const Count* cells, std::uint32_t rank_of_a) const {
        const std::uint64_t high = static_cast<std::uint64_t>(rank_of_a) << a_shift_;
        const std::size_t columns = b.rank.size();
        std::size_t kept = keys.size();
        keys.resize(kept + columns);
        std::uint64_t* out = keys.data();  // always written, kept if the cell is filled: no branch to mispredict
        for (std::size_t column = 0; column < columns; ++column) {
            out[kept] = high | static_cast<std::uint64_t>(b.rank[column]) << n_bits_ | cells[column];
            kept += cells[column] != 0;
        }
        keys.resize(kept);
    }

    std::vector<Triple> triples(std::vector<std::uint64_t>& keys, std::uint32_t first_rank) const {
        sort_keys(keys);
        std::vector<Triple> result;
        for (std::size_t i = 0, next; i < keys.size(); i = next) {
            for (next = i + 1; next < keys.size() && keys[next] == keys[i];) ++next;
            const std::uint64_t key = keys[i];
            result.push_back({key & low_bits(n_bits_), a.distinct[first_rank + (key >> a_shift_)],
                              b.distinct[(key & low_bits(a_shift_)) >> n_bits_], next - i});
        }
        return result;
    }

    RankedSizes a, b;

private:
    static std::uint64_t low_bits(unsigned bits) { return (std::uint64_t{1} << bits) - 1; }

    unsigned n_bits_, a_shift_;
};

inline std::vector<Triple> joined(std::vector<std::vector<Triple>> parts) {
    if (parts.size() == 1) return std::move(parts[0]);
    std::vector<Triple> result;
    for (const std::vector<Triple>& part : parts) result.insert(result.end(), part.begin(), part.end());
    return result;
}

}  // namespace concordant
