// The cells of labels that come in runs: one look into a hash table for each run, whatever the labels are.
//
// Labels need not be numbered first, so that sparse ids of 64 bits cost no more than small ones. It pays where
// runs are long enough: a sample of the labels tells, and random labels never come here.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/code_table.hpp"
#include "base/hashing.hpp"
#include "base/integers128.hpp"
#include "base/parallel.hpp"
#include "base/processor.hpp"
#include "counting/pair_sums.hpp"
#include "counting/triples.hpp"
#include "labels/label_ranges.hpp"
#include "labels/labels.hpp"
#include "labels/runs.hpp"

namespace concordant {

// A pair of labels, by their keys: how many elements have it, and the first of them.
struct RunCell {
    std::uint64_t u, v, n, first;
};

// Cells are kept in the order in which they came, and found by a table of their places, which stays small. A
// place comes with 32 bits of the hash, by which it is found again when the table grows.
class RunTable {
public:
    RunTable() : slots_(initial_slots, Slot{0, no_place}) { cells_.reserve(usual_cells); }

    // `place` gets for each element of the block the place of its cell, if it is wanted.
    void add(const BlockRuns& runs, std::size_t begin, std::uint32_t* place) {
        std::array<std::uint32_t, block_length> hash;
        for (std::size_t i = 0; i < runs.size(); ++i) hash[i] = hash_of(runs.u[i], runs.v[i]);
        for (std::size_t i = 0; i < runs.size(); ++i) {
            constexpr std::size_t ahead = 16;
            if (i + ahead < runs.size()) prefetch(&slots_[hash[i + ahead] & mask()]);
            const std::size_t length = runs.start(i + 1) - runs.start(i);
            const std::uint32_t at = add({runs.u[i], runs.v[i], length, begin + runs.start(i)}, hash[i]);
            if (place != nullptr) std::fill_n(place + runs.start(i), length, at);
        }
    }

    // The places here of the other table's cells.
    std::vector<std::uint32_t> add(const RunTable& other) {
        std::vector<std::uint32_t> places;
        places.reserve(other.cells_.size());
        for (const RunCell& cell : other.cells_) places.push_back(add(cell, hash_of(cell.u, cell.v)));
        return places;
    }

    std::size_t size() const { return cells_.size(); }

    std::vector<RunCell> take() { return std::exchange(cells_, {}); }

private:
    struct Slot {
        std::uint32_t hash, place;
    };

    static constexpr std::size_t initial_slots = 1024;
    static constexpr std::size_t usual_cells = std::size_t{1} << 20;  // memory that is not touched costs nothing
    static constexpr std::uint32_t no_place = std::numeric_limits<std::uint32_t>::max();

    std::size_t mask() const { return slots_.size() - 1; }

    std::uint32_t hash_of(std::uint64_t u, std::uint64_t v) const {
        return static_cast<std::uint32_t>(fold(hasher_(u), v ^ hasher_.seed) ^ v);
    }

    std::uint32_t add(const RunCell& cell, std::uint32_t hash) {
        std::size_t at = hash & mask();
        for (; slots_[at].place != no_place; at = (at + 1) & mask()) {
            if (slots_[at].hash != hash) continue;
            RunCell& known = cells_[slots_[at].place];
            if (known.u != cell.u || known.v != cell.v) continue;
            known.n += cell.n;
            known.first = std::min(known.first, cell.first);
            return slots_[at].place;
        }
        const auto place = static_cast<std::uint32_t>(cells_.size());
        slots_[at] = {hash, place};
        cells_.push_back(cell);
        if (cells_.size() * 2 > slots_.size()) grow();
        return place;
    }

    void grow() {
        std::vector<Slot> larger(slots_.size() * 4, Slot{0, no_place});
        larger.swap(slots_);
        for (const Slot& slot : larger) {
            if (slot.place == no_place) continue;
            std::size_t at = slot.hash & mask();
            while (slots_[at].place != no_place) at = (at + 1) & mask();
            slots_[at] = slot;
        }
    }

