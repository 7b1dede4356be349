// The contingency table: its non-empty cells sorted by row and column, both numbered by first appearance.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/chunks.hpp"
#include "base/parallel.hpp"
#include "counting/run_table.hpp"
#include "labels/codes.hpp"
#include "labels/labels.hpp"

namespace concordant {

struct Contingency {
    Buffer<std::int64_t> row, column, n;
    std::vector<std::int64_t> row_first, column_first;
};

// What the values of elements cut the cells into: of each piece, in the order of the cells and values, the number of
// its elements.
struct Pieces {
    Buffer<std::int64_t> cell, value, n;
};

// The cells of elements with these codes. Elements are partitioned by row, so the counts of a partition stay in the
// cache, and the cells of a partition precede those of the next. The last `value_bits` of a column are a value.
// Word is uint32 where all codes and counts fit, else uint64.
template <class Word>
class PartitionedCells {
public:
    PartitionedCells(const CodesOf<Word>& rows, const CodesOf<Word>& columns, unsigned value_bits, unsigned threads,
                     Control& control)
        : rows_(rows), columns_(columns), value_bits_(value_bits), threads_(threads), control_(control), workers_(threads) {
        const unsigned bits = bits_of_partitions(rows.code.size);
        const auto width = static_cast<unsigned>(std::bit_width(rows.first.size()));
        shift_ = width > bits ? width - bits : 0;
        partitions_ = rows.first.empty() ? 0 : ((rows.first.size() - 1) >> shift_) + 1;
        for (Worker& worker : workers_) elements_.emplace_back(partitions_, worker.pool);
    }

    // Fills `pieces` too, if there are values.
    Contingency contingency(Pieces* pieces) {
        partition_elements();
        std::vector<std::size_t> start(partitions_ + 1, 0), filled(partitions_ + 1, 0), whole(partitions_ + 1, 0);
        for (std::size_t p = 0; p < partitions_; ++p) start[p + 1] = start[p] + Gathered<Element>(elements_, p).length();
        Buffer<Cell> cells(rows_.code.size);
        const auto is_first = [this](const Cell* begin, const Cell* cell) {
            return cell == begin || cell[-1].row != cell->row || (cell[-1].column ^ cell->column) >> value_bits_ != 0;
        };
        parallel_for(control_, threads_, partitions_, [&](unsigned worker, std::size_t p) {
            const Cell* begin = cells.begin() + start[p];
            filled[p + 1] = make_cells(workers_[worker], p, cells.begin() + start[p]);
            for (const Cell* cell = begin; cell != begin + filled[p + 1]; ++cell) whole[p + 1] += is_first(begin, cell);
        });
        for (std::size_t p = 0; p < partitions_; ++p) {
            filled[p + 1] += filled[p];
            whole[p + 1] += whole[p];
        }
        const auto buffer = [](std::size_t size) { return Buffer<std::int64_t>(size); };
        const std::size_t size = whole.back(), parts = pieces ? filled.back() : 0;
        Contingency table{buffer(size), buffer(size), buffer(size), {}, {}};
        if (pieces) *pieces = {buffer(parts), buffer(parts), buffer(parts)};
        parallel_for(control_, threads_, partitions_, [&](unsigned, std::size_t p) {
            const Cell *begin = cells.begin() + start[p], *cell = begin;
            std::size_t i = whole[p];
            for (std::size_t piece = filled[p]; piece < filled[p + 1]; ++piece, ++cell) {
                const auto n = static_cast<std::int64_t>(cell->n);
                if (is_first(begin, cell)) {
                    table.row[i] = static_cast<std::int64_t>(cell->row);
                    table.column[i] = static_cast<std::int64_t>(cell->column >> value_bits_);
                    table.n[i++] = n;
                } else {
                    table.n[i - 1] += n;
                }
                if (!pieces) continue;
                pieces->cell[piece] = static_cast<std::int64_t>(i - 1);
                pieces->value[piece] = static_cast<std::int64_t>(cell->column & ((Word{1} << value_bits_) - 1));
                pieces->n[piece] = n;
            }
        });
        return table;
    }

private:
    struct Element {
        Word row, column;
    };

    struct Cell {
        Word row, column, n;
    };

    struct Worker {
        ChunkPool pool;
        std::vector<std::size_t> end;  // of each row of a partition among the sorted columns
        std::vector<Word> columns;     // of the elements of a partition, row by row
        std::vector<Word> count;       // of each column in a long row
        std::vector<Word> touched;     // the columns of a long row
    };

    void partition_elements() {
        parallel_blocks(control_, threads_, rows_.code.size, [&](unsigned worker, std::size_t begin, std::size_t count) {
            for (std::size_t i = begin; i < begin + count; ++i) {
                const Word row = rows_.code[i];
                elements_[worker].push(row >> shift_, {row, columns_.code[i]});
            }
        });
    }

