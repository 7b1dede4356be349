// Memory that is not cleared first: large results are written once.
#pragma once

#include <cstddef>
#include <memory>

namespace concordant {

template <class T>
struct Buffer {
    std::unique_ptr<T[]> data;
    std::size_t size = 0;

    Buffer() = default;
    explicit Buffer(std::size_t length) : data(new T[length]), size(length) {}

    T& operator[](std::size_t i) { return data[i]; }
    const T& operator[](std::size_t i) const { return data[i]; }
    T* begin() { return data.get(); }
    T* end() { return data.get() + size; }
    const T* begin() const { return data.get(); }
    const T* end() const { return data.get() + size; }
};

}  // namespace concordant
