// Single linkage of scored pairs: connected components at every threshold, by Kruskal's algorithm.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
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

// Sorts by key and keeps the order of equal keys: by the highest digit in which keys differ, and then each run of one
// digit in the same way by itself, which fits into the cache.
class PairSort {
public:
    PairSort(LargeList<ScoredPair>& pairs, unsigned threads, Control& control)
        : pairs_(pairs.begin()), spare_(pairs.size()), threads_(threads), control_(control) {
        if (pairs.size() <= digits)
            sort_run(0, pairs.size());
        else
            sort_all(pairs.size());
    }

private:
    void sort_all(std::size_t length) {
        const std::size_t slices = threads_, slice = (length + slices - 1) / slices;
        const auto of_slice = [&](std::size_t i) { return Slice(std::min(length, i * slice), std::min(length, (i + 1) * slice)); };
        std::vector<Range> range(slices);
        parallel_for(control_, threads_, slices, [&](unsigned, std::size_t i) { range[i] = range_of(of_slice(i)); });
        for (const Range& each : range) range[0].widen(each);
        const Digit digit(range[0]);
        std::vector<Counts> next(slices, Counts(digits));  // of each slice: how often it has a digit, and then where these go
        parallel_for(control_, threads_, slices, [&](unsigned, std::size_t i) { count(of_slice(i), digit, next[i]); });
        Counts start(digits + 1);
        for (std::size_t d = 0, place = 0; d < digits; start[++d] = place)
            for (Counts& each : next) place += std::exchange(each[d], place);
        parallel_for(control_, threads_, slices, [&](unsigned, std::size_t i) { move(of_slice(i), digit, next[i]); });
        parallel_for(control_, threads_, digits, [&](unsigned, std::size_t d) {
            std::copy(spare_.begin() + start[d], spare_.begin() + start[d + 1], pairs_ + start[d]);
            if (!digit.is_last()) sort_run(start[d], start[d + 1]);
        });
    }

    static constexpr std::size_t few = 32, digits = std::size_t{1} << 11;

    using Slice = std::pair<std::size_t, std::size_t>;
    using Counts = std::vector<std::size_t>;

    struct Range {
        std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), most = 0;

        void widen(const Range& other) {
            least = std::min(least, other.least);
            most = std::max(most, other.most);
        }
    };

    struct Digit {
        std::uint64_t least;
        unsigned shift;

        explicit Digit(const Range& range) : least(range.least), shift(0) {
            constexpr unsigned width = std::bit_width(digits - 1);
            const auto differing = static_cast<unsigned>(std::bit_width(range.most - range.least));
            if (differing > width) shift = differing - width;
        }
        bool is_last() const { return shift == 0; }
        std::size_t operator()(const ScoredPair& pair) const { return static_cast<std::size_t>((pair.key - least) >> shift); }
    };

    template <class Use>
    void for_each(Slice slice, Use use) {
        for (std::size_t i = slice.first; i < slice.second; ++i) {
            if (i % block_length == 0) control_.checkpoint();
            use(pairs_[i]);
        }
    }

    Range range_of(Slice slice) {
        Range range;
        for_each(slice, [&](const ScoredPair& pair) { range.widen({pair.key, pair.key}); });
        return range;
    }

    void count(Slice slice, const Digit& digit, Counts& counts) {
        for_each(slice, [&](const ScoredPair& pair) { ++counts[digit(pair)]; });
    }

    void move(Slice slice, const Digit& digit, Counts& next) {
        for_each(slice, [&](const ScoredPair& pair) { spare_[next[digit(pair)]++] = pair; });
    }

    void sort_few(std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const ScoredPair pair = pairs_[i];
            std::size_t at = i;
            for (; at > begin && pair.key < pairs_[at - 1].key; --at) pairs_[at] = pairs_[at - 1];
            pairs_[at] = pair;
        }
    }

    void sort_run(std::size_t begin, std::size_t end) {
        if (end - begin <= few) return sort_few(begin, end);
        const Slice run(begin, end);
        const Range range = range_of(run);
        if (range.least == range.most) return;
        constexpr std::size_t small = digits;  // a shorter run would take longer to count
        if (end - begin <= small) {
            std::stable_sort(pairs_ + begin, pairs_ + end, [](const ScoredPair& x, const ScoredPair& y) { return x.key < y.key; });
            return;
        }
        const Digit digit(range);
        Counts next(digits);
        count(run, digit, next);
        std::size_t place = begin;
        for (std::size_t& each : next) place += std::exchange(each, place);
        move(run, digit, next);
        std::copy(spare_.begin() + begin, spare_.begin() + end, pairs_ + begin);
        if (digit.is_last()) return;
        for (std::size_t d = 0, from = begin; d < digits; from = next[d++]) sort_run(from, next[d]);
    }

    ScoredPair* pairs_;
    Buffer<ScoredPair> spare_;
    unsigned threads_;
    Control& control_;
};

struct Forest {
    Buffer<std::int64_t> parent;    // of the records and then of the nodes; -1 for a root
    Buffer<double> score;           // of each node
    Buffer<std::int64_t> level;     // of each node, from 1
    Buffer<std::int64_t> clusters;  // at each level, from level 0 on
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

