// Items of bytes, as strings are: of one width, or between offsets, or behind views as Arrow has them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/hashing.hpp"
#include "labels/labels.hpp"

namespace concordant {

struct Item {
    const std::byte* bytes = nullptr;
    std::size_t size = 0;
};

enum class Layout : std::uint8_t { fixed, offsets32, offsets64, views };

// Some items in one piece of memory, which may be unaligned.
struct ItemChunk {
    Layout layout = Layout::fixed;
    std::size_t length = 0;
    const std::byte* data = nullptr;           // the first item; the bytes between offsets; the views
    const std::byte* offsets = nullptr;        // one more than there are items
    const void* const* view_buffers = nullptr; // where items that are too long for their view are stored
    std::size_t width = 0;                     // of items of one width
    std::ptrdiff_t stride = 0;                 // between them, in bytes

    Item operator[](std::size_t i) const {
        switch (layout) {
            case Layout::fixed: return {data + static_cast<std::ptrdiff_t>(i) * stride, width};
            case Layout::offsets32: return between<std::int32_t>(i);
            case Layout::offsets64: return between<std::int64_t>(i);
            default: return viewed(i);
        }
    }

private:
    template <class Offset>
    Item between(std::size_t i) const {
        const auto begin = read_unaligned<Offset>(offsets + i * sizeof(Offset));
        const auto end = read_unaligned<Offset>(offsets + (i + 1) * sizeof(Offset));
        return {data + begin, static_cast<std::size_t>(end - begin)};
    }

    // Sixteen bytes: the length, then the item itself, or its first four bytes, buffer and offset.
    Item viewed(std::size_t i) const {
        constexpr std::int32_t longest_inside = 12;
        const std::byte* view = data + i * 16;
        const auto size = read_unaligned<std::int32_t>(view);
        if (size <= longest_inside) return {view + 4, static_cast<std::size_t>(size)};
        const auto buffer = read_unaligned<std::int32_t>(view + 8), offset = read_unaligned<std::int32_t>(view + 12);
        return {static_cast<const std::byte*>(view_buffers[buffer]) + offset, static_cast<std::size_t>(size)};
    }
};

// Items in several chunks, numbered through.
class Items {
public:
    Items() = default;
    explicit Items(const std::vector<ItemChunk>& chunks) {
        for (const ItemChunk& chunk : chunks) append(chunk);
    }

    void append(const ItemChunk& chunk) {
        if (chunk.length == 0) return;
        chunks_.push_back(chunk);
        starts_.push_back(length_);
        length_ += chunk.length;
    }

    std::size_t length() const { return length_; }

    Item operator[](std::size_t i) const {
        if (chunks_.size() == 1) return chunks_[0][i];
        const std::size_t chunk = chunk_of(i);
        return chunks_[chunk][i - starts_[chunk]];
    }

    // Calls use(i, item) for positions from begin to end, in order.
    template <class Use>
    void for_each(std::size_t begin, std::size_t end, Use use) const {
        while (begin < end) {
            const std::size_t number = chunk_of(begin);
            const ItemChunk chunk = chunks_[number];
            const std::size_t start = starts_[number], stop = std::min(end, start + chunk.length);
            for (; begin < stop; ++begin) use(begin, chunk[begin - start]);
        }
    }

private:
    std::size_t chunk_of(std::size_t i) const {
        return static_cast<std::size_t>(std::upper_bound(starts_.begin(), starts_.end(), i) - starts_.begin()) - 1;
    }

    std::vector<ItemChunk> chunks_;
    std::vector<std::size_t> starts_;
    std::size_t length_ = 0;
};

// Two words that hold all of an item of up to 16 bytes; with its size they distinguish it from any other.
struct Ends {
    std::uint64_t head, tail;
};

inline Ends ends_of(Item item) {
    const std::byte* p = item.bytes;
    const std::size_t size = item.size;
    if (size >= 8) return {read_unaligned<std::uint64_t>(p), read_unaligned<std::uint64_t>(p + size - 8)};
    if (size >= 4) return {read_unaligned<std::uint32_t>(p), read_unaligned<std::uint32_t>(p + size - 4)};
    if (size == 0) return {0, 0};
    const auto byte = [p](std::size_t i) { return std::to_integer<std::uint64_t>(p[i]); };
    return {byte(0) << 16 | byte(size / 2) << 8 | byte(size - 1), 0};
}

inline bool same_bytes(Item one, Item other) {
    if (one.size != other.size) return false;
    const Ends a = ends_of(one), b = ends_of(other);
    if (a.head != b.head || a.tail != b.tail) return false;
    return one.size <= 16 || std::memcmp(one.bytes + 8, other.bytes + 8, one.size - 16) == 0;
}

class ItemHasher {
public:
    explicit ItemHasher(std::uint64_t seed = process_seed())
        : seed_(seed * 0xa0761d6478bd642fU), head_(fold(seed, 0xd6e8feb86659fd93U)) {}

    std::uint64_t operator()(Item item) const {
        const Ends ends = ends_of(item);
        // Spread over the word, so a different byte never compensates for a different size.
        std::uint64_t hash = seed_ + item.size * 0x9e3779b97f4a7c15U;
        for (std::size_t i = 8; i + 8 < item.size; i += 16) hash = mix(item, i, hash);
        return fold(fold(ends.head ^ head_, ends.tail ^ hash), 0x9e3779b97f4a7c15U);
    }

private:
    // Sixteen bytes from i, or the last sixteen where fewer are left.
    std::uint64_t mix(Item item, std::size_t i, std::uint64_t hash) const {
        const std::byte* p = item.bytes + std::min(i, item.size - 16);
        return fold(read_unaligned<std::uint64_t>(p) ^ head_, read_unaligned<std::uint64_t>(p + 8) ^ hash);
    }

    std::uint64_t seed_, head_;
};

}  // namespace concordant
