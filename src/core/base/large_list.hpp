// A list that grows, in large pages where the system has them: a new page costs more than what is written to it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/buffer.hpp"

namespace concordant {

template <class T>
class LargeList {
public:
    // Room that is not used costs no more than addresses.
    explicit LargeList(std::size_t room = 0) : memory_(std::max(room, least_room)) {}

    std::size_t size() const { return size_; }
    T& operator[](std::size_t i) { return memory_[i]; }
    const T& operator[](std::size_t i) const { return memory_[i]; }
    T* begin() { return memory_.begin(); }
    T* end() { return begin() + size_; }
    const T* begin() const { return memory_.begin(); }
    const T* end() const { return begin() + size_; }

    void push_back(const T& value) {
        if (size_ == memory_.size) grow(2 * size_);
        memory_[size_++] = value;
    }

    void resize(std::size_t size, const T& value) {
        if (size > memory_.size) grow(std::max(size, 2 * memory_.size));
        if (size > size_) std::fill(begin() + size_, begin() + size, value);
        size_ = size;
    }

private:
    static constexpr std::size_t least_room = 64;

    void grow(std::size_t room) {
        Buffer<T> larger(room);
        std::copy(begin(), end(), larger.begin());
        memory_ = std::move(larger);
    }

    Buffer<T> memory_;
    std::size_t size_ = 0;
};

}  // namespace concordant
