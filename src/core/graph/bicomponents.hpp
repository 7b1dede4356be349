// The biconnected components of the overlap graph, whose nodes are rows and columns and whose edges are cells.
//
// Two cells are in one component if some cycle goes through both. Most clusters overlap with few others,
// so nodes with a single cell are removed first, repeatedly: no cycle goes through them. What is left
// goes through Tarjan's depth-first search, with a stack of its own, since a chain of a million
// clusters would be too deep for the machine's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "graph/groups.hpp"

namespace concordant {

inline constexpr std::int64_t no_component = -1;

// Gives each cell that is connected to the rest at one end only a component of its own; returns their number.
class Peeler {
public:
    Peeler(const std::vector<std::int64_t>& row, const std::vector<std::int64_t>& column,
           std::vector<std::int64_t>& component)
        : row_(row), column_(column), rows_(GroupNumbers(row).groups()), component_(component),
          nodes_(rows_ + GroupNumbers(column).groups()) {
        for (std::size_t cell = 0; cell < component.size(); ++cell) {
            attach(row_node(cell), cell);
            attach(column_node(cell), cell);
        }
    }

    std::int64_t peel(Control& control) {
        for (std::size_t node = 0; node < nodes_.size(); ++node) {
            if (node % block_length == 0) control.checkpoint();
            for (std::size_t end = node; nodes_[end].cells == 1;) end = take_off(end);
        }
        return components_;
    }

private:
    // The exclusive or of the cells at a node. If one cell is left, it is that cell.
    struct Node {
        std::size_t cells = 0, all = 0;
    };

    std::size_t row_node(std::size_t cell) const { return static_cast<std::size_t>(row_[cell]); }
    std::size_t column_node(std::size_t cell) const { return rows_ + static_cast<std::size_t>(column_[cell]); }

    void attach(std::size_t node, std::size_t cell) {
        ++nodes_[node].cells;
        nodes_[node].all ^= cell;
    }

    std::size_t take_off(std::size_t end) {
        const std::size_t cell = nodes_[end].all;
        const std::size_t other = end < rows_ ? column_node(cell) : row_node(cell);
        component_[cell] = components_++;
        nodes_[end] = {};
        --nodes_[other].cells;
        nodes_[other].all ^= cell;
        return other;
    }

    const std::vector<std::int64_t>&row_, &column_;
    std::size_t rows_;
    std::vector<std::int64_t>& component_;
    std::vector<Node> nodes_;
    std::int64_t components_ = 0;
};

class Bicomponents {
public:
    // Components are numbered from `first` on.
    Bicomponents(const std::vector<std::int64_t>& row, const std::vector<std::int64_t>& column, std::int64_t first)
        : row_(row), column_(column), by_row_(grouped(GroupNumbers(row))), by_column_(grouped(GroupNumbers(column))),
          seen_(by_row_.groups() + by_column_.groups()), of_cell_(row.size(), no_component), next_(first) {}

    std::vector<std::int64_t> find(Control& control) && {
        for (std::size_t root = 0; root < by_row_.groups(); ++root) {
            if (seen_[root].at != 0) continue;
            enter(root, no_cell);
            while (!path_.empty()) {
                if (++steps_ % block_length == 0) control.checkpoint();
                advance();
            }
        }
        return std::move(of_cell_);
    }

private:
    struct Frame {
        std::size_t node;
        std::int64_t came_by;    // the cell that led here
        std::int64_t next, end;  // of the node's cells
    };

    // When a node was first seen, and the earliest node that can be reached from beyond it.
    struct Seen {
        std::int64_t at = 0, low = 0;
    };

    static constexpr std::int64_t no_cell = -1;

    bool is_row(std::size_t node) const { return node < by_row_.groups(); }

    void enter(std::size_t node, std::int64_t came_by) {
        seen_[node].at = seen_[node].low = ++clock_;
        const Grouped& cells = is_row(node) ? by_row_ : by_column_;
        const std::size_t number = is_row(node) ? node : node - by_row_.groups();
        path_.push_back({node, came_by, cells.start[number], cells.start[number + 1]});
    }

    std::size_t across(std::size_t node, std::int64_t cell) const {
        const auto at = static_cast<std::size_t>(cell);
        return is_row(node) ? by_row_.groups() + static_cast<std::size_t>(column_[at])
                            : static_cast<std::size_t>(row_[at]);
    }

    void advance() {
        Frame& here = path_.back();
        if (here.next == here.end) return leave();
        const std::size_t node = here.node;
        const Grouped& cells = is_row(node) ? by_row_ : by_column_;
        const std::int64_t cell = cells.position[static_cast<std::size_t>(here.next++)];
        if (cell == here.came_by) return;
        const std::size_t neighbour = across(node, cell);
        if (seen_[neighbour].at == 0) {
            open_.push_back(cell);
            enter(neighbour, cell);
        } else if (seen_[neighbour].at < seen_[node].at) {
            open_.push_back(cell);
            seen_[node].low = std::min(seen_[node].low, seen_[neighbour].at);
        }
    }

    // The component beyond a cell is complete if nothing in it leads back to a node before the cell.
    void leave() {
        const Frame left = path_.back();
        path_.pop_back();
        if (path_.empty()) return;
        Seen& above = seen_[path_.back().node];
        above.low = std::min(above.low, seen_[left.node].low);
        if (seen_[left.node].low < above.at) return;
        std::int64_t cell;
        do {
            cell = open_.back();
            open_.pop_back();
            of_cell_[static_cast<std::size_t>(cell)] = next_;
        } while (cell != left.came_by);
        ++next_;
    }

    const std::vector<std::int64_t>&row_, &column_;
    Grouped by_row_, by_column_;
    std::vector<Seen> seen_;
    std::vector<std::int64_t> of_cell_;
    std::vector<Frame> path_;
    std::vector<std::int64_t> open_;  // cells whose component is not complete
    std::int64_t clock_ = 0, next_;
    std::size_t steps_ = 0;
};

// The component of each cell, numbered from 0. No cell may be given twice.
inline std::vector<std::int64_t> bicomponents(const std::int64_t* row, const std::int64_t* column, std::size_t cells,
                                              Control& control) {
    std::vector<std::int64_t> component(cells, no_component);
    // Cells are read many times: copies, since another thread may write to the caller's memory meanwhile.
    const std::vector<std::int64_t> own_row(row, row + cells), own_column(column, column + cells);
    const std::int64_t peeled = Peeler(own_row, own_column, component).peel(control);
    std::vector<std::size_t> left;
    std::vector<std::int64_t> left_row, left_column;
    for (std::size_t cell = 0; cell < cells; ++cell) {
        if (component[cell] != no_component) continue;
        left.push_back(cell);
        left_row.push_back(own_row[cell]);
        left_column.push_back(own_column[cell]);
    }
    const auto rest = Bicomponents(left_row, left_column, peeled).find(control);
    for (std::size_t i = 0; i < left.size(); ++i) component[left[i]] = rest[i];
    return component;
}

}  // namespace concordant
