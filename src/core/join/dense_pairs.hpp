// Pairs of few labels, counted in a table of all labels between the smallest and the largest of each side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "counting/table_shape.hpp"

namespace concordant {

class DensePairs {
public:
    static constexpr std::size_t most_cells = std::size_t{1} << 18;  // of a table in the second-level cache

    void start(const TableShape& shape) {
        shape_ = shape;
        counts_.assign(shape.cells(), 0);
    }

    // False, with nothing counted, where the table has no such cell.
    bool count(std::uint64_t u, std::uint64_t v, std::uint64_t n) {
        const std::uint64_t row = u - shape_.u_low, column = v - shape_.v_low;
        if (row >= shape_.rows || column >= shape_.columns) return false;
        counts_[static_cast<std::size_t>(row * shape_.columns + column)] += n;
        return true;
    }

    void add(const DensePairs& other) {
        for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    }

    // Calls use(u, v, n) for the cells that have elements.
    template <class Use>
    void for_each(Use use) const {
        for (std::size_t i = 0; i < counts_.size(); ++i)
            if (counts_[i] != 0) use(shape_.u_low + i / shape_.columns, shape_.v_low + i % shape_.columns, counts_[i]);
    }

private:
    TableShape shape_;  // of no rows at first
    std::vector<std::uint64_t> counts_;
};

}  // namespace concordant
