// Soft partitions: rows of weights in whole units, so sums are integers and do not depend on their order.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "base/buffer.hpp"
#include "base/parallel.hpp"

namespace concordant {

inline constexpr std::int64_t most_units = std::int64_t{1} << 53;  // of a row of floating-point weights

// Rows of one side: all columns of each row, or its nonzero weights alone.
struct SoftRows {
    const std::int64_t* start = nullptr;   // of each row among the weights; null if each row has all columns
    const std::int64_t* column = nullptr;  // of each weight, if `start` is there; none occurs twice in a row
    const std::int64_t* units = nullptr;
    std::size_t columns = 0;

    bool is_dense() const { return start == nullptr; }
};

// A negative unit is a large number here.
inline void check_units(std::uint64_t largest) {
    if (largest > static_cast<std::uint64_t>(most_units)) throw std::invalid_argument("units must be 0 to 2**53");
}

enum class RowFault : int { none, not_finite, negative, above_one, below_one, empty };

struct UnitRows {
    Buffer<std::int64_t> units;
    std::size_t row = 0;  // the first that is at fault
    RowFault fault = RowFault::none;
};

struct RowRules {
    bool normalise;   // divide each row by its sum, whatever that is
    bool allow_less;  // keep rows that add up to less than 1
};

// A row adds up to 1 within this.
inline constexpr double row_tolerance = 1e-6;

// Fills `units`, unless the row is at fault.
inline RowFault row_units(const double* weight, std::size_t columns, RowRules rules, std::int64_t* units) {
    double sum = 0;
    for (std::size_t i = 0; i < columns; ++i) {
        if (!std::isfinite(weight[i])) return RowFault::not_finite;
        if (weight[i] < 0) return RowFault::negative;
        sum += weight[i];
    }
    double divisor = sum;
    if (rules.normalise) {
        if (sum == 0) return RowFault::empty;
        if (!std::isfinite(sum)) return RowFault::not_finite;
    } else if (sum > 1 + row_tolerance) {
        return RowFault::above_one;
    } else if (sum < 1 - row_tolerance) {
        if (!rules.allow_less) return RowFault::below_one;
        divisor = 1;
    }
    for (std::size_t i = 0; i < columns; ++i) {
        const double exact = weight[i] / divisor * static_cast<double>(most_units);
        // From half of the units on every double is a whole number.
        units[i] = static_cast<std::int64_t>(exact < static_cast<double>(most_units / 2) ? exact + 0.5 : exact);
    }
    return RowFault::none;
}

// Weights as units of 2^-53, each row divided by its sum; the first row that is at fault, if there is one.
inline UnitRows unit_rows(const double* weights, std::size_t rows, std::size_t columns, RowRules rules,
                          unsigned threads, Control& control) {
    UnitRows found;
    found.units = Buffer<std::int64_t>(rows * columns);
    std::atomic<std::size_t> first{rows};
    parallel_blocks(control, threads, rows, [&](unsigned, std::size_t begin, std::size_t count) {
        for (std::size_t x = begin; x < begin + count; ++x) {
            if (x >= first.load(std::memory_order_relaxed)) return;
            if (row_units(weights + x * columns, columns, rules, found.units.begin() + x * columns) != RowFault::none) {
                std::size_t known = first.load();
                while (x < known && !first.compare_exchange_weak(known, x)) {
                }
                return;
            }
        }
    });
    found.row = first;
    if (found.row < rows)
        found.fault = row_units(weights + found.row * columns, columns, rules, found.units.begin());
    return found;
}

}  // namespace concordant
