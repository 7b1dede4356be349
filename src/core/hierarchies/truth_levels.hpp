// A tree against labels of its leaves: the overlap of every node with every label, and what sums of overlaps are at
// every level. Leaves of one label, taken in the order of a walk through the tree, meet at the nodes of a smaller
// tree; only there its overlaps grow, so there are fewer such overlaps than leaves.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/integers128.hpp"
#include "base/parallel.hpp"

namespace concordant {

// Children come before their parents, leaves before all other nodes; a root has the parent -1.
struct LevelTree {
    const std::int64_t* parent;
    std::size_t nodes, leaves;
    const std::int64_t* level;  // of the nodes that are not leaves: from 1 on, never falling
    std::size_t levels;         // the last level

    std::size_t level_of(std::size_t node) const { return node < leaves ? 0 : static_cast<std::size_t>(level[node - leaves]); }

    void check(Control& control) const {
        if (nodes >= std::numeric_limits<std::uint32_t>::max()) throw std::invalid_argument("a tree has fewer than 2**32 nodes");
        if (leaves > nodes) throw std::invalid_argument("a tree has fewer leaves than nodes");
        for (std::size_t x = 0; x < nodes; ++x) {
            if (x % block_length == 0) control.checkpoint();
            const std::int64_t up = parent[x];
            const auto first = static_cast<std::int64_t>(std::max(x + 1, leaves));
            if (up != -1 && (up < first || up >= static_cast<std::int64_t>(nodes)))
                throw std::invalid_argument("parents must come after their children, and a leaf has no child");
            if (x < leaves) continue;
            const std::int64_t own = level[x - leaves];
            if (own < (x > leaves ? level[x - leaves - 1] : 1) || own > static_cast<std::int64_t>(levels))
                throw std::invalid_argument("levels must not fall");
        }
    }

    Buffer<std::uint32_t> sizes(Control& control) const {
        Buffer<std::uint32_t> size(nodes);
        for (std::size_t x = 0; x < nodes; ++x) size[x] = x < leaves;
        for (std::size_t x = 0; x < nodes; ++x) {
            if (x % block_length == 0) control.checkpoint();
            if (parent[x] >= 0) size[static_cast<std::size_t>(parent[x])] += size[x];
        }
        return size;
    }
};

// The leaves in the order of a walk through the tree, and the node where each meets the one before it.
struct LeafWalk {
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();  // two roots never meet

    Buffer<std::uint32_t> leaf, meeting;

    LeafWalk(const LevelTree& tree, const Buffer<std::uint32_t>& size, Control& control)
        : leaf(tree.leaves), meeting(tree.leaves) {
        Buffer<std::uint32_t> begin(tree.nodes), next(tree.nodes);  // of a node, and of its next child
        std::uint32_t end = 0;
        for (std::size_t x = tree.nodes; x-- > 0;) {
            if (x % block_length == 0) control.checkpoint();
            std::uint32_t& start = begin[x];
            if (tree.parent[x] < 0) {
                start = end;
                end += size[x];
                if (size[x] > 0) meeting[start] = none;
            } else {
                const auto up = static_cast<std::size_t>(tree.parent[x]);
                start = next[up];
                next[up] += size[x];
                // The first child begins where its parent does, and its first leaf meets the one before higher up.
                if (size[x] > 0 && start != begin[up]) meeting[start] = static_cast<std::uint32_t>(up);
            }
            next[x] = start;
            if (x < tree.leaves) leaf[start] = static_cast<std::uint32_t>(x);
        }
    }
};

// The highest of the nodes where neighbours met, since any leaf before: a stack of nodes that never rise.
class MeetingStack {
public:
    void push(std::uint32_t position, std::uint32_t node) {
        while (!stack_.empty() && stack_.back().node <= node) stack_.pop_back();
        stack_.push_back({position, node});
    }

    // Where the leaf of the last push meets the one at an earlier position.
    std::uint32_t since(std::uint32_t position) const {
        const auto later = [](std::uint32_t wanted, const Entry& entry) { return wanted < entry.position; };
        return std::upper_bound(stack_.begin(), stack_.end(), position, later)->node;
    }

private:
    struct Entry {
        std::uint32_t position, node;
    };

