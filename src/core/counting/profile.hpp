// The profile of two labellings, or the sums of squares alone that pair counts need.
#pragma once

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
#include "labels/label_ranges.hpp"
#include "labels/labels.hpp"
#include "labels/narrow_copy.hpp"

namespace concordant {

struct Ranges {
    KeyRange u, v;
};

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
    if (u.length >= worth_guessing)
        if (auto result = from_table_within(u, v, {sample_range(u), sample_range(v)}, threads, control, from_table))
            return *std::move(result);
    const Ranges ranges{full_range(u, threads, control), full_range(v, threads, control)};
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

// The profile, and the labels that were counted, in memory of our own.
struct KeptProfile {
    std::vector<Triple> triples;
    NarrowCopy u, v;
};

inline KeptProfile kept_profile(const Labels& u, const Labels& v, unsigned threads, Control& control) {
    const auto from_table = [&](auto&& table, unsigned team) { return table.triples(team, control); };
    if (u.length != 0) {
        const bool guess = u.length >= worth_guessing;
        const Ranges ranges = guess ? Ranges{sample_range(u), sample_range(v)}
                                    : Ranges{full_range(u, threads, control), full_range(v, threads, control)};
        if (direct_shape(ranges.u, ranges.v, u.length) || banded_shape(ranges.u, ranges.v, u.length)) {
            NarrowCopy u_copy(u, narrow_type(u.type, ranges.u)), v_copy(v, narrow_type(v.type, ranges.v));
            Labels u_copied = u, v_copied = v;
            u_copied.copy = &u_copy;
            v_copied.copy = &v_copy;
            if (auto triples = from_table_within(u_copied, v_copied, ranges, threads, control, from_table))
                return {*std::move(triples), std::move(u_copy), std::move(v_copy)};
        }
    }
    CopyWithRange u_own = copy_narrowed(u, threads, control), v_own = copy_narrowed(v, threads, control);
    const Ranges ranges{u_own.range, v_own.range};
    std::vector<Triple> triples;
    if (u.length != 0) {
        auto found = from_table_within(u_own.copy.labels, v_own.copy.labels, ranges, threads, control, from_table);
        triples = found ? *std::move(found)
                        : partitioned_profile(u_own.copy.labels, v_own.copy.labels, ranges.u, ranges.v, threads, control);
    }
    return {std::move(triples), std::move(u_own.copy), std::move(v_own.copy)};
}

// The sums alone, which take less time than the triples.
inline PairSums pair_sums(const Labels& u, const Labels& v, unsigned threads, Control& control) {
    if (u.length == 0) return {0, 0, 0};
    return count_overlaps(
        u, v, threads, control, [&](auto&& table, unsigned team) { return table.pair_sums(team, control); },
        [](const std::vector<Triple>& triples) { return pair_sums(triples); });
}

}  // namespace concordant
