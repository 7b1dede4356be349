// Nodes of two trees with the same leaves (Day 1985, Journal of Classification 2:7).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hierarchies/drawn_tree.hpp"

namespace concordant {

// For every node of v the node of u with the same leaves, the highest if there are several; -1 if there is none.
// The leaves of a node of u are an interval of places. A node that is its parent's last child is found by the first
// place of its interval and any other by the last, so no two nodes are found by the same place.
inline std::vector<std::int64_t> shared_nodes(const DrawnTree& u, const DrawnTree& v) {
    std::vector<std::int64_t> found_by(u.leaves, -1), shared(v.nodes(), -1);
    const auto first = [&](Node x) { return u.start[x]; };
    const auto last = [&](Node x) { return u.start[x] + u.size[x] - 1; };
    for (Node x = u.root() + 1; x-- > u.leaves;) {
        if (u.size[x] == 1 || (x != u.root() && u.size[u.parent[x]] == u.size[x])) continue;  // an only child
        const bool is_last = x != u.root() && last(x) == last(u.parent[x]);
        found_by[is_last ? first(x) : last(x)] = x;
    }
    std::vector<Node> low(v.nodes(), no_node), high(v.nodes(), 0);
    for (Node y = 0; y < v.nodes(); ++y) {
        if (y < v.leaves) {
            low[y] = high[y] = u.start[y];
            shared[y] = y;
        } else if (high[y] - low[y] + 1 == v.size[y]) {
            for (const Node place : {low[y], high[y]})
                if (const std::int64_t x = found_by[place]; x >= 0 && shared[y] < 0) {
                    const Node node = static_cast<Node>(x);
                    if (first(node) == low[y] && last(node) == high[y]) shared[y] = x;
                }
        }
        if (y == v.root()) break;
        const Node above = v.parent[y];
        low[above] = std::min(low[above], low[y]);
        high[above] = std::max(high[above], high[y]);
    }
    return shared;
}

}  // namespace concordant
