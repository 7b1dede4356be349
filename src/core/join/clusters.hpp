// Facts about the clusters of one side, computed from their cells, and cells visited cluster by cluster.
//
// If there are few cells, they are sorted by label, which needs no branch prediction. If there are many, most of
// which may belong to one cluster, they are read twice in place, and only their clusters are kept in a table.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/hashing.hpp"
#include "base/integers128.hpp"
#include "counting/triples.hpp"

namespace concordant {

struct Cluster {
    std::uint64_t size = 0, met = 0, largest = 0;  // met: elements that both sides have
    std::uint64_t part = 0, whole = 1;             // the best share of a partner
    Uint128 together = 0;                          // the sum of n(n - 1)

    template <class Cell>
    void add(const Cell& cell) {
        const std::uint64_t n = cell.size();
        size += n;
        met += cell.is_alone() ? 0 : n;
        largest = std::max(largest, n);
        together += product(n, n - 1);
    }
    void note_share(std::uint64_t n, std::uint64_t sum) {
        if (product(n, whole) <= product(part, sum)) return;
        part = n;
        whole = sum;
    }
    bool is_split() const { return largest < size; }
};

// For each cluster size, the minimum of the values noted for it. Most sizes are small, and need no search.
class LeastBySize {
public:
    LeastBySize() { small_.fill(nothing); }

    void note(std::uint64_t size, Uint128 value) {
        Uint128& least = size < small_.size() ? small_[static_cast<std::size_t>(size)]
                                              : large_.emplace(size, nothing).first->second;
        least = std::min(least, value);
    }
    void add(const LeastBySize& other) {
        other.for_each([&](std::uint64_t size, Uint128 value) { note(size, value); });
    }
    template <class Use>
    void for_each(Use use) const {
        for (std::size_t size = 0; size < small_.size(); ++size)
            if (small_[size] != nothing) use(std::uint64_t{size}, small_[size]);
        for (const auto& [size, least] : large_) use(size, least);
    }

private:
    static constexpr Uint128 nothing = -Uint128{1};  // the largest

    std::array<Uint128, 64> small_;
    std::map<std::uint64_t, Uint128> large_;
};

// Facts about the clusters of one side that have several cells.
struct SplitClusters {
    std::uint64_t largest = 0;                   // the sum of their largest overlaps
    LeastBySize together;                        // the smallest sum of n(n - 1)
    TripleCounter shares;                        // (part, whole, size), in any terms
    std::map<std::uint64_t, std::uint64_t> met;  // clusters by how many elements both sides have; of all

    void add(const SplitClusters& other) {
        largest += other.largest;
        together.add(other.together);
        shares.add(other.shares);
        for (const auto& [size, count] : other.met) met[size] += count;
    }
    void note_share(const Cluster& cluster) { shares.add(cluster.part, cluster.whole, cluster.size); }
};

// Clusters by their labels.
class ClusterTable {
public:
    // Empties the table, which stays as large as the last partition needed it: the next is much like it.
    void start() {
        slots_.assign(std::bit_ceil(2 * used_ + 64), Slot{});
        used_ = 0;
    }

    // The caller gives a cluster that is new its size.
    Cluster& of(std::uint64_t label) {
        Slot* slot = &slot_of(label);
        if (!is_used(*slot)) {
            if (++used_ * 2 > slots_.size()) {
                grow();
                slot = &slot_of(label);
            }
            slot->label = label;
        }
        return slot->cluster;
    }

    template <class Use>
    void for_each(Use use) const {
        for (const Slot& slot : slots_)
            if (is_used(slot)) use(slot.cluster);
    }

private:
    struct Slot {
        std::uint64_t label = 0;
        Cluster cluster;
    };

    static bool is_used(const Slot& slot) { return slot.cluster.size != 0; }

    Slot& slot_of(std::uint64_t label) {
        std::size_t at = static_cast<std::size_t>(hasher_(label)) & (slots_.size() - 1);
        while (is_used(slots_[at]) && slots_[at].label != label) at = (at + 1) & (slots_.size() - 1);
        return slots_[at];
    }

    void grow() {
        std::vector<Slot> before(slots_.size() * 4);
        before.swap(slots_);
        for (const Slot& slot : before)
            if (is_used(slot)) slot_of(slot.label) = slot;
    }

    Hasher hasher_;
    std::vector<Slot> slots_;
    std::size_t used_ = 0;
};

// Cells sorted by label; those of one label are in the order of `less`.
template <class Cell>
class CellGroups {
public:
    template <class LabelOf, class Less>
    void sort(std::vector<Cell>& cells, LabelOf label_of, Less less) {
        const std::size_t mask = std::bit_ceil(cells.size()) - 1;
        const auto bucket_of = [&](const Cell& cell) {
            return static_cast<std::size_t>(hasher_(label_of(cell))) & mask;
        };
        ends_.assign(mask + 1, 0);
        for (const Cell& cell : cells) ++ends_[bucket_of(cell)];
        std::size_t total = 0;
        for (std::size_t& end : ends_) total += std::exchange(end, total);
        sorted_.resize(cells.size());
        for (const Cell& cell : cells) sorted_[ends_[bucket_of(cell)]++] = cell;
        Cell* begin = sorted_.data();
        for (const std::size_t count : ends_) {
            Cell* const end = sorted_.data() + count;
            if (end - begin > 1) std::sort(begin, end, less);
            begin = end;
        }
        cells.swap(sorted_);
    }

private:
    Hasher hasher_;
    std::vector<std::size_t> ends_;
    std::vector<Cell> sorted_;
};

// Calls pass(cell, cluster) for each cell with the facts from all cells of its label, then finish(cluster) for each label.
template <class Cell, class LabelOf, class Pass, class Finish>
void by_label(const std::vector<Cell>& grouped, LabelOf label_of, Pass pass, Finish finish) {
    for (auto begin = grouped.begin(), end = begin; begin != grouped.end(); begin = end) {
        Cluster cluster;
        for (; end != grouped.end() && label_of(*end) == label_of(*begin); ++end) cluster.add(*end);
        for (auto cell = begin; cell != end; ++cell) pass(*cell, cluster);
        finish(cluster);
    }
}

// The same for cells that are read by read(use), twice.
template <class Read, class LabelOf, class Pass, class Finish>
void by_label(Read read, ClusterTable& table, LabelOf label_of, Pass pass, Finish finish) {
    table.start();
    read([&](const auto& cell) { table.of(label_of(cell)).add(cell); });
    read([&](const auto& cell) { pass(cell, table.of(label_of(cell))); });
    table.for_each(finish);
}

}  // namespace concordant
