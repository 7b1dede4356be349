// The shortest decimal that reads as a given float: the digits that Python and NumPy print.
//
// By R. Giulietti, "The Schubfach way to render doubles" (2020): three products with a power of ten of 126 bits tell which
// decimals of the shortest length are nearer to the float than to its neighbours.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "base/integers128.hpp"
#include "base/processor.hpp"
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
template <class Float>
using FormatOf = std::conditional_t<sizeof(Float) == sizeof(double), DoubleFormat, FloatFormat>;

// Of a finite positive float, given by its bits.
template <class Format>
Decimal shortest_decimal(typename Format::Bits bits, const PowersOfTen& powers) {
    const std::uint64_t hidden = std::uint64_t{1} << Format::mantissa;
    const std::uint64_t fraction = bits & (hidden - 1);
    const int biased = static_cast<int>(bits >> Format::mantissa);
    const std::uint64_t c = biased == 0 ? fraction : fraction | hidden;
    const int q = (biased == 0 ? 1 : biased) - Format::bias;  // the float is c · 2^q

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

template <class Float>
Decimal shortest_decimal(Float value, const PowersOfTen& powers) {
    using Format = FormatOf<Float>;
    return shortest_decimal<Format>(std::bit_cast<typename Format::Bits>(value), powers);
}

// The same number without zeros at the end of its digits, which are not all 0.
inline Decimal without_zeros(Decimal decimal) {
    constexpr std::uint64_t fifth = 0xcccccccccccccccdU, most = ~std::uint64_t{0} / 10;  // 1/5 modulo 2^64
    for (std::uint64_t tenth; (tenth = std::rotr(decimal.digits * fifth, 1)) <= most; ++decimal.exponent) decimal.digits = tenth;
    return decimal;
}

// By the binary exponent of a float: the power of ten that scales it to an integer of up to 17 digits, so that its last bit
// is worth 1 to 10. The power is a sum of two doubles; half of what the last bit is worth is another. All are NaN if they
// are beyond the range of doubles.
template <class Format>
class DecimalScales {
public:
    static constexpr std::size_t exponents = std::size_t{1} << (8 * sizeof(typename Format::Bits) - 1 - Format::mantissa);

    static const DecimalScales& get() {
        static const DecimalScales scales(PowersOfTen::get());
        return scales;
    }

    std::array<double, exponents> high, low, half_unit;
    std::array<std::int16_t, exponents> exponent;  // of the decimal

private:
    explicit DecimalScales(const PowersOfTen& powers) {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        for (std::size_t i = 0; i < exponents; ++i) {
            constexpr int range = 900;
            const int q = static_cast<int>(i) - Format::bias, k = (q * 1262611) >> 22;
            high[i] = low[i] = half_unit[i] = none;
            exponent[i] = static_cast<std::int16_t>(k);
            if (i == 0 || i == exponents - 1 || q < -range || q > range) continue;
            const PowersOfTen::Power power = powers[-k];
            const int scale = ((-k * 1741647) >> 19) - 127;  // the power times 2^scale is 10^-k
            constexpr unsigned cut = 11;                     // 53 bits are left
            high[i] = std::ldexp(static_cast<double>(power.high >> cut), scale + 64 + static_cast<int>(cut));
            low[i] = std::ldexp(static_cast<double>(power.high << (64 - cut) | power.low >> cut), scale + static_cast<int>(cut));
            half_unit[i] = std::ldexp(high[i], q - 1);
        }
    }
};

// Writes 2 · digits for each float if they are those of the nearest integer, and 2 · digits + 1 if a multiple of ten reads as
// the float: then without its last zero. Writes 0 if doubles cannot decide, for example for powers of two and for decimals
// near the middle between two floats.
template <class Format, class Float>
CONCORDANT_INLINED void digits_by_scales(const Float* value, std::size_t count, const DecimalScales<Format>& scales,
                                         std::uint64_t* digits) {
    constexpr double round = 0x1.8p52, clear = 0x1p-30, most_rest = 1280;  // all errors are below 2^-42
    constexpr auto round_bits = std::bit_cast<std::uint64_t>(round);
    constexpr auto fraction = (typename Format::Bits{1} << Format::mantissa) - 1;
    for (std::size_t i = 0; i < count; ++i) {
        const double x = value[i];
        const auto bits = std::bit_cast<typename Format::Bits>(value[i]);
        const std::size_t exponent = static_cast<std::size_t>(bits >> Format::mantissa) & (scales.exponents - 1);
        const double high = x * scales.high[exponent];
        const double low = std::fma(x, scales.low[exponent], std::fma(x, scales.high[exponent], -high));
        const double raised = high * (1 / most_rest) + round, multiple = raised - round;
        const double rest = std::fma(-most_rest, multiple, high) + low;
        const double tenth = (rest * 0.1 + round) - round, tens = 10 * tenth, whole = (rest + round) - round;
        const double half = scales.half_unit[exponent], from_tens = std::fabs(rest - tens), from_whole = std::fabs(rest - whole);
        const bool is_clear = (std::fabs(from_tens - half) > clear) & (std::fabs(from_whole - 0.5) > clear) & (x > 0) &
                              ((bits & fraction) != 0);
        const bool is_ten = from_tens < half;
        const std::uint64_t multiples = std::bit_cast<std::uint64_t>(raised) - round_bits;
        const std::uint64_t by_ten = 2 * (128 * multiples + std::bit_cast<std::uint64_t>(tenth + round) - round_bits) + 1;
        const std::uint64_t by_one = 2 * (1280 * multiples + std::bit_cast<std::uint64_t>(whole + round) - round_bits);
        const std::uint64_t ten = 0 - std::uint64_t{is_ten}, clear_digits = 0 - std::uint64_t{is_clear};  // masks: no branches
        digits[i] = ((by_ten & ten) | (by_one & ~ten)) & clear_digits;
    }
}

#if defined(__x86_64__) && defined(__GNUC__)
template <class Format, class Float>
__attribute__((target("avx2,fma"))) void digits_by_avx2(const Float* value, std::size_t count,
                                                        const DecimalScales<Format>& scales, std::uint64_t* digits) {
    digits_by_scales(value, count, scales, digits);
}
#endif

// The same on any processor. Without an instruction that multiplies and adds with one rounding, it writes zeros.
template <class Format, class Float>
void nearby_digits(const Float* value, std::size_t count, const DecimalScales<Format>& scales, std::uint64_t* digits) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return digits_by_avx2(value, count, scales, digits);
#elif defined(__aarch64__) && defined(__GNUC__)
    return digits_by_scales(value, count, scales, digits);
#endif
    std::fill_n(digits, count, 0);
}

// Calls use(place, decimal) for the shortest decimals of floats, without zeros at their ends. False if a float is not
// positive or not finite.
template <class Float, class Use>
bool shortest_decimals(const Float* value, std::size_t count, Use use) {
    using Format = FormatOf<Float>;
    const PowersOfTen& powers = PowersOfTen::get();
    const auto& scales = DecimalScales<Format>::get();
    constexpr std::size_t at_once = 256;
    std::array<std::uint64_t, at_once> digits;
    for (std::size_t begin = 0; begin < count; begin += at_once) {
        const std::size_t end = std::min(begin + at_once, count);
        nearby_digits(value + begin, end - begin, scales, digits.data());
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint64_t found = digits[i - begin];
            const std::size_t exponent = std::bit_cast<typename Format::Bits>(value[i]) >> Format::mantissa & (scales.exponents - 1);
            Decimal decimal{found >> 1, scales.exponent[exponent] + static_cast<int>(found & 1)};
            if (found == 0) [[unlikely]] {
                if (!(value[i] > 0 && value[i] <= std::numeric_limits<Float>::max())) return false;
                decimal = shortest_decimal(value[i], powers);
            }
            use(i, without_zeros(decimal));
        }
    }
    return true;
}

}  // namespace concordant
