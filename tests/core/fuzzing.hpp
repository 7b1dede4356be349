// What all checks share: random numbers, and how one says that it failed.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <random>

using Random = std::mt19937_64;

[[noreturn]] inline void fail(const char* what, unsigned long round) {
    std::fprintf(stderr, "FAILED: %s (round %lu)\n", what, round);
    std::exit(1);
}

inline std::size_t below(Random& random, std::size_t limit) { return static_cast<std::size_t>(random() % limit); }
