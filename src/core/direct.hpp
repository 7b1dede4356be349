// Profiles of labels from small ranges: one dense table, counted directly.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "factorize.hpp"
#include "hashing.hpp"
#include "labels.hpp"
#include "parallel.hpp"
#include "triples.hpp"

namespace concordant::detail {

// A table of all pairs of labels between the smallest and the largest of each side.
struct TableShape {
    std::uint64_t u_low = 0, v_low = 0;
    std::size_t rows = 0, columns = 0;

    std::size_t cells() const { return rows * columns; }
};

// A shape if the table stays small against the labels themselves and against the caches.
inline std::optional<TableShape> table_shape(KeyRange u, KeyRange v, std::size_t length) {
    constexpr std::size_t most = std::size_t{1} << 21, always_fine = std::size_t{1} << 14;
    const std::size_t limit = std::min({16 * length + 1024, std::max(length, always_fine), most});
    if (u.span() >= limit || v.span() >= limit) return std::nullopt;
    const TableShape shape{u.low, v.low, u.span() + 1, v.span() + 1};
    if (shape.cells() > limit) return std::nullopt;
    return shape;
}

// One worker's counts. Small tables are kept several times over: successive elements often fall
// into the same cell, and an increment has to wait for the store before it in the same table.
template <class Count>
class Histogram {
public:
    Histogram(const TableShape& shape, std::size_t elements)
        : shape_(shape), copies_(shape.cells() <= std::min(small_table, elements / most_copies) ? most_copies : 1),
          counts_(copies_ * shape.cells(), 0) {}

    // False, with nothing counted of this block, when a label lies outside of the shape.
    bool add_block(const Labels& u, const Labels& v, std::size_t begin, std::size_t count) {
        if (!load(u, begin, count, shape_.u_low, shape_.rows, u_offset_) ||
            !load(v, begin, count, shape_.v_low, shape_.columns, v_offset_))
            return false;
        const std::size_t cells = shape_.cells(), columns = shape_.columns;
        Count* table = counts_.data();
        std::size_t i = 0;
        if (copies_ == most_copies) {
            for (; i + most_copies <= count; i += most_copies)
                for (std::size_t copy = 0; copy < most_copies; ++copy)
                    ++table[copy * cells + u_offset_[i + copy] * columns + v_offset_[i + copy]];
        }
        for (; i < count; ++i) ++table[u_offset_[i] * columns + v_offset_[i]];
        return true;
    }

    // The table and its copies.
    void append_layers(std::vector<Count*>& layers) {
        for (std::size_t copy = 0; copy < copies_; ++copy) layers.push_back(counts_.data() + copy * shape_.cells());
    }

private:
    using Offsets = std::array<std::uint32_t, block_length>;
    static constexpr std::size_t small_table = 1 << 14, most_copies = 4;

    static bool load(const Labels& labels, std::size_t begin, std::size_t count, std::uint64_t low, std::size_t extent,
                     Offsets& offsets) {
        if (load_offsets(labels, begin, count, low, offsets.data()) >> 31 != 0) return false;
        std::int32_t largest = 0;  // signed: that maximum has a vector instruction everywhere
        for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, static_cast<std::int32_t>(offsets[i]));
        return static_cast<std::size_t>(largest) < extent;
    }

    TableShape shape_;
    std::size_t copies_;
    std::vector<Count> counts_;
    Offsets u_offset_, v_offset_;
};

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

inline void sort_keys(std::vector<std::uint64_t>& keys, unsigned bits) {
    constexpr std::size_t worth_counting = 512;
    constexpr unsigned digit_bits = 8;
    if (keys.size() < worth_counting) return std::sort(keys.begin(), keys.end());
    std::vector<std::uint64_t> other(keys.size());
    for (unsigned shift = 0; shift < bits; shift += digit_bits) {
        std::array<std::size_t, (1 << digit_bits) + 1> start{};
        const auto digit = [shift](std::uint64_t key) { return (key >> shift) & ((1 << digit_bits) - 1); };
        for (const std::uint64_t key : keys) ++start[digit(key) + 1];
        for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
        for (const std::uint64_t key : keys) other[start[digit(key)]++] = key;
        keys.swap(other);
    }
}

// The triples of a finished table. A cell becomes one integer (rank of a, rank of b, n): a table
// has few cells, so all three fit, and integers sort fast.
template <class Count>
class DenseTable {
public:
    DenseTable(const TableShape& shape, std::vector<std::optional<Histogram<Count>>> histograms, unsigned threads,
               Control& control)
        : shape_(shape), histograms_(std::move(histograms)), a_(shape.rows, 0), b_(shape.columns, 0) {
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

    PairSums pair_sums() const {
        PairSums sums{squares_, 0, 0};
        for (const std::uint64_t a : a_) sums.aa += square(a);
        for (const std::uint64_t b : b_) sums.bb += square(b);
        return sums;
    }

    // Rows are taken in the order of their sizes, some at a time: what one task makes lies wholly
    // before what the next one makes.
    std::vector<Triple> triples(unsigned threads, Control& control) const {
        const RankedSizes a(a_), b(b_);
        const std::vector<std::uint32_t> rows = rows_by_rank(a);
        const std::vector<std::size_t> start = task_starts(a, rows);
        std::vector<std::vector<Triple>> parts(start.size() - 1);
        parallel_for(control, threads, parts.size(), [&](unsigned, std::size_t task) {
            parts[task] = triples_of(a, b, &rows[start[task]], start[task + 1] - start[task]);
        });
        std::vector<Triple> result = std::move(parts[0]);
        for (std::size_t task = 1; task < parts.size(); ++task)
            result.insert(result.end(), parts[task].begin(), parts[task].end());
        return result;
    }

private:
    // What one worker saw of the sums over the columns.
    struct Margin {
        std::vector<std::uint64_t> b;
        Count largest = 0;
        WideInteger squares = 0;
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
            // The squares of up to 2^32 elements in all sum up to less than 2^64.
            using Squares = std::conditional_t<sizeof(Count) == 4, std::uint64_t, WideInteger>;
            std::uint64_t sum = 0;
            Squares squares = 0;
            for (std::size_t column = 0; column < shape_.columns; ++column) {
                margin.b[column] += cells[column];
                sum += cells[column];
                squares += static_cast<Squares>(cells[column]) * cells[column];
                margin.largest = std::max(margin.largest, cells[column]);
            }
            a_[row] = sum;
            margin.squares += squares;
        }
    }

