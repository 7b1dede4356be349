// Things of urns in random slices, and what the test of a slice needs of each draw.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/integers128.hpp"
#include "base/parallel.hpp"

namespace concordant {

// SplitMix64: each draw has a generator of its own, so threads do not change what is drawn.
class DrawBits {
public:
    DrawBits(std::uint64_t seed, std::uint64_t draw) : state_(mixed(mixed(seed) + draw)) {}

    std::uint64_t below(std::uint64_t bound) { return high_word(product(mixed(state_ += step), bound)); }

private:
    static constexpr std::uint64_t step = 0x9e3779b97f4a7c15U;

    static std::uint64_t mixed(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
        return x ^ (x >> 31);
    }

    std::uint64_t state_;
};

// The things of an urn go into its slots, each of which belongs to a slice; what is left goes into no slice.
struct Urns {
    std::size_t things, numbers;  // numbers of each thing: sums, and last its influence
    const double* values;         // thing by thing
    const std::int64_t* group;    // whose influences add up before they are squared; -1: the thing is a group
    const double* influence;      // of all things of each group
    std::size_t groups;
    const std::int64_t *start, *slots;  // of each urn, its first thing and its first slot; both have an end
    std::size_t urns;
    const std::int64_t* slice;  // of each slot
    std::size_t slices;
    const std::int64_t* count;  // of each slot, the same in each draw or draw by draw
    bool by_draw;
};

inline void check_urns(const Urns& urns, std::size_t slots, std::size_t rows) {
    const auto require = [](bool holds) {
        if (!holds) throw std::invalid_argument("urns need things, groups and slots in order");
    };
    const auto rises = [&](const std::int64_t* start, std::size_t end) {
        require(start[0] == 0 && std::cmp_equal(start[urns.urns], end) && std::is_sorted(start, start + urns.urns + 1));
    };
    rises(urns.start, urns.things);
    rises(urns.slots, slots);
    for (std::size_t i = 0; i < urns.things; ++i)
        require(urns.group[i] >= -1 && std::cmp_less(urns.group[i], urns.groups));
    for (std::size_t l = 0; l < slots; ++l) require(urns.slice[l] >= 0 && std::cmp_less(urns.slice[l], urns.slices));
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t u = 0; u < urns.urns; ++u) {
            std::int64_t left = urns.start[u + 1] - urns.start[u];
            for (std::int64_t l = urns.slots[u]; l < urns.slots[u + 1]; ++l) {
                const std::int64_t count = urns.count[row * slots + static_cast<std::size_t>(l)];
                require(count >= 0 && count <= left);
                left -= count;
            }
        }
}

// Of each draw and slice: the sums, the squared influences of the groups, and their products with the whole groups'.
// Draws are made in a fixed number of blocks; within a block the order of the things goes on from draw to draw.
inline Buffer<double> exchanged(const Urns& urns, std::size_t draws, std::uint64_t seed, unsigned threads,
                                Control& control) {
    constexpr std::size_t most_blocks = 16;
    const std::size_t sums = urns.numbers - 1, width = urns.slices * (sums + 2);
    const auto all_slots = static_cast<std::size_t>(urns.slots[urns.urns]);
    Buffer<double> terms(draws * width);
    std::fill(terms.begin(), terms.end(), 0.0);
    const std::size_t blocks = std::min(most_blocks, draws);
    parallel_for(control, threads, blocks, [&](unsigned, std::size_t block) {
        std::vector<std::uint32_t> order(urns.things);
        std::iota(order.begin(), order.end(), std::uint32_t{0});
        std::vector<double> own(urns.groups, 0.0);
        std::vector<std::size_t> of_slot;  // groups with a thing in the slot
        for (std::size_t draw = draws * block / blocks; draw < draws * (block + 1) / blocks; ++draw) {
            control.checkpoint();
            DrawBits bits(seed, draw);
            const std::int64_t* count = urns.count + (urns.by_draw ? draw * all_slots : 0);
            for (std::size_t u = 0; u < urns.urns; ++u) {
                auto at = static_cast<std::size_t>(urns.start[u]);
                const auto end = static_cast<std::size_t>(urns.start[u + 1]);
                for (std::int64_t slot = urns.slots[u]; slot < urns.slots[u + 1]; ++slot) {
                    double* out = terms.begin() + draw * width + static_cast<std::size_t>(urns.slice[slot]) * (sums + 2);
                    for (const std::size_t last = at + static_cast<std::size_t>(count[slot]); at < last; ++at) {
                        std::swap(order[at], order[at + bits.below(end - at)]);
                        const double* thing = urns.values + order[at] * urns.numbers;
                        for (std::size_t k = 0; k < sums; ++k) out[k] += thing[k];
                        const double influence = thing[sums];
                        if (urns.group[order[at]] < 0) {
                            out[sums] += influence * influence;
                            out[sums + 1] += influence * influence;
                        } else {
                            const auto group = static_cast<std::size_t>(urns.group[order[at]]);
                            if (own[group] == 0) of_slot.push_back(group);
                            own[group] += influence;
                        }
                    }
                    for (const std::size_t group : of_slot) {
                        out[sums] += own[group] * own[group];
                        out[sums + 1] += own[group] * urns.influence[group];
                        own[group] = 0;
                    }
                    of_slot.clear();
                }
            }
        }
    });
    return terms;
}

}  // namespace concordant
