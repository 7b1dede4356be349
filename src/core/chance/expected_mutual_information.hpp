// Expected mutual information of two partitions with given cluster sizes under random relabelling.
//
// The overlap k of clusters of sizes a and b among N elements is hypergeometric with mean
// mu = ab/N, and the pair contributes E[k/N log(k/mu)]. Since E[k] = mu, this equals
// (mu/N) E[f(k/mu - 1)] with f(d) = (1+d) log(1+d) - d >= 0: a sum without cancellation.
// The probabilities are taken relative to that of the mode and divided by their own sum, so
// neither factorials nor their logarithms appear.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "base/compensated_sum.hpp"
#include "base/integers128.hpp"
#include "base/parallel.hpp"

namespace concordant {

// Distinct cluster sizes with the number of clusters of each.
struct Sizes {
    std::vector<std::int64_t> size, count;
};

// f(d) = (1+d) log(1+d) - d for d >= -1, to full relative precision.
inline double excess(double d) {
    if (std::abs(d) >= 1.0 / 16) return d <= -1 ? 1 : (1 + d) * std::log1p(d) - d;
    double series = 0;  // d^2 (1/(1*2) - d/(2*3) + d^2/(3*4) - ...)
    for (int j = 13; j >= 1; --j) series = 1.0 / (j * (j + 1)) - d * series;
    return d * d * series;
}

inline constexpr double negligible = 1e-20;

// The mean of f under the hypergeometric distribution of one pair of sizes.
class PairExcess {
public:
    PairExcess(std::int64_t a, std::int64_t b, std::int64_t total)
        : a_(a), b_(b), total_(total),
          mu_(static_cast<double>(a) * static_cast<double>(b) / static_cast<double>(total)) {}

    double mean() const {
        if (std::min(a_, b_) == std::max<std::int64_t>(0, a_ - total_ + b_)) return 0;  // k cannot vary
        const double free_share = (static_cast<double>(total_ - a_) / static_cast<double>(total_)) *
                                  (static_cast<double>(total_ - b_) / static_cast<double>(total_ - 1));
        const double variance = mu_ * free_share;
        constexpr double smooth = 32.0 * 32.0;
        if (variance > smooth) return sampled_mean(std::sqrt(variance));
        // With few expected elements and no near-certain k, f is of the order of 1 where it matters,
        // and a table of logarithms is precise enough.
        constexpr double few = 32;
        if (mu_ < few && free_share > 0.25) {
            const double log_mu = std::log(mu_);
            return walked_mean([this, log_mu](std::int64_t k) {
                const double x = static_cast<double>(k) / mu_;
                return k == 0 ? 1 : x * (log_of(k) - log_mu) - x + 1;
            });
        }
        const std::int64_t centre = mode();
        const double centre_deviation = deviation(centre);
        return walked_mean([this, centre, centre_deviation](std::int64_t k) {
            return excess((centre_deviation + static_cast<double>(k - centre)) / mu_);
        });
    }

private:
    struct Moments {
        double weight = 1, weighted = 0;
    };

    std::int64_t mode() const {
        return static_cast<std::int64_t>(static_cast<Uint128>(a_ + 1) * static_cast<Uint128>(b_ + 1) /
                                         static_cast<Uint128>(total_ + 2));
    }

    // k - mu, rounded once.
    double deviation(std::int64_t k) const {
        const Int128 scaled = static_cast<Int128>(k) * total_ - static_cast<Int128>(a_) * b_;
        return static_cast<double>(scaled) / static_cast<double>(total_);
    }

    static double log_of(std::int64_t k) {
        static const auto table = [] {
            std::array<double, 256> logs{};
            for (std::size_t i = 1; i < logs.size(); ++i) logs[i] = std::log(static_cast<double>(i));
            return logs;
        }();
        const auto i = static_cast<std::size_t>(k);
        return i < table.size() ? table[i] : std::log(static_cast<double>(k));
    }

    // P(k+1) / P(k)
    double ratio_above(std::int64_t k) const {
        return static_cast<double>(a_ - k) * static_cast<double>(b_ - k) /
               (static_cast<double>(k + 1) * static_cast<double>(total_ - a_ - b_ + k + 1));
    }

