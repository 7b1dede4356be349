// Label pairs of any number, counted by partitions: the sizes of overlaps and clusters, and their best partners.
//
// 1. Pairs (u, v) are partitioned by u and counted to cells (u, v, n), whose n add up to the a of each u.
// 2. Cells with their a are partitioned by v: the n of each v add up to b, and the triples (n, a, b) are counted.
// 3. Cells of a u in several pieces go once more to the partition of u, for its best share n/(a + b).
//
// A cluster may be too large for its partition. Its pairs are counted to cells beforehand, as far as a table in the
// cache goes, and the others in partitions by both labels.
// Singletons by convention are cells of one element, and go straight to where their label is counted.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "counting/triples.hpp"
#include "join/clusters.hpp"
#include "join/store.hpp"

namespace concordant {

// The sides on which the elements of a cell are singletons: none, one or the other, or both.
enum Alone : unsigned { nobody = 0, in_reference = 1, in_candidate = 2, in_both = 3 };

struct DifferingCell {
    std::uint64_t u, v;
    std::uint64_t n;
    Alone alone;
};

struct JoinedOverlaps {
    std::array<std::vector<Triple>, 4> triples;  // by the side of the singletons
    std::array<SplitClusters, 2> split;
    std::uint64_t differing = 0;
    // Cells that are not a whole cluster of both sides, where these are few: their u, v, n and the side of the singletons.
    std::array<Buffer<std::int64_t>, 4> cells;
};

// How many elements have both labels.
struct JoinedCell {
    std::uint64_t u = 0, v = 0;
    std::uint64_t n = 0;  // the highest bit: its element is a singleton in the candidate

    static constexpr std::uint64_t alone_bit = std::uint64_t{1} << 63;

    bool is_alone() const { return (n & alone_bit) != 0; }
    std::uint64_t size() const { return n & ~alone_bit; }
};

// Pairs counted to cells.
class CellTable {
public:
    // Empties the table, which keeps the size that the last cells needed.
    void start() {
        slots_.assign(std::bit_ceil(2 * used_ + 64), JoinedCell{});
        used_ = 0;
    }

    void count(std::uint64_t u, std::uint64_t v, std::uint64_t n) {
        JoinedCell& slot = slot_of(u, v);
        if (slot.n != 0) {
            slot.n += n;
            return;
        }
        slot = {u, v, n};
        if (++used_ * 2 > slots_.size()) grow();
    }

    std::size_t size() const { return used_; }
    std::uint64_t hash(std::uint64_t u, std::uint64_t v) const {
        return fold(u ^ seed_, (v ^ 0xd6e8feb86659fd93U) * 0x9e3779b97f4a7c15U + seed_);
    }

    template <class Use>
    void for_each(Use use) const {
        for (const JoinedCell& slot : slots_)
            if (slot.n != 0) use(slot);
    }

private:
    JoinedCell& slot_of(std::uint64_t u, std::uint64_t v) {
        std::size_t at = static_cast<std::size_t>(hash(u, v)) & (slots_.size() - 1);
        while (slots_[at].n != 0 && (slots_[at].u != u || slots_[at].v != v)) at = (at + 1) & (slots_.size() - 1);
        return slots_[at];
    }

    void grow() {
        std::vector<JoinedCell> before(slots_.size() * 4);
        before.swap(slots_);
        for (const JoinedCell& each : before)
            if (each.n != 0) slot_of(each.u, each.v) = each;
    }

    std::uint64_t seed_ = process_seed();
    std::vector<JoinedCell> slots_;
    std::size_t used_ = 0;
};

class OverlapCounter {
public:
    static constexpr std::size_t usual_few = std::size_t{1} << 17;

    // `always_few` cells for each worker are always held in memory.
    OverlapCounter(unsigned bits, std::vector<ChunkPool>& pools, MemoryBudget& budget, std::size_t always_few = usual_few)
        : bits_(bits), always_few_(always_few), partitions_(std::size_t{1} << bits), pairs_(partitions_, pools, budget),
          counted_(partitions_, pools, budget), spread_(partitions_, pools, budget), by_u_(partitions_, pools, budget),
          by_v_(partitions_, pools, budget), again_(partitions_, pools, budget),
          differ_(1, pools, budget), workers_(pools.size()) {}

    // `n` elements of a pair. Frequent pairs are counted immediately, as long as enough pairs are frequent.
    void add(unsigned index, std::uint64_t u, std::uint64_t v, std::uint64_t n) {
        Worker& worker = workers_[index];
        if (++worker.added % look_again == 0) worker.hits = worker.added = 0;
        if (worker.added > enough_to_tell && worker.hits * 8 < worker.added) {
            push(index, {u, v, n});
            return;
        }
        JoinedCell& recent = worker.recent[worker.table.hash(u, v) % recent_slots];
        if (recent.u == u && recent.v == v && recent.n != 0) {
            recent.n += n;
            ++worker.hits;
            return;
        }
        push(index, recent);
        recent = {u, v, n};
    }

