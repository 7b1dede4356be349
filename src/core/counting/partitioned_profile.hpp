// The profile of labels from large ranges.
//
// 1. Pairs (u, v) are partitioned by u, so all data of one partition fits in cache.
// 2. Within a partition, pairs are grouped by u: the group's size is a, the distinct v in it with
//    their numbers n are cells, which are partitioned by v.
// 3. Within a partition, the n of each v are summed to b, and the triples (n, a, b) counted.
//
// A bijection of their range scrambles the labels first. It spreads any pattern evenly over the partitions, and
// dense labels stay dense within a partition.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/chunks.hpp"
#include "base/parallel.hpp"
#include "counting/cell_maker.hpp"
#include "counting/differing_marks.hpp"
#include "counting/scrambled_labels.hpp"
#include "counting/triples.hpp"
#include "labels/labels.hpp"

namespace concordant {

// Sink receives all cells, with their columns or with rows and columns if it takes these. Word is uint32 if all ranges
// and counts fit, else uint64.
template <class Word, class Sink>
class PartitionedProfile {
public:
    PartitionedProfile(const Labels& u, const Labels& v, KeyRange u_range, KeyRange v_range, unsigned threads,
                       Control& control)
        : length_(u.length), threads_(threads), control_(control), u_(u, u_range, partition_bits(u.length), u.length),
          v_(v, v_range, partition_bits(u.length), u.length), workers_(threads) {}

    // The combined result of the workers' sinks; each starts as a copy of `sink`.
    Sink count(const Sink& sink) {
        for (auto& worker : workers_) {
            worker.sink = sink;
            pairs_.emplace_back(u_.partitions(), worker.pool);
            cells_.emplace_back(v_.partitions(), worker.pool);
        }
        partition_pairs();
        u_.dense() ? make_cells<DenseIds<Word>>() : make_cells<HashedIds<Word>>();
        v_.dense() ? count_triples<DenseIds<Word>>() : count_triples<HashedIds<Word>>();

        Sink& all = workers_[0].sink;
        for (std::size_t worker = 1; worker < workers_.size(); ++worker) all.add(workers_[worker].sink);
        return std::move(all);
    }

    const ScrambledLabels<Word>& u_side() const { return u_; }
    const ScrambledLabels<Word>& v_side() const { return v_; }

private:
    struct Pair {
        Word u, v;
    };

    static constexpr bool has_columns = requires(Sink sink, Cell<Word> cell) { sink.add(cell, Word{}); };
    static constexpr bool has_rows = !has_columns && requires(Sink sink, NamedCell<Word> cell) { sink.add(cell, Word{}); };
    using Item = std::conditional_t<has_rows, NamedCell<Word>, Cell<Word>>;

    struct Worker {
        ChunkPool pool;
        Sink sink;
        CellMaker<Word> make_cells;
        ColumnSums<Word> columns;
        std::vector<Word> sums;    // per row of a partition, then where its values end
        std::vector<Word> sorted;  // the values of a partition, group by group
        std::vector<Word> rows;    // the label of the group at the place of its first value
    };

    // Partitions of some 32,000 elements stay in the second-level cache with their tables.
    static unsigned partition_bits(std::size_t length) {
        constexpr std::size_t elements = std::size_t{1} << 15;
        constexpr unsigned most = 11;  // with more, the open chunks themselves no longer fit
        return std::min(most, static_cast<unsigned>(std::bit_width(length / elements)));
    }

    void partition_pairs() {
        const DroppedLabels<Word> dropped{u_.dropped(), v_.dropped()};
        parallel_blocks(control_, threads_, length_, [&](unsigned worker, std::size_t begin, std::size_t count) {
            std::array<Word, block_length> u_block, v_block;
            u_.load(begin, count, u_block.data());
            v_.load(begin, count, v_block.data());
            if (dropped.any()) count = dropped.take_out(u_block.data(), v_block.data(), count);
            push_block(pairs_[worker], u_block.data(), v_block.data(), count);
        });
    }

    void push_block(Scatter<Pair>& pairs, const Word* u, const Word* v, std::size_t count) const {
        for (std::size_t i = 0; i < count; ++i) pairs.push(u_.partition_of(u[i]), {u[i], v[i]});
    }

