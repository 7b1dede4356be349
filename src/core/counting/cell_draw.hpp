// Cells drawn by their sizes, with the elements of their clusters, without a table of all cells.
//
// Cells of equal (n, a, b) are one kind. The cells of each kind are ordered by a seeded hash of their labels, and the
// first ones are drawn. So a seed draws the same cells for any number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "counting/cell_maker.hpp"
#include "counting/partitioned_profile.hpp"
#include "counting/scrambled_labels.hpp"
#include "counting/triples.hpp"
#include "labels/label_ranges.hpp"
#include "labels/labels.hpp"

namespace concordant {

// The numbers of some kinds of cells; small ones need no hashing.
class KindNumbers {
public:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    KindNumbers() = default;

    explicit KindNumbers(const std::vector<Triple>& kinds) : kinds_(kinds), slots_(std::bit_ceil(2 * kinds.size() + 1), none) {
        small_.fill(none);
        for (std::uint32_t number = 0; number < kinds.size(); ++number) {
            const auto& [n, a, b, count] = kinds[number];
            if (is_small(n, a, b)) small_[small_place(n, a, b)] = number;
            std::size_t at = slot_of(n, a, b);
            while (slots_[at] != none) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = number;
        }
    }

    std::uint32_t find(std::uint64_t n, std::uint64_t a, std::uint64_t b) const {
        if (is_small(n, a, b)) return small_[small_place(n, a, b)];
        for (std::size_t at = slot_of(n, a, b); slots_[at] != none; at = (at + 1) & (slots_.size() - 1)) {
            const Triple& kind = kinds_[slots_[at]];
            if (kind.n == n && kind.a == a && kind.b == b) return slots_[at];
        }
        return none;
    }

private:
    static constexpr std::size_t small_overlap = 4, small_size = 16;

    static bool is_small(std::uint64_t n, std::uint64_t a, std::uint64_t b) {
        return n < small_overlap && (a | b) < small_size;
    }

    static std::size_t small_place(std::uint64_t n, std::uint64_t a, std::uint64_t b) {
        return static_cast<std::size_t>((n * small_size + a) * small_size + b);
    }

    std::size_t slot_of(std::uint64_t n, std::uint64_t a, std::uint64_t b) const {
        const Hasher hasher;
        return static_cast<std::size_t>(hasher(hasher(n * 0x9e3779b97f4a7c15U + a) + b)) & (slots_.size() - 1);
    }

    std::array<std::uint32_t, small_overlap * small_size * small_size> small_{};
    std::vector<Triple> kinds_;
    std::vector<std::uint32_t> slots_;
};

// A sink of cells that keeps the first of each kind.
class FirstCells {
public:
    struct Drawn {
        std::uint64_t order;
        std::uint64_t u, v;  // distances from the low ends of the ranges

        bool operator<(const Drawn& other) const { return std::tie(order, u, v) < std::tie(other.order, other.u, other.v); }
    };

    FirstCells() = default;

    // The count of each kind is the number of cells to draw.
    FirstCells(const std::vector<Triple>& kinds, std::uint64_t seed, const ScrambledLabels<std::uint64_t>& u,
               const ScrambledLabels<std::uint64_t>& v)
        : kinds_(&kinds), u_(&u), v_(&v), hasher_{seed}, numbers_(kinds), drawn_(kinds.size()) {}

    void add(const NamedCell<std::uint64_t>& cell, std::uint64_t b) {
        const std::uint32_t kind = numbers_.find(cell.n, cell.a, b);
        if (kind == KindNumbers::none) return;
        const std::uint64_t u = u_->offset(cell.u), v = v_->offset(cell.v);
        keep(kind, {hasher_(hasher_(u) + v), u, v});
    }

    void add(const FirstCells& other) {
        for (std::size_t kind = 0; kind < drawn_.size(); ++kind)
            for (const Drawn& each : other.drawn_[kind]) keep(kind, each);
    }

    // Kind by kind, each in the order of the hashes.
    std::vector<Drawn> take() {
        std::vector<Drawn> all;
        for (std::vector<Drawn>& heap : drawn_) {
            std::sort_heap(heap.begin(), heap.end());
            all.insert(all.end(), heap.begin(), heap.end());
        }
        return all;
    }

private:
    void keep(std::size_t kind, const Drawn& each) {
        std::vector<Drawn>& heap = drawn_[kind];
        if (heap.size() == (*kinds_)[kind].count) {
            if (heap.empty() || !(each < heap.front())) return;
            std::pop_heap(heap.begin(), heap.end());
            heap.back() = each;
        } else {
            heap.push_back(each);
        }
        std::push_heap(heap.begin(), heap.end());
    }

