// Strings of a common prefix and up to 18 digits, such as customer-00000000042, as numbers of less than 64 bits.
//
// Most ids and labels have this form. The number is exact: the string can be restored from it. The prefix is learnt
// from a sample.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/processor.hpp"
#include "labels/items.hpp"
#include "labels/labels.hpp"

namespace concordant {

inline Item item_of(const std::string& text) { return {reinterpret_cast<const std::byte*>(text.data()), text.size()}; }

inline bool begins_with(Item text, const std::string& prefix) {
    return text.size >= prefix.size() && same_bytes({text.bytes, prefix.size()}, item_of(prefix));
}

// How many strings of the sample have the form, or 0 if they are less than half of it.
template <class HasForm>
std::size_t count_of_form(const std::vector<std::string>& sample, HasForm has_form) {
    const auto held = static_cast<std::size_t>(std::count_if(sample.begin(), sample.end(), has_form));
    return 2 * held >= sample.size() ? held : 0;
}

class DigitStrings {
public:
    static constexpr std::uint64_t none = 0;

    DigitStrings() = default;

    // With the shortest prefix that holds most of the sample; no string has the form if none holds half of it.
    explicit DigitStrings(const std::vector<std::string>& sample);

    // The number of a string, below 2^63, or none.
    CONCORDANT_INLINED std::uint64_t operator()(Item text) const {
        const std::size_t before = prefix_.size();
        if (!has_form_ || text.size < before || text.size - before > longest || !begins_with(text, prefix_)) return none;
        return code(text, text.size - before);
    }

    // Digits may begin with zeros, so a one is put before them.
    std::string text(std::uint64_t code) const { return prefix_ + std::to_string(code).substr(1); }

private:
    static constexpr std::size_t longest = 18;
    static constexpr std::uint64_t zeros = 0x3030303030303030U, high_halves = 0xf0f0f0f0f0f0f0f0U;

    static constexpr std::array<std::uint64_t, longest + 1> powers = [] {
        std::array<std::uint64_t, longest + 1> made{1};
        for (std::size_t i = 1; i <= longest; ++i) made[i] = 10 * made[i - 1];
        return made;
    }();

    // The number of the last `count` bytes of a string, or none if one of them is not a digit.
    static CONCORDANT_INLINED std::uint64_t code(Item text, std::size_t count) {
        const std::size_t read = count <= 8 ? 8 : 16;
        if (text.size < read || count > 16 || std::endian::native != std::endian::little) return code_by_steps(text, count);
        const std::byte* end = text.bytes + text.size;
        const std::uint64_t low = last(read_unaligned<std::uint64_t>(end - 8), count);
        if (!are_digits(low)) return none;
        if (count <= 8) return powers[count] + value(low);
        const std::uint64_t high = last(read_unaligned<std::uint64_t>(end - 16), count - 8);
        return are_digits(high) ? powers[count] + value(high) * 100'000'000 + value(low) : none;
    }

    // Eight characters of which only the last `count` are kept.
    static std::uint64_t last(std::uint64_t eight, std::size_t count) {
        const std::uint64_t kept = count >= 8 ? ~std::uint64_t{0} : ~(~std::uint64_t{0} >> (8 * count));
        return (eight & kept) | (zeros & ~kept);
    }

    static bool are_digits(std::uint64_t eight) {
        return (eight & high_halves) == zeros && ((eight + 0x0606060606060606U) & high_halves) == zeros;
    }

    // Neighbours are combined to numbers of two, then of four and of eight digits.
    static std::uint64_t value(std::uint64_t eight) {
        eight -= zeros;
        eight = eight * 10 + (eight >> 8);
        constexpr std::uint64_t pairs = 0x000000ff000000ffU;
        return ((eight & pairs) * 0x000f424000000064U + (eight >> 16 & pairs) * 0x0000271000000001U) >> 32;
    }

    static std::uint64_t code_by_steps(Item text, std::size_t count) {
        std::uint64_t code = 1;
        for (std::size_t i = text.size - count; i < text.size; ++i) {
            const unsigned digit = std::to_integer<unsigned>(text.bytes[i]) - '0';
            if (digit > 9) return none;
            code = code * 10 + digit;
        }
        return code;
    }

    std::string prefix_;
    bool has_form_ = false;
};

}  // namespace concordant
