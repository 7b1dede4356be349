// The lightest cut of a connected overlap graph, whose nodes are rows and columns and whose edges are cells.
//
// A cut is a set of cells without which the graph falls in two, where a cell is left on both sides: removing
// all cells of a node is not a cut. Its weight is that of its cells together. Only cuts below a limit are
// sought, and the result is exact:
//
// - a cell that is a cut by itself is a bridge (Tarjan 1974); of equally light ones, the one that splits the graph
//   most evenly is kept. Every other cut has two cells or more, so a light bridge ends the search;
// - two nodes that no cut lighter than the best known one separates become one node: those that are joined by as many
//   paths, as a scan of the graph shows (Nagamochi, Ono & Ibaraki 1994), and a node and its neighbour that
//   holds half of its weight, where moving the node to the neighbour's side leaves a cell on its own side (after
//   Padberg & Rinaldi 1990). Nodes that are joined hold a cell, and are a side by themselves;
// - where neither is left, flows decide (Ford & Fulkerson 1956; Esfahanian & Hakimi 1988 for cuts that leave cells
//   on both sides): each neighbour of the largest node is separated from it, and then joined to it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <queue>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/union_find.hpp"
#include "graph/groups.hpp"

namespace concordant {

// Where a cell is once the graph is cut.
enum CutPlace : std::int64_t { on_one_side = 0, in_the_cut = 1, on_other_side = 2 };

class LightestCut {
public:
    LightestCut(const std::vector<std::int64_t>& row, const std::vector<std::int64_t>& column,
                const std::vector<std::int64_t>& weight, std::int64_t limit, Control& control)
        : control_(control), best_(limit) {
        const GroupNumbers rows(row), columns(column);
        const std::size_t nodes = rows.groups() + columns.groups();
        if (nodes >= no_node) throw std::length_error("more than 4,294,967,294 clusters are too many to cut");
        std::vector<Edge> edges(row.size());
        std::int64_t total = 0;
        for (std::size_t cell = 0; cell < row.size(); ++cell) {
            if (weight[cell] <= 0) throw std::invalid_argument("cells must not be empty");
            if (weight[cell] > most_weight - total) throw std::overflow_error("more than 2**61 records");
            total += weight[cell];
            edges[cell] = {static_cast<Node>(rows[cell]), static_cast<Node>(rows.groups() + columns[cell]),
                           weight[cell]};
        }
        graph_ = Graph(nodes, std::move(edges));
        now_.resize(nodes);
        for (std::size_t node = 0; node < nodes; ++node) now_[node] = static_cast<Node>(node);
        side_.assign(nodes, 0);
        holds_cell_.assign(nodes, 0);
    }

    // The place of each cell; none where no cut is lighter than the limit.
    std::vector<std::int64_t> find() && {
        const std::vector<Edge> cells = graph_.edges;
        if (cells.empty()) return {};
        const std::int64_t floor = two_lightest();
        find_bridge();
        while (graph_.nodes > 1 && best_ > floor) {
            control_.checkpoint();
            try_nodes_and_edges();
            if (best_ <= floor) break;
            UnionFind<Node> joined(graph_.nodes);
            const std::size_t joins = join_to_heavy_neighbours(joined) + join_connected(joined);
            if (few * joins < graph_.nodes) join_by_flows(joined);  // else scans might join node by node
            contract(joined);
        }
        if (!found_) return {};
        std::vector<std::int64_t> place(cells.size());
        for (std::size_t cell = 0; cell < cells.size(); ++cell) {
            const bool one = side_[cells[cell].one] != 0, other = side_[cells[cell].other] != 0;
            place[cell] = one != other ? in_the_cut : one ? on_one_side : on_other_side;
        }
        return place;
    }

private:
    using Node = std::uint32_t;

    static constexpr std::int64_t no_weight = std::numeric_limits<std::int64_t>::max();
    static constexpr std::int64_t most_weight = std::int64_t{1} << 61;  // sums of four weights do not overflow
    static constexpr std::size_t few = 8;
    static constexpr Node no_node = std::numeric_limits<Node>::max();
    static constexpr std::size_t no_edge = std::numeric_limits<std::size_t>::max();

    struct Edge {
        Node one, other;
        std::int64_t weight;
    };

    struct Graph {
        std::size_t nodes = 0;
        std::vector<Edge> edges;
        std::vector<std::size_t> start, incident;  // the edges at each node
        std::vector<std::int64_t> weight;          // of all edges at a node