    void add_alone_in_reference(unsigned worker, std::uint64_t v) {
        by_v_.push(worker, partition_of(v), {no_label, v, 0, 1});
    }
    void add_alone_in_candidate(unsigned worker, std::uint64_t u) {
        by_u_.push(worker, partition_of(u), {u, no_label, 1 | JoinedCell::alone_bit});
    }
    void add_alone_in_both(unsigned worker) { ++workers_[worker].alone_in_both; }

    // Returns the cells that differ if there are no more than `few`.
    JoinedOverlaps overlaps(std::size_t few, bool keeps, unsigned threads, Control& control) {
        few_ = few;
        keeps_ = keeps;
        for (unsigned worker = 0; worker < workers_.size(); ++worker)
            for (JoinedCell& recent : workers_[worker].recent) push(worker, std::exchange(recent, {}));
        const std::vector<std::size_t> large = large_partitions();
        const auto in_parallel = [&](auto stage) {
            parallel_for(control, threads, partitions_,
                         [&](unsigned worker, std::size_t partition) { stage(partition, worker); });
        };
        parallel_for(control, threads, large.size(),
                     [&](unsigned worker, std::size_t place) { count_beforehand(large[place], worker); });
        in_parallel([&](std::size_t partition, unsigned worker) { count_spread(partition, worker); });
        spread_.close();
        in_parallel([&](std::size_t partition, unsigned worker) {
            const std::uint64_t before = workers_[worker].differing;
            sum_rows(partition, worker);
            settle_differing(workers_[worker].differing - before);
        });
        pairs_.close();
        counted_.close();
        by_u_.close();
        in_parallel([&](std::size_t partition, unsigned worker) {
            const std::uint64_t before = workers_[worker].differing;
            sum_columns(partition, worker);
            settle_differing(workers_[worker].differing - before);
        });
        by_v_.close();
        in_parallel([&](std::size_t partition, unsigned worker) { find_best_of_rows(partition, worker); });
        again_.close();
        return merged();
    }

private:
    struct Pair {
        std::uint64_t u, v;
    };
    // A cluster of size 0 has no cells: it marks those that are singletons in the reference.
    struct SizedCell {
        std::uint64_t u, v, a, n;

        bool is_alone() const { return a == 0; }
        std::uint64_t size() const { return n; }
    };
    struct Piece {
        std::uint64_t u, a, n, b;
    };

    static constexpr std::size_t recent_slots = 512, enough_to_tell = 4096, look_again = std::size_t{1} << 20;
    static constexpr std::uint64_t no_label = 0;

    struct Worker {
        std::array<JoinedCell, recent_slots> recent;
        std::size_t added = 0, hits = 0;
        std::uint64_t alone_in_both = 0;
        CellTable table;
        std::vector<JoinedCell> cells_of_rows;
        std::vector<SizedCell> cells_of_columns;
        CellGroups<JoinedCell> rows;
        CellGroups<SizedCell> columns;
        ClusterTable clusters;
        std::array<TripleCounter, 4> triples;
        std::array<SplitClusters, 2> split;
        std::uint64_t differing = 0;
    };

    std::size_t partition_of(std::uint64_t label) const {
        return static_cast<std::size_t>(hasher_(label) >> (64 - bits_));
    }

    void push(unsigned worker, const JoinedCell& cell) {
        if (cell.n == 0) return;
        if (cell.n == 1)
            pairs_.push(worker, partition_of(cell.u), {cell.u, cell.v});
        else
            counted_.push(worker, partition_of(cell.u), cell);
    }

    std::size_t length(std::size_t partition) {
        return pairs_.length(partition) + counted_.length(partition) + by_u_.length(partition);
    }

    // Those that are not held in memory: one of their clusters is larger than most.
    std::vector<std::size_t> large_partitions() {
        std::size_t all = 0;
        for (std::size_t partition = 0; partition < partitions_; ++partition) all += length(partition);
        most_ = std::max(always_few_, 2 * (all / partitions_));
        std::vector<std::size_t> large;
        for (std::size_t partition = 0; partition < partitions_; ++partition)
            if (length(partition) > most_) large.push_back(partition);
        return large;
    }

    template <class Use>
    void for_each_pair(std::size_t partition, Use use) {
        pairs_.for_each(partition, [&](const Pair& pair) { use(JoinedCell{pair.u, pair.v, 1}); });
        counted_.for_each(partition, use);
    }

