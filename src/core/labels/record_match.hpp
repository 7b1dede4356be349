// Which records of two lists are the same: a join of ids.
//
// Ids of both sides are partitioned by a salted hash, so that the table of one partition stays in cache, and
// are met inside of their partition. The hash is a bijection, so that equal hashes are equal ids. Each id is
// read once, into the partitions; what another thread writes to the arrays meanwhile changes nothing after.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/chunks.hpp"
#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "labels/labels.hpp"

namespace concordant {

// Two positions of an id that stands twice in one list; where several do, the one that is met again first.
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

struct RecordMatch {
    Buffer<std::int64_t> u, v;                    // where the ids that both have stand, in the order of v
    std::vector<std::int64_t> only_u, only_v;     // where ids stand that one list alone has, in order
    Repetition in_u, in_v;
};

// Position is uint32 where both lists are shorter than that.
template <class Position>
class RecordMatcher {
public:
    RecordMatcher(const Labels& u, const Labels& v, unsigned threads, Control& control)
        : u_(u), v_(v), threads_(threads), control_(control), bits_(partition_bits(u.length + v.length)), workers_(threads) {
        for (Worker& worker : workers_) {
            of_u_.emplace_back(partitions(), worker.pool);
            of_v_.emplace_back(partitions(), worker.pool);
        }
    }

    RecordMatch match() {
        partition(u_, of_u_);
        partition(v_, of_v_);
        Buffer<Position> position(v_.length);
        parallel_for(control_, threads_, partitions(), [&](unsigned index, std::size_t number) {
            meet(number, workers_[index], position);
        });
        RecordMatch result = without_gaps(position);
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

    // An id with its positions in both lists, counted from 1; a slot without the first is free. Ids of v that u has
    // not are met among themselves, and are then the first.
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

    // The table of some 16,000 ids, half full at most, stays in the second-level cache.
    static unsigned partition_bits(std::size_t ids) {
        constexpr std::size_t ids_per_partition = std::size_t{1} << 14;
        constexpr unsigned most = 11;  // beyond, the open chunks themselves no longer fit
        return std::min(most, static_cast<unsigned>(std::bit_width(ids / ids_per_partition)));
    }

    std::size_t partitions() const { return std::size_t{1} << bits_; }

    void partition(const Labels& ids, std::vector<Scatter<Entry>>& scatters) {
        constexpr std::size_t task_length = std::size_t{1} << 16;
        const std::size_t tasks = (ids.length + task_length - 1) / task_length;
        const Hasher hasher;
        const unsigned shift = 63 - bits_;
        parallel_for(control_, threads_, tasks, [&](unsigned worker, std::size_t task) {
            std::array<std::uint64_t, block_length> block;
            Scatter<Entry>& scatter = scatters[worker];
            const std::size_t end = std::min(ids.length, (task + 1) * task_length);
            for (std::size_t begin = task * task_length; begin < end; begin += block_length) {
                const std::size_t count = std::min(block_length, end - begin);
                load_keys(ids, begin, count, block.data());
                for (std::size_t i = 0; i < count; ++i) block[i] = hasher(block[i]);
                for (std::size_t i = 0; i < count; ++i)
                    scatter.push(static_cast<std::size_t>(block[i] >> 1 >> shift),
                                 {block[i], static_cast<Position>(begin + i)});
            }
        });
    }

    // Writes where each id of v stands in u, counted from 1; 0 where it does not.
    void meet(std::size_t number, Worker& worker, Buffer<Position>& position) {
        Gathered<Entry> of_u(of_u_, number), of_v(of_v_, number);
        clear(worker.slots, of_u.length());
        of_u.for_each([&](const Entry& entry) { remember(taken_slot(entry, worker.slots).u, entry.position, worker.in_u); });
        worker.unmet.clear();
        of_v.for_each([&](const Entry& entry) {
            Slot& slot = slot_of(entry.hash, worker.slots);
            position[entry.position] = slot.u;
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

    // The slot of a hash, or the free one where it would be.
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

    // The positions of the common ids side by side, and those of v that u has not.
    RecordMatch without_gaps(const Buffer<Position>& position) const {
        constexpr std::size_t task_length = std::size_t{1} << 16;
        const std::size_t tasks = (v_.length + task_length - 1) / task_length;
        const auto end_of = [&](std::size_t task) { return std::min(v_.length, (task + 1) * task_length); };
        std::vector<std::size_t> common(tasks + 1, 0);
        parallel_for(control_, threads_, tasks, [&](unsigned, std::size_t task) {
            const std::size_t end = end_of(task);
            std::size_t found = 0;
            for (std::size_t i = task * task_length; i < end; ++i) found += position[i] != 0;
            common[task + 1] = found;
        });
        for (std::size_t task = 0; task < tasks; ++task) common[task + 1] += common[task];
        RecordMatch result{Buffer<std::int64_t>(common[tasks]), Buffer<std::int64_t>(common[tasks]), {}, {}, {}, {}};
        result.only_v.resize(v_.length - common[tasks]);
        parallel_for(control_, threads_, tasks, [&](unsigned, std::size_t task) {
            std::size_t both = common[task], alone = task * task_length - both;
            for (std::size_t i = task * task_length; i < end_of(task); ++i) {
                if (position[i] == 0) {
                    result.only_v[alone++] = static_cast<std::int64_t>(i);
                    continue;
                }
                result.u[both] = static_cast<std::int64_t>(position[i]) - 1;
                result.v[both++] = static_cast<std::int64_t>(i);
            }
        });
        return result;
    }

    // The positions of u that no id of v was met at.
    std::vector<std::int64_t> only_u(const Buffer<std::int64_t>& met) const {
        constexpr std::size_t task_length = std::size_t{1} << 16;
        std::vector<std::uint8_t> is_met(u_.length, 0);  // bytes, so that threads do not write to the same ones
        parallel_for(control_, threads_, (met.size + task_length - 1) / task_length, [&](unsigned, std::size_t task) {
            const std::size_t end = std::min(met.size, (task + 1) * task_length);
            for (std::size_t i = task * task_length; i < end; ++i) is_met[static_cast<std::size_t>(met[i])] = 1;
        });
        std::vector<std::int64_t> positions;
        for (auto at = is_met.begin(); (at = std::find(at, is_met.end(), std::uint8_t{0})) != is_met.end(); ++at)
            positions.push_back(at - is_met.begin());
        return positions;
    }

    const Labels& u_;
    const Labels& v_;
    unsigned threads_;
    Control& control_;
    unsigned bits_;
    std::vector<Worker> workers_;
    std::vector<Scatter<Entry>> of_u_, of_v_;
};

inline RecordMatch match_records(const Labels& u, const Labels& v, unsigned threads, Control& control) {
    constexpr std::size_t ids_per_thread = std::size_t{1} << 15;
    const std::size_t longer = std::max(u.length, v.length);
    threads = static_cast<unsigned>(std::clamp<std::size_t>(longer / ids_per_thread, 1, threads));
    if (longer < std::numeric_limits<std::uint32_t>::max() - 1)
        return RecordMatcher<std::uint32_t>(u, v, threads, control).match();
    return RecordMatcher<std::uint64_t>(u, v, threads, control).match();
}

}  // namespace concordant
