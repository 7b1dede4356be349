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
#include "base/parallel.hpp"
#include "base/processor.hpp"

namespace concordant {

// Children come before their parents, leaves before all other nodes; a root has the parent -1.
struct LevelTree {
    const std::int64_t* parent;
    std::size_t nodes, leaves;
    const std::int64_t* level;  // of the nodes that are not leaves: from 1 on, never falling
    std::size_t levels;         // the last level

    std::size_t level_of(std::size_t node) const { return node < leaves ? 0 : static_cast<std::size_t>(level[node - leaves]); }

    // Fetches what belongs to the parent of a node further on: parents are anywhere in memory.
    template <class Values>
    void prefetch_parent(const Values& values, std::size_t node, std::size_t end) const {
        constexpr std::size_t ahead = 24;
        if (node + ahead < end && parent[node + ahead] >= 0)
            prefetch(&values[static_cast<std::size_t>(parent[node + ahead]) - leaves]);
    }

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

    // Of the nodes that are not leaves: how many children are leaves.
    Buffer<std::uint32_t> leaf_children(Control& control) const {
        Buffer<std::uint32_t> count(nodes - leaves);
        std::fill(count.begin(), count.end(), 0);
        for (std::size_t x = 0; x < leaves; ++x) {
            if (x % block_length == 0) control.checkpoint();
            prefetch_parent(count, x, leaves);
            if (parent[x] >= 0) ++count[static_cast<std::size_t>(parent[x]) - leaves];
        }
        return count;
    }

    // Of the nodes that are not leaves: how many leaves are below.
    Buffer<std::uint32_t> sizes(Control& control) const {
        Buffer<std::uint32_t> size = leaf_children(control);
        for (std::size_t x = leaves; x < nodes; ++x) {
            if (x % block_length == 0) control.checkpoint();
            prefetch_parent(size, x, nodes);
            if (parent[x] >= 0) size[static_cast<std::size_t>(parent[x]) - leaves] += size[x - leaves];
        }
        return size;
    }
};

// The leaves in the order of a walk through the tree: the label of each, and the node where it meets the one before.
struct LeafWalk {
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();  // two roots never meet

    struct Leaf {
        std::uint32_t label, meeting;
    };

    Buffer<Leaf> leaf;

