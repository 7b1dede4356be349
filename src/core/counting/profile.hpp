// The profile of two labellings, or the sums of squares alone that pair counts need.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "counting/banded_table.hpp"
#include "counting/dense_table.hpp"
#include "counting/pair_sums.hpp"
#include "counting/partitioned_profile.hpp"
#include "counting/table_shape.hpp"
#include "counting/triples.hpp"
#include "labels/labels.hpp"

namespace concordant {

// The range of some of the labels, from the start, the end and between.
inline KeyRange sample_range(const Labels& labels) {
    constexpr std::size_t samples = 2048;
    const std::size_t step = labels.length / samples;
    KeyRange range = scan_range(labels, 0, samples);
    range.widen(scan_range(labels, labels.length - samples, samples));
    for (std::size_t i = 0; i < samples; ++i) range.widen(scan_range(labels, i * step, 1));
    return range;
}

struct Ranges {
    KeyRange u, v;
};

inline Ranges full_ranges(const Labels& u, const Labels& v, unsigned threads, Control& control) {
    constexpr std::size_t task_length = std::size_t{1} << 18;
    const std::size_t tasks = (u.length + task_length - 1) / task_length;
    std::vector<Ranges> partial(tasks);
    parallel_for(control, threads, tasks, [&](unsigned, std::size_t task) {
        const std::size_t begin = task * task_length, count = std::min(task_length, u.length - begin);
        partial[task] = {scan_range(u, begin, count), scan_range(v, begin, count)};
    });
    Ranges ranges;
    for (const Ranges& part : partial) {
        ranges.u.widen(part.u);
        ranges.v.widen(part.v);
    }
    return ranges;
}

// What `from_table` makes of a table of all labels between these, if there can be one.
template <class FromTable>
auto from_table_within(const Labels& u, const Labels& v, const Ranges& ranges, unsigned threads, Control& control,
                 FromTable from_table) {
    if (const auto shape = direct_shape(ranges.u, ranges.v, u.length))
        return from_dense_table(u, v, *shape, threads, control, from_table);
    if (const auto shape = banded_shape(ranges.u, ranges.v, u.length))
        return from_banded_table(u, v, *shape, threads, control, from_table);
    return decltype(from_dense_table(u, v, TableShape{}, threads, control, from_table)){};
}

// Counts a table or, where labels are too many for one, triples, and hands over what was counted.
template <class FromTable, class FromTriples>
auto count_overlaps(const Labels& u, const Labels& v, unsigned threads, Control& control, FromTable from_table,
           FromTriples from_triples) {
    // Reading everything once to learn the range costs as much as counting: long labels are
    // counted on the range of a sample, and only if that proves wrong by the range of all.
    constexpr std::size_t worth_guessing = std::size_t{1} << 16;
    if (u.length >= worth_guessing)
        if (auto result = from_table_within(u, v, {sample_range(u), sample_range(v)}, threads, control, from_table))
            return *std::move(result);
    const Ranges ranges = full_ranges(u, v, threads, control);
    if (auto result = from_table_within(u, v, ranges, threads, control, from_table)) return *std::move(result);
    return from_triples(partitioned_profile(u, v, ranges.u, ranges.v, threads, control));
}

// Distinct triples sorted by (a, b, n), the same for any number of threads. `u` and `v` are of the
// same length.
inline std::vector<Triple> profile(const Labels& u, const Labels& v, unsigned threads, Control& control) {
    if (u.length == 0) return {};
    return count_overlaps(
        u, v, threads, control, [&](auto&& table, unsigned team) { return table.triples(team, control); },
        [](std::vector<Triple> triples) { return triples; });
}

// The sums alone, which take less time than the triples.
inline PairSums pair_sums(const Labels& u, const Labels& v, unsigned threads, Control& control) {
    if (u.length == 0) return {0, 0, 0};
    return count_overlaps(
        u, v, threads, control, [&](auto&& table, unsigned team) { return table.pair_sums(team, control); },
        [](const std::vector<Triple>& triples) { return pair_sums(triples); });
}

}  // namespace concordant