        Graph() = default;
        Graph(std::size_t count, std::vector<Edge> given)
            : nodes(count), edges(std::move(given)), start(count + 1, 0), incident(2 * edges.size()), weight(count, 0) {
            for (const Edge& edge : edges)
                for (const Node end : {edge.one, edge.other}) {
                    ++start[end + 1];
                    weight[end] += edge.weight;
                }
            for (std::size_t node = 0; node < count; ++node) start[node + 1] += start[node];
            std::vector<std::size_t> next(start.begin(), start.end() - 1);
            for (std::size_t edge = 0; edge < edges.size(); ++edge)
                for (const Node end : {edges[edge].one, edges[edge].other}) incident[next[end]++] = edge;
        }

        std::size_t degree(Node node) const { return start[node + 1] - start[node]; }
        Node across(Node node, std::size_t edge) const { return edges[edge].one ^ edges[edge].other ^ node; }
    };

    std::int64_t two_lightest() const {
        std::int64_t first = no_weight / 2, second = no_weight / 2;
        for (const Edge& edge : graph_.edges) {
            second = std::min(second, std::max(first, edge.weight));
            first = std::min(first, edge.weight);
        }
        return first + second;
    }

    // --- bridges: a depth-first search with a stack of its own, since chains may be long

    struct Visit {
        Node node;
        std::size_t came_by, next;
    };

    struct Tree {  // of a node and all that was first seen from it
        Node at = 0, low = 0, nodes = 1;
        std::int64_t weight = 0;  // of the edges at its nodes
    };

    void find_bridge() {
        std::vector<Tree> tree(graph_.nodes);
        std::vector<Visit> path;
        Node clock = 0;
        const auto enter = [&](Node node, std::size_t came_by) {
            tree[node] = {++clock, clock, 1, graph_.weight[node]};
            path.push_back({node, came_by, graph_.start[node]});
        };
        Bridge best{best_};
        std::int64_t total = 0;
        for (const Edge& edge : graph_.edges) total += edge.weight;
        enter(0, no_edge);
        for (std::size_t steps = 1; !path.empty(); ++steps) {
            if (steps % block_length == 0) control_.checkpoint();
            Visit& here = path.back();
            if (here.next < graph_.start[here.node + 1]) {
                const std::size_t edge = graph_.incident[here.next++];
                if (edge == here.came_by) continue;
                const Node neighbour = graph_.across(here.node, edge);
                Tree& mine = tree[here.node];
                if (tree[neighbour].at == 0)
                    enter(neighbour, edge);
                else
                    mine.low = std::min(mine.low, tree[neighbour].at);
                continue;
            }
            const Visit left = here;
            path.pop_back();
            if (path.empty()) break;
            const Tree& below = tree[left.node];
            Tree& above = tree[path.back().node];
            above.low = std::min(above.low, below.low);
            above.nodes += below.nodes;
            above.weight += below.weight;
            if (below.low > above.at) best.take(graph_, left, below, total);
        }
        if (clock != graph_.nodes) throw std::invalid_argument("the cells do not hang together");
        if (best.nodes == 0) return;
        best_ = best.weight;
        found_ = true;
        for (std::size_t node = 0; node < graph_.nodes; ++node)
            side_[node] = tree[node].at - best.first < best.nodes;  // those seen from it were seen one after another
    }

    struct Bridge {
        std::int64_t weight, smaller = 0;  // the records on the smaller side
        Node first = 0, nodes = 0;

        void take(const Graph& graph, const Visit& left, const Tree& below, std::int64_t total) {
            const std::int64_t mine = graph.edges[left.came_by].weight;
            if (below.nodes < 2 || graph.nodes - below.nodes < 2 || mine > weight) return;
            const std::int64_t beyond = (below.weight - mine) / 2, even = std::min(beyond, total - mine - beyond);
            if (mine == weight && (nodes == 0 || even <= smaller)) return;  // as heavy as the limit, or less even
            *this = {mine, even, below.at, below.nodes};
        }
    };

    // --- cuts that are found without a search

    // Some nodes as one side: how heavy the cut is, and whether a cell is left on the other side.
    struct Side {
        std::int64_t weight = 0;
        bool leaves_cell = false;
    };

