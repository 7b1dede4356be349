// The triples of a profile: distinct (n, a, b) with multiplicities, collected by hashing, then sorted.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/hashing.hpp"

namespace concordant {

struct Triple {
    std::uint64_t n, a, b, count;
};

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

    std::vector<Triple> take() {
        std::erase_if(slots_, [](const Triple& triple) { return triple.count == 0; });
        for (std::size_t at = 0; at < small_.size(); ++at)
            if (const std::uint64_t count = std::exchange(small_[at], 0); count != 0)
                slots_.push_back({at / small_size / small_size, at / small_size % small_size, at % small_size, count});
        return std::exchange(slots_, {});
    }

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

    void grow() {
        std::vector<Triple> larger(slots_.size() * 4, Triple{0, 0, 0, 0});
        larger.swap(slots_);
        for (const Triple& triple : larger) {
            if (triple.count == 0) continue;
            std::size_t at = slot_of(triple.n, triple.a, triple.b);
            while (slots_[at].count != 0) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = triple;
        }
    }

    std::uint64_t seed_ = process_seed();
    std::array<std::uint64_t, small_overlap * small_size * small_size> small_{};
    std::vector<Triple> slots_;
    std::size_t used_ = 0;
};

// One stable counting pass over the 8 bits of a member from `shift` up.
inline void radix_pass(const std::vector<Triple>& from, std::vector<Triple>& to, std::uint64_t Triple::*member,
                       int shift) {
    std::array<std::size_t, 257> start{};
    for (const Triple& triple : from) ++start[((triple.*member >> shift) & 255) + 1];
    for (std::size_t digit = 1; digit < start.size(); ++digit) start[digit] += start[digit - 1];
    for (const Triple& triple : from) to[start[(triple.*member >> shift) & 255]++] = triple;
}

// Sorts by (a, b, n).
inline void sort_triples(std::vector<Triple>& triples) {
    constexpr std::size_t worth_counting = 2048;
    if (triples.size() < worth_counting) {
        std::sort(triples.begin(), triples.end(), [](const Triple& x, const Triple& y) {
            if (x.a != y.a) return x.a < y.a;
            if (x.b != y.b) return x.b < y.b;
            return x.n < y.n;
        });
        return;
    }
    std::vector<Triple> other(triples.size());
    for (auto member : {&Triple::n, &Triple::b, &Triple::a}) {
        std::uint64_t bits = 0;
        for (const Triple& triple : triples) bits |= triple.*member;
        for (int shift = 0; bits >> shift != 0; shift += 8) {
            radix_pass(triples, other, member, shift);
            triples.swap(other);
        }
    }
}

inline std::vector<Triple> TripleCounter::take_sorted() {
    std::vector<Triple> triples = take();
    sort_triples(triples);
    return triples;
}

}  // namespace concordant
