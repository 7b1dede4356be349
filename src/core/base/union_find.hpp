// Nodes joined into sets. The smallest node of a set is its root.
#pragma once

#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "base/processor.hpp"

namespace concordant {

template <class Node>
class UnionFind {
public:
    explicit UnionFind(std::size_t nodes) : parent_(nodes) { std::iota(parent_.begin(), parent_.end(), Node{0}); }

    CONCORDANT_INLINED void prefetch(Node node) const { concordant::prefetch(&parent_[node]); }

    Node root(Node node) {
        while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
        return node;
    }

    // Rem's way: both paths are walked and shortened at the same time, down to the first common parent.
    void join(Node one, Node other) {
        while (parent_[one] != parent_[other]) {
            if (parent_[one] < parent_[other]) std::swap(one, other);
            const Node above = std::exchange(parent_[one], parent_[other]);
            if (above == one) return;
            one = above;
        }
    }

private:
    std::vector<Node> parent_;
};

}  // namespace concordant
