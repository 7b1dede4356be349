// Memory for large results that are written once: not cleared, and in large pages where the system has them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace concordant {

class LargeMemory {
public:
    LargeMemory() = default;
    explicit LargeMemory(std::size_t bytes) {
        constexpr std::size_t page = std::size_t{1} << 21;
#if defined(__linux__)
        if (bytes >= 2 * page) {
            const std::size_t whole = (bytes + page - 1) / page * page;
            data_.reset(static_cast<std::byte*>(std::aligned_alloc(page, whole)));
            if (data_) madvise(data_.get(), whole, MADV_HUGEPAGE);  // a hint: the system may ignore it
        } else
#endif
            data_.reset(static_cast<std::byte*>(std::malloc(bytes == 0 ? 1 : bytes)));
        if (!data_) throw std::bad_alloc();
    }

    std::byte* data() const { return data_.get(); }
    std::byte* release() { return data_.release(); }  // for std::free

private:
    struct Free {
        void operator()(std::byte* data) const { std::free(data); }
    };

    std::unique_ptr<std::byte[], Free> data_;
};

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

// A list that grows in large pages, because the first write to a new page costs more than the data itself.
template <class T>
class LargeList {
public:
    // Unused capacity takes address space but no memory.
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

    // Reserves capacity for this many values; at least doubles it, so repeated calls rarely copy.
    void reserve(std::size_t size) {
        if (size > memory_.size) grow(std::max(size, 2 * memory_.size));
    }

    void resize(std::size_t size, const T& value) {
        reserve(size);
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