    void release_pairs(std::size_t partition, unsigned worker) {
        pairs_.release(partition, worker);
        counted_.release(partition, worker);
    }

    // The cells of a large partition, whole where they are few.
    void count_beforehand(std::size_t partition, unsigned index) {
        CellTable& table = workers_[index].table;
        bool are_whole = true;
        table.start();
        for_each_pair(partition, [&](const JoinedCell& pair) {
            table.count(pair.u, pair.v, pair.n);
            if (table.size() < always_few_) return;
            spread(table, index);
            are_whole = false;
            table.start();
        });
        release_pairs(partition, index);
        if (are_whole)
            table.for_each([&](const JoinedCell& cell) { by_u_.push(index, partition, cell); });
        else
            spread(table, index);
    }

    void spread(const CellTable& table, unsigned index) {
        table.for_each([&](const JoinedCell& cell) {
            spread_.push(index, static_cast<std::size_t>(table.hash(cell.u, cell.v) >> (64 - bits_)), cell);
        });
    }

    void count_spread(std::size_t partition, unsigned index) {
        CellTable& table = workers_[index].table;
        table.start();
        spread_.for_each(partition, [&](const JoinedCell& cell) { table.count(cell.u, cell.v, cell.n); });
        spread_.release(partition, index);
        table.for_each([&](const JoinedCell& cell) { by_u_.push(index, partition_of(cell.u), cell); });
    }

    void sum_rows(std::size_t partition, unsigned index) {
        Worker& worker = workers_[index];
        const auto label_of = [](const JoinedCell& cell) { return cell.u; };
        const auto pass = [&](const JoinedCell& cell, const Cluster& row) {
            if (!cell.is_alone()) return by_v_.push(index, partition_of(cell.v), {cell.u, cell.v, row.size, cell.n});
            worker.triples[in_candidate].add(1, row.size, 1);
            if (row.size == 1) return;
            again_.push(index, partition, {cell.u, row.size, 1, 1});
            note_differing(index, {cell.u, no_label, 1, in_candidate});
        };
        const auto finish = [&](const Cluster& row) { note_cluster(row, worker.split[0]); };
        if (length(partition) > most_) {
            by_label([&](auto use) { by_u_.for_each(partition, use); }, worker.clusters, label_of, pass, finish);
        } else {
            gather_cells(partition, index);
            by_label(worker.cells_of_rows, label_of, pass, finish);
        }
        by_u_.release(partition, index);
    }

    // The cells of a partition, those of a row side by side.
    void gather_cells(std::size_t partition, unsigned index) {
        Worker& worker = workers_[index];
        std::vector<JoinedCell>& cells = worker.cells_of_rows;
        cells.clear();
        for_each_pair(partition, [&](const JoinedCell& pair) { cells.push_back(pair); });
        release_pairs(partition, index);
        if (are_of_few_rows(cells)) count_together(cells, worker.table);
        by_u_.for_each(partition, [&](const JoinedCell& cell) { cells.push_back(cell); });
        const auto is_before = [](const JoinedCell& x, const JoinedCell& y) {  // singletons are last
            if (x.u != y.u) return x.u < y.u;
            return x.v != y.v ? x.v < y.v : x.n < y.n;
        };
        worker.rows.sort(cells, [](const JoinedCell& cell) { return cell.u; }, is_before);
        std::size_t last = 0;
        for (std::size_t i = 1; i < cells.size(); ++i) {
            const JoinedCell& cell = cells[i];
            if (cell.u == cells[last].u && cell.v == cells[last].v && !cell.is_alone())
                cells[last].n += cell.n;
            else
                cells[++last] = cell;
        }
        cells.resize(std::min(cells.size(), last + 1));
    }

    // Whether rows have so many pairs that many of these are equal, judging by the first ones.
    static bool are_of_few_rows(const std::vector<JoinedCell>& pairs) {
        constexpr std::size_t looked_at = 64;
        if (pairs.size() < looked_at) return false;
        std::array<std::uint64_t, looked_at> labels;
        for (std::size_t i = 0; i < looked_at; ++i) labels[i] = pairs[i].u;
        std::sort(labels.begin(), labels.end());
        return std::unique(labels.begin(), labels.end()) <= labels.begin() + looked_at / 2;
    }

    static void count_together(std::vector<JoinedCell>& pairs, CellTable& table) {
        table.start();
        for (const JoinedCell& pair : pairs) table.count(pair.u, pair.v, pair.n);
        pairs.clear();
        table.for_each([&](const JoinedCell& cell) { pairs.push_back(cell); });
    }

