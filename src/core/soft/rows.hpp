// Soft partitions: rows of weights in whole units, so sums are integers and do not depend on their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

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

}  // namespace concordant
