// How many clusters pairs of elements share on both sides, where an element may be in several.
//
// Elements that are in the same clusters are one type. For a type x, J_x[p, q] is the number of other elements
// that share p clusters of the reference and q of the candidate with it. Two ways give the same counts: by
// subsets, which looks at no pair (its cost is Σ 2^(s+t), s and t the clusters of a type), and by walking over
// the types that share a cluster (its cost is Σ over clusters of types²).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hashing.hpp"
#include "base/integers128.hpp"
#include "base/parallel.hpp"

namespace concordant {

// The clusters of each type on one side: those from start[x] to start[x + 1].
struct Memberships {
    std::vector<std::int64_t> start, cluster;

    std::size_t types() const { return start.size() - 1; }
    std::size_t count(std::size_t type) const { return static_cast<std::size_t>(start[type + 1] - start[type]); }
    const std::int64_t* begin(std::size_t type) const { return cluster.data() + start[type]; }
    const std::int64_t* end(std::size_t type) const { return cluster.data() + start[type + 1]; }

    std::size_t clusters() const {
        std::int64_t most = -1;
        for (const std::int64_t each : cluster) most = std::max(most, each);
        return static_cast<std::size_t>(most + 1);
    }

    void require_order() const {
        bool fine = !start.empty() && start.front() == 0 && start.back() == static_cast<std::int64_t>(cluster.size());
        for (std::size_t x = 1; fine && x < start.size(); ++x) fine = start[x - 1] <= start[x];
        for (std::size_t i = 0; fine && i < cluster.size(); ++i) fine = cluster[i] >= 0;
        if (!fine) throw std::invalid_argument("the memberships are not in order");
    }
};

// J_x[p, q] where it is not zero and p or q is not.
struct SharedClusters {
    std::vector<std::int64_t> type, p, q, count;

    void add(std::size_t x, std::size_t in_u, std::size_t in_v, std::int64_t elements) {
        type.push_back(static_cast<std::int64_t>(x));
        p.push_back(static_cast<std::int64_t>(in_u));
        q.push_back(static_cast<std::int64_t>(in_v));
        count.push_back(elements);
    }

    void append(const SharedClusters& more) {
        type.insert(type.end(), more.type.begin(), more.type.end());
        p.insert(p.end(), more.p.begin(), more.p.end());
        q.insert(q.end(), more.q.begin(), more.q.end());
        count.insert(count.end(), more.count.begin(), more.count.end());
    }
};

// Calls task(worker, type, found) for every type; the results are in the order of the types.
template <class Task>
SharedClusters for_each_type(std::size_t types, unsigned threads, Control& control, Task task) {
    const std::size_t blocks = (types + block_length - 1) / block_length;
    std::vector<SharedClusters> found(blocks);
    parallel_for(control, threads, blocks, [&](unsigned worker, std::size_t block) {
        const std::size_t last = std::min(types, (block + 1) * block_length);
        for (std::size_t x = block * block_length; x < last; ++x) task(worker, x, found[block]);
    });
    SharedClusters all;
    for (SharedClusters& part : found) {
        all.append(part);
        part = {};
    }
    return all;
}

// -- by subsets -----------------------------------------------------------------------------------------

// The key of a subset of clusters: the exclusive or of their random words. It has 128 bits, so collisions never occur.
struct SubsetKey {
    std::uint64_t low = 0, high = 0;

    bool operator==(const SubsetKey&) const = default;
    SubsetKey operator^(const SubsetKey& other) const { return {low ^ other.low, high ^ other.high}; }
};

// How many elements are in all clusters of a subset, by its key; subsets are numbered in order of appearance.
class SubsetCounts {
public:
    std::uint32_t add(const SubsetKey& key, std::int64_t elements) {
        if (2 * (keys_.size() + 1) > place_.size()) grow();
        std::size_t at = key.low & (place_.size() - 1);
        for (; place_[at] != 0; at = (at + 1) & (place_.size() - 1)) {
            const std::uint32_t number = place_[at] - 1;
            if (keys_[number] == key) {
                counts_[number] += elements;
                return number;
            }
        }
        keys_.push_back(key);
        counts_.push_back(elements);
        place_[at] = static_cast<std::uint32_t>(keys_.size());
        return place_[at] - 1;
    }

    std::int64_t operator[](std::uint32_t number) const { return counts_[number]; }

private:
    void grow() {
        place_.assign(std::max<std::size_t>(1024, 2 * place_.size()), 0);
        for (std::size_t i = 0; i < keys_.size(); ++i) {
            std::size_t at = keys_[i].low & (place_.size() - 1);
            while (place_[at] != 0) at = (at + 1) & (place_.size() - 1);
            place_[at] = static_cast<std::uint32_t>(i + 1);
        }
    }

