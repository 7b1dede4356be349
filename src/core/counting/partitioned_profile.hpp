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

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/chunks.hpp"
#include "base/function_ref.hpp"
#include "base/parallel.hpp"
#include "counting/cell_maker.hpp"
#include "counting/differing_marks.hpp"
#include "counting/scrambled_labels.hpp"
#include "counting/triples.hpp"
#include "labels/labels.hpp"

namespace concordant {

// The Word is uint32 if all ranges and counts fit, else uint64. The steps do not depend on what becomes of the cells, so
// they are compiled once for each Word.
template <class Word>
class PartitionedProfile {
public:
    using Item = Cell<Word>;

    PartitionedProfile(const Labels& u, const Labels& v, KeyRange u_range, KeyRange v_range, unsigned threads,
                       Control& control);

    // The combined result of one sink per worker, which gets all its cells; each starts as a copy of `sink`.
    template <class Sink>
    Sink count(const Sink& sink) {
        std::vector<Sink> sinks(workers_.size(), sink);
        count_cells([&](unsigned worker, const Item* cells, const Word* sizes, std::size_t count) {
            add_cells(sinks[worker], cells, sizes, count);
        });
        for (std::size_t worker = 1; worker < sinks.size(); ++worker) sinks[0].add(sinks[worker]);
        return std::move(sinks[0]);
    }

    const ScrambledLabels<Word>& v_side() const { return v_; }

private:
    struct Pair {
        Word u, v;
    };

    struct Worker {
        ChunkPool pool;
        CellMaker<Word> make_cells;
        ColumnSums<Word> columns;
        std::vector<Word> sums;    // per row of a partition, then where its values end
        std::vector<Word> sorted;  // the values of a partition, group by group
    };

    // Calls use(worker, cells, sizes of their columns, count) for all cells.
    void count_cells(FunctionRef<void(unsigned, const Item*, const Word*, std::size_t)> use);

    void partition_pairs();
    void push_block(Scatter<Pair>& pairs, const Word* u, const Word* v, std::size_t count) const;
    template <class Ids>
    void make_cells();
    template <class Ids>
    static void group_by_u(const Gathered<Pair>& pairs, Ids& ids, Worker& worker);
    template <class Ids>
    void sum_columns(FunctionRef<void(unsigned, const Item*, const Word*, std::size_t)> use);

    std::size_t length_;
    unsigned threads_;
    Control& control_;
    ScrambledLabels<Word> u_, v_;
    std::vector<Worker> workers_;
    std::vector<Scatter<Pair>> pairs_;
    std::vector<Scatter<Item>> cells_;
};

extern template class PartitionedProfile<std::uint32_t>;
extern template class PartitionedProfile<std::uint64_t>;

// Calls use(PartitionedProfile) with words that are wide enough.
template <class Use>
auto with_partitions(const Labels& u, const Labels& v, KeyRange u_range, KeyRange v_range, unsigned threads,
                     Control& control, Use use) {
    constexpr std::uint64_t narrow = std::numeric_limits<std::uint32_t>::max();
    if (u_range.span() <= narrow && v_range.span() <= narrow && u.length < narrow)
        return use(PartitionedProfile<std::uint32_t>(u, v, u_range, v_range, threads, control));
    return use(PartitionedProfile<std::uint64_t>(u, v, u_range, v_range, threads, control));
}

// `marks`, if any, gets the clusters of `v` that differ.
std::vector<Triple> partitioned_profile(const Labels& u, const Labels& v, KeyRange u_range, KeyRange v_range,
                                        unsigned threads, Control& control, DifferingMarks* marks);

}  // namespace concordant
