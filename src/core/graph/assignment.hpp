// One-to-one matching of rows to columns with the largest total weight, on the non-empty cells only.
//
// Unmatched rows are matched along shortest augmenting paths (Dijkstra on reduced costs
// y[row] + z[column] - weight >= 0). A path may also end by leaving one of its rows unmatched,
// at the price of that row's dual y, so the matching need not be perfect and no search goes
// further than the starting row's own dual. Memory is proportional to the cells.
//
// Overlaps are mostly small integers, with many paths of the same length: as long as it pays, all
// unmatched rows search together and all disjoint shortest paths are taken (as Hopcroft and Karp do
// without weights). The rest is matched row by row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/union_find.hpp"
#include "labels/codes.hpp"
#include "labels/labels.hpp"

namespace concordant {

struct ComponentTooLarge : std::runtime_error {
    using std::runtime_error::runtime_error;
};

using Weight = std::int64_t;

struct Edge {
    std::size_t column;
    Weight weight;
    std::size_t position;  // among the cells given
};

// The cells of positive weight, row by row.
struct OverlapGraph {
    std::vector<std::size_t> start;  // of each row's edges
    std::vector<Edge> edges;
    std::size_t columns = 0;

    std::size_t rows() const { return start.size() - 1; }
};

inline OverlapGraph make_graph(const Codes& rows, const Codes& columns, const std::vector<Weight>& weight) {
    OverlapGraph graph;
    graph.columns = columns.first.size();
    graph.start.assign(rows.first.size() + 1, 0);
    const std::size_t length = rows.code.size;
    for (std::size_t i = 0; i < length; ++i)
        if (weight[i] > 0) ++graph.start[static_cast<std::size_t>(rows.code[i]) + 1];
    for (std::size_t row = 0; row < graph.rows(); ++row) graph.start[row + 1] += graph.start[row];
    graph.edges.resize(graph.start.back());
    std::vector<std::size_t> next(graph.start.begin(), graph.start.end() - 1);
    for (std::size_t i = 0; i < length; ++i)
        if (weight[i] > 0)
            graph.edges[next[static_cast<std::size_t>(rows.code[i])]++] = {static_cast<std::size_t>(columns.code[i]),
                                                                          weight[i], i};
    return graph;
}

// Throws ComponentTooLarge for more than `max_cells` cells, but not for a star, which is solved directly.
inline void check_component_sizes(const OverlapGraph& graph, std::size_t max_cells) {
    if (graph.edges.size() <= max_cells) return;
    UnionFind<std::size_t> components(graph.rows() + graph.columns);
    for (std::size_t row = 0; row < graph.rows(); ++row)
        for (std::size_t e = graph.start[row]; e < graph.start[row + 1]; ++e)
            components.join(row, graph.rows() + graph.edges[e].column);
    struct Size {
        std::size_t rows = 0, columns = 0, cells = 0;
    };
    std::vector<Size> size(graph.rows() + graph.columns);
    for (std::size_t row = 0; row < graph.rows(); ++row) {
        Size& component = size[components.root(row)];
        ++component.rows;
        component.cells += graph.start[row + 1] - graph.start[row];
    }
    for (std::size_t column = 0; column < graph.columns; ++column)
        ++size[components.root(graph.rows() + column)].columns;
    for (const Size& component : size)
        if (component.cells > max_cells && component.rows > 1 && component.columns > 1)
            throw ComponentTooLarge("a connected component of " + std::to_string(component.rows) + " rows and " +
                                    std::to_string(component.columns) + " columns has " +
                                    std::to_string(component.cells) + " overlapping cells, more than max_cells = " +
                                    std::to_string(max_cells));
}

class Matcher {
public:
    explicit Matcher(const OverlapGraph& graph)
        : graph_(graph), row_dual_(graph.rows(), 0), column_dual_(graph.columns, 0),
          edge_of_row_(graph.rows(), none), row_of_column_(graph.columns, none), distance_(graph.columns),
          step_to_column_(graph.columns), seen_(graph.columns, 0) {}

    // Matches by phases or row by row, whichever took fewer steps per row recently. The estimate for the other
    // method is lowered a little each time, so it is tried again as the matching fills up.
    // Where all weights are small integers the duals have few values to go through, and phases win
    // in the end: the last of them settle together all the rows that must stay unmatched.
    void solve(Control& control) {
        match_greedily();
        for (std::size_t row = 0; row < graph_.rows(); ++row)
            if (is_waiting(row)) waiting_.push_back(row);
        constexpr Weight small = 16;
        const bool few_levels = std::all_of(row_dual_.begin(), row_dual_.end(), [](Weight y) { return y <= small; });
        double steps_by_phase = 0, steps_by_row = 0;
        while (!waiting_.empty()) {
            if (few_levels || steps_by_phase <= steps_by_row) {
                steps_by_phase = steps_per_row([&] { match_in_phase(control); });
            } else {
                steps_by_row = steps_per_row([&] { match_some_rows(control); });
                steps_by_phase *= 0.75;
            }
        }
    }

