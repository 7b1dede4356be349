// The profile of labels from large ranges.
//
// 1. Pairs (u, v) are partitioned by u, so that everything known about one partition fits in cache.
// 2. Within a partition, pairs are grouped by u: the group's size is a, the distinct v in it with
//    their numbers n are cells, which are partitioned by v.
// 3. Within a partition, the n of each v are summed to b, and the triples (n, a, b) counted.
//
// Labels are scrambled first by a bijection of their range, which spreads any pattern evenly over
// the partitions and still leaves the labels of one partition dense where they were dense.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/chunks.hpp"
#include "base/parallel.hpp"
#include "counting/cell_maker.hpp"
#include "counting/column_sums.hpp"
#include "counting/heavy_labels.hpp"
#include "counting/scrambled_labels.hpp"
#include "counting/triples.hpp"
#include "labels/dropped_labels.hpp"
#include "labels/labels.hpp"

namespace concordant {

// Word is uint32 where all ranges and counts fit, else uint64.
template <class Word>
class PartitionedProfile {
public:
    PartitionedProfile(const Labels& u, const Labels& v, KeyRange u_range, KeyRange v_range, unsigned threads,
                       Control& control)
        : length_(u.length), threads_(threads), control_(control), u_(u, u_range, partition_bits(u.length), u.length),
          v_(v, v_range, partition_bits(u.length), u.length), heavy_u_(u_, u.length), heavy_v_(v_, u.length), workers_(threads),
          heavy_(threads, HeavyCounts<Word>(heavy_u_.size(), heavy_v_.size())) {}

    std::vector<Triple> triples() {
        for (auto& worker : workers_) {
            pairs_.emplace_back(u_.partitions() + (heavy_u_.size() > 0 ? v_.partitions() : 0), worker.pool);
            cells_.emplace_back(v_.partitions(), worker.pool);
        }
        partition_pairs();
        merge_heavy_counts();
        if (heavy_u_.size() > 0) make_heavy_cells();
        u_.dense() ? make_cells<DenseIds<Word>>() : make_cells<HashedIds<Word>>();
        v_.dense() ? count_triples<DenseIds<Word>>() : count_triples<HashedIds<Word>>();

        TripleCounter& all = workers_[0].triples;
        for (std::size_t worker = 1; worker < workers_.size(); ++worker) all.add(workers_[worker].triples);
        return all.take_sorted();
    }

private:
    struct Pair {
        Word u, v;
    };

    struct Worker {
        ChunkPool pool;
        TripleCounter triples;
        CellMaker<Word> make_cells;
        ColumnSums<Word> columns;
        std::vector<Word> sums;    // per row of a partition, then where its values end
        std::vector<Word> sorted;  // the values of a partition, group by group
    };

    // Partitions of some 32,000 elements stay in the second-level cache with their tables.
    static unsigned partition_bits(std::size_t length) {
        constexpr std::size_t elements = std::size_t{1} << 15;
        constexpr unsigned most = 11;  // beyond, the open chunks themselves no longer fit
        return std::min(most, static_cast<unsigned>(std::bit_width(length / elements)));
    }

    void partition_pairs() {
        constexpr std::size_t task_length = std::size_t{1} << 16;
        const std::size_t tasks = (length_ + task_length - 1) / task_length;
        const DroppedLabels<Word> dropped{u_.dropped(), v_.dropped()};
        parallel_for(control_, threads_, tasks, [&](unsigned worker, std::size_t task) {
            std::array<Word, block_length> u_block, v_block;
            const std::size_t end = std::min(length_, (task + 1) * task_length);
            for (std::size_t begin = task * task_length; begin < end; begin += block_length) {
                std::size_t count = std::min(block_length, end - begin);
                u_.load(begin, count, u_block.data());
                v_.load(begin, count, v_block.data());
                if (dropped.any()) count = dropped.take_out(u_block.data(), v_block.data(), count);
                if (heavy_u_.size() + heavy_v_.size() == 0)
                    push_block(pairs_[worker], u_block.data(), v_block.data(), count);
                else
                    push_block(pairs_[worker], heavy_[worker], u_block.data(), v_block.data(), count);
            }
        });
    }

    void push_block(Scatter<Pair>& pairs, const Word* u, const Word* v, std::size_t count) const {
        for (std::size_t i = 0; i < count; ++i) pairs.push(u_.partition_of(u[i]), {u[i], v[i]});
    }

