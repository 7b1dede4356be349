// Weights as whole numbers: each is its decimal digits, times a power of ten that all of them share.
//
// A float counts as its shortest decimal, so ten weights of 0.1 add up to exactly 1. The weights must be positive, and
// their sum, in units of their smallest digit, below 2^127.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/integers128.hpp"
#include "base/parallel.hpp"
#include "base/processor.hpp"
#include "base/shortest_decimal.hpp"
#include "base/wide_integers.hpp"
#include "labels/labels.hpp"
#include "labels/narrow_copy.hpp"

namespace concordant {

// Whole numbers of two, four or eight bytes each.
class NarrowNumbers {
public:
    NarrowNumbers() = default;
    NarrowNumbers(std::size_t length, std::size_t bytes) : memory_(length * bytes), length_(length), bytes_(bytes) {}

    std::size_t size() const { return length_; }
    std::uint64_t* words() { return as<std::uint64_t>(); }  // of eight bytes

    // False if one of them does not fit.
    bool store(std::size_t begin, std::size_t count, const std::uint64_t* number) {
        const auto store_as = [&](auto* place) {
            using Number = std::remove_pointer_t<decltype(place)>;
            std::uint64_t bits = 0;
            for (std::size_t i = 0; i < count; ++i) {
                place[begin + i] = static_cast<Number>(number[i]);
                bits |= number[i];
            }
            return bits <= std::numeric_limits<Number>::max();
        };
        if (bytes_ == 2) return store_as(as<std::uint16_t>());
        return bytes_ == 4 ? store_as(as<std::uint32_t>()) : store_as(as<std::uint64_t>());
    }

    void load(std::size_t begin, std::size_t count, std::uint64_t* number) const {
        if (bytes_ == 2)
            std::copy_n(as<std::uint16_t>() + begin, count, number);
        else if (bytes_ == 4)
            std::copy_n(as<std::uint32_t>() + begin, count, number);
        else
            std::copy_n(as<std::uint64_t>() + begin, count, number);
    }

private:
    template <class Number>
    Number* as() const {
        return reinterpret_cast<Number*>(memory_.data());
    }

    LargeMemory memory_;
    std::size_t length_ = 0, bytes_ = 8;
};

// A weight is digits · 10^shift units of 10^exponent.
struct DecimalWeights {
    static constexpr std::size_t shifts = 39;  // 10^38 is the largest power below 2^127

    NarrowNumbers digits;
    Buffer<std::uint8_t> shift;  // empty if all are 0
    int exponent = 0;
    std::uint64_t common = 0;  // the largest common divisor of the weights in units
    Uint128 total = 0;         // in units
    Wide<4> squares;           // Σ of the squares, in units

    std::size_t size() const { return digits.size(); }
    bool is_narrow() const { return total < Uint128{std::uint64_t{1} << 63}; }
};

inline std::array<Uint128, DecimalWeights::shifts> powers_of_ten() {
    std::array<Uint128, DecimalWeights::shifts> powers;
    powers[0] = 1;
    for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * Uint128{10};
    return powers;
}

// The largest number that divides all numbers so far. Most are divisible, and a product shows it.
class CommonDivisor {
public:
    std::uint64_t value() const { return value_; }

    void add(const std::uint64_t* number, std::size_t count) {
        for (std::size_t i = 0; i < count && value_ != 1; ++i)
            if (!divides(number[i])) set(std::gcd(value_, number[i]));
    }

    void add(std::uint64_t number) { add(&number, 1); }

private:
    bool divides(std::uint64_t number) const {
        return value_ != 0 && std::rotr(number * inverse_, shift_) <= largest_;
    }

    void set(std::uint64_t value) {
        value_ = value;
        shift_ = std::countr_zero(value);
        const std::uint64_t odd = value >> shift_;
        inverse_ = odd;  // right in 3 bits, and in twice as many after each step
        for (int step = 0; step < 5; ++step) inverse_ *= 2 - odd * inverse_;
        largest_ = std::numeric_limits<std::uint64_t>::max() / value;
    }