    Side measured(const std::vector<Node>& nodes) {
        std::size_t touched = 0, within = 0, holding = 0;
        for (const Node node : nodes) marked_[node] = 1;
        Side side;
        for (const Node node : nodes) {
            holding += holds_cell_[node];
            for (std::size_t at = graph_.start[node]; at < graph_.start[node + 1]; ++at) {
                const std::size_t edge = graph_.incident[at];
                const bool inside = marked_[graph_.across(node, edge)] != 0;
                (inside ? within : touched) += 1;
                if (!inside) side.weight += graph_.edges[edge].weight;
            }
        }
        for (const Node node : nodes) marked_[node] = 0;
        side.leaves_cell = holding < holding_ || touched + within / 2 < graph_.edges.size();
        return side;
    }

    void record(std::int64_t weight, const std::vector<Node>& nodes) {
        best_ = weight;
        found_ = true;
        for (const Node node : nodes) marked_[node] = 1;
        for (std::size_t node = 0; node < now_.size(); ++node) side_[node] = marked_[now_[node]];
        for (const Node node : nodes) marked_[node] = 0;
    }

    // Each node that holds a cell, and the two ends of each edge, as one side.
    void try_nodes_and_edges() {
        marked_.assign(graph_.nodes, 0);
        holding_ = static_cast<std::size_t>(std::count(holds_cell_.begin(), holds_cell_.end(), 1));
        std::int64_t least = best_;
        std::vector<Node> lightest;
        const auto leaves_cell = [&](std::size_t holding, std::size_t touched) {
            return holding < holding_ || touched < graph_.edges.size();
        };
        for (Node node = 0; node < graph_.nodes; ++node) {
            if (!holds_cell_[node] || graph_.weight[node] >= least) continue;
            if (!leaves_cell(1, graph_.degree(node))) continue;
            least = graph_.weight[node];
            lightest = {node};
        }
        for (const auto& [one, other, weight] : graph_.edges) {
            const std::int64_t leaving = graph_.weight[one] + graph_.weight[other] - 2 * weight;
            if (leaving >= least) continue;
            const auto holding = static_cast<std::size_t>(holds_cell_[one] + holds_cell_[other]);
            if (!leaves_cell(holding, graph_.degree(one) + graph_.degree(other) - 1)) continue;
            least = leaving;
            lightest = {one, other};
        }
        if (least < best_) record(least, lightest);
    }

    // A node whose neighbour holds half of its weight can change to the neighbour's side without making the cut
    // heavier, unless that leaves no cell on its old side: then that side had only neighbours of it that hold no cell.
    std::size_t join_to_heavy_neighbours(UnionFind<Node>& joined) {
        std::vector<char> changed(graph_.nodes, 0);
        std::size_t joins = 0;
        for (Node node = 0; node < graph_.nodes; ++node) {
            if (changed[node]) continue;
            std::size_t heaviest = no_edge;
            for (std::size_t at = graph_.start[node]; at < graph_.start[node + 1]; ++at) {
                const std::size_t edge = graph_.incident[at];
                if (heaviest == no_edge || graph_.edges[edge].weight > graph_.edges[heaviest].weight) heaviest = edge;
            }
            if (2 * graph_.edges[heaviest].weight < graph_.weight[node]) continue;
            const Node neighbour = graph_.across(node, heaviest);
            if (!may_change(node, neighbour)) continue;
            joined.join(node, neighbour);
            changed[node] = changed[neighbour] = 1;
            ++joins;
        }
        return joins;
    }

    bool may_change(Node node, Node neighbour) {
        std::vector<Node> star{node};
        std::int64_t weight = graph_.weight[node], least = no_weight;
        Node nearest = no_node;
        for (std::size_t at = graph_.start[node]; at < graph_.start[node + 1]; ++at) {
            const Node other = graph_.across(node, graph_.incident[at]);
            if (other == neighbour || holds_cell_[other]) continue;
            const std::int64_t more = graph_.weight[other] - 2 * graph_.edges[graph_.incident[at]].weight;
            if (more < least) {
                least = more;
                nearest = other;
            }
            if (more >= 0) continue;
            weight += more;
            star.push_back(other);
        }
        if (star.size() == 1 && !holds_cell_[node]) {  // it needs a neighbour to be a side
            if (nearest == no_node) return true;
            star.push_back(nearest);
            weight += least;
        }
        if (weight >= best_) return true;
        const Side side = measured(star);  // no heavier than the sum
        if (!side.leaves_cell) return false;
        if (side.weight < best_) record(side.weight, star);
        return true;
    }

