// Label pairs of any number, counted by partitions: the sizes of overlaps and clusters, and their best partners.
//
// 1. Pairs (u, v) are partitioned by both labels, so that no cluster is too large for a partition, and counted
//    to cells (u, v, n).
// 2. Cells are partitioned by u: the n of each u add up to a.
// 3. Cells with their a are partitioned by v: the n of each v add up to b, and the triples (n, a, b) are counted.
// 4. Cells of a u in several pieces go once more to the partition of u, for its best share n/(a + b).
//
// A partition is gone through twice, first for the sums, so that only distinct clusters have to fit into memory.
// Elements that stand alone are cells of one, and go straight to where their label is counted.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "base/hashing.hpp"
#include "base/integers128.hpp"
#include "base/parallel.hpp"
#include "counting/triples.hpp"
#include "join/store.hpp"

namespace concordant {

// Who stands alone in a cell: nobody, the one or the other side, or both.
enum Alone : unsigned { nobody = 0, in_reference = 1, in_candidate = 2, in_both = 3 };

// What is known of the clusters of one side that lie in several cells.
struct SplitClusters {
    std::uint64_t largest = 0;                       // the sum of their largest overlaps
    std::map<std::uint64_t, Uint128> least_together;  // for each size the least sum of n(n - 1)
    TripleCounter shares;                            // (part, whole, size) with the share in lowest terms
    std::map<std::uint64_t, std::uint64_t> met;      // clusters by how many elements both sides have; of all

    void add(const SplitClusters& other) {
        largest += other.largest;
        for (const auto& [size, together] : other.least_together) note_together(size, together);
        shares.add(other.shares);
        for (const auto& [size, count] : other.met) met[size] += count;
    }
    void note_together(std::uint64_t size, Uint128 together) {
        const auto [at, is_new] = least_together.emplace(size, together);
        if (!is_new) at->second = std::min(at->second, together);
    }
    void note_share(std::uint64_t part, std::uint64_t whole, std::uint64_t size) {
        const std::uint64_t common = std::gcd(part, whole);
        shares.add(part / common, whole / common, size);
    }
};

struct DifferingCell {
    std::uint64_t u, v;
    std::uint64_t n;
    Alone alone;
};

struct Overlaps {
    std::array<std::vector<Triple>, 4> triples;  // by who stands alone
    std::array<SplitClusters, 2> split;
    std::uint64_t differing = 0;
    std::vector<DifferingCell> cells;  // those that are not a whole cluster of both sides, where these are few
};

// A table from labels to what is known of them.
template <class Known>
class LabelTable {
public:
    // Empties the table, which stays as large as the last partition needed it: the next is much like it.
    void start() {
        slots_.assign(std::bit_ceil(2 * used_ + 64), Slot{});
        used_ = 0;
    }

    Known& of(std::uint64_t label) {
        Slot* slot = &slots_[slot_of(label)];
        if (!slot->used) {
            if (++used_ * 2 > slots_.size()) {
                grow();
                slot = &slots_[slot_of(label)];
            }
            *slot = {label, true, {}};
        }
        return slot->known;
    }

    template <class Use>
    void for_each(Use use) {
        for (Slot& slot : slots_)
            if (slot.used) use(slot.label, slot.known);
    }

private:
    struct Slot {
        std::uint64_t label = 0;
        bool used = false;
        Known known{};
    };

    std::size_t slot_of(std::uint64_t label) const {
        std::size_t at = static_cast<std::size_t>(hasher_(label)) & (slots_.size() - 1);
        while (slots_[at].used && slots_[at].label != label) at = (at + 1) & (slots_.size() - 1);
        return at;
    }

    void grow() {
        std::vector<Slot> before(slots_.size() * 4);
        before.swap(slots_);
        for (Slot& slot : before)
            if (slot.used) slots_[slot_of(slot.label)] = slot;
    }

