// Checks of an Arrow array before its values are read. The interface does not give the lengths of the
// buffers, so these have to be trusted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include "labels/arrow.hpp"
#include "labels/items.hpp"
#include "labels/labels.hpp"

namespace concordant::arrow {

inline void require(bool fine, const char* problem) {
    if (!fine) throw std::invalid_argument(std::string("the Arrow data is not valid: ") + problem);
}

// Of an array of views: validity, views, the buffers they point into, and how long those are.
inline std::int64_t fewest_buffers(Type type) {
    return type.layout == Layout::fixed ? 2 : 3;
}

// Whether lengths and buffers are as the type requires; types that are not read are not checked.
inline void check_structure(const ArrowArray& array, Type type) {
    require(array.length >= 0 && array.offset >= 0, "a length or an offset is negative");
    require(array.n_buffers >= 0 && (array.n_buffers == 0 || array.buffers != nullptr), "its buffers are absent");
    if (array.length == 0 || type.kind == Kind::null || type.kind == Kind::nested || type.kind == Kind::unknown) return;
    const auto widest = static_cast<std::int64_t>(std::max<std::size_t>(type.width, 16));
    const std::int64_t most = std::numeric_limits<std::int64_t>::max() / widest - 1;
    require(array.length <= most && array.offset <= most - array.length, "it is longer than any memory");
    require(array.n_buffers >= fewest_buffers(type), "it has too few buffers");
    const bool is_empty = type.kind == Kind::items && type.layout == Layout::fixed && type.width == 0;
    require(is_empty || array.buffers[1] != nullptr, "a buffer is absent");
}

template <class Offset>
void check_offsets(const ItemChunk& chunk) {
    const Offset first = read_unaligned<Offset>(chunk.offsets);
    Offset last = first;
    bool ascending = first >= 0;
    for (std::size_t i = 1; i <= chunk.length; ++i) {
        const Offset next = read_unaligned<Offset>(chunk.offsets + i * sizeof(Offset));
        ascending &= next >= last;
        last = next;
    }
    require(ascending, "its offsets do not ascend");
    require(first == last || chunk.data != nullptr, "a buffer is absent");
}

inline void check_views(const ArrowArray& array, const ItemChunk& chunk) {
    const std::int64_t buffers = array.n_buffers - 3;
    const std::byte* lengths = buffer_of(array, static_cast<std::size_t>(array.n_buffers - 1));
    require(buffers == 0 || lengths != nullptr, "a buffer is absent");
    for (std::size_t i = 0; i < chunk.length; ++i) {
        const std::byte* view = chunk.data + i * 16;
        const std::int64_t size = read_unaligned<std::int32_t>(view);
        if (size >= 0 && size <= 12) continue;
        const std::int64_t buffer = read_unaligned<std::int32_t>(view + 8);
        const std::int64_t offset = read_unaligned<std::int32_t>(view + 12);
        require(size >= 0 && buffer >= 0 && buffer < buffers && offset >= 0, "a view points nowhere");
        require(offset + size <= read_unaligned<std::int64_t>(lengths + buffer * 8), "a view points beyond its buffer");
        require(chunk.view_buffers[buffer] != nullptr, "a buffer is absent");
    }
}

// Whether items are inside their buffers, as far as that can be checked.
inline void check_items(const ArrowArray& array, Type type) {
    const ItemChunk chunk = chunk_of(array, type);
    if (chunk.length == 0) return;
    if (type.layout == Layout::offsets32) check_offsets<std::int32_t>(chunk);
    if (type.layout == Layout::offsets64) check_offsets<std::int64_t>(chunk);
    if (type.layout == Layout::views) check_views(array, chunk);
}

}  // namespace concordant::arrow
