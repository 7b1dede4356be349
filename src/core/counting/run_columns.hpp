// Where the cells of labels in runs go, row by row, while the sizes of their columns are not yet known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/chunks.hpp"
#include "base/parallel.hpp"
#include "counting/cell_maker.hpp"
#include "counting/column_sums.hpp"
#include "counting/pair_sums.hpp"
#include "counting/run_words.hpp"
#include "counting/scrambled_labels.hpp"
#include "labels/labels.hpp"

namespace concordant {

// Cells are partitioned by v. Within a partition, the n of each v sum up to b, and the sink gets (n, a, b).
template <class Word, class Sink>
class ScatteredColumns {
public:
    ScatteredColumns(const Labels& v, KeyRange range, std::size_t runs, std::vector<ChunkPool>& pools)
        : side_(v, range, bits_of_partitions(runs), runs), workers_(pools.size()) {
        for (ChunkPool& pool : pools) cells_.emplace_back(side_.partitions(), pool);
    }

    // The runs of a block, before their cells come, which are enough here.
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
            worker.columns.count(Gathered<Cell<Word>>(cells_, partition), ids[index], worker.sink);
        });
    }

    ScrambledLabels<Word> side_;
    std::vector<Worker> workers_;
    std::vector<Scatter<Cell<Word>>> cells_;
};

// For sums of squares alone, cells and columns may come apart: a cell is done with when it comes, and columns sum up
// the runs of v, which are fewer where the sides change at different places.
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
        const ScrambledLabels<Word> side = side_;  // a copy: what is written might else be taken to change it
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

    struct alignas(64) Worker {  // lines of the cache of its own, or workers would wait for each other
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

}  // namespace concordant