    Hasher hasher_;
    std::vector<Slot> slots_;
    std::size_t used_ = 0;
};

class OverlapCounter {
public:
    OverlapCounter(unsigned bits, std::vector<ChunkPool>& pools, Room& room)
        : bits_(bits), partitions_(std::size_t{1} << bits), pairs_(partitions_, pools, room),
          counted_(partitions_, pools, room), by_u_(partitions_, pools, room), by_v_(partitions_, pools, room),
          again_(partitions_, pools, room), workers_(pools.size()) {}

    // Pairs that come often are counted at once, as long as a share of them are such.
    void add(unsigned index, std::uint64_t u, std::uint64_t v) {
        Worker& worker = workers_[index];
        const std::uint64_t hash = hash_of(u, v);
        if (++worker.added % look_again == 0) worker.hits = worker.added = 0;
        if (worker.added > enough_to_tell && worker.hits * 8 < worker.added) {
            pairs_.push(index, static_cast<std::size_t>(hash >> (64 - bits_)), {u, v});
            return;
        }
        Recent& recent = worker.recent[hash % recent_slots];
        if (recent.u == u && recent.v == v && recent.n != 0) {
            ++recent.n;
            ++worker.hits;
            return;
        }
        push(index, recent);
        recent = {u, v, 1};
    }

    void add_alone_in_reference(unsigned worker, std::uint64_t v) {
        by_v_.push(worker, partition_of(v), {no_label, v, 0, 1});
    }
    void add_alone_in_candidate(unsigned worker, std::uint64_t u) {
        by_u_.push(worker, partition_of(u), {u, no_label, with_alone(1)});
    }
    void add_alone_in_both(unsigned worker) { ++workers_[worker].alone_in_both; }

