// The kinds of the cells of a table: cells with equal sizes are of one kind.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/code_table.hpp"
#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "base/processor.hpp"
#include "graph/groups.hpp"

namespace concordant {

struct CellKinds {
    Buffer<std::int64_t> kind;            // of each cell
    std::vector<std::int64_t> n, a, b;    // of each kind: the sizes of its cells, rows and columns
};

inline CellKinds cell_kinds(const GroupNumbers& row, const GroupNumbers& column, const std::int64_t* n, Control& control) {
    CellKinds kinds{Buffer<std::int64_t>(row.length()), {}, {}, {}};
    std::vector<std::int64_t> row_size(row.groups()), column_size(column.groups());
    constexpr std::size_t ahead = 16;
    const auto prefetch_column = [&](std::size_t i) {
        if (i % block_length == 0) control.checkpoint();
        if (i + ahead < row.length()) prefetch(&column_size[column[i + ahead]]);
    };
    for (std::size_t i = 0; i < row.length(); ++i) {
        prefetch_column(i);
        row_size[row[i]] += n[i];
        column_size[column[i]] += n[i];
    }
    CodeTable table;
    const Hasher hasher;
    for (std::size_t i = 0; i < row.length(); ++i) {
        prefetch_column(i);
        const std::int64_t own = n[i], a = row_size[row[i]], b = column_size[column[i]];
        std::uint64_t hash = 0;
        for (const std::int64_t size : {own, a, b}) hash = hasher(hash ^ static_cast<std::uint64_t>(size));
        const auto fresh = static_cast<std::int64_t>(kinds.n.size());
        std::int64_t kind = table.find_or_insert(hash, fresh, [&](std::int64_t known) {
            const auto k = static_cast<std::size_t>(known);
            return kinds.n[k] == own && kinds.a[k] == a && kinds.b[k] == b;
        });
        if (kind == no_code) {
            kind = fresh;
            kinds.n.push_back(own);
            kinds.a.push_back(a);
            kinds.b.push_back(b);
        }
        kinds.kind[i] = kind;
    }
    return kinds;
}

// The records of each kind in each slice, in the order of slices.
struct KindSums {
    std::vector<std::int64_t> slice, kind, records;
};

// Each cell has a kind, and each of its pieces a slice.
inline KindSums kind_sums(const GroupNumbers& kind, const GroupNumbers& cell, const GroupNumbers& slice,
                          const std::int64_t* records, Control& control) {
    CodeTable table;
    const Hasher hasher;
    std::vector<std::pair<std::uint64_t, std::int64_t>> sums;
    for (std::size_t piece = 0; piece < cell.length(); ++piece) {
        if (piece % block_length == 0) control.checkpoint();
        const std::uint64_t key = static_cast<std::uint64_t>(slice[piece]) << 32 | kind[cell[piece]];
        const auto fresh = static_cast<std::int64_t>(sums.size());
        // Equal hashes mean equal keys.
        const std::int64_t code = table.find_or_insert(hasher(key), fresh, [](std::int64_t) { return true; });
        if (code == no_code) sums.emplace_back(key, 0);
        sums[static_cast<std::size_t>(code == no_code ? fresh : code)].second += records[piece];
    }
    std::sort(sums.begin(), sums.end());
    KindSums result;
    for (const auto& [key, sum] : sums) {
        result.slice.push_back(static_cast<std::int64_t>(key >> 32));
        result.kind.push_back(static_cast<std::int64_t>(key & 0xffffffffU));
        result.records.push_back(sum);
    }
    return result;
}

}  // namespace concordant
