// The blocks of the join: clusters of both sides that are linked by overlaps, directly or through others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "groups.hpp"
#include "parallel.hpp"

namespace concordant {

struct Blocks {
    std::vector<std::int64_t> of_row, of_column;  // numbered from 0 in the order of their first rows
};

namespace detail {

// Union-find; the smaller number becomes the root, so that the roots of rows are rows.
template <class Node>
class Linked {
public:
    explicit Linked(std::size_t nodes) : parent_(nodes) { std::iota(parent_.begin(), parent_.end(), Node{0}); }

    Node root(Node node) {
        while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
        return node;
    }

    void link(Node one, Node other) {
        one = root(one);
        other = root(other);
        if (one < other)
            parent_[other] = one;
        else
            parent_[one] = other;
    }

private:
    std::vector<Node> parent_;
};

template <class Node>
Blocks find_blocks(const std::int64_t* row, const std::int64_t* column, std::size_t cells, std::size_t rows,
                   std::size_t columns, Control& control) {
    Linked<Node> linked(rows + columns);
    for (std::size_t cell = 0; cell < cells; ++cell) {
        if (cell % block_length == 0) control.checkpoint();
        linked.link(static_cast<Node>(row[cell]), static_cast<Node>(rows + static_cast<std::size_t>(column[cell])));
    }
    Blocks found{std::vector<std::int64_t>(rows), std::vector<std::int64_t>(columns)};
    std::int64_t next = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t root = linked.root(static_cast<Node>(i));
        found.of_row[i] = root == i ? next++ : found.of_row[root];
    }
    for (std::size_t j = 0; j < columns; ++j) {
        const std::size_t root = linked.root(static_cast<Node>(rows + j));
        if (root >= rows) throw std::invalid_argument("columns are numbered from 0 without gaps");
        found.of_column[j] = found.of_row[root];
    }
    return found;
}

}  // namespace detail

// Every column has a cell, as in a contingency table.
inline Blocks blocks(const std::int64_t* row, const std::int64_t* column, std::size_t cells, Control& control) {
    const std::size_t rows = group_count(row, cells), columns = group_count(column, cells);
    const bool narrow = rows + columns <= std::numeric_limits<std::uint32_t>::max();  // half the memory
    return narrow ? detail::find_blocks<std::uint32_t>(row, column, cells, rows, columns, control)
                  : detail::find_blocks<std::uint64_t>(row, column, cells, rows, columns, control);
}

}  // namespace concordant
