// Labels to codes 0..k-1 in order of first appearance.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hashing.hpp"
#include "labels.hpp"
#include "parallel.hpp"

namespace concordant {

struct Codes {
    Buffer<std::int64_t> code;         // of each element
    std::vector<std::int64_t> first;   // position where each code appears first
};

namespace detail {

inline constexpr std::int64_t no_code = -1;

// An open-addressing table from hash to code. `same(code)` decides whether the entry of that code
// is the one looked for, so that keys of any kind can live outside of the table.
class CodeTable {
public:
    CodeTable() : slots_(initial_slots, Slot{0, no_code}) {}

    void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots_[hash & mask()]); }

    // The code of the entry, or no_code after entering `fresh` as its code.
    template <class Same>
    std::int64_t find_or_insert(std::uint64_t hash, std::int64_t fresh, Same same) {
        std::size_t at = hash & mask();
        for (; slots_[at].code != no_code; at = (at + 1) & mask())
            if (slots_[at].hash == hash && same(slots_[at].code)) return slots_[at].code;
        slots_[at] = {hash, fresh};
        if (++used_ * 2 > slots_.size()) grow();
        return no_code;
    }

private:
    struct Slot {
        std::uint64_t hash;
        std::int64_t code;
    };

    static constexpr std::size_t initial_slots = 64;

    std::size_t mask() const { return slots_.size() - 1; }

    void grow() {
        std::vector<Slot> larger(slots_.size() * 4, Slot{0, no_code});
        larger.swap(slots_);
        for (const Slot& slot : larger) {
            if (slot.code == no_code) continue;
            std::size_t at = slot.hash & mask();
            while (slots_[at].code != no_code) at = (at + 1) & mask();
            slots_[at] = slot;
        }
    }

    std::vector<Slot> slots_;
    std::size_t used_ = 0;
};

// `hash_block(begin, count, out)` hashes elements; `same(position, other)` compares two of them.
template <class HashBlock, class Same>
Codes factorize_by_hash(std::size_t length, Control& control, HashBlock hash_block, Same same) {
    Codes codes{Buffer<std::int64_t>(length), {}};
    CodeTable table;
    std::array<std::uint64_t, block_length> hashes;
    for (std::size_t begin = 0; begin < length; begin += block_length) {
        control.checkpoint();
        const std::size_t count = std::min(block_length, length - begin);
        hash_block(begin, count, hashes.data());
        for (std::size_t i = 0; i < count; ++i) {
            constexpr std::size_t ahead = 16;
            if (i + ahead < count) table.prefetch(hashes[i + ahead]);
            const auto fresh = static_cast<std::int64_t>(codes.first.size());
            std::int64_t code = table.find_or_insert(hashes[i], fresh, [&](std::int64_t known) {
                return same(begin + i, static_cast<std::size_t>(codes.first[static_cast<std::size_t>(known)]));
            });
            if (code == no_code) {
                code = fresh;
                codes.first.push_back(static_cast<std::int64_t>(begin + i));
            }
            codes.code[begin + i] = code;
        }
    }
    return codes;
}

inline Codes factorize_by_table(const Labels& labels, KeyRange range, Control& control) {
    Codes codes{Buffer<std::int64_t>(labels.length), {}};
    std::vector<std::int64_t> code_of(range.span() + 1, no_code);
    std::array<std::uint64_t, block_length> keys;
    for (std::size_t begin = 0; begin < labels.length; begin += block_length) {
        control.checkpoint();
        const std::size_t count = std::min(block_length, labels.length - begin);
        load_keys(labels, begin, count, keys.data());
        for (std::size_t i = 0; i < count; ++i) {
            std::int64_t& code = code_of[keys[i] - range.low];
            if (code == no_code) {
                code = static_cast<std::int64_t>(codes.first.size());
                codes.first.push_back(static_cast<std::int64_t>(begin + i));
            }
            codes.code[begin + i] = code;
        }
    }
    return codes;
}

}  // namespace detail

inline Codes factorize(const Labels& labels, Control& control) {
    if (labels.length == 0) return {};
    const KeyRange range = scan_range(labels, 0, labels.length);
    if (range.span() / 2 <= labels.length) return detail::factorize_by_table(labels, range, control);

    const Hasher hasher;
    return detail::factorize_by_hash(
        labels.length, control,
        [&](std::size_t begin, std::size_t count, std::uint64_t* out) {
            load_keys(labels, begin, count, out);
            for (std::size_t i = 0; i < count; ++i) out[i] = hasher(out[i]);
        },
        [](std::size_t, std::size_t) { return true; });  // equal hashes are equal keys
}

}  // namespace concordant
