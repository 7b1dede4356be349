// How many elements each cluster of each draw shares with each cluster of an estimate.
//
// While the estimate has few clusters, each cluster of a draw has a row with one number for each of them: the gain of a
// single element from joining each cluster is then a sum of rows. Processors add many narrow numbers at a time, so rows
// of floats show which clusters may be best, and the gain is computed in full only for those. If the estimate has many
// clusters, most of which do not overlap a given cluster of a draw, there is a list of those that do.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/processor.hpp"
#include "consensus/criterion.hpp"

namespace concordant {

struct alignas(64) CompanyLine {  // one cache line
    static constexpr std::size_t width = 16;
    float of[width];
};

// The sums of some lines of these rows. They stay in registers, and several lines together wait less for each other's
// sums. GCC adds whole vectors only where a line is copied first.
template <std::size_t together>
CONCORDANT_INLINED void sum_lines(const CompanyLine* table, const std::vector<std::size_t>& rows, std::size_t lines,
                                  CompanyLine* sums) {
    CompanyLine sum[together]{};
    for (const std::size_t row : rows)
        for (std::size_t at = 0; at < together; ++at) {
            const CompanyLine each = table[row * lines + at];
            for (std::size_t j = 0; j < CompanyLine::width; ++j) sum[at].of[j] = sum[at].of[j] + each.of[j];
        }
    std::copy_n(sum, together, sums);
}

// The sum of rows, each of so many lines.
[[maybe_unused]] CONCORDANT_VECTORISED static void sum_rows(const CompanyLine* table, const std::vector<std::size_t>& rows, std::size_t lines,
                                    CompanyLine* sums) {
    std::size_t at = 0;
    for (; at + 4 <= lines; at += 4) sum_lines<4>(table + at, rows, lines, sums + at);
    for (; at < lines; ++at) sum_lines<1>(table + at, rows, lines, sums + at);
}

class Overlaps {
public:
    struct Cell {
        std::uint32_t cluster, n;  // of the estimate, and the elements shared
    };

    Overlaps(std::size_t rows, const Criterion& criterion) : rows_(rows), c_(criterion) { clear(); }

    // Resets to an estimate without clusters.
    void clear() {
        in_rows_ = true;
        lines_ = 0;
        lists_.clear();
        number_.clear();
        company_.clear();
    }

    bool are_in_rows() const { return in_rows_; }

    // For clusters of the estimate up to this number.
    void make_room(std::size_t clusters) {
        if (!in_rows_ || clusters <= width()) return;
        const std::size_t wider = std::bit_ceil(std::max(clusters, least_width));
        if (wider > most_width || wider * rows_ > most_numbers)
            make_lists();
        else
            widen((clusters + CompanyLine::width - 1) / CompanyLine::width);
    }

    // Elements of one cluster of each draw, weighted by the draw's share, join a cluster of the estimate or leave it:
    // calls changed(draw, elements shared before, and after).
    template <class Changed>
    void change(const std::vector<std::size_t>& rows, const std::vector<double>& share, std::uint32_t k,
                std::uint32_t elements, bool in, const Changed& changed) {
        const std::uint32_t added = in ? elements : 0 - elements;
        if (!in_rows_) {
            for (std::size_t b = 0; b < rows.size(); ++b) {
                const std::uint32_t after = change_list(lists_[rows[b]], k, added);
                changed(b, after - added, after);
            }
            return;
        }
        for (std::size_t b = 0; b < rows.size(); ++b) {
            std::uint32_t& n = number_[rows[b] * width() + k];
            n += added;
            company_[rows[b] * lines_ + k / CompanyLine::width].of[k % CompanyLine::width] =
                static_cast<float>(share[b] * c_.company(n, 1));
            changed(b, n - added, n);
        }
    }

    std::uint32_t in_row(std::size_t row, std::uint32_t k) const { return number_[row * width() + k]; }

    // The approximate gain of one element of these clusters from joining each cluster of the estimate, as a share of
    // all: its relative error is below (rows + 1) / 2^23.
    void sum_company(const std::vector<std::size_t>& rows, std::vector<CompanyLine>& gain) const {
        gain.resize(lines_);
        sum_rows(company_.data(), rows, lines_, gain.data());
    }

    // visit(cluster of the estimate, elements shared) for those that share some.
    template <class Visit>
    void for_each(std::size_t row, const Visit& visit) const {
        if (!in_rows_) {
            for (const Cell& cell : lists_[row]) visit(cell.cluster, cell.n);
            return;
        }
        for (std::size_t k = 0; k < width(); ++k)
            if (const std::uint32_t n = number_[row * width() + k]) visit(static_cast<std::uint32_t>(k), n);
    }

private:
    static constexpr std::size_t least_width = 8, most_width = 256, most_numbers = std::size_t{1} << 22;

    static std::uint32_t change_list(std::vector<Cell>& list, std::uint32_t k, std::uint32_t added) {
        std::size_t at = 0;
        while (at < list.size() && list[at].cluster != k) ++at;
        if (at == list.size()) list.push_back({k, 0});
        Cell& cell = list[at];
        const std::uint32_t after = cell.n += added;
        if (after == 0) {
            cell = list.back();
            list.pop_back();
        }
        return after;
    }

    std::size_t width() const { return lines_ * CompanyLine::width; }

    void widen(std::size_t lines) {
        std::vector<std::uint32_t> number(rows_ * lines * CompanyLine::width, 0);
        std::vector<CompanyLine> company(rows_ * lines, CompanyLine{});
        for (std::size_t row = 0; row < rows_; ++row) {
            std::copy_n(number_.data() + row * width(), width(), number.data() + row * lines * CompanyLine::width);
            std::copy_n(company_.data() + row * lines_, lines_, company.data() + row * lines);
        }
        number_.swap(number);
        company_.swap(company);
        lines_ = lines;
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
    std::size_t lines_ = 0;  // of each row
    std::vector<std::uint32_t> number_;
    std::vector<CompanyLine> company_;  // of one element, by the share of its draw
    std::vector<std::vector<Cell>> lists_;
};

}  // namespace concordant
