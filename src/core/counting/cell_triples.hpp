// The triples of overlaps that were counted before.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "counting/triples.hpp"
#include "graph/groups.hpp"

namespace concordant {

inline std::uint64_t checked_size(std::int64_t size) {
    if (size < 0) throw std::invalid_argument("sizes must not be negative");
    return static_cast<std::uint64_t>(size);
}

// The distinct triples (n, a, b), sorted by (a, b, n).
inline std::vector<Triple> count_triples(const std::int64_t* n, const std::int64_t* a, const std::int64_t* b,
                                         std::size_t length, unsigned threads, Control& control) {
    std::vector<TripleCounter> counters(threads);
    parallel_blocks(control, threads, length, [&](unsigned worker, std::size_t begin, std::size_t count) {
        for (std::size_t i = begin; i < begin + count; ++i)
            counters[worker].add(checked_size(n[i]), checked_size(a[i]), checked_size(b[i]));
    });
    for (std::size_t worker = 1; worker < counters.size(); ++worker) counters[0].add(counters[worker]);
    return counters[0].take_sorted();
}

// The triples of cells in the order of their rows. Cells of a row with the same column are one, and empty cells are none.
inline std::vector<Triple> cell_triples(const std::int64_t* row, const std::int64_t* column, const std::int64_t* n,
                                        std::size_t length, Control& control) {
    struct Cell {
        std::size_t column;
        std::uint64_t n, a;
    };
    const GroupNumbers column_of(column, length);
    std::vector<std::uint64_t> b(column_of.groups(), 0);
    Buffer<Cell> cells(length);
    std::size_t size = 0, rows = 0;
    for (std::size_t begin = 0, end; begin < length; begin = end) {
        if (rows++ % block_length == 0) control.checkpoint();
        const std::size_t first = size;
        const std::int64_t here = row[begin];
        std::uint64_t a = 0;
        end = begin;
        do {
            if (const std::uint64_t overlap = checked_size(n[end]); overlap != 0) {
                cells[size++] = {column_of[end], overlap, 0};
                a += overlap;
            }
        } while (++end < length && row[end] == here);
        if (end < length && row[end] < here) throw std::invalid_argument("cells must be in the order of their rows");
        if (size == first) continue;
        std::sort(cells.begin() + first, cells.begin() + size,
                  [](const Cell& x, const Cell& y) { return x.column < y.column; });
        std::size_t last = first;
        for (std::size_t i = first + 1; i < size; ++i) {
            if (cells[i].column == cells[last].column)
                cells[last].n += cells[i].n;
            else
                cells[++last] = cells[i];
        }
        size = last + 1;
        for (std::size_t i = first; i < size; ++i) {
            cells[i].a = a;
            b[cells[i].column] += cells[i].n;
        }
    }
    TripleCounter triples;
    for (std::size_t i = 0; i < size; ++i) triples.add(cells[i].n, cells[i].a, b[cells[i].column]);
    return triples.take_sorted();
}

}  // namespace concordant
