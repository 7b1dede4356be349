// An open-addressing table from hash to a place in a list, of 8 bytes an entry. What is in the list may be of any kind.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/large_list.hpp"
#include "base/processor.hpp"

namespace concordant {

inline constexpr std::uint32_t no_place = std::numeric_limits<std::uint32_t>::max();

class PlaceTable {
public:
    PlaceTable() { slots_.resize(initial_slots, free); }

    CONCORDANT_INLINED void prefetch(std::uint64_t hash) const { concordant::prefetch(&slots_[hash & mask()]); }

    // So many entries will come, as far as one knows: the table grows towards what holds them.
    void expect(std::size_t entries) { expected_ = entries; }

    // The place of the entry, or no_place after entering `fresh` as its place. `same(place)` decides whether what is
    // at that place is what is looked for.
    template <class Same>
    std::uint32_t find_or_insert(std::uint64_t hash, std::uint32_t fresh, Same same) {
        const auto part = static_cast<std::uint32_t>(hash);
        std::size_t at = part & mask();
        for (; slots_[at].place != no_place; at = (at + 1) & mask())
            if (slots_[at].hash == part && same(slots_[at].place)) return slots_[at].place;
        slots_[at] = {part, fresh};
        if (++used_ * 2 > slots_.size()) grow();
        return no_place;
    }

private:
    // 32 bits of the hash, by which an entry finds its slot again when the table grows.
    struct Slot {
        std::uint32_t hash, place;
    };

    static constexpr std::size_t initial_slots = 1024;
    static constexpr Slot free{0, no_place};

    std::size_t mask() const { return slots_.size() - 1; }

    CONCORDANT_SELDOM void grow() {
        // A guess by the first entries may be far too high: memory stays in proportion to what is there.
        const std::size_t least = slots_.size() * (expected_ == 0 ? 4 : 2), most = slots_.size() * 16;
        const std::size_t size = std::clamp(std::bit_ceil(2 * expected_), least, most);
        LargeList<Slot> larger(size);
        larger.resize(size, free);
        std::swap(larger, slots_);
        for (const Slot& slot : larger) {
            if (slot.place == no_place) continue;
            std::size_t at = slot.hash & mask();
            while (slots_[at].place != no_place) at = (at + 1) & mask();
            slots_[at] = slot;
        }
    }

    LargeList<Slot> slots_;
    std::size_t used_ = 0, expected_ = 0;
};

}  // namespace concordant
