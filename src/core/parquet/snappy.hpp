// Snappy: bytes as pieces that are new, and pieces that came before.
// https://github.com/google/snappy/blob/main/format_description.txt
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/processor.hpp"
#include "parquet/compact.hpp"

namespace concordant::parquet {

// So many bytes behind what is read and behind what is written may be touched, so that short pieces are copied whole.
inline constexpr std::size_t slack = 64;

class SlackBytes {
public:
    void resize(std::size_t size) {
        held_.resize(size + slack);
        size_ = size;
    }
    std::size_t size() const { return size_; }
    std::byte* data() { return held_.data(); }
    const std::byte* data() const { return held_.data(); }
    const std::byte* end() const { return held_.data() + size_; }

private:
    std::vector<std::byte> held_;
    std::size_t size_ = 0;
};

class Snappy {
public:
    // Writes what `stored` bytes from `begin` on stand for.
    static void decompress(const std::byte* begin, std::size_t stored, std::byte* out, std::size_t size) {
        Snappy(begin, stored).write(out, size);
    }

private:
    Snappy(const std::byte* begin, std::size_t size) : in_(begin), end_(begin + size) {}

    // Writes as many bytes as were said to be, or refuses. After a piece that is new mostly comes one that is not, so
    // that this is tried first: which of the two comes cannot be foreseen.
    CONCORDANT_INLINED void write(std::byte* out, std::size_t size) {
        require(length() == size, wrong);
        std::byte* const begin = out;
        std::byte* const end = out + size;
        while (in_ != end_) {
            auto tag = std::to_integer<unsigned>(*in_++);
            if (tag % 4 == 0) {
                const std::size_t count = new_bytes(tag >> 2);
                require(count <= left() && count <= static_cast<std::size_t>(end - out), wrong);
                copy_new(out, count);
                out += count;
                if (in_ == end_ || std::to_integer<unsigned>(*in_) % 4 == 0) continue;
                tag = std::to_integer<unsigned>(*in_++);
            }
            const Again piece = again(tag);
            require(piece.back - 1 < static_cast<std::size_t>(out - begin), wrong);
            require(piece.count <= static_cast<std::size_t>(end - out), wrong);
            copy_again(out, piece);
            out += piece.count;
        }
        require(out == end, wrong);
    }

    static constexpr const char* wrong = "a page is not compressed as it says";

    struct Again {
        std::size_t back, count;
    };

    std::size_t left() const { return static_cast<std::size_t>(end_ - in_); }

    CONCORDANT_INLINED std::uint64_t bytes(std::size_t count) {
        require(count <= left(), wrong);
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < count; ++i) value |= std::to_integer<std::uint64_t>(in_[i]) << (8 * i);
        in_ += count;
        return value;
    }

    CONCORDANT_INLINED std::size_t length() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 35; shift += 7) {
            const std::uint64_t bits = bytes(1);
            value |= (bits & 127) << shift;
            if (bits < 128) return static_cast<std::size_t>(value);
        }
        throw NotRead(wrong);
    }

    // How many there are, less one, stands in the tag or in the bytes behind it.
    CONCORDANT_INLINED std::size_t new_bytes(unsigned told) {
        constexpr unsigned most_in_tag = 60;
        return static_cast<std::size_t>((told < most_in_tag ? told : bytes(told - most_in_tag + 1)) + 1);
    }

    // The two usual forms without a branch between them.
    CONCORDANT_INLINED Again again(unsigned tag) {
        const unsigned form = tag % 4;
        if (form == 3) return {static_cast<std::size_t>(bytes(4)), (tag >> 2) + 1};
        require(form <= left(), wrong);
        const std::size_t low = std::to_integer<std::size_t>(in_[0]), high = std::to_integer<std::size_t>(in_[1]);
        in_ += form;
        const Again near{std::size_t{tag >> 5} << 8 | low, 4 + (tag >> 2) % 8}, far{high << 8 | low, (tag >> 2) + 1};
        return form == 1 ? near : far;
    }

    CONCORDANT_INLINED void copy_new(std::byte* out, std::size_t count) {
        if (count <= 16)
            std::memcpy(out, in_, 16);
        else if (count <= slack)
            std::memcpy(out, in_, slack);
        else
            std::memcpy(out, in_, count);
        in_ += count;
    }

    // Up to 64 bytes; those that are copied may be among those that it writes.
    static CONCORDANT_INLINED void copy_again(std::byte* out, Again piece) {
        const std::byte* from = out - piece.back;
        if (piece.back >= 16) {
            std::memcpy(out, from, 16);
            for (std::size_t i = 16; i < piece.count; i += 16) std::memcpy(out + i, from + i, 16);
        } else if (piece.back >= 8) {
            for (std::size_t i = 0; i < piece.count; i += 8) std::memcpy(out + i, from + i, 8);
        } else {
            for (std::size_t i = 0; i < piece.count; ++i) out[i] = from[i];
        }
    }

    // All is inlined, so that these stay in registers: a byte that is written might else be one of them.
    const std::byte* in_;
    const std::byte* end_;
};

}  // namespace concordant::parquet
