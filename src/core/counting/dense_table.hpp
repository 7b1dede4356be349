// The table of labels from small ranges: dense, and counted directly.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/integers128.hpp"
#include "base/parallel.hpp"
#include "base/processor.hpp"
#include "counting/cell_keys.hpp"
#include "counting/pair_sums.hpp"
#include "counting/table_shape.hpp"
#include "counting/triples.hpp"
#include "labels/prefetch.hpp"
#include "labels/labels.hpp"
#include "labels/runs.hpp"

namespace concordant {

// The positions of cells in a row-major table; on entry, `place` holds their columns.
[[maybe_unused]] CONCORDANT_VECTORISED static void add_rows(const std::uint32_t* row, std::uint32_t columns, std::size_t count, std::uint32_t* place) {
    for (std::size_t i = 0; i < count; ++i) place[i] += row[i] * columns;
}

// One worker's counts. Small tables are kept several times over: successive elements often fall
// into the same cell, and an increment has to wait for the store before it in the same table.
template <class Count>
class Histogram {
public:
    Histogram(const TableShape& shape, std::size_t elements)
        : shape_(shape),
          copies_(!shape.runs && shape.cells() <= std::min(small_table, elements / most_copies) ? most_copies : 1),
          counts_(copies_ * shape.cells(), 0) {}

    // False, without counting any of this block, if a label is outside the shape.
    bool add_block(const Labels& u, const Labels& v, std::size_t begin, std::size_t count) {
        if (shape_.runs) return add_runs(u, v, begin, count);
        if (!load_block(u, v, shape_, begin, count, row_.data(), place_.data())) return false;
        add_rows(row_.data(), static_cast<std::uint32_t>(shape_.columns), count, place_.data());
        add_each(count, Prefetcher(u, begin + count), Prefetcher(v, begin + count));
        return true;
    }

    // The table and its copies.
    void append_layers(std::vector<Count*>& layers) {
        for (std::size_t copy = 0; copy < copies_; ++copy) layers.push_back(counts_.data() + copy * shape_.cells());
    }

private:
    void add_each(std::size_t count, Prefetcher u, Prefetcher v) {
        static_assert(Prefetcher::step % most_copies == 0);
        const std::size_t cells = copies_ == most_copies ? shape_.cells() : 0;
        Count* table = counts_.data();
        std::size_t i = 0;
        for (; i + Prefetcher::step <= count; i += Prefetcher::step) {
            u.fetch(i);
            v.fetch(i);
            for (std::size_t j = 0; j < Prefetcher::step; ++j) ++table[j % most_copies * cells + place_[i + j]];
        }
        for (; i < count; ++i) ++table[place_[i]];
    }

    // A separate function, so the code for random labels stays as small as possible.
    CONCORDANT_APART bool add_runs(const Labels& u, const Labels& v, std::size_t begin, std::size_t count) {
        if (!runs_.find(u, v, begin, count)) return false;
        for (std::size_t run = 0; run < runs_.size(); ++run) {
            const std::uint64_t row = runs_.u[run] - shape_.u_low, column = runs_.v[run] - shape_.v_low;
            if (row >= shape_.rows || column >= shape_.columns) return false;
            place_[run] = static_cast<std::uint32_t>(row * shape_.columns + column);
            prefetch(&counts_[place_[run]]);
        }
        for (std::size_t run = 0; run < runs_.size(); ++run) counts_[place_[run]] += static_cast<Count>(runs_.length(run));
        return true;
    }

    static constexpr std::size_t small_table = 1 << 11, most_copies = 4;  // all copies fit in the first-level cache

    TableShape shape_;
    std::size_t copies_;
    std::vector<Count> counts_;
    std::array<std::uint32_t, block_length> row_, place_;  // of the elements of a block; at first, place_ is the column
    BlockRuns runs_;
};

// A finished table with its margins.
template <class Count>
class DenseTable {
public:
    DenseTable(const TableShape& shape, std::vector<std::optional<Histogram<Count>>> histograms, unsigned threads,
               Control& control)
        : shape_(shape), threads_(threads), histograms_(std::move(histograms)), a_(shape.rows, 0), b_(shape.columns, 0) {
        for (std::optional<Histogram<Count>>& histogram : histograms_)
            if (histogram) histogram->append_layers(layers_);
        constexpr std::size_t task_cells = std::size_t{1} << 16;
        const std::size_t task_rows = std::max<std::size_t>(1, task_cells / shape_.columns);
        std::vector<Margin> margins(std::max(1U, threads));
        parallel_for(control, threads, (shape_.rows + task_rows - 1) / task_rows, [&](unsigned worker, std::size_t task) {
            sum_rows(margins[worker], task * task_rows, std::min(shape_.rows, (task + 1) * task_rows));
        });
        for (const Margin& margin : margins) {
            for (std::size_t column = 0; column < margin.b.size(); ++column) b_[column] += margin.b[column];
            largest_ = std::max(largest_, margin.largest);
            squares_ += margin.squares;
        }
    }

    PairSums pair_sums(Control&) const {
        return {sum_of(a_), squares_, sum_of_squares(a_), sum_of_squares(b_)};
    }

