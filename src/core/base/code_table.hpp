// An open-addressing table from hash to code. The keys live outside of it and may be of any kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/processor.hpp"

namespace concordant {

inline constexpr std::int64_t no_code = -1;

class CodeTable {
public:
    CodeTable() : slots_(initial_slots, Slot{0, no_code}) {}

    CONCORDANT_INLINED void prefetch(std::uint64_t hash) const { concordant::prefetch(&slots_[hash & mask()]); }

    // The code of the entry, or no_code. `same(code)` decides whether the entry of that code is the one
    // looked for.
    template <class Same>
    std::int64_t find(std::uint64_t hash, Same same) const {
        return slots_[slot_of(hash, same)].code;
    }

    // The code of the entry, or no_code after entering `fresh` as its code.
    template <class Same>
    std::int64_t find_or_insert(std::uint64_t hash, std::int64_t fresh, Same same) {
        Slot& slot = slots_[slot_of(hash, same)];
        if (slot.code != no_code) return slot.code;
        slot = {hash, fresh};
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

    // Where the entry is, or the free slot where it belongs.
    template <class Same>
    std::size_t slot_of(std::uint64_t hash, Same same) const {
        std::size_t at = hash & mask();
        while (slots_[at].code != no_code && !(slots_[at].hash == hash && same(slots_[at].code)))
            at = (at + 1) & mask();
        return at;
    }

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

}  // namespace concordant