    Count* row_of(std::size_t row) const { return layers_[0] + row * shape_.columns; }

    static std::uint64_t low_bits(unsigned bits) { return (std::uint64_t{1} << bits) - 1; }

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

    std::vector<Triple> triples_of(const RankedSizes& a, const RankedSizes& b, const std::uint32_t* rows,
                                   std::size_t count) const {
        const std::uint32_t first_rank = a.rank[rows[0]], ranks = a.rank[rows[count - 1]] - first_rank;
        const auto n_bits = static_cast<unsigned>(std::bit_width(largest_));
        const unsigned a_shift = n_bits + static_cast<unsigned>(std::bit_width(b.distinct.size()));
        std::vector<std::uint64_t> keys;
        for (std::size_t i = 0; i < count; ++i)
            append_keys(keys, rows[i], static_cast<std::uint64_t>(a.rank[rows[i]] - first_rank) << a_shift, b, n_bits);
        sort_keys(keys, a_shift + static_cast<unsigned>(std::bit_width(ranks)));

        std::vector<Triple> result;
        for (std::size_t i = 0, next; i < keys.size(); i = next) {
            for (next = i + 1; next < keys.size() && keys[next] == keys[i];) ++next;
            const std::uint64_t key = keys[i];
            result.push_back({key & low_bits(n_bits), a.distinct[first_rank + (key >> a_shift)],
                              b.distinct[(key & low_bits(a_shift)) >> n_bits], next - i});
        }
        return result;
    }

    void append_keys(std::vector<std::uint64_t>& keys, std::size_t row, std::uint64_t high, const RankedSizes& b,
                     unsigned b_shift) const {
        const Count* cells = row_of(row);
        std::size_t kept = keys.size();
        keys.resize(kept + shape_.columns);
        std::uint64_t* out = keys.data();  // always written, kept if the cell is filled: no branch to mispredict
        for (std::size_t column = 0; column < shape_.columns; ++column) {
            out[kept] = high | static_cast<std::uint64_t>(b.rank[column]) << b_shift | cells[column];
            kept += cells[column] != 0;
        }
        keys.resize(kept);
    }

    TableShape shape_;
    std::vector<std::optional<Histogram<Count>>> histograms_;
    std::vector<Count*> layers_;  // their tables; the first holds the sums
    std::vector<std::uint64_t> a_, b_;
    Count largest_ = 0;
    WideInteger squares_ = 0;  // of all cells
};

// What `finish` makes of the counted table; nothing when a label lies outside of the shape.
template <class Count, class Finish>
auto counted(const Labels& u, const Labels& v, const TableShape& shape, unsigned threads, Control& control,
             Finish finish) -> std::optional<decltype(finish(std::declval<const DenseTable<Count>&>(), threads))> {
    constexpr std::size_t task_length = std::size_t{1} << 16;
    const std::size_t tasks = (u.length + task_length - 1) / task_length;
    const std::size_t worth = std::min(tasks / 2, 2 * u.length / shape.cells());
    threads = static_cast<unsigned>(std::clamp<std::size_t>(worth, 1, threads));

    std::vector<std::optional<Histogram<Count>>> histograms(threads);
    std::atomic<bool> outside{false};
    parallel_for(control, threads, tasks, [&](unsigned worker, std::size_t task) {
        auto& histogram = histograms[worker];
        if (!histogram) histogram.emplace(shape, u.length);
        const std::size_t end = std::min(u.length, (task + 1) * task_length);
        for (std::size_t begin = task * task_length; begin < end && !outside.load(std::memory_order_relaxed);
             begin += block_length)
            if (!histogram->add_block(u, v, begin, std::min(block_length, end - begin)))
                outside.store(true, std::memory_order_relaxed);
    });
    if (outside) return std::nullopt;

    return finish(DenseTable<Count>(shape, std::move(histograms), threads, control), threads);
}

template <class Finish>
auto counted_directly(const Labels& u, const Labels& v, const TableShape& shape, unsigned threads, Control& control,
                      Finish finish) {
    if (u.length <= std::numeric_limits<std::uint32_t>::max())
        return counted<std::uint32_t>(u, v, shape, threads, control, finish);
    return counted<std::uint64_t>(u, v, shape, threads, control, finish);
}

}  // namespace concordant::detail
