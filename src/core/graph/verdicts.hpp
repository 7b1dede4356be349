// The verdict on each cluster of one side, by its overlaps with the clusters of the other side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/buffer.hpp"
#include "base/integers128.hpp"
#include "base/parallel.hpp"
#include "graph/groups.hpp"

namespace concordant {

struct Share {
    std::int64_t numerator, denominator;
};

struct Thresholds {
    Share near, majority;
};

// Whether the part is more than that share of the whole; products of two 64-bit numbers, so no rounding decides.
inline bool is_more(std::int64_t part, std::int64_t whole, Share share) {
    return Int128{part} * share.denominator > Int128{whole} * share.numerator;
}

// A cluster, its largest overlap (the first of equal ones), and how many of its elements are in overlaps that are the
// majority of a cluster of the other side.
struct JudgedCluster {
    std::int64_t size, n, other_size, pure;
    bool is_shared;  // whether that overlap is with a cluster, and not with an element in no cluster

    std::int32_t verdict(const Thresholds& thresholds) const {
        enum : std::int32_t { exact, nearly, split, merged, split_and_merged, scattered };
        const Share above_near{thresholds.near.denominator, thresholds.near.numerator};
        if (is_shared && n == size && n == other_size) return exact;
        if (is_shared && !is_more(size + other_size, 2 * n, above_near)) return nearly;
        if (is_more(n, size, thresholds.majority) && other_size > size)
            return is_more(size, n, above_near) ? split_and_merged : merged;
        return is_more(pure, size, thresholds.majority) ? split : scattered;
    }
};

// For a cluster of the reference; on the other side, a cluster that is split here is merged. `other_size` has the size of
// the other cluster of each overlap, negative if that is an element in no cluster.
inline Buffer<std::int32_t> verdicts(const GroupNumbers& own, const std::int64_t* n, const std::int64_t* other_size,
                                     const Thresholds& thresholds, unsigned threads, Control& control) {
    Buffer<JudgedCluster> clusters(own.groups());
    std::fill(clusters.begin(), clusters.end(), JudgedCluster{0, 0, 0, 0, false});
    for_each_in_groups(own, threads, control, [&](std::size_t cell, std::size_t number) {
        JudgedCluster& cluster = clusters[number];
        const bool is_shared = other_size[cell] > 0;
        const std::int64_t overlap = n[cell], size = is_shared ? other_size[cell] : -other_size[cell];
        cluster.size += overlap;
        if (overlap > cluster.n) {
            cluster.n = overlap;
            cluster.other_size = size;
            cluster.is_shared = is_shared;
        }
        if (is_shared && is_more(overlap, size, thresholds.majority)) cluster.pure += overlap;
    });
    Buffer<std::int32_t> found(clusters.size);
    parallel_blocks(control, threads, clusters.size, [&](unsigned, std::size_t begin, std::size_t count) {
        for (std::size_t i = begin; i < begin + count; ++i) found[i] = clusters[i].verdict(thresholds);
    });
    return found;
}

}  // namespace concordant
