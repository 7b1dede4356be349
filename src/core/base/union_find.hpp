// Nodes joined into sets. The smallest node of a set is its root.
#pragma once

#include <cstddef>
#include <numeric>
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

    void join(Node one, Node other) {
        one = root(one);
        other = root(other);
        if (one < other)
            parent_[other] = one;
        else
            parent_[one] = other;
    }

private:
    std::vector<Node> parent_;
};

}  // namespace concordant
