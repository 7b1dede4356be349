// Code that depends on the processor and the compiler: vector instructions and prefetching.
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

// Before the definition of a function: it is compiled for several generations of processors, and the best version for the current
// one is picked when the library is loaded. Sanitizers cannot be loaded that early.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CONCORDANT_VECTORISED __attribute__((target_clones("avx512f", "avx2", "default"), flatten))
#else
#define CONCORDANT_VECTORISED
#endif

// Always inlined: otherwise GCC treats a call that only prefetches and returns nothing as one without effect, and
// drops it.
#if defined(__GNUC__) || defined(__clang__)
#define CONCORDANT_INLINED inline __attribute__((always_inline))
#else
#define CONCORDANT_INLINED inline
#endif

// For rare cases: not inlined, so the calling function stays small enough to be inlined itself.
#if defined(__GNUC__) || defined(__clang__)
#define CONCORDANT_SELDOM __attribute__((noinline, cold))
#elif defined(_MSC_VER)
#define CONCORDANT_SELDOM __declspec(noinline)
#else
#define CONCORDANT_SELDOM
#endif

// For functions that write nothing: calls do not make the compiler read everything else again.
#if defined(__GNUC__) || defined(__clang__)
#define CONCORDANT_PURE __attribute__((pure))
#else
#define CONCORDANT_PURE
#endif

// Never inlined, although it is called often.
#if defined(__GNUC__) || defined(__clang__)
#define CONCORDANT_APART __attribute__((noinline))
#elif defined(_MSC_VER)
#define CONCORDANT_APART __declspec(noinline)
#else
#define CONCORDANT_APART
#endif

namespace concordant {

// A hint: does nothing if the compiler has no such built-in.
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
