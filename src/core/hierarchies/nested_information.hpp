// Hierarchical mutual information: of the children of every two nodes of equal depth, within the leaves they share.
//
// Heavy paths of both trees are followed together. At each depth some leaves leave one of the paths, and the others stay
// together, so a depth costs as much as the leaves that leave there. A leaf is on O(log n) heavy paths, and so the whole
// takes O(n log² n) however deep the trees are.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "base/compensated_sum.hpp"
#include "base/parallel.hpp"
#include "hierarchies/drawn_tree.hpp"

namespace concordant {

// The heavy paths of a tree: each node continues the path of its parent, or begins its own.
class PathTops {
public:
    struct Exit {
        Node depth, child;  // of the node where a leaf leaves a path, and the child that it leaves by
    };

    explicit PathTops(const DrawnTree& tree) : tree_(tree), top_(tree.nodes()), depth_(tree.nodes(), 0) {
        top_[tree.root()] = tree.root();
        for (Node x = tree.root(); x >= tree.leaves; --x) {
            const auto below = tree.children_of(x);
            const Node heavy =
                *std::max_element(below.begin(), below.end(), [&](Node a, Node b) { return tree.size[a] < tree.size[b]; });
            for (const Node child : below) {
                top_[child] = child == heavy ? top_[x] : child;
                depth_[child] = depth_[x] + 1;
            }
        }
    }

    // Where a leaf leaves the path with this top, which is above it; a leaf at the end of the path stays on it.
    Exit exit(Node top, Node leaf) const {
        Exit found{no_node, no_node};
        for (Node at = top_[leaf]; at != top; at = top_[tree_.parent[at]]) found = {depth_[tree_.parent[at]], at};
        return found;
    }

private:
    const DrawnTree& tree_;
    std::vector<Node> top_, depth_;
};

// n times the information in nats.
inline double nested_information(const DrawnTree& u, const DrawnTree& v, Control& control) {
    struct Leaf {
        Node leaf, depth, u_child, v_child;  // where it leaves, and by which children: no_node for that of the path
    };
    struct Shared {
        Node u_top, v_top;
        std::size_t begin, end;
    };
    const PathTops u_paths(u), v_paths(v);
    std::vector<Leaf> leaves(u.leaves);
    for (Node x = 0; x < u.leaves; ++x) leaves[x].leaf = x;
    std::vector<std::int64_t> in_child(v.nodes(), 0);
    std::vector<Shared> waiting{{u.root(), v.root(), 0, u.leaves}};
    CompensatedSum information;
    while (!waiting.empty()) {
        control.checkpoint();
        const auto [u_top, v_top, begin, end] = waiting.back();
        waiting.pop_back();
        for (std::size_t k = begin; k < end; ++k) {
            Leaf& own = leaves[k];
            const PathTops::Exit from_u = u_paths.exit(u_top, own.leaf), from_v = v_paths.exit(v_top, own.leaf);
            own.depth = std::min(from_u.depth, from_v.depth);
            own.u_child = from_u.depth == own.depth ? from_u.child : no_node;
            own.v_child = from_v.depth == own.depth ? from_v.child : no_node;
        }
        std::sort(leaves.begin() + static_cast<std::ptrdiff_t>(begin), leaves.begin() + static_cast<std::ptrdiff_t>(end),
                  [](const Leaf& a, const Leaf& b) {
                      return std::tie(a.depth, a.u_child, a.v_child, a.leaf) < std::tie(b.depth, b.u_child, b.v_child, b.leaf);
                  });
        for (std::size_t first = begin, last = begin; end - first > 1; first = last) {
            const auto size = static_cast<std::int64_t>(end - first);
            while (last < end && leaves[last].depth == leaves[first].depth) ++last;
            const auto staying = static_cast<std::int64_t>(end - last);
            std::int64_t row_staying = size, column_staying = size;  // on the path of u, and on that of v
            for (std::size_t k = first; k < last; ++k) {
                row_staying -= leaves[k].u_child != no_node;
                if (leaves[k].v_child == no_node) continue;
                --column_staying;
                ++in_child[leaves[k].v_child];
            }
            const auto add = [&](std::int64_t n, std::int64_t row, std::int64_t column) {
                const std::int64_t independent = row * column;
                const double above_chance = static_cast<double>(n * size - independent) / static_cast<double>(independent);
                information.add(static_cast<double>(n) * std::log1p(above_chance));
            };
            if (staying > 0) add(staying, row_staying, column_staying);
            for (std::size_t row = first, row_end = first; row < last; row = row_end) {
                const Node u_child = leaves[row].u_child;
                while (row_end < last && leaves[row_end].u_child == u_child) ++row_end;
                const auto in_row = u_child == no_node ? row_staying : static_cast<std::int64_t>(row_end - row);
                for (std::size_t cell = row, cell_end = row; cell < row_end; cell = cell_end) {
                    const Node v_child = leaves[cell].v_child;
                    while (cell_end < row_end && leaves[cell_end].v_child == v_child) ++cell_end;
                    add(static_cast<std::int64_t>(cell_end - cell), in_row, v_child == no_node ? column_staying : in_child[v_child]);
                    if (cell_end - cell > 1)
                        waiting.push_back({u_child == no_node ? u_top : u_child, v_child == no_node ? v_top : v_child, cell, cell_end});
                }
            }
            for (std::size_t k = first; k < last; ++k)
                if (leaves[k].v_child != no_node) in_child[leaves[k].v_child] = 0;
        }
    }
    return information.value();
}

}  // namespace concordant
