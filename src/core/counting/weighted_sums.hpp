// Sums over weighted cells that indices are made of, exact or with more digits than a float shows.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/fixed_log.hpp"
#include "base/integers128.hpp"
#include "base/parallel.hpp"
#include "base/processor.hpp"
#include "base/wide_integers.hpp"
#include "counting/weighted_cells.hpp"

namespace concordant {

// A sum over the cells, over the rows and over the columns, and its term for the total.
struct SumsOfWeights {
    Wide<4> cells, rows, columns, whole;
};

// Squares of sums of 64 bits add up to less than 2^126, since the total has 63 bits at most.
template <class Sum>
using SquareOf = decltype(square(Sum{}));

template <class Sum>
class WeightedSums {
public:
    WeightedSums(const WeightedCells<Sum>& cells, unsigned threads, Control& control)
        : cells_(cells), control_(control) {
        constexpr std::size_t cells_per_thread = std::size_t{1} << 12;
        threads_ = static_cast<unsigned>(std::clamp<std::size_t>(cells.weight.size / cells_per_thread, 1, std::max(1U, threads)));
    }

    // Σ x²
    SumsOfWeights squares() const {
        return of_all<SquareOf<Sum>>([](SquareOf<Sum>& sum, Sum weight) { sum += square(weight); });
    }

    // Σ x·log(x) · 2^120
    SumsOfWeights logs() const {
        const FixedLog& log = FixedLog::get();
        return of_all<Wide<4>>([&log](Wide<4>& sum, Sum weight) {
            if (weight > Sum{1}) sum += wide_product(Wide<2>(Uint128{weight}), Wide<2>(log(Uint128{weight})));
        });
    }

    // Σ n²/a over the cells, a the weight of the row of a cell, or of its column: as fractions with different denominators,
    // or, if there are more than `most` of these, as one with the denominator 2^128, cut off.
    std::vector<std::pair<Wide<4>, Wide<4>>> shares(bool of_rows, std::size_t most) const {
        const std::vector<Sum>& sizes = of_rows ? cells_.row_weight : cells_.column_weight;
        std::vector<SquareOf<Sum>> squares = of_rows ? row_squares() : column_squares();
        if (const auto few = by_size(sizes, squares, most)) {
            std::vector<std::pair<Wide<4>, Wide<4>>> fractions;
            for (const auto& [size, sum] : *few) fractions.push_back({Wide<4>(sum), Wide<4>(Uint128{size})});
            return fractions;
        }
        std::vector<Wide<4>> sums(threads_);
        parallel_blocks(control_, threads_, sizes.size(), [&](unsigned worker, std::size_t begin, std::size_t count) {
            Wide<4> sum;
            for (std::size_t i = begin; i < begin + count; ++i)
                if (sizes[i] != Sum{0}) sum += quotient(squares[i], sizes[i]);
            sums[worker] += sum;
        });
        for (std::size_t worker = 1; worker < sums.size(); ++worker) sums[0] += sums[worker];
        Wide<4> denominator;
        denominator.word[2] = 1;
        return {{sums[0], denominator}};
    }

private:
    template <class Total, class Add>
    SumsOfWeights of_all(Add add) const {
        const Sum whole = std::accumulate(cells_.row_weight.begin(), cells_.row_weight.end(), Sum{0});
        return {total<Total>(cells_.weight.begin(), cells_.weight.size, add),
                total<Total>(cells_.row_weight.data(), cells_.rows(), add),
                total<Total>(cells_.column_weight.data(), cells_.columns(), add), total<Total>(&whole, 1, add)};
    }

    template <class Total, class Add>
    Wide<4> total(const Sum* values, std::size_t length, Add add) const {
        std::vector<Wide<4>> sums(threads_);
        parallel_blocks(control_, threads_, length, [&](unsigned worker, std::size_t begin, std::size_t count) {
            Total sum{};
            for (std::size_t i = begin; i < begin + count; ++i) add(sum, values[i]);
            sums[worker] += Wide<4>(sum);
        });
        for (std::size_t worker = 1; worker < sums.size(); ++worker) sums[0] += sums[worker];
        return sums[0];
    }

    std::vector<SquareOf<Sum>> row_squares() const {
        std::vector<SquareOf<Sum>> squares(cells_.rows());
        parallel_blocks(control_, threads_, cells_.rows(), [&](unsigned, std::size_t begin, std::size_t count) {
            for (std::size_t row = begin; row < begin + count; ++row)
                for (std::size_t i = cells_.start[row]; i < cells_.start[row + 1]; ++i) squares[row] += square(cells_.weight[i]);
        });
        return squares;
    }

    std::vector<SquareOf<Sum>> column_squares() const {
        std::vector<SquareOf<Sum>> squares(cells_.columns());
        const std::size_t length = cells_.weight.size;
        for (std::size_t i = 0; i < length; ++i) {
            constexpr std::size_t ahead = 16;
            if (i + ahead < length) prefetch(&squares[cells_.column[i + ahead]]);
            squares[cells_.column[i]] += square(cells_.weight[i]);
        }
        return squares;
    }

    // The squares by the size of their cluster, ascending; empty if there are more sizes than `most`.
    static std::optional<std::map<Sum, SquareOf<Sum>>> by_size(const std::vector<Sum>& sizes,
                                                               const std::vector<SquareOf<Sum>>& squares, std::size_t most) {
        std::map<Sum, SquareOf<Sum>> sums;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            if (sizes[i] == Sum{0}) continue;
            sums[sizes[i]] += squares[i];
            if (sums.size() > most) return std::nullopt;
        }
        return sums;
    }

    // numerator · 2^128 / size, rounded down; the numerator is at most size².
    static Wide<4> quotient(SquareOf<Sum> numerator, Sum size) {
        const Divisor divisor{Uint128{size}};
        Wide<4> result;
        const auto raised = Wide<sizeof numerator / 8>(numerator).template shifted<sizeof numerator / 8 + 2>(128);
        const auto found = divisor.quotient(raised);
        std::copy_n(found.word.begin(), 4, result.word.begin());
        return result;
    }

    const WeightedCells<Sum>& cells_;
    Control& control_;
    unsigned threads_;
};

}  // namespace concordant