    double ratio_below(std::int64_t k) const {
        return static_cast<double>(k) * static_cast<double>(total_ - a_ - b_ + k) /
               (static_cast<double>(a_ - k + 1) * static_cast<double>(b_ - k + 1));
    }

    // Adds one term; false if it is negligible. All further terms are then negligible too: probabilities are log-concave.
    static bool add_term(Moments& moments, double weight, double f) {
        moments.weight += weight;
        moments.weighted += weight * f;
        return weight > negligible * moments.weight || weight * f > negligible * moments.weighted;
    }

    // Walks from the mode outward; the probability of the mode counts as 1.
    template <class F>
    double walked_mean(F f) const {
        const std::int64_t centre = mode();
        Moments moments{1, f(centre)};
        double weight = 1;
        for (std::int64_t k = centre, last = std::min(a_, b_); k < last; ++k) {
            weight *= ratio_above(k);
            if (!add_term(moments, weight, f(k + 1))) break;
        }
        weight = 1;
        for (std::int64_t k = centre, last = std::max<std::int64_t>(0, a_ - total_ + b_); k > last; --k) {
            weight *= ratio_below(k);
            if (!add_term(moments, weight, f(k - 1))) break;
        }
        return moments.weighted / moments.weight;
    }

    // A wide distribution is smooth: sums over every h-th k give its means to about
    // exp(-2 pi^2 sigma^2/h^2), the aliasing error of a sampled bell curve (1e-34 at h = sigma/2).
    // The four counts of the table are then large (each mean is at least sigma^2), and their
    // factorials follow Stirling's series about the means.
    double sampled_mean(double sigma) const {
        const double n = static_cast<double>(total_), a = static_cast<double>(a_), b = static_cast<double>(b_);
        const double not_a = static_cast<double>(total_ - a_), not_b = static_cast<double>(total_ - b_);
        const std::array<double, 4> mean = {mu_, a * not_b / n, b * not_a / n, not_a * not_b / n};
        const double centre = deviation(mode()), step = std::floor(sigma / 2);

        const auto log_weight = [&mean](double delta) {
            double exponent = 0, scale = 1;
            for (std::size_t i = 0; i < mean.size(); ++i) {
                const double d = (i == 0 || i == 3 ? delta : -delta) / mean[i];
                const double inverse = 1 / (mean[i] * (1 + d));
                exponent -= mean[i] * excess(d) + inverse * (1.0 / 12 - inverse * inverse / 360);
                scale *= 1 + d;
            }
            return exponent - 0.5 * std::log(scale);
        };
        const double peak = log_weight(centre);
        Moments moments{1, excess(centre / mu_)};
        for (const double direction : {step, -step}) {
            for (double delta = centre + direction;; delta += direction)
                if (!add_term(moments, std::exp(log_weight(delta) - peak), excess(delta / mu_))) break;
        }
        return moments.weighted / moments.weight;
    }

