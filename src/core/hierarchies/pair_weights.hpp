// For every node, the sum over its pairs of leaves of their weight in another tree, without visiting each pair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/integers128.hpp"
#include "base/parallel.hpp"
#include "base/processor.hpp"
#include "hierarchies/balanced_paths.hpp"
#include "hierarchies/heavy_paths.hpp"
#include "hierarchies/drawn_tree.hpp"

namespace concordant {

// Leaves of a tree whose inner nodes have weights. A new leaf knows the sum of the weights of the lowest nodes that it
// has in common with each leaf inserted before.
class WeightedLeaves {
public:
    // weight[x - first] is the weight of the inner node x
    void build(const BalancedPaths& paths, std::span<const Int128> weight, std::size_t first) {
        const auto& places = paths.places();
        sums_.assign(places.size(), {});
        weights_.resize(places.size());
        for (std::size_t i = 1; i < places.size(); ++i) {
            sums_[i].above = places[i].above;
            sums_[i].left = places[i].left;
            sums_[i].is_top = places[i].is_top;
            weights_[i] = weight[places[i].join - first];
        }
    }

    void fetch(Node place) const { prefetch(&sums_[place]); }

    Int128 insert(Node place) {
        Int128 total = 0;
        std::uint32_t below = 0;  // leaves of the path that the walk comes from
        while (place != no_node) {
            const Int128 weight = weights_[place];
            Sums* at = &sums_[place];
            // Leaves that hang from here or further down meet the new one here; others meet it where they hang.
            std::int64_t here = std::int64_t{at->count} - sums_[at->left].count - below;
            Int128 higher = sums_[at->left].sum;
            for (;;) {
                const std::uint32_t count = at->count++;
                const Int128 sum = at->sum;
                at->sum += weight;
                below = count;
                const Node last = place;
                place = at->above;
                if (at->is_top) break;
                at = &sums_[place];
                if (at->left == last)
                    here += at->count - count;
                else
                    higher += at->sum - sum;
            }
            total += higher + weight * Int128(here);
        }
        return total;
    }

private:
    struct Sums {
        Int128 sum = 0;  // Σ over leaves below here in the binary tree of the weight of the node that they hang from
        std::uint32_t count = 0;
        Node above = no_node, left = 0;
        bool is_top = false;
    };

    std::vector<Sums> sums_;
    std::vector<Int128> weights_;
};

// For every node of u: Σ over the pairs of its leaves of the weight of their lowest common node in v.
inline std::vector<Int128> weights_within(const DrawnTree& u, const DrawnTree& v, std::span<const Int128> weight, Control& control) {
    constexpr std::size_t ahead = 16;  // leaves whose places are fetched before their turn
    std::vector<Int128> within(u.nodes(), Int128(0));
    WeightedLeaves leaves;
    std::vector<Node> places, ends;  // of the leaves below the path from its leaf up, and how many are below each node
    for_each_heavy_path(u, v, 2, control, [&](const auto& path, const BalancedPaths& paths, const auto& place) {
        leaves.build(paths, weight, v.leaves);
        places.assign(1, place[path.front()]);
        ends.assign(1, 1);
        for (std::size_t i = 1; i < path.size(); ++i) {
            for (const Node child : u.children_of(path[i]))
                if (child != path[i - 1])
                    for (const Node leaf : u.leaves_of(child)) places.push_back(place[leaf]);
            ends.push_back(static_cast<Node>(places.size()));
        }
        Int128 total = 0;
        for (std::size_t i = 0, k = 0; i < path.size(); ++i) {
            for (; k < ends[i]; ++k) {
                if (k % block_length == 0) control.checkpoint();
                if (k + ahead < places.size()) leaves.fetch(places[k + ahead]);
                total += leaves.insert(places[k]);
            }
            within[path[i]] = total;
        }
    });
    return within;
}

}  // namespace concordant