    std::uint64_t value_ = 0, inverse_ = 0, largest_ = 0;
    int shift_ = 0;
};

// Writes the digits of decimals with so many fractional digits. False if a number is not one of at most 15 digits, which
// is always the shortest.
[[maybe_unused]] CONCORDANT_VECTORISED static bool short_decimals(const double* value, std::size_t count, double scale,
                                                                  std::uint64_t* digits) {
    constexpr double whole = 0x1p52, most = 1e15;
    constexpr std::uint64_t whole_bits = std::bit_cast<std::uint64_t>(whole);
    bool all = true;
    for (std::size_t i = 0; i < count; ++i) {
        const double raised = value[i] * scale + whole, rounded = raised - whole;
        all &= (rounded / scale == value[i]) & (rounded < most) & (rounded > 0);
        digits[i] = std::bit_cast<std::uint64_t>(raised) - whole_bits;
    }
    return all;
}

// Modulo 2^64, and the bits that any of the numbers has.
struct SmallSums {
    std::uint64_t bits = 0, total = 0, squares = 0;
};

[[maybe_unused]] CONCORDANT_VECTORISED static SmallSums small_sums(const std::uint64_t* number, std::size_t count) {
    SmallSums sums;
    for (std::size_t i = 0; i < count; ++i) {
        constexpr std::uint64_t low_half = 0xffffffffU;
        sums.bits |= number[i];
        sums.total += number[i];
        sums.squares += (number[i] & low_half) * (number[i] & low_half);
    }
    return sums;
}

// Subtracts `zero` from keys. False if one was not above it.
[[maybe_unused]] CONCORDANT_VECTORISED static bool take_positive(std::uint64_t* key, std::size_t count, std::uint64_t zero) {
    std::uint64_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i) {
        key[i] -= zero;
        wrong |= key[i] | (key[i] - 1);  // the highest bit is set for 0, and for numbers that had a sign or are too large
    }
    return wrong >> 63 == 0;
}

class WeightReader {
public:
    WeightReader(std::size_t length, unsigned threads, Control& control)
        : length_(length), threads_(std::max(1U, threads)), control_(control), workers_(threads_) {}

    // Empty if a weight is not positive, or beyond the bounds.
    std::optional<DecimalWeights> integers(const Labels& values) {
        const std::uint64_t zero = key_of_zero(values.type);
        return whole([&](std::size_t begin, std::size_t count, std::uint64_t* out) {
            load_keys(values, begin, count, out);
            return take_positive(out, count, zero);
        });
    }

    std::optional<DecimalWeights> floats(const double* values) {
        for (int places = some_places(values); places >= 0;) {
            const double scale = scale_of(places);
            std::atomic<std::size_t> refused{length_};
            auto read = whole([&](std::size_t begin, std::size_t count, std::uint64_t* out) {
                const bool all = short_decimals(values + begin, count, scale, out);
                if (!all) refused.store(begin, std::memory_order_relaxed);
                return all;
            });
            if (read) read->exponent = -places;
            if (read || refused.load() == length_) return read;
            places = places_of(values + refused.load(), std::min(block_length, length_ - refused.load()), places + 1);
        }
        return decimals(values);
    }

    std::optional<DecimalWeights> floats(const float* values) { return decimals(values); }

private:
    static constexpr int most_places = 15;
    static constexpr int lowest_exponent = -330, exponents = 660;

    struct Worker {
        CommonDivisor common;
        Wide<3> squares;
        Uint128 total = 0;
        std::vector<Uint128> total_of;  // by exponent
        std::array<Wide<3>, DecimalWeights::shifts> squares_of;  // by shift
    };

    static double scale_of(int places) {
        double scale = 1;
        for (int i = 0; i < places; ++i) scale *= 10;  // exact
        return scale;
    }

