// The pruning of a tree with the largest value: nodes without common leaves that together have all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "base/integers128.hpp"
#include "base/parallel.hpp"
#include "hierarchies/tree.hpp"

namespace concordant {

struct Pruning {
    Buffer<std::int64_t> node;  // for each leaf the node that is its cluster
    std::int64_t together = 0, inside = 0;
};

// A node is kept where it joins at least `above` pairs that belong together for every `below` pairs that it joins, more
// than the best of its children do: the value is below·together − above·inside. `squares` are Σ n² of each node.
inline Pruning best_pruning(Parents tree, std::size_t leaves, const std::int64_t* squares, std::int64_t above,
                            std::int64_t below, Control& control) {
    tree.check(control);
    struct Best {
        std::int64_t size, together, inside;  // of the clusters that the node is cut into
        bool is_whole;
    };
    std::vector<Best> best(tree.nodes, Best{0, 0, 0, false});
    Pruning found;
    for (std::size_t x = 0; x < tree.nodes; ++x) {
        if (x % block_length == 0) control.checkpoint();
        Best& own = best[x];
        if (x < leaves) {
            own = {1, 0, 0, true};
        } else {
            const std::int64_t together = (squares[x] - own.size) / 2, inside = own.size * (own.size - 1) / 2;
            const Int128 gain = Int128(together - own.together) * Int128(below);
            if (gain >= Int128(inside - own.inside) * Int128(above)) own = {own.size, together, inside, true};
        }
        if (tree.parent[x] < 0) {
            found.together += own.together;
            found.inside += own.inside;
            continue;
        }
        Best& up = best[static_cast<std::size_t>(tree.parent[x])];
        up.size += own.size;
        up.together += own.together;
        up.inside += own.inside;
    }
    found.node = Buffer<std::int64_t>(leaves);
    std::vector<std::int64_t> cluster(tree.nodes);
    for (std::size_t x = tree.nodes; x-- > 0;) {
        const std::int64_t up = tree.parent[x];
        const std::int64_t above_it = up < 0 ? -1 : cluster[static_cast<std::size_t>(up)];
        cluster[x] = above_it >= 0 ? above_it : best[x].is_whole ? static_cast<std::int64_t>(x) : -1;
        if (x < leaves) found.node[x] = cluster[x];
    }
    return found;
}

}  // namespace concordant
