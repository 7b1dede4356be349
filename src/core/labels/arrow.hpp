// Columns from the Arrow C data interface, read in place.
// https://arrow.apache.org/docs/format/CDataInterface.html
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "labels/codes.hpp"
#include "labels/item_codes.hpp"
#include "labels/items.hpp"
#include "labels/labels.hpp"

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
extern "C" {
struct ArrowSchema {
    const char *format, *name, *metadata;
    std::int64_t flags, n_children;
    ArrowSchema **children, *dictionary;
    void (*release)(ArrowSchema*);
    void* private_data;
};
struct ArrowArray {
    std::int64_t length, null_count, offset, n_buffers, n_children;
    const void** buffers;
    ArrowArray **children, *dictionary;
    void (*release)(ArrowArray*);
    void* private_data;
};
}
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
extern "C" {
struct ArrowArrayStream {
    int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
    int (*get_next)(ArrowArrayStream*, ArrowArray*);
    const char* (*get_last_error)(ArrowArrayStream*);
    void (*release)(ArrowArrayStream*);
    void* private_data;
};
}
#endif

namespace concordant::arrow {

// Takes over what a producer filled in, and releases it in the end.
template <class Struct>
class Owned {
public:
    Owned() { std::memset(&held_, 0, sizeof held_); }
    explicit Owned(Struct& given) : held_(given) { given.release = nullptr; }
    Owned(Owned&& other) noexcept : held_(other.held_) { other.held_.release = nullptr; }
    Owned& operator=(Owned&& other) noexcept {
        std::swap(held_, other.held_);
        return *this;
    }
    ~Owned() {
        if (held_.release != nullptr) held_.release(&held_);
    }

    Struct* get() { return &held_; }
    const Struct* operator->() const { return &held_; }
    const Struct& operator*() const { return held_; }
    bool released() const { return held_.release == nullptr; }

private:
    Struct held_;
};

enum class Kind : std::uint8_t { boolean, integer, floating, items, null, nested, unknown };

struct Type {
    Kind kind = Kind::unknown;
    Layout layout = Layout::fixed;
    std::size_t width = 0;   // in bytes
    bool is_signed = false;  // of integers
};

// The number that ends the text, behind the last of these marks, and nothing else.
inline std::optional<std::size_t> number_after(std::string_view text, char mark) {
    const std::size_t at = text.rfind(mark);
    if (at == text.npos) return {};
    constexpr std::size_t most = std::size_t{1} << 31;  // Arrow's own widths have 32 bits, with a sign
    std::size_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, problem] = std::from_chars(text.data() + at + 1, end, value);
    if (problem != std::errc() || stopped != end || value >= most) return {};
    return value;
}

inline Type primitive(char letter) {
    constexpr std::string_view integers = "cCsSiIlL", floats = "efg";
    if (const auto at = integers.find(letter); at != integers.npos)
        return {Kind::integer, Layout::fixed, std::size_t{1} << (at / 2), at % 2 == 0};
    if (const auto at = floats.find(letter); at != floats.npos)
        return {Kind::floating, Layout::fixed, std::size_t{2} << at, true};
    switch (letter) {
        case 'n': return {Kind::null, Layout::fixed, 0, false};
        case 'b': return {Kind::boolean, Layout::fixed, 0, false};
        case 'u': case 'z': return {Kind::items, Layout::offsets32, 0, false};
        case 'U': case 'Z': return {Kind::items, Layout::offsets64, 0, false};
        default: return {};
    }
}

// Dates, times, durations and intervals are integers; an interval in nanoseconds has three parts.
inline Type temporal(std::string_view format) {
    const auto is_one_of = [&format](std::initializer_list<std::string_view> formats) {
        return std::find(formats.begin(), formats.end(), format) != formats.end();
    };
    const bool has_zone = format.starts_with("ts") && format.size() > 3 && format[3] == ':';
    if (has_zone) format = format.substr(0, 3);
    if (format == "tin") return {Kind::items, Layout::fixed, 16, false};
    if (is_one_of({"tdD", "tts", "ttm", "tiM"})) return {Kind::integer, Layout::fixed, 4, true};
    const bool is_wide = is_one_of({"tdm", "ttu", "ttn", "tDs", "tDm", "tDu", "tDn", "tiD"}) ||
                         (has_zone && is_one_of({"tss", "tsm", "tsu", "tsn"}));
    return is_wide ? Type{Kind::integer, Layout::fixed, 8, true} : Type{};
}

