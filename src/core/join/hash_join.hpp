// The records of two sources, joined by their ids within partitions.
//
// Both sides are partitioned by a bijective hash of the id: the hash of its key, or the first word of a scrambled UUID,
// whose other word is kept beside it. The join also finds ids that occur twice, or on one side only.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "join/key_columns.hpp"
#include "join/store.hpp"

namespace concordant {

// What a label is, as the Python side numbers it.
enum State : unsigned { labelled = 0, null_label = 1, noise_label = 2, absent_label = 3 };

// Whether the id is a UUID; then its scrambled words, or the hash of the key.
using RecordId = std::array<std::uint64_t, 3>;

// Findings of the match other than label pairs.
struct Findings {
    std::array<std::array<std::uint64_t, 4>, 4> states{};  // elements by what their labels are on both sides
    std::array<std::uint64_t, 2> rows{}, named{};          // of each source; named: that name a record
    std::array<std::map<RecordId, std::uint64_t>, 2> repeated;  // a few ids, and how often
    std::array<std::vector<RecordId>, 2> only;             // a few ids that only one side has

    static constexpr std::size_t few = 64;

    void note_only(unsigned side, const RecordId& id) {
        if (only[side].size() < few) only[side].push_back(id);
    }
    // The second occurrence of an id counts for two.
    void note_repeated(unsigned side, const RecordId& id) {
        std::map<RecordId, std::uint64_t>& found = repeated[side];
        const auto at = found.find(id);
        if (at != found.end())
            ++at->second;
        else if (found.size() < few)
            found.emplace(id, 2);
    }
    void add(const Findings& other) {
        for (unsigned u = 0; u < 4; ++u)
            for (unsigned v = 0; v < 4; ++v) states[u][v] += other.states[u][v];
        for (unsigned side = 0; side < 2; ++side) {
            rows[side] += other.rows[side];
            named[side] += other.named[side];
            repeated[side].insert(other.repeated[side].begin(), other.repeated[side].end());
            only[side].insert(only[side].end(), other.only[side].begin(), other.only[side].end());
        }
    }
};

// The highest bits of the hash are replaced by the state of the label, the sides that have the record, and whether
// the id is a UUID.
struct KeyEntry {
    std::uint64_t hash, label;

    bool has_same_rest(const KeyEntry&) const { return true; }
};

// The same, with the other word of a UUID.
struct UuidEntry {
    std::uint64_t hash, label, rest;

    bool has_same_rest(const UuidEntry& other) const { return rest == other.rest; }
};

template <class Entry>
class HashJoin {
public:
    HashJoin(unsigned bits, std::vector<ChunkPool>& pools, MemoryBudget& budget)
        : bits_(bits), entries_{Store<Entry>(std::size_t{1} << bits, pools, budget), Store<Entry>(std::size_t{1} << bits, pools, budget)},
          tables_(pools.size()) {}

    CONCORDANT_INLINED void add(unsigned worker, unsigned side, std::uint64_t key, [[maybe_unused]] const Uuid& uuid,
                                std::uint64_t state, std::uint64_t label) {
        Entry entry{};
        entry.hash = scramble_(key);
        entry.label = label;
        std::uint64_t flags = state << state_shift;
        if constexpr (has_uuids)
            if (TextKeys::is_uuid(key)) {
                entry.hash = uuid[0];
                flags |= uuid_bit;
                entry.rest = uuid[1];
            }
        const auto partition = static_cast<std::size_t>(entry.hash >> (64 - bits_));
        entry.hash = (entry.hash & hash_bits) | flags;
        entries_[side].push(worker, partition, entry);
    }

    // Calls emit(state, label, state, label) for every record of a partition, with those of both sides.
    template <class Emit>
    void join(std::size_t partition, unsigned worker, Findings& findings, Control& control, Emit emit) {
        Table& table = tables_[worker];
        table.start();
        std::size_t done = 0;
        const auto pause = [&] {
            if (++done % (std::size_t{1} << 16) == 0) control.checkpoint();
        };
        entries_[0].for_each(partition, [&](const Entry& entry) {
            pause();
            Entry& slot = table.slot_of(entry);
            if (is_used(slot))
                findings.note_repeated(0, id_of(entry, partition));
            else
                table.enter(slot, entry, in_u);
        });
        entries_[1].for_each(partition, [&](const Entry& entry) {
            pause();
            Entry& slot = table.slot_of(entry);
            if ((slot.hash & in_v) != 0) {
                findings.note_repeated(1, id_of(entry, partition));
            } else if ((slot.hash & in_u) != 0) {
                slot.hash |= in_v;
                emit(state(slot), slot.label, state(entry), entry.label);
            } else {
                findings.note_only(1, id_of(entry, partition));
                emit(absent_label, 0, state(entry), entry.label);
                table.enter(slot, entry, in_v);
            }
        });
        for (const Entry& slot : table.slots)
            if ((slot.hash & (in_u | in_v)) == in_u) {
                findings.note_only(0, id_of(slot, partition));
                emit(state(slot), slot.label, absent_label, 0);
            }
        for (Store<Entry>& side : entries_) side.release(partition, worker);
    }

    // Frees the disk space when all partitions are joined.
    void close() {
        for (Store<Entry>& side : entries_) side.close();
    }

    static constexpr unsigned least_bits = 5;  // so many of a hash follow from its partition

private:
    static constexpr bool has_uuids = std::is_same_v<Entry, UuidEntry>;

    static constexpr unsigned state_shift = 60;
    static constexpr std::uint64_t uuid_bit = std::uint64_t{1} << 59, hash_bits = uuid_bit - 1, id_bits = hash_bits | uuid_bit;
    static constexpr std::uint64_t in_u = std::uint64_t{1} << 62, in_v = std::uint64_t{1} << 63;

    struct Table {
        std::vector<Entry> slots;
        std::size_t used = 0;

        // Empties the table, which stays as large as the last partition needed it.
        void start() { slots.assign(std::bit_ceil(2 * std::exchange(used, 0) + 64), Entry{}); }

        Entry& slot_of(const Entry& entry) {
            std::size_t at = static_cast<std::size_t>(entry.hash & hash_bits) & (slots.size() - 1);
            while (is_used(slots[at]) && !(((slots[at].hash ^ entry.hash) & id_bits) == 0 && slots[at].has_same_rest(entry)))
                at = (at + 1) & (slots.size() - 1);
            return slots[at];
        }

        void enter(Entry& slot, const Entry& entry, std::uint64_t side) {
            slot = entry;
            slot.hash |= side;
            if (++used * 2 <= slots.size()) return;
            std::vector<Entry> before(slots.size() * 4, Entry{});
            before.swap(slots);
            for (const Entry& each : before)
                if (is_used(each)) slot_of(each) = each;
        }
    };

    static std::uint64_t state(const Entry& entry) { return entry.hash >> state_shift & 3; }
    static bool is_used(const Entry& slot) { return (slot.hash & (in_u | in_v)) != 0; }

    RecordId id_of(const Entry& entry, std::size_t partition) const {
        const std::uint64_t high = static_cast<std::uint64_t>(partition) << (64 - bits_) & ~hash_bits;
        RecordId id{};
        id[0] = (entry.hash & uuid_bit) != 0;
        id[1] = (entry.hash & hash_bits) | high;
        if constexpr (has_uuids) id[2] = entry.rest;
        return id;
    }

    unsigned bits_;
    Hasher scramble_;
    std::array<Store<Entry>, 2> entries_;
    std::vector<Table> tables_;
};

}  // namespace concordant
