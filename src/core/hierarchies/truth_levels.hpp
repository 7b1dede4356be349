// A tree against labels of its leaves: the overlap of every node with every label, and what sums of overlaps are at
// every level. Leaves of one label, taken in the order of a walk through the tree, meet at the nodes of a smaller
// tree; only there its overlaps grow, two parts at a time, so they grow fewer times than there are leaves.
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

// At each level, from 0 on, the sum of the values of the nodes that are clusters then.
inline Buffer<std::int64_t> cluster_sums(const LevelTree& tree, const std::int64_t* value, Control& control) {
    tree.check(control);
    Buffer<std::int64_t> sums(tree.levels + 1);
    std::fill(sums.begin(), sums.end(), 0);
    for (std::size_t x = 0; x < tree.nodes; ++x) {
        if (x % block_length == 0) control.checkpoint();
        sums[tree.level_of(x)] += value[x];
        if (tree.parent[x] >= 0) sums[tree.level_of(static_cast<std::size_t>(tree.parent[x]))] -= value[x];
    }
    for (std::size_t i = 1; i < sums.size; ++i) sums[i] += sums[i - 1];
    return sums;
}

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
            constexpr std::size_t far = 32, near = 12;
            const auto place_of = [&](std::int64_t up) { return &place[static_cast<std::size_t>(up) - tree.leaves]; };
            if (x >= far && tree.parent[x - far] >= 0) prefetch(place_of(tree.parent[x - far]));
            if (x >= near && x - near < tree.leaves && tree.parent[x - near] > static_cast<std::int64_t>(x))
                prefetch(&leaf[place_of(tree.parent[x - near])->next]);
            const std::uint32_t own = x < tree.leaves ? 1 : size[x - tree.leaves];
            std::uint32_t start = end;
            if (tree.parent[x] < 0) {
                end += own;
                if (own > 0) leaf[start].meeting = none;
            } else {
                Place& up = *place_of(tree.parent[x]);
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

    // Where the leaf of the last push meets the one at an earlier position. Leaves of one label are often close together,
    // so the search starts at the end, and its steps double.
    std::uint32_t since(std::uint32_t position) const {
        const auto later = [](std::uint32_t wanted, const Entry& entry) { return wanted < entry.position; };
        std::size_t high = stack_.size() - 1, step = 1;  // the entry at `high` is later
        while (step <= high && later(position, stack_[high - step])) {
            high -= step;
            step *= 2;
        }
        const Entry* low = stack_.data() + (step <= high ? high - step + 1 : 0);
        return std::upper_bound(low, stack_.data() + high, position, later)->node;
    }

private:
    struct Entry {
        std::uint32_t position, node;
    };

    std::vector<Entry> stack_;
};

// Two parts of a label that a node brings together. A node with more parts of it joins them one after the other.
struct JoinedParts {
    std::uint32_t node, label, first, second;  // the latter are the sizes of the parts

    std::uint32_t overlap() const { return first + second; }
    std::uint64_t pairs() const { return std::uint64_t{first} * second; }
};

using JoinLists = std::vector<LargeList<JoinedParts>>;

