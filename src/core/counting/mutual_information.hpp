// The mutual information of a profile, as a sum of terms that are never negative.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "base/parallel.hpp"

namespace concordant {

// log(x/y) - 1 + y/x to full relative precision, of overlaps and what independence expects, both times the size.
inline double gain_over_independence(std::int64_t joint, std::int64_t independent) {
    constexpr double nearly = 1.0 / 128;  // so near, the series is more exact than the logarithm
    const auto difference =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(joint) - static_cast<std::uint64_t>(independent));
    const auto excess = static_cast<double>(difference), x = static_cast<double>(joint);
    const double t = excess / x;
    if (std::abs(t) >= nearly)
        return std::copysign(std::log1p(std::abs(excess) / std::min(x, static_cast<double>(independent))), t) - t;
    double series = 1.0 / 10;  // t²/2 + t³/3 + …
    for (int power = 9; power > 1; --power) series = series * t + 1.0 / power;
    return series * t * t;
}

// A sum that does not depend on the order of its terms, none of which is larger than `largest`. Each term is cut into
// digits so coarse that a double holds any sum of one digit of all terms exactly.
class OrderlessSum {
public:
    OrderlessSum(double largest, std::uint64_t terms) {
        constexpr double least = 1e-200;  // smaller terms do not matter, and their digits would not be normal
        double bound = std::max(largest, least);
        for (double& coarse : coarse_) {
            coarse = std::ldexp(1.0, std::ilogb(bound) + static_cast<int>(std::bit_width(terms)) + 2);
            bound = std::ldexp(coarse, -52);
        }
    }

    void add(double term, double times) {
        for (std::size_t i = 0; i < digits; ++i) {
            const double digit = (coarse_[i] + term) - coarse_[i];
            sum_[i] += digit * times;
            term -= digit;
        }
    }

    void add(const OrderlessSum& other) {
        for (std::size_t i = 0; i < digits; ++i) sum_[i] += other.sum_[i];
    }

    double value() const { return sum_[0] + (sum_[1] + sum_[2]); }

private:
    static constexpr std::size_t digits = 3;

    std::array<double, digits> coarse_, sum_{};
};

// Sizes of a profile, or of a dense table of overlaps, row by row.
struct ProfileSizes {
    const std::int64_t *n, *a, *b, *count;
    std::size_t length;

    std::int64_t row_size(std::size_t i) const { return a[i]; }
    std::int64_t column_size(std::size_t i) const { return b[i]; }
    std::int64_t times(std::size_t i) const { return count[i]; }
};

struct TableSizes {
    const std::int64_t *n, *a, *b;
    std::size_t length, columns;

    std::int64_t row_size(std::size_t i) const { return a[i / columns]; }
    std::int64_t column_size(std::size_t i) const { return b[i % columns]; }
    std::int64_t times(std::size_t i) const { return n[i] != 0; }
};

// In nats; the mutual information is the first plus what independence would put into the empty overlaps.
struct InformationSums {
    double gains, u_given_v, v_given_u;
    std::uint64_t independent;  // the sum of a·b over all overlaps
};

// Modulo 2^64: the numbers are the caller's memory, and another thread may write to it meanwhile.
inline std::int64_t wrapped_product(std::int64_t x, std::int64_t y) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y));
}

// The mean of a term over all elements: term(n, a, b) belongs to each element of an overlap. Also the sum of a·b.
template <class Sizes, class Term>
double mean_of(const Sizes& sizes, std::int64_t size, Buffer<double>& terms, unsigned threads, Control& control,
               std::uint64_t& independent, Term term) {
    struct Worker {
        double largest = 0;
        std::uint64_t cells = 0, independent = 0;
    };
    std::vector<Worker> workers(threads);
    parallel_blocks(control, threads, sizes.length, [&](unsigned worker, std::size_t begin, std::size_t block) {
        Worker own = workers[worker];
        for (std::size_t i = begin; i < begin + block; ++i) {
            const std::int64_t n = sizes.n[i], a = sizes.row_size(i), b = sizes.column_size(i), times = sizes.times(i);
            const double weight = static_cast<double>(n) / static_cast<double>(size);
            terms[i] = times == 0 ? 0 : weight * term(n, a, b);
            own.largest = std::max(own.largest, terms[i]);
            own.cells += static_cast<std::uint64_t>(times);
            own.independent += static_cast<std::uint64_t>(wrapped_product(wrapped_product(a, b), times));
        }
        workers[worker] = own;
    });
    Worker all;
    for (const Worker& worker : workers) {
        all.largest = std::max(all.largest, worker.largest);
        all.cells += worker.cells;
        all.independent += worker.independent;
    }
    independent = all.independent;
    std::vector<OrderlessSum> sums(threads, OrderlessSum(all.largest, all.cells));
    parallel_blocks(control, threads, sizes.length, [&](unsigned worker, std::size_t begin, std::size_t block) {
        OrderlessSum own = sums[worker];
        for (std::size_t i = begin; i < begin + block; ++i) own.add(terms[i], static_cast<double>(sizes.times(i)));
        sums[worker] = own;
    });
    for (std::size_t worker = 1; worker < sums.size(); ++worker) sums[0].add(sums[worker]);
    return sums[0].value();
}

// Of `size` elements, less than 2^31. A table and its profile give the same sums.
template <class Sizes>
InformationSums information_sums(const Sizes& sizes, std::int64_t size, unsigned threads, Control& control) {
    Buffer<double> terms(sizes.length);
    std::uint64_t independent = 0;
    const auto mean = [&](auto term) { return mean_of(sizes, size, terms, threads, control, independent, term); };
    const auto surprise = [](std::int64_t whole, std::int64_t part) {
        return std::log1p((static_cast<double>(whole) - static_cast<double>(part)) / static_cast<double>(part));
    };
    const double gains = mean([size](std::int64_t n, std::int64_t a, std::int64_t b) {
        return gain_over_independence(wrapped_product(n, size), wrapped_product(a, b));
    });
    const double u_given_v = mean([&](std::int64_t n, std::int64_t, std::int64_t b) { return surprise(b, n); });
    const double v_given_u = mean([&](std::int64_t n, std::int64_t a, std::int64_t) { return surprise(a, n); });
    return {gains, u_given_v, v_given_u, independent};
}

}  // namespace concordant
