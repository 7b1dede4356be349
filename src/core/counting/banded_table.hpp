// The table of labels from middle ranges: too large for the caches, and counted band by band.
//
// 1. Elements are partitioned by bands of rows, each as its place in the band; rows and columns are summed on the way.
// 2. Each band is counted in the second-level cache, and its cells are processed while they are still cached. Pair
//    counts need no cells afterwards, so they also work for tables with far more cells than elements: those are hashed.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/chunks.hpp"
#include "base/hashing.hpp"
#include "base/integers128.hpp"
#include "base/parallel.hpp"
#include "counting/cell_keys.hpp"
#include "counting/pair_sums.hpp"
#include "counting/table_shape.hpp"
#include "counting/triples.hpp"
#include "labels/labels.hpp"

namespace concordant {

template <class Count>
class BandedTable {
public:
    // Beyond this many columns a single row would leave the cache.
    static constexpr std::size_t most_columns = std::size_t{1} << 17;

    BandedTable(const TableShape& shape, std::size_t length, unsigned threads)
        : shape_(shape), is_sparse_(shape.cells() / cells_per_element > length), row_bits_(bits_of_rows(length)),
          a_(shape.rows, 0), b_(shape.columns, 0), workers_(threads) {
        for (Worker& worker : workers_) {
            worker.a.resize(shape.rows, 0);
            worker.b.resize(shape.columns, 0);
            places_.emplace_back(bands(), worker.pool);
        }
        if (shape.dropped_row < shape.rows) dropped_.u = static_cast<std::uint32_t>(shape.dropped_row);
        if (shape.dropped_column < shape.columns) dropped_.v = static_cast<std::uint32_t>(shape.dropped_column);
    }

    // False if a label is outside the shape.
    bool partition(const Labels& u, const Labels& v, Control& control) {
        const auto push = [&](unsigned worker, std::size_t begin, std::size_t count) {
            return push_block(u, v, begin, count, worker);
        };
        if (!parallel_blocks(control, team(), u.length, push)) return false;
        for (const Worker& worker : workers_) {
            for (std::size_t row = 0; row < a_.size(); ++row) a_[row] += worker.a[row];
            for (std::size_t column = 0; column < b_.size(); ++column) b_[column] += worker.b[column];
        }
        return true;
    }

    // The keys of the cells are partitioned by the rank of a, so each part can be sorted in cache.
    std::vector<Triple> triples(Control& control) {
        const CellKeys cells(a_, b_, std::min(largest(a_), largest(b_)));
        const unsigned part_bits = bits_beyond(cells.a.distinct.size(), most_parts);
        std::vector<std::vector<Triple>> parts((cells.a.distinct.size() >> part_bits) + 1);
        std::vector<Scatter<std::uint64_t>> scatters;
        for (Worker& worker : workers_) scatters.emplace_back(parts.size(), worker.pool);
        for_each_row(control, [&](unsigned index, std::size_t row, const Count* counts) {
            const std::uint32_t rank = cells.a.rank[row], part = rank >> part_bits;
            std::vector<std::uint64_t>& keys = workers_[index].keys;
            keys.clear();
            cells.append(keys, counts, rank - (part << part_bits));
            for (const std::uint64_t key : keys) scatters[index].push(part, key);
        });
        parallel_for(control, team(), parts.size(), [&](unsigned index, std::size_t part) {
            std::vector<std::uint64_t>& keys = workers_[index].keys;
            keys.clear();
            Gathered<std::uint64_t>(scatters, part).for_each([&](std::uint64_t key) { keys.push_back(key); });
            parts[part] = cells.triples(keys, static_cast<std::uint32_t>(part << part_bits));
        });
        return joined(std::move(parts));
    }

    // An element makes a pair with each earlier one of its cell, and these are n(n-1)/2 pairs.
    PairSums pair_sums(Control& control) {
        std::vector<Sum> pairs(workers_.size(), 0);
        parallel_for(control, team(), bands(), [&](unsigned index, std::size_t band) {
            Worker& worker = workers_[index];
            const Gathered<std::uint32_t> places(places_, band);
            pairs[index] += is_sparse_ ? pairs_in_slots(places, worker.slots) : pairs_in_cells(places, worker.cells);
        });
        const std::uint64_t elements = sum_of(a_);
        const Uint128 all = std::accumulate(pairs.begin(), pairs.end(), Uint128{0});
        return {elements, 2 * all + elements, sum_of_squares(a_), sum_of_squares(b_)};
    }

private:
    using Sum = std::conditional_t<sizeof(Count) == 4, std::uint64_t, Uint128>;  // see sum_of_squares

    struct Slot {
        std::uint32_t key;  // the place of the cell plus 1; 0 is an empty slot
        Count n;
    };

    struct Worker {
        ChunkPool pool;
        std::vector<Count> a, b;          // its part of the sums over rows and columns
        std::vector<Count> cells;         // of the current band
        std::vector<Slot> slots;          // of its cells, where they are hashed
        std::vector<std::uint64_t> keys;  // of the current cells
        std::array<std::uint32_t, block_length> row, column;
    };

    // Rows of a band, as a power of two. Very large tables get larger bands to limit their number.
    unsigned bits_of_rows(std::size_t length) const {
        constexpr std::size_t band_bytes = std::size_t{1} << 20, most_bands = 2048, band_elements = std::size_t{1} << 14;
        const std::size_t in_cache = is_sparse_ ? shape_.rows * band_elements / length
                                                : band_bytes / sizeof(Count) / shape_.columns;
        const std::size_t rows = std::max({std::size_t{1}, in_cache, shape_.rows / most_bands});
        return static_cast<unsigned>(std::bit_width(rows)) - 1;
    }

