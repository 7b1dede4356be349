// 128-bit integers, for products and sums that 64 bits cannot hold. The only place that names the compiler's types:
// if it has none, or if CONCORDANT_PORTABLE is defined, two 64-bit words replace them.
#pragma once

#include <bit>
#include <cmath>
#include <compare>
#include <concepts>
#include <cstdint>

namespace concordant {

// 2^64 high + low, modulo 2^128; signed numbers are in two's complement.
template <bool has_sign>
class TwoWords {
public:
    constexpr TwoWords() = default;
    constexpr TwoWords(std::uint64_t high, std::uint64_t low) : high_(high), low_(low) {}
    template <std::integral Integer>
    constexpr TwoWords(Integer value)  // NOLINT: as implicit as it is for the compiler's integers
        : high_(value < Integer{0} ? ~std::uint64_t{0} : 0), low_(static_cast<std::uint64_t>(value)) {}

    constexpr std::uint64_t high() const { return high_; }
    constexpr std::uint64_t low() const { return low_; }

    template <std::integral Integer>
    explicit constexpr operator Integer() const {
        return static_cast<Integer>(low_);
    }

    // Rounded once, to nearest: the bits below the upper 64 only decide ties, so a single sticky bit can replace them.
    explicit operator double() const {
        if (is_negative()) return -static_cast<double>(TwoWords<false>(-*this));
        if (high_ == 0) return static_cast<double>(low_);
        const int shift = 64 - std::countl_zero(high_);
        const std::uint64_t upper = shift == 64 ? high_ : high_ << (64 - shift) | low_ >> shift;
        const std::uint64_t rest = shift == 64 ? low_ : low_ << (64 - shift);
        return std::ldexp(static_cast<double>(upper | (rest != 0)), shift);
    }

    template <bool other>
    explicit constexpr operator TwoWords<other>() const {
        return {high_, low_};
    }

    constexpr TwoWords operator-() const { return {~high_ + (low_ == 0), ~low_ + 1}; }
    constexpr TwoWords& operator+=(const TwoWords& other) { return *this = *this + other; }
    constexpr TwoWords& operator-=(const TwoWords& other) { return *this = *this - other; }

    friend constexpr TwoWords operator+(const TwoWords& x, const TwoWords& y) {
        const std::uint64_t low = x.low_ + y.low_;
        return {x.high_ + y.high_ + (low < x.low_), low};
    }
    friend constexpr TwoWords operator-(const TwoWords& x, const TwoWords& y) { return x + -y; }
    friend constexpr TwoWords operator*(const TwoWords& x, const TwoWords& y) {
        const TwoWords lows = of_product(x.low_, y.low_);
        return {lows.high_ + x.low_ * y.high_ + x.high_ * y.low_, lows.low_};
    }
    // Bit by bit: division is needed once per computation, not once per element.
    friend constexpr TwoWords operator/(const TwoWords& x, const TwoWords& y)
        requires(!has_sign)
    {
        TwoWords quotient, rest;
        for (int bit = 127; bit >= 0; --bit) {
            rest = rest + rest + ((bit < 64 ? x.low_ >> bit : x.high_ >> (bit - 64)) & 1);
            quotient = quotient + quotient;
            if (rest >= y) {
                rest -= y;
                quotient += 1;
            }
        }
        return quotient;
    }

    friend constexpr bool operator==(const TwoWords&, const TwoWords&) = default;
    friend constexpr std::strong_ordering operator<=>(const TwoWords& x, const TwoWords& y) {
        if (x.is_negative() != y.is_negative()) return y.is_negative() <=> x.is_negative();
        return x.high_ != y.high_ ? x.high_ <=> y.high_ : x.low_ <=> y.low_;
    }

    // Long multiplication by half words.
    static constexpr TwoWords of_product(std::uint64_t x, std::uint64_t y) {
        constexpr std::uint64_t half = 0xffffffffU;
        const std::uint64_t lows = (x & half) * (y & half), highs = (x >> 32) * (y >> 32);
        const std::uint64_t cross = (x >> 32) * (y & half) + (lows >> 32);
        const std::uint64_t middle = (x & half) * (y >> 32) + (cross & half);
        return {highs + (cross >> 32) + (middle >> 32), middle << 32 | (lows & half)};
    }

private:
    constexpr bool is_negative() const { return has_sign && high_ >> 63 != 0; }

    std::uint64_t high_ = 0, low_ = 0;
};

#if defined(__SIZEOF_INT128__) && !defined(CONCORDANT_PORTABLE)

__extension__ using Uint128 = unsigned __int128;
__extension__ using Int128 = __int128;

inline Uint128 product(std::uint64_t x, std::uint64_t y) { return static_cast<Uint128>(x) * y; }

inline std::uint64_t low_word(Uint128 x) { return static_cast<std::uint64_t>(x); }
inline std::uint64_t high_word(Uint128 x) { return static_cast<std::uint64_t>(x >> 64); }
inline Uint128 of_words(std::uint64_t high, std::uint64_t low) { return static_cast<Uint128>(high) << 64 | low; }

#else

using Uint128 = TwoWords<false>;
using Int128 = TwoWords<true>;

inline Uint128 product(std::uint64_t x, std::uint64_t y) { return Uint128::of_product(x, y); }

inline std::uint64_t low_word(Uint128 x) { return x.low(); }
inline std::uint64_t high_word(Uint128 x) { return x.high(); }
inline Uint128 of_words(std::uint64_t high, std::uint64_t low) { return {high, low}; }

#endif

}  // namespace concordant