    std::vector<SubsetKey> keys_;
    std::vector<std::int64_t> counts_;
    std::vector<std::uint32_t> place_;  // number + 1; 0 is a free slot
};

class SubsetCounter {
public:
    SubsetCounter(const Memberships& u, const Memberships& v, const std::vector<std::int64_t>& elements,
                  unsigned threads, Control& control)
        : u_(u), v_(v), elements_(elements), owners_(std::max(1U, threads)), control_(control),
          words_(random_words(u.clusters() + v.clusters())), first_of_v_(u.clusters()), counts_(owners_) {
        slot_start_.push_back(0);
        for (std::size_t x = 0; x < u.types(); ++x) {
            const std::size_t width = u.count(x) + v.count(x);
            if (width > 24) throw std::invalid_argument("too many subsets of the clusters of one element");
            slot_start_.push_back(slot_start_.back() + (std::size_t{1} << width));
            total_ += elements[x];
        }
        slots_.resize(slot_start_.back());
        sizes_.resize(words_.size());
        for (std::size_t x = 0; x < u.types(); ++x)
            for (const std::size_t each : clusters_of(x)) sizes_[each] += elements[x];
    }

    SharedClusters count() {
        // Each worker owns some of the keys and scans all of them, so no two workers write to the same place.
        parallel_for(control_, owners_, owners_, [&](unsigned, std::size_t owner) { number_subsets(owner); });
        return for_each_type(u_.types(), owners_, control_,
                             [&](unsigned, std::size_t x, SharedClusters& found) { invert(x, found); });
    }

private:
    static std::vector<SubsetKey> random_words(std::size_t count) {
        std::mt19937_64 low(random_bits()), high(random_bits() ^ 0x9e3779b97f4a7c15U);
        std::vector<SubsetKey> words(count);
        for (SubsetKey& word : words) word = {low(), high()};
        return words;
    }

    std::vector<std::size_t> clusters_of(std::size_t x) const {
        std::vector<std::size_t> held;
        held.reserve(u_.count(x) + v_.count(x));
        for (const auto* c = u_.begin(x); c != u_.end(x); ++c) held.push_back(static_cast<std::size_t>(*c));
        for (const auto* c = v_.begin(x); c != v_.end(x); ++c) held.push_back(first_of_v_ + static_cast<std::size_t>(*c));
        return held;
    }

    void number_subsets(std::size_t owner) {
        std::vector<SubsetKey> key;
        for (std::size_t x = 0; x < u_.types(); ++x) {
            if (x % block_length == 0) control_.checkpoint();
            const std::vector<std::size_t> held = clusters_of(x);
            const std::size_t subsets = std::size_t{1} << held.size();
            key.resize(std::max(key.size(), subsets));
            key[0] = {};
            for (std::size_t mask = 1; mask < subsets; ++mask) {
                const std::size_t rest = mask & (mask - 1);
                key[mask] = key[rest] ^ words_[held[static_cast<std::size_t>(std::countr_zero(mask))]];
                if (rest != 0 && (key[mask].high % owners_) == owner)
                    slots_[slot_start_[x] + mask] =
                        static_cast<std::uint64_t>(counts_[owner].add(key[mask], elements_[x])) * owners_ + owner;
            }
        }
    }

    // The factorial moments of p and q over the other elements, and from them their histogram.
    void invert(std::size_t x, SharedClusters& found) const {
        const std::vector<std::size_t> held = clusters_of(x);
        const std::size_t s = u_.count(x), t = v_.count(x), in_u = (std::size_t{1} << s) - 1;
        std::vector<Int128> moment((s + 1) * (t + 1));
        for (std::size_t mask = 0; mask < (std::size_t{1} << held.size()); ++mask) {
            const auto k = static_cast<std::size_t>(std::popcount(mask & in_u));
            const auto l = static_cast<std::size_t>(std::popcount(mask & ~in_u));
            moment[k * (t + 1) + l] += elements_of(x, held, mask) - 1;
        }
        for (std::size_t k = 0; k <= s; ++k) unfold(&moment[k * (t + 1)], t, 1);
        for (std::size_t l = 0; l <= t; ++l) unfold(&moment[l], s, t + 1);
        for (std::size_t p = 0; p <= s; ++p)
            for (std::size_t q = 0; q <= t; ++q)
                if (const Int128 count = moment[p * (t + 1) + q]; p + q != 0 && count != 0)
                    found.add(x, p, q, static_cast<std::int64_t>(count));
    }

    // Σ_k C(k, p) J[k] for each p becomes J[p]: the inverse of the binomial transform, by differences.
    static void unfold(Int128* values, std::size_t last, std::size_t step) {
        for (std::size_t p = 0; p < last; ++p)
            for (std::size_t k = last; k > p; --k)
                // C(k, p) = C(k−1, p) + C(k−1, p−1): take off one layer at a time
                values[(k - 1) * step] -= values[k * step];
    }

