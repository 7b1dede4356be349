// Sums of floating-point numbers.
#pragma once

#include <cmath>

namespace concordant {

// Neumaier's sum: the rounding errors of the additions are kept and added at the end.
class CompensatedSum {
public:
    void add(double term) {
        const double next = sum_ + term;
        lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - next) + term : (term - next) + sum_;
        sum_ = next;
    }
    double value() const { return sum_ + lost_; }

private:
    double sum_ = 0, lost_ = 0;
};

}  // namespace concordant