    std::vector<Entry> stack_;
};

// Calls meet(node, label) for each two parts of a label that a node brings together, and then, once for each node and
// label, grown(node, label, overlap, pairs): the pairs of that label which the node brings together.
template <class Meet, class Grown>
void walk_overlaps(const LevelTree& tree, const Buffer<std::uint32_t>& size, const std::int64_t* label, std::size_t labels,
                   Meet meet, Grown grown, Control& control) {
    constexpr std::uint32_t none = LeafWalk::none;
    const LeafWalk walk(tree, size, control);
    // A part of a label: its leaves so far, the node where it meets the part below it, and what its own node joined.
    struct Part {
        std::uint32_t count, meeting, below, node;
        std::uint64_t pairs;
    };
    Buffer<Part> part(tree.leaves);  // each begins with a leaf, at whose position it is
    std::vector<std::uint32_t> top(labels, none);
    const auto finish = [&](const Part& done, std::size_t of) {
        if (done.pairs > 0) grown(done.node, of, done.count, done.pairs);
    };
    const auto join_top = [&](std::size_t of) {
        const Part& upper = part[top[of]];
        Part& lower = part[upper.below];
        finish(upper, of);
        if (lower.node != upper.meeting) {
            finish(lower, of);
            lower.node = upper.meeting;
            lower.pairs = 0;
        }
        lower.pairs += std::uint64_t{lower.count} * upper.count;
        lower.count += upper.count;
        meet(lower.node, of);
        top[of] = upper.below;
    };
    const auto finish_all = [&](std::size_t of) {
        while (part[top[of]].below != none) join_top(of);
        finish(part[top[of]], of);
    };
    MeetingStack meetings;
    for (std::size_t p = 0; p < tree.leaves; ++p) {
        if (p % block_length == 0) control.checkpoint();
        const auto position = static_cast<std::uint32_t>(p);
        meetings.push(position, walk.meeting[p]);
        const auto of = static_cast<std::size_t>(label[walk.leaf[p]]);
        std::uint32_t meeting = none;
        if (top[of] != none) {
            meeting = meetings.since(top[of]);  // the last leaf of the label began the top part
            if (meeting == none) finish_all(of);
            while (meeting != none && part[top[of]].below != none && part[top[of]].meeting <= meeting) join_top(of);
        }
        part[p] = {1, meeting, meeting == none ? none : top[of], none, 0};
        top[of] = position;
    }
    for (std::size_t of = 0; of < labels; ++of)
        if (top[of] != none) finish_all(of);
}

// Sums at each level, from 0 on, where every leaf is a cluster. Write n for an overlap of a cluster of the level with a
// label, a for the leaves of the label and b for those of the cluster.
struct TruthLevels {
    Buffer<std::int64_t> clusters, cells, kept, nn, bb, label_best, cluster_best, largest;
    std::vector<Int128> nab, bbb;      // Σ nab over overlaps and Σ b³ over clusters
    Buffer<std::int64_t> node_squares;  // for each node, Σ n² of its overlaps
};

namespace levels {

// From what is added at each level to the sum of all up to it.
template <class Sums>
void accumulate(Sums& sums, std::size_t length) {
    for (std::size_t i = 1; i < length; ++i) sums[i] += sums[i - 1];
}

inline Buffer<std::int64_t> zeros(std::size_t length) {
    Buffer<std::int64_t> made(length);
    std::fill(made.begin(), made.end(), 0);
    return made;
}

inline void check_labels(const std::int64_t* label, std::size_t leaves, std::size_t labels) {
    for (std::size_t x = 0; x < leaves; ++x)
        if (label[x] < 0 || label[x] >= static_cast<std::int64_t>(labels))
            throw std::invalid_argument("labels are numbered from 0");
}

}  // namespace levels

inline TruthLevels truth_levels(const LevelTree& tree, const std::int64_t* label, std::size_t labels, Control& control) {
    tree.check(control);
    levels::check_labels(label, tree.leaves, labels);
    const Buffer<std::uint32_t> size = tree.sizes(control);
    std::vector<std::uint32_t> label_size(labels);
    for (std::size_t x = 0; x < tree.leaves; ++x) ++label_size[static_cast<std::size_t>(label[x])];

    // Of each node: Σ n², overlaps, Σ na, the largest n, and whether it has the leaves of one label, all of them.
    Buffer<std::int64_t> squares(tree.nodes), overlaps(tree.nodes);
    Buffer<std::int64_t> label_sizes(tree.nodes);
    Buffer<std::uint32_t> largest(tree.nodes);
    std::vector<bool> is_label(tree.nodes);
    for (std::size_t x = 0; x < tree.nodes; ++x) {
        const bool is_leaf = x < tree.leaves;
        const std::uint32_t own = is_leaf ? label_size[static_cast<std::size_t>(label[x])] : 0;
        squares[x] = overlaps[x] = is_leaf;
        largest[x] = is_leaf;
        label_sizes[x] = own;
        is_label[x] = own == 1;
    }
    // The best overlap of a label only grows with the levels, so it is followed in their order.
    struct Grown {
        std::uint32_t node, label, overlap;
    };
    std::vector<Grown> grown;
    grown.reserve(tree.leaves);
    walk_overlaps(
        tree, size, label, labels, [&](std::uint32_t node, std::size_t) { --overlaps[node]; },
        [&](std::uint32_t node, std::size_t of, std::uint32_t overlap, std::uint64_t pairs) {
            squares[node] += static_cast<std::int64_t>(2 * pairs);
            largest[node] = std::max(largest[node], overlap);
            if (overlap == label_size[of] && overlap == size[node]) is_label[node] = true;
            grown.push_back({node, static_cast<std::uint32_t>(of), overlap});
        },
        control);

    const std::size_t length = tree.levels + 1;
    TruthLevels sums;
    for (auto* each : {&sums.clusters, &sums.cells, &sums.kept, &sums.nn, &sums.bb, &sums.label_best, &sums.cluster_best,
                       &sums.largest})
        *each = levels::zeros(length);
    sums.nab.resize(length);
    sums.bbb.resize(length);
    for (std::size_t x = 0; x < tree.nodes; ++x) {
        if (x % block_length == 0) control.checkpoint();
        const std::int64_t b = size[x];
        if (b == 0) continue;  // its leaves were left out
        if (tree.parent[x] >= 0) {
            const auto up = static_cast<std::size_t>(tree.parent[x]);
            squares[up] += squares[x];
            overlaps[up] += overlaps[x];
            label_sizes[up] += label_sizes[x];
            largest[up] = std::max(largest[up], largest[x]);
            if (is_label[x] && size[up] == size[x]) is_label[up] = true;
        }
        // A node is a cluster from its own level on until that of its parent.
        const auto count = [&](std::size_t at, std::int64_t sign) {
            sums.clusters[at] += sign;
            sums.cells[at] += sign * overlaps[x];
            sums.kept[at] += sign * is_label[x];
            sums.nn[at] += sign * squares[x];
            sums.bb[at] += sign * b * b;
            sums.cluster_best[at] += sign * static_cast<std::int64_t>(largest[x]);
            sums.nab[at] += Int128(sign * b) * Int128(label_sizes[x]);
            sums.bbb[at] += Int128(sign * b) * Int128(b * b);
        };
        const std::size_t own = tree.level_of(x);
        count(own, 1);
        sums.largest[own] = std::max(sums.largest[own], b);
        if (tree.parent[x] >= 0) count(tree.level_of(static_cast<std::size_t>(tree.parent[x])), -1);
    }
    // In the order of the nodes, and so of the levels.
    Buffer<std::uint32_t> start(tree.nodes + 1);
    std::fill(start.begin(), start.end(), 0);
    for (const Grown& each : grown) ++start[each.node + 1];
    for (std::size_t x = 0; x < tree.nodes; ++x) start[x + 1] += start[x];
    Buffer<Grown> ordered(grown.size());
    for (const Grown& each : grown) ordered[start[each.node]++] = each;
    std::vector<std::uint32_t> best(labels, 1);
    for (const Grown& each : ordered) {
        if (each.overlap <= best[each.label]) continue;
        sums.label_best[tree.level_of(each.node)] += each.overlap - best[each.label];
        best[each.label] = each.overlap;
    }
    sums.label_best[0] += static_cast<std::int64_t>(labels);
    for (auto* each : {&sums.clusters, &sums.cells, &sums.kept, &sums.nn, &sums.bb, &sums.label_best, &sums.cluster_best})
        levels::accumulate(*each, length);
    levels::accumulate(sums.nab, length);
    levels::accumulate(sums.bbb, length);
    for (std::size_t i = 1; i < length; ++i) sums.largest[i] = std::max(sums.largest[i], sums.largest[i - 1]);
    sums.node_squares = std::move(squares);
    return sums;
}

// The overlaps of nodes and labels that are larger than those of the node's children, and the pairs of the label that
// the node brings together.
struct GrownOverlaps {
    std::vector<std::int64_t> node, label, overlap, pairs, size;
};

inline GrownOverlaps grown_overlaps(const LevelTree& tree, const std::int64_t* label, std::size_t labels, Control& control) {
    tree.check(control);
    levels::check_labels(label, tree.leaves, labels);
    const Buffer<std::uint32_t> size = tree.sizes(control);
    GrownOverlaps found;
    walk_overlaps(
        tree, size, label, labels, [](std::uint32_t, std::size_t) {},
        [&](std::uint32_t node, std::size_t of, std::uint32_t overlap, std::uint64_t pairs) {
            found.node.push_back(node);
            found.label.push_back(static_cast<std::int64_t>(of));
            found.overlap.push_back(overlap);
            found.pairs.push_back(static_cast<std::int64_t>(pairs));
            found.size.push_back(size[node]);
        },
        control);
    return found;
}

}  // namespace concordant
