// What depends on the processor and the compiler: vectors, and memory fetched ahead of its use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__) || (defined(_MSC_VER) && defined(_M_X64))
#define CONCORDANT_HAS_SSE2
#include <emmintrin.h>
#elif defined(__AARCH64EL__)
#define CONCORDANT_HAS_NEON
#include <arm_neon.h>
#endif

// Before a function: it is compiled for several generations of processors, and the best for the one at hand
// is picked when the library is loaded. Sanitizers cannot be loaded that early.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CONCORDANT_VECTORISED [[maybe_unused]] __attribute__((target_clones("avx512f", "avx2", "default"), flatten)) static
#else
#define CONCORDANT_VECTORISED inline
#endif

// Inlined before anything else is looked at: GCC takes a call that fetches and returns nothing for one that does
// nothing, and drops it.
#if defined(__GNUC__) || defined(__clang__)
#define CONCORDANT_INLINED inline __attribute__((always_inline))
#else
#define CONCORDANT_INLINED inline
#endif

// What happens seldom, kept apart, so that what calls it stays small enough to be inlined.
#if defined(__GNUC__) || defined(__clang__)
#define CONCORDANT_SELDOM __attribute__((noinline, cold))
#elif defined(_MSC_VER)
#define CONCORDANT_SELDOM __declspec(noinline)
#else
#define CONCORDANT_SELDOM
#endif

// What is never inlined, though it happens often.
#if defined(__GNUC__) || defined(__clang__)
#define CONCORDANT_APART __attribute__((noinline))
#elif defined(_MSC_VER)
#define CONCORDANT_APART __declspec(noinline)
#else
#define CONCORDANT_APART
#endif

namespace concordant {

// A wish: a compiler that has no word for it does without.
CONCORDANT_INLINED void prefetch([[maybe_unused]] const void* address) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(address);
#elif defined(CONCORDANT_HAS_SSE2)
    _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
#endif
}

// Bytes of 0 or 1 as bits, the first as the lowest.
#if defined(CONCORDANT_HAS_SSE2)
inline constexpr std::size_t flags_at_once = 16;

CONCORDANT_INLINED std::uint32_t bits_of_flags(const std::uint8_t* flag) {
    __m128i flags;
    std::memcpy(&flags, flag, sizeof flags);
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpgt_epi8(flags, _mm_setzero_si128())));
}
#else
inline constexpr std::size_t flags_at_once = 8;

// The factor brings the lowest bits of 8 bytes together in the highest byte.
CONCORDANT_INLINED std::uint32_t bits_of_flags(const std::uint8_t* flag) {
    std::uint64_t flags = 0;
    std::memcpy(&flags, flag, sizeof flags);  // the first byte lowest, as on all machines we build for
    return static_cast<std::uint32_t>(flags * 0x0102040810204080U >> 56);
}
#endif

}  // namespace concordant