    std::int64_t elements_of(std::size_t x, const std::vector<std::size_t>& held, std::size_t mask) const {
        if (mask == 0) return total_;
        if ((mask & (mask - 1)) == 0) return sizes_[held[static_cast<std::size_t>(std::countr_zero(mask))]];
        const std::uint64_t slot = slots_[slot_start_[x] + mask];
        return counts_[slot % owners_][static_cast<std::uint32_t>(slot / owners_)];
    }

    const Memberships &u_, &v_;
    const std::vector<std::int64_t>& elements_;
    unsigned owners_;
    Control& control_;
    std::vector<SubsetKey> words_;
    std::size_t first_of_v_;
    std::vector<SubsetCounts> counts_;
    std::vector<std::size_t> slot_start_;
    std::vector<std::uint64_t> slots_;
    std::vector<std::int64_t> sizes_;
    std::int64_t total_ = 0;
};

// -- by types that share a cluster ------------------------------------------------------------------------

class TypeWalker {
public:
    TypeWalker(const Memberships& u, const Memberships& v, const std::vector<std::int64_t>& elements, unsigned threads,
               Control& control)
        : u_(u), v_(v), elements_(elements), threads_(std::max(1U, threads)), control_(control),
          types_of_u_(types_by_cluster(u)), types_of_v_(types_by_cluster(v)), scratch_(threads_) {}

    SharedClusters count() {
        return for_each_type(u_.types(), threads_, control_, [&](unsigned worker, std::size_t x, SharedClusters& found) {
            control_.checkpoint();
            walk(scratch_[worker], x, found);
        });
    }

private:
    struct Scratch {  // of one worker: the clusters that each type shares with the current one
        std::vector<std::uint32_t> p, q;
        std::vector<std::size_t> touched;
    };

    static std::vector<std::vector<std::size_t>> types_by_cluster(const Memberships& side) {
        std::vector<std::vector<std::size_t>> types(side.clusters());
        for (std::size_t x = 0; x < side.types(); ++x)
            for (const auto* c = side.begin(x); c != side.end(x); ++c) types[static_cast<std::size_t>(*c)].push_back(x);
        return types;
    }

    void walk(Scratch& scratch, std::size_t x, SharedClusters& found) {
        scratch.p.resize(u_.types());
        scratch.q.resize(u_.types());
        count_shared(scratch, u_, types_of_u_, x, scratch.p);
        count_shared(scratch, v_, types_of_v_, x, scratch.q);
        std::unordered_map<std::uint64_t, std::int64_t, Hasher> histogram;
        for (const std::size_t y : scratch.touched) {
            const std::int64_t others = elements_[y] - (y == x ? 1 : 0);
            if (others != 0) histogram[std::uint64_t{scratch.p[y]} << 32 | scratch.q[y]] += others;
            scratch.p[y] = scratch.q[y] = 0;
        }
        scratch.touched.clear();
        std::vector<std::pair<std::uint64_t, std::int64_t>> rows(histogram.begin(), histogram.end());
        std::sort(rows.begin(), rows.end());
        for (const auto& [both, others] : rows) found.add(x, both >> 32, both & 0xffffffffU, others);
    }

    void count_shared(Scratch& scratch, const Memberships& side, const std::vector<std::vector<std::size_t>>& types, std::size_t x,
              std::vector<std::uint32_t>& shared) {
        std::size_t steps = 0;
        for (const auto* c = side.begin(x); c != side.end(x); ++c)
            for (const std::size_t y : types[static_cast<std::size_t>(*c)]) {
                if (++steps % (std::size_t{1} << 16) == 0) control_.checkpoint();
                if (scratch.p[y] == 0 && scratch.q[y] == 0) scratch.touched.push_back(y);
                ++shared[y];
            }
    }

    const Memberships &u_, &v_;
    const std::vector<std::int64_t>& elements_;
    unsigned threads_;
    Control& control_;
    std::vector<std::vector<std::size_t>> types_of_u_, types_of_v_;
    std::vector<Scratch> scratch_;
};

inline SharedClusters shared_clusters(const Memberships& u, const Memberships& v,
                                      const std::vector<std::int64_t>& elements, bool by_subsets, unsigned threads,
                                      Control& control) {
    u.require_order();
    v.require_order();
    if (u.types() != v.types() || u.types() != elements.size())
        throw std::invalid_argument("both sides need as many types as there are counts");
    return by_subsets ? SubsetCounter(u, v, elements, threads, control).count()
                      : TypeWalker(u, v, elements, threads, control).count();
}

}  // namespace concordant