    unsigned team() const { return static_cast<unsigned>(workers_.size()); }
    std::size_t rows_per_band() const { return std::size_t{1} << row_bits_; }
    std::size_t bands() const { return (shape_.rows + rows_per_band() - 1) >> row_bits_; }

    bool push_block(const Labels& u, const Labels& v, std::size_t begin, std::size_t count, unsigned index) {
        Worker& worker = workers_[index];
        if (!load_block(u, v, shape_, begin, count, worker.row.data(), worker.column.data())) return false;
        if (dropped_.any()) count = dropped_.take_out(worker.row.data(), worker.column.data(), count);
        Scatter<std::uint32_t>& places = places_[index];
        Count *a = worker.a.data(), *b = worker.b.data();
        const auto columns = static_cast<std::uint32_t>(shape_.columns);
        const auto in_band = static_cast<std::uint32_t>(rows_per_band() - 1);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t row = worker.row[i], column = worker.column[i];
            ++a[row];
            ++b[column];
            places.push(row >> row_bits_, (row & in_band) * columns + column);
        }
        return true;
    }

    // Calls use(worker, row, counts of its cells) for every row.
    template <class Use>
    void for_each_row(Control& control, Use use) {
        parallel_for(control, team(), bands(), [&](unsigned index, std::size_t band) {
            Worker& worker = workers_[index];
            const std::size_t rows = std::min(rows_per_band(), shape_.rows - band * rows_per_band());
            worker.cells.assign(rows * shape_.columns, 0);
            Gathered<std::uint32_t> places(places_, band);
            places.for_each([cells = worker.cells.data()](std::uint32_t place) { ++cells[place]; });
            places.give_back(worker.pool);
            for (std::size_t row = 0; row < rows; ++row)
                use(index, band * rows_per_band() + row, worker.cells.data() + row * shape_.columns);
        });
    }

    Sum pairs_in_cells(const Gathered<std::uint32_t>& places, std::vector<Count>& cells) const {
        cells.assign(rows_per_band() * shape_.columns, 0);
        Sum pairs = 0;
        places.for_each([&pairs, n = cells.data()](std::uint32_t place) { pairs += n[place]++; });
        return pairs;
    }

    Sum pairs_in_slots(const Gathered<std::uint32_t>& places, std::vector<Slot>& slots) const {
        const int bits = static_cast<int>(std::bit_width(4 * places.length()));  // two cells rarely share a slot
        slots.assign(std::size_t{1} << bits, Slot{0, 0});
        Sum pairs = 0;
        places.for_each([&pairs, slot = slots.data(), mask = slots.size() - 1, shift = 32 - bits,
                         factor = factor_](std::uint32_t place) {
            const std::uint32_t key = place + 1;
            std::size_t at = key * factor >> shift;
            while (slot[at].key != key && slot[at].key != 0) at = (at + 1) & mask;
            slot[at].key = key;
            pairs += slot[at].n++;
        });
        return pairs;
    }

    static constexpr std::size_t most_parts = 256, cells_per_element = 16;

    // The number of bits by which numbers below `size` must be shifted to be below `most`.
    static unsigned bits_beyond(std::size_t size, std::size_t most) {
        return static_cast<unsigned>(std::bit_width((size - 1) / most));
    }

    static std::uint64_t largest(const std::vector<std::uint64_t>& sizes) {
        return *std::max_element(sizes.begin(), sizes.end());
    }

    TableShape shape_;
    bool is_sparse_;  // whether a band would have far more cells than elements
    unsigned row_bits_;
    const std::uint32_t factor_ = static_cast<std::uint32_t>(process_seed()) | 1;  // random, so nobody can construct labels that collide
    DroppedLabels<std::uint32_t> dropped_;
    std::vector<std::uint64_t> a_, b_;
    std::vector<Worker> workers_;
    std::vector<Scatter<std::uint32_t>> places_;
};

// Triples visit all cells, so a banded table pays only if the cells are not many more than the labels. Pair counts only
// need the sums over rows and columns to stay small.
inline std::optional<TableShape> banded_shape(KeyRange u, KeyRange v, std::size_t length, bool of_pairs) {
    constexpr std::size_t most = BandedTable<std::uint32_t>::most_columns;
    const auto shape = table_shape(u, v, of_pairs ? std::max(most * most, 4 * length) : 4 * length);
    if (!shape || shape->columns > most) return std::nullopt;
    const bool has_small_sums = shape->rows <= most && shape->rows + shape->columns <= length / 4;
    return has_small_sums || shape->cells() <= 4 * length ? shape : std::nullopt;
}

// The table, partitioned; empty if a label is outside the shape.
template <class Count>
std::optional<BandedTable<Count>> banded_table(const Labels& u, const Labels& v, TableShape shape, unsigned threads,
                                               Control& control) {
    constexpr std::size_t elements_per_thread = std::size_t{1} << 17;
    threads = static_cast<unsigned>(std::clamp<std::size_t>(u.length / elements_per_thread, 1, threads));
    shape.drop(u, v);
    std::optional<BandedTable<Count>> table(std::in_place, shape, u.length, threads);
    if (!table->partition(u, v, control)) table.reset();
    return table;
}

}  // namespace concordant
