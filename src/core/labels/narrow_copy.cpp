#include "labels/narrow_copy.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace concordant {

namespace {

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

void store_unchanged(const Labels& labels, std::size_t begin, std::size_t count, std::byte* out) {
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
void add_low(const std::uint32_t* offset, std::size_t count, std::uint64_t low, std::byte* out) {
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
KeyRange range_as(const std::byte* first, std::size_t count) {
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

CopyWithRange copy_as(const Labels& labels, NarrowType to, unsigned threads, Control& control) {
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

}  // namespace

bool NarrowCopy::take(const Labels& from, std::size_t begin, std::size_t count) {
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

void NarrowCopy::take_offsets(const std::uint32_t* offset, std::size_t begin, std::size_t count, std::uint64_t low) {
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

bool load_inside(const Labels& labels, std::size_t begin, std::size_t count, std::uint64_t low, std::size_t extent,
                 std::uint32_t* offset) {
    if (load_offsets(labels, begin, count, low, offset) >> 32 != 0) return false;
    if (largest_of(offset, count) >= extent) return false;
    if (labels.copy != nullptr) labels.copy->take_offsets(offset, begin, count, low);
    return true;
}

CopyWithRange copy_narrowed(const Labels& labels, unsigned threads, Control& control) {
    if (labels.length >= worth_guessing) {
        CopyWithRange made = copy_as(labels, narrow_type(labels.type, sample_range(labels)), threads, control);
        if (made.fits) return made;
    }
    CopyWithRange made = copy_as(labels, narrow_type(labels.type, full_range(labels, threads, control)), threads, control);
    return made.fits ? std::move(made) : copy_as(labels, {labels.type}, threads, control);
}

}  // namespace concordant