    std::vector<std::int64_t> matched_positions() const {
        std::vector<std::int64_t> positions;
        for (const std::size_t edge : edge_of_row_)
            if (edge != none) positions.push_back(static_cast<std::int64_t>(graph_.edges[edge].position));
        std::sort(positions.begin(), positions.end());
        return positions;
    }

private:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    struct Reached {
        Weight distance;
        std::size_t column;
        bool operator>(const Reached& other) const {
            return distance != other.distance ? distance > other.distance : column > other.column;
        }
    };

    // Where the shortest path known so far ends: a free column, or a row that is to lose its column.
    struct End {
        Weight cost;
        std::size_t free_column = none;
        std::size_t row = none;
    };

    struct Step {
        std::size_t row, edge;
    };

    // A row without a column whose dual shows that matching it may still pay.
    bool is_waiting(std::size_t row) const { return edge_of_row_[row] == none && row_dual_[row] > 0; }

    // Each row's dual is its largest weight; it takes the first column that is free at that weight.
    void match_greedily() {
        for (std::size_t row = 0; row < graph_.rows(); ++row) {
            Weight& best = row_dual_[row];
            for (std::size_t e = graph_.start[row]; e < graph_.start[row + 1]; ++e)
                best = std::max(best, graph_.edges[e].weight);
            for (std::size_t e = graph_.start[row]; e < graph_.start[row + 1]; ++e) {
                const Edge& edge = graph_.edges[e];
                if (edge.weight == best && row_of_column_[edge.column] == none) {
                    match(row, e);
                    break;
                }
            }
        }
    }

    void match(std::size_t row, std::size_t edge) {
        edge_of_row_[row] = edge;
        row_of_column_[graph_.edges[edge].column] = row;
    }

    Weight reduced_cost(std::size_t row, const Edge& edge) const {
        return row_dual_[row] + column_dual_[edge.column] - edge.weight;
    }

    template <class Match>
    double steps_per_row(Match match_rows) {
        const std::size_t waiting_before = waiting_.size();
        steps_ = 0;
        match_rows();
        const auto done = static_cast<double>(waiting_before - waiting_.size());
        return static_cast<double>(steps_ + 1) / std::max(done, 0.5);
    }

    // Row by row, one path each.
    void match_some_rows(Control& control) {
        for (int some = 32; some > 0 && !waiting_.empty(); --some) {
            control.checkpoint();
            augment(waiting_.back(), control);
            waiting_.pop_back();
        }
    }

    void augment(std::size_t source, Control& control) {
        begin_search();
        End end{row_dual_[source], none, source};
        relax(source, 0, end);
        settle_until(end, control);
        row_dual_[source] -= end.cost;
        lower_settled_duals(end.cost);
        flip_path(source, end);
    }

    // All waiting rows together.
    void match_in_phase(Control& control) {
        End end{std::numeric_limits<Weight>::max()};
        for (const std::size_t row : waiting_) end.cost = std::min(end.cost, row_dual_[row]);
        begin_search();
        for (const std::size_t row : waiting_) relax(row, 0, end);
        settle_until(end, control);
        for (const std::size_t row : waiting_) row_dual_[row] -= end.cost;
        lower_settled_duals(end.cost);

        layer_tight_columns(control);
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            if (i % 256 == 0) control.checkpoint();
            if (is_waiting(waiting_[i])) take_tight_path(waiting_[i]);
        }
        std::erase_if(waiting_, [this](std::size_t row) { return !is_waiting(row); });
    }

    void begin_search() {
        ++search_;
        settled_.clear();
        frontier_.clear();
    }

    // Offers shorter ways to the columns of `row`, which is at `distance` from the source.
    void relax(std::size_t row, Weight distance, End& end) {
        steps_ += graph_.start[row + 1] - graph_.start[row];
        for (std::size_t e = graph_.start[row]; e < graph_.start[row + 1]; ++e) {
            const std::size_t column = graph_.edges[e].column;
            const Weight reached = distance + reduced_cost(row, graph_.edges[e]);
            if (reached >= end.cost) continue;
            if (is_reached(column) && distance_[column] <= reached) continue;
            seen_[column] = 2 * search_;
            distance_[column] = reached;
            step_to_column_[column] = {row, e};
            if (row_of_column_[column] == none) {
                end = {reached, column, none};
            } else {
                frontier_.push_back({reached, column});
                std::push_heap(frontier_.begin(), frontier_.end(), std::greater<>());
            }
        }
    }

    // Dijkstra until no unsettled column is nearer than the end of the shortest path.
    void settle_until(End& end, Control& control) {
        while (!frontier_.empty() && frontier_.front().distance < end.cost) {
            std::pop_heap(frontier_.begin(), frontier_.end(), std::greater<>());
            const Reached next = frontier_.back();
            frontier_.pop_back();
            if (next.distance != distance_[next.column] || is_settled(next.column)) continue;
            seen_[next.column] = 2 * search_ + 1;
            settled_.push_back(next.column);
            if (settled_.size() % 4096 == 0) control.checkpoint();
            const std::size_t row = row_of_column_[next.column];
            if (next.distance + row_dual_[row] < end.cost) end = {next.distance + row_dual_[row], none, row};
            relax(row, next.distance, end);
        }
    }

