// Connected components: clusters of both sides that are linked by overlaps, directly or through others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "base/parallel.hpp"
#include "base/union_find.hpp"
#include "graph/groups.hpp"

namespace concordant {

struct Blocks {
    std::vector<std::int64_t> of_row, of_column;  // numbered from 0 in the order of their first rows
};

// Rows come before columns among the nodes, so the root of every component is its first row.
template <class Node>
Blocks blocks_by_nodes(const GroupNumbers& row, const GroupNumbers& column, Control& control) {
    const std::size_t rows = row.groups(), columns = column.groups();
    UnionFind<Node> nodes(rows + columns);
    for (std::size_t cell = 0; cell < row.length(); ++cell) {
        if (cell % block_length == 0) control.checkpoint();
        constexpr std::size_t ahead = 16;
        if (cell + ahead < row.length()) nodes.prefetch(static_cast<Node>(rows + column[cell + ahead]));
        nodes.join(static_cast<Node>(row[cell]), static_cast<Node>(rows + column[cell]));
    }
    Blocks blocks{std::vector<std::int64_t>(rows), std::vector<std::int64_t>(columns)};
    std::int64_t next = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t root = nodes.root(static_cast<Node>(i));
        blocks.of_row[i] = root == i ? next++ : blocks.of_row[root];
    }
    for (std::size_t j = 0; j < columns; ++j) {
        const std::size_t root = nodes.root(static_cast<Node>(rows + j));
        if (root >= rows) throw std::invalid_argument("columns are numbered from 0 without gaps");
        blocks.of_column[j] = blocks.of_row[root];
    }
    return blocks;
}

// Every column has a cell, as in a contingency table.
inline Blocks find_blocks(const std::int64_t* row, const std::int64_t* column, std::size_t cells, Control& control) {
    const GroupNumbers row_of(row, cells), column_of(column, cells);
    const bool narrow = row_of.groups() + column_of.groups() <= std::numeric_limits<std::uint32_t>::max();
    return narrow ? blocks_by_nodes<std::uint32_t>(row_of, column_of, control)  // half the memory
                  : blocks_by_nodes<std::uint64_t>(row_of, column_of, control);
}

}  // namespace concordant
