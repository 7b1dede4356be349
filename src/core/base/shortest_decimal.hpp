// The shortest decimal that reads as a given float: the digits that Python and NumPy print.
//
// By R. Giulietti, "The Schubfach way to render doubles" (2020): three products with a power of ten of 126 bits tell which
// decimals of the shortest length are nearer to the float than to its neighbours.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/integers128.hpp"
#include "base/wide_integers.hpp"

namespace concordant {

// digits · 10^exponent
struct Decimal {
    std::uint64_t digits;
    int exponent;
};

// 10^k times a power of two, between 2^127 and 2^128 and rounded up, for all k that doubles need.
class PowersOfTen {
public:
    static constexpr int least = -292, most = 324;

    struct Power {
        std::uint64_t high, low;
    };

    static const PowersOfTen& get() {
        static const PowersOfTen powers;
        return powers;
    }

    const Power& operator[](int k) const { return power_[static_cast<std::size_t>(k - least)]; }

private:
    // With 256 bits, of which rounding touches the lowest ten at most.
    PowersOfTen() {
        Wide<4> x;
        x.word[3] = std::uint64_t{1} << 63;
        for (int k = 0; k <= most; ++k) {
            set(k, x);
            Wide<5> next = x;
            next *= 10;
            x = normal(next);
        }
        x = Wide<4>();
        x.word[3] = std::uint64_t{1} << 63;
        const Divisor ten(10);
        for (int k = -1; k >= least; --k) {
            x = normal(ten.quotient(Wide<4>(x).shifted<5>(64)));
            set(k, x);
        }
    }

    static Wide<4> normal(const Wide<5>& x) {
        const Wide<5> shifted = x.shifted<5>(static_cast<unsigned>(5 * 64) - x.bit_width());
        Wide<4> result;
        for (std::size_t i = 0; i < 4; ++i) result.word[i] = shifted.word[i + 1];
        return result;
    }

    void set(int k, const Wide<4>& x) {
        const std::uint64_t up = (x.word[0] | x.word[1]) != 0 ? 1 : 0;
        const Uint128 rounded = of_words(x.word[3], x.word[2]) + up;
        power_[static_cast<std::size_t>(k - least)] = {high_word(rounded), low_word(rounded)};
    }

    std::array<Power, most - least + 1> power_;
};

// The format of a binary float.
struct DoubleFormat {
    using Bits = std::uint64_t;
    static constexpr int mantissa = 52, bias = 1075;
};
struct FloatFormat {
    using Bits = std::uint32_t;
    static constexpr int mantissa = 23, bias = 150;
};

// Of a finite positive float, given by its bits.
template <class Format>
Decimal shortest_decimal(typename Format::Bits bits, const PowersOfTen& powers) {
    const std::uint64_t hidden = std::uint64_t{1} << Format::mantissa;
    const std::uint64_t fraction = bits & (hidden - 1);
    const int biased = static_cast<int>(bits >> Format::mantissa);
    const std::uint64_t c = biased == 0 ? fraction : fraction | hidden;
    const int q = (biased == 0 ? 1 : biased) - Format::bias;  // the float is c · 2^q
    if (q <= 0 && -q <= Format::mantissa && std::countr_zero(c) >= -q) return {c >> -q, 0};  // a whole number

    const bool near_below = fraction == 0 && biased > 1;  // the next smaller float is half as far away
    const int k = (q * 1262611 - (near_below ? 524031 : 0)) >> 22;
    const int h = q + ((-k * 1741647) >> 19) + 1;
    const PowersOfTen::Power power = powers[-k];
    const auto scaled = [&](std::uint64_t factor) {
        const Uint128 sum = product(power.high, factor) + high_word(product(power.low, factor));
        return high_word(sum) | static_cast<std::uint64_t>(low_word(sum) > 1);  // inexact values are odd
    };
    const std::uint64_t odd = c % 2;  // the middle between two floats reads as the one that is even
    const std::uint64_t value = scaled(4 * c << h);
    const std::uint64_t lower = scaled((4 * c - (near_below ? 1 : 2)) << h) + odd;
    const std::uint64_t upper = scaled((4 * c + 2) << h) - odd;

    // Without branches, which nobody could predict: the shorter of the decimals around the value that is inside, or else
    // the nearer of the two that have a digit more.
    const std::uint64_t s = value / 4, tens = s / 10, middle = 4 * s + 2;
    const auto tens_below = static_cast<unsigned>(lower <= 40 * tens), tens_above = static_cast<unsigned>(40 * tens + 40 <= upper);
    const auto below = static_cast<unsigned>(lower <= 4 * s), above = static_cast<unsigned>(4 * s + 4 <= upper);
    const unsigned nearer = static_cast<unsigned>(value > middle) | (static_cast<unsigned>(value == middle) & (s & 1));
    const unsigned is_short = (tens_below ^ tens_above) & static_cast<unsigned>(s >= 10), is_clear = below ^ above;
    const std::uint64_t digits = s + ((is_clear & above) | ((is_clear ^ 1) & nearer));
    const std::uint64_t choice = 0 - std::uint64_t{is_short};
    return {(choice & (tens + tens_above)) | (~choice & digits), k + static_cast<int>(is_short)};
}

inline Decimal shortest_decimal(double value, const PowersOfTen& powers) {
    return shortest_decimal<DoubleFormat>(std::bit_cast<std::uint64_t>(value), powers);
}
inline Decimal shortest_decimal(float value, const PowersOfTen& powers) {
    return shortest_decimal<FloatFormat>(std::bit_cast<std::uint32_t>(value), powers);
}

// The same number without zeros at the end of its digits, which are not all 0.
inline Decimal without_zeros(Decimal decimal) {
    constexpr std::uint64_t fifth = 0xcccccccccccccccdU, most = ~std::uint64_t{0} / 10;  // 1/5 modulo 2^64
    for (std::uint64_t tenth; (tenth = std::rotr(decimal.digits * fifth, 1)) <= most; ++decimal.exponent) decimal.digits = tenth;
    return decimal;
}

}  // namespace concordant
