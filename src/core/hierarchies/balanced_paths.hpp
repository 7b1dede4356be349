// The heavy paths of a tree, each under a binary tree that is balanced by the numbers of leaves.
//
// All binary trees together have a depth of O(log n) whatever the shape of the tree is, so sums over the tree follow the
// change of one leaf in O(log n). A chain is one path; a balanced tree has many short ones. Paths consist of inner nodes,
// and every leaf hangs from its parent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hierarchies/drawn_tree.hpp"

namespace concordant {

class BalancedPaths {
public:
    // Places are numbered from the root down; the first is empty and takes the place of a child that is missing.
    struct Place {
        Node above = no_node;      // in the binary tree, or the place that the whole path hangs from
        Node left = 0, right = 0;  // nearer to the root of the tree, and further
        Node join = no_node;       // what the sequence calls the node
        bool is_top = false;       // of the binary tree of its path
    };

    // The tree of these leaves, of which there are at least two.
    void build(const LeafSequence& sequence) {
        join_leaves(sequence);
        places_.assign(1, {});
        for (std::size_t i = closed_.size(); i-- > 0;) {  // from the root down
            const Node top = closed_[i], above = nodes_[top].up;
            if (above != no_node && nodes_[above].heavy == top) continue;
            path_.clear();
            for (Node x = top; x != no_node; x = nodes_[x].heavy) path_.push_back(x);
            balance_path();
        }
        for (Node& place : of_leaf_) place = nodes_[place].place;
    }

    const std::vector<Place>& places() const { return places_; }
    const std::vector<Node>& of_leaf() const { return of_leaf_; }  // where the leaves of the sequence hang from
    Node root() const { return 1; }

private:
    // Inner nodes are closed children first, when all leaves below them are known.
    void close(Node x, Node above) {
        closed_.push_back(x);
        nodes_[x].up = above;
        if (above == no_node) return;
        TreeNode& parent = nodes_[above];
        parent.size += nodes_[x].size;
        if (parent.heavy == no_node || nodes_[parent.heavy].size < nodes_[x].size) parent.heavy = x;
    }

    void join_leaves(const LeafSequence& sequence) {
        const std::size_t leaves = sequence.leaves.size();
        nodes_.clear();
        of_leaf_.resize(leaves);
        closed_.clear();
        open_.clear();
        for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
            const Node join = leaf + 1 < leaves ? sequence.joins[leaf] : no_node;
            const bool is_higher = !open_.empty() && nodes_[open_.back()].join < join;
            if (is_higher) hang(leaf);
            Node last = no_node;
            while (!open_.empty() && nodes_[open_.back()].join < join) {
                if (last != no_node) close(last, open_.back());
                last = open_.back();
                open_.pop_back();
            }
            if (join == no_node) return close(last, no_node);
            if (open_.empty() || nodes_[open_.back()].join != join) {
                open_.push_back(static_cast<Node>(nodes_.size()));
                nodes_.push_back({join});
            }
            if (!is_higher) hang(leaf);
            if (last != no_node) close(last, open_.back());
        }
    }

    // The leaf is a child of the node that was opened last.
    void hang(std::size_t leaf) {
        of_leaf_[leaf] = open_.back();
        ++nodes_[open_.back()].size;
    }

    // About half of the leaves that hang from a stretch of the path are on either side of its place.
    void balance_path() {
        const Node hangs_from = nodes_[path_.front()].up;
        stretches_.assign(1, {0, path_.size(), hangs_from == no_node ? no_node : nodes_[hangs_from].place, true, false});
        while (!stretches_.empty()) {
            const Stretch stretch = stretches_.back();
            stretches_.pop_back();
            const Node last = size_below(stretch.end), half = last + (size_below(stretch.begin) - last) / 2;
            std::size_t low = stretch.begin, high = stretch.end - 1;
            while (low < high) {  // the first node with at most half of them below
                const std::size_t middle = (low + high) / 2;
                if (size_below(middle + 1) <= half)
                    high = middle;
                else
                    low = middle + 1;
            }
            const Node place = static_cast<Node>(places_.size());
            nodes_[path_[low]].place = place;
            places_.push_back({stretch.above, 0, 0, nodes_[path_[low]].join, stretch.is_top});
            if (!stretch.is_top) (stretch.is_left ? places_[stretch.above].left : places_[stretch.above].right) = place;
            if (low + 1 < stretch.end) stretches_.push_back({low + 1, stretch.end, place, false, false});
            if (stretch.begin < low) stretches_.push_back({stretch.begin, low, place, false, true});
        }
    }

    Node size_below(std::size_t i) const { return i < path_.size() ? nodes_[path_[i]].size : 0; }

    struct TreeNode {
        Node join, up = no_node, heavy = no_node, size = 0, place = 0;
    };

    struct Stretch {
        std::size_t begin, end;
        Node above;
        bool is_top, is_left;
    };

    std::vector<Place> places_;
    std::vector<TreeNode> nodes_;
    std::vector<Node> of_leaf_, closed_, open_, path_;
    std::vector<Stretch> stretches_;
};

}  // namespace concordant
