// Hierarchical mutual information: of the children of every two nodes of equal depth, within the leaves they share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/parallel.hpp"
#include "chance/expected_mutual_information.hpp"
#include "hierarchies/drawn_tree.hpp"

namespace concordant {

// n times the information in nats, or nothing if it would take more than `limit` steps of one leaf by one depth.
inline std::optional<double> nested_information(const DrawnTree& u, const DrawnTree& v, std::int64_t limit, Control& control) {
    struct Leaf {
        Node u_child, v_child, leaf;
    };
    struct Shared {
        Node x, y;
        std::size_t begin, end;
    };
    // The child of x that holds a leaf: children hold consecutive places.
    const auto child_of = [](const DrawnTree& tree, Node x, Node leaf) {
        const auto below = tree.children_of(x);
        const auto after = std::upper_bound(below.begin(), below.end(), tree.start[leaf],
                                            [&](Node place, Node child) { return place < tree.start[child]; });
        return *(after - 1);
    };
    std::vector<Leaf> leaves(u.leaves);
    for (Node x = 0; x < u.leaves; ++x) leaves[x].leaf = u.order[x];
    std::vector<std::int64_t> in_child(v.nodes(), 0);
    std::vector<Shared> waiting{{u.root(), v.root(), 0, u.leaves}};
    CompensatedSum information;
    std::int64_t steps = 0;
    while (!waiting.empty()) {
        control.checkpoint();
        const auto [x, y, begin, end] = waiting.back();
        waiting.pop_back();
        const auto size = static_cast<std::int64_t>(end - begin);
        if (size < 2) continue;
        if ((steps += size) > limit) return std::nullopt;
        for (std::size_t k = begin; k < end; ++k) {
            Leaf& leaf = leaves[k];
            leaf.u_child = child_of(u, x, leaf.leaf);
            leaf.v_child = child_of(v, y, leaf.leaf);
            ++in_child[leaf.v_child];
        }
        const auto first = leaves.begin() + static_cast<std::ptrdiff_t>(begin);
        std::sort(first, leaves.begin() + static_cast<std::ptrdiff_t>(end), [](const Leaf& a, const Leaf& b) {
            return a.u_child != b.u_child ? a.u_child < b.u_child : a.v_child < b.v_child;
        });
        for (std::size_t row = begin; row < end;) {
            std::size_t row_end = row;
            while (row_end < end && leaves[row_end].u_child == leaves[row].u_child) ++row_end;
            for (std::size_t cell = row; cell < row_end;) {
                std::size_t cell_end = cell;
                while (cell_end < row_end && leaves[cell_end].v_child == leaves[cell].v_child) ++cell_end;
                const auto n = static_cast<std::int64_t>(cell_end - cell);
                const std::int64_t independent = static_cast<std::int64_t>(row_end - row) * in_child[leaves[cell].v_child];
                const double above_chance = static_cast<double>(n * size - independent) / static_cast<double>(independent);
                information.add(static_cast<double>(n) * std::log1p(above_chance));
                if (n > 1) waiting.push_back({leaves[cell].u_child, leaves[cell].v_child, cell, cell_end});
                cell = cell_end;
            }
            row = row_end;
        }
        for (std::size_t k = begin; k < end; ++k) in_child[leaves[k].v_child] = 0;
    }
    return information.value();
}

}  // namespace concordant
