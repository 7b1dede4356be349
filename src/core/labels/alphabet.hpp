// The letters that texts are made of, as digits of few bits, and the prefix that they share.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "labels/items.hpp"

namespace concordant {

inline Item item_of(const std::string& text) { return {reinterpret_cast<const std::byte*>(text.data()), text.size()}; }

inline bool begins_with(Item text, const std::string& prefix) {
    return text.size >= prefix.size() && same_bytes({text.bytes, prefix.size()}, item_of(prefix));
}

// The length of what all texts of a sample begin with.
inline std::size_t common_prefix(const std::vector<std::string>& sample) {
    constexpr std::size_t longest = 64;
    if (sample.empty()) return 0;
    const std::string& first = sample.front();
    std::size_t length = std::min(longest, first.size());
    for (const std::string& text : sample) {
        std::size_t same = 0;
        while (same < std::min(length, text.size()) && text[same] == first[same]) ++same;
        length = same;
    }
    return length;
}

inline bool holds_half(std::size_t held, const std::vector<std::string>& sample) { return 2 * held >= sample.size(); }

class Alphabet {
public:
    static constexpr unsigned not_there = 0x100;

    Alphabet() { digit_.fill(not_there); }

    // The letters behind so many of each text of the sample, and likely ones besides as long as they need no more bits.
    Alphabet(const std::vector<std::string>& sample, std::size_t skipped) : Alphabet() {
        std::array<bool, 256> seen{};
        for (const std::string& text : sample)
            for (std::size_t i = skipped; i < text.size(); ++i) seen[static_cast<unsigned char>(text[i])] = true;
        const auto distinct = static_cast<std::size_t>(std::count(seen.begin(), seen.end(), true));
        are_digits_ = distinct == static_cast<std::size_t>(std::count(seen.begin() + '0', seen.begin() + '9' + 1, true));
        bits_ = std::max(least_bits, static_cast<unsigned>(std::bit_width(distinct == 0 ? 0 : distinct - 1)));
        for (unsigned byte = 0; byte < 256; ++byte)
            if (seen[byte]) admit(static_cast<char>(byte));
        for (const char likely : likely_letters)
            if (!seen[static_cast<unsigned char>(likely)] && letters_.size() < std::size_t{1} << bits_) admit(likely);
    }

    unsigned bits() const { return bits_; }  // of a letter
    bool are_digits() const { return are_digits_; }
    unsigned digit(std::byte letter) const { return digit_[std::to_integer<std::size_t>(letter)]; }
    char letter(std::uint64_t digit) const { return letters_[static_cast<std::size_t>(digit & ((1U << bits_) - 1))]; }

private:
    static constexpr unsigned least_bits = 4;
    static constexpr std::string_view likely_letters =
        "0123456789-_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ .:/";

    void admit(char letter) {
        digit_[static_cast<unsigned char>(letter)] = static_cast<std::uint16_t>(letters_.size());
        letters_ += letter;
    }

    std::array<std::uint16_t, 256> digit_{};
    std::string letters_;
    unsigned bits_ = least_bits;
    bool are_digits_ = false;
};

}  // namespace concordant