    // The root that ceases to be one, if the pair joins two sets. fetch(node) is called for nodes that pairs further on
    // are likely to join.
    template <class Fetch>
    std::optional<std::uint32_t> join(const LargeList<ScoredPair>& pairs, std::size_t pair, Fetch fetch) {
        constexpr std::size_t far = 48, near = 32, close = 16;
        if (pair + far < pairs.size()) {
            for (const std::uint32_t x : {pairs[pair + far].left, pairs[pair + far].right}) prefetch(&entry_[x]);
            for (const std::uint32_t x : {pairs[pair + near].left, pairs[pair + near].right}) prefetch(&entry_[entry_[x].above]);
            for (const std::uint32_t x : {pairs[pair + close].left, pairs[pair + close].right}) {
                const std::uint32_t above = entry_[x].above;
                if (entry_[above].above == above)
                    fetch(entry_[above].node);
                else
                    prefetch(&entry_[entry_[above].above]);
            }
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
// before, because the others join nothing at any threshold: memory grows with the records, not the pairs.
class PairForest {
public:
    explicit PairForest(std::size_t most_pending = std::size_t{1} << 24) : most_pending_(most_pending) {}

    void add(const std::int64_t* left, const std::int64_t* right, const double* score, std::size_t pairs, unsigned threads,
             Control& control) {
        pairs_.reserve(std::min(pairs_.size() + pairs, std::max(most_pending_, 2 * records_)));
        for (std::size_t i = 0; i < pairs; ++i) {
            if (i % block_length == 0) control.checkpoint();
            constexpr std::int64_t most = std::int64_t{1} << 31;
            if (left[i] < 0 || right[i] < 0 || left[i] >= most || right[i] >= most)
                throw std::invalid_argument("records are numbered from 0, below 2**31");
            if (left[i] == right[i]) continue;
            records_ = std::max(records_, static_cast<std::size_t>(std::max(left[i], right[i])) + 1);
            pairs_.push_back({key_of_score(score[i]), static_cast<std::uint32_t>(left[i]),
                              static_cast<std::uint32_t>(right[i])});
            if (pairs_.size() >= std::max(most_pending_, 2 * records_)) reduce(threads, control);
        }
    }

    Forest finish(std::size_t records, unsigned threads, Control& control) {
        if (records < records_) throw std::invalid_argument("a pair has a record beyond the last");
        if (records > std::size_t{1} << 31) throw std::invalid_argument("more than 2**31 records");  // 32 bits number all nodes
        PairSort(pairs_, threads, control);
        JoinedRecords sets(records);
        const std::size_t most = std::min(pairs_.size(), records);  // nodes, each of which takes a pair and has two children or more
        Forest forest{Buffer<std::int64_t>(records + most), Buffer<double>(most), Buffer<std::int64_t>(most),
                      Buffer<std::int64_t>(most + 1)};
        std::fill(forest.parent.begin(), forest.parent.begin() + records, -1);
        forest.clusters[0] = static_cast<std::int64_t>(records);
        std::vector<std::uint32_t> absorbed;  // roots that ceased to be one at this level
        std::size_t nodes = records, level = 0;
        const auto fetch = [&](std::uint32_t node) { prefetch(&forest.parent[node]); };
        for (std::size_t begin = 0, end = 0; begin < pairs_.size(); begin = end) {
            const std::uint64_t key = pairs_[begin].key;
            absorbed.clear();
            for (; end < pairs_.size() && pairs_[end].key == key; ++end) {
                if (end % block_length == 0) control.checkpoint();
                if (const auto lost = sets.join(pairs_, end, fetch)) absorbed.push_back(*lost);
            }
            if (absorbed.empty()) continue;
            ++level;
            forest.clusters[level] = forest.clusters[level - 1] - static_cast<std::int64_t>(absorbed.size());
            const std::size_t first = nodes;  // nodes from here on are of this level
            for (const std::uint32_t root : absorbed) {
                std::uint32_t& whole = sets.node(sets.root(root));
                if (whole < first) {
                    forest.parent[whole] = static_cast<std::int64_t>(nodes);
                    forest.parent[nodes] = -1;
                    forest.score[nodes - records] = score_of_key(key);
                    forest.level[nodes - records] = static_cast<std::int64_t>(level);
                    whole = static_cast<std::uint32_t>(nodes++);
                }
                forest.parent[sets.node(root)] = whole;
            }
        }
        forest.parent.size = nodes;
        forest.score.size = forest.level.size = nodes - records;
        forest.clusters.size = level + 1;
        return forest;
    }

private:
    void reduce(unsigned threads, Control& control) {
        PairSort(pairs_, threads, control);
        JoinedRecords sets(records_);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            if (i % block_length == 0) control.checkpoint();
            if (sets.join(pairs_, i, [](std::uint32_t) {})) pairs_[kept++] = pairs_[i];
        }
        pairs_.resize(kept, {});
    }

    std::size_t most_pending_, records_ = 0;
    LargeList<ScoredPair> pairs_;
};

}  // namespace concordant