    // The fewest fractional digits, from `least` on, with which all of these are short decimals; -1 if there are none.
    static int places_of(const double* values, std::size_t count, int least) {
        std::array<std::uint64_t, block_length> digits;
        for (int places = least; places <= most_places; ++places)
            if (short_decimals(values, count, scale_of(places), digits.data())) return places;
        return -1;
    }

    int some_places(const double* values) const {
        std::array<double, 64> some;
        const std::size_t count = std::min(some.size(), length_);
        for (std::size_t i = 0; i < count; ++i) some[i] = values[i * (length_ / count)];
        return places_of(some.data(), count, 0);
    }

    // Weights of one exponent. `load` writes the digits of a block, or returns false. All get as many bytes as the first
    // block needs, and more only if one does not fit.
    template <class Load>
    std::optional<DecimalWeights> whole(Load load) {
        std::array<std::uint64_t, block_length> first;
        const std::size_t some = std::min(length_, block_length);
        if (!load(0, some, first.data())) return std::nullopt;
        const std::uint64_t most = *std::max_element(first.begin(), first.begin() + some);
        for (std::size_t bytes = most >> 16 == 0 ? 2 : most >> 32 == 0 ? 4 : 8;; bytes *= 2) {
            workers_.assign(threads_, Worker());
            weights_.digits = NarrowNumbers(length_, bytes);
            std::atomic<bool> fits{true};
            const bool all = parallel_blocks(control_, threads_, length_, [&](unsigned index, std::size_t begin, std::size_t count) {
                std::array<std::uint64_t, block_length> digits;
                if (!load(begin, count, digits.data())) return false;
                add_block(workers_[index], digits.data(), count);
                const bool fit = weights_.digits.store(begin, count, digits.data());
                if (!fit) fits.store(false, std::memory_order_relaxed);
                return fit;
            });
            if (all) break;
            if (fits) return std::nullopt;
        }
        gather();
        return std::move(weights_);
    }

    static void add_block(Worker& worker, const std::uint64_t* digits, std::size_t count) {
        worker.common.add(digits, count);
        const SmallSums small = small_sums(digits, count);
        constexpr int small_bits = 27, medium_bits = 54;  // 1,024 squares, or numbers, add up to 64 bits
        if (small.bits >> medium_bits == 0) {
            worker.total += Uint128{small.total};
        } else {
            for (std::size_t i = 0; i < count; ++i) worker.total += Uint128{digits[i]};
        }
        if (small.bits >> small_bits == 0) {
            worker.squares += Wide<1>(small.squares);
        } else if (small.bits >> medium_bits == 0) {
            Uint128 squares = 0;
            for (std::size_t i = 0; i < count; ++i) squares += product(digits[i], digits[i]);
            worker.squares += squares;
        } else {
            for (std::size_t i = 0; i < count; ++i) worker.squares += product(digits[i], digits[i]);
        }
    }

    void gather() {
        weights_.total = 0;
        weights_.squares = {};
        CommonDivisor common;
        for (const Worker& worker : workers_) {
            weights_.total += worker.total;
            weights_.squares += worker.squares;
            if (worker.common.value() != 0) common.add(worker.common.value());
        }
        weights_.common = common.value();
    }

