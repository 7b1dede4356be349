// Pairs of few labels, counted in a table of all labels between the smallest and the largest of each side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "labels/labels.hpp"

namespace concordant {

class DensePairs {
public:
    static constexpr std::size_t most_cells = std::size_t{1} << 18;  // of a table in the second-level cache

    // How many cells the table of such labels has; none where these are too many.
    static std::size_t cells(KeyRange u, KeyRange v) {
        if (u.empty() || v.empty() || u.span() >= most_cells || v.span() >= most_cells) return 0;
        const std::size_t all = static_cast<std::size_t>((u.span() + 1) * (v.span() + 1));
        return all <= most_cells ? all : 0;
    }

    void start(KeyRange u, KeyRange v) {
        low_u_ = u.low;
        low_v_ = v.low;
        rows_ = u.span() + 1;
        columns_ = v.span() + 1;
        counts_.assign(static_cast<std::size_t>(rows_ * columns_), 0);
    }

    // False, with nothing counted, where the table has no such cell.
    bool count(std::uint64_t u, std::uint64_t v, std::uint64_t n) {
        const std::uint64_t row = u - low_u_, column = v - low_v_;
        if (row >= rows_ || column >= columns_) return false;
        counts_[static_cast<std::size_t>(row * columns_ + column)] += n;
        return true;
    }

    void add(const DensePairs& other) {
        for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    }

    // Calls use(u, v, n) for the cells that have elements.
    template <class Use>
    void for_each(Use use) const {
        for (std::size_t i = 0; i < counts_.size(); ++i)
            if (counts_[i] != 0) use(low_u_ + i / columns_, low_v_ + i % columns_, counts_[i]);
    }

private:
    std::uint64_t low_u_ = 0, low_v_ = 0, rows_ = 0, columns_ = 0;
    std::vector<std::uint64_t> counts_;
};

}  // namespace concordant
