// The triples of a profile: distinct (n, a, b) with multiplicities, collected by hashing, then sorted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hashing.hpp"

namespace concordant {

struct Triple {
    std::uint64_t n, a, b, count;
};

// Sorts by (a, b, n).
void sort_triples(std::vector<Triple>& triples);

class TripleCounter {
public:
    TripleCounter() : slots_(initial_slots, Triple{0, 0, 0, 0}) {}

    void add(std::uint64_t n, std::uint64_t a, std::uint64_t b, std::uint64_t count = 1) {
        if (n < small_overlap && (a | b) < small_size) {
            small_[(n * small_size + a) * small_size + b] += count;
            return;
        }
        add_large(n, a, b, count);
    }

    void add(const TripleCounter& other) {
        for (const Triple& triple : other.slots_)
            if (triple.count != 0) add_large(triple.n, triple.a, triple.b, triple.count);
        for (std::size_t at = 0; at < small_.size(); ++at) small_[at] += other.small_[at];
    }

    std::vector<Triple> take();
    std::vector<Triple> take_sorted();

private:
    // Most triples of many small clusters are themselves small: these are counted in a table that needs no hashing.
    static constexpr std::size_t small_overlap = 4, small_size = 16, initial_slots = 128;

    void add_large(std::uint64_t n, std::uint64_t a, std::uint64_t b, std::uint64_t count) {
        std::size_t at = slot_of(n, a, b);
        for (; slots_[at].count != 0; at = (at + 1) & (slots_.size() - 1)) {
            Triple& slot = slots_[at];
            if (slot.n == n && slot.a == a && slot.b == b) {
                slot.count += count;
                return;
            }
        }
        slots_[at] = {n, a, b, count};
        if (++used_ * 2 > slots_.size()) grow();
    }

    std::size_t slot_of(std::uint64_t n, std::uint64_t a, std::uint64_t b) const {
        return fold((n * 0x9e3779b97f4a7c15U + a) ^ seed_, b ^ 0xd6e8feb86659fd93U) & (slots_.size() - 1);
    }

    void grow();

    std::uint64_t seed_ = process_seed();
    std::array<std::uint64_t, small_overlap * small_size * small_size> small_{};
    std::vector<Triple> slots_;
    std::size_t used_ = 0;
};

}  // namespace concordant