    std::int64_t a_, b_, total_;
    double mu_;
};

inline std::int64_t total_size(const Sizes& sizes) {
    Int128 total = 0;
    constexpr Int128 limit = std::int64_t{1} << 62;
    for (std::size_t i = 0; i < sizes.size.size(); ++i) {
        if (sizes.size[i] <= 0 || sizes.count[i] < 0)
            throw std::invalid_argument("cluster sizes must be positive and their counts not negative");
        total += static_cast<Int128>(sizes.size[i]) * sizes.count[i];
        if (total > limit) throw std::invalid_argument("more than 2**62 elements");
    }
    return static_cast<std::int64_t>(total);
}

// For every pair of sizes of clusters of a set of this many elements, row by row: the mean of f.
inline std::vector<double> pair_excesses(const std::vector<std::int64_t>& rows, const std::vector<std::int64_t>& columns,
                                         std::int64_t total, unsigned threads, Control& control) {
    for (const auto* sizes : {&rows, &columns})
        for (const std::int64_t size : *sizes)
            if (size <= 0 || size > total) throw std::invalid_argument("cluster sizes must be positive and fit the set");
    std::vector<double> found(rows.size() * columns.size());
    parallel_for(control, threads, rows.size(), [&](unsigned, std::size_t i) {
        for (std::size_t j = 0; j < columns.size(); ++j) {
            if (j % 64 == 0) control.checkpoint();
            found[i * columns.size() + j] = PairExcess(rows[i], columns[j], total).mean();
        }
    });
    return found;
}

struct WeightedSizes {
    std::vector<std::int64_t> size;
    std::vector<double> weight;
};

// The sizes themselves with their counts, or fewer sizes with weights for which the sum of b E[f(a, b)] is the
// same to rounding. This is a smooth function of b, and singular only at b = 0. Between b and 5b/4 a polynomial
// through 16 Chebyshev points, rounded to integers, is exact to about 17.9^-16.
inline WeightedSizes condensed(const Sizes& sizes) {
    constexpr std::size_t nodes = 16, many = 4 * nodes;  // with this many distinct sizes, no two nodes coincide
    std::vector<std::size_t> order(sizes.size.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return sizes.size[i] < sizes.size[j]; });
    WeightedSizes found;
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        const std::int64_t lowest = sizes.size[order[begin]];
        while (end < order.size() && sizes.size[order[end]] - lowest <= lowest / 4) ++end;
        if (end - begin <= many) {
            for (std::size_t place = begin; place < end; ++place) {
                found.size.push_back(sizes.size[order[place]]);
                found.weight.push_back(static_cast<double>(sizes.count[order[place]]));
            }
            continue;
        }
        const double half = static_cast<double>(sizes.size[order[end - 1]] - lowest) / 2;
        std::array<double, nodes> node{}, factor{}, weight{}, term{};  // nodes as distances from the lowest size
        for (std::size_t m = 0; m < nodes; ++m)
            node[m] = std::round(half - half * std::cos(std::acos(-1.0) * (static_cast<double>(m) + 0.5) / nodes));
        for (std::size_t m = 0; m < nodes; ++m) {
            factor[m] = 1;
            for (std::size_t l = 0; l < nodes; ++l)
                if (l != m) factor[m] *= half / (node[m] - node[l]);
        }
        for (std::size_t place = begin; place < end; ++place) {
            const double distance = static_cast<double>(sizes.size[order[place]] - lowest);
            const double count = static_cast<double>(sizes.count[order[place]]);
            const auto same = std::find(node.begin(), node.end(), distance);
            if (same != node.end()) {
                weight[static_cast<std::size_t>(same - node.begin())] += count;
                continue;
            }
            double sum = 0;
            for (std::size_t m = 0; m < nodes; ++m) sum += term[m] = factor[m] / (distance - node[m]);
            for (std::size_t m = 0; m < nodes; ++m) weight[m] += count * (term[m] / sum);
        }
        for (std::size_t m = 0; m < nodes; ++m) {
            found.size.push_back(lowest + static_cast<std::int64_t>(node[m]));
            found.weight.push_back(weight[m]);
        }
    }
    return found;
}

inline double expected_mutual_information(const Sizes& rows, const Sizes& columns, unsigned threads, Control& control) {
    const std::int64_t total = total_size(rows);
    if (total != total_size(columns))
        throw std::invalid_argument("the rows and the columns hold different numbers of elements");
    if (total == 0) return 0;

    const WeightedSizes u = condensed(rows), v = condensed(columns);
    std::vector<double> row_sum(u.size.size());
    const auto sum_row = [&](unsigned, std::size_t i) {
        CompensatedSum sum;
        for (std::size_t j = 0; j < v.size.size(); ++j) {
            if (j % 64 == 0) control.checkpoint();
            sum.add(static_cast<double>(v.size[j]) * v.weight[j] * PairExcess(u.size[i], v.size[j], total).mean());
        }
        row_sum[i] = sum.value() * static_cast<double>(u.size[i]) * u.weight[i];
    };
    constexpr std::size_t worth_threads = 512;  // pairs; with fewer, starting a thread costs more than it saves
    parallel_for(control, u.size.size() * v.size.size() < worth_threads ? 1 : threads, u.size.size(), sum_row);

    CompensatedSum sum;
    for (const double term : row_sum) sum.add(term);
    return sum.value() / static_cast<double>(total) / static_cast<double>(total);
}

}  // namespace concordant
