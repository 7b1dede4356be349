#include "counting/profile.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "counting/banded_table.hpp"
#include "counting/dense_table.hpp"
#include "counting/partitioned_profile.hpp"
#include "counting/partitioned_runs.hpp"
#include "counting/run_table.hpp"
#include "counting/table_shape.hpp"
#include "labels/label_ranges.hpp"

namespace concordant {

namespace {

struct Ranges {
    KeyRange u, v;
};

// A Result is a profile or PairSums; a Sink collects it from single cells.
using Profile = std::vector<Triple>;
template <class Result>
using SinkOf = std::conditional_t<std::is_same_v<Result, Profile>, TripleCounter, PairSummer>;

Profile result_of(TripleCounter&& sink) { return sink.take_sorted(); }
PairSums result_of(PairSummer&& sink) { return sink.sums; }

// Empty if there is no table, because a label was outside its shape.
template <class Result, class Table>
std::optional<Result> result_of(std::optional<Table> table, Control& control) {
    if (!table) return std::nullopt;
    if constexpr (std::is_same_v<Result, Profile>)
        return table->triples(control);
    else
        return table->pair_sums(control);
}

// Counts of 32 bits take half of the cache, and are enough for fewer than 2^32 elements.
bool fits_narrow_counts(const Labels& labels) { return labels.length <= std::numeric_limits<std::uint32_t>::max(); }

template <class Result>
std::optional<Result> by_dense_table(const Labels& u, const Labels& v, const TableShape& shape, unsigned threads,
                                     Control& control) {
    return fits_narrow_counts(u) ? result_of<Result>(dense_table<std::uint32_t>(u, v, shape, threads, control), control)
                                 : result_of<Result>(dense_table<std::uint64_t>(u, v, shape, threads, control), control);
}

// By a table of all labels in these ranges; empty if the table would be too large.
template <class Result>
std::optional<Result> by_table_within(const Labels& u, const Labels& v, const Ranges& ranges, unsigned threads,
                                      Control& control) {
    if (const auto shape = direct_shape(ranges.u, ranges.v, u.length))
        return by_dense_table<Result>(u, v, *shape, threads, control);
    const auto shape = banded_shape(ranges.u, ranges.v, u.length, std::is_same_v<Result, PairSums>);
    if (!shape) return std::nullopt;
    return fits_narrow_counts(u) ? result_of<Result>(banded_table<std::uint32_t>(u, v, *shape, threads, control), control)
                                 : result_of<Result>(banded_table<std::uint64_t>(u, v, *shape, threads, control), control);
}

// By a table or, if there are too many labels for one, by partitions.
template <class Result>
Result by_table_or_partitions(const Labels& u, const Labels& v, unsigned threads, Control& control,
                              DifferingMarks* marks) {
    if (u.length >= worth_guessing)
        if (auto result = by_table_within<Result>(u, v, {sample_range(u), sample_range(v)}, threads, control))
            return *std::move(result);
    const Ranges ranges{full_range(u, threads, control), full_range(v, threads, control)};
    if (auto result = by_table_within<Result>(u, v, ranges, threads, control)) return *std::move(result);
    Profile triples = partitioned_profile(u, v, ranges.u, ranges.v, threads, control, marks);
    if constexpr (std::is_same_v<Result, Profile>)
        return triples;
    else
        return pair_sums(triples);
}

// The same for labels in about this many runs: by a table or a sink of cells; empty if the labels are not in runs.
template <class Result>
std::optional<Result> by_runs(const Labels& u, const Labels& v, std::size_t runs, unsigned threads, Control& control) {
    using Sink = SinkOf<Result>;
    constexpr std::size_t runs_per_cell = 8;  // with fewer, partitioning is faster
    if (runs == 0) return std::nullopt;
    if (const auto shape = direct_shape(likely_range(u), likely_range(v), u.length, true))
        if (auto result = by_dense_table<Result>(u, v, *shape, threads, control)) return result;
    if (const auto table = run_cells(u, v, runs_per_cell, threads, control)) return result_of(sum_over_cells<Sink>(*table));
    if (auto sink = sum_over_runs<Sink>(u, v, runs, threads, control)) return result_of(*std::move(sink));
    return std::nullopt;
}

// The profile of labels in runs, copied to the narrowest type for these ranges; empty if they do not fit.
std::optional<KeptProfile> kept_profile_of_runs(const Labels& u, const Labels& v, const Ranges& ranges, std::size_t runs,
                                                unsigned threads, Control& control) {
    NarrowCopy u_copy(u, narrow_type(u.type, ranges.u)), v_copy(v, narrow_type(v.type, ranges.v));
    Labels u_copied = u, v_copied = v;
    u_copied.copy = &u_copy;
    v_copied.copy = &v_copy;
    auto triples = by_runs<Profile>(u_copied, v_copied, runs, threads, control);
    if (!triples) return std::nullopt;
    return KeptProfile{*std::move(triples), std::move(u_copy), std::move(v_copy)};
}

std::optional<KeptProfile> kept_profile_of_runs(const Labels& u, const Labels& v, unsigned threads, Control& control) {
    const std::size_t runs = runs_expected(u, v);
    if (runs == 0) return std::nullopt;
    const Ranges guess{sample_range(u), sample_range(v)};
    if (auto kept = kept_profile_of_runs(u, v, guess, runs, threads, control)) return kept;
    const Ranges all{full_range(u, threads, control), full_range(v, threads, control)};
    const bool fits = narrow_type(u.type, all.u).type == narrow_type(u.type, guess.u).type &&
                      narrow_type(v.type, all.v).type == narrow_type(v.type, guess.v).type;
    return fits ? std::nullopt : kept_profile_of_runs(u, v, all, runs, threads, control);
}

}  // namespace

std::vector<Triple> profile(const Labels& u, const Labels& v, unsigned threads, Control& control, DifferingMarks* marks) {
    if (u.length == 0) return {};
    if (auto triples = by_runs<Profile>(u, v, runs_expected(u, v), threads, control)) return *std::move(triples);
    return by_table_or_partitions<Profile>(u, v, threads, control, marks);
}

KeptProfile kept_profile(const Labels& u, const Labels& v, unsigned threads, Control& control, DifferingMarks* marks) {
    if (auto kept = kept_profile_of_runs(u, v, threads, control)) return *std::move(kept);
    if (u.length != 0) {
        const bool guess = u.length >= worth_guessing;
        const Ranges ranges = guess ? Ranges{sample_range(u), sample_range(v)}
                                    : Ranges{full_range(u, threads, control), full_range(v, threads, control)};
        if (direct_shape(ranges.u, ranges.v, u.length) || banded_shape(ranges.u, ranges.v, u.length, false)) {
            NarrowCopy u_copy(u, narrow_type(u.type, ranges.u)), v_copy(v, narrow_type(v.type, ranges.v));
            Labels u_copied = u, v_copied = v;
            u_copied.copy = &u_copy;
            v_copied.copy = &v_copy;
            if (auto triples = by_table_within<Profile>(u_copied, v_copied, ranges, threads, control))
                return {*std::move(triples), std::move(u_copy), std::move(v_copy)};
        }
    }
    CopyWithRange u_own = copy_narrowed(u, threads, control), v_own = copy_narrowed(v, threads, control);
    const Ranges ranges{u_own.range, v_own.range};
    std::vector<Triple> triples;
    if (u.length != 0) {
        const Labels &u_labels = u_own.copy.labels, &v_labels = v_own.copy.labels;
        auto found = by_table_within<Profile>(u_labels, v_labels, ranges, threads, control);
        triples = found ? *std::move(found)
                        : partitioned_profile(u_labels, v_labels, ranges.u, ranges.v, threads, control, marks);
    }
    return {std::move(triples), std::move(u_own.copy), std::move(v_own.copy)};
}

PairSums pair_sums(const Labels& u, const Labels& v, unsigned threads, Control& control) {
    if (u.length == 0) return {0, 0, 0, 0};
    if (const auto sums = by_runs<PairSums>(u, v, runs_expected(u, v), threads, control)) return *sums;
    return by_table_or_partitions<PairSums>(u, v, threads, control, nullptr);
}

}  // namespace concordant
