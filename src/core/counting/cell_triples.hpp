// The triples of overlaps that are already counted.
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

// The triples of cells that are sorted by row. Cells with the same row and column are merged, and empty cells skipped.
inline std::vector<Triple> cell_triples(const std::int64_t* row, const std::int64_t* column, const std::int64_t* n,
                                        std::size_t length, unsigned threads, Control& control) {
    struct Cell {
        std::size_t column;
        std::uint64_t n;
    };
    const GroupNumbers column_of(column, length);
    const Buffer<std::int64_t> b = group_sums(column_of, n, 0, threads, control);
    std::vector<TripleCounter> counters(threads);
    const auto start_of = [&](std::size_t part) {  // of whole rows
        std::size_t start = part == threads ? length : length / threads * part;
        while (start > 0 && start < length && row[start] == row[start - 1]) ++start;
        return start;
    };
    parallel_for(control, threads, threads, [&](unsigned worker, std::size_t part) {
        std::vector<Cell> cells;
        std::size_t rows = 0;
        for (std::size_t begin = start_of(part), end, stop = start_of(part + 1); begin < stop; begin = end) {
            if (rows++ % block_length == 0) control.checkpoint();
            const std::int64_t here = row[begin];
            std::uint64_t a = 0;
            bool ascend = true;
            cells.clear();
            end = begin;
            do {
                const std::uint64_t overlap = checked_size(n[end]);
                if (overlap == 0) continue;
                const std::size_t number = column_of[end];
                ascend = ascend && (cells.empty() || cells.back().column < number);
                cells.push_back({number, overlap});
                a += overlap;
            } while (++end < stop && row[end] == here);
            if (end < length && row[end] < here) throw std::invalid_argument("cells must be in the order of their rows");
            if (!ascend)
                std::sort(cells.begin(), cells.end(), [](const Cell& x, const Cell& y) { return x.column < y.column; });
            for (std::size_t i = 0, next; i < cells.size(); i = next) {
                std::uint64_t overlap = 0;
                for (next = i; next < cells.size() && cells[next].column == cells[i].column; ++next)
                    overlap += cells[next].n;
                counters[worker].add(overlap, a, static_cast<std::uint64_t>(b[cells[i].column]));
            }
        }
    });
    for (std::size_t worker = 1; worker < counters.size(); ++worker) counters[0].add(counters[worker]);
    return counters[0].take_sorted();
}

}  // namespace concordant
