// Which records of two lists are the same: a join of ids.
//
// Ids of both sides are partitioned by a salted hash, so the table of one partition stays in cache, and joined within
// their partition. The hash is a bijection, so equal hashes mean equal ids. If another thread writes to the arrays
// meanwhile, ids that are in their partition already do not change.
//
// The first touch of memory costs more than the work on it, so positions have 32 bits wherever they fit.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "base/buffer.hpp"
#include "base/chunks.hpp"
#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "labels/labels.hpp"

namespace concordant {

// Two positions of an id that occurs twice in one list; of several such ids, the one whose second occurrence is first.
struct Repetition {
    std::int64_t first = -1;
    std::int64_t again = -1;

    void note(std::int64_t one, std::int64_t other) {
        const std::int64_t later = std::max(one, other);
        if (again < 0 || later < again) *this = {std::min(one, other), later};
    }
    void note(Repetition found) {
        if (found.again >= 0) note(found.first, found.again);
    }
};

template <class Position>
struct RecordMatch {
    Buffer<Position> u, v;                        // positions of the ids that both have, in the order of v
    std::vector<std::int64_t> only_u, only_v;     // positions of the ids that only one list has, in order
    Repetition in_u, in_v;
};

template <class Position>
class RecordMatcher {
public:
    RecordMatcher(const Labels& u, const Labels& v, unsigned partition_bits, unsigned threads, Control& control)
        : u_(u), v_(v), shift_(63 - partition_bits), partitions_(std::size_t{1} << partition_bits), threads_(threads), control_(control),
          workers_(threads) {
        for (Worker& worker : workers_) {
            of_u_.emplace_back(partitions_, worker.pool);
            of_v_.emplace_back(partitions_, worker.pool);
        }
    }

    RecordMatch<Position> match() {
        partition(u_, of_u_);
        partition(v_, of_v_);
        Buffer<Position> place(v_.length);
        parallel_for(control_, threads_, partitions_, [&](unsigned index, std::size_t number) {
            match_partition(number, workers_[index], place);
        });
        RecordMatch<Position> result = without_gaps(std::move(place));
        for (const Worker& worker : workers_) {
            result.in_u.note(worker.in_u);
            result.in_v.note(worker.in_v);
        }
        if (result.in_v.again >= 0 || result.u.size < u_.length) result.only_u = only_u(result.u);
        return result;
    }

private:
    struct Entry {
        std::uint64_t hash;
        Position position;
    };

    // An id with its positions in both lists, counted from 1; a slot without the first is free. Ids of v that u
    // lacks are matched among themselves, with their position in v in place of the first.
    struct Slot {
        std::uint64_t hash;
        Position u, v;
    };

    struct Worker {
        ChunkPool pool;
        std::vector<Slot> slots, others;
        std::vector<Entry> unmet;  // of v, in the partition at hand
        Repetition in_u, in_v;
    };

    void partition(const Labels& ids, std::vector<Scatter<Entry>>& scatters) {
        parallel_blocks(control_, threads_, ids.length, [&](unsigned worker, std::size_t begin, std::size_t count) {
            std::array<std::uint64_t, block_length> block;
            Scatter<Entry>& scatter = scatters[worker];
            load_keys(ids, begin, count, block.data());
            for (std::size_t i = 0; i < count; ++i) block[i] = hasher_(block[i]);
            for (std::size_t i = 0; i < count; ++i)
                scatter.push(static_cast<std::size_t>(block[i] >> 1 >> shift_), {block[i], static_cast<Position>(begin + i)});
        });
    }

    // Writes the position of each id of v in u, counted from 1; 0 if u lacks it.
    void match_partition(std::size_t number, Worker& worker, Buffer<Position>& place) {
        Gathered<Entry> of_u(of_u_, number), of_v(of_v_, number);
        clear(worker.slots, of_u.length());
        of_u.for_each([&](const Entry& entry) { remember(taken_slot(entry, worker.slots).u, entry.position, worker.in_u); });
        worker.unmet.clear();
        of_v.for_each([&](const Entry& entry) {
            Slot& slot = slot_of(entry.hash, worker.slots);
            place[static_cast<std::size_t>(entry.position)] = slot.u;
            if (slot.u != 0)
                remember(slot.v, entry.position, worker.in_v);
            else
                worker.unmet.push_back(entry);
        });
        clear(worker.others, worker.unmet.size());
        for (const Entry& entry : worker.unmet) remember(taken_slot(entry, worker.others).u, entry.position, worker.in_v);
        of_u.give_back(worker.pool);
        of_v.give_back(worker.pool);
    }

