// Labels in runs that make many different cells, counted in partitions that fit into the cache.
//
// 1. Runs (u, v, n) are partitioned by u. Within a partition, runs of the same u and v are one cell, and the n of each u
//    sum up to a. If the u ascend, as in sorted files, each cluster is complete before the next begins: its cells are
//    made immediately, without a partition or a table.
// 2. Cells (v, a, n) are passed to their columns, where the n of each v sum up to b.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/chunks.hpp"
#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "counting/cell_maker.hpp"
#include "counting/pair_sums.hpp"
#include "counting/scrambled_labels.hpp"
#include "labels/label_ranges.hpp"
#include "labels/labels.hpp"
#include "labels/runs.hpp"

namespace concordant {

// The counted runs of a block: labels as distances from the low ends of the ranges.
template <class Word>
class RunWords {
public:
    std::array<Word, block_length> u, v, n;
    std::size_t size = 0;

    // False if a label is outside its range.
    bool take(const BlockRuns& block, KeyRange u_range, KeyRange v_range) {
        size = block.size();
        bool outside = false;
        for (std::size_t i = 0, count = size; i < count; ++i) {
            const std::uint64_t u_offset = block.u[i] - u_range.low, v_offset = block.v[i] - v_range.low;
            outside |= (u_offset > u_range.span()) | (v_offset > v_range.span());
            u[i] = static_cast<Word>(u_offset);
            v[i] = static_cast<Word>(v_offset);
            n[i] = static_cast<Word>(block.length(i));
        }
        return !outside;
    }

    // Removes the runs of labels that do not count.
    void drop(const BlockRuns& block, std::optional<std::uint64_t> u_dropped, std::optional<std::uint64_t> v_dropped) {
        if (!u_dropped && !v_dropped) return;
        size = 0;
        for (std::size_t i = 0; i < block.size(); ++i) {
            if (block.u[i] == u_dropped || block.v[i] == v_dropped) continue;
            u[size] = u[i];
            v[size] = v[i];
            n[size++] = n[i];
        }
    }

    // Takes over the runs of `other` and merges neighbours with the same v. Whether they are the same is unpredictable,
    // so nothing branches on it.
    void merge_equal_v(const RunWords& other) {
        std::size_t last = 0;
        Word sum = 0;
        for (std::size_t i = 0; i < other.size; ++i) {
            const Word is_same = i == 0 || other.v[i] == other.v[i - 1];
            last += is_same ^ 1;
            sum = sum * is_same + other.n[i];
            v[last] = other.v[i];
            n[last] = sum;
        }
        size = other.size == 0 ? 0 : last + 1;
    }
};

// Cells are partitioned by v. Within a partition, the n of each v sum up to b, and the sink gets (n, a, b).
template <class Word, class Sink>
class ScatteredColumns {
public:
    ScatteredColumns(const Labels& v, KeyRange range, std::size_t runs, std::vector<ChunkPool>& pools)
        : side_(v, range, bits_of_partitions(runs), runs), workers_(pools.size()) {
        for (ChunkPool& pool : pools) cells_.emplace_back(side_.partitions(), pool);
    }

    // Called with the runs of a block before their cells are added. Here the cells suffice.
    void add_runs(unsigned, const RunWords<Word>&) {}

    // A cell of a row of `a` elements; v by its distance from the low end of the range.
    void add_cell(unsigned worker, Word v, Word a, Word n) {
        const Word scrambled = side_.scrambled(v);
        cells_[worker].push(side_.partition_of(scrambled), {scrambled, a, n});
    }

    Sink result(Control& control) {
        side_.dense() ? count<DenseIds<Word>>(control) : count<HashedIds<Word>>(control);
        for (std::size_t worker = 1; worker < workers_.size(); ++worker) workers_[0].sink.add(workers_[worker].sink);
        return std::move(workers_[0].sink);
    }

private:
    struct Worker {
        Sink sink;
        ColumnSums<Word> columns;
    };

    template <class Ids>
    void count(Control& control) {
        const auto threads = static_cast<unsigned>(workers_.size());
        std::vector<Ids> ids(threads, Ids(side_));
        parallel_for(control, threads, side_.partitions(), [&](unsigned index, std::size_t partition) {
            Worker& worker = workers_[index];
            const auto add = [&worker](const Cell<Word>* cells, const Word* sizes, std::size_t count) {
                add_cells(worker.sink, cells, sizes, count);
            };
            worker.columns.count(Gathered<Cell<Word>>(cells_, partition), ids[index], add);
        });
    }

    ScrambledLabels<Word> side_;
    std::vector<Worker> workers_;
    std::vector<Scatter<Cell<Word>>> cells_;
};

// Sums of squares need cells and columns separately: a cell is added and forgotten, and columns sum up the runs of v,
// which are fewer if the sides change at different places.
template <class Word>
class SummedColumns {
public:
    SummedColumns(const Labels& v, KeyRange range, std::size_t runs, std::vector<ChunkPool>& pools)
        : side_(v, range, bits_of_partitions(runs), runs), workers_(pools.size()) {
        for (ChunkPool& pool : pools) parts_.emplace_back(side_.partitions(), pool);
    }

