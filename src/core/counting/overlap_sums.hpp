// Sums over the overlaps of each cluster of one side, without a table of all cells.
//
// Cells are counted by cluster of v and then collected by cluster of u, so one thread sees all cells of a cluster of u.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "counting/cell_maker.hpp"
#include "counting/partitioned_profile.hpp"
#include "counting/scrambled_labels.hpp"
#include "labels/label_ranges.hpp"
#include "labels/labels.hpp"

namespace concordant {

// The size a of a cluster and, over its overlaps, the sums of n(n−1) and n(b−n), and the largest n/(a+b−n).
struct OverlapSums {
    std::uint64_t a, together, over_border;
    double jaccard;
};

// A sink of cells whose columns are the clusters.
template <class Word>
class OverlapSummer {
public:
    OverlapSummer() = default;
    OverlapSummer(OverlapSums* sums, const ScrambledLabels<Word>& side) : sums_(sums), side_(&side) {}

    void add(const Cell<Word>& cell, Word a) {
        OverlapSums& own = sums_[static_cast<std::size_t>(side_->offset(cell.v))];
        const std::uint64_t n = cell.n, b = cell.a;
        own.a = a;
        own.together += n * (n - 1);
        own.over_border += n * (b - n);
        own.jaccard = std::max(own.jaccard, static_cast<double>(n) / static_cast<double>(a + b - n));
    }

    void add(const OverlapSummer&) {}  // all write to the same sums, each to those of its own clusters

private:
    OverlapSums* sums_ = nullptr;  // of the cluster at the low end of the range, and of those that follow
    const ScrambledLabels<Word>* side_ = nullptr;
};

// The sums of clusters 0, 1, ... of `u`, whose keys begin at `zero`. `u` and `v` are of the same length, below 2^31.
inline Buffer<OverlapSums> overlap_sums(const Labels& u, const Labels& v, std::uint64_t zero, std::size_t clusters,
                                        unsigned threads, Control& control) {
    Buffer<OverlapSums> sums(clusters);
    std::fill(sums.begin(), sums.end(), OverlapSums{0, 0, 0, 0.0});
    if (u.length == 0) return sums;
    const KeyRange u_range = full_range(u, threads, control), v_range = full_range(v, threads, control);
    if (u_range.low < zero || u_range.high - zero >= clusters) throw std::invalid_argument("u must hold cluster numbers");
    with_partitions(v, u, v_range, u_range, threads, control, [&]<class Word>(PartitionedProfile<Word>&& partitions) {
        partitions.count(OverlapSummer<Word>(sums.begin() + (u_range.low - zero), partitions.v_side()));
        return 0;
    });
    return sums;
}

}  // namespace concordant
