// The best estimate of a few items, found by trying every partition of them.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "consensus/criterion.hpp"
#include "consensus/draws.hpp"

namespace concordant {

class Enumeration {
public:
    static constexpr std::size_t most_items = 9;  // 21,147 partitions

    Enumeration(const Draws& draws, const Criterion& criterion)
        : d_(draws), c_(criterion), label_(draws.items), size_(draws.items, 0), own_(draws.draws, 0),
          met_(draws.draws, 0), overlap_(draws.draws * draws.items * draws.items, 0) {
        std::vector<std::uint64_t> sizes(d_.draws * d_.items, 0);
        for (std::size_t i = 0; i < d_.items; ++i)
            for (std::size_t b = 0; b < d_.draws; ++b) sizes[b * d_.items + d_.cluster_of(i, b)] += d_.weight[i];
        for (std::size_t b = 0; b < d_.draws; ++b)
            for (std::size_t c = 0; c < d_.items; ++c) own_[b] += c_.f(sizes[b * d_.items + c]);
    }

    const std::vector<std::uint32_t>& best() {
        least_ = std::numeric_limits<double>::infinity();
        place(0, 0, 0);
        return best_;
    }

private:
    void place(std::size_t i, std::uint32_t used, double summed) {
        if (i == d_.items) return judge(summed);
        const std::uint32_t w = d_.weight[i];
        for (std::uint32_t k = 0; k <= used; ++k) {
            const double more = c_.f(size_[k] + w) - c_.f(size_[k]);
            move(i, k, w);
            size_[k] += w;
            label_[i] = k;
            place(i + 1, k == used ? used + 1 : used, summed + more);
            size_[k] -= w;
            move(i, k, -static_cast<std::int64_t>(w));
        }
    }

    void move(std::size_t i, std::uint32_t k, std::int64_t w) {
        for (std::size_t b = 0; b < d_.draws; ++b) {
            std::int64_t& n = overlap_[(b * d_.items + d_.cluster_of(i, b)) * d_.items + k];
            const double before = c_.f(static_cast<std::uint64_t>(n));
            n += w;
            met_[b] += c_.f(static_cast<std::uint64_t>(n)) - before;
        }
    }

    void judge(double summed) {
        double cost = 0;
        for (std::size_t b = 0; b < d_.draws; ++b) cost += d_.share[b] * c_.of(summed, met_[b], own_[b]);
        // The first is kept whatever its cost, which is NaN if the price is infinite.
        if (best_.empty() || cost < least_ - 1e-12 * (1 + std::abs(cost))) {
            least_ = cost;
            best_ = label_;
        }
    }

    const Draws& d_;
    const Criterion& c_;
    std::vector<std::uint32_t> label_, best_;
    std::vector<std::uint64_t> size_;
    std::vector<double> own_, met_;
    std::vector<std::int64_t> overlap_;
    double least_ = 0;
};

}  // namespace concordant