    // Writes the cells of a partition and returns their number.
    std::size_t make_cells(Worker& worker, std::size_t partition, Cell* out) {
        const Gathered<Element> elements(elements_, partition);
        const std::size_t first = partition << shift_;
        worker.end.assign(std::min(std::size_t{1} << shift_, rows_.first.size() - first), 0);
        worker.columns.resize(elements.length());
        elements.for_each([&](const Element& element) { ++worker.end[element.row - first]; });
        std::size_t total = 0;
        for (std::size_t& end : worker.end) total += std::exchange(end, total);
        elements.for_each(
            [&](const Element& element) { worker.columns[worker.end[element.row - first]++] = element.column; });
        const Cell* begin_of_cells = out;
        Word* begin = worker.columns.data();
        for (std::size_t row = 0; row < worker.end.size(); ++row) {
            Word* end = worker.columns.data() + worker.end[row];
            out = write_row(worker, static_cast<Word>(first + row), begin, end, out);
            begin = end;
        }
        return static_cast<std::size_t>(out - begin_of_cells);
    }

    // Long rows are counted per column, short ones sorted.
    Cell* write_row(Worker& worker, Word row, Word* begin, Word* end, Cell* out) const {
        constexpr std::ptrdiff_t worth_counting = 64;
        const bool is_table_small = columns_.first.size() << value_bits_ <= 2 * rows_.code.size;
        if (end - begin >= worth_counting && is_table_small) return write_long_row(worker, row, begin, end, out);
        std::sort(begin, end);
        while (begin != end) {
            const Word column = *begin;
            Word n = 0;
            for (; begin != end && *begin == column; ++begin) ++n;
            *out++ = {row, column, n};
        }
        return out;
    }

    Cell* write_long_row(Worker& worker, Word row, const Word* begin, const Word* end, Cell* out) const {
        worker.count.resize(columns_.first.size() << value_bits_, 0);
        worker.touched.clear();
        for (; begin != end; ++begin)
            if (worker.count[*begin]++ == 0) worker.touched.push_back(*begin);
        std::sort(worker.touched.begin(), worker.touched.end());
        for (const Word column : worker.touched) *out++ = {row, column, std::exchange(worker.count[column], Word{0})};
        return out;
    }

    const CodesOf<Word>& rows_;
    const CodesOf<Word>& columns_;
    unsigned value_bits_;
    unsigned threads_;
    Control& control_;
    unsigned shift_;  // from a row to its partition
    std::size_t partitions_;
    std::vector<Worker> workers_;
    std::vector<Scatter<Element>> elements_;
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

    const std::size_t size = sorted.size();
    Contingency result{Buffer<std::int64_t>(size), Buffer<std::int64_t>(size), Buffer<std::int64_t>(size), {}, {}};
    for (std::size_t row = 0; row + 1 < start.size(); ++row) {
        const auto begin = sorted.begin() + static_cast<std::ptrdiff_t>(start[row]);
        const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(start[row + 1]);
        std::sort(begin, end, [](const Cell& x, const Cell& y) { return x.column < y.column; });
        std::fill(result.row.begin() + start[row], result.row.begin() + start[row + 1], static_cast<std::int64_t>(row));
    }
    for (std::size_t i = 0; i < size; ++i) {
        result.column[i] = sorted[i].column;
        result.n[i] = sorted[i].n;
    }
    result.row_first = std::move(rows.first);
    result.column_first = std::move(columns.first);
    return result;
}

// The values of elements, each below 2^bits.
struct ElementValues {
    const std::int64_t* value = nullptr;
    unsigned bits = 0;
};

template <class Word>
Contingency contingency_by_partitions(const Labels& u, const Labels& v, ElementValues values, Pieces* pieces,
                                      unsigned threads, Control& control) {
    CodesOf<Word> codes[2];
    const Labels* labels[2] = {&u, &v};
    parallel_for(control, threads, 2,
                 [&](unsigned, std::size_t side) { codes[side] = factorize<Word>(*labels[side], control); });
    if (pieces)
        parallel_blocks(control, threads, u.length, [&](unsigned, std::size_t begin, std::size_t count) {
            for (std::size_t i = begin; i < begin + count; ++i) {
                const auto value = static_cast<std::uint64_t>(values.value[i]);
                if (value >> values.bits != 0) throw std::invalid_argument("values changed while they were counted");
                codes[1].code[i] = static_cast<Word>(codes[1].code[i] << values.bits | value);
            }
        });
    Contingency result = PartitionedCells<Word>(codes[0], codes[1], values.bits, threads, control).contingency(pieces);
    result.row_first = std::move(codes[0].first);
    result.column_first = std::move(codes[1].first);
    return result;
}

// `u`, `v` and the values are of the same length.
inline Contingency contingency_of_pieces(const Labels& u, const Labels& v, ElementValues values, Pieces* pieces,
                                         unsigned threads, Control& control) {
    constexpr std::size_t worth_a_thread = 1 << 16;
    if (u.length < worth_a_thread) threads = 1;
    return u.length <= std::numeric_limits<std::uint32_t>::max() >> values.bits
               ? contingency_by_partitions<std::uint32_t>(u, v, values, pieces, threads, control)
               : contingency_by_partitions<std::uint64_t>(u, v, values, pieces, threads, control);
}

// `u` and `v` are of the same length.
inline Contingency contingency(const Labels& u, const Labels& v, unsigned threads, Control& control) {
    if (const std::size_t runs = runs_expected(u, v); runs != 0)
        if (const auto table = run_cells(u, v, runs_per_named_cell(u.length, runs), threads, control, true))
            return contingency_of(*table);
    return contingency_of_pieces(u, v, {}, nullptr, threads, control);
}

}  // namespace concordant
