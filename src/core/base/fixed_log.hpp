// Logarithms of integers as fixed-point numbers of 120 fractional bits, wrong by less than 2^-117.
//
// The mantissa is multiplied by three short factors, each of which brings it nearer to 1. The logarithms of the factors
// are in tables, and five terms of the series give the rest.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/integers128.hpp"
#include "base/wide_integers.hpp"

namespace concordant {

class FixedLog {
public:
    static constexpr unsigned bits = 120;

    static const FixedLog& get() {
        static const FixedLog tables;
        return tables;
    }

    // log(x) · 2^120, for 1 <= x < 2^127.
    Uint128 operator()(Uint128 x) const {
        const unsigned width = Wide<2>(x).bit_width();
        const Wide<2> mantissa = Wide<2>(x).shifted<2>(128 - width);  // from 1 to 2, with 127 fractional bits
        const std::size_t interval = (mantissa.word[1] >> 55) & 255;
        Uint128 log = powers_of_two_[width - 1] + first_[interval];
        // The distance from 1, in two's complement: below 2^-8, 2^-15 and 2^-23.
        Uint128 near = times(mantissa, first_factor(interval), 9) - one();
        bring_nearer(near, 16, second_, log);
        bring_nearer(near, 23, third_, log);
        const bool is_below = high_word(near) >> 63 != 0;
        const Uint128 rest = series(is_below ? Uint128{0} - near : near, is_below);
        const Uint128 cut = of_words(high_word(rest) >> 7, high_word(rest) << 57 | low_word(rest) >> 7);
        return is_below ? log - cut : log + cut;
    }

private:
    static constexpr std::size_t reach = 256;  // of the second and third table to both sides
    using Table = std::array<Uint128, 2 * reach + 1>;

    static Uint128 one() { return of_words(std::uint64_t{1} << 63, 0); }

    // Near 512/m for mantissas m of this interval of 1/256.
    static std::uint64_t first_factor(std::size_t interval) {
        const std::uint64_t middle = 513 + 2 * interval;  // times 512
        return (2 * 512 * 512 + middle) / (2 * middle);
    }

    // x · factor / 2^shift
    static Uint128 times(const Wide<2>& x, std::uint64_t factor, unsigned shift) {
        const Uint128 low = product(x.word[0], factor), high = product(x.word[1], factor) + high_word(low);
        return of_words(high_word(high) << (64 - shift) | low_word(high) >> shift,
                        low_word(high) << (64 - shift) | low_word(low) >> shift);
    }

    // Multiplies 1 + near by 1 - j/2^scale, where j/2^scale is near `near`.
    static void bring_nearer(Uint128& near, unsigned scale, const Table& table, Uint128& log) {
        const std::uint64_t half = std::uint64_t{1} << (62 - scale);
        const auto j = static_cast<std::int64_t>(high_word(near) + half) >> (63 - scale);
        log += table[static_cast<std::size_t>(j + static_cast<std::int64_t>(reach))];
        const Wide<2> whole(near + one());
        if (j >= 0)
            near -= times(whole, static_cast<std::uint64_t>(j), scale);
        else
            near += times(whole, static_cast<std::uint64_t>(-j), scale);
    }

    // log(1 + x), or -log(1 - x), for x < 2^-23; both with 127 fractional bits.
    static Uint128 series(Uint128 x, bool is_below) {
        const std::uint64_t top = high_word(x) << 24 | low_word(x) >> 40;  // of 87 fractional bits
        const std::uint64_t rest = low_word(x) & ((std::uint64_t{1} << 40) - 1);
        const Uint128 high_square = product(top, top), cross = product(top, rest);
        const Uint128 square = of_words(high_word(high_square) >> 47, high_word(high_square) << 17 | low_word(high_square) >> 47) +
                               (high_word(cross) >> 22);
        const std::uint64_t short_square = high_word(square) << 48 | low_word(square) >> 16;  // of 111 fractional bits
        const std::uint64_t cube = high_word(product(short_square, top)) >> 7;
        const std::uint64_t fourth = high_word(product(short_square, short_square)) >> 31;
        const std::uint64_t fifth = high_word(product(cube, short_square)) >> 47;
        const Uint128 half_square = of_words(high_word(square) >> 1, high_word(square) << 63 | low_word(square) >> 1);
        const Uint128 odd = x + (cube / 3 + fifth / 5), even = half_square + fourth / 4;
        return is_below ? odd + even : odd - even;
    }

    FixedLog() {
        const Wide<3> log_2 = log_ratio(2, 1);
        for (std::size_t e = 0; e < powers_of_two_.size(); ++e) {
            Wide<3> multiple = log_2;
            powers_of_two_[e] = rounded(multiple *= e);
        }
        for (std::size_t i = 0; i < first_.size(); ++i) first_[i] = rounded(log_ratio(512, first_factor(i)));
        fill(second_, 16);
        fill(third_, 23);
    }

    // -log(1 - j/2^scale) for all j.
    static void fill(Table& table, unsigned scale) {
        const std::uint64_t whole = std::uint64_t{1} << scale;
        for (std::size_t j = 0; j <= reach; ++j) {
            table[reach + j] = rounded(log_ratio(whole, whole - j));
            table[reach - j] = Uint128{0} - rounded(log_ratio(whole + j, whole));
        }
    }

    // log(p/q) = 2 artanh((p - q)/(p + q)) for p >= q, with 184 fractional bits.
    static Wide<3> log_ratio(std::uint64_t p, std::uint64_t q) {
        const Divisor sum(p + q), squared_sum((p + q) * (p + q));
        const Wide<4> quotient = sum.quotient(Wide<1>(p - q).shifted<4>(184));
        Wide<3> power, total;
        std::copy(quotient.word.begin(), quotient.word.end() - 1, power.word.begin());
        for (std::uint64_t order = 1; power.bit_width() != 0; order += 2) {
            total += Divisor(order).quotient(power);
            Wide<4> next = power;
            next *= (p - q) * (p - q);
            next = squared_sum.quotient(next);
            std::copy(next.word.begin(), next.word.end() - 1, power.word.begin());
        }
        return total *= 2;
    }

    static Uint128 rounded(Wide<3> log) {
        log += std::uint64_t{1} << 63;
        return of_words(log.word[2], log.word[1]);
    }

    std::array<Uint128, 127> powers_of_two_;
    std::array<Uint128, 256> first_;
    Table second_, third_;
};

}  // namespace concordant