    // Scans next the node with the most weight to those scanned before: an edge to a node whose weight to them is the
    // weight of the best cut or more is in no lighter cut.
    std::size_t join_connected(UnionFind<Node>& joined) {
        using Waiting = std::pair<std::int64_t, Node>;
        std::priority_queue<Waiting> waiting;
        std::vector<std::int64_t> hold(graph_.nodes, 0);
        std::vector<char> scanned(graph_.nodes, 0);
        std::size_t joins = 0;
        waiting.emplace(0, 0);
        for (std::size_t steps = 1; !waiting.empty(); ++steps) {
            if (steps % block_length == 0) control_.checkpoint();
            const Node node = waiting.top().second;
            waiting.pop();
            if (scanned[node]) continue;
            scanned[node] = 1;
            for (std::size_t at = graph_.start[node]; at < graph_.start[node + 1]; ++at) {
                const std::size_t edge = graph_.incident[at];
                const Node other = graph_.across(node, edge);
                if (scanned[other]) continue;
                const bool enough = hold[other] >= best_;  // larger values need no distinction
                hold[other] += graph_.edges[edge].weight;
                if (!enough) waiting.emplace(std::min(hold[other], best_), other);
                if (hold[other] < best_) continue;
                joined.join(node, other);
                ++joins;
            }
        }
        return joins;
    }

    // --- flows

    void join_by_flows(UnionFind<Node>& joined) {
        flow_.assign(graph_.edges.size(), 0);
        seen_.assign(graph_.nodes, 0);
        came_by_.assign(graph_.nodes, no_edge);
        round_ = 0;
        std::vector<char> sink(graph_.nodes, 0);
        Node largest = no_node;
        for (Node node = 0; node < graph_.nodes; ++node)
            if (holds_cell_[node] && (largest == no_node || graph_.degree(node) > graph_.degree(largest)))
                largest = node;
        if (largest == no_node) return part_ends(sink, joined);
        const std::int64_t before = best_;
        std::vector<Node> order{largest};
        std::vector<char> queued(graph_.nodes, 0);
        queued[largest] = 1;
        for (std::size_t next = 0; next < order.size() && best_ == before; ++next) {
            control_.checkpoint();
            const Node node = order[next];
            if (next > 0) {
                part_from(node, sink);
                joined.join(largest, node);
            }
            sink[node] = 1;
            for (std::size_t at = graph_.start[node]; at < graph_.start[node + 1]; ++at) {
                const Node other = graph_.across(node, graph_.incident[at]);
                if (queued[other]) continue;
                queued[other] = 1;
                order.push_back(other);
            }
        }
    }

    // No node holds a cell: the two ends of the edge with the fewest others are separated in all ways, then joined.
    void part_ends(std::vector<char>& sink, UnionFind<Node>& joined) {
        const auto ways = [&](const Edge& edge) { return graph_.degree(edge.one) * graph_.degree(edge.other); };
        const Edge edge = *std::min_element(graph_.edges.begin(), graph_.edges.end(),
                                            [&](const Edge& a, const Edge& b) { return ways(a) < ways(b); });
        sink[edge.one] = 1;
        for (std::size_t at = graph_.start[edge.one]; at < graph_.start[edge.one + 1]; ++at) {
            const Node other = graph_.across(edge.one, graph_.incident[at]);
            if (other == edge.other) continue;
            sink[other] = 1;
            part_from(edge.other, sink);
            sink[other] = 0;
        }
        joined.join(edge.one, edge.other);
    }

    // The lightest cut between a node outside the sink and the sink.
    void part_from(Node node, const std::vector<char>& sink) {
        if (holds_cell_[node]) return flow_between({node}, sink);
        for (std::size_t at = graph_.start[node]; at < graph_.start[node + 1]; ++at) {
            const Node other = graph_.across(node, graph_.incident[at]);
            if (!sink[other]) flow_between({node, other}, sink);
        }
    }

    void flow_between(const std::vector<Node>& source, const std::vector<char>& sink) {
        std::vector<std::size_t> used;
        std::int64_t total = 0;
        while (total < best_) {
            std::vector<Node> reached;
            const Node end = search(source, sink, reached);
            if (end == no_node) {
                record(total, reached);
                break;
            }
            total += push(end, used);
        }
        for (const std::size_t edge : used) flow_[edge] = 0;
    }

