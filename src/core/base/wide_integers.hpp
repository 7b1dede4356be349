// Unsigned integers of a fixed number of 64-bit words, for exact sums of products, and division by up to 128 bits.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/integers128.hpp"

namespace concordant {

// x + y + carry; `carry` is 0 or 1, before and after.
inline std::uint64_t add_words(std::uint64_t x, std::uint64_t y, std::uint64_t& carry) {
    const std::uint64_t sum = x + y, result = sum + carry;
    carry = static_cast<std::uint64_t>(sum < x) | static_cast<std::uint64_t>(result < sum);
    return result;
}

// Arithmetic is modulo 2^(64·words): callers know a bound.
template <std::size_t words>
struct Wide {
    std::array<std::uint64_t, words> word{};  // the lowest first

    Wide() = default;
    Wide(std::uint64_t value) { word[0] = value; }  // NOLINT: as implicit as it is for the compiler's integers
    Wide(Uint128 value)                             // NOLINT
        requires(words > 1)
    {
        word[0] = low_word(value);
        word[1] = high_word(value);
    }
    template <std::size_t fewer>
        requires(fewer < words)
    Wide(const Wide<fewer>& other) {  // NOLINT
        std::copy(other.word.begin(), other.word.end(), word.begin());
    }

    template <std::size_t others>
        requires(others <= words)
    Wide& operator+=(const Wide<others>& other) {
        std::uint64_t carry = 0;
        for (std::size_t i = 0; i < words; ++i) word[i] = add_words(word[i], i < others ? other.word[i] : 0, carry);
        return *this;
    }
    Wide& operator+=(Uint128 value) { return *this += Wide<2>(value); }

    Wide& operator*=(std::uint64_t factor) {
        std::uint64_t above = 0;
        for (std::uint64_t& own : word) {
            const Uint128 scaled = product(own, factor) + above;
            own = low_word(scaled);
            above = high_word(scaled);
        }
        return *this;
    }

    friend bool operator==(const Wide&, const Wide&) = default;

    unsigned bit_width() const {
        for (std::size_t i = words; i-- > 0;)
            if (word[i] != 0) return static_cast<unsigned>(64 * i) + static_cast<unsigned>(std::bit_width(word[i]));
        return 0;
    }

    // Times 2^bits, below 2^(64·more).
    template <std::size_t more>
    Wide<more> shifted(unsigned bits) const {
        Wide<more> result;
        const std::size_t whole = bits / 64;
        const unsigned part = bits % 64;
        for (std::size_t i = whole; i < more; ++i) {
            const std::size_t from = i - whole;
            const std::uint64_t here = from < words ? word[from] : 0;
            const std::uint64_t below = from > 0 && from <= words ? word[from - 1] : 0;
            result.word[i] = part == 0 ? here : here << part | below >> (64 - part);
        }
        return result;
    }
};

template <std::size_t x_words, std::size_t y_words>
Wide<x_words + y_words> wide_product(const Wide<x_words>& x, const Wide<y_words>& y) {
    Wide<x_words + y_words> result;
    for (std::size_t i = 0; i < x_words; ++i) {
        std::uint64_t above = 0;
        for (std::size_t j = 0; j < y_words; ++j) {
            // At most (2^64 - 1)² + 2 (2^64 - 1) = 2^128 - 1.
            const Uint128 sum = product(x.word[i], y.word[j]) + result.word[i + j] + above;
            result.word[i + j] = low_word(sum);
            above = high_word(sum);
        }
        result.word[i + y_words] = above;
    }
    return result;
}

inline Wide<4> square(Uint128 x) { return wide_product(Wide<2>(x), Wide<2>(x)); }
inline Uint128 square(std::uint64_t x) { return product(x, x); }

// Division by one number, again and again, by multiplication with its reciprocal: N. Möller and T. Granlund, "Improved
// division by invariant integers" (2011).

// (2^128 - 1)/d - 2^64 for d with its highest bit set, rounded down.
inline std::uint64_t reciprocal_of(std::uint64_t d) {
    const std::uint64_t odd = d & 1, high9 = d >> 55, high40 = (d >> 24) + 1, half = (d >> 1) + odd;
    const std::uint64_t v0 = ((1U << 19) - 3 * (1U << 8)) / high9;
    const std::uint64_t v1 = (v0 << 11) - (v0 * v0 * high40 >> 40) - 1;
    const std::uint64_t v2 = (v1 << 13) + (v1 * ((std::uint64_t{1} << 60) - v1 * high40) >> 47);
    const std::uint64_t error = ((v2 >> 1) & (0 - odd)) - v2 * half;
    const std::uint64_t v3 = (high_word(product(v2, error)) >> 1) + (v2 << 31);
    return v3 - (high_word(product(v3, d) + d) + d);
}

// Algorithms 4 and 6: by up to 128 bits.
class Divisor {
public:
    // Not zero.
    explicit Divisor(Uint128 divisor) {
        const std::uint64_t high = high_word(divisor), low = low_word(divisor);
        shift_ = static_cast<unsigned>(high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(low));
        const Wide<2> normal = Wide<2>(divisor).template shifted<2>(shift_);
        low_ = normal.word[0];
        high_ = normal.word[1];
        reciprocal_ = reciprocal_of(high_);
        std::uint64_t rest = high_ * reciprocal_ + low_;
        if (rest < low_) {
            --reciprocal_;
            if (rest >= high_) {
                --reciprocal_;
                rest -= high_;
            }
            rest -= high_;
        }
        const Uint128 scaled = product(reciprocal_, low_);
        rest += high_word(scaled);
        if (rest < high_word(scaled)) {
            --reciprocal_;
            if (of_words(rest, low_word(scaled)) >= of_words(high_, low_)) --reciprocal_;
        }
    }