    const std::vector<Triple>* kinds_ = nullptr;
    const ScrambledLabels<std::uint64_t>*u_ = nullptr, *v_ = nullptr;
    Hasher hasher_;
    KindNumbers numbers_;
    std::vector<std::vector<Drawn>> drawn_;  // of each kind, as a heap with the last on top
};

// A few labels to search for among many.
class WantedKeys {
public:
    explicit WantedKeys(std::vector<std::uint64_t> keys) : keys_(std::move(keys)) {
        std::sort(keys_.begin(), keys_.end());
        // One lookup in a table with 64 slots per key rules out most other labels.
        shift_ = 64 - std::max(1, static_cast<int>(std::bit_width(64 * keys_.size())));
        is_likely_.resize(std::size_t{1} << (64 - shift_), 0);
        for (const std::uint64_t key : keys_) is_likely_[place(key)] = 1;
    }

    bool has(std::uint64_t key) const {
        return is_likely_[place(key)] != 0 && std::binary_search(keys_.begin(), keys_.end(), key);
    }

private:
    std::size_t place(std::uint64_t key) const { return static_cast<std::size_t>(hasher_(key) >> shift_); }

    Hasher hasher_;
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint8_t> is_likely_;
    int shift_;
};

// A cell by the keys of its labels, and whether all elements of its row and of its column are wanted.
struct WantedCell {
    std::uint64_t u, v;
    bool row, column;
};

// The elements of the wanted clusters, ascending, and the first element of each wanted cell.
struct CellElements {
    std::vector<std::int64_t> elements, first;
};

inline CellElements elements_of(const Labels& u, const Labels& v, const std::vector<WantedCell>& cells, unsigned threads,
                                Control& control) {
    std::vector<std::uint64_t> rows, columns;
    for (const WantedCell& cell : cells) {
        if (cell.row) rows.push_back(cell.u);
        if (cell.column) columns.push_back(cell.v);
    }
    const WantedKeys in_row(std::move(rows)), in_column(std::move(columns));
    std::vector<std::vector<std::int64_t>> found(threads);
    parallel_blocks(control, threads, u.length, [&](unsigned worker, std::size_t begin, std::size_t count) {
        std::array<std::uint64_t, block_length> u_key, v_key;
        load_keys(u, begin, count, u_key.data());
        load_keys(v, begin, count, v_key.data());
        for (std::size_t i = 0; i < count; ++i)
            if (in_row.has(u_key[i]) || in_column.has(v_key[i])) found[worker].push_back(static_cast<std::int64_t>(begin + i));
    });
    CellElements result{{}, std::vector<std::int64_t>(cells.size(), -1)};
    std::vector<std::int64_t>& elements = result.elements;
    for (const std::vector<std::int64_t>& part : found) {  // each ascends
        const auto middle = elements.insert(elements.end(), part.begin(), part.end());
        std::inplace_merge(elements.begin(), middle, elements.end());
    }
    std::vector<std::tuple<std::uint64_t, std::uint64_t, std::size_t>> by_label;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) by_label.emplace_back(cells[cell].u, cells[cell].v, cell);
    std::sort(by_label.begin(), by_label.end());
    for (const std::int64_t element : elements) {
        std::uint64_t u_key = 0, v_key = 0;
        load_keys(u, static_cast<std::size_t>(element), 1, &u_key);
        load_keys(v, static_cast<std::size_t>(element), 1, &v_key);
        const auto at = std::lower_bound(by_label.begin(), by_label.end(), std::tuple{u_key, v_key, std::size_t{0}});
        if (at == by_label.end() || std::get<0>(*at) != u_key || std::get<1>(*at) != v_key) continue;
        std::int64_t& first = result.first[std::get<2>(*at)];
        if (first < 0) first = element;
    }
    return result;
}

// Draws `count` cells of each kind. `rows` and `columns` mark the cells, kind by kind, whose clusters are wanted whole.
// `u` and `v` are of the same length.
inline CellElements draw_cells(const Labels& u, const Labels& v, const std::vector<Triple>& kinds,
                               const std::vector<std::int64_t>& rows, const std::vector<std::int64_t>& columns,
                               std::uint64_t seed, unsigned threads, Control& control) {
    const KeyRange u_range = full_range(u, threads, control), v_range = full_range(v, threads, control);
    PartitionedProfile<NamedCell<std::uint64_t>> partitions(u, v, u_range, v_range, threads, control);
    FirstCells drawn = partitions.count(FirstCells(kinds, seed, partitions.u_side(), partitions.v_side()));
    std::vector<WantedCell> wanted;
    for (const auto& [order, u_offset, v_offset] : drawn.take()) {
        const std::size_t number = wanted.size();
        if (number < rows.size())
            wanted.push_back({u_range.low + u_offset, v_range.low + v_offset, rows[number] != 0, columns[number] != 0});
    }
    return elements_of(u, v, wanted, threads, control);
}

}  // namespace concordant