    std::int64_t room(Node from, std::size_t edge) const {
        return graph_.edges[edge].weight - (graph_.edges[edge].one == from ? flow_[edge] : -flow_[edge]);
    }

    Node search(const std::vector<Node>& source, const std::vector<char>& sink, std::vector<Node>& reached) {
        if (++round_ == 0) {
            std::fill(seen_.begin(), seen_.end(), 0);
            round_ = 1;
        }
        reached = source;
        for (const Node node : source) {
            seen_[node] = round_;
            came_by_[node] = no_edge;
        }
        for (std::size_t next = 0; next < reached.size(); ++next) {
            if (next % block_length == 0) control_.checkpoint();
            const Node node = reached[next];
            for (std::size_t at = graph_.start[node]; at < graph_.start[node + 1]; ++at) {
                const std::size_t edge = graph_.incident[at];
                const Node other = graph_.across(node, edge);
                if (seen_[other] == round_ || room(node, edge) == 0) continue;
                seen_[other] = round_;
                came_by_[other] = edge;
                if (sink[other]) return other;
                reached.push_back(other);
            }
        }
        return no_node;
    }

    std::int64_t push(Node end, std::vector<std::size_t>& used) {
        std::int64_t least = no_weight;
        for (Node node = end; came_by_[node] != no_edge;) {
            const std::size_t edge = came_by_[node];
            node = graph_.across(node, edge);
            least = std::min(least, room(node, edge));
        }
        for (Node node = end; came_by_[node] != no_edge;) {
            const std::size_t edge = came_by_[node];
            node = graph_.across(node, edge);
            flow_[edge] += graph_.edges[edge].one == node ? least : -least;
            used.push_back(edge);
        }
        return least;
    }

    // --- joined nodes become one; edges between the same two nodes too

    void contract(UnionFind<Node>& joined) {
        std::vector<Node> number(graph_.nodes, no_node);
        std::vector<char> holds;
        for (Node node = 0; node < graph_.nodes; ++node) {
            const Node root = joined.root(node);  // the smallest of its set: seen before
            if (root == node) {
                number[node] = static_cast<Node>(holds.size());
                holds.push_back(holds_cell_[node]);
            } else {
                number[node] = number[root];
                holds[number[root]] = 1;
            }
        }
        for (Node& node : now_) node = number[node];
        std::vector<Edge> edges;
        for (const Edge& edge : graph_.edges) {
            const auto [one, other] = std::minmax(number[edge.one], number[edge.other]);
            if (one != other) edges.push_back({one, other, edge.weight});
        }
        std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
            return a.one != b.one ? a.one < b.one : a.other < b.other;
        });
        std::size_t kept = 0;
        for (const Edge& edge : edges) {
            if (kept > 0 && edges[kept - 1].one == edge.one && edges[kept - 1].other == edge.other)
                edges[kept - 1].weight += edge.weight;
            else
                edges[kept++] = edge;
        }
        edges.resize(kept);
        graph_ = Graph(holds.size(), std::move(edges));
        holds_cell_ = std::move(holds);
    }

    Control& control_;
    Graph graph_;                   // what is left of it
    std::vector<Node> now_;         // the node that each row and each column is part of
    std::vector<char> holds_cell_;  // whether a node is several clusters, with a cell between them
    std::size_t holding_ = 0;       // how many do
    std::int64_t best_;  // the weight of the best cut, or the limit
    bool found_ = false;
    std::vector<char> side_;    // of each row and each column in the best cut
    std::vector<char> marked_;  // scratch
    std::vector<std::int64_t> flow_;
    std::vector<std::uint32_t> seen_;
    std::vector<std::size_t> came_by_;
    std::uint32_t round_ = 0;
};

// The place of each cell, a CutPlace; none where no cut is lighter than the limit. Rows and columns are numbered without gaps, and no cell is given twice.
inline std::vector<std::int64_t> lightest_cut(const std::int64_t* row, const std::int64_t* column,
                                              const std::int64_t* weight, std::size_t cells, std::int64_t limit,
                                              Control& control) {
    // Copies, since another thread may write to the caller's memory meanwhile.
    const std::vector<std::int64_t> rows(row, row + cells), columns(column, column + cells),
        weights(weight, weight + cells);
    return LightestCut(rows, columns, weights, limit, control).find();
}

}  // namespace concordant
