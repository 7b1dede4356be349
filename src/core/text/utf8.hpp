// Whether bytes, received in pieces, are UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace concordant {

struct Fault {
    const char* kind = nullptr;  // one word, which Python turns into a sentence; null while all is well
    std::uint64_t line = 0;      // counted from 1
    std::uint64_t detail = 0;    // what else the sentence needs

    explicit operator bool() const { return kind != nullptr; }
};

class Utf8 {
public:
    // The position of the first byte that cannot belong to UTF-8, or `length` where all do so far.
    std::size_t first_wrong(const unsigned char* bytes, std::size_t length) {
        std::size_t i = 0;
        while (i < length) {
            if (missing_ == 0) {
                i = end_of_ascii(bytes, i, length);
                if (i == length || !begin(bytes[i])) return i;
            } else if (!go_on(bytes[i])) {
                return i;
            }
            ++i;
        }
        return length;
    }

    bool is_complete() const { return missing_ == 0; }

private:
    static std::size_t end_of_ascii(const unsigned char* bytes, std::size_t i, std::size_t length) {
        constexpr std::uint64_t high_bits = 0x8080808080808080ULL;
        for (std::uint64_t eight; i + sizeof eight <= length; i += sizeof eight) {
            std::memcpy(&eight, bytes + i, sizeof eight);
            if (eight & high_bits) break;
        }
        while (i < length && bytes[i] < 0x80) ++i;
        return i;
    }

    // The second byte is bounded: no overlong form, no surrogate, nothing above U+10FFFF.
    bool begin(unsigned char lead) {
        lowest_ = 0x80;
        highest_ = 0xBF;
        if (lead < 0xC2 || lead > 0xF4) return false;
        missing_ = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
        if (lead == 0xE0) lowest_ = 0xA0;
        if (lead == 0xED) highest_ = 0x9F;
        if (lead == 0xF0) lowest_ = 0x90;
        if (lead == 0xF4) highest_ = 0x8F;
        return true;
    }

    bool go_on(unsigned char byte) {
        if (byte < lowest_ || byte > highest_) return false;
        lowest_ = 0x80;
        highest_ = 0xBF;
        --missing_;
        return true;
    }

    int missing_ = 0;
    unsigned char lowest_ = 0x80, highest_ = 0xBF;
};

}  // namespace concordant