    void add_runs(unsigned index, const RunWords<Word>& runs) {
        RunWords<Word>& merged = workers_[index].merged;
        merged.merge_equal_v(runs);
        const ScrambledLabels<Word> side = side_;  // a copy: the writes below might alias the member
        for (std::size_t i = 0, count = merged.size; i < count; ++i) merged.v[i] = side.scrambled(merged.v[i]);
        Scatter<Part>& parts = parts_[index];
        for (std::size_t i = 0, count = merged.size; i < count; ++i)
            parts.push(side.partition_of(merged.v[i]), {merged.v[i], merged.n[i]});
    }

    void add_cell(unsigned worker, Word, Word a, Word n) { workers_[worker].summer.add_cell(n, a); }

    PairSummer result(Control& control) {
        side_.dense() ? count<DenseIds<Word>>(control) : count<HashedIds<Word>>(control);
        for (std::size_t worker = 1; worker < workers_.size(); ++worker) workers_[0].summer.add(workers_[worker].summer);
        return workers_[0].summer;
    }

private:
    struct Part {
        Word v, n;
    };

    struct alignas(64) Worker {  // on its own cache lines, or workers would wait for each other
        PairSummer summer;
        RunWords<Word> merged;
        std::vector<Word> sizes;  // per column of a partition
    };

    template <class Ids>
    void count(Control& control) {
        const auto threads = static_cast<unsigned>(workers_.size());
        std::vector<Ids> ids(threads, Ids(side_));
        parallel_for(control, threads, side_.partitions(), [&](unsigned index, std::size_t partition) {
            const Gathered<Part> parts(parts_, partition);
            Ids& id = ids[index];
            id.start(parts.length());
            std::vector<Word>& sizes = workers_[index].sizes;
            sizes.assign(id.capacity(), 0);
            parts.for_each([&](const Part& part) { sizes[id(part.v)] += part.n; });
            workers_[index].summer.sums.bb += sum_of_squares(sizes.data(), sizes.size());
        });
    }

    ScrambledLabels<Word> side_;
    std::vector<Worker> workers_;
    std::vector<Scatter<Part>> parts_;
};

template <class Word, class Sink>
using RunColumns = std::conditional_t<std::is_same_v<Sink, PairSummer>, SummedColumns<Word>, ScatteredColumns<Word, Sink>>;

template <class Word>
struct Run {
    Word u, v, n;
};

// The cells of a partition, each found by its row and its column.
template <class Word>
class PartitionCells {
public:
    // `runs` is an upper bound.
    void start(std::size_t runs) {
        constexpr int digits = std::numeric_limits<Word>::digits;
        const int bits = std::min(digits, static_cast<int>(std::bit_width(4 * runs)));  // two cells rarely share a slot
        slots_.assign(std::size_t{1} << bits, 0);
        shift_ = digits - bits;
        cells_.resize(runs);
        size_ = 0;
    }

    void add(const Run<Word>& run) {
        const std::size_t mask = slots_.size() - 1;
        const Word mixed = (run.u * static_cast<Word>(0x9e3779b97f4a7c15U) + run.v) * factor_;
        std::size_t at = static_cast<std::size_t>(mixed >> shift_);
        for (; slots_[at] != 0; at = (at + 1) & mask) {
            Run<Word>& cell = cells_[static_cast<std::size_t>(slots_[at] - 1)];
            if (cell.u == run.u && cell.v == run.v) {
                cell.n += run.n;
                return;
            }
        }
        cells_[size_++] = run;
        slots_[at] = static_cast<Word>(size_);
    }

    std::span<const Run<Word>> cells() const { return {cells_.data(), size_}; }

private:
    const Word factor_ = static_cast<Word>(process_seed()) | 1;  // random, so nobody can construct labels that collide
    std::vector<Word> slots_;  // the place of a cell plus 1; 0 is an empty slot
    int shift_ = 0;  // from a mixed pair to its slot
    std::vector<Run<Word>> cells_;  // with space for the largest possible number
    std::size_t size_ = 0;
};

// Sink receives all cells. Word is uint32 if all labels of the ranges and all counts fit, else uint64.
template <class Word, class Sink>
class PartitionedRuns {
public:
    PartitionedRuns(const Labels& u, const Labels& v, KeyRange u_range, KeyRange v_range, std::size_t runs,
                    unsigned threads, Control& control)
        : u_labels_(u), v_labels_(v), u_range_(u_range), v_range_(v_range), threads_(threads), control_(control),
          u_(u, u_range, bits_of_partitions(runs), runs), workers_(threads), pools_(threads),
          columns_(v, v_range, runs, pools_) {
        for (ChunkPool& pool : pools_) runs_.emplace_back(u_.partitions(), pool);
    }