    LeafWalk(const LevelTree& tree, const Buffer<std::uint32_t>& size, const std::int64_t* label_of, Control& control)
        : leaf(tree.leaves) {
        struct Place {
            std::uint32_t begin, next;  // of a node, and of its next child
        };
        Buffer<Place> place(tree.nodes - tree.leaves);
        std::uint32_t end = 0;
        for (std::size_t x = tree.nodes; x-- > 0;) {
            if (x % block_length == 0) control.checkpoint();
            constexpr std::size_t ahead = 24;
            if (x >= ahead && tree.parent[x - ahead] >= 0)
                prefetch(&place[static_cast<std::size_t>(tree.parent[x - ahead]) - tree.leaves]);
            const std::uint32_t own = x < tree.leaves ? 1 : size[x - tree.leaves];
            std::uint32_t start = end;
            if (tree.parent[x] < 0) {
                end += own;
                if (own > 0) leaf[start].meeting = none;
            } else {
                Place& up = place[static_cast<std::size_t>(tree.parent[x]) - tree.leaves];
                start = up.next;
                up.next += own;
                // The first child begins where its parent does, and its first leaf meets the one before higher up.
                if (own > 0 && start != up.begin) leaf[start].meeting = static_cast<std::uint32_t>(tree.parent[x]);
            }
            if (x < tree.leaves)
                leaf[start].label = static_cast<std::uint32_t>(label_of[x]);
            else
                place[x - tree.leaves] = {start, start};
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

// An overlap of a node with a label that is larger than those of the node's children.
struct GrownOverlap {
    std::uint32_t node, label, overlap;
    std::uint32_t meetings;  // the children with a part of the label, without the first
    std::uint64_t pairs;     // of the label, which the node brings together
};

// Calls grown(GrownOverlap) once for each.
template <class Grown>
void walk_overlaps(const LevelTree& tree, const Buffer<std::uint32_t>& size, const std::int64_t* label, std::size_t labels,
                   Grown grown, Control& control) {
    constexpr std::uint32_t none = LeafWalk::none;
    const LeafWalk walk(tree, size, label, control);
    // A part of a label: its leaves so far, the node where it meets the part below it, and what its own node joined.
    struct Part {
        std::uint32_t count, meeting, below, node, meetings;
        std::uint64_t pairs;
    };
    Buffer<Part> part(tree.leaves);  // each begins with a leaf, at whose position it is
    std::vector<std::uint32_t> top(labels, none);
    const auto finish = [&](const Part& done, std::size_t of) {
        if (done.pairs > 0)
            grown(GrownOverlap{done.node, static_cast<std::uint32_t>(of), done.count, done.meetings, done.pairs});
    };
    const auto join_top = [&](std::size_t of) {
        const Part& upper = part[top[of]];
        Part& lower = part[upper.below];
        finish(upper, of);
        if (lower.node != upper.meeting) {
            finish(lower, of);
            lower.node = upper.meeting;
            lower.meetings = 0;
            lower.pairs = 0;
        }
        ++lower.meetings;
        lower.pairs += std::uint64_t{lower.count} * upper.count;
        lower.count += upper.count;
        top[of] = upper.below;
    };
    const auto finish_all = [&](std::size_t of) {
        while (part[top[of]].below != none) join_top(of);
        finish(part[top[of]], of);
    };
    MeetingStack meetings;
    for (std::size_t p = 0; p < tree.leaves; ++p) {
        if (p % block_length == 0) control.checkpoint();
        constexpr std::size_t far = 32, near = 16;
        if (p + far < tree.leaves) {
            prefetch(&top[walk.leaf[p + far].label]);
            const std::uint32_t next = top[walk.leaf[p + near].label];
            if (next != none) prefetch(&part[next]);
        }
        const auto position = static_cast<std::uint32_t>(p);
        meetings.push(position, walk.leaf[p].meeting);
        const std::size_t of = walk.leaf[p].label;
        std::uint32_t meeting = none;
        if (top[of] != none) {
            meeting = meetings.since(top[of]);  // the last leaf of the label began the top part
            if (meeting == none) finish_all(of);
            while (meeting != none && part[top[of]].below != none && part[top[of]].meeting <= meeting) join_top(of);
        }
        part[p] = {1, meeting, meeting == none ? none : top[of], none, 0, 0};
        top[of] = position;
    }
    for (std::size_t of = 0; of < labels; ++of)
        if (top[of] != none) finish_all(of);
}

// Sums at each level, from 0 on, where every leaf is a cluster. Write n for an overlap of a cluster of the level with a
// label, a for the leaves of the label and b for those of the cluster.
struct TruthLevels {
    Buffer<std::int64_t> clusters, cells, kept, nn, bb, cluster_best, largest;
    Buffer<std::int64_t> label_best;  // empty unless it was asked for
    Buffer<std::int64_t> node_pairs;  // for each node that is no leaf, the pairs of one label that it brings together
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

inline TruthLevels truth_levels(const LevelTree& tree, const std::int64_t* label, std::size_t labels, bool with_label_best,
                                Control& control) {
    tree.check(control);
    levels::check_labels(label, tree.leaves, labels);
    const Buffer<std::uint32_t> size = tree.sizes(control);
    std::vector<std::uint32_t> label_size(labels);
    for (std::size_t x = 0; x < tree.leaves; ++x) ++label_size[static_cast<std::size_t>(label[x])];

    // A node that is no leaf, with sums over its children: all in one place, since nodes are visited in any order.
    struct Node {
        std::int64_t pairs, child_squares;
        std::uint32_t meetings, largest, children, child_best, child_kept;
        bool is_label;  // whether it has the leaves of one label, all of them
    };
    const std::size_t inner = tree.nodes - tree.leaves, length = tree.levels + 1;
    Buffer<Node> node(inner);
    std::fill(node.begin(), node.end(), Node{0, 0, 0, 0, 0, 0, 0, false});
    LargeList<GrownOverlap> grown;
    walk_overlaps(tree, size, label, labels, [&](const GrownOverlap& each) { grown.push_back(each); }, control);
    for (std::size_t i = 0; i < grown.size(); ++i) {
        if (i % block_length == 0) control.checkpoint();
        constexpr std::size_t ahead = 16;
        if (i + ahead < grown.size()) {
            prefetch(&node[grown[i + ahead].node - tree.leaves]);
            prefetch(&label_size[grown[i + ahead].label]);
        }
        const GrownOverlap& each = grown[i];
        Node& own = node[each.node - tree.leaves];
        own.meetings += each.meetings;
        own.pairs += static_cast<std::int64_t>(each.pairs);
        own.largest = std::max(own.largest, each.overlap);
        if (each.overlap == label_size[each.label] && each.overlap == size[each.node - tree.leaves]) own.is_label = true;
    }

    TruthLevels sums;
    for (auto* each : {&sums.clusters, &sums.cells, &sums.kept, &sums.nn, &sums.bb, &sums.cluster_best, &sums.largest})
        *each = levels::zeros(length);
    // All that a leaf adds to its parent is 1, but for leaves that have a label of their own.
    sums.kept[0] = std::count(label_size.begin(), label_size.end(), 1U);
    for (std::size_t x = 0; x < tree.leaves && sums.kept[0] > 0; ++x)
        if (tree.parent[x] >= 0 && label_size[static_cast<std::size_t>(label[x])] == 1)
            ++node[static_cast<std::size_t>(tree.parent[x]) - tree.leaves].child_kept;
    const Buffer<std::uint32_t> leaf_children = tree.leaf_children(control);
    const auto leaves = static_cast<std::int64_t>(tree.leaves);
    sums.clusters[0] = sums.cells[0] = sums.nn[0] = sums.bb[0] = sums.cluster_best[0] = leaves;
    sums.largest[0] = leaves > 0;
    sums.node_pairs = Buffer<std::int64_t>(inner);
    for (std::size_t i = 0; i < inner; ++i) {
        if (i % block_length == 0) control.checkpoint();
        tree.prefetch_parent(node, i + tree.leaves, tree.nodes);
        Node& own = node[i];
        own.children += leaf_children[i];
        own.child_squares += leaf_children[i];
        own.child_best += leaf_children[i];
        if (leaf_children[i] > 0) own.largest = std::max(own.largest, 1U);
        sums.node_pairs[i] = own.pairs;
        const std::int64_t b = size[i];
        if (b == 0) continue;  // its leaves were left out
        if (own.children == 1 && own.child_kept == 1) own.is_label = true;
        const auto at = static_cast<std::size_t>(tree.level[i]);
        sums.clusters[at] -= static_cast<std::int64_t>(own.children) - 1;
        sums.cells[at] -= own.meetings;
        sums.kept[at] += std::int64_t{own.is_label} - own.child_kept;
        sums.nn[at] += 2 * own.pairs;
        sums.bb[at] += b * b - own.child_squares;
        sums.cluster_best[at] += std::int64_t{own.largest} - own.child_best;
        sums.largest[at] = std::max(sums.largest[at], b);
        const std::int64_t parent = tree.parent[i + tree.leaves];
        if (parent < 0) continue;
        Node& up = node[static_cast<std::size_t>(parent) - tree.leaves];
        ++up.children;
        up.child_squares += b * b;
        up.child_best += own.largest;
        up.child_kept += own.is_label;
        up.largest = std::max(up.largest, own.largest);
    }
    for (auto* each : {&sums.clusters, &sums.cells, &sums.kept, &sums.nn, &sums.bb, &sums.cluster_best})
        levels::accumulate(*each, length);
    for (std::size_t i = 1; i < length; ++i) sums.largest[i] = std::max(sums.largest[i], sums.largest[i - 1]);
    if (!with_label_best) return sums;

    // The best overlap of a label only grows with the levels, so it is followed in their order, which is that of the nodes.
    Buffer<std::uint32_t> start(inner + 1);
    std::fill(start.begin(), start.end(), 0);
    for (const GrownOverlap& each : grown) ++start[each.node - tree.leaves + 1];
    for (std::size_t i = 0; i < inner; ++i) start[i + 1] += start[i];
    Buffer<GrownOverlap> ordered(grown.size());
    for (const GrownOverlap& each : grown) ordered[start[each.node - tree.leaves]++] = each;
    std::vector<std::uint32_t> best(labels, 1);
    sums.label_best = levels::zeros(length);
    sums.label_best[0] = static_cast<std::int64_t>(labels);
    for (const GrownOverlap& each : ordered) {
        if (each.overlap <= best[each.label]) continue;
        sums.label_best[static_cast<std::size_t>(tree.level[each.node - tree.leaves])] += each.overlap - best[each.label];
        best[each.label] = each.overlap;
    }
    levels::accumulate(sums.label_best, length);
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
        tree, size, label, labels,
        [&](const GrownOverlap& each) {
            found.node.push_back(each.node);
            found.label.push_back(each.label);
            found.overlap.push_back(each.overlap);
            found.pairs.push_back(static_cast<std::int64_t>(each.pairs));
            found.size.push_back(size[each.node - tree.leaves]);
        },
        control);
    return found;
}

}  // namespace concordant
