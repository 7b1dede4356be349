// A copy of labels in the narrowest integers that hold them, which no other thread can change.
//
// Labels are copied as they are counted, block by block, and the copy is counted: then both agree,
// even while another thread writes to the labels, and they are read from memory once. Long labels are
// narrowed to what a sample of them needs, and only if that proves too narrow by the range of all.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

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

// Stores the low bits of each key; `beyond` is not zero if a key is outside the range.
template <class Narrow>
struct StoreNarrow {
    Narrow* out;
    std::uint64_t low, span;
    std::uint64_t beyond = 0;
    void operator()(std::size_t i, std::uint64_t key) {
        beyond |= (key - low) & ~span;
        out[i] = static_cast<Narrow>(key);
    }
};

CONCORDANT_VECTORISED bool store_8_bits(const Labels& labels, std::size_t begin, std::size_t count, NarrowType to,
                                        std::byte* out) {
    using Narrow = StoreNarrow<std::uint8_t>;
    return for_keys(labels, begin, count, Narrow{reinterpret_cast<std::uint8_t*>(out), to.low, to.span}).beyond == 0;
}

CONCORDANT_VECTORISED bool store_16_bits(const Labels& labels, std::size_t begin, std::size_t count, NarrowType to,
                                         std::byte* out) {
    using Narrow = StoreNarrow<std::uint16_t>;
    return for_keys(labels, begin, count, Narrow{reinterpret_cast<std::uint16_t*>(out), to.low, to.span}).beyond == 0;
}

CONCORDANT_VECTORISED bool store_32_bits(const Labels& labels, std::size_t begin, std::size_t count, NarrowType to,
                                         std::byte* out) {
    using Narrow = StoreNarrow<std::uint32_t>;
    return for_keys(labels, begin, count, Narrow{reinterpret_cast<std::uint32_t*>(out), to.low, to.span}).beyond == 0;
}

inline void store_unchanged(const Labels& labels, std::size_t begin, std::size_t count, std::byte* out) {
    const std::size_t width = width_of(labels.type);
    const std::byte* from = labels.data + static_cast<std::ptrdiff_t>(begin) * labels.stride;
    if (labels.stride == static_cast<std::ptrdiff_t>(width)) {
        std::memcpy(out, from, count * width);
        return;
    }
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(out + i * width, from + static_cast<std::ptrdiff_t>(i) * labels.stride, width);
}

// Stores low + offset, of which the type keeps the low bits.
template <class Narrow>
inline void add_low(const std::uint32_t* offset, std::size_t count, std::uint64_t low, std::byte* out) {
    const auto base = static_cast<std::uint32_t>(low);
    for (std::size_t i = 0; i < count; ++i) {
        const auto label = static_cast<Narrow>(base + offset[i]);
        std::memcpy(out + i * sizeof label, &label, sizeof label);
    }
}

CONCORDANT_VECTORISED void add_low_8_bits(const std::uint32_t* offset, std::size_t count, std::uint64_t low, std::byte* out) {
    add_low<std::uint8_t>(offset, count, low, out);
}

CONCORDANT_VECTORISED void add_low_16_bits(const std::uint32_t* offset, std::size_t count, std::uint64_t low, std::byte* out) {
    add_low<std::uint16_t>(offset, count, low, out);
}

CONCORDANT_VECTORISED void add_low_32_bits(const std::uint32_t* offset, std::size_t count, std::uint64_t low, std::byte* out) {
    add_low<std::uint32_t>(offset, count, low, out);
}

// Between the smallest and the largest of contiguous labels.
template <class T>
inline KeyRange range_as(const std::byte* first, std::size_t count) {
    if (count == 0) return {};
    T low = read_unaligned<T>(first), high = low;
    for (std::size_t i = 1; i < count; ++i) {
        const T label = read_unaligned<T>(first + i * sizeof(T));
        low = std::min(low, label);
        high = std::max(high, label);
    }
    return {key_of(low), key_of(high)};
}

CONCORDANT_VECTORISED KeyRange contiguous_range(const Labels& labels, std::size_t begin, std::size_t count) {
    const std::byte* first = labels.data + begin * width_of(labels.type);
    switch (labels.type) {
        case LabelType::int8: return range_as<std::int8_t>(first, count);
        case LabelType::int16: return range_as<std::int16_t>(first, count);
        case LabelType::int32: return range_as<std::int32_t>(first, count);
        case LabelType::uint8: return range_as<std::uint8_t>(first, count);
        case LabelType::uint16: return range_as<std::uint16_t>(first, count);
        case LabelType::uint32: return range_as<std::uint32_t>(first, count);
        default: return scan_range(labels, begin, count);
    }
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
    bool take(const Labels& from, std::size_t begin, std::size_t count) {
        std::byte* out = memory.data() + begin * width_of(to.type);
        if (to.type == from.type) {
            store_unchanged(from, begin, count, out);
            return true;
        }
        switch (width_of(to.type)) {
            case 1: return store_8_bits(from, begin, count, to, out);
            case 2: return store_16_bits(from, begin, count, to, out);
            default: return store_32_bits(from, begin, count, to, out);
        }
    }

    // Labels that were read already, as offsets from a lowest key; they are known to fit.
    void take_offsets(const std::uint32_t* offset, std::size_t begin, std::size_t count, std::uint64_t low) {
        const std::size_t width = width_of(to.type);
        std::byte* out = memory.data() + begin * width;
        if (width == 1) return add_low_8_bits(offset, count, low, out);
        if (width == 2) return add_low_16_bits(offset, count, low, out);
        if (width == 4) return add_low_32_bits(offset, count, low, out);
        const std::uint64_t label = low - key_of_zero(to.type);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t wide = label + offset[i];
            std::memcpy(out + i * sizeof wide, &wide, sizeof wide);
        }
    }
};

// Whether the keys of all labels of the block are above `low` by less than `extent`; `offset` gets the differences.
inline bool load_inside(const Labels& labels, std::size_t begin, std::size_t count, std::uint64_t low,
                        std::size_t extent, std::uint32_t* offset) {
    if (load_offsets(labels, begin, count, low, offset) >> 32 != 0) return false;
    if (largest_of(offset, count) >= extent) return false;
    if (labels.copy != nullptr) labels.copy->take_offsets(offset, begin, count, low);
    return true;
}

struct CopyWithRange {
    NarrowCopy copy;
    KeyRange range;  // of the keys of the copy
    bool fits;
};

inline CopyWithRange copy_as(const Labels& labels, NarrowType to, unsigned threads, Control& control) {
    CopyWithRange made{NarrowCopy(labels, to), {}, true};
    std::vector<KeyRange> partial(std::max(1U, threads));
    made.fits = parallel_blocks(control, threads, labels.length, [&](unsigned worker, std::size_t begin, std::size_t count) {
        if (!made.copy.take(labels, begin, count)) return false;
        partial[worker].widen(contiguous_range(made.copy.labels, begin, count));
        return true;
    });
    for (const KeyRange& part : partial) made.range.widen(part);
    return made;
}

// The labels may change meanwhile: then they are copied as wide as they are, which always fits.
inline CopyWithRange copy_narrowed(const Labels& labels, unsigned threads, Control& control) {
    if (labels.length >= worth_guessing) {
        CopyWithRange made = copy_as(labels, narrow_type(labels.type, sample_range(labels)), threads, control);
        if (made.fits) return made;
    }
    CopyWithRange made = copy_as(labels, narrow_type(labels.type, full_range(labels, threads, control)), threads, control);
    return made.fits ? std::move(made) : copy_as(labels, {labels.type}, threads, control);
}

}  // namespace concordant