    // A quarter full at most: ids that share a slot cost more than a larger table.
    static void clear(std::vector<Slot>& slots, std::size_t ids) {
        slots.resize(std::bit_ceil(4 * std::max<std::size_t>(ids, 1)));
        std::memset(slots.data(), 0, slots.size() * sizeof(Slot));
    }

    static void remember(Position& held, Position position, Repetition& repetition) {
        if (held != 0) {
            repetition.note(static_cast<std::int64_t>(held) - 1, static_cast<std::int64_t>(position));
            held = std::min(held, static_cast<Position>(position + 1));
        } else {
            held = static_cast<Position>(position + 1);
        }
    }

    // The slot of an id, or the free one where it would be.
    static Slot& slot_of(std::uint64_t hash, std::vector<Slot>& slots) {
        std::size_t at = static_cast<std::size_t>(hash) & (slots.size() - 1);
        while (slots[at].u != 0 && slots[at].hash != hash) at = (at + 1) & (slots.size() - 1);
        return slots[at];
    }

    static Slot& taken_slot(const Entry& entry, std::vector<Slot>& slots) {
        Slot& slot = slot_of(entry.hash, slots);
        slot.hash = entry.hash;
        return slot;
    }

    // The positions of the common ids side by side, and those of v that u lacks.
    RecordMatch<Position> without_gaps(Buffer<Position> place) const {
        RecordMatch<Position> result{{}, Buffer<Position>(v_.length), {}, {}, {}, {}};
        std::size_t both = 0;
        for (std::size_t begin = 0; begin < v_.length; begin += block_length) {
            control_.checkpoint();
            const std::size_t end = std::min(v_.length, begin + block_length);
            for (std::size_t i = begin; i < end; ++i) {
                const Position met = place[i];
                place[both] = static_cast<Position>(met - 1);
                result.v[both] = static_cast<Position>(i);
                both += met != 0;
                if (met == 0) [[unlikely]]
                    result.only_v.push_back(static_cast<std::int64_t>(i));
            }
        }
        place.size = result.v.size = both;
        result.u = std::move(place);
        return result;
    }

    // The positions of u that match no id of v.
    std::vector<std::int64_t> only_u(const Buffer<Position>& met) const {
        std::vector<std::uint8_t> is_met(u_.length, 0);  // bytes, so threads do not write to the same ones
        parallel_blocks(control_, threads_, met.size, [&](unsigned, std::size_t begin, std::size_t count) {
            for (std::size_t i = begin; i < begin + count; ++i) is_met[static_cast<std::size_t>(met[i])] = 1;
        });
        std::vector<std::int64_t> positions;
        for (auto at = is_met.begin(); (at = std::find(at, is_met.end(), std::uint8_t{0})) != is_met.end(); ++at)
            positions.push_back(at - is_met.begin());
        return positions;
    }

    const Labels& u_;
    const Labels& v_;
    Hasher hasher_;
    unsigned shift_;  // from a hash to its partition, after a shift by one
    std::size_t partitions_;
    unsigned threads_;
    Control& control_;
    std::vector<Worker> workers_;
    std::vector<Scatter<Entry>> of_u_, of_v_;
};

using AnyRecordMatch = std::variant<RecordMatch<std::int32_t>, RecordMatch<std::int64_t>>;

inline AnyRecordMatch match_records(const Labels& u, const Labels& v, unsigned threads, Control& control) {
    constexpr std::size_t ids_per_thread = std::size_t{1} << 15;
    const std::size_t longer = std::max(u.length, v.length);
    threads = static_cast<unsigned>(std::clamp<std::size_t>(longer / ids_per_thread, 1, threads));
    const unsigned bits = bits_of_partitions(u.length + v.length);
    if (longer >= std::numeric_limits<std::int32_t>::max())
        return RecordMatcher<std::int64_t>(u, v, bits, threads, control).match();
    return RecordMatcher<std::int32_t>(u, v, bits, threads, control).match();
}

}  // namespace concordant