    // Rows are processed in the order of their sizes, a few per task: all triples of one task
    // precede those of the next.
    std::vector<Triple> triples(Control& control) const {
        const CellKeys cells(a_, b_, largest_);
        const std::vector<std::uint32_t> rows = rows_by_rank(cells.a);
        const std::vector<std::size_t> start = task_starts(cells.a, rows);
        std::vector<std::vector<Triple>> parts(start.size() - 1);
        parallel_for(control, threads_, parts.size(), [&](unsigned, std::size_t task) {
            const std::uint32_t first_rank = cells.a.rank[rows[start[task]]];
            std::vector<std::uint64_t> keys;
            for (std::size_t i = start[task]; i < start[task + 1]; ++i)
                cells.append(keys, row_of(rows[i]), cells.a.rank[rows[i]] - first_rank);
            parts[task] = cells.triples(keys, first_rank);
        });
        return joined(std::move(parts));
    }

private:
    // One worker's part of the sums over the columns.
    struct Margin {
        std::vector<std::uint64_t> b;
        Count largest = 0;
        Uint128 squares = 0;
    };

    // Adds up all layers in the first, and the margins in the same pass.
    void sum_rows(Margin& margin, std::size_t begin, std::size_t end) {
        margin.b.resize(shape_.columns, 0);
        for (std::size_t row = begin; row < end; ++row) {
            Count* cells = row_of(row);
            for (std::size_t layer = 1; layer < layers_.size(); ++layer) {
                const Count* more = layers_[layer] + row * shape_.columns;
                for (std::size_t column = 0; column < shape_.columns; ++column) cells[column] += more[column];
            }
            if (row == shape_.dropped_row) std::fill(cells, cells + shape_.columns, Count{0});
            if (shape_.dropped_column < shape_.columns) cells[shape_.dropped_column] = 0;
            std::uint64_t sum = 0;
            for (std::size_t column = 0; column < shape_.columns; ++column) {
                margin.b[column] += cells[column];
                sum += cells[column];
                margin.largest = std::max(margin.largest, cells[column]);
            }
            a_[row] = sum;
            margin.squares += sum_of_squares(cells, shape_.columns);
        }
    }

    Count* row_of(std::size_t row) const { return layers_[0] + row * shape_.columns; }

    static std::vector<std::uint32_t> rows_by_rank(const RankedSizes& a) {
        std::vector<std::uint32_t> start(a.distinct.size() + 1, 0), rows(a.rank.size());
        for (const std::uint32_t rank : a.rank) ++start[rank + 1];
        for (std::size_t rank = 1; rank < start.size(); ++rank) start[rank] += start[rank - 1];
        for (std::uint32_t row = 0; row < rows.size(); ++row) rows[start[a.rank[row]]++] = row;
        return rows;
    }

    // Tasks of enough cells to be worth a thread; rows of one size stay together.
    std::vector<std::size_t> task_starts(const RankedSizes& a, const std::vector<std::uint32_t>& rows) const {
        constexpr std::size_t task_cells = std::size_t{1} << 16;
        std::vector<std::size_t> start = {0};
        for (std::size_t i = 1; i < rows.size(); ++i)
            if ((i - start.back()) * shape_.columns >= task_cells && a.rank[rows[i]] != a.rank[rows[i - 1]])
                start.push_back(i);
        start.push_back(rows.size());
        return start;
    }

    TableShape shape_;
    unsigned threads_;
    std::vector<std::optional<Histogram<Count>>> histograms_;
    std::vector<Count*> layers_;  // their tables; the first holds the sums
    std::vector<std::uint64_t> a_, b_;
    Count largest_ = 0;
    Uint128 squares_ = 0;  // of all cells
};

// A shape if the table is small compared with the labels themselves and with the caches.
inline std::optional<TableShape> direct_shape(KeyRange u, KeyRange v, std::size_t length, bool runs = false) {
    constexpr std::size_t most = std::size_t{1} << 18, always_fine = std::size_t{1} << 14, most_for_runs = 8 * most;
    if (runs) {
        auto shape = table_shape(u, v, std::min(length / 4, most_for_runs));
        if (shape) shape->runs = true;
        return shape;
    }
    return table_shape(u, v, std::min({16 * length + 1024, std::max(length, always_fine), most}));
}

// The counted table; empty if a label is outside the shape.
template <class Count>
std::optional<DenseTable<Count>> dense_table(const Labels& u, const Labels& v, TableShape shape, unsigned threads,
                                             Control& control) {
    constexpr std::size_t elements_per_thread = std::size_t{1} << 17;
    shape.drop(u, v);
    const std::size_t worth = std::min(u.length / elements_per_thread, 2 * u.length / shape.cells());
    threads = static_cast<unsigned>(std::clamp<std::size_t>(worth, 1, threads));

    std::vector<std::optional<Histogram<Count>>> histograms(threads);
    const auto add_block = [&](unsigned worker, std::size_t begin, std::size_t count) {
        auto& histogram = histograms[worker];
        if (!histogram) histogram.emplace(shape, u.length);
        return histogram->add_block(u, v, begin, count);
    };
    if (!parallel_blocks(control, threads, u.length, add_block)) return std::nullopt;
    return DenseTable<Count>(shape, std::move(histograms), threads, control);
}

}  // namespace concordant
