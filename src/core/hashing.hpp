// Hashing and plain buffers shared by the kernels.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

namespace concordant {

__extension__ using Uint128 = unsigned __int128;
__extension__ using Int128 = __int128;

// Memory that is not cleared first: large results are written once.
template <class T>
struct Buffer {
    std::unique_ptr<T[]> data;
    std::size_t size = 0;

    Buffer() = default;
    explicit Buffer(std::size_t length) : data(std::make_unique_for_overwrite<T[]>(length)), size(length) {}

    T& operator[](std::size_t i) { return data[i]; }
    const T& operator[](std::size_t i) const { return data[i]; }
    T* begin() { return data.get(); }
    T* end() { return data.get() + size; }
    const T* begin() const { return data.get(); }
    const T* end() const { return data.get() + size; }
};

namespace detail {

// Differs from process to process, so nobody can prepare labels that collide. No result depends
// on it: whatever leaves a hash table is sorted or numbered by first appearance.
inline std::uint64_t process_seed() {
    static const std::uint64_t seed = [] {
        const auto ticks = std::chrono::high_resolution_clock::now().time_since_epoch().count();
        static const char anchor = 0;  // address space layout adds its own randomness
        return static_cast<std::uint64_t>(ticks) * 0x9e3779b97f4a7c15U ^
               static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&anchor));
    }();
    return seed;
}

}  // namespace detail

// Multiplies to 128 bits and folds, which lets every input bit reach every output bit.
inline std::uint64_t fold(std::uint64_t x, std::uint64_t y) {
    const Uint128 product = static_cast<Uint128>(x) * y;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

struct Hasher {
    std::uint64_t seed = detail::process_seed();

    // A bijection: equal hashes mean equal keys.
    std::uint64_t operator()(std::uint64_t x) const {
        x = (x ^ seed) * 0x9e3779b97f4a7c15U;
        x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93U;
        return x ^ (x >> 32);
    }

    std::uint64_t operator()(std::uint64_t x, std::uint64_t y) const {
        return fold((*this)(x) ^ y, 0xd6e8feb86659fd93U);
    }

    std::uint64_t operator()(const std::byte* bytes, std::size_t width) const {
        std::uint64_t hash = fold(seed ^ width, 0xa0761d6478bd642fU);
        for (; width >= 8; bytes += 8, width -= 8) hash = fold(hash ^ word(bytes, 8), 0x9e3779b97f4a7c15U);
        return width == 0 ? hash : fold(hash ^ word(bytes, width), 0xd6e8feb86659fd93U);
    }

private:
    static std::uint64_t word(const std::byte* bytes, std::size_t width) {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes, width);
        return value;
    }
};

// Smallest power of two not below x.
inline std::size_t ceil_power_of_two(std::size_t x) {
    std::size_t power = 1;
    while (power < x) power *= 2;
    return power;
}

}  // namespace concordant