// All of them, in one list for each thread. Threads share the labels: each follows the whole walk, but enters only the
// leaves of its own.
inline JoinLists joined_parts(const LevelTree& tree, const Buffer<std::uint32_t>& size, const std::int64_t* label,
                              std::size_t labels, unsigned threads, Control& control) {
    constexpr std::uint32_t none = LeafWalk::none;
    const LeafWalk walk(tree, size, label, control);
    struct Part {
        std::uint32_t count, meeting, below;  // its leaves so far, the part below it, and the node where it meets that
    };
    Buffer<Part> part(tree.leaves);  // each begins with a leaf, at whose position it is
    Buffer<std::uint32_t> top(labels);
    std::fill(top.begin(), top.end(), none);
    JoinLists lists(threads);
    parallel_for(control, threads, threads, [&](unsigned, std::size_t share) {
        const std::size_t first = labels * share / threads, last = labels * (share + 1) / threads;
        const auto is_own = [&](std::size_t of) { return first <= of && of < last; };
        const auto join_top = [&](std::size_t of) {
            const Part& upper = part[top[of]];
            Part& lower = part[upper.below];
            lists[share].push_back({upper.meeting, static_cast<std::uint32_t>(of), lower.count, upper.count});
            lower.count += upper.count;
            top[of] = upper.below;
        };
        const auto join_all = [&](std::size_t of) {
            while (part[top[of]].below != none) join_top(of);
        };
        MeetingStack meetings;
        for (std::size_t p = 0; p < tree.leaves; ++p) {
            if (p % block_length == 0) control.checkpoint();
            constexpr std::size_t far = 32, near = 16;
            if (p + far < tree.leaves) {
                prefetch(&top[walk.leaf[p + far].label]);
                const std::size_t next = walk.leaf[p + near].label;
                if (is_own(next) && top[next] != none) prefetch(&part[top[next]]);
            }
            const auto position = static_cast<std::uint32_t>(p);
            meetings.push(position, walk.leaf[p].meeting);
            const std::size_t of = walk.leaf[p].label;
            if (!is_own(of)) continue;
            std::uint32_t meeting = none;
            if (top[of] != none) {
                meeting = meetings.since(top[of]);  // the last leaf of the label began the top part
                if (meeting == none) join_all(of);
                while (meeting != none && part[top[of]].below != none && part[top[of]].meeting <= meeting) join_top(of);
            }
            part[p] = {1, meeting, meeting == none ? none : top[of]};
            top[of] = position;
        }
        for (std::size_t of = first; of < last; ++of)
            if (top[of] != none) join_all(of);
    });
    return lists;
}

// Calls use(join) for each, and fetch(join) for one that follows soon: nodes and labels are anywhere in memory.
template <class Fetch, class Use>
void for_each_join(const JoinLists& lists, Control& control, Fetch fetch, Use use) {
    for (const LargeList<JoinedParts>& joins : lists)
        for (std::size_t i = 0; i < joins.size(); ++i) {
            if (i % block_length == 0) control.checkpoint();
            constexpr std::size_t ahead = 16;
            if (i + ahead < joins.size()) fetch(joins[i + ahead]);
            use(joins[i]);
        }
}

