// The biconnected components of the overlap graph, whose nodes are rows and columns and whose edges are cells.
//
// Two cells are in one component if some cycle goes through both. Tarjan's depth-first search, with a
// stack of its own, since a chain of a million clusters would be too deep for the machine's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "groups.hpp"
#include "parallel.hpp"

namespace concordant {

namespace detail {

class Bicomponents {
public:
    Bicomponents(const std::int64_t* row, const std::int64_t* column, std::size_t cells)
        : row_(row), column_(column), by_row_(grouped(row, cells)), by_column_(grouped(column, cells)),
          seen_(by_row_.groups() + by_column_.groups()), of_cell_(cells, -1) {}

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
        std::int64_t came_by;     // the cell that led here
        std::int64_t next, end;  // of the node's cells
    };

    // When a node was first seen, and the earliest node that what lies beyond it leads back to.
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

    void advance() {
        Frame& here = path_.back();
        if (here.next == here.end) return leave();
        const std::size_t node = here.node;
        const Grouped& cells = is_row(node) ? by_row_ : by_column_;
        const std::int64_t cell = cells.position[static_cast<std::size_t>(here.next++)];
        if (cell == here.came_by) return;
        const std::size_t neighbour = is_row(node) ? by_row_.groups() + static_cast<std::size_t>(column_[cell])
                                                   : static_cast<std::size_t>(row_[cell]);
        if (seen_[neighbour].at == 0) {
            open_.push_back(cell);
            enter(neighbour, cell);
        } else if (seen_[neighbour].at < seen_[node].at) {
            open_.push_back(cell);
            seen_[node].low = std::min(seen_[node].low, seen_[neighbour].at);
        }
    }

    // What lies beyond a cell that no cycle leads around is complete.
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
            of_cell_[static_cast<std::size_t>(cell)] = found_;
        } while (cell != left.came_by);
        ++found_;
    }

    const std::int64_t *row_, *column_;
    Grouped by_row_, by_column_;
    std::vector<Seen> seen_;
    std::vector<std::int64_t> of_cell_;
    std::vector<Frame> path_;
    std::vector<std::int64_t> open_;  // cells whose component is not complete
    std::int64_t clock_ = 0, found_ = 0;
    std::size_t steps_ = 0;
};

}  // namespace detail

// The component of each cell, numbered from 0. No cell may be given twice.
inline std::vector<std::int64_t> bicomponents(const std::int64_t* row, const std::int64_t* column, std::size_t cells,
                                              Control& control) {
    return detail::Bicomponents(row, column, cells).find(control);
}

}  // namespace concordant
