// Texts that are numbers of up to 128 bits: UUIDs, sums of MD5, and others of few or of few different letters.
//
// Such a number tells its text again, so that who compares numbers compares texts in full. The form is learnt from a
// sample.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/hashing.hpp"
#include "labels/alphabet.hpp"
#include "labels/items.hpp"
#include "labels/labels.hpp"

namespace concordant {

struct WideNumber {
    std::uint64_t high, low;

    bool operator==(const WideNumber&) const = default;
};

// Turns numbers around so that `high` is as good as a hash; a bijection.
class WideScramble {
public:
    explicit WideScramble(std::uint64_t seed = process_seed()) : hash_{seed} {}

    WideNumber operator()(WideNumber number) const { return {hash_(number.high ^ hash_(number.low)), number.low}; }
    WideNumber inverse(WideNumber number) const { return {hash_.inverse(number.high) ^ hash_(number.low), number.low}; }

private:
    Hasher hash_;
};

// A prefix and 32 hexadecimal digits, or 8, 4, 4, 4 and 12 with dashes between; letters are all small or all large.
class HexTexts {
public:
    HexTexts(const std::string& like, bool is_dashed, bool is_large)
        : prefix_(like.substr(0, like.size() - std::min(like.size(), length_of(is_dashed)))), is_dashed_(is_dashed),
          first_letter_(is_large ? 'A' : 'a') {}

    bool read(Item text, WideNumber& number) const {
        if (text.size != prefix_.size() + length_of(is_dashed_) || !begins_with(text, prefix_)) return false;
        const std::byte* bytes = text.bytes + prefix_.size();
        const std::array<std::uint64_t, 4> eights = is_dashed_ ? eights_of_dashed(bytes) : eights_of_bare(bytes);
        std::array<std::uint64_t, 4> part{};
        bool all = std::endian::native == std::endian::little;
        for (std::size_t i = 0; i < part.size(); ++i) all &= read_eight(eights[i], part[i]);
        number = {part[0] << 32 | part[1], part[2] << 32 | part[3]};
        return all && (!is_dashed_ || has_dashes(bytes));
    }

    std::string text(WideNumber number) const {
        std::string made = prefix_;
        for (unsigned i = 0; i < 32; ++i) {
            if (is_dashed_ && i >= 8 && i <= 20 && i % 4 == 0) made += '-';
            const unsigned digit = static_cast<unsigned>((i < 16 ? number.high : number.low) >> (60 - 4 * (i % 16))) & 15;
            made += static_cast<char>(digit < 10 ? '0' + digit : first_letter_ + (digit - 10));
        }
        return made;
    }

private:
    static constexpr std::uint64_t each = 0x0101010101010101U;
    static constexpr std::byte dash{'-'};

    static std::size_t length_of(bool is_dashed) { return is_dashed ? 36 : 32; }

    static bool has_dashes(const std::byte* text) {
        return text[8] == dash && text[13] == dash && text[18] == dash && text[23] == dash;
    }

    // In registers: to gather them in memory would wait for each store.
    static std::array<std::uint64_t, 4> eights_of_bare(const std::byte* text) {
        return {eight(text), eight(text + 8), eight(text + 16), eight(text + 24)};
    }
    static std::array<std::uint64_t, 4> eights_of_dashed(const std::byte* text) {
        return {eight(text), four(text + 9) | four(text + 14) << 32, four(text + 19) | four(text + 24) << 32, eight(text + 28)};
    }
    static std::uint64_t eight(const std::byte* text) { return read_unaligned<std::uint64_t>(text); }
    static std::uint64_t four(const std::byte* text) { return read_unaligned<std::uint32_t>(text); }

    // Eight digits at once, the first of them the highest; false where they are not what their number would be written as.
    bool read_eight(std::uint64_t digits, std::uint64_t& number) const {
        const std::uint64_t letters = digits >> 6 & each;
        std::uint64_t x = (digits & 15 * each) + 9 * letters;  // of each byte at most 24
        const std::uint64_t above_nine = (x + 6 * each) >> 4 & each;
        const bool is_written_so =
            x + '0' * each + (first_letter_ - '9' - 1) * above_nine == digits && (x & 0xf0 * each) == 0;
        x = (x << 4 | x >> 8) & 0x00ff00ff00ff00ffU;
        x = (x << 8 | x >> 16) & 0x0000ffff0000ffffU;
        number = (x << 16 | x >> 32) & 0xffffffffU;
        return is_written_so;
    }

