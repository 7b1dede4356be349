// The table of all pairs of labels between the smallest and the largest of each side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "labels/labels.hpp"
#include "labels/narrow_copy.hpp"

namespace concordant {

struct TableShape {
    std::uint64_t u_low = 0, v_low = 0;
    std::size_t rows = 0, columns = 0;
    bool runs = false;  // whether the labels are in runs, each of which is counted in one step
    std::size_t dropped_row = no_line, dropped_column = no_line;  // whose elements do not count

    static constexpr std::size_t no_line = ~std::size_t{0};

    std::size_t cells() const { return rows * columns; }

    void drop(const Labels& u, const Labels& v) {
        if (u.dropped && *u.dropped - u_low < rows) dropped_row = *u.dropped - u_low;
        if (v.dropped && *v.dropped - v_low < columns) dropped_column = *v.dropped - v_low;
    }
};

// A shape of at most so many cells.
inline std::optional<TableShape> table_shape(KeyRange u, KeyRange v, std::size_t limit) {
    if (u.span() >= limit || v.span() >= limit) return std::nullopt;
    const TableShape shape{u.low, v.low, u.span() + 1, v.span() + 1};
    if (shape.cells() / shape.rows != shape.columns || shape.cells() > limit) return std::nullopt;
    return shape;
}

// The rows and columns of a block of elements; false if a label is outside the shape.
inline bool load_block(const Labels& u, const Labels& v, const TableShape& shape, std::size_t begin, std::size_t count,
                       std::uint32_t* row, std::uint32_t* column) {
    return load_inside(u, begin, count, shape.u_low, shape.rows, row) &&
           load_inside(v, begin, count, shape.v_low, shape.columns, column);
}

}  // namespace concordant
