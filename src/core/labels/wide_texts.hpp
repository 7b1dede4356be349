// Texts that are numbers of up to 256 bits: UUIDs, digests, and others of few or of few different letters.
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
#include "labels/hex_digits.hpp"
#include "labels/items.hpp"
#include "labels/labels.hpp"

namespace concordant {

inline constexpr std::size_t least_words = 2, most_words = 4;  // of 64 bits, that a number takes

template <std::size_t Words>
using WideNumber = std::array<std::uint64_t, Words>;

using AnyNumber = WideNumber<most_words>;  // of which the form tells how many words there are

template <std::size_t Words>
WideNumber<Words> first_words(const AnyNumber& number) {
    WideNumber<Words> made;
    std::copy_n(number.begin(), Words, made.begin());
    return made;
}

// Turns numbers around so that the first word is as good as a hash; a bijection.
class WideScramble {
public:
    explicit WideScramble(std::uint64_t seed = process_seed()) : hash_{seed} {}

    CONCORDANT_INLINED void apply(AnyNumber& number, std::size_t words) const { number[0] = hash_(number[0] ^ rest(number, words)); }
    void undo(AnyNumber& number, std::size_t words) const { number[0] = hash_.inverse(number[0]) ^ rest(number, words); }

private:
    CONCORDANT_INLINED std::uint64_t rest(const AnyNumber& number, std::size_t words) const {
        std::uint64_t mixed = hash_(number[1]);
        for (std::size_t i = 2; i < words; ++i) mixed = hash_(number[i] ^ mixed);
        return mixed;
    }

    Hasher hash_;
};

inline std::uint64_t eight_bytes(const std::byte* text) { return read_unaligned<std::uint64_t>(text); }

// No text at all.
class NoTexts {
public:
    std::size_t words() const { return 0; }
    bool read(Item, AnyNumber&) const { return false; }
    std::string text(const AnyNumber&) const { return {}; }
};

// A prefix and 8, 4, 4, 4 and 12 hexadecimal digits with dashes between.
class DashedTexts {
public:
    static constexpr std::size_t length = 36;

    DashedTexts(const std::string& prefix, bool are_large) : prefix_(prefix), digits_(are_large) {}

    std::size_t words() const { return 2; }

    CONCORDANT_INLINED bool read(Item text, AnyNumber& number) const {
        if (text.size != prefix_.size() + length || !begins_with(text, prefix_)) return false;
        const std::byte* bytes = text.bytes + prefix_.size();
        // In registers: to gather them in memory would wait for each store.
        const bool first = digits_.read(eight_bytes(bytes), four(bytes + 9) | four(bytes + 14) << 32, number[0]);
        const bool second = digits_.read(four(bytes + 19) | four(bytes + 24) << 32, eight_bytes(bytes + 28), number[1]);
        return first && second && bytes[8] == dash && bytes[13] == dash && bytes[18] == dash && bytes[23] == dash;
    }

    std::string text(const AnyNumber& number) const {
        std::string made = digits_.text(number[0]) + digits_.text(number[1]);
        for (const std::size_t place : {8U, 13U, 18U, 23U}) made.insert(place, 1, '-');
        return prefix_ + made;
    }

private:
    static constexpr std::byte dash{'-'};

    static std::uint64_t four(const std::byte* text) { return read_unaligned<std::uint32_t>(text); }

    std::string prefix_;
    HexDigits digits_;
};

// A prefix and so many hexadecimal digits, of which the last sixteen are the last word.
class HexTexts {
public:
    HexTexts(const std::string& prefix, std::size_t count, bool are_large)
        : prefix_(prefix), count_(count), digits_(are_large) {}

    std::size_t words() const { return (count_ + 15) / 16; }

    CONCORDANT_INLINED bool read(Item text, AnyNumber& number) const {
        if (text.size != prefix_.size() + count_ || !begins_with(text, prefix_)) return false;
        const std::byte* bytes = text.bytes + prefix_.size();
        bool all = true;
        for (std::size_t i = 0; i < words(); ++i) {
            const std::byte* place = bytes + std::min(16 * i, count_ - 16);
            all &= digits_.read(eight_bytes(place), eight_bytes(place + 8), number[i]);
        }
        return all;
    }

    std::string text(const AnyNumber& number) const {
        std::string made(count_, ' ');
        for (std::size_t i = 0; i < words(); ++i) made.replace(std::min(16 * i, count_ - 16), 16, digits_.text(number[i]));
        return prefix_ + made;
    }

private:
    std::string prefix_;
    std::size_t count_;
    HexDigits digits_;
};

// A prefix, and as many letters of an alphabet behind it as some words hold. Each word that has letters has a one
// before them, behind which every letter counts, those of no bits too.
class LetterTexts {
public:
    LetterTexts(const std::vector<std::string>& sample, std::size_t length, std::size_t words)
        : prefix_(sample.front().substr(0, length)), letters_(sample, length), words_(words) {}

    std::size_t words() const { return words_; }