    std::string prefix_;
    bool is_dashed_;
    std::uint64_t first_letter_;
};

// A prefix, and as many letters of an alphabet behind it as 127 bits hold.
class LetterTexts {
public:
    LetterTexts(const std::vector<std::string>& sample, std::size_t length)
        : prefix_(sample.front().substr(0, length)), letters_(sample, length) {}

    bool read(Item text, WideNumber& number) const {
        const unsigned bits = letters_.bits();
        if (text.size > prefix_.size() + 127 / bits || !begins_with(text, prefix_)) return false;
        number = {0, 1};  // behind which every letter counts, those of no bits too
        unsigned all = 0;
        for (std::size_t i = prefix_.size(); i < text.size;) {
            unsigned some = 0, shift = 0;
            for (const std::size_t end = std::min(text.size, i + at_once); i < end; ++i, shift += bits) {
                const unsigned digit = letters_.digit(text.bytes[i]);
                all |= digit;
                some = some << bits | digit;
            }
            number = {number.high << shift | number.low >> (64 - shift), number.low << shift | some};
        }
        return (all & Alphabet::not_there) == 0;
    }

    std::string text(WideNumber number) const {
        const unsigned bits = letters_.bits();
        std::string backwards;
        for (; number.high != 0 || number.low > 1; number = {number.high >> bits, number.low >> bits | number.high << (64 - bits)})
            backwards += letters_.letter(number.low);
        return prefix_ + std::string(backwards.rbegin(), backwards.rend());
    }

private:
    static constexpr std::size_t at_once = 4;

    std::string prefix_;
    Alphabet letters_;
};

// Sixteen bytes, whichever they are.
class SixteenBytes {
public:
    bool read(Item text, WideNumber& number) const {
        if (text.size != 16) return false;
        number = {read_unaligned<std::uint64_t>(text.bytes), read_unaligned<std::uint64_t>(text.bytes + 8)};
        return true;
    }

    std::string text(WideNumber number) const {
        const std::array<std::uint64_t, 2> words{number.high, number.low};
        return {reinterpret_cast<const char*>(words.data()), 16};
    }
};

// One of these forms.
class WideTexts {
public:
    WideTexts() = default;

    // That which holds most of the sample; none where it would hold less than half of it.
    explicit WideTexts(const std::vector<std::string>& sample) {
        if (sample.empty()) return;
        std::size_t most = 0;
        const auto attempt = [&](const auto& form) {
            WideNumber number{};
            const auto held = static_cast<std::size_t>(std::count_if(
                sample.begin(), sample.end(), [&](const std::string& text) { return form.read(item_of(text), number); }));
            if (held <= most || !holds_half(held, sample)) return;
            most = held;
            form_ = form;
        };
        for (const std::string& like : {sample.front(), sample[sample.size() / 2], sample.back()})
            for (const bool is_dashed : {true, false})
                for (const bool is_large : {false, true}) attempt(HexTexts(like, is_dashed, is_large));
        attempt(SixteenBytes());
        for (std::size_t length = 0; length <= common_prefix(sample); ++length) attempt(LetterTexts(sample, length));
    }

    // Whether the text has this form, and the number that it is.
    bool read(Item text, WideNumber& number) const {
        if (const auto* hex = std::get_if<HexTexts>(&form_)) return hex->read(text, number);
        if (const auto* letters = std::get_if<LetterTexts>(&form_)) return letters->read(text, number);
        return std::holds_alternative<SixteenBytes>(form_) && std::get<SixteenBytes>(form_).read(text, number);
    }

    std::string text(WideNumber number) const {
        if (const auto* hex = std::get_if<HexTexts>(&form_)) return hex->text(number);
        if (const auto* letters = std::get_if<LetterTexts>(&form_)) return letters->text(number);
        return SixteenBytes().text(number);
    }

private:
    std::variant<std::monostate, HexTexts, SixteenBytes, LetterTexts> form_;
};

}  // namespace concordant
