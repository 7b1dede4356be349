// Small numbers of one width, in runs of one number or packed bit by bit, by eights.
// https://github.com/apache/parquet-format/blob/master/Encodings.md
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "labels/labels.hpp"
#include "parquet/compact.hpp"

namespace concordant::parquet {

// Calls use_run(number, count) for runs, and use_packed(place, count) for numbers that are packed from there on, until
// there are as many as are wanted. Some bytes behind the end may be touched.
template <class UseRun, class UsePacked>
void each_stretch(const std::byte* at, const std::byte* end, unsigned width, std::size_t wanted, UseRun use_run,
                  UsePacked use_packed) {
    constexpr const char* ended = "numbers of a page end too early";
    const auto next = [&] {
        require(at != end, ended);
        return std::to_integer<std::uint64_t>(*at++);
    };
    while (wanted > 0) {
        std::uint64_t header = 0;
        for (unsigned shift = 0;; shift += 7) {
            require(shift < 63, ended);
            const std::uint64_t bits = next();
            header |= (bits & 127) << shift;
            if (bits < 128) break;
        }
        if (header % 2 == 0) {
            std::uint64_t number = 0;
            for (unsigned shift = 0; shift < width; shift += 8) number |= next() << shift;
            const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(header / 2, wanted));
            require(count > 0 && number >> width == 0, "a run of a page is not possible");
            use_run(static_cast<std::uint32_t>(number), count);
            wanted -= count;
        } else {
            const std::uint64_t groups = header / 2;
            const std::size_t count = groups <= wanted / 8 ? static_cast<std::size_t>(8 * groups) : wanted;
            const auto left = static_cast<std::size_t>(end - at);
            require(count > 0 && (count * width + 7) / 8 <= left, ended);
            use_packed(at, count);
            at += groups * width <= left ? groups * width : left;
            wanted -= count;
        }
    }
}

inline std::uint32_t packed_number(const std::byte* place, unsigned width, std::size_t i) {
    const std::size_t bit = i * width;
    const std::uint64_t from_there = read_unaligned<std::uint64_t>(place + bit / 8) >> bit % 8;
    return static_cast<std::uint32_t>(from_there & ((std::uint64_t{1} << width) - 1));
}

// So many numbers of up to 32 bits.
inline void unpack(const std::byte* begin, const std::byte* end, unsigned width, std::size_t count,
                   std::vector<std::uint32_t>& numbers) {
    numbers.resize(count);
    std::uint32_t* out = numbers.data();
    each_stretch(
        begin, end, width, count,
        [&](std::uint32_t number, std::size_t times) { out = std::fill_n(out, times, number); },
        [&](const std::byte* place, std::size_t times) {
            for (std::size_t i = 0; i < times; ++i) *out++ = packed_number(place, width, i);
        });
}

}  // namespace concordant::parquet
