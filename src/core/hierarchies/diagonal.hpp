// Two trees over the same leaves, cut step by step: the sums of overlaps after each step, at which clusters of either
// tree may merge. The cells of the smaller line go to the larger one, so each cell moves a logarithmic number of times.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "hierarchies/truth_levels.hpp"

namespace concordant {

// The overlaps of rows and columns that are merged; both begin with one element each.
class MergingTable {
public:
    explicit MergingTable(std::size_t elements)
        : cell_(elements), mask_(std::bit_ceil(2 * elements + 2) - 1), slot_(mask_ + 1), squares_(static_cast<std::int64_t>(elements)),
          cells_(squares_), best_{squares_, squares_} {
        for (auto& side : line_) side.resize(elements);
        std::fill(slot_.begin(), slot_.end(), Slot{0, none});
        for (std::size_t x = 0; x < elements; ++x) {
            const auto own = static_cast<std::uint32_t>(x);
            cell_[x] = {{own, own}, {none, none}, {none, none}, 1};
            for (auto& side : line_) side[x] = {own, 1, 1};
            insert(own);
        }
    }

    // Merges two lines of a side, rows (0) or columns (1); returns the one that is left.
    std::uint32_t merge(int side, std::uint32_t one, std::uint32_t other) {
        auto& lines = line_[side];
        if (lines[one].cells < lines[other].cells) std::swap(one, other);
        Line &large = lines[one], &small = lines[other];
        best_[side] -= large.best + small.best;
        large.best = std::max(large.best, small.best);
        for (std::uint32_t c = small.first, next = none; c != none; c = next) {
            Cell& moved = cell_[c];
            next = moved.next[side];
            erase(c);
            moved.line[side] = one;
            const std::uint32_t met = find(moved);
            if (met == none) {
                link(c, side, large);
                insert(c);
            } else {
                join(c, met, side);
                large.best = std::max(large.best, cell_[met].n);
            }
        }
        best_[side] += large.best;
        return one;
    }

    std::int64_t squares() const { return squares_; }
    std::int64_t cells() const { return cells_; }
    std::int64_t best(int side) const { return best_[side]; }  // Σ of the largest overlap of each line

private:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    struct Cell {
        std::array<std::uint32_t, 2> line, next, previous;
        std::int64_t n;
    };
    struct Line {
        std::uint32_t first, cells;
        std::int64_t best;
    };
    struct Slot {
        std::uint64_t key;
        std::uint32_t cell;
    };

    static std::uint64_t key_of(const Cell& cell) { return std::uint64_t{cell.line[0]} << 32 | cell.line[1]; }
    std::size_t home(std::uint64_t key) const { return static_cast<std::size_t>(hasher_(key)) & mask_; }

    std::uint32_t find(const Cell& wanted) const {
        const std::uint64_t key = key_of(wanted);
        for (std::size_t at = home(key);; at = (at + 1) & mask_) {
            if (slot_[at].cell == none) return none;
            if (slot_[at].key == key) return slot_[at].cell;
        }
    }

    void insert(std::uint32_t c) {
        const std::uint64_t key = key_of(cell_[c]);
        std::size_t at = home(key);
        while (slot_[at].cell != none) at = (at + 1) & mask_;
        slot_[at] = {key, c};
    }

    // Moves later entries back into the gap, so lookups still find them.
    void erase(std::uint32_t c) {
        const std::uint64_t key = key_of(cell_[c]);
        std::size_t gap = home(key);
        while (slot_[gap].key != key || slot_[gap].cell == none) gap = (gap + 1) & mask_;
        for (std::size_t at = (gap + 1) & mask_; slot_[at].cell != none; at = (at + 1) & mask_) {
            const std::size_t distance = (at - home(slot_[at].key)) & mask_;
            if (distance >= ((at - gap) & mask_)) {
                slot_[gap] = slot_[at];
                gap = at;
            }
        }
        slot_[gap].cell = none;
    }

