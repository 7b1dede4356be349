// A rooted tree whose nodes are numbered from the leaves up, and its leaves as a drawing has them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

namespace concordant {

using Node = std::uint32_t;

inline constexpr Node no_node = std::numeric_limits<Node>::max();

// Leaves in the order of a drawing. The lowest node above two neighbours is joins[k] for leaves k and k + 1; above two
// leaves that are further apart it is the largest number between them, since a parent has a larger number than its
// children. This is all of the tree but for nodes with one child.
struct LeafSequence {
    std::vector<Node> leaves, joins;
};

struct DrawnTree {
    std::size_t leaves = 0;
    std::vector<Node> parent;                 // that of the root is the root
    std::vector<Node> size;                   // leaves below each node
    std::vector<Node> first_child, children;  // children of x: from first_child[x] to first_child[x + 1]
    std::vector<Node> start;                  // the place of a node's first leaf in `order`
    std::vector<Node> order;                  // leaves from left to right

    // Leaves come first, and every node but the last, the root, has a parent with a larger number. Children are drawn
    // by increasing rank, and by number where ranks are equal or there are none.
    DrawnTree(std::span<const std::int64_t> parents, std::size_t leaf_count, std::span<const std::int64_t> rank = {})
        : leaves(leaf_count), parent(parents.size()), size(parents.size(), 0), first_child(parents.size() + 1, 0),
          start(parents.size(), 0), order(leaf_count) {
        const std::size_t nodes = parents.size();
        if (nodes >= no_node) throw std::length_error("a tree of more than 2^32 nodes");
        if (leaves == 0 || leaves > nodes) throw std::invalid_argument("a tree has at least one leaf");
        if (!rank.empty() && rank.size() != nodes) throw std::invalid_argument("every node has a rank");
        for (std::size_t x = 0; x < nodes; ++x) {
            const std::int64_t above = x + 1 == nodes ? static_cast<std::int64_t>(x) : parents[x];
            const bool is_inner = above >= static_cast<std::int64_t>(leaves) && above < static_cast<std::int64_t>(nodes);
            if (x + 1 < nodes && (!is_inner || above <= static_cast<std::int64_t>(x)))
                throw std::invalid_argument("a parent is an inner node with a larger number");
            parent[x] = static_cast<Node>(above);
            size[x] += x < leaves;
            if (size[x] == 0) throw std::invalid_argument("an inner node has no leaves");
            if (x + 1 == nodes) break;
            size[parent[x]] += size[x];
            ++first_child[parent[x] + 1];
        }
        for (std::size_t x = 0; x < nodes; ++x) first_child[x + 1] += first_child[x];
        children.resize(nodes - 1);
        std::vector<Node> next(first_child.begin(), first_child.end() - 1);
        for (Node x = 0; x + 1 < nodes; ++x) children[next[parent[x]]++] = x;
        for (std::size_t x = nodes; x-- > leaves;) {
            const auto begin = children.begin() + first_child[x], end = children.begin() + first_child[x + 1];
            if (!rank.empty()) std::stable_sort(begin, end, [&](Node a, Node b) { return rank[a] < rank[b]; });
            Node place = start[x];
            for (auto child = begin; child != end; ++child) {
                start[*child] = place;
                place += size[*child];
            }
        }
        for (Node x = 0; x < leaves; ++x) order[start[x]] = x;
    }

    std::size_t nodes() const { return parent.size(); }
    Node root() const { return static_cast<Node>(nodes() - 1); }

    std::span<const Node> children_of(Node x) const {
        return std::span(children).subspan(first_child[x], first_child[x + 1] - first_child[x]);
    }
    std::span<const Node> leaves_of(Node x) const { return std::span(order).subspan(start[x], size[x]); }

    LeafSequence sequence() const {
        LeafSequence made{order, std::vector<Node>(leaves - 1)};
        for (Node x = static_cast<Node>(leaves); x < nodes(); ++x) {
            const auto below = children_of(x);
            for (std::size_t i = 1; i < below.size(); ++i) made.joins[start[below[i]] - 1] = x;
        }
        return made;
    }
};

}  // namespace concordant
