// A view of labels of any integer type and stride, read block by block as keys.
//
// A key is a uint64 that keeps the order of the labels: signed labels are shifted by 2^63.
// Kernels see keys (or 32-bit offsets from a smallest key) only, so none of them is
// instantiated for every pair of label types.
//
// Labels are the caller's memory, and another thread may write to it meanwhile: a label that is read twice
// may differ. Whatever indexes by a label does so by a copy, and checks it against what was sized by an
// earlier look. The result is then meaningless, but nothing outside the tables is touched.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

#include "base/processor.hpp"

namespace concordant {

template <class Word>
struct DroppedLabels {
    std::optional<Word> u, v;

    bool any() const { return u || v; }

    // Moves the labels of the elements that count to the front and returns their number. A label is always written,
    // and kept if the element counts: no branch to mispredict.
    std::size_t take_out(Word* u_label, Word* v_label, std::size_t count) const {
        const Word u_out = u.value_or(0), v_out = v.value_or(0);
        const bool u_any = u.has_value(), v_any = v.has_value();
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const Word u_here = u_label[i], v_here = v_label[i];
            u_label[kept] = u_here;
            v_label[kept] = v_here;
            const bool is_out = (u_any & (u_here == u_out)) | (v_any & (v_here == v_out));
            kept += is_out ? 0 : 1;
        }
        return kept;
    }
};

enum class LabelType : std::uint8_t {
    boolean, int8, int16, int32, int64, uint8, uint16, uint32, uint64
};

struct NarrowCopy;

struct Labels {
    const std::byte* data = nullptr;
    LabelType type = LabelType::int64;
    std::ptrdiff_t stride = 0;  // in bytes; may be negative, zero or odd
    std::size_t length = 0;
    NarrowCopy* copy = nullptr;  // where load_inside keeps what it reads
    std::optional<std::uint64_t> dropped = std::nullopt;  // the key of a label whose elements do not count
};

struct KeyRange {
    std::uint64_t low = ~std::uint64_t{0};
    std::uint64_t high = 0;

    bool empty() const { return low > high; }
    std::uint64_t span() const { return empty() ? 0 : high - low; }  // largest offset, not the count
    void widen(KeyRange other) {
        low = std::min(low, other.low);
        high = std::max(high, other.high);
    }
};

// A byte of a bool array may hold any value (a view of other data): all but 0 are true.
struct Boolean {
    std::uint8_t byte;
};

template <class T>
inline std::uint64_t key_of(T label) {
    if constexpr (std::is_same_v<T, Boolean>)
        return label.byte != 0;
    else if constexpr (std::is_signed_v<T>)
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(label)) ^ (std::uint64_t{1} << 63);
    else
        return label;
}

template <class T>
inline T read_unaligned(const std::byte* address) {
    T value;
    std::memcpy(&value, address, sizeof value);
    return value;
}

// Calls use(i, key) for `count` labels from `begin` and returns `use`, which carries what it gathered.
// It is passed by value, so its state stays in registers; the contiguous case has a constant
// stride of its own, so that it can be vectorised.
template <class T, class Use>
Use for_keys_as(const Labels& labels, std::size_t begin, std::size_t count, Use use) {
    const std::byte* first = labels.data + static_cast<std::ptrdiff_t>(begin) * labels.stride;
    if (labels.stride == static_cast<std::ptrdiff_t>(sizeof(T))) {
        for (std::size_t i = 0; i < count; ++i) use(i, key_of(read_unaligned<T>(first + i * sizeof(T))));
    } else {
        for (std::size_t i = 0; i < count; ++i)
            use(i, key_of(read_unaligned<T>(first + static_cast<std::ptrdiff_t>(i) * labels.stride)));
    }
    return use;
}

template <class Use>
Use for_keys(const Labels& labels, std::size_t begin, std::size_t count, Use use) {
    switch (labels.type) {
        case LabelType::boolean: return for_keys_as<Boolean>(labels, begin, count, use);
        case LabelType::int8: return for_keys_as<std::int8_t>(labels, begin, count, use);
        case LabelType::int16: return for_keys_as<std::int16_t>(labels, begin, count, use);
        case LabelType::int32: return for_keys_as<std::int32_t>(labels, begin, count, use);
        case LabelType::int64: return for_keys_as<std::int64_t>(labels, begin, count, use);
        case LabelType::uint8: return for_keys_as<std::uint8_t>(labels, begin, count, use);
        case LabelType::uint16: return for_keys_as<std::uint16_t>(labels, begin, count, use);
        case LabelType::uint32: return for_keys_as<std::uint32_t>(labels, begin, count, use);
        default: return for_keys_as<std::uint64_t>(labels, begin, count, use);
    }
}

void load_keys(const Labels& labels, std::size_t begin, std::size_t count, std::uint64_t* out);

// Writes key - low as 32 bits. Returns the union of the bits of all offsets: below 2^32 when
// nothing was cut off.
std::uint64_t load_offsets(const Labels& labels, std::size_t begin, std::size_t count, std::uint64_t low,
                           std::uint32_t* out);

KeyRange scan_range(const Labels& labels, std::size_t begin, std::size_t count);

std::uint32_t largest_of(const std::uint32_t* values, std::size_t count);

}  // namespace concordant
