// The cells of labels in runs: one table lookup for each run, whatever the labels are.
//
// This pays if runs are long enough, which a sample of the labels shows; random labels are counted in other ways. If most
// runs make a cell of their own and the labels of cells are not needed, partitioned_runs.hpp is faster.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "base/code_table.hpp"
#include "base/processor.hpp"
#include "labels/label_ranges.hpp"
#include "labels/labels.hpp"
#include "labels/runs.hpp"

namespace concordant {

class LabelIds {
public:
    explicit LabelIds(KeyRange window) : low_(window.low), extent_(window.empty() ? 0 : window.span() + 1) {}

    std::size_t size() const { return extent_ + key_.size(); }  // all ids are smaller

    std::uint64_t key(std::uint32_t id) const { return id < extent_ ? low_ + id : key_[id - extent_]; }

    // The ids of these keys.
    void number(const std::uint64_t* key, std::size_t count, std::uint32_t* id) {
        if (extent_ == 0 && !ascending_)
            for (std::size_t i = 0; i < count; ++i) place_.prefetch(hasher_(key[i]));
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t offset = key[i] - low_;
            id[i] = static_cast<std::uint32_t>(offset < extent_ ? offset : extent_ + number_outside(key[i]));
        }
    }

private:
    std::uint32_t number_outside(std::uint64_t key) {
        const auto fresh = static_cast<std::uint32_t>(key_.size());
        if (ascending_) {
            if (fresh != 0 && key == key_[fresh - 1]) return fresh - 1;
            if (fresh == 0 || key > key_[fresh - 1]) {
                key_.push_back(key);
                return fresh;
            }
            enter_all();
        }
        const std::uint32_t place = find_or_insert(key, fresh);
        if (place != no_place) return place;
        key_.push_back(key);
        return fresh;
    }

    // From now on, a key may have occurred before.
    void enter_all() {
        ascending_ = false;
        for (std::uint32_t i = 0; i < key_.size(); ++i) find_or_insert(key_[i], i);
    }

    std::uint32_t find_or_insert(std::uint64_t key, std::uint32_t fresh) {
        return place_.find_or_insert(hasher_(key), fresh, [&](std::uint32_t place) { return key_[place] == key; });
    }

    std::uint64_t low_;
    std::size_t extent_;
    bool ascending_ = true;
    Hasher hasher_;
    PlaceTable place_;
    LargeList<std::uint64_t> key_;  // of those outside the window
};

// A pair of labels, by their ids, and how many elements have it.
struct RunCell {
    std::uint32_t row, column;
    std::uint64_t n;
};

// Cells are kept in order of appearance. The first cell of a row is found by the row alone, so sorted labels need no
// hash table. Further cells of a row are hashed, and so are all cells of a row that occurs again and again.
class RunTable {
public:
    LabelIds rows, columns;
    LargeList<RunCell> cells;
    LargeList<std::uint64_t> first;  // the first element of each cell, if they are wanted

    RunTable(KeyRange u_window, KeyRange v_window, std::size_t length, bool wants_first)
        : rows(u_window), columns(v_window), cells(length / usual_run), length_(length), wants_first_(wants_first) {}

    std::size_t length() const { return length_; }

    // Whether there are few cells, or so many runs for each of them so far.
    bool has_runs_per_cell(std::size_t least) const {
        return cells.size() <= few_cells || runs_ >= least * cells.size();
    }

    void add(const BlockRuns& runs, std::size_t begin) {
        if (tracks_) next_.resize(std::max(next_.size(), cells.size() + runs.size()), 0);
        repeats_ ? add_guessed(runs, begin) : add_looked_up(runs, begin);
        expect_more(runs.start(runs.size()));
        runs_ += runs.size();
    }

    void add(const RunTable& other) {
        std::array<std::uint64_t, block_length> u, v;
        for (std::size_t begin = 0; begin < other.cells.size(); begin += block_length) {
            const std::size_t count = std::min(block_length, other.cells.size() - begin);
            for (std::size_t i = 0; i < count; ++i) {
                u[i] = other.rows.key(other.cells[begin + i].row);
                v[i] = other.columns.key(other.cells[begin + i].column);
            }
            number(u.data(), v.data(), count);
            for (std::size_t i = 0; i < count; ++i)
                add(i, other.cells[begin + i].n, wants_first_ ? other.first[begin + i] : 0);
        }
    }

    // Removes the cells of elements that do not count.
    void remove(std::optional<std::uint64_t> u, std::optional<std::uint64_t> v) {
        if (!u && !v) return;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (u == rows.key(cells[i].row) || v == columns.key(cells[i].column)) continue;
            if (wants_first_) first[kept] = first[i];
            cells[kept++] = cells[i];
        }
        cells.resize(kept, {});
        if (wants_first_) first.resize(kept, 0);
    }

