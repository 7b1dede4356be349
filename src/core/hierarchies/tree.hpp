// Trees as arrays of parents: children come before their parents, and a root has the parent -1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "base/buffer.hpp"
#include "base/parallel.hpp"

namespace concordant {

struct Parents {
    const std::int64_t* parent;
    std::size_t nodes;

    // Throws where a parent does not come after its child.
    void check(Control& control) const {
        for (std::size_t x = 0; x < nodes; ++x) {
            if (x % block_length == 0) control.checkpoint();
            const std::int64_t up = parent[x];
            if (up != -1 && (up <= static_cast<std::int64_t>(x) || up >= static_cast<std::int64_t>(nodes)))
                throw std::invalid_argument("parents must come after their children");
        }
    }
};

// For each node the nearest of itself and its ancestors that is marked, or -1.
inline Buffer<std::int64_t> nearest_marked(Parents tree, const bool* marked, Control& control) {
    tree.check(control);
    Buffer<std::int64_t> nearest(tree.nodes);
    for (std::size_t x = tree.nodes; x-- > 0;) {
        if (x % block_length == 0) control.checkpoint();
        const std::int64_t up = tree.parent[x];
        nearest[x] = marked[x] ? static_cast<std::int64_t>(x) : up < 0 ? -1 : nearest[static_cast<std::size_t>(up)];
    }
    return nearest;
}

// For each node the sum of the values of itself and of all nodes below it.
inline Buffer<std::int64_t> subtree_sums(Parents tree, const std::int64_t* values, Control& control) {
    tree.check(control);
    Buffer<std::int64_t> sums(tree.nodes);
    for (std::size_t x = 0; x < tree.nodes; ++x) sums[x] = values[x];
    for (std::size_t x = 0; x < tree.nodes; ++x) {
        if (x % block_length == 0) control.checkpoint();
        if (tree.parent[x] >= 0) sums[static_cast<std::size_t>(tree.parent[x])] += sums[x];
    }
    return sums;
}

}  // namespace concordant
