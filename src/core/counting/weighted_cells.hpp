// The cells of two labellings whose elements have weights: the weight of each overlap, row by row.
//
// Clusters have numbers: a label by its distance from the smallest if labels are dense, else by its first appearance.
// Few clusters are counted in a table of all pairs. Otherwise elements are partitioned by row, as in contingency.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/chunks.hpp"
#include "base/integers128.hpp"
#include "base/parallel.hpp"
#include "base/processor.hpp"
#include "counting/decimal_weights.hpp"
#include "labels/codes.hpp"
#include "labels/label_ranges.hpp"
#include "labels/labels.hpp"
#include "labels/narrow_copy.hpp"

namespace concordant {

// The numbers of the clusters of one side.
class ClusterNumbers {
public:
    ClusterNumbers(const Labels& labels, unsigned threads, Control& control) : labels_(labels) {
        const KeyRange range = full_range(labels, threads, control);
        constexpr std::size_t numbers_per_label = 2, always_fine = 1024;
        low_ = range.low;
        if (!range.empty() && range.span() < numbers_per_label * labels.length + always_fine)
            size_ = static_cast<std::size_t>(range.span()) + 1;
        else {
            codes_ = factorize<std::uint32_t>(labels, control);
            size_ = codes_->first.size();
        }
    }

    std::size_t size() const { return size_; }  // all numbers are smaller; a number may have no cluster

    void load(std::size_t begin, std::size_t count, std::uint32_t* number) const {
        if (codes_)
            std::copy_n(codes_->code.begin() + begin, count, number);
        else if (!load_inside(labels_, begin, count, low_, size_, number))
            throw std::invalid_argument("labels changed while they were counted");
    }

    // Once the labels are gone.
    void keep_range_only() {
        labels_ = {};
        if (codes_) codes_->code = {};
    }

    // The numbers of clusters given in the order in which they first appear, each by its label.
    std::vector<std::uint32_t> of_clusters(const Labels& labels) const {
        std::vector<std::uint32_t> number(labels.length);
        std::iota(number.begin(), number.end(), 0U);
        if (codes_ ? number.size() != size_ : !load_inside(labels, 0, labels.length, low_, size_, number.data()))
            throw std::invalid_argument("these are not the clusters that were counted");
        return number;
    }

private:
    Labels labels_;
    std::uint64_t low_ = 0;
    std::size_t size_ = 0;
    std::optional<CodesOf<std::uint32_t>> codes_;
};

// Sum is uint64 or Uint128, and holds the total of the weights. Cells are in the order of their rows and columns.
template <class Sum>
struct WeightedCells {
    std::vector<std::size_t> start;  // of each row among the cells, and their number
    Buffer<std::uint32_t> column;
    Buffer<Sum> weight;
    std::vector<Sum> row_weight, column_weight;  // 0 for numbers without a cluster

    std::size_t rows() const { return row_weight.size(); }
    std::size_t columns() const { return column_weight.size(); }

    // The weight of a cell; 0 if it is empty.
    Sum at(std::uint32_t row_number, std::uint32_t column_number) const {
        const std::uint32_t *begin = column.begin() + start[row_number], *end = column.begin() + start[row_number + 1];
        const std::uint32_t* found = std::lower_bound(begin, end, column_number);
        return found == end || *found != column_number ? Sum{0} : weight[static_cast<std::size_t>(found - column.begin())];
    }

    void divide_by(std::uint64_t divisor) {
        if (divisor <= 1) return;
        const Divisor by(divisor);
        const auto divide = [&by, divisor](Sum& sum) {
            if constexpr (sizeof(Sum) == sizeof(std::uint64_t)) {
                sum /= divisor;
            } else {
                const Wide<2> quotient = by.quotient(Wide<2>(sum));
                sum = of_words(quotient.word[1], quotient.word[0]);
            }
        };
        std::for_each(weight.begin(), weight.end(), divide);
        std::for_each(row_weight.begin(), row_weight.end(), divide);
        std::for_each(column_weight.begin(), column_weight.end(), divide);
    }
};

// The weights of elements in units.
template <class Sum>
class UnitWeights {
public:
    explicit UnitWeights(const DecimalWeights& weights) : weights_(&weights) {
        if constexpr (sizeof(Sum) > sizeof(std::uint64_t)) powers_ = powers_of_ten();
    }