    // The whole part of numerator / divisor.
    template <std::size_t words>
    Wide<words> quotient(const Wide<words>& numerator) const {
        const Wide<words + 2> shifted = numerator.template shifted<words + 2>(shift_);
        const Uint128 divisor = of_words(high_, low_);
        Wide<words> result;
        Uint128 rest = 0;
        std::size_t i = words + 2;
        while (i > 0 && shifted.word[i - 1] == 0) --i;
        for (; i-- > 0;) {
            const std::uint64_t digit = step(rest, shifted.word[i], divisor);
            if (i < words) result.word[i] = digit;  // digits above are 0
        }
        return result;
    }

private:
    // The quotient of (rest, next) by the divisor; `rest`, below the divisor, becomes what is left.
    std::uint64_t step(Uint128& rest, std::uint64_t next, Uint128 divisor) const {
        const Uint128 estimate = product(reciprocal_, high_word(rest)) + rest;
        std::uint64_t quotient = high_word(estimate);
        rest = of_words(low_word(rest) - quotient * high_, next) - product(low_, quotient) - divisor;
        ++quotient;
        if (high_word(rest) >= low_word(estimate)) {
            --quotient;
            rest += divisor;
        }
        if (rest >= divisor) [[unlikely]] {
            ++quotient;
            rest -= divisor;
        }
        return quotient;
    }

    std::uint64_t high_, low_, reciprocal_;  // of the divisor, shifted so that its highest bit is set
    unsigned shift_;
};

// Algorithm 4: by up to 64 bits.
class WordDivisor {
public:
    // Not zero.
    explicit WordDivisor(std::uint64_t divisor)
        : shift_(static_cast<unsigned>(std::countl_zero(divisor))), divisor_(divisor << shift_), reciprocal_(reciprocal_of(divisor_)) {}

    // numerator · 2^128 / divisor, rounded down.
    Wide<4> ratio(Uint128 numerator) const {
        const Wide<3> shifted = Wide<2>(numerator).template shifted<3>(shift_);
        Wide<4> result;
        std::uint64_t rest = shifted.word[2];  // below 2^63, so below the divisor
        result.word[3] = step(rest, shifted.word[1]);
        result.word[2] = step(rest, shifted.word[0]);
        result.word[1] = step(rest, 0);
        result.word[0] = step(rest, 0);
        return result;
    }

private:
    // The quotient of (rest, next) by the divisor; `rest`, below the divisor, becomes what is left.
    std::uint64_t step(std::uint64_t& rest, std::uint64_t next) const {
        const Uint128 estimate = product(reciprocal_, rest) + of_words(rest, next);
        std::uint64_t quotient = high_word(estimate) + 1;
        rest = next - quotient * divisor_;
        if (rest > low_word(estimate)) {
            --quotient;
            rest += divisor_;
        }
        if (rest >= divisor_) [[unlikely]] {
            ++quotient;
            rest -= divisor_;
        }
        return quotient;
    }

    unsigned shift_;
    std::uint64_t divisor_, reciprocal_;  // the divisor is shifted so that its highest bit is set
};

}  // namespace concordant
