// The partition that is nearest to many, by one of several losses.
//
// Two reductions are exact for losses that are linear in sums over clusters: elements that no draw separates stay
// together (the caller makes them one item), and no cluster spans two components of items that some draw links. Small
// components are solved by enumeration; the others by sweeps from several starts.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/union_find.hpp"
#include "consensus/criterion.hpp"
#include "consensus/draws.hpp"
#include "consensus/enumeration.hpp"
#include "consensus/estimate.hpp"
#include "graph/groups.hpp"

namespace concordant {

struct Search {
    std::size_t runs;   // starts of each search
    std::size_t first;  // the draw that the first starts from
    std::uint64_t seed;
    unsigned threads;
    std::atomic<std::size_t>& done;  // items times starts, so far; at most items * runs
};

struct ConsensusResult {
    std::vector<std::int64_t> label;   // of each item
    std::vector<std::int64_t> proven;  // 1 where its component was solved by enumeration
};

// Items linked by a cluster of some draw, directly or through others.
inline std::vector<std::int64_t> components(const Draws& draws) {
    UnionFind<std::size_t> sets(draws.items);
    std::vector<std::vector<std::size_t>> first;  // item of each cluster
    for (const std::uint32_t clusters : draws.clusters) first.emplace_back(clusters, draws.items);
    for (std::size_t i = 0; i < draws.items; ++i)
        for (std::size_t b = 0; b < draws.draws; ++b) {
            std::size_t& leader = first[b][draws.cluster_of(i, b)];
            if (leader == draws.items)
                leader = i;
            else
                sets.join(leader, i);
        }
    std::vector<std::int64_t> number(draws.items, -1), component(draws.items);
    std::int64_t count = 0;
    for (std::size_t i = 0; i < draws.items; ++i) {
        std::int64_t& mine = number[sets.root(i)];
        if (mine < 0) mine = count++;
        component[i] = mine;
    }
    return component;
}

// The best of several searches.
inline Estimate::Labels searched(const Draws& draws, const Criterion& criterion, const Search& search,
                                 Control& control) {
    std::vector<Estimate::Labels> found(search.runs);
    std::vector<double> cost(search.runs, std::numeric_limits<double>::infinity());
    // Placing unrelated items one by one starts a cluster for nearly every item. This is slow and rarely helps, so only
    // one start does it.
    const std::size_t usual = *std::max_element(draws.clusters.begin(), draws.clusters.end());
    const auto search_once = [&](unsigned, std::size_t run) {
        RandomNumbers random(search.seed + 0x9e3779b97f4a7c15ULL * (run + 1));
        Estimate estimate(draws, criterion, control);
        if (run == 0) {
            estimate.begin_with(draws.column(search.first));
        } else if (run % 2 == 1) {
            std::vector<std::uint32_t> order(draws.items);
            std::iota(order.begin(), order.end(), 0U);
            random.shuffle(order);
            estimate.place(order, run == 1 ? draws.items : usual);
        } else if (run == 2) {
            estimate.begin_with(Estimate::Labels(draws.items, 0));  // unrelated items are best left in one cluster
        } else {
            estimate.begin_with(draws.column(random.below(draws.draws)));
        }
        estimate.settle(random);
        cost[run] = estimate.cost();
        found[run] = estimate.labels();
        search.done += draws.items;
    };
    // A few at a time: if two of them end at the same best estimate, more would end there too, or so close to it that
    // only one item in many thousands differs.
    constexpr std::size_t batch = 4;
    std::size_t done = 0;
    while (done < search.runs) {
        const std::size_t count = std::min(batch, search.runs - done);
        parallel_for(control, search.threads, count,
                     [&](unsigned worker, std::size_t each) { search_once(worker, done + each); });
        done += count;
        const double least = *std::min_element(cost.begin(), cost.end());
        const double same = least + 1e-5 * std::abs(least) + 1e-9;
        if (std::count_if(cost.begin(), cost.end(), [&](double each) { return each <= same; }) > 1) break;
    }
    search.done += draws.items * (search.runs - done);
    const auto best = static_cast<std::size_t>(std::min_element(cost.begin(), cost.end()) - cost.begin());
    Estimate estimate(draws, criterion, control);
    RandomNumbers random(search.seed);
    estimate.begin_with(found[best]);
    Estimate::Labels kept = found[best];
    double least = estimate.cost();
    constexpr int most_rebuilt = 10;
    std::vector<std::uint32_t> clusters = estimate.clusters();
    random.shuffle(clusters);
    for (int round = 0; round < most_rebuilt && round < static_cast<int>(clusters.size()); ++round) {
        const std::uint32_t cluster = clusters[static_cast<std::size_t>(round)];
        if (std::find(kept.begin(), kept.end(), cluster) == kept.end()) continue;
        estimate.dissolve(cluster, random);
        if (estimate.cost() < least - 1e-9) {
            estimate.settle(random);
            least = estimate.cost();
            kept = estimate.labels();
        } else {
            estimate.begin_with(kept);
        }
    }
    return kept;
}

inline void keep(ConsensusResult& result, std::span<const std::int64_t> items,
                 const std::vector<std::uint32_t>& labels, bool proven) {
    for (std::size_t i = 0; i < items.size(); ++i) {
        const auto item = static_cast<std::size_t>(items[i]);
        // A cluster is numbered by the first of its items, so numbers of different components differ.
        std::size_t first = 0;
        while (labels[first] != labels[i]) ++first;
        result.label[item] = items[first];
        result.proven[item] = proven ? 1 : 0;
    }
}

inline void keep_many(ConsensusResult& result, std::span<const std::int64_t> items,
                      const std::vector<std::uint32_t>& labels) {
    std::vector<std::int64_t> first(*std::max_element(labels.begin(), labels.end()) + std::size_t{1}, -1);
    for (std::size_t i = 0; i < items.size(); ++i) {
        std::int64_t& leader = first[labels[i]];
        if (leader < 0) leader = items[i];
        result.label[static_cast<std::size_t>(items[i])] = leader;
    }
}

inline ConsensusResult consensus(const Draws& draws, Loss loss, double price, const Search& search, Control& control) {
    const Criterion criterion(loss, price, draws.elements());
    ConsensusResult result{std::vector<std::int64_t>(draws.items, 0), std::vector<std::int64_t>(draws.items, 0)};
    if (draws.items == 0) return result;
    std::vector<std::int64_t> component(draws.items, 0);
    if (criterion.is_linear()) component = components(draws);
    Grouped groups = grouped(GroupNumbers(component));
    std::vector<std::size_t> small, large;
    for (std::size_t g = 0; g < groups.groups(); ++g) {
        const auto length = static_cast<std::size_t>(groups.start[g + 1] - groups.start[g]);
        (length <= Enumeration::most_items ? small : large).push_back(g);
    }
    const auto items_of = [&](std::size_t g) {
        return std::span<const std::int64_t>(groups.position.data() + groups.start[g],
                                             groups.position.data() + groups.start[g + 1]);
    };
    constexpr std::size_t block = 64;
    std::vector<std::optional<DrawPart>> parts(search.threads);  // one for each worker
    parallel_for(control, search.threads, (small.size() + block - 1) / block, [&](unsigned worker, std::size_t number) {
        if (!parts[worker]) parts[worker].emplace(draws);
        DrawPart& part = *parts[worker];
        for (std::size_t at = number * block; at < std::min(small.size(), (number + 1) * block); ++at) {
            control.checkpoint();
            const auto items = items_of(small[at]);
            const Draws few = part.of(items);
            keep(result, items, Enumeration(few, criterion).best(), true);
            search.done += items.size() * search.runs;
        }
    });
    DrawPart part(draws);
    for (const std::size_t g : large) {
        const auto items = items_of(g);
        keep_many(result, items, searched(part.of(items), criterion, search, control));
    }
    return result;
}

}  // namespace concordant