    Hasher hasher_;
    std::vector<Slot> slots_;
    std::vector<RunCell> cells_;
};

// How many cells are worth it: none where runs are short, and only few where they are not long, since then a
// table beyond the caches would be slower than what is done for random labels.
inline std::size_t most_run_cells(const Labels& u, const Labels& v) {
    constexpr double short_run = 3, long_run = 8;
    constexpr std::size_t worth_looking = 2 * worth_guessing;
    if (u.length < worth_looking) return 0;
    const double mean = mean_run(u, v);
    if (mean < short_run) return 0;
    constexpr std::size_t most_places = std::size_t{1} << 30;
    return mean < long_run ? u.length / 64 : most_places;
}

// The cells, in no order, those of dropped labels included; nothing where runs are too short, or a label does not
// fit into its copy. `place` gets the place of each element's cell among them, if it is wanted.
inline std::optional<std::vector<RunCell>> all_run_cells(const Labels& u, const Labels& v, std::size_t most, unsigned threads,
                                                         Control& control, std::uint32_t* place = nullptr) {
    constexpr std::size_t task_length = std::size_t{1} << 16;
    if (most == 0) return std::nullopt;
    const std::size_t tasks = (u.length + task_length - 1) / task_length;
    std::vector<std::optional<RunTable>> tables(std::max(1U, threads));
    std::vector<unsigned> worker_of(tasks, 0);
    std::atomic<bool> given_up{false};
    parallel_for(control, threads, tasks, [&](unsigned worker, std::size_t task) {
        if (given_up.load(std::memory_order_relaxed)) return;
        if (!tables[worker]) tables[worker].emplace();
        RunTable& table = *tables[worker];
        worker_of[task] = worker;
        BlockRuns runs;
        const std::size_t end = std::min(u.length, (task + 1) * task_length);
        for (std::size_t begin = task * task_length; begin < end; begin += block_length) {
            if (!runs.find(u, v, begin, std::min(block_length, end - begin)))
                return given_up.store(true, std::memory_order_relaxed);
            table.add(runs, begin, place == nullptr ? nullptr : place + begin);
        }
        if (table.size() > most) given_up.store(true, std::memory_order_relaxed);
    });
    if (given_up) return std::nullopt;
    std::optional<RunTable> all;
    std::vector<std::vector<std::uint32_t>> moved(tables.size());  // the places of a worker's cells, where they changed
    for (std::size_t worker = 0; worker < tables.size(); ++worker) {
        std::optional<RunTable>& table = tables[worker];
        if (!table) continue;
        if (!all) {
            all = std::move(table);
        } else {
            moved[worker] = all->add(*table);
            table.reset();
        }
    }
    if (place != nullptr)
        parallel_for(control, threads, tasks, [&](unsigned, std::size_t task) {
            const std::vector<std::uint32_t>& places = moved[worker_of[task]];
            if (places.empty()) return;
            const std::size_t end = std::min(u.length, (task + 1) * task_length);
            for (std::size_t i = task * task_length; i < end; ++i) place[i] = places[place[i]];
        });
    return all->take();
}

inline void take_out_dropped(std::vector<RunCell>& cells, const Labels& u, const Labels& v) {
    if (!u.dropped && !v.dropped) return;
    // Cells go by the keys of the copies, where there are such.
    const auto u_out = u.copy ? u.copy->labels.dropped : u.dropped, v_out = v.copy ? v.copy->labels.dropped : v.dropped;
    std::erase_if(cells, [&](const RunCell& cell) { return u_out == cell.u || v_out == cell.v; });
}

inline std::optional<std::vector<RunCell>> run_cells(const Labels& u, const Labels& v, std::size_t most, unsigned threads,
                                                     Control& control) {
    auto cells = all_run_cells(u, v, most, threads, control);
    if (cells) take_out_dropped(*cells, u, v);
    return cells;
}

// The clusters of one side: the number of each cell's cluster, and the size of each cluster.
struct RunClusters {
    std::vector<std::uint32_t> number;
    std::vector<std::uint64_t> size;

    RunClusters(const std::vector<RunCell>& cells, std::uint64_t RunCell::*side) : number(cells.size()) {
        KeyRange range;
        for (const RunCell& cell : cells) range.widen({cell.*side, cell.*side});
        if (range.span() / 4 <= cells.size())
            number_by_table(cells, side, range);
        else
            number_by_hash(cells, side);
    }

private:
    void number_by_table(const std::vector<RunCell>& cells, std::uint64_t RunCell::*side, KeyRange range) {
        std::vector<std::uint32_t> numbers(range.span() + 1, no_number);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            std::uint32_t& known = numbers[cells[i].*side - range.low];
            if (known == no_number) known = fresh();
            enter(i, known, cells[i]);
        }
    }

    void number_by_hash(const std::vector<RunCell>& cells, std::uint64_t RunCell::*side) {
        const Hasher hasher;
        CodeTable table;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const auto next = static_cast<std::int64_t>(size.size());
            // Equal hashes are equal keys.
            const std::int64_t code =
                table.find_or_insert(hasher(cells[i].*side), next, [](std::int64_t) { return true; });
            enter(i, code == no_code ? fresh() : static_cast<std::uint32_t>(code), cells[i]);
        }
    }

    std::uint32_t fresh() {
        size.push_back(0);
        return static_cast<std::uint32_t>(size.size() - 1);
    }

    void enter(std::size_t i, std::uint32_t cluster, const RunCell& cell) {
        number[i] = cluster;
        size[cluster] += cell.n;
    }

    static constexpr std::uint32_t no_number = std::numeric_limits<std::uint32_t>::max();
};

inline std::vector<Triple> triples_of(const std::vector<RunCell>& cells) {
    const RunClusters rows(cells, &RunCell::u), columns(cells, &RunCell::v);
    TripleCounter triples;
    for (std::size_t i = 0; i < cells.size(); ++i)
        triples.add(cells[i].n, rows.size[rows.number[i]], columns.size[columns.number[i]]);
    std::vector<Triple> result = triples.take();
    sort_triples(result);
    return result;
}

inline PairSums pair_sums(const std::vector<RunCell>& cells) {
    const RunClusters rows(cells, &RunCell::u), columns(cells, &RunCell::v);
    Uint128 squares = 0;
    for (const RunCell& cell : cells) squares += product(cell.n, cell.n);
    return {sum_of(rows.size), squares, sum_of_squares(rows.size), sum_of_squares(columns.size)};
}

}  // namespace concordant
