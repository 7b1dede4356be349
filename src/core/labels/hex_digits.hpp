// Hexadecimal digits, sixteen at once, as a word of 64 bits.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/processor.hpp"
#include "labels/items.hpp"
#include "labels/labels.hpp"

namespace concordant {

// Digits above nine are letters that are all small or all large. The first two digits are the lowest byte of the word.
class HexDigits {
public:
    explicit HexDigits(bool are_large) : first_letter_(are_large ? 'A' : 'a') {}

    // `low` and `high` are eight characters each; false where one of them is no such digit.
    CONCORDANT_INLINED bool read(std::uint64_t low, std::uint64_t high, std::uint64_t& word) const;

    std::string text(std::uint64_t word) const {
        std::string made;
        for (unsigned shift = 0; shift < 64; shift += 8) (made += digit(word >> (shift + 4))) += digit(word >> shift);
        return made;
    }

private:
    char digit(std::uint64_t bits) const {
        const auto value = static_cast<int>(bits & 15);
        return static_cast<char>(value < 10 ? '0' + value : first_letter_ + (value - 10));
    }

    char first_letter_;
};

#if defined(CONCORDANT_HAS_SSE2)
inline bool HexDigits::read(std::uint64_t low, std::uint64_t high, std::uint64_t& word) const {
    const __m128i text = _mm_set_epi64x(static_cast<std::int64_t>(high), static_cast<std::int64_t>(low));
    const __m128i letters = _mm_cmpgt_epi8(text, _mm_set1_epi8('9'));
    const __m128i above = _mm_and_si128(letters, _mm_set1_epi8(static_cast<char>(first_letter_ - 10 - '0')));
    const __m128i digits = _mm_sub_epi8(_mm_sub_epi8(text, _mm_set1_epi8('0')), above);
    const __m128i least = _mm_and_si128(letters, _mm_set1_epi8(10));
    const __m128i wrong = _mm_or_si128(_mm_cmpgt_epi8(least, digits), _mm_cmpgt_epi8(digits, _mm_set1_epi8(15)));
    const __m128i bytes = _mm_or_si128(_mm_and_si128(_mm_slli_epi16(digits, 4), _mm_set1_epi16(0x00f0)), _mm_srli_epi16(digits, 8));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(&word), _mm_packus_epi16(bytes, bytes));
    return _mm_movemask_epi8(wrong) == 0;
}
#elif defined(CONCORDANT_HAS_NEON)
inline bool HexDigits::read(std::uint64_t low, std::uint64_t high, std::uint64_t& word) const {
    const uint8x16_t text = vcombine_u8(vcreate_u8(low), vcreate_u8(high));
    const uint8x16_t letters = vcgtq_u8(text, vdupq_n_u8('9'));
    const uint8x16_t of_letters = vdupq_n_u8(static_cast<std::uint8_t>(first_letter_ - 10));
    const uint8x16_t digits = vsubq_u8(text, vbslq_u8(letters, of_letters, vdupq_n_u8('0')));
    const uint8x16_t least = vandq_u8(letters, vdupq_n_u8(10));
    const uint8x16_t wrong = vorrq_u8(vcltq_u8(digits, least), vcgtq_u8(digits, vdupq_n_u8(15)));
    const uint8x16_t bytes = vsliq_n_u8(vuzp2q_u8(digits, digits), vuzp1q_u8(digits, digits), 4);
    word = vgetq_lane_u64(vreinterpretq_u64_u8(bytes), 0);
    return vmaxvq_u8(wrong) == 0;
}
#else
inline bool HexDigits::read(std::uint64_t low, std::uint64_t high, std::uint64_t& word) const {
    constexpr std::uint64_t each = 0x0101010101010101U;
    bool all = std::endian::native == std::endian::little;
    const auto half = [&](std::uint64_t text) {
        std::uint64_t x = (text & 15 * each) + 9 * (text >> 6 & each);  // of each byte at most 24
        const std::uint64_t above_nine = (x + 6 * each) >> 4 & each;
        const auto gap = static_cast<std::uint64_t>(first_letter_ - '9' - 1);
        all &= x + '0' * each + gap * above_nine == text && (x & 0xf0 * each) == 0;  // it would be written so
        x = (x << 4 | x >> 8) & 0x00ff00ff00ff00ffU;
        x = (x | x >> 8) & 0x0000ffff0000ffffU;
        return (x | x >> 16) & 0xffffffffU;
    };
    word = half(low) | half(high) << 32;
    return all;
}
#endif

}  // namespace concordant
