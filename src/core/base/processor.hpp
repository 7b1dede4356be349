// What depends on the processor and the compiler: vectors, and memory fetched ahead of its use.
#pragma once

// Before a function: it is compiled for several generations of processors, and the best for the one at hand
// is picked when the library is loaded. Sanitizers cannot be loaded that early.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CONCORDANT_VECTORISED [[maybe_unused]] __attribute__((target_clones("avx512f", "avx2", "default"), flatten)) static
#else
#define CONCORDANT_VECTORISED inline
#endif

namespace concordant {

inline void prefetch(const void* address) { __builtin_prefetch(address); }

}  // namespace concordant