namespace levels {

// From what is added at each level to the sum of all up to it.
template <class Sums>
void accumulate(Sums& sums) {
    for (std::size_t i = 1; i < sums.size; ++i) sums[i] += sums[i - 1];
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

inline std::vector<std::uint32_t> label_sizes(const LevelTree& tree, const std::int64_t* label, std::size_t labels) {
    std::vector<std::uint32_t> size(labels);
    for (std::size_t x = 0; x < tree.leaves; ++x) ++size[static_cast<std::size_t>(label[x])];
    return size;
}

}  // namespace levels

// Sums at each level, from 0 on, where every leaf is a cluster. Write n for an overlap of a cluster of the level with a
// label, a for the leaves of the label and b for those of the cluster.
struct PairLevels {
    Buffer<std::int64_t> clusters, nn, bb, largest;
    Buffer<std::int64_t> node_pairs;  // for each inner node, the pairs of one label that it brings together
};

inline PairLevels pair_levels(const LevelTree& tree, const std::int64_t* label, std::size_t labels, unsigned threads,
                              Control& control) {
    tree.check(control);
    levels::check_labels(label, tree.leaves, labels);
    const std::size_t inner = tree.nodes - tree.leaves, length = tree.levels + 1;
    // An inner node, with sums over its children: all in one place, since nodes are visited in any order.
    struct Inner {
        std::uint32_t size, children;
        std::uint64_t child_squares;
    };
    Buffer<Inner> node(inner);
    std::fill(node.begin(), node.end(), Inner{0, 0, 0});
    Buffer<std::uint32_t> size = tree.leaf_children(control);  // and those below the other children, further down
    PairLevels sums;
    for (auto* each : {&sums.clusters, &sums.nn, &sums.bb, &sums.largest}) *each = levels::zeros(length);
    const auto leaves = static_cast<std::int64_t>(tree.leaves);
    sums.clusters[0] = sums.nn[0] = sums.bb[0] = leaves;
    sums.largest[0] = leaves > 0;
    for (std::size_t i = 0; i < inner; ++i) {
        if (i % block_length == 0) control.checkpoint();
        tree.prefetch_parent(node, i + tree.leaves, tree.nodes);
        const std::uint32_t alone = size[i];
        const Inner own{node[i].size + alone, node[i].children + alone, node[i].child_squares + alone};
        size[i] = own.size;
        if (own.size == 0) continue;  // its leaves were left out
        const auto at = static_cast<std::size_t>(tree.level[i]);
        const std::uint64_t square = std::uint64_t{own.size} * own.size;
        sums.clusters[at] -= static_cast<std::int64_t>(own.children) - 1;
        sums.bb[at] += static_cast<std::int64_t>(square - own.child_squares);
        sums.largest[at] = std::max(sums.largest[at], std::int64_t{own.size});
        const std::int64_t parent = tree.parent[i + tree.leaves];
        if (parent < 0) continue;
        Inner& up = node[static_cast<std::size_t>(parent) - tree.leaves];
        up.size += own.size;
        ++up.children;
        up.child_squares += square;
    }
    node = {};
    sums.node_pairs = levels::zeros(inner);
    for_each_join(
        joined_parts(tree, size, label, labels, threads, control), control,
        [&](const JoinedParts& join) { prefetch(&sums.node_pairs[join.node - tree.leaves]); },
        [&](const JoinedParts& join) { sums.node_pairs[join.node - tree.leaves] += static_cast<std::int64_t>(join.pairs()); });
    for (std::size_t i = 0; i < inner; ++i) sums.nn[static_cast<std::size_t>(tree.level[i])] += 2 * sums.node_pairs[i];
    for (auto* each : {&sums.clusters, &sums.nn, &sums.bb}) levels::accumulate(*each);
    for (std::size_t i = 1; i < length; ++i) sums.largest[i] = std::max(sums.largest[i], sums.largest[i - 1]);
    return sums;
}

struct OverlapLevels {
    Buffer<std::int64_t> cells, kept, cluster_best, label_best;
};

inline OverlapLevels overlap_levels(const LevelTree& tree, const std::int64_t* label, std::size_t labels, unsigned threads,
                                    Control& control) {
    tree.check(control);
    levels::check_labels(label, tree.leaves, labels);
    const Buffer<std::uint32_t> size = tree.sizes(control);
    const std::vector<std::uint32_t> label_size = levels::label_sizes(tree, label, labels);

    // An inner node, with sums over its children: all in one place, since nodes are visited in any order.
    struct Inner {
        std::uint32_t meetings, largest, children, child_best, child_kept;
        bool is_label;  // whether it has the leaves of one label, all of them
    };
    const std::size_t inner = tree.nodes - tree.leaves, length = tree.levels + 1;
    Buffer<Inner> node(inner);
    std::fill(node.begin(), node.end(), Inner{0, 0, 0, 0, 0, false});
    const JoinLists joins = joined_parts(tree, size, label, labels, threads, control);
    Buffer<std::uint32_t> start(inner + 1);  // of the joins of each node, in the order of nodes
    std::fill(start.begin(), start.end(), 0);
    for_each_join(
        joins, control,
        [&](const JoinedParts& join) {
            prefetch(&node[join.node - tree.leaves]);
            prefetch(&label_size[join.label]);
        },
        [&](const JoinedParts& join) {
            Inner& own = node[join.node - tree.leaves];
            ++own.meetings;
            own.largest = std::max(own.largest, join.overlap());
            if (join.overlap() == label_size[join.label] && join.overlap() == size[join.node - tree.leaves]) own.is_label = true;
        });
    for (std::size_t i = 0; i < inner; ++i) start[i + 1] = start[i] + node[i].meetings;

    OverlapLevels sums;
    for (auto* each : {&sums.cells, &sums.kept, &sums.cluster_best, &sums.label_best}) *each = levels::zeros(length);
    // All that a leaf adds to its parent is 1, but for leaves that have a label of their own.
    sums.kept[0] = std::count(label_size.begin(), label_size.end(), 1U);
    for (std::size_t x = 0; x < tree.leaves && sums.kept[0] > 0; ++x)
        if (tree.parent[x] >= 0 && label_size[static_cast<std::size_t>(label[x])] == 1)
            ++node[static_cast<std::size_t>(tree.parent[x]) - tree.leaves].child_kept;
    const Buffer<std::uint32_t> leaf_children = tree.leaf_children(control);
    sums.cells[0] = sums.cluster_best[0] = static_cast<std::int64_t>(tree.leaves);
    for (std::size_t i = 0; i < inner; ++i) {
        if (i % block_length == 0) control.checkpoint();
        tree.prefetch_parent(node, i + tree.leaves, tree.nodes);
        Inner& own = node[i];
        own.children += leaf_children[i];
        own.child_best += leaf_children[i];
        if (leaf_children[i] > 0) own.largest = std::max(own.largest, 1U);
        if (size[i] == 0) continue;  // its leaves were left out
        if (own.children == 1 && own.child_kept == 1) own.is_label = true;
        const auto at = static_cast<std::size_t>(tree.level[i]);
        sums.cells[at] -= own.meetings;
        sums.kept[at] += std::int64_t{own.is_label} - own.child_kept;
        sums.cluster_best[at] += std::int64_t{own.largest} - own.child_best;
        const std::int64_t parent = tree.parent[i + tree.leaves];
        if (parent < 0) continue;
        Inner& up = node[static_cast<std::size_t>(parent) - tree.leaves];
        ++up.children;
        up.child_best += own.largest;
        up.child_kept += own.is_label;
        up.largest = std::max(up.largest, own.largest);
    }
    node = {};

    // The best overlap of a label only grows with the levels, so it is followed in their order, which is that of the nodes.
    struct Grown {
        std::uint32_t label, overlap;
    };
    Buffer<Grown> ordered(start[inner]);
    Buffer<std::uint32_t> next(inner);
    std::copy(start.begin(), start.begin() + inner, next.begin());
    for_each_join(
        joins, control, [&](const JoinedParts& join) { prefetch(&next[join.node - tree.leaves]); },
        [&](const JoinedParts& join) { ordered[next[join.node - tree.leaves]++] = {join.label, join.overlap()}; });
    std::vector<std::uint32_t> best(labels, 1);
    sums.label_best[0] = static_cast<std::int64_t>(labels);
    for (std::size_t i = 0; i < inner; ++i) {
        if (i % block_length == 0) control.checkpoint();
        for (std::size_t k = start[i]; k < start[i + 1]; ++k) {
            constexpr std::size_t ahead = 16;
            if (k + ahead < ordered.size) prefetch(&best[ordered[k + ahead].label]);
            const auto [of, overlap] = ordered[k];
            if (overlap <= best[of]) continue;
            sums.label_best[static_cast<std::size_t>(tree.level[i])] += overlap - best[of];
            best[of] = overlap;
        }
    }
    for (auto* each : {&sums.cells, &sums.kept, &sums.cluster_best, &sums.label_best}) levels::accumulate(*each);
    return sums;
}

// The overlaps of nodes and labels that are larger than those of the node's children, and the pairs of the label that
// the node brings together, in the order of nodes and labels.
struct GrownOverlaps {
    std::vector<std::int64_t> node, label, overlap, pairs, size;
};

inline GrownOverlaps grown_overlaps(const LevelTree& tree, const std::int64_t* label, std::size_t labels, unsigned threads,
                                    Control& control) {
    tree.check(control);
    levels::check_labels(label, tree.leaves, labels);
    const Buffer<std::uint32_t> size = tree.sizes(control);
    LargeList<JoinedParts> joins;
    for_each_join(
        joined_parts(tree, size, label, labels, threads, control), control, [](const JoinedParts&) {},
        [&](const JoinedParts& join) { joins.push_back(join); });
    std::sort(joins.begin(), joins.end(), [](const JoinedParts& x, const JoinedParts& y) {
        return x.node != y.node ? x.node < y.node : x.label != y.label ? x.label < y.label : x.overlap() < y.overlap();
    });
    GrownOverlaps found;
    for (std::size_t i = 0; i < joins.size(); ++i) {
        if (i % block_length == 0) control.checkpoint();
        const JoinedParts& join = joins[i];
        if (i == 0 || join.node != joins[i - 1].node || join.label != joins[i - 1].label) {
            found.node.push_back(join.node);
            found.label.push_back(join.label);
            found.overlap.push_back(0);
            found.pairs.push_back(0);
            found.size.push_back(size[join.node - tree.leaves]);
        }
        found.overlap.back() = join.overlap();  // the last has all parts
        found.pairs.back() += static_cast<std::int64_t>(join.pairs());
    }
    return found;
}

}  // namespace concordant