    // Brings the cells that differ where there are no more than `few`.
    Overlaps overlaps(std::size_t few, bool keeps, unsigned threads, Control& control) {
        few_ = few;
        keeps_ = keeps;
        for (unsigned worker = 0; worker < workers_.size(); ++worker)
            for (Recent& recent : workers_[worker].recent) push(worker, std::exchange(recent, {}));
        const auto in_parallel = [&](auto stage) {
            parallel_for(control, threads, partitions_,
                         [&](unsigned worker, std::size_t partition) { stage(partition, worker); });
        };
        in_parallel([&](std::size_t partition, unsigned worker) { make_cells(partition, worker); });
        pairs_.close();
        counted_.close();
        in_parallel([&](std::size_t partition, unsigned worker) {
            const std::uint64_t before = workers_[worker].differing;
            sum_rows(partition, worker);
            settle_differing(workers_[worker], before);
        });
        by_u_.close();
        in_parallel([&](std::size_t partition, unsigned worker) {
            const std::uint64_t before = workers_[worker].differing;
            sum_columns(partition, worker);
            settle_differing(workers_[worker], before);
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
    struct Cell {
        std::uint64_t u, v, n;  // the highest bit of n: its elements stand alone in the candidate
    };
    struct SizedCell {
        std::uint64_t u, v, a, n;
    };
    struct Piece {
        std::uint64_t u, a, n, b;
    };
    struct Recent {
        std::uint64_t u = 0, v = 0, n = 0;
    };

    struct Row {
        std::uint64_t a = 0, met = 0, largest = 0;
        Uint128 together = 0;
    };
    struct Column {
        std::uint64_t b = 0, met = 0, largest = 0, part = 0, whole = 1;
        Uint128 together = 0;
    };
    struct BestShare {
        std::uint64_t a = 0, part = 0, whole = 1;
    };

    static constexpr std::size_t recent_slots = 512, enough_to_tell = 4096, look_again = std::size_t{1} << 20;
    static constexpr std::uint64_t alone_bit = std::uint64_t{1} << 63, no_label = 0;

    struct Worker {
        std::array<Recent, recent_slots> recent;
        std::size_t added = 0, hits = 0;
        std::uint64_t alone_in_both = 0;
        std::vector<Recent> slots;  // the cells of a partition
        std::size_t used = 0;
        LabelTable<Row> rows;
        LabelTable<Column> columns;
        LabelTable<BestShare> best;
        std::array<TripleCounter, 4> triples;
        std::array<SplitClusters, 2> split;
        std::uint64_t differing = 0;
        std::vector<DifferingCell> cells;
    };

    static std::uint64_t with_alone(std::uint64_t n) { return n | alone_bit; }

    std::uint64_t hash_of(std::uint64_t u, std::uint64_t v) const {
        return fold(u ^ seed_, (v ^ 0xd6e8feb86659fd93U) * 0x9e3779b97f4a7c15U + seed_);
    }
    std::size_t partition_of(std::uint64_t label) const {
        return static_cast<std::size_t>(hasher_(label) >> (64 - bits_));
    }

    void push(unsigned worker, const Recent& recent) {
        if (recent.n == 0) return;
        const auto partition = static_cast<std::size_t>(hash_of(recent.u, recent.v) >> (64 - bits_));
        if (recent.n == 1)
            pairs_.push(worker, partition, {recent.u, recent.v});
        else
            counted_.push(worker, partition, {recent.u, recent.v, recent.n});
    }

    void make_cells(std::size_t partition, unsigned worker) {
        std::vector<Recent>& slots = workers_[worker].slots;
        std::size_t& used = workers_[worker].used;
        slots.assign(std::bit_ceil(2 * used + 64), Recent{});
        used = 0;
        const auto slot_of = [&](std::uint64_t u, std::uint64_t v) {
            std::size_t at = static_cast<std::size_t>(hash_of(u, v)) & (slots.size() - 1);
            while (slots[at].n != 0 && (slots[at].u != u || slots[at].v != v)) at = (at + 1) & (slots.size() - 1);
            return at;
        };
        const auto count = [&](std::uint64_t u, std::uint64_t v, std::uint64_t n) {
            Recent& slot = slots[slot_of(u, v)];
            if (slot.n != 0) {
                slot.n += n;
                return;
            }
            slot = {u, v, n};
            if (++used * 2 <= slots.size()) return;
            std::vector<Recent> before(slots.size() * 4);
            before.swap(slots);
            for (const Recent& each : before)
                if (each.n != 0) slots[slot_of(each.u, each.v)] = each;
        };
        pairs_.for_each(partition, [&](const Pair& pair) { count(pair.u, pair.v, 1); });
        counted_.for_each(partition, [&](const Cell& cell) { count(cell.u, cell.v, cell.n); });
        pairs_.release(partition, worker);
        counted_.release(partition, worker);
        for (const Recent& slot : slots)
            if (slot.n != 0) by_u_.push(worker, partition_of(slot.u), {slot.u, slot.v, slot.n});
    }

    void sum_rows(std::size_t partition, unsigned index) {
        Worker& worker = workers_[index];
        worker.rows.start();
        by_u_.for_each(partition, [&](const Cell& cell) {
            const std::uint64_t n = cell.n & ~alone_bit;
            Row& row = worker.rows.of(cell.u);
            row.a += n;
            row.met += cell.n == n ? n : 0;
            row.largest = std::max(row.largest, n);
            row.together += product(n, n - 1);
        });
        by_u_.for_each(partition, [&](const Cell& cell) {
            const Row& row = worker.rows.of(cell.u);
            if (cell.n == (cell.n & ~alone_bit)) {
                by_v_.push(index, partition_of(cell.v), {cell.u, cell.v, row.a, cell.n});
                return;
            }
            worker.triples[in_candidate].add(1, row.a, 1);
            if (row.a > 1) {
                again_.push(index, partition, {cell.u, row.a, 1, 1});
                note_differing(worker, {cell.u, no_label, 1, in_candidate});
            }
        });
        by_u_.release(partition, index);
        SplitClusters& split = worker.split[0];
        worker.rows.for_each([&](std::uint64_t, const Row& row) {
            if (keeps_ && row.met > 0) ++split.met[row.met];
            if (row.largest == row.a) return;
            split.largest += row.largest;
            split.note_together(row.a, row.together);
        });
    }

    void sum_columns(std::size_t partition, unsigned index) {
        Worker& worker = workers_[index];
        worker.columns.start();
        by_v_.for_each(partition, [&](const SizedCell& cell) {
            Column& column = worker.columns.of(cell.v);
            column.b += cell.n;
            column.met += is_alone(cell) ? 0 : cell.n;
            column.largest = std::max(column.largest, cell.n);
            column.together += product(cell.n, cell.n - 1);
        });
        by_v_.for_each(partition, [&](const SizedCell& cell) {
            Column& column = worker.columns.of(cell.v);
            const Alone alone = is_alone(cell) ? in_reference : nobody;
            const std::uint64_t a = is_alone(cell) ? 1 : cell.a;
            worker.triples[alone].add(cell.n, a, column.b);
            if (cell.n < column.b) note_share(column.part, column.whole, cell.n, a + column.b);
            if (cell.n < a) again_.push(index, partition_of(cell.u), {cell.u, a, cell.n, column.b});
            if (cell.n < a || cell.n < column.b) note_differing(worker, {cell.u, cell.v, cell.n, alone});
        });
        by_v_.release(partition, index);
        SplitClusters& split = worker.split[1];
        worker.columns.for_each([&](std::uint64_t, const Column& column) {
            if (keeps_ && column.met > 0) ++split.met[column.met];
            if (column.largest == column.b) return;
            split.largest += column.largest;
            split.note_together(column.b, column.together);
            split.note_share(column.part, column.whole, column.b);
        });
    }

    void find_best_of_rows(std::size_t partition, unsigned index) {
        Worker& worker = workers_[index];
        worker.best.start();
        again_.for_each(partition, [&](const Piece& piece) {
            BestShare& best = worker.best.of(piece.u);
            best.a = piece.a;
            note_share(best.part, best.whole, piece.n, piece.a + piece.b);
        });
        again_.release(partition, index);
        worker.best.for_each([&](std::uint64_t, const BestShare& best) {
            worker.split[0].note_share(best.part, best.whole, best.a);
        });
    }

    // A cluster of size 0 has no cells: it marks those that stand alone in the reference.
    static bool is_alone(const SizedCell& cell) { return cell.a == 0; }

    static void note_share(std::uint64_t& part, std::uint64_t& whole, std::uint64_t n, std::uint64_t sum) {
        if (product(n, whole) <= product(part, sum)) return;
        part = n;
        whole = sum;
    }

    void note_differing(Worker& worker, const DifferingCell& cell) const {
        ++worker.differing;
        if (!are_many_.load(std::memory_order_relaxed)) worker.cells.push_back(cell);
    }

    // After each partition, so that no worker holds cells that are too many with those of the others.
    void settle_differing(Worker& worker, std::uint64_t before) {
        const std::uint64_t more = worker.differing - before;
        if (differing_.fetch_add(more, std::memory_order_relaxed) + more > few_) are_many_.store(true, std::memory_order_relaxed);
        if (are_many_.load(std::memory_order_relaxed)) std::vector<DifferingCell>().swap(worker.cells);
    }

    Overlaps merged() {
        Overlaps all;
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
        if (!are_many_.load(std::memory_order_relaxed))
            for (const Worker& worker : workers_) all.cells.insert(all.cells.end(), worker.cells.begin(), worker.cells.end());
        return all;
    }

    unsigned bits_;
    std::size_t partitions_;
    Store<Pair> pairs_;
    Store<Cell> counted_, by_u_;
    Store<SizedCell> by_v_;
    Store<Piece> again_;
    std::vector<Worker> workers_;
    std::size_t few_ = 0;
    std::atomic<std::uint64_t> differing_{0};
    std::atomic<bool> are_many_{false};
    bool keeps_ = false;
    Hasher hasher_;
    std::uint64_t seed_ = process_seed();
};

}  // namespace concordant