    bool is_reached(std::size_t column) const { return seen_[column] >= 2 * search_; }
    bool is_settled(std::size_t column) const { return seen_[column] == 2 * search_ + 1; }

    void lower_settled_duals(Weight cost) {
        for (const std::size_t column : settled_) {
            row_dual_[row_of_column_[column]] -= cost - distance_[column];
            column_dual_[column] += cost - distance_[column];
        }
    }

    void flip_path(std::size_t source, const End& end) {
        std::size_t column = end.free_column;
        if (column == none) {
            if (end.row == source) return;
            column = graph_.edges[edge_of_row_[end.row]].column;
            edge_of_row_[end.row] = none;
        }
        for (;;) {
            const auto [row, edge] = step_to_column_[column];
            const std::size_t previous = edge_of_row_[row];
            match(row, edge);
            if (row == source) return;
            column = graph_.edges[previous].column;
        }
    }

    bool is_tight(std::size_t row, std::size_t edge) const { return reduced_cost(row, graph_.edges[edge]) == 0; }

    // A path may end in a column that is free or whose row may as well stay unmatched.
    bool is_end(std::size_t column) const {
        const std::size_t row = row_of_column_[column];
        return row == none || row_dual_[row] == 0;
    }

    // Breadth first from the waiting rows along edges of reduced cost 0, up to the first layer with
    // an end. `distance_` then holds the layer of each column reached.
    void layer_tight_columns(Control& control) {
        begin_search();
        layer_.clear();
        for (const std::size_t row : waiting_)
            if (is_waiting(row)) layer_.push_back(row);
        bool found = false;
        for (Weight depth = 1; !layer_.empty() && !found; ++depth) {
            control.checkpoint();
            next_layer_.clear();
            for (const std::size_t row : layer_) {
                steps_ += graph_.start[row + 1] - graph_.start[row];
                for (std::size_t e = graph_.start[row]; e < graph_.start[row + 1]; ++e) {
                    const std::size_t column = graph_.edges[e].column;
                    if (is_reached(column) || !is_tight(row, e)) continue;
                    seen_[column] = 2 * search_;
                    distance_[column] = depth;
                    found = found || is_end(column);
                    if (!is_end(column)) next_layer_.push_back(row_of_column_[column]);
                }
            }
            layer_.swap(next_layer_);
        }
    }

    // Looks depth first for a path that goes from layer to layer through columns not yet tried,
    // and matches along it.
    void take_tight_path(std::size_t source) {
        path_.assign(1, {source, graph_.start[source]});
        while (!path_.empty()) {
            auto& [row, e] = path_.back();
            const auto depth = static_cast<Weight>(path_.size());
            const auto leads_on = [&, row = row](std::size_t edge) {
                const std::size_t column = graph_.edges[edge].column;
                return seen_[column] == 2 * search_ && distance_[column] == depth && is_tight(row, edge);
            };
            while (e < graph_.start[row + 1] && !leads_on(e)) ++e;
            if (e == graph_.start[row + 1]) {
                path_.pop_back();
                continue;
            }
            const std::size_t column = graph_.edges[e].column, owner = row_of_column_[column];
            seen_[column] = 2 * search_ + 1;
            if (is_end(column)) {
                if (owner != none) edge_of_row_[owner] = none;
                for (const Step& step : path_) match(step.row, step.edge);
                return;
            }
            path_.push_back({owner, graph_.start[owner]});
            steps_ += graph_.start[owner + 1] - graph_.start[owner];
        }
    }

    const OverlapGraph& graph_;
    std::vector<Weight> row_dual_, column_dual_;
    std::vector<std::size_t> edge_of_row_, row_of_column_;
    std::vector<Weight> distance_;
    std::vector<Step> step_to_column_;
    std::vector<std::uint64_t> seen_;  // 2s: reached in search s, 2s+1: settled
    std::vector<std::size_t> settled_;
    std::vector<Reached> frontier_;  // a heap
    std::vector<Step> path_;
    std::vector<std::size_t> waiting_, layer_, next_layer_;
    std::uint64_t search_ = 0;
    std::size_t steps_ = 0;
};

inline constexpr int weight_bits = 61;  // sums of two duals stay within 64 bits

inline void check_weights(const std::vector<Weight>& weights) {
    for (const Weight weight : weights)
        if (weight > Weight{1} << weight_bits) throw std::invalid_argument("weights must be at most 2**61");
}

// Positions of the matched cells, ascending. Cells without positive weight are never matched.
inline std::vector<std::int64_t> assignment(const Labels& row, const Labels& column, const Weight* weight,
                                            std::size_t max_cells, Control& control) {
    const std::vector<Weight> weights(weight, weight + row.length);  // read once: another thread may write there
    check_weights(weights);
    const auto graph = make_graph(factorize(row, control), factorize(column, control), weights);
    check_component_sizes(graph, max_cells);
    Matcher matcher(graph);
    matcher.solve(control);
    return matcher.matched_positions();
}

}  // namespace concordant