// Bytes of one width.
inline Type fixed_items(std::optional<std::size_t> width) {
    return width ? Type{Kind::items, Layout::fixed, *width, false} : Type{};
}

// Precision, scale and, where they are not 128, bits.
inline Type decimals(std::string_view format) {
    const bool has_bits = std::count(format.begin(), format.end(), ',') > 1;
    const auto bits = has_bits ? number_after(format, ',') : std::optional<std::size_t>(128);
    const bool known = bits == 32 || bits == 64 || bits == 128 || bits == 256;
    return known ? fixed_items(*bits / 8) : Type{};
}

inline bool bit_at(const std::byte* bits, std::size_t i) {
    return (std::to_integer<unsigned>(bits[i / 8]) >> (i % 8) & 1) != 0;
}

inline Type type_of(std::string_view format) {
    if (format == "vu" || format == "vz") return {Kind::items, Layout::views, 0, false};
    if (format.size() == 1) return primitive(format[0]);
    if (format.starts_with('+')) return {Kind::nested, Layout::fixed, 0, false};
    if (format.starts_with('t')) return temporal(format);
    if (format.starts_with("w:")) return fixed_items(number_after(format, ':'));
    if (format.starts_with("d:")) return decimals(format);
    return {};
}

inline std::size_t length_of(const ArrowArray& array) { return static_cast<std::size_t>(array.length); }

inline const std::byte* buffer_of(const ArrowArray& array, std::size_t number) {
    return static_cast<const std::byte*>(array.buffers[number]);
}

inline bool is_valid(const ArrowArray& array, std::size_t i) {
    const std::byte* valid = array.null_count == 0 || array.n_buffers == 0 ? nullptr : buffer_of(array, 0);
    return valid == nullptr || bit_at(valid, static_cast<std::size_t>(array.offset) + i);
}

// The position of the first null.
inline std::optional<std::size_t> first_null(const ArrowArray& array, Type type) {
    if (array.length == 0) return {};
    if (type.kind == Kind::null) return 0;
    if (array.null_count == 0 || buffer_of(array, 0) == nullptr) return {};
    for (std::size_t i = 0; i < length_of(array); ++i)
        if (!is_valid(array, i)) return i;
    return {};
}

// The values of an array of one width, or of items; nothing is copied.
inline ItemChunk chunk_of(const ArrowArray& array, Type type) {
    ItemChunk chunk;
    chunk.layout = type.layout;
    chunk.length = length_of(array);
    if (chunk.length == 0) return chunk;
    const auto skipped = static_cast<std::size_t>(array.offset);
    switch (type.layout) {
        case Layout::fixed:
            chunk.width = type.width;
            chunk.stride = static_cast<std::ptrdiff_t>(type.width);
            chunk.data = buffer_of(array, 1) + skipped * type.width;
            break;
        case Layout::views:
            chunk.data = buffer_of(array, 1) + skipped * 16;
            chunk.view_buffers = array.buffers + 2;
            break;
        default:
            chunk.offsets = buffer_of(array, 1) + skipped * (type.layout == Layout::offsets32 ? 4 : 8);
            chunk.data = buffer_of(array, 2);
    }
    return chunk;
}

inline Labels integers_of(const ArrowArray& array, Type type) {
    constexpr LabelType of_width[2][4] = {
        {LabelType::uint8, LabelType::uint16, LabelType::uint32, LabelType::uint64},
        {LabelType::int8, LabelType::int16, LabelType::int32, LabelType::int64}};
    const ItemChunk chunk = chunk_of(array, type);
    const auto width = static_cast<std::size_t>(std::countr_zero(type.width));
    return {chunk.data, of_width[type.is_signed][width], static_cast<std::ptrdiff_t>(type.width), chunk.length};
}

