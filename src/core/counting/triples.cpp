#include "counting/triples.hpp"

#include <algorithm>
#include <utility>

namespace concordant {

namespace {

// One stable counting pass over the 8 bits of a member from `shift` up.
void radix_pass(const std::vector<Triple>& from, std::vector<Triple>& to, std::uint64_t Triple::*member,
                       int shift) {
    std::array<std::size_t, 257> start{};
    for (const Triple& triple : from) ++start[((triple.*member >> shift) & 255) + 1];
    for (std::size_t digit = 1; digit < start.size(); ++digit) start[digit] += start[digit - 1];
    for (const Triple& triple : from) to[start[(triple.*member >> shift) & 255]++] = triple;
}

}  // namespace

void sort_triples(std::vector<Triple>& triples) {
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

std::vector<Triple> TripleCounter::take_sorted() {
    std::vector<Triple> triples = take();
    sort_triples(triples);
    return triples;
}

std::vector<Triple> TripleCounter::take() {
    std::erase_if(slots_, [](const Triple& triple) { return triple.count == 0; });
    for (std::size_t at = 0; at < small_.size(); ++at)
        if (const std::uint64_t count = std::exchange(small_[at], 0); count != 0)
            slots_.push_back({at / small_size / small_size, at / small_size % small_size, at % small_size, count});
    return std::exchange(slots_, {});
}

void TripleCounter::grow() {
    std::vector<Triple> larger(slots_.size() * 4, Triple{0, 0, 0, 0});
    larger.swap(slots_);
    for (const Triple& triple : larger) {
        if (triple.count == 0) continue;
        std::size_t at = slot_of(triple.n, triple.a, triple.b);
        while (slots_[at].count != 0) at = (at + 1) & (slots_.size() - 1);
        slots_[at] = triple;
    }
}

}  // namespace concordant
