// Single linkage of scored pairs: connected components at every threshold, by Kruskal's algorithm.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "base/processor.hpp"

namespace concordant {

struct ScoredPair {
    std::uint64_t key;  // smaller for a higher score
    std::uint32_t left, right;
};

// A bijection from scores, without NaN, to integers in the opposite order; -0.0 equals 0.0.
inline std::uint64_t key_of_score(double score) {
    const auto bits = std::bit_cast<std::uint64_t>(score + 0.0);
    const std::uint64_t sign = std::uint64_t{1} << 63;
    return bits & sign ? bits : ~(bits | sign);
}

inline double score_of_key(std::uint64_t key) {
    const std::uint64_t sign = std::uint64_t{1} << 63;
    return std::bit_cast<double>(key & sign ? key : ~key & ~sign);
}

// Sorts by key, equal keys as they came. The upper digits tell most keys apart, so the lower ones are left to the short
// runs of keys that agree in the upper: half as many passes through memory.
inline void sort_pairs(LargeList<ScoredPair>& pairs, Control& control) {
    constexpr std::size_t few = 4096;
    constexpr unsigned width = 11, digits = 6, most_passes = 3;
    const auto digit = [](std::uint64_t key, unsigned d) { return (key >> (width * d)) & ((1U << width) - 1); };
    const auto before = [](const ScoredPair& x, const ScoredPair& y) { return x.key < y.key; };
    if (pairs.size() <= few) {
        std::stable_sort(pairs.begin(), pairs.end(), before);
        return;
    }
    std::vector<std::array<std::size_t, std::size_t{1} << width>> count(digits);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (i % block_length == 0) control.checkpoint();
        for (unsigned d = 0; d < digits; ++d) ++count[d][digit(pairs[i].key, d)];
    }
    unsigned lowest = digits, passes = 0;  // the lowest digit that is sorted by
    while (lowest > 0 && passes < most_passes) {
        --lowest;
        passes += count[lowest][digit(pairs[0].key, lowest)] != pairs.size();
    }
    LargeList<ScoredPair> spare(pairs.size());
    spare.resize(pairs.size(), {});
    for (unsigned d = lowest; d < digits; ++d) {
        if (count[d][digit(pairs[0].key, d)] == pairs.size()) continue;  // a digit that all share
        std::size_t start = 0;
        for (std::size_t& place : count[d]) start += std::exchange(place, start);
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            if (i % block_length == 0) control.checkpoint();
            spare[count[d][digit(pairs[i].key, d)]++] = pairs[i];
        }
        std::swap(pairs, spare);
    }
    if (lowest == 0) return;
    constexpr std::size_t by_insertion = 16;
    const unsigned shift = width * lowest;
    for (std::size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
        control.checkpoint();
        const std::uint64_t upper = pairs[begin].key >> shift;
        for (; end < pairs.size() && pairs[end].key >> shift == upper; ++end)
            if (end - begin < by_insertion)  // each into the part of the run that is in order
                std::rotate(std::upper_bound(pairs.begin() + begin, pairs.begin() + end, pairs[end], before),
                            pairs.begin() + end, pairs.begin() + end + 1);
        if (end - begin > by_insertion) std::stable_sort(pairs.begin() + begin, pairs.begin() + end, before);
    }
}

struct Forest {
    Buffer<std::int64_t> parent;      // of the records and then of the nodes; -1 for a root
    std::vector<double> score;        // of each node
    std::vector<std::int64_t> level;  // of each node, from 1
};

// Sets of records and the node of each set, side by side: most of the time goes into fetching them from memory.
class JoinedRecords {
public:
    explicit JoinedRecords(std::size_t records) : entry_(records) {
        for (std::size_t x = 0; x < records; ++x) entry_[x] = {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(x)};
    }

    std::uint32_t& node(std::uint32_t root) { return entry_[root].node; }

    std::uint32_t root(std::uint32_t x) {
        while (entry_[x].above != x) x = entry_[x].above = entry_[entry_[x].above].above;
        return x;
    }

