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
    Buffer<std::int64_t> position;  // for each id of v where it stands in u, or -1
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
        RecordMatch result{Buffer<std::int64_t>(v_.length), {}, {}};
        parallel_for(control_, threads_, partitions(), [&](unsigned index, std::size_t number) {
            meet(number, workers_[index], result.position);
        });
        for (const Worker& worker : workers_) {
            result.in_u.note(worker.in_u);
            result.in_v.note(worker.in_v);
        }
        return result;
    }

private:
    struct Entry {
        std::uint64_t hash;
        Position position;
    };

    // An id with its positions in both lists, counted from 1; a slot without any is free.
    struct Slot {
        std::uint64_t hash;
        Position u, v;
    };

    struct Worker {
        ChunkPool pool;
        std::vector<Slot> slots;
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
        const unsigned shift = 64 - bits_;
        parallel_for(control_, threads_, tasks, [&](unsigned worker, std::size_t task) {
            std::array<std::uint64_t, block_length> block;
            const std::size_t end = std::min(ids.length, (task + 1) * task_length);
            for (std::size_t begin = task * task_length; begin < end; begin += block_length) {
                const std::size_t count = std::min(block_length, end - begin);
                load_keys(ids, begin, count, block.data());
                for (std::size_t i = 0; i < count; ++i) block[i] = hasher(block[i]);
                for (std::size_t i = 0; i < count; ++i)
                    scatters[worker].push(bits_ == 0 ? 0 : static_cast<std::size_t>(block[i] >> shift),
                                          {block[i], static_cast<Position>(begin + i)});
            }
        });
    }

    void meet(std::size_t number, Worker& worker, Buffer<std::int64_t>& position) {
        Gathered<Entry> of_u(of_u_, number), of_v(of_v_, number);
        worker.slots.assign(std::bit_ceil(2 * std::max<std::size_t>(of_u.length() + of_v.length(), 1)), Slot{0, 0, 0});
        of_u.for_each([&](const Entry& entry) {
            Slot& slot = slot_of(entry.hash, worker.slots);
            remember(slot.u, entry.position, worker.in_u);
        });
        of_v.for_each([&](const Entry& entry) {
            Slot& slot = slot_of(entry.hash, worker.slots);
            remember(slot.v, entry.position, worker.in_v);
            position[entry.position] = static_cast<std::int64_t>(slot.u) - 1;
        });
        of_u.give_back(worker.pool);
        of_v.give_back(worker.pool);
    }

    static void remember(Position& held, Position position, Repetition& repetition) {
        if (held != 0) {
            repetition.note(static_cast<std::int64_t>(held) - 1, static_cast<std::int64_t>(position));
            held = std::min(held, static_cast<Position>(position + 1));
        } else {
            held = static_cast<Position>(position + 1);
        }
    }

    static Slot& slot_of(std::uint64_t hash, std::vector<Slot>& slots) {
        std::size_t at = static_cast<std::size_t>(hash) & (slots.size() - 1);
        while ((slots[at].u != 0 || slots[at].v != 0) && slots[at].hash != hash) at = (at + 1) & (slots.size() - 1);
        slots[at].hash = hash;
        return slots[at];
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