    // Empty if a label is outside its range or does not fit into its copy.
    std::optional<Sink> count() {
        if (!partition_runs()) return std::nullopt;
        u_.dense() ? make_cells<DenseIds<Word>>() : make_cells<HashedIds<Word>>();
        return columns_.result(control_);
    }

    bool met_label_outside() const { return met_outside_; }

private:
    struct Worker {
        BlockRuns block;
        RunWords<Word> runs;
        PartitionCells<Word> cells;
        std::vector<Word> sums;  // per row of a partition
    };

    static constexpr std::size_t task_length = std::size_t{1} << 16;

    std::size_t tasks() const { return (u_labels_.length + task_length - 1) / task_length; }

    // Calls use(runs) for the blocks of a task; false if a label is outside its range or `use` returns false.
    template <class Use>
    bool for_blocks(unsigned index, std::size_t task, Use use) {
        Worker& worker = workers_[index];
        const std::size_t end = std::min(u_labels_.length, (task + 1) * task_length);
        for (std::size_t begin = task * task_length; begin < end; begin += block_length) {
            if (!worker.block.find(u_labels_, v_labels_, begin, std::min(block_length, end - begin))) return false;
            if (!worker.runs.take(worker.block, u_range_, v_range_)) {
                met_outside_ = true;
                return false;
            }
            worker.runs.drop(worker.block, u_labels_.dropped, v_labels_.dropped);
            columns_.add_runs(index, worker.runs);
            if (!use(worker.runs)) return false;
        }
        return true;
    }

    // Whether `work(worker, task)` returns true for all tasks.
    template <class Work>
    bool all_tasks(Work work) {
        std::atomic<bool> given_up{false};
        parallel_for(control_, threads_, tasks(), [&](unsigned worker, std::size_t task) {
            if (!given_up.load(std::memory_order_relaxed) && !work(worker, task))
                given_up.store(true, std::memory_order_relaxed);
        });
        return !given_up;
    }

    bool partition_runs() {
        return all_tasks([&](unsigned index, std::size_t task) {
            return for_blocks(index, task, [&](RunWords<Word>& runs) {
                const ScrambledLabels<Word> side = u_;  // a copy: the writes below might alias the member
                const std::size_t count = runs.size;
                for (std::size_t i = 0; i < count; ++i) runs.u[i] = side.scrambled(runs.u[i]);
                Scatter<Run<Word>>& scatter = runs_[index];
                for (std::size_t i = 0; i < count; ++i)
                    scatter.push(side.partition_of(runs.u[i]), {runs.u[i], runs.v[i], runs.n[i]});
                return true;
            });
        });
    }

    template <class Ids>
    void make_cells() {
        std::vector<Ids> ids(threads_, Ids(u_));
        parallel_for(control_, threads_, u_.partitions(), [&](unsigned index, std::size_t partition) {
            Worker& worker = workers_[index];
            Gathered<Run<Word>> runs(runs_, partition);
            Ids& id = ids[index];
            id.start(runs.length());
            worker.sums.assign(id.capacity(), 0);
            worker.cells.start(runs.length());
            Word* sums = worker.sums.data();
            runs.for_each([sums, &id, &cells = worker.cells](const Run<Word>& run) {
                const std::size_t row = id(run.u);
                sums[row] += run.n;
                cells.add({static_cast<Word>(row), run.v, run.n});
            });
            runs.give_back(pools_[index]);
            for (const auto& [row, v, n] : worker.cells.cells()) columns_.add_cell(index, v, sums[static_cast<std::size_t>(row)], n);
        });
    }

    Labels u_labels_, v_labels_;
    KeyRange u_range_, v_range_;
    unsigned threads_;
    Control& control_;
    ScrambledLabels<Word> u_;
    std::vector<Worker> workers_;
    std::vector<ChunkPool> pools_;
    RunColumns<Word, Sink> columns_;
    std::vector<Scatter<Run<Word>>> runs_;
    std::atomic<bool> met_outside_{false};
};

// The sink after all cells of about this many runs. Empty if a label does not fit into its copy.
template <class Sink>
std::optional<Sink> sum_over_runs(const Labels& u, const Labels& v, std::size_t runs, unsigned threads, Control& control) {
    constexpr std::uint64_t narrow = std::numeric_limits<std::uint32_t>::max();
    const KeyRange u_range = likely_range(u), v_range = likely_range(v), all{0, ~std::uint64_t{0}};
    if (u_range.span() < narrow && v_range.span() < narrow && u.length < narrow) {
        PartitionedRuns<std::uint32_t, Sink> narrow_runs(u, v, u_range, v_range, runs, threads, control);
        if (auto sink = narrow_runs.count()) return sink;
        if (!narrow_runs.met_label_outside()) return std::nullopt;
    }
    return PartitionedRuns<std::uint64_t, Sink>(u, v, all, all, runs, threads, control).count();
}

}  // namespace concordant
