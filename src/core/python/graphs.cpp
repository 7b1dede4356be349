// The graph of overlapping clusters: matchings, connected components, cuts, and what clusters have at most.
#include "python/bindings.hpp"

#include <nanobind/stl/pair.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "graph/assignment.hpp"
#include "graph/blocks.hpp"
#include "graph/differing.hpp"
#include "graph/groups.hpp"
#include "graph/verdicts.hpp"
#include "python/buffers.hpp"
#include "python/calls.hpp"

namespace concordant::python {

namespace {

using namespace nb::literals;

IntArray best_assignment(nb::handle row, nb::handle column, nb::handle weight, std::int64_t max_cells) {
    const BufferView row_view(row, "row"), column_view(column, "column"), weight_view(weight, "weight");
    const Labels rows = row_view.labels(), columns = column_view.labels();
    const std::int64_t* weights = weight_view.int64s();
    require_equal_lengths(row_view, column_view);
    require_equal_lengths(row_view, weight_view);
    if (max_cells < 0) throw nb::value_error("max_cells must not be negative");
    const std::size_t limit = max_cells == 0 ? std::size_t{1} << 28 : static_cast<std::size_t>(max_cells);
    return to_array(run([&](Control& control) { return assignment(rows, columns, weights, limit, control); }));
}

nb::tuple block_arrays(nb::handle row, nb::handle column) {
    const BufferView rows(row, "row"), columns(column, "column");
    const std::int64_t *row_of = rows.int64s(), *column_of = columns.int64s();
    require_equal_lengths(rows, columns);
    Blocks blocks = run([&](Control& control) { return find_blocks(row_of, column_of, rows.length(), control); });
    return nb::make_tuple(to_array(std::move(blocks.of_row)), to_array(std::move(blocks.of_column)));
}

nb::tuple grouped_tuple(Grouped grouped) {
    return nb::make_tuple(to_array(std::move(grouped.position)), to_array(std::move(grouped.start)));
}

nb::tuple largest_first_arrays(nb::handle group, nb::handle key, int threads) {
    const BufferView groups(group, "group"), keys(key, "key");
    const std::int64_t *group_of = groups.int64s(), *key_of = keys.int64s();
    require_equal_lengths(groups, keys);
    const unsigned team = thread_count(threads, groups.length());
    return grouped_tuple(
        run([&](Control& control) { return largest_first(group_of, key_of, groups.length(), team, control); }));
}

nb::tuple grouped_arrays(nb::handle group, int threads) {
    const BufferView groups(group, "group");
    const std::int64_t* group_of = groups.int64s();
    const unsigned team = thread_count(threads, groups.length());
    return grouped_tuple(
        run([&](Control& control) { return grouped(GroupNumbers(group_of, groups.length()), team, control); }));
}

IntArray group_sum_array(nb::handle group, nb::handle values, std::int64_t groups, int threads) {
    const BufferView numbers(group, "group"), value_view(values, "values");
    const std::int64_t *group_of = numbers.int64s(), *value = value_view.int64s();
    require_equal_lengths(numbers, value_view);
    const std::size_t least = groups < 0 ? 0 : static_cast<std::size_t>(groups), length = numbers.length();
    const unsigned team = thread_count(threads, length);
    return to_array(run([&](Control& control) {
        return group_sums(GroupNumbers(group_of, length), value, least, team, control);
    }));
}

IntArray largest_array(nb::handle group, nb::handle key, int threads) {
    const BufferView groups(group, "group"), keys(key, "key");
    const std::int64_t *group_of = groups.int64s(), *key_of = keys.int64s();
    require_equal_lengths(groups, keys);
    const unsigned team = thread_count(threads, groups.length());
    return to_array(run([&](Control& control) {
        return largest_in(GroupNumbers(group_of, groups.length()), key_of, team, control);
    }));
}

IntArray best_fraction_array(nb::handle group, nb::handle numerator, nb::handle denominator, int threads) {
    const BufferView groups(group, "group"), above(numerator, "numerator"), below(denominator, "denominator");
    const std::int64_t *group_of = groups.int64s(), *numerators = above.int64s(), *denominators = below.int64s();
    require_equal_lengths(groups, above);
    require_equal_lengths(groups, below);
    const unsigned team = thread_count(threads, groups.length());
    return to_array(run([&](Control& control) {
        return best_fractions(GroupNumbers(group_of, groups.length()), numerators, denominators, team, control);
    }));
}

SmallIntArray verdict_array(nb::handle own, nb::handle n, nb::handle other_size,
                            std::pair<std::int64_t, std::int64_t> near, std::pair<std::int64_t, std::int64_t> majority,
                            int threads) {
    const BufferView own_view(own, "own"), overlaps(n, "n"), sizes(other_size, "other_size");
    const std::int64_t *own_of = own_view.int64s(), *overlap = overlaps.int64s(), *size = sizes.int64s();
    require_equal_lengths(own_view, overlaps);
    require_equal_lengths(own_view, sizes);
    const std::size_t length = own_view.length();
    const Thresholds thresholds{{near.first, near.second}, {majority.first, majority.second}};
    const unsigned team = thread_count(threads, length);
    return to_array(run([&](Control& control) {
        return verdicts(GroupNumbers(own_of, length), overlap, size, thresholds, team, control);
    }));
}

nb::tuple differing_arrays(nb::handle row, nb::handle column, int threads) {
    const BufferView rows(row, "row"), columns(column, "column");
    const std::int64_t *row_of = rows.int64s(), *column_of = columns.int64s();
    require_equal_lengths(rows, columns);
    const unsigned team = thread_count(threads, rows.length());
    DifferingCells found =
        run([&](Control& control) { return differing_cells(row_of, column_of, rows.length(), team, control); });
    return nb::make_tuple(to_array(std::move(found.cells)), to_array(std::move(found.rows.clusters)),
                          to_array(std::move(found.rows.place)), to_array(std::move(found.columns.clusters)),
                          to_array(std::move(found.columns.place)));
}

}  // namespace

void add_graphs(nb::module_& module) {
    nb::exception<ComponentTooLarge>(module, "ComponentTooLarge", PyExc_MemoryError);
    const auto any = [](const char* name) { return nb::arg(name).none(); };  // see module.cpp
    module.def("assignment", best_assignment, any("row"), any("column"), any("weight"), "max_cells"_a = 0);
    module.def("blocks", block_arrays, any("row"), any("column"));
    module.def("grouped", grouped_arrays, any("group"), "threads"_a = 0);
    module.def("group_sums", group_sum_array, any("group"), any("values"), "groups"_a = 0, "threads"_a = 0);
    module.def("largest_in", largest_array, any("group"), any("key"), "threads"_a = 0);
    module.def("differing", differing_arrays, any("row"), any("column"), "threads"_a = 0);
    module.def("verdicts", verdict_array, any("own"), any("n"), any("other_size"), "near"_a, "majority"_a,
               "threads"_a = 0);
    module.def("largest_first", largest_first_arrays, any("group"), any("key"), "threads"_a = 0);
    module.def("best_fractions", best_fraction_array, any("group"), any("numerator"), any("denominator"),
               "threads"_a = 0);
}

}  // namespace concordant::python