// Bits to bytes.
inline void unpack(const ArrowArray& array, std::uint8_t* out) {
    const auto skipped = static_cast<std::size_t>(array.offset);
    for (std::size_t i = 0; i < length_of(array); ++i) out[i] = bit_at(buffer_of(array, 1), skipped + i);
}

// Dictionaries of the chunks of a column. A value may occur twice in a dictionary, or in those of
// several chunks at different places, so entries get codes by their value.
class Dictionaries {
public:
    Dictionaries(const std::vector<Owned<ArrowArray>>& chunks, Type type) {
        Items entries;
        for (const auto& chunk : chunks) {
            const ArrowArray& values = *chunk->dictionary;
            if (array_.empty() || !same_memory(values, *array_.back())) {
                array_.push_back(&values);
                start_.push_back(entries.length());
                entries.append(chunk_of(values, type));
            }
            dictionary_of_.push_back(array_.size() - 1);
        }
        Control control;
        code_ = factorize_items(entries, 1, control);
    }

    // Whether equal indices mean equal values and nothing else does.
    bool indices_suffice() const { return array_.size() <= 1 && code_.first.size() == code_.code.size; }

    // Refuses indices that point beyond their dictionary.
    void check(std::size_t chunk, const Labels& indices) const {
        if (indices.length == 0) return;
        const KeyRange range = scan_range(indices, 0, indices.length);
        const std::uint64_t zero = key_of_zero(indices), entries = length_of(*array_[dictionary_of_[chunk]]);
        if (range.low < zero || range.high - zero >= entries)
            throw std::invalid_argument("the Arrow data is not valid: an index points beyond its dictionary");
    }

    // Where the first of these indices points to a null.
    std::optional<std::size_t> first_null(std::size_t chunk, const Labels& indices) const {
        const ArrowArray& values = *array_[dictionary_of_[chunk]];
        if (values.null_count == 0) return {};
        std::optional<std::size_t> null;
        for_indices(indices, length_of(values), [&](std::size_t i, std::size_t index) {
            if (!null && !is_valid(values, index)) null = i;
        });
        return null;
    }

    void write_codes(std::size_t chunk, const Labels& indices, std::int64_t* out) const {
        const std::int64_t* code = code_.code.begin() + start_[dictionary_of_[chunk]];
        const std::size_t entries = length_of(*array_[dictionary_of_[chunk]]);
        for_indices(indices, entries, [&](std::size_t i, std::size_t index) { out[i] = code[index]; });
    }

private:
    static bool same_memory(const ArrowArray& one, const ArrowArray& other) {
        return one.length == other.length && one.offset == other.offset && one.n_buffers == other.n_buffers &&
               std::equal(one.buffers, one.buffers + one.n_buffers, other.buffers);
    }

    static std::uint64_t key_of_zero(const Labels& indices) {
        return indices.type <= LabelType::int64 ? std::uint64_t{1} << 63 : 0;  // as signed types have it
    }

    // Calls use(i, index) for all indices, which must point to one of so many entries.
    template <class Use>
    static void for_indices(const Labels& indices, std::size_t entries, Use use) {
        std::uint32_t index[block_length];
        for (std::size_t begin = 0; begin < indices.length; begin += block_length) {
            const std::size_t count = std::min(block_length, indices.length - begin);
            if (!load_inside(indices, begin, count, key_of_zero(indices), entries, index))
                throw std::invalid_argument("the Arrow data is not valid: an index points beyond its dictionary");
            for (std::size_t i = 0; i < count; ++i) use(begin + i, index[i]);
        }
    }

    std::vector<const ArrowArray*> array_;
    std::vector<std::size_t> start_;          // of each dictionary among all entries
    std::vector<std::size_t> dictionary_of_;  // each chunk
    Codes code_;
};

}  // namespace concordant::arrow
