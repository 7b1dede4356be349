// The labels at given positions, copied to the narrowest integers that hold them all.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "base/parallel.hpp"
#include "labels/label_ranges.hpp"
#include "labels/labels.hpp"
#include "labels/narrow_copy.hpp"

namespace concordant {

// Reads the labels at the positions, of which only the low bits are kept.
template <class Wide, class Narrow>
void gather_at(const Labels& labels, const std::uint64_t* position, std::size_t count, std::byte* out) {
    for (std::size_t i = 0; i < count; ++i) {
        const auto at = static_cast<std::ptrdiff_t>(position[i]);
        const auto label = static_cast<Narrow>(read_unaligned<Wide>(labels.data + at * labels.stride));
        std::memcpy(out + i * sizeof label, &label, sizeof label);
    }
}

template <class Wide>
void gather_as(std::size_t width, const Labels& labels, const std::uint64_t* position, std::size_t count, std::byte* out) {
    switch (width) {
        case 1: return gather_at<Wide, std::uint8_t>(labels, position, count, out);
        case 2: return gather_at<Wide, std::uint16_t>(labels, position, count, out);
        case 4: return gather_at<Wide, std::uint32_t>(labels, position, count, out);
        default: return gather_at<Wide, std::uint64_t>(labels, position, count, out);
    }
}

// False if a position is out of range; nothing out of range is read.
inline bool gather_block(const Labels& labels, const Labels& positions, std::size_t begin, std::size_t count,
                       NarrowCopy& made) {
    std::array<std::uint64_t, block_length> position;
    load_keys(positions, begin, count, position.data());
    const std::uint64_t zero = key_of_zero(positions.type);
    for (std::size_t i = 0; i < count; ++i) position[i] -= zero;
    const std::uint64_t furthest = *std::max_element(position.begin(), position.begin() + count);  // of -1: 2^64 - 1
    if (furthest >= labels.length) return false;
    const std::size_t width = width_of(made.to.type);
    std::byte* out = made.memory.data() + begin * width;
    switch (width_of(labels.type)) {
        case 1: gather_as<std::uint8_t>(width, labels, position.data(), count, out); break;
        case 2: gather_as<std::uint16_t>(width, labels, position.data(), count, out); break;
        case 4: gather_as<std::uint32_t>(width, labels, position.data(), count, out); break;
        default: gather_as<std::uint64_t>(width, labels, position.data(), count, out);
    }
    return true;
}

// The labels at these positions. Throws std::invalid_argument if a position is out of range.
inline NarrowCopy gather(const Labels& labels, const Labels& positions, unsigned threads, Control& control) {
    NarrowCopy made(Labels{nullptr, labels.type, 0, positions.length},
                    narrow_type(labels.type, full_range(labels, threads, control)));
    const auto gather_some = [&](unsigned, std::size_t begin, std::size_t count) {
        return gather_block(labels, positions, begin, count, made);
    };
    if (!parallel_blocks(control, threads, positions.length, gather_some))
        throw std::invalid_argument("a position lies outside of the labels");
    return made;
}

}  // namespace concordant
