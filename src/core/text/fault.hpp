// Why a text is not what the documentation of the formats says, and where.
#pragma once

#include <cstdint>

namespace concordant {

struct Fault {
    const char* kind = nullptr;  // one word, which Python turns into a sentence; null while all is well
    std::uint64_t line = 0;      // counted from 1
    std::uint64_t detail = 0;    // what else the sentence needs

    explicit operator bool() const { return kind != nullptr; }
};

}  // namespace concordant
