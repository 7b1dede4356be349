#include "base/hashing.hpp"

#include <chrono>
#include <exception>
#include <random>

namespace concordant {

std::uint64_t random_bits() {
    const auto ticks = static_cast<std::uint64_t>(std::chrono::high_resolution_clock::now().time_since_epoch().count());
    static const char anchor = 0;
    const std::uint64_t guess = ticks * 0x9e3779b97f4a7c15U ^ reinterpret_cast<std::uintptr_t>(&anchor);
    try {
        std::random_device device;
        return guess ^ (static_cast<std::uint64_t>(device()) << 32 | device());
    } catch (const std::exception&) {
        return guess;
    }
}

std::uint64_t process_seed() {
    static const std::uint64_t seed = random_bits();
    return seed;
}

}  // namespace concordant
