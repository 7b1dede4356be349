// Integers of 128 bits, for products and sums that 64 bits cannot hold. The only place that names the compiler's types.
#pragma once

#include <cstdint>

namespace concordant {

__extension__ using Uint128 = unsigned __int128;
__extension__ using Int128 = __int128;

inline Uint128 product(std::uint64_t x, std::uint64_t y) { return static_cast<Uint128>(x) * y; }

inline std::uint64_t low_word(Uint128 x) { return static_cast<std::uint64_t>(x); }
inline std::uint64_t high_word(Uint128 x) { return static_cast<std::uint64_t>(x >> 64); }

}  // namespace concordant
