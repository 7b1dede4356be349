// The positions of the labels that are among a few wanted ones.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "labels/labels.hpp"

namespace concordant {

// The positions, ascending. Both kinds of labels are signed, or neither.
inline std::vector<std::int64_t> positions_among(const Labels& labels, const Labels& wanted, unsigned threads,
                                                 Control& control) {
    constexpr unsigned hash_bits = 16;
    const std::uint64_t factor = process_seed() | 1;  // random and odd, so nobody can construct labels that collide
    const auto hash = [factor](std::uint64_t key) { return key * factor >> (64 - hash_bits); };
    std::vector<std::uint64_t> keys(wanted.length);
    load_keys(wanted, 0, wanted.length, keys.data());
    std::sort(keys.begin(), keys.end());
    std::bitset<std::size_t{1} << hash_bits> hashes;  // most other labels are not in here
    for (const std::uint64_t key : keys) hashes.set(hash(key));
    constexpr std::size_t part_length = std::size_t{1} << 16;
    std::vector<std::vector<std::int64_t>> found((labels.length + part_length - 1) / part_length);
    parallel_for(control, threads, found.size(), [&](unsigned, std::size_t part) {
        std::array<std::uint64_t, block_length> key;
        const std::size_t end = std::min(labels.length, (part + 1) * part_length);
        for (std::size_t begin = part * part_length; begin < end; begin += block_length) {
            const std::size_t count = std::min(block_length, end - begin);
            load_keys(labels, begin, count, key.data());
            for (std::size_t i = 0; i < count; ++i)
                if (hashes[hash(key[i])] && std::binary_search(keys.begin(), keys.end(), key[i]))
                    found[part].push_back(static_cast<std::int64_t>(begin + i));
        }
    });
    std::vector<std::int64_t> positions;
    for (const auto& part : found) positions.insert(positions.end(), part.begin(), part.end());
    return positions;
}

}  // namespace concordant
