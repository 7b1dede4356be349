// A copy of labels in the narrowest integers that hold them, which no other thread can change.
//
// Labels are copied as they are counted, block by block, and the copy is counted: then both agree,
// even while another thread writes to the labels, and they are read from memory once. Long labels are
// narrowed to what a sample of them needs, and only if that proves too narrow by the range of all.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "labels/label_ranges.hpp"
#include "labels/labels.hpp"

namespace concordant {

inline std::size_t width_of(LabelType type) {
    switch (type) {
        case LabelType::boolean:
        case LabelType::int8:
        case LabelType::uint8: return 1;
        case LabelType::int16:
        case LabelType::uint16: return 2;
        case LabelType::int32:
        case LabelType::uint32: return 4;
        default: return 8;
    }
}

inline bool is_signed(LabelType type) {
    return type == LabelType::int8 || type == LabelType::int16 || type == LabelType::int32 || type == LabelType::int64;
}

inline std::uint64_t key_of_zero(LabelType type) { return is_signed(type) ? std::uint64_t{1} << 63 : 0; }

// A type that holds the values, and the range of their keys: from `low` to `low + span`, where `span` is all ones.
struct NarrowType {
    LabelType type;
    std::uint64_t low = 0, span = ~std::uint64_t{0};
};

// The narrowest type for labels in the range; their own where there is none that is narrower.
inline NarrowType narrow_type(LabelType type, KeyRange range) {
    constexpr LabelType without_sign[] = {LabelType::uint8, LabelType::uint16, LabelType::uint32};
    constexpr LabelType with_sign[] = {LabelType::int8, LabelType::int16, LabelType::int32};
    if (type == LabelType::boolean || range.empty()) return {type};
    const std::uint64_t zero = key_of_zero(type);
    for (std::size_t i = 0; i < 3 && (std::size_t{1} << i) < width_of(type); ++i) {
        const std::uint64_t span = (std::uint64_t{1} << (8 << i)) - 1, half = span / 2 + 1;
        if (range.low >= zero && range.high - zero <= span) return {without_sign[i], zero, span};
        if (zero != 0 && range.low >= zero - half && range.high < zero + half) return {with_sign[i], zero - half, span};
    }
    return {type};
}

struct NarrowCopy {
    NarrowType to;
    LargeMemory memory;
    Labels labels;  // the copy itself

    NarrowCopy(const Labels& from, NarrowType type)
        : to(type), memory(from.length * width_of(type.type)),
          labels{memory.data(), type.type, static_cast<std::ptrdiff_t>(width_of(type.type)), from.length} {
        // A label that the type cannot hold gets a key that none of its labels has.
        if (from.dropped) labels.dropped = *from.dropped - key_of_zero(from.type) + key_of_zero(type.type);
    }

    // False when a label does not fit.
    bool take(const Labels& from, std::size_t begin, std::size_t count);

    // Labels that were read already, as offsets from a lowest key; they are known to fit.
    void take_offsets(const std::uint32_t* offset, std::size_t begin, std::size_t count, std::uint64_t low);
};

// Whether the keys of all labels of the block are above `low` by less than `extent`; `offset` gets the differences.
bool load_inside(const Labels& labels, std::size_t begin, std::size_t count, std::uint64_t low, std::size_t extent,
                 std::uint32_t* offset);

struct CopyWithRange {
    NarrowCopy copy;
    KeyRange range;  // of the keys of the copy
    bool fits;
};

// The labels may change meanwhile: then they are copied as wide as they are, which always fits.
CopyWithRange copy_narrowed(const Labels& labels, unsigned threads, Control& control);

}  // namespace concordant
