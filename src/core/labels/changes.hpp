// Which labels differ from the one before, 64 at a time as bits of a word.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/processor.hpp"
#include "labels/labels.hpp"

namespace concordant {

inline constexpr std::size_t labels_at_once = 64;

#if defined(CONCORDANT_HAS_NEON)
// Of the labels of a vector, ones for those that are the same as the one before.
template <std::size_t width>
CONCORDANT_INLINED uint8x16_t same_labels(const std::byte* first) {
    const auto load = [](const std::byte* from) { return vld1q_u8(reinterpret_cast<const std::uint8_t*>(from)); };
    const uint8x16_t here = load(first), before = load(first - width);
    if constexpr (width == 1)
        return vceqq_u8(here, before);
    else if constexpr (width == 2)
        return vreinterpretq_u8_u16(vceqq_u16(vreinterpretq_u16_u8(here), vreinterpretq_u16_u8(before)));
    else if constexpr (width == 4)
        return vreinterpretq_u8_u32(vceqq_u32(vreinterpretq_u32_u8(here), vreinterpretq_u32_u8(before)));
    else
        return vreinterpretq_u8_u64(vceqq_u64(vreinterpretq_u64_u8(here), vreinterpretq_u64_u8(before)));
}

// The same of 16 labels, a byte for each: every other byte of two vectors makes one, until each label has one left.
template <std::size_t width, std::size_t bytes_of_label = width>
CONCORDANT_INLINED uint8x16_t sixteen_same(const std::byte* first) {
    constexpr std::size_t half = bytes_of_label / 2;
    if constexpr (half == 0)
        return same_labels<width>(first);
    else
        return vuzp1q_u8(sixteen_same<width, half>(first), sixteen_same<width, half>(first + 16 * half));
}

using SameLabels = std::array<uint8x16_t, labels_at_once / 16>;

template <std::size_t width>
CONCORDANT_INLINED void keep_same(SameLabels& same, const std::byte* first) {
    for (uint8x16_t& sixteen : same) {
        sixteen = vandq_u8(sixteen, sixteen_same<width>(first));
        first += 16 * width;
    }
}

CONCORDANT_INLINED void keep_same(SameLabels& same, const std::byte* first, std::size_t width) {
    switch (width) {
        case 1: return keep_same<1>(same, first);
        case 2: return keep_same<2>(same, first);
        case 4: return keep_same<4>(same, first);
        default: return keep_same<8>(same, first);
    }
}

// A set bit for each of 64 elements that has another label than the one before on either side.
CONCORDANT_INLINED std::uint64_t changes_of(const std::byte* u, std::size_t u_width, const std::byte* v,
                                            std::size_t v_width) {
    const uint8x16_t ones = vdupq_n_u8(0xff), bit = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201U));
    SameLabels same{ones, ones, ones, ones};
    keep_same(same, u, u_width);
    keep_same(same, v, v_width);
    const auto pairs = [&](std::size_t i) { return vpaddq_u8(vbicq_u8(bit, same[i]), vbicq_u8(bit, same[i + 1])); };
    const uint8x16_t fours = vpaddq_u8(pairs(0), pairs(2));
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(fours, fours)), 0);
}
#else
// Flags those of 64 labels that differ from the one before.
template <class T>
inline void flag_changes(const std::byte* first, std::uint8_t* flag) {
    for (std::size_t i = 0; i < labels_at_once; ++i) {
        const bool differs = read_unaligned<T>(first + i * sizeof(T)) != read_unaligned<T>(first + i * sizeof(T) - sizeof(T));
        flag[i] = static_cast<std::uint8_t>(flag[i] | differs);
    }
}

// The same as bits, where a label is as wide as all flags together: a vector then holds the bits as they are.
inline std::uint64_t changes_of_words(const std::byte* first) {
    static constexpr std::array<std::uint64_t, labels_at_once> bit = [] {
        std::array<std::uint64_t, labels_at_once> bits{};
        for (std::size_t i = 0; i < labels_at_once; ++i) bits[i] = std::uint64_t{1} << i;
        return bits;
    }();
    std::uint64_t changes = 0;
    for (std::size_t i = 0; i < labels_at_once; ++i)
        changes |= read_unaligned<std::uint64_t>(first + 8 * i) != read_unaligned<std::uint64_t>(first + 8 * i - 8) ? bit[i] : 0;
    return changes;
}

// Either flags or returns the changes.
inline std::uint64_t changes_or_flags(const std::byte* first, std::size_t width, std::uint8_t* flag) {
    switch (width) {
        case 1: flag_changes<std::uint8_t>(first, flag); return 0;
        case 2: flag_changes<std::uint16_t>(first, flag); return 0;
        case 4: flag_changes<std::uint32_t>(first, flag); return 0;
        default: return changes_of_words(first);
    }
}

// 64 bytes of 0 or 1 as bits.
inline std::uint64_t packed(const std::uint8_t* flag) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < labels_at_once; i += flags_at_once) bits |= std::uint64_t{bits_of_flags(flag + i)} << i;
    return bits;
}

// A set bit for each of 64 elements that has another label than the one before on either side.
CONCORDANT_INLINED std::uint64_t changes_of(const std::byte* u, std::size_t u_width, const std::byte* v,
                                            std::size_t v_width) {
    std::array<std::uint8_t, labels_at_once> flag{};
    std::uint64_t changes = changes_or_flags(u, u_width, flag.data());
    changes |= changes_or_flags(v, v_width, flag.data());
    if (std::min(u_width, v_width) < sizeof changes) changes |= packed(flag.data());
    return changes;
}
#endif

}  // namespace concordant
