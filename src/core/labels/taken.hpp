// Labels at given positions, in memory of our own.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "base/parallel.hpp"
#include "labels/labels.hpp"
#include "labels/narrow_copy.hpp"

namespace concordant {

// False where a position lies outside; nothing outside is read.
template <class Word>
bool take_block(const Labels& labels, const std::int64_t* position, std::size_t count, std::byte* out) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t at = position[i];
        if (static_cast<std::uint64_t>(at) >= labels.length) return false;
        const Word label = read_unaligned<Word>(labels.data + at * labels.stride);
        std::memcpy(out + i * sizeof label, &label, sizeof label);
    }
    return true;
}

// The labels at these positions; throws std::invalid_argument where there is none.
inline NarrowCopy taken(const Labels& labels, const std::int64_t* position, std::size_t length, unsigned threads,
                        Control& control) {
    constexpr std::size_t task_length = std::size_t{1} << 16;
    NarrowCopy made(Labels{nullptr, labels.type, 0, length}, {labels.type});
    const std::size_t width = width_of(labels.type);
    std::atomic<bool> outside{false};
    parallel_for(control, threads, (length + task_length - 1) / task_length, [&](unsigned, std::size_t task) {
        const std::size_t begin = task * task_length, count = std::min(task_length, length - begin);
        std::byte* out = made.memory.data() + begin * width;
        const bool inside = width == 1   ? take_block<std::uint8_t>(labels, position + begin, count, out)
                            : width == 2 ? take_block<std::uint16_t>(labels, position + begin, count, out)
                            : width == 4 ? take_block<std::uint32_t>(labels, position + begin, count, out)
                                         : take_block<std::uint64_t>(labels, position + begin, count, out);
        if (!inside) outside.store(true, std::memory_order_relaxed);
    });
    if (outside) throw std::invalid_argument("a position lies outside of the labels");
    return made;
}

}  // namespace concordant
