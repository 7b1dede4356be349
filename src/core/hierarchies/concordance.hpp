// Pairs of pairs of leaves that two trees put in the same order, by the levels at which the pairs join.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/integers128.hpp"
#include "base/parallel.hpp"
#include "hierarchies/drawn_tree.hpp"

namespace concordant {

// The lowest node above two leaves, after O(n log n): the largest join between them.
class LowestCommon {
public:
    explicit LowestCommon(const DrawnTree& tree) : tree_(tree), maxima_(1, tree.sequence().joins) {
        for (std::size_t width = 1; 2 * width <= maxima_[0].size(); width *= 2) {
            const auto& shorter = maxima_.back();
            std::vector<Node> longer(maxima_[0].size() + 1 - 2 * width);
            for (std::size_t k = 0; k < longer.size(); ++k) longer[k] = std::max(shorter[k], shorter[k + width]);
            maxima_.push_back(std::move(longer));
        }
    }

    Node operator()(Node x, Node y) const {
        Node first = tree_.start[x], last = tree_.start[y];
        if (first > last) std::swap(first, last);
        const auto level = static_cast<std::size_t>(std::bit_width(last - first)) - 1;
        return std::max(maxima_[level][first], maxima_[level][last - (Node{1} << level)]);
    }

private:
    const DrawnTree& tree_;
    std::vector<std::vector<Node>> maxima_;
};

struct Concordance {
    Int128 concordant = 0, discordant = 0;
};

// Levels are from 1 to `levels` for the inner nodes, and rise from child to parent or stay. Every pair is looked at.
inline Concordance count_concordance(const DrawnTree& u, std::span<const std::int64_t> u_level, const DrawnTree& v,
                                     std::span<const std::int64_t> v_level, std::size_t v_levels, Control& control) {
    std::vector<Node> nodes;
    for (Node x = static_cast<Node>(u.leaves); x < u.nodes(); ++x) nodes.push_back(x);
    const auto level_of = [&](Node x) { return u_level[x - u.leaves]; };
    std::stable_sort(nodes.begin(), nodes.end(), [&](Node a, Node b) { return level_of(a) < level_of(b); });
    const LowestCommon lowest(v);
    Concordance found;
    std::vector<std::int64_t> before(v_levels + 1, 0), now(v_levels + 1, 0);  // pairs by their level in v
    std::int64_t all_before = 0;
    for (std::size_t i = 0; i < nodes.size();) {
        const std::int64_t level = level_of(nodes[i]);
        for (; i < nodes.size() && level_of(nodes[i]) == level; ++i) {
            const Node first = u.start[nodes[i]];
            for (const Node child : u.children_of(nodes[i]))
                for (const Node y : u.leaves_of(child)) {
                    control.checkpoint();
                    for (Node k = first; k < u.start[child]; ++k)
                        ++now[static_cast<std::size_t>(v_level[lowest(u.order[k], y) - v.leaves])];
                }
        }
        std::int64_t lower = 0, added = 0;
        for (std::size_t l = 0; l <= v_levels; ++l) {
            const std::int64_t higher = all_before - lower - before[l];
            found.concordant += Int128(now[l]) * Int128(lower);
            found.discordant += Int128(now[l]) * Int128(higher);
            lower += before[l];
            before[l] += now[l];
            added += now[l];
            now[l] = 0;
        }
        all_before += added;
    }
    return found;
}

}  // namespace concordant