    CONCORDANT_INLINED bool read(Item text, AnyNumber& number) const {
        if (text.size < prefix_.size() || text.size - prefix_.size() > words_ * letters_of_word(letters_.bits())) return false;
        if (!begins_with(text, prefix_)) return false;
        switch (letters_.bits()) {
            case 4: return read_letters<4>(text, number);
            case 5: return read_letters<5>(text, number);
            case 6: return read_letters<6>(text, number);
            case 7: return read_letters<7>(text, number);
            default: return read_letters<8>(text, number);
        }
    }

    std::string text(const AnyNumber& number) const {
        std::string made = prefix_;
        for (std::size_t i = 0; i < words_ && number[i] != 0; ++i)
            for (auto shift = static_cast<unsigned>(std::bit_width(number[i])) - 1; shift > 0;)
                made += letters_.letter(number[i] >> (shift -= letters_.bits()));
        return made;
    }

private:
    static constexpr std::size_t letters_of_word(unsigned bits) { return 63 / bits; }

    template <unsigned Bits>
    bool read_letters(Item text, AnyNumber& number) const {
        const std::byte* at = text.bytes + prefix_.size();
        const std::byte* end = text.bytes + text.size;
        unsigned all = 0;
        for (std::size_t i = 0; i < words_; ++i) {
            constexpr std::ptrdiff_t most = letters_of_word(Bits);
            const std::byte* stop = at + std::min(most, end - at);
            std::uint64_t word = at != end;
            for (; at != stop; ++at) {
                const unsigned digit = letters_.digit(*at);
                all |= digit;
                word = word << Bits | digit;
            }
            number[i] = word;
        }
        return (all & Alphabet::not_there) == 0;
    }

    std::string prefix_;
    Alphabet letters_;
    std::size_t words_;
};

// So many bytes, sixteen or more, whichever they are.
class FixedBytes {
public:
    explicit FixedBytes(std::size_t size) : size_(size) {}

    std::size_t words() const { return (size_ + 7) / 8; }

    CONCORDANT_INLINED bool read(Item text, AnyNumber& number) const {
        if (text.size != size_) return false;
        for (std::size_t i = 0; i < words(); ++i) number[i] = eight_bytes(text.bytes + std::min(8 * i, size_ - 8));
        return true;
    }

    std::string text(const AnyNumber& number) const {
        std::string made(size_, ' ');
        for (std::size_t i = 0; i < words(); ++i)
            made.replace(std::min(8 * i, size_ - 8), 8, reinterpret_cast<const char*>(&number[i]), 8);
        return made;
    }

private:
    std::size_t size_;
};

// One of these forms.
class WideTexts {
public:
    WideTexts() = default;

    // That which holds most of the sample, in as few words as may be; none where it would hold less than half of it.
    explicit WideTexts(const std::vector<std::string>& sample) {
        if (sample.empty()) return;
        const std::size_t common = common_prefix(sample);
        for (std::size_t words = least_words; words <= most_words; ++words) {
            for (const std::string& like : {sample.front(), sample[sample.size() / 2], sample.back()})
                for (const bool are_large : {false, true}) try_digits(sample, like, are_large, words);
            const std::size_t size = sample.front().size();
            if (size >= 16 && (size + 7) / 8 == words) attempt(sample, FixedBytes(size));
            for (std::size_t length = 0; length <= common; ++length) attempt(sample, LetterTexts(sample, length, words));
        }
    }

    // Calls use(form), so that a loop over texts asks for it once. A form has read(text, number): whether the text has
    // it, and the number that it is.
    template <class Use>
    auto visit(Use use) const {
        return std::visit(use, form_);
    }

    // How many words its numbers have; none where there is no form.
    std::size_t words() const {
        return visit([](const auto& form) { return form.words(); });
    }

    std::string text(const AnyNumber& number) const {
        return visit([&](const auto& form) { return form.text(number); });
    }

private:
    void try_digits(const std::vector<std::string>& sample, const std::string& like, bool are_large, std::size_t words) {
        const auto before = [&](std::size_t length) { return like.substr(0, like.size() - length); };
        if (words == 2 && like.size() >= DashedTexts::length)
            attempt(sample, DashedTexts(before(DashedTexts::length), are_large));
        for (const std::size_t count : {32U, 40U, 48U, 56U, 64U})
            if ((count + 15) / 16 == words && like.size() >= count) attempt(sample, HexTexts(before(count), count, are_large));
    }

    template <class Form>
    void attempt(const std::vector<std::string>& sample, const Form& form) {
        AnyNumber number{};
        const auto held = static_cast<std::size_t>(std::count_if(
            sample.begin(), sample.end(), [&](const std::string& text) { return form.read(item_of(text), number); }));
        if (held <= most_held_ || !holds_half(held, sample)) return;
        most_held_ = held;
        form_ = form;
    }

    std::variant<NoTexts, DashedTexts, HexTexts, FixedBytes, LetterTexts> form_;
    std::size_t most_held_ = 0;
};

}  // namespace concordant