private:
    static constexpr std::size_t usual_run = 8, few_cells = std::size_t{1} << 13, cells_in_cache = std::size_t{1} << 14;
    static constexpr std::uint32_t hashed = no_place - 1;  // in place of the first cell of a row

    bool is_of(const RunCell& cell, std::uint64_t u, std::uint64_t v) const {
        return rows.key(cell.row) == u && columns.key(cell.column) == v;
    }

    void add_looked_up(const BlockRuns& runs, std::size_t begin) {
        number(runs.u.data(), runs.v.data(), runs.size());
        const std::size_t before = cells.size();
        std::size_t repeated = 0;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const std::uint32_t at = add(i, runs.length(i), begin + runs.start(i));
            if (tracks_) {
                repeated += next_[last_] == at;
                next_[last_] = at;
            }
            last_ = at;
        }
        tracks_ = (cells.size() - before) * 2 < runs.size();
        repeats_ = tracks_ && repeated * 2 > runs.size();
    }

    // Predicts that each cell is the one that last followed its predecessor, and looks it up only if it is not.
    void add_guessed(const BlockRuns& runs, std::size_t begin) {
        std::size_t repeated = 0;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            std::uint32_t at = next_[last_];
            if (is_of(cells[at], runs.u[i], runs.v[i])) {
                cells[at].n += runs.length(i);
                ++repeated;
            } else {
                number(&runs.u[i], &runs.v[i], 1);
                next_[last_] = at = add(0, runs.length(i), begin + runs.start(i));
            }
            last_ = at;
        }
        repeats_ = repeated * 2 > runs.size();
    }

    // Estimates the final number of cells, assuming that the remaining elements add cells at the same rate.
    void expect_more(std::size_t seen) {
        seen_ += seen;
        if (cells.size() <= cells_in_cache) return;
        const double share = static_cast<double>(seen_) / static_cast<double>(length_);
        others_.expect(static_cast<std::size_t>(static_cast<double>(cells.size()) / share));
    }

    // The rows and columns of some pairs of keys; also prefetches their entries.
    void number(const std::uint64_t* u, const std::uint64_t* v, std::size_t count) {
        rows.number(u, count, row_.data());
        columns.number(v, count, column_.data());
        first_of_.resize(rows.size(), {no_place, 0});
        for (std::size_t i = 0; i < count; ++i) {
            hash_[i] = hash_of(row_[i], column_[i]);
            prefetch(&first_of_[row_[i]]);
            others_.prefetch(hash_[i]);
        }
    }

    std::uint32_t hash_of(std::uint32_t row, std::uint32_t column) const {
        return static_cast<std::uint32_t>(hasher_(static_cast<std::uint64_t>(row) << 32 | column));
    }

    // The i-th of the pairs that were numbered last.
    std::uint32_t add(std::size_t i, std::uint64_t n, std::uint64_t element) {
        const std::uint32_t place = find_or_enter(row_[i], column_[i], hash_[i]);
        if (place == no_place) {
            cells.push_back({row_[i], column_[i], n});
            next_.push_back(0);
            if (wants_first_) first.push_back(element);
            return static_cast<std::uint32_t>(cells.size() - 1);
        }
        cells[place].n += n;
        if (wants_first_) first[place] = std::min(first[place], element);
        return place;
    }

    // The position of the cell, or no_place if it must be appended.
    std::uint32_t find_or_enter(std::uint32_t row, std::uint32_t column, std::uint32_t hash) {
        const auto fresh = static_cast<std::uint32_t>(cells.size());
        FirstCell& known = first_of_[row];
        if (known.place == no_place) {
            known = {fresh, column};
            return no_place;
        }
        if (known.place != hashed && known.column == column) return known.place;
        const std::uint32_t place = find_other(row, column, hash, fresh);
        if (known.place != hashed && place != no_place) {
            find_other(row, known.column, hash_of(row, known.column), known.place);
            known.place = hashed;
        }
        return place;
    }

    std::uint32_t find_other(std::uint32_t row, std::uint32_t column, std::uint32_t hash, std::uint32_t fresh) {
        return others_.find_or_insert(hash, fresh, [&](std::uint32_t place) {
            return cells[place].row == row && cells[place].column == column;
        });
    }

    // The first cell of a row: its position among the cells, and its column.
    struct FirstCell {
        std::uint32_t place, column;
    };

    std::size_t length_, seen_ = 0, runs_ = 0;  // elements in all, and so far; their runs
    bool wants_first_;
    Hasher hasher_;
    LargeList<FirstCell> first_of_;
    PlaceTable others_;
    LargeList<std::uint32_t> next_;  // the cell that last followed each; useful for images, whose lines resemble the one before
    std::uint32_t last_ = 0;
    bool tracks_ = false, repeats_ = false;  // whether most cells occurred before, and mostly after the same cell
    std::array<std::uint32_t, block_length> row_, column_, hash_;
};

// The number of runs, estimated from a sample; 0 if they are too short to be worth it.
std::size_t runs_expected(const Labels& u, const Labels& v);

// The minimal number of runs for each cell if the labels of cells are needed. With long runs, a table of cells always
// pays; with short ones, a table larger than the caches would be slower than the method for random labels.
std::size_t runs_per_named_cell(std::size_t length, std::size_t runs);

// The cells, in no particular order. Empty if there are many cells with fewer than this many runs each, or if a label
// does not fit into its copy.
std::optional<RunTable> run_cells(const Labels& u, const Labels& v, std::size_t runs_per_cell, unsigned threads,
                                  Control& control, bool wants_first = false);

// The sizes of the clusters by their ids; 0 for ids that no label has. Count holds the number of elements.
template <class Count>
struct RunSizes {
    std::vector<Count> a, b;

    explicit RunSizes(const RunTable& table) : a(table.rows.size(), 0), b(table.columns.size(), 0) {
        for (const RunCell& cell : table.cells) {
            a[cell.row] += static_cast<Count>(cell.n);
            b[cell.column] += static_cast<Count>(cell.n);
        }
    }
};

template <class Count, class Sink>
void hand_over(const RunTable& table, Sink& sink) {
    const RunSizes<Count> sizes(table);
    for (const RunCell& cell : table.cells) sink.add(cell.n, sizes.a[cell.row], sizes.b[cell.column]);
}

// The sink after all cells.
template <class Sink>
Sink sum_over_cells(const RunTable& table) {
    Sink sink;
    table.length() <= std::numeric_limits<std::uint32_t>::max() ? hand_over<std::uint32_t>(table, sink)
                                                                : hand_over<std::uint64_t>(table, sink);
    return sink;
}

}  // namespace concordant
