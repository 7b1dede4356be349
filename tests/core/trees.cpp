// Random trees, forests and scored pairs against what the definitions give, for several numbers of threads.
// Built with sanitizers by the Makefile beside it; an argument sets the number of rounds.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "fuzzing.hpp"
#include "hierarchies/balanced_paths.hpp"
#include "hierarchies/concordance.hpp"
#include "hierarchies/diagonal.hpp"
#include "hierarchies/drawing.hpp"
#include "hierarchies/drawn_tree.hpp"
#include "hierarchies/level_profiles.hpp"
#include "hierarchies/nested_information.hpp"
#include "hierarchies/pair_forest.hpp"
#include "hierarchies/pair_weights.hpp"
#include "hierarchies/pruning.hpp"
#include "hierarchies/share_levels.hpp"
#include "hierarchies/shared_nodes.hpp"
#include "hierarchies/tree.hpp"
#include "hierarchies/triplets.hpp"
#include "hierarchies/truth_levels.hpp"

using namespace concordant;

namespace {

using Integers = std::vector<std::int64_t>;
using Cells = std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t>;

struct Tree {
    Integers parent, level;
    std::size_t leaves, levels;

    LevelTree view() const { return {parent.data(), parent.size(), leaves, level.data(), levels}; }

    // The cluster of each leaf at a level, as the number of a node.
    Integers clusters(std::size_t at) const {
        Integers top(leaves);
        for (std::size_t x = 0; x < leaves; ++x) {
            auto node = static_cast<std::int64_t>(x);
            for (std::int64_t up = parent[x]; up >= 0 && level[static_cast<std::size_t>(up) - leaves] <= static_cast<std::int64_t>(at);
                 up = parent[static_cast<std::size_t>(up)])
                node = up;
            top[x] = node;
        }
        return top;
    }
};

// Joins two or more open nodes at a time. With `whole` until one is left, and every node has leaves.
Tree make_tree(Random& random, std::size_t leaves, bool whole) {
    Tree tree{Integers(leaves, -1), {}, leaves, 0};
    Integers open(leaves);
    std::iota(open.begin(), open.end(), 0);
    const std::size_t shape = below(random, 3);
    std::int64_t level = 0;
    while (open.size() > 1 && (whole || below(random, 40) > 0)) {
        const std::size_t parts = std::min(open.size(), shape == 0 ? 2 : 2 + below(random, 4));
        const auto node = static_cast<std::int64_t>(tree.parent.size());
        if (shape < 2) std::shuffle(open.begin(), open.end(), random);  // else the last one is joined on, as in a chain
        for (std::size_t i = 0; i < parts; ++i) {
            tree.parent[static_cast<std::size_t>(open.back())] = node;
            open.pop_back();
        }
        level += level == 0 || whole || below(random, 3) > 0;
        tree.parent.push_back(-1);
        tree.level.push_back(level);
        open.push_back(node);
    }
    tree.levels = static_cast<std::size_t>(level) + (whole ? 0 : below(random, 2));
    // Leaves that were left out leave nodes with one child, or without any.
    for (std::size_t x = 0; !whole && x < leaves; ++x)
        if (below(random, 10) == 0) tree.parent[x] = -1;
    return tree;
}

Cells overlaps(const Integers& u, const Integers& v) {
    Cells cells;
    for (std::size_t x = 0; x < u.size(); ++x) ++cells[{u[x], v[x]}];
    return cells;
}

std::map<std::int64_t, std::int64_t> sizes(const Integers& clusters) {
    std::map<std::int64_t, std::int64_t> size;
    for (const std::int64_t each : clusters) ++size[each];
    return size;
}

double value_of(const FixedPoint& sums, std::size_t i) {
    return std::ldexp(static_cast<double>(sums.first[i]), -32) + std::ldexp(static_cast<double>(sums.second[i]), -95);
}

bool near(double x, double y) { return std::abs(x - y) <= 1e-9 * (1 + std::abs(y)); }

void check_levels(Random& random, unsigned long round) {
    const Tree tree = make_tree(random, 1 + below(random, 40), false);
    const std::size_t labels = 1 + below(random, tree.leaves);
    Integers label(tree.leaves);
    for (std::int64_t& each : label) each = static_cast<std::int64_t>(below(random, labels));
    Control control;
    const LevelTree view = tree.view();
    const auto label_size = sizes(label);
    for (const unsigned threads : {1U, 3U}) {
        const PairLevels pairs = pair_levels(view, label.data(), labels, threads, control);
        const OverlapLevels best = overlap_levels(view, label.data(), labels, threads, control);
        const ShareLevels shares = share_levels(view, label.data(), labels, threads, control);
        const LogLevels logs = log_levels(view, label.data(), labels, threads, control);
        LevelProfiles profiles(tree.parent, tree.level, tree.levels, label, labels);
        for (std::size_t at = 0; at <= tree.levels; ++at) {
            const Integers clusters = tree.clusters(at);
            const auto cluster_size = sizes(clusters);
            std::int64_t nn = 0, bb = 0, largest = 0, kept = 0, cluster_best = 0, label_best = 0;
            double over_a = 0, over_b = 0, n_log = 0, b_log = 0;
            std::map<std::int64_t, std::int64_t> best_of_cluster, best_of_label;
            const Cells cells = overlaps(label, clusters);
            for (const auto& [cell, n] : cells) {
                const std::int64_t a = label_size.at(cell.first), b = cluster_size.at(cell.second);
                nn += n * n;
                kept += n == a && n == b;
                const auto own = static_cast<double>(n);
                over_a += own * own / static_cast<double>(a);
                over_b += own * own / static_cast<double>(b);
                n_log += own * std::log(own) / 64;
                best_of_label[cell.first] = std::max(best_of_label[cell.first], n);
                best_of_cluster[cell.second] = std::max(best_of_cluster[cell.second], n);
            }
            for (const auto& [cluster, b] : cluster_size) {
                bb += b * b;
                largest = std::max(largest, b);
                b_log += static_cast<double>(b) * std::log(static_cast<double>(b)) / 64;
            }
            for (const auto& [cluster, n] : best_of_cluster) cluster_best += n;
            for (const auto& [of, n] : best_of_label) label_best += n;
            label_best += static_cast<std::int64_t>(labels - label_size.size());  // labels without a leaf count 1
            if (pairs.nn[at] != nn || pairs.bb[at] != bb || pairs.largest[at] != largest ||
                pairs.clusters[at] != static_cast<std::int64_t>(cluster_size.size()))
                fail("pair levels", round);
            if (best.cells[at] != static_cast<std::int64_t>(cells.size()) || best.kept[at] != kept ||
                best.cluster_best[at] != cluster_best || best.label_best[at] != label_best)
                fail("overlap levels", round);
            if (!near(value_of(shares.label, at), over_a) || !near(value_of(shares.cluster, at), over_b)) fail("share levels", round);
            if (!near(value_of(logs.overlap, at), n_log) || !near(value_of(logs.cluster, at), b_log)) fail("log levels", round);
            std::uint64_t counted = 0;
            for (const Triple& triple : profiles.at(at, control)) counted += triple.count;
            if (counted != cells.size()) fail("level profiles", round);
        }
        const GrownOverlaps grown = grown_overlaps(view, label.data(), labels, threads, control);
        std::int64_t joined = 0;
        for (const std::int64_t each : grown.pairs) joined += each;
        if (2 * joined + static_cast<std::int64_t>(tree.leaves) != pairs.nn[tree.levels]) fail("grown overlaps", round);
        // All leaves of all labels alone, or as the tree is at the end: the best pruning is not worse.
        Integers squares(tree.parent.size(), 1);
        for (std::size_t i = 0; i < tree.level.size(); ++i) squares[tree.leaves + i] = 2 * pairs.node_pairs[i];
        const Parents parents{tree.parent.data(), tree.parent.size()};
        const Buffer<std::int64_t> sums = subtree_sums(parents, squares.data(), control);
        const Prunings prunings(parents, tree.leaves, sums.begin(), control);
        const PrunedPairs pruning = prunings.best(1, 3, control);
        const Buffer<std::int64_t> node = prunings.nodes(1, 3, control);
        std::map<std::int64_t, std::int64_t> cluster;
        for (std::size_t x = 0; x < tree.leaves; ++x) ++cluster[node[x]];
        std::int64_t joined_pairs = 0;
        for (const auto& [top, size] : cluster) joined_pairs += size * (size - 1) / 2;
        if (joined_pairs != pruning.inside) fail("pairs of the best pruning", round);
        const std::int64_t together = (pairs.nn[tree.levels] - static_cast<std::int64_t>(tree.leaves)) / 2;
        const std::int64_t inside = (pairs.bb[tree.levels] - static_cast<std::int64_t>(tree.leaves)) / 2;
        if (3 * pruning.together - pruning.inside < std::max<std::int64_t>(0, 3 * together - inside)) fail("best pruning", round);
    }
    const Tree other = [&] {
        Tree made = make_tree(random, tree.leaves, false);
        made.levels = std::max(made.levels, tree.levels);
        return made;
    }();
    LevelTree u = view;
    u.levels = other.levels;
    const DiagonalSums diagonal = diagonal_sums(u, other.view(), control);
    for (std::size_t at = 0; at <= other.levels; ++at) {
        std::int64_t nn = 0;
        const Cells cells = overlaps(tree.clusters(at), other.clusters(at));
        for (const auto& [cell, n] : cells) nn += n * n;
        if (diagonal.nn[at] != nn || diagonal.cells[at] != static_cast<std::int64_t>(cells.size())) fail("diagonal", round);
    }
}

void check_pairs(Random& random, unsigned long round) {
    const std::size_t records = 1 + below(random, 30), pairs = below(random, 2) ? below(random, 80) : below(random, 6000);
    const std::size_t distinct = 1 + below(random, 40);
    Integers left(pairs), right(pairs);
    std::vector<double> score(pairs);
    for (std::size_t i = 0; i < pairs; ++i) {
        left[i] = static_cast<std::int64_t>(below(random, records));
        right[i] = static_cast<std::int64_t>(below(random, records));
        score[i] = static_cast<double>(below(random, distinct)) / 7 - 2;
        if (below(random, 50) == 0) score[i] = std::ldexp(score[i], static_cast<int>(below(random, 2000)) - 1000);
    }
    Control control;
    for (const unsigned threads : {1U, 3U}) {
        PairForest forest(below(random, 2) ? 8 : std::size_t{1} << 20);
        const std::size_t half = pairs / 2;
        forest.add(left.data(), right.data(), score.data(), half, threads, control);
        forest.add(left.data() + half, right.data() + half, score.data() + half, pairs - half, threads, control);
        const Forest found = forest.finish(records, threads, control);
        const std::size_t levels = found.clusters.size - 1;
        Tree tree{Integers(found.parent.begin(), found.parent.end()), Integers(found.level.begin(), found.level.end()), records, levels};
        tree.view().check(control);
        for (std::size_t at = 0; at <= levels; ++at) {
            double least = std::numeric_limits<double>::infinity();
            for (std::size_t i = 0; i < found.level.size; ++i)
                if (found.level[i] <= static_cast<std::int64_t>(at)) least = found.score[i];
            Integers expected(records);  // components, by the smallest record of each
            std::iota(expected.begin(), expected.end(), 0);
            for (bool changes = true; changes;) {
                changes = false;
                for (std::size_t i = 0; i < pairs; ++i) {
                    std::int64_t &one = expected[static_cast<std::size_t>(left[i])], &other = expected[static_cast<std::size_t>(right[i])];
                    if (score[i] < least || one == other) continue;
                    one = other = std::min(one, other);
                    changes = true;
                }
            }
            const Integers clusters = tree.clusters(at);
            if (overlaps(expected, clusters).size() != sizes(clusters).size() || sizes(expected).size() != sizes(clusters).size() ||
                found.clusters[at] != static_cast<std::int64_t>(sizes(clusters).size()))
                fail("components of pairs", round);
        }
    }
}

// By the definition: the information of the children of both nodes, and of their pairs.
double slow_information(const DrawnTree& u, const DrawnTree& v, Node x, Node y, const std::vector<Node>& leaves) {
    if (leaves.size() < 2 || x < u.leaves || y < v.leaves) return 0;
    const auto child_of = [](const DrawnTree& tree, Node above, Node leaf) {
        while (tree.parent[leaf] != above) leaf = tree.parent[leaf];
        return leaf;
    };
    std::map<std::pair<Node, Node>, std::vector<Node>> cells;
    std::map<Node, double> rows, columns;
    for (const Node leaf : leaves) {
        const Node row = child_of(u, x, leaf), column = child_of(v, y, leaf);
        cells[{row, column}].push_back(leaf);
        ++rows[row];
        ++columns[column];
    }
    double sum = 0;
    for (const auto& [cell, within] : cells) {
        const auto n = static_cast<double>(within.size());
        sum += n * std::log(n * static_cast<double>(leaves.size()) / (rows[cell.first] * columns[cell.second]));
        sum += slow_information(u, v, cell.first, cell.second, within);
    }
    return sum;
}

void check_two_trees(Random& random, unsigned long round) {
    const std::size_t leaves = 1 + below(random, 30);
    const Tree one = make_tree(random, leaves, true), other = make_tree(random, leaves, true);
    const DrawnTree u(one.parent, leaves), v(other.parent, leaves);
    Control control;
    std::vector<Node> all(leaves);
    std::iota(all.begin(), all.end(), Node{0});
    if (!near(nested_information(u, v, control), slow_information(u, v, u.root(), v.root(), all))) fail("nested information", round);
    // The sums of weights below a node: pairs by the number of their lowest common node.
    const auto lowest = [](const DrawnTree& tree, Node x, Node y) {
        while (x != y) (x < y ? x : y) = tree.parent[std::min(x, y)];
        return x;
    };
    std::vector<Int128> weight(v.nodes() - leaves);
    for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = Int128(static_cast<std::int64_t>(below(random, 1000)));
    const std::vector<Int128> within = weights_within(u, v, weight, control);
    std::vector<Int128> expected(u.nodes(), Int128(0));
    for (Node x = 0; x < leaves; ++x)
        for (Node y = 0; y < x; ++y)
            for (Node node = lowest(u, x, y);; node = u.parent[node]) {
                expected[node] += weight[lowest(v, x, y) - leaves];
                if (node == u.root()) break;
            }
    for (Node x = static_cast<Node>(leaves); x < u.nodes(); ++x)
        if (within[x] != expected[x]) fail("pair weights", round);
}

}  // namespace

int main(int argc, char** argv) {
    const unsigned long rounds = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 200;
    for (unsigned long round = 0; round < 20 * rounds; ++round) {
        Random random(round);
        check_levels(random, round);
        check_two_trees(random, round);
        if (round % 4 == 0) check_pairs(random, round);
    }
    std::printf("%lu rounds passed\n", 20 * rounds);
}
