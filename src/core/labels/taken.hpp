// Labels at given positions, in memory of our own and in the narrowest integers that hold them all.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
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
void take_at(const Labels& labels, const std::uint64_t* position, std::size_t count, std::byte* out) {
    for (std::size_t i = 0; i < count; ++i) {
        const auto at = static_cast<std::ptrdiff_t>(position[i]);
        const auto label = static_cast<Narrow>(read_unaligned<Wide>(labels.data + at * labels.stride));
        std::memcpy(out + i * sizeof label, &label, sizeof label);
    }
}

template <class Wide>
void take_as(std::size_t width, const Labels& labels, const std::uint64_t* position, std::size_t count, std::byte* out) {
    switch (width) {
        case 1: return take_at<Wide, std::uint8_t>(labels, position, count, out);
        case 2: return take_at<Wide, std::uint16_t>(labels, position, count, out);
        case 4: return take_at<Wide, std::uint32_t>(labels, position, count, out);
        default: return take_at<Wide, std::uint64_t>(labels, position, count, out);
    }
}

// False where a position lies outside; nothing outside is read.
inline bool take_block(const Labels& labels, const Labels& positions, std::size_t begin, std::size_t count,
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
        case 1: take_as<std::uint8_t>(width, labels, position.data(), count, out); break;
        case 2: take_as<std::uint16_t>(width, labels, position.data(), count, out); break;
        case 4: take_as<std::uint32_t>(width, labels, position.data(), count, out); break;
        default: take_as<std::uint64_t>(width, labels, position.data(), count, out);
    }
    return true;
}

// The labels at these positions; throws std::invalid_argument where there is none.
inline NarrowCopy taken(const Labels& labels, const Labels& positions, unsigned threads, Control& control) {
    constexpr std::size_t task_length = std::size_t{1} << 16;
    const std::size_t length = positions.length;
    NarrowCopy made(Labels{nullptr, labels.type, 0, length},
                    narrow_type(labels.type, full_range(labels, threads, control)));
    std::atomic<bool> outside{false};
    parallel_for(control, threads, (length + task_length - 1) / task_length, [&](unsigned, std::size_t task) {
        const std::size_t end = std::min(length, (task + 1) * task_length);
        for (std::size_t begin = task * task_length; begin < end; begin += block_length)
            if (!take_block(labels, positions, begin, std::min(block_length, end - begin), made))
                outside.store(true, std::memory_order_relaxed);
    });
    if (outside) throw std::invalid_argument("a position lies outside of the labels");
    return made;
}

}  // namespace concordant
