// Texts that are numbers: a prefix that all share, and digits or some characters of a small alphabet behind it.
//
// Ids and labels are mostly such, customer-00000000042 for instance. What is behind the prefix is then a number of
// less than 64 bits, exact, from which the text can be told again. The prefix and the alphabet are learnt from a sample.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/processor.hpp"
#include "labels/alphabet.hpp"
#include "labels/items.hpp"
#include "labels/labels.hpp"

namespace concordant {

// A number of up to 18 digits, of which those that lead may be zeros; told apart from others by a one before them.
class Digits {
public:
    static constexpr std::uint64_t none = 0;
    static constexpr std::size_t longest = 18;

    // The number of the last `count` bytes of a text, or none where one of them is no digit.
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

    static std::string text(std::uint64_t code) { return std::to_string(code).substr(1); }

private:
    static constexpr std::uint64_t zeros = 0x3030303030303030U, high_halves = 0xf0f0f0f0f0f0f0f0U;

    static constexpr std::array<std::uint64_t, longest + 1> powers = [] {
        std::array<std::uint64_t, longest + 1> made{1};
        for (std::size_t i = 1; i <= longest; ++i) made[i] = 10 * made[i - 1];
        return made;
    }();

    // Eight characters of which only the last so many count.
    static std::uint64_t last(std::uint64_t eight, std::size_t count) {
        const std::uint64_t kept = count >= 8 ? ~std::uint64_t{0} : ~(~std::uint64_t{0} >> (8 * count));
        return (eight & kept) | (zeros & ~kept);
    }

    static bool are_digits(std::uint64_t eight) {
        return (eight & high_halves) == zeros && ((eight + 0x0606060606060606U) & high_halves) == zeros;
    }

    // Neighbours are put together to numbers of two, then of four and of eight digits.
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
};

// A prefix and digits, or the letters of an alphabet, behind it; a text of both is a number, and the number is the text.
class ShortTexts {
public:
    ShortTexts() = default;

    // Those that hold most of the sample; none where they would hold less than half of it.
    explicit ShortTexts(const std::vector<std::string>& sample) {
        const std::size_t common = common_prefix(sample);
        std::size_t most = 0;
        for (std::size_t length = 0; length <= common; ++length) {
            const ShortTexts tried(sample, length);
            const auto held = static_cast<std::size_t>(std::count_if(
                sample.begin(), sample.end(), [&](const std::string& text) { return tried(item_of(text)) != none; }));
            const bool is_quicker = held == most && tried.letters_.are_digits() && !letters_.are_digits();
            if ((held <= most && !is_quicker) || !holds_half(held, sample)) continue;
            most = held;
            *this = tried;
        }
    }

    static constexpr std::uint64_t none = 0;

    // The number of a text, below 2^63, or none.
    CONCORDANT_INLINED std::uint64_t operator()(Item text) const {
        const std::size_t before = prefix_.size();
        if (text.size < before || text.size - before > longest_ || !begins_with(text, prefix_)) return none;
        return letters_.are_digits() ? Digits::code(text, text.size - before) : code_of_letters(text, before);
    }

    std::string text(std::uint64_t code) const {
        if (letters_.are_digits()) return prefix_ + Digits::text(code);
        std::string made = prefix_;
        const unsigned length = (static_cast<unsigned>(std::bit_width(code)) - 1) / letters_.bits();
        for (unsigned i = length; i-- > 0;) made += letters_.letter(code >> (i * letters_.bits()));
        return made;
    }

private:
    // This prefix of the sample, and the smallest alphabet of what comes behind it.
    ShortTexts(const std::vector<std::string>& sample, std::size_t length)
        : prefix_(sample.front().substr(0, length)), letters_(sample, length),
          longest_(letters_.are_digits() ? Digits::longest : 62 / letters_.bits()) {}

    std::uint64_t code_of_letters(Item text, std::size_t before) const {
        const unsigned bits = letters_.bits();
        unsigned shift = static_cast<unsigned>(text.size - before) * bits, all = 0;
        std::uint64_t code = std::uint64_t{1} << shift;  // behind which every letter counts, those of no bits too
        for (std::size_t i = before; i < text.size; ++i) {
            const unsigned digit = letters_.digit(text.bytes[i]);
            all |= digit;
            shift -= bits;
            code |= std::uint64_t{digit} << shift;
        }
        return (all & Alphabet::not_there) == 0 ? code : none;
    }

    std::string prefix_;
    Alphabet letters_;
    std::size_t longest_ = 0;
};

}  // namespace concordant