    // Of a block at most.
    void load(std::size_t begin, std::size_t count, Sum* weight) const {
        if constexpr (sizeof(Sum) == sizeof(std::uint64_t)) {
            weights_->digits.load(begin, count, weight);
        } else {
            std::array<std::uint64_t, block_length> digits;
            weights_->digits.load(begin, count, digits.data());
            if (weights_->shift.size == 0) {
                std::copy_n(digits.begin(), count, weight);
                return;
            }
            for (std::size_t i = 0; i < count; ++i) {
                const std::uint8_t shift = weights_->shift[begin + i];
                constexpr std::uint8_t narrow = 20;  // 10^19 fits in a word
                weight[i] = shift < narrow ? product(digits[i], low_word(powers_[shift])) : Uint128{digits[i]} * powers_[shift];
            }
        }
    }

private:
    const DecimalWeights* weights_;
    std::array<Uint128, DecimalWeights::shifts> powers_{};
};

template <class Sum>
class WeightedCounter {
public:
    WeightedCounter(const ClusterNumbers& rows, const ClusterNumbers& columns, const DecimalWeights& weights,
                    unsigned threads, Control& control)
        : rows_(rows), columns_(columns), weights_(weights), length_(weights.size()), threads_(std::max(1U, threads)),
          control_(control) {}

    WeightedCells<Sum> count() {
        constexpr std::size_t most_pairs = std::size_t{1} << 17;
        cells_.row_weight.assign(rows_.size(), 0);
        cells_.column_weight.assign(columns_.size(), 0);
        cells_.start.assign(rows_.size() + 1, 0);
        const std::size_t pairs = rows_.size() * columns_.size();  // of 32 bits each
        pairs <= std::min(most_pairs, 16 * length_ + 1024) ? by_table() : by_partitions();
        for (std::size_t row = 0; row < rows_.size(); ++row) cells_.start[row + 1] += cells_.start[row];
        return std::move(cells_);
    }

private:
    struct Element {
        std::uint32_t row, column;
        Sum weight;
    };

    struct Entry {
        std::uint32_t column;
        Sum weight;
    };

    struct Worker {
        ChunkPool pool;
        std::vector<std::size_t> end;        // of each row of a partition among its entries
        std::vector<Entry> entries;          // of a partition, row by row
        std::vector<Sum> weight_of;          // each column in a long row
        std::vector<std::uint32_t> touched;  // the columns of a long row
    };

    using Part = std::vector<Entry>;  // the cells of a partition

