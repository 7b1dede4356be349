// How many elements each cluster of each draw shares with each cluster of an estimate.
//
// While the estimate has few clusters, each cluster of a draw has a row of numbers, one for each of them: what a single
// element gains by the company of each is then a sum of rows, which processors add many at a time. Where it has many,
// most of which never meet, there is a list of those that do.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "consensus/criterion.hpp"

namespace concordant {

class Overlaps {
public:
    struct Cell {
        std::uint32_t cluster, n;  // of the estimate, and the elements shared
    };

    struct Change {
        std::uint32_t before, after;
    };

    Overlaps(std::size_t rows, const Criterion& criterion) : rows_(rows), c_(criterion) { clear(); }

    // Nothing shared, and no clusters in the estimate.
    void clear() {
        in_rows_ = true;
        width_ = 0;
        lists_.clear();
        number_.clear();
        company_.clear();
    }

    bool are_in_rows() const { return in_rows_; }
    std::size_t width() const { return width_; }

    // For clusters of the estimate up to this number.
    void make_room(std::size_t clusters) {
        if (!in_rows_ || clusters <= width_) return;
        const std::size_t wider = std::max(least_width, 2 * width_);
        if (wider > most_width || wider * rows_ > most_numbers)
            make_lists();
        else
            widen(wider);
    }

    // Elements of a cluster of a draw, which counts by its share, come to a cluster of the estimate or leave it.
    Change change(std::size_t row, std::uint32_t k, std::uint32_t elements, bool in, double share) {
        if (!in_rows_) return change_list(lists_[row], k, elements, in);
        std::uint32_t& n = number_[row * width_ + k];
        const std::uint32_t before = n;
        n = in ? n + elements : n - elements;
        company_[row * width_ + k] = share * c_.company(n, 1);
        return {before, n};
    }

    std::uint32_t in_row(std::size_t row, std::uint32_t k) const { return number_[row * width_ + k]; }

    // What one element of these clusters gains by the company of each cluster of the estimate. Sums of a few columns
    // stay in registers, so the processor fetches many rows at the same time.
    void sum_company(const std::vector<std::size_t>& rows, double* gain) const {
        for (std::size_t k = 0; k < width_; k += least_width) {
            double sums[least_width] = {};
            for (const std::size_t row : rows) {
                const double* each = company_.data() + row * width_ + k;
                for (std::size_t j = 0; j < least_width; ++j) sums[j] += each[j];
            }
            std::copy_n(sums, least_width, gain + k);
        }
    }

    // visit(cluster of the estimate, elements shared) for those that share some.
    template <class Visit>
    void for_each(std::size_t row, const Visit& visit) const {
        if (!in_rows_) {
            for (const Cell& cell : lists_[row]) visit(cell.cluster, cell.n);
            return;
        }
        for (std::size_t k = 0; k < width_; ++k)
            if (const std::uint32_t n = number_[row * width_ + k]) visit(static_cast<std::uint32_t>(k), n);
    }

private:
    static constexpr std::size_t least_width = 8, most_width = 256, most_numbers = std::size_t{1} << 22;

    static Change change_list(std::vector<Cell>& list, std::uint32_t k, std::uint32_t elements, bool in) {
        std::size_t at = 0;
        while (at < list.size() && list[at].cluster != k) ++at;
        if (at == list.size()) list.push_back({k, 0});
        Cell& cell = list[at];
        const std::uint32_t before = cell.n, after = in ? before + elements : before - elements;
        cell.n = after;
        if (after == 0) {
            cell = list.back();
            list.pop_back();
        }
        return {before, after};
    }

    void widen(std::size_t wider) {
        std::vector<std::uint32_t> number(rows_ * wider, 0);
        std::vector<double> company(rows_ * wider, 0.0);
        for (std::size_t row = 0; row < rows_; ++row)
            for (std::size_t k = 0; k < width_; ++k) {
                number[row * wider + k] = number_[row * width_ + k];
                company[row * wider + k] = company_[row * width_ + k];
            }
        number_.swap(number);
        company_.swap(company);
        width_ = wider;
    }

    void make_lists() {
        std::vector<std::vector<Cell>> lists(rows_);
        for (std::size_t row = 0; row < rows_; ++row)
            for_each(row, [&](std::uint32_t cluster, std::uint32_t n) { lists[row].push_back({cluster, n}); });
        clear();
        lists_.swap(lists);
        in_rows_ = false;
    }

    std::size_t rows_;
    const Criterion& c_;
    bool in_rows_ = true;
    std::size_t width_ = 0;
    std::vector<std::uint32_t> number_;
    std::vector<double> company_;  // of one element, by the share of its draw
    std::vector<std::vector<Cell>> lists_;
};

}  // namespace concordant
