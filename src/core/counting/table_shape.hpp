// The table of all pairs of labels between the smallest and the largest of each side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/processor.hpp"
#include "labels/labels.hpp"

namespace concordant {

struct TableShape {
    std::uint64_t u_low = 0, v_low = 0;
    std::size_t rows = 0, columns = 0;

    std::size_t cells() const { return rows * columns; }
};

// A shape of at most so many cells.
inline std::optional<TableShape> table_shape(KeyRange u, KeyRange v, std::size_t limit) {
    if (u.span() >= limit || v.span() >= limit) return std::nullopt;
    const TableShape shape{u.low, v.low, u.span() + 1, v.span() + 1};
    if (shape.cells() / shape.rows != shape.columns || shape.cells() > limit) return std::nullopt;
    return shape;
}

CONCORDANT_VECTORISED std::uint32_t largest_of(const std::uint32_t* values, std::size_t count) {
    std::uint32_t largest = 0;
    for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, values[i]);
    return largest;
}

// Whether all labels of the block lie above `low` by less than `extent`; `offset` tells by how much.
inline bool load_inside(const Labels& labels, std::size_t begin, std::size_t count, std::uint64_t low,
                        std::size_t extent, std::uint32_t* offset) {
    if (load_offsets(labels, begin, count, low, offset) >> 32 != 0) return false;
    return largest_of(offset, count) < extent;
}

// The rows and columns of a block of elements; false when a label lies outside of the shape.
inline bool load_block(const Labels& u, const Labels& v, const TableShape& shape, std::size_t begin, std::size_t count,
                       std::uint32_t* row, std::uint32_t* column) {
    return load_inside(u, begin, count, shape.u_low, shape.rows, row) &&
           load_inside(v, begin, count, shape.v_low, shape.columns, column);
}

}  // namespace concordant