    // Pairs of two heavy labels are cells already; those of a heavy u alone go, with its number in
    // place of the label, to partitions by v behind those by u.
    void push_block(Scatter<Pair>& pairs, HeavyCounts<Word>& heavy, const Word* u, const Word* v,
                    std::size_t count) const {
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t u_heavy = heavy_u_.find(u[i]), v_heavy = heavy_v_.find(v[i]);
            if (v_heavy != not_heavy) ++heavy.v[v_heavy];
            if (u_heavy == not_heavy) {
                pairs.push(u_.partition_of(u[i]), {u[i], v[i]});
                continue;
            }
            ++heavy.u[u_heavy];
            if (v_heavy != not_heavy)
                ++heavy.both[u_heavy * heavy_v_.size() + v_heavy];
            else
                pairs.push(u_.partitions() + v_.partition_of(v[i]), {static_cast<Word>(u_heavy), v[i]});
        }
    }

    void merge_heavy_counts() {
        HeavyCounts<Word>& all = heavy_[0];
        for (std::size_t worker = 1; worker < heavy_.size(); ++worker) all.add(heavy_[worker]);
        for (std::size_t u = 0; u < all.u.size(); ++u)
            for (std::size_t v = 0; v < all.v.size(); ++v)
                if (const Word n = all.both[u * all.v.size() + v]; n != 0)
                    workers_[0].triples.add(n, all.u[u], all.v[v]);
    }

    void make_heavy_cells() {
        parallel_for(control_, threads_, v_.partitions(), [&](unsigned index, std::size_t partition) {
            Worker& worker = workers_[index];
            Gathered<Pair> pairs(pairs_, u_.partitions() + partition);
            HeavyIds<Word> ids(heavy_u_.size());
            group_by_u(pairs, ids, worker);
            pairs.give_back(worker.pool);
            Word begin = 0;
            for (std::size_t u = 0; u < worker.sums.size(); ++u) {
                const Word* values = worker.sorted.data();
                worker.make_cells.of_group(values + begin, values + worker.sums[u], heavy_[0].u[u],
                                           [&](const Cell<Word>& cell) { keep_cell(index, cell); });
                begin = worker.sums[u];
            }
        });
    }

    // The size of a heavy v is known, so its cells need not be gathered.
    void keep_cell(unsigned worker, const Cell<Word>& cell) {
        if (heavy_v_.size() > 0)
            if (const std::size_t heavy = heavy_v_.find(cell.v); heavy != not_heavy)
                return workers_[worker].triples.add(cell.n, cell.a, heavy_[0].v[heavy]);
        cells_[worker].push(v_.partition_of(cell.v), cell);
    }

    template <class Ids>
    void make_cells() {
        std::vector<Ids> ids(threads_, Ids(u_));
        parallel_for(control_, threads_, u_.partitions(), [&](unsigned index, std::size_t partition) {
            Worker& worker = workers_[index];
            Gathered<Pair> pairs(pairs_, partition);
            group_by_u(pairs, ids[index], worker);
            pairs.give_back(worker.pool);
            worker.make_cells(worker.sums, worker.sorted.data(),
                              [&](const Cell<Word>& cell) { keep_cell(index, cell); });
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
        pairs.for_each([&](const Pair& pair) { worker.sorted[sums[ids(pair.u)]++] = pair.v; });
    }

    template <class Ids>
    void count_triples() {
        std::vector<Ids> ids(threads_, Ids(v_));
        parallel_for(control_, threads_, v_.partitions(), [&](unsigned index, std::size_t partition) {
            Worker& worker = workers_[index];
            worker.columns.count(Gathered<Cell<Word>>(cells_, partition), ids[index], worker.triples);
        });
    }

    std::size_t length_;
    unsigned threads_;
    Control& control_;
    ScrambledLabels<Word> u_, v_;
    HeavyLabels<Word> heavy_u_, heavy_v_;
    std::vector<Worker> workers_;
    std::vector<Scatter<Pair>> pairs_;
    std::vector<Scatter<Cell<Word>>> cells_;
    std::vector<HeavyCounts<Word>> heavy_;  // per worker; the first holds the sums after partitioning
};

inline std::vector<Triple> partitioned_profile(const Labels& u, const Labels& v, KeyRange u_range, KeyRange v_range,
                                               unsigned threads, Control& control) {
    constexpr std::size_t elements_per_thread = std::size_t{1} << 15;
    threads = static_cast<unsigned>(std::clamp<std::size_t>(u.length / elements_per_thread, 1, threads));
    constexpr std::uint64_t narrow = std::numeric_limits<std::uint32_t>::max();
    if (u_range.span() <= narrow && v_range.span() <= narrow && u.length < narrow)
        return PartitionedProfile<std::uint32_t>(u, v, u_range, v_range, threads, control).triples();
    return PartitionedProfile<std::uint64_t>(u, v, u_range, v_range, threads, control).triples();
}

}  // namespace concordant
