// The contingency table: its non-empty cells sorted by row and column, both numbered by first appearance.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "counting/run_table.hpp"
#include "labels/codes.hpp"
#include "labels/labels.hpp"

namespace concordant {

struct Contingency {
    std::vector<std::int64_t> row, column, n;
    std::vector<std::int64_t> row_first, column_first;
};

// The columns of all elements, row by row, with the start of each row.
struct Rows {
    Buffer<std::int64_t> column;
    std::vector<std::size_t> start;
};

inline Rows gather_rows(const Codes& rows, const Codes& columns) {
    const std::size_t length = rows.code.size;
    std::vector<std::size_t> start(rows.first.size() + 1, 0);
    for (const std::int64_t row : rows.code) ++start[static_cast<std::size_t>(row) + 1];
    for (std::size_t row = 1; row < start.size(); ++row) start[row] += start[row - 1];

    Buffer<std::int64_t> sorted(length);
    std::vector<std::size_t> next(start.begin(), start.end() - 1);
    for (std::size_t i = 0; i < length; ++i)
        sorted[next[static_cast<std::size_t>(rows.code[i])]++] = columns.code[i];
    return {std::move(sorted), std::move(start)};
}

// Appends the cells of one row; long rows are counted per column, short ones sorted.
class RowCounter {
public:
    RowCounter(std::size_t columns, Contingency& table) : count_(columns, 0), table_(table) {}

    void append(std::int64_t row, std::int64_t* begin, std::int64_t* end) {
        constexpr std::ptrdiff_t worth_counting = 64;
        if (end - begin < worth_counting)
            append_sorted(row, begin, end);
        else
            append_counted(row, begin, end);
    }

private:
    void append_sorted(std::int64_t row, std::int64_t* begin, std::int64_t* end) {
        std::sort(begin, end);
        while (begin != end) {
            std::int64_t* next = std::find_if(begin, end, [=](std::int64_t column) { return column != *begin; });
            append_cell(row, *begin, next - begin);
            begin = next;
        }
    }

    void append_counted(std::int64_t row, const std::int64_t* begin, const std::int64_t* end) {
        touched_.clear();
        for (; begin != end; ++begin)
            if (count_[static_cast<std::size_t>(*begin)]++ == 0) touched_.push_back(*begin);
        std::sort(touched_.begin(), touched_.end());
        for (const std::int64_t column : touched_)
            append_cell(row, column, std::exchange(count_[static_cast<std::size_t>(column)], 0));
    }

    void append_cell(std::int64_t row, std::int64_t column, std::int64_t n) {
        table_.row.push_back(row);
        table_.column.push_back(column);
        table_.n.push_back(n);
    }

    std::vector<std::int64_t> count_;
    std::vector<std::int64_t> touched_;
    Contingency& table_;
};

// Clusters in the order of their first elements: the place of each id among them, and these elements.
struct ClusterOrder {
    std::vector<std::int64_t> place, first;

    ClusterOrder(const RunTable& table, std::uint32_t RunCell::*side, std::size_t ids) : place(ids) {
        constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
        std::vector<std::int64_t> first_of(ids, none);
        std::vector<std::uint32_t> order;
        for (std::size_t i = 0; i < table.cells.size(); ++i) {
            const std::uint32_t id = table.cells[i].*side;
            if (first_of[id] == none) order.push_back(id);
            first_of[id] = std::min(first_of[id], static_cast<std::int64_t>(table.first[i]));
        }
        const auto is_before = [&](std::uint32_t i, std::uint32_t j) { return first_of[i] < first_of[j]; };
        if (!std::is_sorted(order.begin(), order.end(), is_before)) std::sort(order.begin(), order.end(), is_before);
        for (const std::uint32_t id : order) {
            place[id] = static_cast<std::int64_t>(first.size());
            first.push_back(first_of[id]);
        }
    }
};

inline Contingency contingency_of(const RunTable& table) {
    struct Cell {
        std::int64_t column, n;
    };
    const LargeList<RunCell>& cells = table.cells;
    ClusterOrder rows(table, &RunCell::row, table.rows.size()), columns(table, &RunCell::column, table.columns.size());
    std::vector<std::size_t> start(rows.first.size() + 1, 0);
    const auto row_of = [&](const RunCell& cell) { return static_cast<std::size_t>(rows.place[cell.row]); };
    for (const RunCell& cell : cells) ++start[row_of(cell) + 1];
    for (std::size_t row = 1; row < start.size(); ++row) start[row] += start[row - 1];
    std::vector<Cell> sorted(cells.size());
    std::vector<std::size_t> next(start.begin(), start.end() - 1);
    for (const RunCell& cell : cells)
        sorted[next[row_of(cell)]++] = {columns.place[cell.column], static_cast<std::int64_t>(cell.n)};

    Contingency result;
    for (std::size_t row = 0; row + 1 < start.size(); ++row) {
        const auto begin = sorted.begin() + static_cast<std::ptrdiff_t>(start[row]);
        const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(start[row + 1]);
        std::sort(begin, end, [](const Cell& x, const Cell& y) { return x.column < y.column; });
        result.row.insert(result.row.end(), static_cast<std::size_t>(end - begin), static_cast<std::int64_t>(row));
    }
    for (const Cell& cell : sorted) {
        result.column.push_back(cell.column);
        result.n.push_back(cell.n);
    }
    result.row_first = std::move(rows.first);
    result.column_first = std::move(columns.first);
    return result;
}

// `u` and `v` are of the same length.
inline Contingency contingency(const Labels& u, const Labels& v, unsigned threads, Control& control) {
    if (const std::size_t runs = runs_expected(u, v); runs != 0)
        if (const auto table = run_cells(u, v, runs_per_named_cell(u.length, runs), threads, control, true))
            return contingency_of(*table);
    constexpr std::size_t worth_a_thread = 1 << 16;
    Codes codes[2];
    const Labels* labels[2] = {&u, &v};
    parallel_for(control, u.length < worth_a_thread ? 1 : threads, 2,
                 [&](unsigned, std::size_t side) { codes[side] = factorize(*labels[side], control); });

    Contingency result;
    Rows rows = gather_rows(codes[0], codes[1]);
    RowCounter counter(codes[1].first.size(), result);
    for (std::size_t row = 0; row + 1 < rows.start.size(); ++row) {
        if (row % block_length == 0) control.checkpoint();
        counter.append(static_cast<std::int64_t>(row), rows.column.begin() + rows.start[row],
                       rows.column.begin() + rows.start[row + 1]);
    }
    result.row_first = std::move(codes[0].first);
    result.column_first = std::move(codes[1].first);
    return result;
}

}  // namespace concordant
