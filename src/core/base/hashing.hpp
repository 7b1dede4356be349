// Hashes salted with a random number per process, so nobody can prepare labels that collide.
#pragma once

#include <cstdint>

#include "base/integers128.hpp"

namespace concordant {

// Multiplies to 128 bits and folds, so every input bit can affect every output bit.
inline std::uint64_t fold(std::uint64_t x, std::uint64_t y) {
    const Uint128 both = product(x, y);
    return low_word(both) ^ high_word(both);
}

// Random bits from the system; on the rare machines without them, the clock and the layout of the address space.
std::uint64_t random_bits();

// No result depends on it: whatever leaves a hash table is sorted or numbered by first appearance.
std::uint64_t process_seed();

struct Hasher {
    std::uint64_t seed = process_seed();

    // A bijection: equal hashes mean equal keys.
    std::uint64_t operator()(std::uint64_t x) const {
        x = (x ^ seed) * 0x9e3779b97f4a7c15U;
        x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93U;
        return x ^ (x >> 32);
    }

    // The key of a hash; the factors are the inverses modulo 2^64.
    std::uint64_t inverse(std::uint64_t hash) const {
        hash = (hash ^ (hash >> 32)) * 0xcfee444d8b59a89bU;
        hash = (hash ^ (hash >> 32)) * 0xf1de83e19937733dU;
        return hash ^ seed;
    }
};

}  // namespace concordant
