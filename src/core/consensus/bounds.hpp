// Lower bounds for the loss of any consensus, and how much draws have in common.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "consensus/criterion.hpp"
#include "consensus/draws.hpp"

namespace concordant {

// The items of each cluster of one draw, cluster by cluster; or of several neighbouring clusters together, in order.
struct Members {
    std::vector<std::uint32_t> item;
    std::vector<std::size_t> start;

    Members(const std::vector<std::uint32_t>& cluster, std::size_t clusters, std::uint32_t together = 1)
        : item(cluster.size()), start((clusters + together - 1) / together + 1, 0) {
        for (const std::uint32_t c : cluster) ++start[c / together + std::size_t{1}];
        for (std::size_t c = 1; c < start.size(); ++c) start[c] += start[c - 1];
        std::vector<std::size_t> next(start.begin(), start.end() - 1);
        for (std::size_t i = 0; i < cluster.size(); ++i)
            item[next[cluster[i] / together]++] = static_cast<std::uint32_t>(i);
    }
};

// The sum of f over the overlaps of each two draws, and of each with itself: over its clusters. Draw by draw.
inline std::vector<double> draw_overlaps(const Draws& draws, const Criterion& criterion, unsigned threads,
                                         Control& control) {
    std::vector<double> sums(draws.draws * draws.draws, 0);
    std::vector<std::vector<std::uint32_t>> columns;
    for (std::size_t b = 0; b < draws.draws; ++b) columns.push_back(draws.column(b));
    // A table of so many clusters by all those of another draw stays in the cache.
    constexpr std::uint32_t most_cells = 1U << 14;
    const std::uint32_t widest = *std::max_element(draws.clusters.begin(), draws.clusters.end());
    const std::uint32_t height = widest < most_cells ? most_cells / std::max(widest, 1U) : 1;
    parallel_for(control, threads, draws.draws, [&](unsigned, std::size_t a) {
        const Members members(columns[a], draws.clusters[a], height);
        std::vector<std::uint16_t> line(draws.items);  // where the cells of each item's cluster begin
        std::vector<std::uint32_t> weight(draws.items), met(std::size_t{height} * widest, 0);
        for (std::size_t at = 0; at < draws.items; ++at) {
            line[at] = static_cast<std::uint16_t>(columns[a][members.item[at]] % height * widest);
            weight[at] = draws.weight[members.item[at]];
        }
        std::vector<std::uint32_t> touched(met.size() + 1);
        for (std::size_t b = a; b < draws.draws; ++b) {
            control.checkpoint();
            const std::uint32_t* const v = columns[b].data();
            double sum = 0;
            for (std::size_t c = 0; c + 1 < members.start.size(); ++c) {
                std::size_t cells = 0;
                for (std::size_t at = members.start[c], end = members.start[c + 1]; at < end; ++at) {
                    const std::uint32_t cell = line[at] + v[members.item[at]], n = met[cell];
                    touched[cells] = cell;
                    cells += n == 0;
                    met[cell] = n + weight[at];
                }
                for (std::size_t each = 0; each < cells; ++each)
                    sum += criterion.f(std::exchange(met[touched[each]], 0));
            }
            sums[a * draws.draws + b] = sums[b * draws.draws + a] = sum;
        }
    });
    return sums;
}

// A lower bound of Binder's loss: every pair of elements pays for being together or apart, whichever is cheaper.
// Summed over ordered pairs and shares; negative if that would take too long.
inline double pair_bound(const Draws& draws, double price, unsigned threads, Control& control) {
    std::vector<Members> members;
    members.reserve(draws.draws);
    double work = 0;
    for (std::size_t b = 0; b < draws.draws; ++b) {
        members.emplace_back(draws.column(b), draws.clusters[b]);
        const auto& start = members.back().start;
        for (std::size_t c = 0; c + 1 < start.size(); ++c) {
            const auto length = static_cast<double>(start[c + 1] - start[c]);
            work += length * length;
        }
    }
    if (work > 4e9) return -1;
    const double total = draws.total_share();
    constexpr std::size_t block = 256;
    const std::size_t blocks = (draws.items + block - 1) / block;
    std::vector<double> sums(blocks, 0);
    parallel_for(control, threads, blocks, [&](unsigned, std::size_t number) {
        std::vector<double> together(draws.items, 0);
        std::vector<std::uint32_t> touched;
        for (std::size_t i = number * block; i < std::min(draws.items, (number + 1) * block); ++i) {
            control.checkpoint();
            touched.clear();
            for (std::size_t b = 0; b < draws.draws; ++b) {
                const std::uint32_t c = draws.cluster_of(i, b);
                for (std::size_t at = members[b].start[c]; at < members[b].start[c + 1]; ++at) {
                    const std::uint32_t j = members[b].item[at];
                    if (j <= i) continue;
                    if (together[j] == 0) touched.push_back(j);
                    together[j] += draws.share[b];
                }
            }
            for (const std::uint32_t j : touched) {
                const double paid = std::min(price * together[j], (2 - price) * (total - together[j]));
                sums[number] += 2.0 * draws.weight[i] * draws.weight[j] * paid;
                together[j] = 0;
            }
        }
    });
    double sum = 0;
    for (const double each : sums) sum += each;
    return sum;
}

}  // namespace concordant
