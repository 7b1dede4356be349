// The pruning of a tree with the largest value: nodes without common leaves that together have all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "base/buffer.hpp"
#include "base/integers128.hpp"
#include "base/parallel.hpp"
#include "base/processor.hpp"
#include "hierarchies/tree.hpp"

namespace concordant {

// The pairs in the clusters of a pruning, and those of them that belong together.
struct PrunedPairs {
    std::int64_t together = 0, inside = 0;
};

// A tree that is pruned for one price after another: it is checked once, and the pairs of a node are counted once.
class Prunings {
public:
    // `squares` are Σ n² of each node over the labels of its leaves.
    Prunings(Parents tree, std::size_t leaves, const std::int64_t* squares, Control& control)
        : leaves_(leaves), parent_(tree.parent, tree.parent + tree.nodes) {
        if (leaves > tree.nodes) throw std::invalid_argument("a tree has fewer leaves than nodes");
        tree.check(control);
        std::vector<std::int64_t> size(tree.nodes - leaves);
        pairs_.resize(tree.nodes - leaves);
        for (std::size_t x = 0; x < tree.nodes; ++x) {
            if (x % block_length == 0) control.checkpoint();
            std::int64_t own = 1;
            if (x >= leaves) {
                own = size[x - leaves];
                pairs_[x - leaves] = {(squares[x] - own) / 2, own * (own - 1) / 2};
            }
            if (parent_[x] < 0) continue;
            const auto up = static_cast<std::size_t>(parent_[x]);
            if (up < leaves) throw std::invalid_argument("a leaf has no children");
            size[up - leaves] += own;
        }
    }

    // A node is kept where it joins at least `above` pairs that belong together for every `below` pairs that it joins,
    // more than the best of its children do: the value is below·together − above·inside.
    PrunedPairs best(std::int64_t above, std::int64_t below, Control& control) const { return pruned(above, below, nullptr, control); }

    // For each leaf the node that is its cluster in that pruning.
    Buffer<std::int64_t> nodes(std::int64_t above, std::int64_t below, Control& control) const {
        std::vector<std::int64_t> cluster(pairs_.size(), -1);
        pruned(above, below, cluster.data(), control);
        for (std::size_t x = cluster.size(); x-- > 0;) {
            const std::int64_t up = parent_[leaves_ + x];
            const std::int64_t above_it = up < 0 ? -1 : cluster[static_cast<std::size_t>(up) - leaves_];
            if (above_it >= 0) cluster[x] = above_it;
        }
        Buffer<std::int64_t> node(leaves_);
        for (std::size_t x = 0; x < leaves_; ++x) {
            const std::int64_t above_it = parent_[x] < 0 ? -1 : cluster[static_cast<std::size_t>(parent_[x]) - leaves_];
            node[x] = above_it >= 0 ? above_it : static_cast<std::int64_t>(x);
        }
        return node;
    }

private:
    // Leaves have no pairs, so only the other nodes are visited. Those that are kept are marked with their own number.
    PrunedPairs pruned(std::int64_t above, std::int64_t below, std::int64_t* kept, Control& control) const {
        std::vector<PrunedPairs> best(pairs_.size());
        PrunedPairs found;
        for (std::size_t x = 0; x < pairs_.size(); ++x) {
            if (x % block_length == 0) control.checkpoint();
            if (x + ahead < pairs_.size() && parent_[leaves_ + x + ahead] >= 0)
                prefetch(&best[static_cast<std::size_t>(parent_[leaves_ + x + ahead]) - leaves_]);
            PrunedPairs own = best[x];
            const Int128 gain = Int128(pairs_[x].together - own.together) * Int128(below);
            if (gain >= Int128(pairs_[x].inside - own.inside) * Int128(above)) {
                own = pairs_[x];
                if (kept) kept[x] = static_cast<std::int64_t>(leaves_ + x);
            }
            const std::int64_t parent = parent_[leaves_ + x];
            PrunedPairs& up = parent < 0 ? found : best[static_cast<std::size_t>(parent) - leaves_];
            up.together += own.together;
            up.inside += own.inside;
        }
        return found;
    }

    static constexpr std::size_t ahead = 24;  // nodes whose parents, anywhere in memory, are fetched meanwhile
    std::size_t leaves_;
    std::vector<std::int64_t> parent_;
    std::vector<PrunedPairs> pairs_;  // of each node that is not a leaf
};

}  // namespace concordant
