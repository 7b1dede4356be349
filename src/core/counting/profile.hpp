// The profile of two labellings, or the sums of squares alone that pair counts need.
#pragma once

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "counting/banded_table.hpp"
#include "counting/dense_table.hpp"
#include "counting/differing_marks.hpp"
#include "counting/pair_sums.hpp"
#include "counting/partitioned_profile.hpp"
#include "counting/partitioned_runs.hpp"
#include "counting/run_table.hpp"
#include "counting/table_shape.hpp"
#include "counting/triples.hpp"
#include "labels/label_ranges.hpp"
#include "labels/labels.hpp"
#include "labels/narrow_copy.hpp"

namespace concordant {

struct Ranges {
    KeyRange u, v;
};

// The result of `from_table` for a table of all labels in these ranges; empty if the table would be too large.
template <class FromTable>
auto from_table_within(const Labels& u, const Labels& v, const Ranges& ranges, unsigned threads, Control& control,
                 FromTable from_table) {
    using Result = decltype(from_dense_table(u, v, TableShape{}, threads, control, from_table));
    constexpr bool of_pairs = std::is_same_v<Result, std::optional<PairSums>>;
    if (const auto shape = direct_shape(ranges.u, ranges.v, u.length))
        return from_dense_table(u, v, *shape, threads, control, from_table);
    if (const auto shape = banded_shape(ranges.u, ranges.v, u.length, of_pairs))
        return from_banded_table(u, v, *shape, threads, control, from_table);
    return Result{};
}

// Counts a table or, if there are too many labels for one, triples, and passes the counts on.
template <class FromTable, class FromTriples>
auto count_overlaps(const Labels& u, const Labels& v, unsigned threads, Control& control, FromTable from_table,
                    FromTriples from_triples, DifferingMarks* marks = nullptr) {
    if (u.length >= worth_guessing)
        if (auto result = from_table_within(u, v, {sample_range(u), sample_range(v)}, threads, control, from_table))
            return *std::move(result);
    const Ranges ranges{full_range(u, threads, control), full_range(v, threads, control)};
    if (auto result = from_table_within(u, v, ranges, threads, control, from_table)) return *std::move(result);
    return from_triples(partitioned_profile(u, v, ranges.u, ranges.v, threads, control, marks));
}

// The same for labels in about this many runs: by a table or a sink of cells; empty if the labels are not in runs.
template <class Sink, class FromTable, class FromSink>
auto count_runs(const Labels& u, const Labels& v, std::size_t runs, unsigned threads, Control& control,
                FromTable from_table, FromSink from_sink) -> std::optional<decltype(from_sink(std::declval<Sink>()))> {
    constexpr std::size_t runs_per_cell = 8;  // with fewer, partitioning is faster
    if (runs == 0) return std::nullopt;
    if (const auto shape = direct_shape(likely_range(u), likely_range(v), u.length, true))
        if (auto result = from_dense_table(u, v, *shape, threads, control, from_table)) return result;
    if (seem_ascending(u))
        if (auto sink = sum_over_runs<Sink>(u, v, runs, true, threads, control)) return from_sink(*std::move(sink));
    if (const auto table = run_cells(u, v, runs_per_cell, threads, control)) return from_sink(sum_over_cells<Sink>(*table));
    if (auto sink = sum_over_runs<Sink>(u, v, runs, false, threads, control)) return from_sink(*std::move(sink));
    return std::nullopt;
}

inline std::optional<std::vector<Triple>> triples_of_runs(const Labels& u, const Labels& v, std::size_t runs,
                                                          unsigned threads, Control& control) {
    const auto from_table = [&](auto&& table, unsigned team) { return table.triples(team, control); };
    const auto from_sink = [](TripleCounter triples) { return triples.take_sorted(); };
    return count_runs<TripleCounter>(u, v, runs, threads, control, from_table, from_sink);
}

// Distinct triples sorted by (a, b, n), the same for any number of threads. `u` and `v` are of the
// same length. `marks`, if any, gets the clusters of `v` that differ, if these are known.
inline std::vector<Triple> profile(const Labels& u, const Labels& v, unsigned threads, Control& control,
                                   DifferingMarks* marks = nullptr) {
    if (u.length == 0) return {};
    const auto from_table = [&](auto&& table, unsigned team) { return table.triples(team, control); };
    if (auto triples = triples_of_runs(u, v, runs_expected(u, v), threads, control)) return *std::move(triples);
    return count_overlaps(u, v, threads, control, from_table, [](std::vector<Triple> triples) { return triples; }, marks);
}

// The profile, and the labels that were counted, in memory of our own.
struct KeptProfile {
    std::vector<Triple> triples;
    NarrowCopy u, v;
};

// The profile of labels in runs, copied to the narrowest type for these ranges; empty if they do not fit.
inline std::optional<KeptProfile> kept_profile_of_runs(const Labels& u, const Labels& v, const Ranges& ranges,
                                                       std::size_t runs, unsigned threads, Control& control) {
    NarrowCopy u_copy(u, narrow_type(u.type, ranges.u)), v_copy(v, narrow_type(v.type, ranges.v));
    Labels u_copied = u, v_copied = v;
    u_copied.copy = &u_copy;
    v_copied.copy = &v_copy;
    auto triples = triples_of_runs(u_copied, v_copied, runs, threads, control);
    if (!triples) return std::nullopt;
    return KeptProfile{*std::move(triples), std::move(u_copy), std::move(v_copy)};
}

inline std::optional<KeptProfile> kept_profile_of_runs(const Labels& u, const Labels& v, unsigned threads, Control& control) {
    const std::size_t runs = runs_expected(u, v);
    if (runs == 0) return std::nullopt;
    const Ranges guess{sample_range(u), sample_range(v)};
    if (auto kept = kept_profile_of_runs(u, v, guess, runs, threads, control)) return kept;
    const Ranges all{full_range(u, threads, control), full_range(v, threads, control)};
    const bool fits = narrow_type(u.type, all.u).type == narrow_type(u.type, guess.u).type &&
                      narrow_type(v.type, all.v).type == narrow_type(v.type, guess.v).type;
    return fits ? std::nullopt : kept_profile_of_runs(u, v, all, runs, threads, control);
}

inline KeptProfile kept_profile(const Labels& u, const Labels& v, unsigned threads, Control& control,
                                DifferingMarks* marks = nullptr) {
    if (auto kept = kept_profile_of_runs(u, v, threads, control)) return *std::move(kept);
    const auto from_table = [&](auto&& table, unsigned team) { return table.triples(team, control); };
    if (u.length != 0) {
        const bool guess = u.length >= worth_guessing;
        const Ranges ranges = guess ? Ranges{sample_range(u), sample_range(v)}
                                    : Ranges{full_range(u, threads, control), full_range(v, threads, control)};
        if (direct_shape(ranges.u, ranges.v, u.length) || banded_shape(ranges.u, ranges.v, u.length, false)) {
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
        const Labels &u_labels = u_own.copy.labels, &v_labels = v_own.copy.labels;
        auto found = from_table_within(u_labels, v_labels, ranges, threads, control, from_table);
        triples = found ? *std::move(found)
                        : partitioned_profile(u_labels, v_labels, ranges.u, ranges.v, threads, control, marks);
    }
    return {std::move(triples), std::move(u_own.copy), std::move(v_own.copy)};
}

// The sums alone, which take less time than the triples.
inline PairSums pair_sums(const Labels& u, const Labels& v, unsigned threads, Control& control) {
    if (u.length == 0) return {0, 0, 0, 0};
    const auto from_table = [&](auto&& table, unsigned team) { return table.pair_sums(team, control); };
    const auto from_sink = [](const PairSummer& summer) { return summer.sums; };
    if (const auto sums = count_runs<PairSummer>(u, v, runs_expected(u, v), threads, control, from_table, from_sink))
        return *sums;
    return count_overlaps(u, v, threads, control, from_table,
                          [](const std::vector<Triple>& triples) { return pair_sums(triples); });
}

}  // namespace concordant
