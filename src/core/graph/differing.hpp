// The cells of clusters that the other side does not have: those that are not the only cell of both their clusters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "graph/groups.hpp"

namespace concordant {

// The clusters of one side that differ, ascending, and for each differing cell the place of its cluster among them.
struct DifferingSide {
    std::vector<std::int64_t> clusters;
    Buffer<std::int64_t> place;
};

struct DifferingCells {
    Buffer<std::int64_t> cells;
    DifferingSide rows, columns;
};

// Whether each group has several cells.
inline std::vector<std::uint8_t> has_several(const GroupNumbers& group) {
    constexpr std::uint8_t one = 1, several = 2;
    std::vector<std::uint8_t> cells(group.groups(), 0);
    for (std::size_t i = 0; i < group.length(); ++i) {
        std::uint8_t& seen = cells[group[i]];
        seen = seen == 0 ? one : several;
    }
    for (std::uint8_t& seen : cells) seen = seen == several;
    return cells;
}

inline DifferingSide differing_side(const GroupNumbers& group, const Buffer<std::int64_t>& cells) {
    std::vector<std::uint8_t> differs(group.groups(), 0);
    for (const std::int64_t cell : cells) differs[group[static_cast<std::size_t>(cell)]] = 1;
    DifferingSide side{{}, Buffer<std::int64_t>(cells.size)};
    Buffer<std::int64_t> place(group.groups());
    for (std::size_t number = 0; number < group.groups(); ++number) {
        place[number] = static_cast<std::int64_t>(side.clusters.size());
        if (differs[number] != 0) side.clusters.push_back(static_cast<std::int64_t>(number));
    }
    for (std::size_t i = 0; i < cells.size; ++i) side.place[i] = place[group[static_cast<std::size_t>(cells[i])]];
    return side;
}

inline DifferingCells differing_cells(const std::int64_t* row, const std::int64_t* column, std::size_t length,
                                      unsigned threads, Control& control) {
    const GroupNumbers groups[2] = {{row, length}, {column, length}};
    std::vector<std::uint8_t> several[2];
    parallel_for(control, threads, 2, [&](unsigned, std::size_t side) { several[side] = has_several(groups[side]); });
    Buffer<std::uint8_t> differs(length);
    std::vector<std::size_t> found(length / block_length + 2, 0);  // up to each block
    parallel_blocks(control, threads, length, [&](unsigned, std::size_t begin, std::size_t count) {
        std::size_t sum = 0;
        for (std::size_t i = begin; i < begin + count; ++i)
            sum += differs[i] = several[0][groups[0][i]] | several[1][groups[1][i]];
        found[begin / block_length + 1] = sum;
    });
    for (std::size_t block = 1; block < found.size(); ++block) found[block] += found[block - 1];
    DifferingCells result{Buffer<std::int64_t>(found.back()), {}, {}};
    parallel_blocks(control, threads, length, [&](unsigned, std::size_t begin, std::size_t count) {
        std::int64_t* out = result.cells.begin() + found[begin / block_length];
        for (std::size_t i = begin; i < begin + count; ++i)
            if (differs[i] != 0) *out++ = static_cast<std::int64_t>(i);
    });
    parallel_for(control, threads, 2, [&](unsigned, std::size_t side) {
        (side == 0 ? result.rows : result.columns) = differing_side(groups[side], result.cells);
    });
    return result;
}

}  // namespace concordant