    template <class Ids>
    void make_cells() {
        std::vector<Ids> ids(threads_, Ids(u_));
        parallel_for(control_, threads_, u_.partitions(), [&](unsigned index, std::size_t partition) {
            Worker& worker = workers_[index];
            Gathered<Pair> pairs(pairs_, partition);
            group_by_u(pairs, ids[index], worker);
            pairs.give_back(worker.pool);
            worker.make_cells(worker.sums, worker.sorted.data(), [&](const Cell<Word>& cell, const Word* first) {
                if constexpr (has_rows)
                    cells_[index].push(v_.partition_of(cell.v), {cell, worker.rows[static_cast<std::size_t>(first - worker.sorted.data())]});
                else
                    cells_[index].push(v_.partition_of(cell.v), cell);
            });
        });
    }

    // Sorts the v of a partition by u; `sums` then holds the end of each group.
    template <class Ids>
    static void group_by_u(const Gathered<Pair>& pairs, Ids& ids, Worker& worker) {
        ids.start(pairs.length());
        std::vector<Word>& sums = worker.sums;
        sums.assign(ids.capacity(), 0);
        pairs.for_each([&](const Pair& pair) { ++sums[ids(pair.u)]; });
        Word total = 0;
        for (Word& sum : sums) total += std::exchange(sum, total);
        worker.sorted.resize(std::max(worker.sorted.size(), pairs.length()));
        if constexpr (has_rows) worker.rows.resize(worker.sorted.size());
        pairs.for_each([&](const Pair& pair) {
            const auto place = static_cast<std::size_t>(sums[ids(pair.u)]++);
            worker.sorted[place] = pair.v;
            if constexpr (has_rows) worker.rows[place] = pair.u;
        });
    }

    template <class Ids>
    void count_triples() {
        std::vector<Ids> ids(threads_, Ids(v_));
        parallel_for(control_, threads_, v_.partitions(), [&](unsigned index, std::size_t partition) {
            Worker& worker = workers_[index];
            worker.columns.count(Gathered<Item>(cells_, partition), ids[index], worker.sink);
        });
    }

    std::size_t length_;
    unsigned threads_;
    Control& control_;
    ScrambledLabels<Word> u_, v_;
    std::vector<Worker> workers_;
    std::vector<Scatter<Pair>> pairs_;
    std::vector<Scatter<Item>> cells_;
};

// Calls use(PartitionedProfile) with words that are wide enough.
template <template <class> class Sink, class Use>
auto with_partitions(const Labels& u, const Labels& v, KeyRange u_range, KeyRange v_range, unsigned threads,
                     Control& control, Use use) {
    constexpr std::size_t elements_per_thread = std::size_t{1} << 15;
    threads = static_cast<unsigned>(std::clamp<std::size_t>(u.length / elements_per_thread, 1, threads));
    constexpr std::uint64_t narrow = std::numeric_limits<std::uint32_t>::max();
    if (u_range.span() <= narrow && v_range.span() <= narrow && u.length < narrow)
        return use(PartitionedProfile<std::uint32_t, Sink<std::uint32_t>>(u, v, u_range, v_range, threads, control));
    return use(PartitionedProfile<std::uint64_t, Sink<std::uint64_t>>(u, v, u_range, v_range, threads, control));
}

template <class Word>
using TriplesOf = TripleCounter;

// `marks`, if any, gets the clusters of `v` that differ.
inline std::vector<Triple> partitioned_profile(const Labels& u, const Labels& v, KeyRange u_range, KeyRange v_range,
                                               unsigned threads, Control& control, DifferingMarks* marks) {
    if (marks != nullptr) {
        const auto count = [&]<class Word>(PartitionedProfile<Word, MarkedTriples<Word>>&& partitions) {
            *marks = DifferingMarks(v_range, v.length, sizeof(Word) == sizeof(std::uint32_t));
            return partitions.count(MarkedTriples<Word>(*marks)).take_sorted();
        };
        return with_partitions<MarkedTriples>(u, v, u_range, v_range, threads, control, count);
    }
    return with_partitions<TriplesOf>(u, v, u_range, v_range, threads, control,
                                      [](auto&& partitions) { return partitions.count({}).take_sorted(); });
}

}  // namespace concordant