    void by_table() {
        const std::size_t columns = columns_.size(), pairs = rows_.size() * columns;
        constexpr std::size_t elements_per_thread = std::size_t{1} << 17;
        const unsigned team = static_cast<unsigned>(std::clamp<std::size_t>(length_ / elements_per_thread, 1, threads_));
        std::vector<std::vector<Sum>> tables(team);
        parallel_blocks(control_, team, length_, [&](unsigned worker, std::size_t begin, std::size_t count) {
            std::vector<Sum>& table = tables[worker];
            table.resize(pairs);
            std::array<std::uint32_t, block_length> row, place;
            rows_.load(begin, count, row.data());
            columns_.load(begin, count, place.data());
            for (std::size_t i = 0; i < count; ++i) place[i] += row[i] * static_cast<std::uint32_t>(columns);
            std::array<Sum, block_length> weight;
            unit_weights_.load(begin, count, weight.data());
            for (std::size_t i = 0; i < count; ++i) table[place[i]] += weight[i];
        });
        std::vector<Sum> all(pairs);
        for (const std::vector<Sum>& table : tables)
            for (std::size_t i = 0; i < table.size(); ++i) all[i] += table[i];
        const auto filled = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](Sum sum) { return sum != Sum{0}; }));
        cells_.column = Buffer<std::uint32_t>(filled);
        cells_.weight = Buffer<Sum>(filled);
        std::size_t next = 0;
        for (std::size_t pair = 0; pair < pairs; ++pair) {
            const Sum sum = all[pair];
            if (sum == Sum{0}) continue;
            const std::size_t row = pair / columns, column = pair % columns;
            cells_.column[next] = static_cast<std::uint32_t>(column);
            cells_.weight[next++] = sum;
            ++cells_.start[row + 1];
            cells_.row_weight[row] += sum;
            cells_.column_weight[column] += sum;
        }
    }

    void by_partitions() {
        constexpr std::size_t elements_per_thread = std::size_t{1} << 15;
        threads_ = static_cast<unsigned>(std::clamp<std::size_t>(length_ / elements_per_thread, 1, threads_));
        const unsigned bits = bits_of_partitions(length_);
        const auto width = static_cast<unsigned>(std::bit_width(rows_.size()));
        const unsigned shift = width > bits ? width - bits : 0;
        const std::size_t partitions = ((rows_.size() - 1) >> shift) + 1;
        std::vector<Worker> workers(threads_);
        std::vector<Scatter<Element>> elements;
        for (Worker& worker : workers) elements.emplace_back(partitions, worker.pool);
        parallel_blocks(control_, threads_, length_, [&](unsigned worker, std::size_t begin, std::size_t count) {
            std::array<std::uint32_t, block_length> row, column;
            rows_.load(begin, count, row.data());
            columns_.load(begin, count, column.data());
            std::array<Sum, block_length> weight;
            unit_weights_.load(begin, count, weight.data());
            for (std::size_t i = 0; i < count; ++i) elements[worker].push(row[i] >> shift, {row[i], column[i], weight[i]});
        });
        std::vector<Part> parts(partitions);
        parallel_for(control_, threads_, partitions, [&](unsigned index, std::size_t p) {
            Gathered<Element> own(elements, p);
            sort_by_row(workers[index], own, p << shift, std::min(std::size_t{1} << shift, rows_.size() - (p << shift)));
            own.give_back(workers[index].pool);
            make_cells(workers[index], p << shift, parts[p]);
        });
        join(parts);
    }

    void sort_by_row(Worker& worker, const Gathered<Element>& elements, std::size_t first, std::size_t rows) const {
        worker.end.assign(rows, 0);
        worker.entries.resize(elements.length());
        elements.for_each([&](const Element& element) { ++worker.end[element.row - first]; });
        std::size_t total = 0;
        for (std::size_t& end : worker.end) total += std::exchange(end, total);
        elements.for_each([&](const Element& element) {
            worker.entries[worker.end[element.row - first]++] = {element.column, element.weight};
        });
    }

    void make_cells(Worker& worker, std::size_t first, Part& out) {
        out.reserve(worker.entries.size());
        Entry* begin = worker.entries.data();
        for (std::size_t row = 0; row < worker.end.size(); ++row) {
            Entry* end = worker.entries.data() + worker.end[row];
            const std::size_t before = out.size();
            constexpr std::ptrdiff_t worth_a_table = 64;
            end - begin < worth_a_table ? add_short_row(begin, end, out) : add_long_row(worker, begin, end, out);
            Sum weight = 0;
            for (std::size_t i = before; i < out.size(); ++i) weight += out[i].weight;
            cells_.start[first + row + 1] = out.size() - before;
            cells_.row_weight[first + row] = weight;
            begin = end;
        }
    }

    static void add_short_row(Entry* begin, Entry* end, Part& out) {
        std::sort(begin, end, [](const Entry& x, const Entry& y) { return x.column < y.column; });
        while (begin != end) {
            Entry cell = *begin++;
            for (; begin != end && begin->column == cell.column; ++begin) cell.weight += begin->weight;
            out.push_back(cell);
        }
    }

    void add_long_row(Worker& worker, const Entry* begin, const Entry* end, Part& out) const {
        worker.weight_of.resize(columns_.size());
        worker.touched.clear();
        for (; begin != end; ++begin) {
            Sum& sum = worker.weight_of[begin->column];
            if (sum == Sum{0}) worker.touched.push_back(begin->column);
            sum += begin->weight;
        }
        std::sort(worker.touched.begin(), worker.touched.end());
        for (const std::uint32_t column : worker.touched) out.push_back({column, std::exchange(worker.weight_of[column], Sum{0})});
    }

    void join(std::vector<Part>& parts) {
        std::size_t size = 0;
        for (const Part& part : parts) size += part.size();
        cells_.column = Buffer<std::uint32_t>(size);
        cells_.weight = Buffer<Sum>(size);
        std::size_t next = 0;
        for (Part& part : parts) {
            control_.checkpoint();
            for (std::size_t i = 0; i < part.size(); ++i) {
                constexpr std::size_t ahead = 16;
                if (i + ahead < part.size()) prefetch(&cells_.column_weight[part[i + ahead].column]);
                cells_.column[next] = part[i].column;
                cells_.weight[next++] = part[i].weight;
                cells_.column_weight[part[i].column] += part[i].weight;
            }
            part = Part();
        }
    }

    const ClusterNumbers& rows_;
    const ClusterNumbers& columns_;
    const DecimalWeights& weights_;
    const UnitWeights<Sum> unit_weights_{weights_};
    std::size_t length_;
    unsigned threads_;
    Control& control_;
    WeightedCells<Sum> cells_;
};

}  // namespace concordant
