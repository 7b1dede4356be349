// An open-addressing table from hashes to codes, the positions of entries that are stored elsewhere.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "base/buffer.hpp"
#include "base/processor.hpp"

namespace concordant {

// Keeps as many bits of a hash as a code has: with 64 bits of a bijective hash, `same` need not look at the entry.
template <class Code, std::size_t initial_slots>
class HashTable {
public:
    static constexpr Code none = static_cast<Code>(-1);

    HashTable() { slots_.resize(initial_slots, free); }

    CONCORDANT_INLINED void prefetch(std::uint64_t hash) const { concordant::prefetch(&slots_[hash & mask()]); }

    // The expected number of entries, if it is known: the table grows towards this size.
    void expect(std::size_t entries) { expected_ = entries; }

    // The code of the entry, or `none`. `same(code)` decides whether the entry of that code is the one looked for.
    template <class Same>
    Code find(std::uint64_t hash, Same same) const {
        return slots_[slot_of(hash, same)].code;
    }

    // The code of the entry, or `none` after entering `fresh` as its code.
    template <class Same>
    Code find_or_insert(std::uint64_t hash, Code fresh, Same same) {
        Slot& slot = slots_[slot_of(hash, same)];
        if (slot.code != none) return slot.code;
        slot = {static_cast<Hash>(hash), fresh};
        if (++used_ * 2 > slots_.size()) grow();
        return none;
    }

private:
    using Hash = std::make_unsigned_t<Code>;

    struct Slot {
        Hash hash;
        Code code;
    };

    static constexpr Slot free{0, none};

    std::size_t mask() const { return slots_.size() - 1; }

    // The slot of the entry, or the free slot where it belongs.
    template <class Same>
    std::size_t slot_of(std::uint64_t hash, Same same) const {
        const auto part = static_cast<Hash>(hash);
        std::size_t at = part & mask();
        while (slots_[at].code != none && !(slots_[at].hash == part && same(slots_[at].code))) at = (at + 1) & mask();
        return at;
    }

    CONCORDANT_SELDOM void grow() {
        // An expectation after a few entries may be far too high, so memory stays in proportion to the entries.
        const std::size_t least = slots_.size() * (expected_ == 0 ? 4 : 2), most = slots_.size() * 16;
        const std::size_t size = std::clamp(std::bit_ceil(2 * expected_), least, most);
        LargeList<Slot> before(size);
        before.resize(size, free);
        std::swap(before, slots_);
        for (const Slot& slot : before) {
            if (slot.code == none) continue;
            std::size_t at = slot.hash & mask();
            while (slots_[at].code != none) at = (at + 1) & mask();
            slots_[at] = slot;
        }
    }

    LargeList<Slot> slots_;
    std::size_t used_ = 0, expected_ = 0;
};

using CodeTable = HashTable<std::int64_t, 64>;
using PlaceTable = HashTable<std::uint32_t, 1024>;  // 8 bytes for each slot

inline constexpr std::int64_t no_code = CodeTable::none;
inline constexpr std::uint32_t no_place = PlaceTable::none;

}  // namespace concordant
