// The overlap graph: rows and columns joined by their non-empty cells, in components of limited size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/union_find.hpp"
#include "labels/codes.hpp"

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

// Throws ComponentTooLarge for more than `max_cells` cells, but not for a star, which is solved at once.
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

}  // namespace concordant