    void link(std::uint32_t c, int side, Line& line) {
        Cell& cell = cell_[c];
        cell.next[side] = line.first;
        cell.previous[side] = none;
        if (line.first != none) cell_[line.first].previous[side] = c;
        line.first = c;
        ++line.cells;
    }

    // Adds a cell to another of the same two lines. It leaves the list of the line that goes across.
    void join(std::uint32_t c, std::uint32_t into, int side) {
        const int across = 1 - side;
        const Cell& gone = cell_[c];
        Cell& left = cell_[into];
        Line& line = line_[across][gone.line[across]];
        if (gone.previous[across] == none)
            line.first = gone.next[across];
        else
            cell_[gone.previous[across]].next[across] = gone.next[across];
        if (gone.next[across] != none) cell_[gone.next[across]].previous[across] = gone.previous[across];
        --line.cells;
        squares_ += 2 * gone.n * left.n;
        left.n += gone.n;
        --cells_;
        if (left.n > line.best) {
            best_[across] += left.n - line.best;
            line.best = left.n;
        }
    }

    Buffer<Cell> cell_;
    std::size_t mask_;
    Buffer<Slot> slot_;
    std::array<std::vector<Line>, 2> line_;
    std::int64_t squares_, cells_;
    std::array<std::int64_t, 2> best_;
    Hasher hasher_;
};

struct DiagonalSums {
    Buffer<std::int64_t> nn, cells, row_best, column_best;
};

// The levels of both trees are steps in common. Leaves that were left out belong to neither.
inline DiagonalSums diagonal_sums(const LevelTree& u, const LevelTree& v, Control& control) {
    u.check(control);
    v.check(control);
    if (u.leaves != v.leaves || u.levels != v.levels) throw std::invalid_argument("the trees must have the same leaves and levels");
    MergingTable table(u.leaves);
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    std::array<const LevelTree*, 2> tree{&u, &v};
    std::array<std::vector<std::uint32_t>, 2> line;                      // of each node, once it has one
    std::array<std::vector<std::uint32_t>, 2> first_child, next_sibling;
    for (const int side : {0, 1}) {
        const LevelTree& own = *tree[side];
        line[side].assign(own.nodes, none);
        first_child[side].assign(own.nodes, none);
        next_sibling[side].assign(own.nodes, none);
        for (std::size_t x = own.nodes; x-- > 0;) {
            if (x < own.leaves) line[side][x] = static_cast<std::uint32_t>(x);
            if (own.parent[x] < 0) continue;
            std::uint32_t& first = first_child[side][static_cast<std::size_t>(own.parent[x])];
            next_sibling[side][x] = first;
            first = static_cast<std::uint32_t>(x);
        }
    }
    DiagonalSums sums;
    for (auto* each : {&sums.nn, &sums.cells, &sums.row_best, &sums.column_best}) *each = Buffer<std::int64_t>(u.levels + 1);
    std::array<std::size_t, 2> next{u.leaves, v.leaves};
    std::size_t merges = 0;
    for (std::size_t step = 0; step <= u.levels; ++step) {
        for (const int side : {0, 1}) {
            const LevelTree& own = *tree[side];
            for (std::size_t& x = next[side]; x < own.nodes && own.level_of(x) == step; ++x) {
                std::uint32_t merged = none;
                for (std::uint32_t child = first_child[side][x]; child != none; child = next_sibling[side][child]) {
                    if (merges++ % block_length == 0) control.checkpoint();
                    const std::uint32_t part = line[side][child];
                    if (part != none) merged = merged == none ? part : table.merge(side, merged, part);
                }
                line[side][x] = merged;
            }
        }
        sums.nn[step] = table.squares();
        sums.cells[step] = table.cells();
        sums.row_best[step] = table.best(0);
        sums.column_best[step] = table.best(1);
    }
    return sums;
}

}  // namespace concordant
