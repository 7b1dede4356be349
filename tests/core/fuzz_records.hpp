// Ids that are joined, against a map; clusters that elements share, against all pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <variant>
#include <vector>

#include "base/parallel.hpp"
#include "counting/shared_clusters.hpp"
#include "fuzzing.hpp"
#include "labels/labels.hpp"
#include "labels/record_match.hpp"

inline concordant::Labels ids_of(const std::vector<std::int64_t>& values) {
    return {reinterpret_cast<const std::byte*>(values.data()), concordant::LabelType::int64, 8, values.size()};
}

inline std::vector<std::int64_t> draw_ids(Random& random, std::size_t length, std::uint64_t step) {
    std::vector<std::int64_t> ids;
    const bool unique = random() % 3 != 0;
    const std::size_t most = 1 + below(random, 2 * length + 1);
    for (std::size_t i = 0; i < length; ++i)
        ids.push_back(static_cast<std::int64_t>((unique ? i : below(random, most)) * step));
    return ids;
}

// Where an id stands again first, or -1.
inline std::int64_t first_again(const std::vector<std::int64_t>& ids) {
    std::set<std::int64_t> seen;
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (!seen.insert(ids[i]).second) return static_cast<std::int64_t>(i);
    return -1;
}

inline void check_repetition(const concordant::Repetition& found, const std::vector<std::int64_t>& ids, unsigned long round) {
    if (found.again != first_again(ids)) fail("repeated id", round);
    if (found.again >= 0 && ids[static_cast<std::size_t>(found.first)] != ids[static_cast<std::size_t>(found.again)])
        fail("two ids that are none", round);
}

template <class Position>
void check_record_match(const concordant::RecordMatch<Position>& match, const std::vector<std::int64_t>& u,
                        const std::vector<std::int64_t>& v, unsigned long round) {
    std::map<std::int64_t, std::int64_t> place;
    for (std::size_t i = 0; i < u.size(); ++i) place.try_emplace(u[i], static_cast<std::int64_t>(i));
    std::size_t both = 0, alone = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
        const auto found = place.find(v[i]);
        const auto at = static_cast<std::int64_t>(i);
        if (found == place.end()) {
            if (alone >= match.only_v.size() || match.only_v[alone++] != at) fail("record of one list", round);
            continue;
        }
        if (both >= match.u.size || match.u[both] != found->second || match.v[both] != at) fail("record match", round);
        ++both;
    }
    if (both != match.u.size || both != match.v.size || alone != match.only_v.size()) fail("number of records", round);
    const std::set<std::int64_t> met(match.u.begin(), match.u.end());
    std::vector<std::int64_t> unmet;
    for (std::size_t i = 0; i < u.size(); ++i)
        if (!met.contains(static_cast<std::int64_t>(i))) unmet.push_back(static_cast<std::int64_t>(i));
    if (unmet != match.only_u) fail("records of the first list", round);
    check_repetition(match.in_u, u, round);
    check_repetition(match.in_v, v, round);
}

// Ids that lie near to each other and far apart; positions as wide as they need not be, too.
inline void check_record_match(Random& random, std::size_t length, unsigned long round) {
    constexpr std::uint64_t steps[] = {3, std::uint64_t{1} << 20, 0x9e3779b97f4a7c15U};
    const std::uint64_t step = steps[below(random, 3)];
    const auto u = draw_ids(random, length, step), v = draw_ids(random, below(random, length + 1), step);
    concordant::Control control;
    for (const unsigned threads : {1U, 2U, 7U}) {
        std::visit([&](const auto& match) { check_record_match(match, u, v, round); },
                   concordant::match_records(ids_of(u), ids_of(v), threads, control));
        constexpr unsigned bits = 3;
        using Wide = concordant::RecordMatcher<std::int64_t>;
        const auto ids = ids_of(u), others = ids_of(v);
        check_record_match(Wide(ids, others, bits, threads, control).match(), u, v, round);
    }
}

// -- clusters that elements share -------------------------------------------------------------------------

inline concordant::Memberships draw_memberships(Random& random, std::size_t types) {
    concordant::Memberships side;
    side.start.push_back(0);
    for (std::size_t x = 0; x < types; ++x) {
        for (std::int64_t cluster = 0; cluster < 6; ++cluster)
            if (random() % 3 == 0) side.cluster.push_back(cluster);
        side.start.push_back(static_cast<std::int64_t>(side.cluster.size()));
    }
    return side;
}

inline std::size_t shared(const concordant::Memberships& side, std::size_t x, std::size_t y) {
    const std::set<std::int64_t> of_x(side.begin(x), side.end(x));
    std::size_t both = 0;
    for (const std::int64_t* cluster = side.begin(y); cluster != side.end(y); ++cluster) both += of_x.count(*cluster);
    return both;
}

inline void check_shared_clusters(Random& random, unsigned long round) {
    const std::size_t types = below(random, 9);
    const auto u = draw_memberships(random, types), v = draw_memberships(random, types);
    std::vector<std::int64_t> elements;
    for (std::size_t x = 0; x < types; ++x) elements.push_back(static_cast<std::int64_t>(1 + below(random, 5)));
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::int64_t> expected;
    for (std::size_t x = 0; x < types; ++x)
        for (std::size_t y = 0; y < types; ++y) {
            const std::size_t p = shared(u, x, y), q = shared(v, x, y);
            const std::int64_t others = elements[y] - (x == y ? 1 : 0);
            if (p + q != 0 && others != 0)
                expected[{static_cast<std::int64_t>(x), static_cast<std::int64_t>(p), static_cast<std::int64_t>(q)}] += others;
        }
    concordant::Control control;
    for (const unsigned threads : {1U, 3U})
        for (const bool by_subsets : {true, false}) {
            const auto found = concordant::shared_clusters(u, v, elements, by_subsets, threads, control);
            decltype(expected) counts;
            for (std::size_t i = 0; i < found.count.size(); ++i)
                counts[{found.type[i], found.p[i], found.q[i]}] = found.count[i];
            if (counts != expected) fail("shared clusters", round);
        }
}
