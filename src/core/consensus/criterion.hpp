// The criterion that a consensus minimizes: a loss between an estimate and each draw, by sums of f(size).
//
// Write S, D, O for the sums of f over the clusters of the estimate, over those of a draw, and over their overlaps;
// f(x) is x² or x log2 x.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/processor.hpp"

namespace concordant {

enum class Loss { binder, vi, omari, nvi, id, nid };

class Criterion {
public:
    Criterion(Loss loss, double price, std::uint64_t elements)
        : loss_(loss), price_(price), elements_(static_cast<double>(elements)),
          squares_(loss == Loss::binder || loss == Loss::omari) {
        const std::size_t length = static_cast<std::size_t>(std::min<std::uint64_t>(elements, table_limit)) + 2;
        table_.resize(length);
        for (std::size_t x = 0; x < length; ++x) table_[x] = computed(static_cast<double>(x));
        whole_ = computed(elements_);
        company_.resize(length - 1);
        for (std::size_t x = 0; x + 1 < length; ++x) company_[x] = table_[x + 1] - table_[x] - table_[1];
    }

    // f(x + w) - f(x) - f(w): the gain of w elements from x co-members.
    double company(std::uint32_t x, std::uint32_t w) const {
        if (w == 1 && x < company_.size()) return company_[x];
        return f(std::uint64_t{x} + w) - f(x) - f(w);
    }

    double f(std::uint64_t x) const { return x < table_.size() ? table_[x] : computed(static_cast<double>(x)); }

    // Whether the sum of losses is linear in S and O, so each component can be solved separately.
    bool is_linear() const { return loss_ == Loss::binder || loss_ == Loss::vi; }

    // The coefficient of S in the sum for one draw, if it is linear; that of O is -2, that of D is a.
    double own_price() const { return 2 - price_; }

    double of(double s, double o, double d) const {
        switch (loss_) {
            case Loss::binder:
            case Loss::vi: return price_ * d + (2 - price_) * s - 2 * o;
            case Loss::omari: return 1 - adjusted_rand(s, o, d);
            case Loss::nvi: return ratio(d + s - 2 * o, whole_ - o);
            case Loss::id: return (std::max(d, s) - o) / elements_;
            case Loss::nid: return 1 - (whole_ > std::min(d, s) ? (whole_ + o - d - s) / (whole_ - std::min(d, s)) : 1);
        }
        return 0;
    }

private:
    static constexpr std::uint64_t table_limit = std::uint64_t{1} << 22;

    CONCORDANT_SELDOM CONCORDANT_PURE double computed(double x) const {
        return squares_ ? x * x : (x > 0 ? x * std::log2(x) : 0);
    }

    static double ratio(double above, double below) { return below > 0 ? above / below : 0; }

    double adjusted_rand(double s, double o, double d) const {
        const double n = elements_, pairs = n * (n - 1) / 2;
        const double both = (o - n) / 2, in_d = (d - n) / 2, in_s = (s - n) / 2;
        const double expected = pairs > 0 ? in_d * in_s / pairs : 0;
        const double most = (in_d + in_s) / 2 - expected;
        return most > 0 ? (both - expected) / most : 1;  // both all apart, or both all together
    }

    Loss loss_;
    double price_, elements_;
    bool squares_;
    std::vector<double> table_, company_;
    double whole_ = 0;
};

}  // namespace concordant