    // The root that ceases to be one, if the pair joins two sets.
    std::optional<std::uint32_t> join(const LargeList<ScoredPair>& pairs, std::size_t pair) {
        constexpr std::size_t far = 32, near = 16;
        if (pair + far < pairs.size()) {
            prefetch(&entry_[pairs[pair + far].left]);
            prefetch(&entry_[pairs[pair + far].right]);
            prefetch(&entry_[entry_[pairs[pair + near].left].above]);
            prefetch(&entry_[entry_[pairs[pair + near].right].above]);
        }
        const std::uint32_t left = root(pairs[pair].left), right = root(pairs[pair].right);
        if (left == right) return std::nullopt;
        const auto [first, last] = std::minmax(left, right);
        entry_[last].above = first;
        return last;
    }

private:
    struct Entry {
        std::uint32_t above, node;
    };

    Buffer<Entry> entry_;  // in large pages
};

// Takes pairs in any number of batches. Only a spanning forest of the highest scores is kept of those seen
// before, because the others join nothing at any threshold: memory goes with the records.
class PairForest {
public:
    explicit PairForest(std::size_t most_pending = std::size_t{1} << 24) : most_pending_(most_pending) {}

    void add(const std::int64_t* left, const std::int64_t* right, const double* score, std::size_t pairs,
             Control& control) {
        for (std::size_t i = 0; i < pairs; ++i) {
            if (i % block_length == 0) control.checkpoint();
            constexpr std::int64_t most = std::int64_t{1} << 31;
            if (left[i] < 0 || right[i] < 0 || left[i] >= most || right[i] >= most)
                throw std::invalid_argument("records are numbered from 0, below 2**31");
            if (left[i] == right[i]) continue;
            records_ = std::max(records_, static_cast<std::size_t>(std::max(left[i], right[i])) + 1);
            pairs_.push_back({key_of_score(score[i]), static_cast<std::uint32_t>(left[i]),
                              static_cast<std::uint32_t>(right[i])});
            if (pairs_.size() >= std::max(most_pending_, 2 * records_)) reduce(control);
        }
    }

    Forest finish(std::size_t records, Control& control) {
        if (records < records_) throw std::invalid_argument("a pair has a record beyond the last");
        if (records > std::size_t{1} << 31) throw std::invalid_argument("more than 2**31 records");  // 32 bits number all nodes
        sort_pairs(pairs_, control);
        JoinedRecords sets(records);
        Forest forest{Buffer<std::int64_t>(2 * records), {}, {}};  // each node has two children or more
        std::fill(forest.parent.begin(), forest.parent.begin() + records, -1);
        const std::size_t most = std::min(pairs_.size(), records);  // nodes, each of which takes a pair
        forest.score.reserve(most);
        forest.level.reserve(most);
        std::vector<std::uint32_t> absorbed;  // roots that ceased to be one at this level
        std::size_t nodes = records;
        std::int64_t level = 0;
        for (std::size_t begin = 0, end = 0; begin < pairs_.size(); begin = end) {
            const std::uint64_t key = pairs_[begin].key;
            absorbed.clear();
            for (; end < pairs_.size() && pairs_[end].key == key; ++end) {
                if (end % block_length == 0) control.checkpoint();
                if (const auto lost = sets.join(pairs_, end)) absorbed.push_back(*lost);
            }
            if (absorbed.empty()) continue;
            ++level;
            const std::size_t first = nodes;  // nodes from here on are of this level
            for (const std::uint32_t root : absorbed) {
                std::uint32_t& whole = sets.node(sets.root(root));
                if (whole < first) {
                    forest.parent[whole] = static_cast<std::int64_t>(nodes);
                    forest.parent[nodes] = -1;
                    forest.score.push_back(score_of_key(key));
                    forest.level.push_back(level);
                    whole = static_cast<std::uint32_t>(nodes++);
                }
                forest.parent[sets.node(root)] = whole;
            }
        }
        forest.parent.size = nodes;
        return forest;
    }

private:
    void reduce(Control& control) {
        sort_pairs(pairs_, control);
        JoinedRecords sets(records_);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            if (i % block_length == 0) control.checkpoint();
            if (sets.join(pairs_, i)) pairs_[kept++] = pairs_[i];
        }
        pairs_.resize(kept, {});
    }

    std::size_t most_pending_, records_ = 0;
    LargeList<ScoredPair> pairs_;
};

}  // namespace concordant