    void sum_columns(std::size_t partition, unsigned index) {
        Worker& worker = workers_[index];
        const auto label_of = [](const SizedCell& cell) { return cell.v; };
        const auto pass = [&](const SizedCell& cell, Cluster& column) {
            const Alone alone = cell.is_alone() ? in_reference : nobody;
            const std::uint64_t a = cell.is_alone() ? 1 : cell.a;
            worker.triples[alone].add(cell.n, a, column.size);
            if (cell.n < column.size) column.note_share(cell.n, a + column.size);
            if (cell.n < a) again_.push(index, partition_of(cell.u), {cell.u, a, cell.n, column.size});
            if (cell.n < a || cell.n < column.size) note_differing(index, {cell.u, cell.v, cell.n, alone});
        };
        const auto finish = [&](const Cluster& column) {
            note_cluster(column, worker.split[1]);
            if (column.is_split()) worker.split[1].note_share(column);
        };
        if (by_v_.length(partition) > most_) {
            by_label([&](auto use) { by_v_.for_each(partition, use); }, worker.clusters, label_of, pass, finish);
        } else {
            std::vector<SizedCell>& cells = worker.cells_of_columns;
            cells.clear();
            by_v_.for_each(partition, [&](const SizedCell& cell) { cells.push_back(cell); });
            worker.columns.sort(cells, label_of, [](const SizedCell& x, const SizedCell& y) { return x.v < y.v; });
            by_label(cells, label_of, pass, finish);
        }
        by_v_.release(partition, index);
    }

    void note_cluster(const Cluster& cluster, SplitClusters& split) const {
        if (keeps_ && cluster.met > 0) ++split.met[cluster.met];
        if (!cluster.is_split()) return;
        split.largest += cluster.largest;
        split.together.note(cluster.size, cluster.together);
    }

    void find_best_of_rows(std::size_t partition, unsigned index) {
        Worker& worker = workers_[index];
        worker.clusters.start();
        again_.for_each(partition, [&](const Piece& piece) {
            Cluster& row = worker.clusters.of(piece.u);
            row.size = piece.a;
            row.note_share(piece.n, piece.a + piece.b);
        });
        again_.release(partition, index);
        worker.clusters.for_each([&](const Cluster& row) { worker.split[0].note_share(row); });
    }

    void note_differing(unsigned worker, const DifferingCell& cell) {
        ++workers_[worker].differing;
        if (!are_many_.load(std::memory_order_relaxed)) differ_.push(worker, 0, cell);
    }

    // Called after each partition, so no worker keeps more cells once all workers together have too many.
    void settle_differing(std::uint64_t more) {
        if (differing_.fetch_add(more, std::memory_order_relaxed) + more > few_)
            are_many_.store(true, std::memory_order_relaxed);
    }

    std::array<Buffer<std::int64_t>, 4> differing_cells() {
        const std::size_t count = differ_.length(0);
        std::array<Buffer<std::int64_t>, 4> columns;
        for (Buffer<std::int64_t>& column : columns) column = Buffer<std::int64_t>(count);
        std::size_t i = 0;
        differ_.for_each(0, [&](const DifferingCell& cell) {
            columns[0][i] = static_cast<std::int64_t>(cell.u);
            columns[1][i] = static_cast<std::int64_t>(cell.v);
            columns[2][i] = static_cast<std::int64_t>(cell.n);
            columns[3][i++] = cell.alone;
        });
        return columns;
    }

    JoinedOverlaps merged() {
        JoinedOverlaps all;
        for (Worker& worker : workers_) {
            if (&worker != &workers_[0])
                for (unsigned alone = 0; alone < 4; ++alone) workers_[0].triples[alone].add(worker.triples[alone]);
            for (unsigned side = 0; side < 2; ++side) all.split[side].add(worker.split[side]);
        }
        all.differing = differing_.load(std::memory_order_relaxed);
        std::uint64_t alone_in_both = 0;
        for (const Worker& worker : workers_) alone_in_both += worker.alone_in_both;
        if (alone_in_both > 0) workers_[0].triples[in_both].add(1, 1, 1, alone_in_both);
        for (unsigned alone = 0; alone < 4; ++alone) {
            all.triples[alone] = workers_[0].triples[alone].take();
            sort_triples(all.triples[alone]);
        }
        if (all.differing <= few_) all.cells = differing_cells();
        return all;
    }

    unsigned bits_;
    std::size_t always_few_, partitions_;
    Store<Pair> pairs_;
    Store<JoinedCell> counted_, spread_, by_u_;
    Store<SizedCell> by_v_;
    Store<Piece> again_;
    Store<DifferingCell> differ_;  // in one partition
    std::vector<Worker> workers_;
    std::size_t few_ = 0, most_ = 0;
    std::atomic<std::uint64_t> differing_{0};
    std::atomic<bool> are_many_{false};
    bool keeps_ = false;
    Hasher hasher_;
};

}  // namespace concordant
