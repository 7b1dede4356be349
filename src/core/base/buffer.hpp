// Memory that is not cleared first: large results are written once.
#pragma once

#include <cstddef>
#include <limits>
#include <new>
#include <type_traits>

#include "base/large_memory.hpp"

namespace concordant {

template <class T>
struct Buffer {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

    LargeMemory memory;
    std::size_t size = 0;

    Buffer() = default;
    explicit Buffer(std::size_t length) : memory(bytes_of(length)), size(length) {}

    T& operator[](std::size_t i) { return begin()[i]; }
    const T& operator[](std::size_t i) const { return begin()[i]; }
    T* begin() { return reinterpret_cast<T*>(memory.data()); }
    T* end() { return begin() + size; }
    const T* begin() const { return reinterpret_cast<const T*>(memory.data()); }
    const T* end() const { return begin() + size; }

private:
    static std::size_t bytes_of(std::size_t length) {
        if (length > std::numeric_limits<std::size_t>::max() / 2 / sizeof(T)) throw std::bad_alloc();
        return length * sizeof(T);
    }
};

}  // namespace concordant