    // Floats with any exponents. Shifts are relative to that of the first until the smallest is known.
    template <class Float>
    std::optional<DecimalWeights> decimals(const Float* values) {
        workers_.assign(threads_, Worker());
        weights_.digits = NarrowNumbers(length_, sizeof(std::uint64_t));
        weights_.shift = Buffer<std::uint8_t>(length_);
        std::uint64_t* digits = weights_.digits.words();
        constexpr int middle = 128;  // exponents that are farther apart are beyond the bounds
        int zero = 0;
        shortest_decimals(values, 1, [&zero](std::size_t, Decimal first) { zero = first.exponent - middle; });
        const bool all = parallel_blocks(control_, threads_, length_, [&](unsigned index, std::size_t begin, std::size_t count) {
            std::vector<Uint128>& total_of = workers_[index].total_of;
            total_of.resize(exponents);
            return shortest_decimals(values + begin, count, [&, begin](std::size_t i, Decimal decimal) {
                digits[begin + i] = decimal.digits;
                weights_.shift[begin + i] = static_cast<std::uint8_t>(decimal.exponent - zero);
                total_of[static_cast<std::size_t>(decimal.exponent - lowest_exponent)] += Uint128{decimal.digits};
            });
        });
        if (!all || !set_exponent()) return std::nullopt;
        const auto least = static_cast<std::uint8_t>(weights_.exponent - zero);
        weights_.is_narrow() ? scale_digits(least) : set_shifts(least);
        return std::move(weights_);
    }

    // The smallest exponent, and the total in its units; false if that is too large.
    bool set_exponent() {
        Wide<3> total;
        for (int i = exponents - 1; i >= 0; --i) {
            Wide<3> own;
            for (const Worker& worker : workers_)
                if (!worker.total_of.empty()) own += worker.total_of[static_cast<std::size_t>(i)];
            constexpr unsigned most_bits = 127;
            if (total.bit_width() <= most_bits) total *= 10;  // a larger one stays too large
            if (own.bit_width() == 0) continue;
            total += own;
            if (total.bit_width() > most_bits) return false;
            weights_.exponent = i + lowest_exponent;
            weights_.total = of_words(total.word[1], total.word[0]);
        }
        return true;
    }

    // All sums fit in 64 bits, and so do the weights in units.
    void scale_digits(std::uint8_t least) {
        const std::array<Uint128, DecimalWeights::shifts> powers = powers_of_ten();
        std::uint64_t* digits = weights_.digits.words();
        parallel_blocks(control_, threads_, length_, [&](unsigned index, std::size_t begin, std::size_t count) {
            for (std::size_t i = begin; i < begin + count; ++i) digits[i] *= low_word(powers[weights_.shift[i] - least]);
            add_block(workers_[index], digits + begin, count);
        });
        weights_.shift = {};
        gather();
    }

    void set_shifts(std::uint8_t least) {
        const std::uint64_t* digits = weights_.digits.words();
        parallel_blocks(control_, threads_, length_, [&](unsigned index, std::size_t begin, std::size_t count) {
            std::array<std::uint64_t, block_length> unshifted;
            std::size_t kept = 0;
            for (std::size_t i = begin; i < begin + count; ++i) {
                const auto shift = static_cast<std::uint8_t>(weights_.shift[i] - least);
                weights_.shift[i] = shift;
                workers_[index].squares_of[shift] += product(digits[i], digits[i]);
                unshifted[kept] = digits[i];
                kept += shift == 0 ? 1 : 0;
            }
            workers_[index].common.add(unshifted.data(), kept);
        });
        gather_shifted();
    }

    void gather_shifted() {
        CommonDivisor common;
        weights_.squares = {};
        for (std::size_t shift = DecimalWeights::shifts; shift-- > 0;) {
            weights_.squares *= 100;
            for (const Worker& worker : workers_) weights_.squares += worker.squares_of[shift];
        }
        for (const Worker& worker : workers_)
            if (worker.common.value() != 0) common.add(worker.common.value());
        const std::array<Uint128, DecimalWeights::shifts> powers = powers_of_ten();
        for (std::size_t i = 0; i < length_ && common.value() != 1; ++i) {
            const Uint128 weight = Uint128{weights_.digits.words()[i]} * powers[weights_.shift[i]], divisor = common.value();
            const Uint128 rest = weight - weight / divisor * divisor;
            if (rest != Uint128{0}) common.add(low_word(rest));
        }
        weights_.common = common.value();
    }

    std::size_t length_;
    unsigned threads_;
    Control& control_;
    std::vector<Worker> workers_;
    DecimalWeights weights_;
};

}  // namespace concordant
