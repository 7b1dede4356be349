// Sums of ratios with different denominators, with more digits than a float shows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/integers128.hpp"
#include "base/parallel.hpp"
#include "base/wide_integers.hpp"

namespace concordant {

struct RatioSums {
    Wide<4> positive, negative;
};

// Σ factor · numerator / denominator, times 2^128, each term cut off; without factors if they are null. Denominators
// are positive.
inline RatioSums ratio_sums(const std::int64_t* factor, const std::int64_t* numerator, const std::int64_t* denominator,
                            std::size_t length, unsigned threads, Control& control) {
    const auto magnitude = [](std::int64_t x) {
        return x < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
    };
    std::vector<RatioSums> sums(std::max(1U, threads));
    parallel_blocks(control, threads, length, [&](unsigned worker, std::size_t begin, std::size_t count) {
        control.checkpoint();
        RatioSums sum;
        for (std::size_t i = begin; i < begin + count; ++i) {
            const std::int64_t times = factor == nullptr ? 1 : factor[i];
            const Uint128 whole = product(magnitude(times), magnitude(numerator[i]));
            if (whole == Uint128{0}) continue;
            const bool is_negative = (times < 0) != (numerator[i] < 0);
            (is_negative ? sum.negative : sum.positive) += WordDivisor(magnitude(denominator[i])).ratio(whole);
        }
        sums[worker].positive += sum.positive;
        sums[worker].negative += sum.negative;
    });
    for (std::size_t worker = 1; worker < sums.size(); ++worker) {
        sums[0].positive += sums[worker].positive;
        sums[0].negative += sums[worker].negative;
    }
    return sums[0];
}

}  // namespace concordant
