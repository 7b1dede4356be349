// Two labellings to their profile.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "direct.hpp"
#include "labels.hpp"
#include "parallel.hpp"
#include "partitioned.hpp"
#include "triples.hpp"

namespace concordant {

namespace detail {

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

}  // namespace detail

// Distinct triples sorted by (a, b, n), the same for any number of threads. `u` and `v` are of the
// same length.
inline std::vector<Triple> profile(const Labels& u, const Labels& v, unsigned threads, Control& control) {
    if (u.length == 0) return {};

    // Reading everything once to learn the range costs as much as counting: long labels are
    // counted on the range of a sample, and only if that proves wrong by the range of all.
    constexpr std::size_t worth_guessing = std::size_t{1} << 16;
    if (u.length >= worth_guessing) {
        if (const auto guess = detail::table_shape(detail::sample_range(u), detail::sample_range(v), u.length))
            if (auto triples = detail::direct_profile(u, v, *guess, threads, control)) return *std::move(triples);
    }
    const detail::Ranges ranges = detail::full_ranges(u, v, threads, control);
    if (const auto shape = detail::table_shape(ranges.u, ranges.v, u.length))
        return *detail::direct_profile(u, v, *shape, threads, control);
    return detail::partitioned_profile(u, v, ranges.u, ranges.v, threads, control);
}

}  // namespace concordant
