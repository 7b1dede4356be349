#include "python/bindings.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "hierarchies/diagonal.hpp"
#include "hierarchies/level_profiles.hpp"
#include "hierarchies/pruning.hpp"
#include "hierarchies/share_levels.hpp"
#include "hierarchies/tree.hpp"
#include "hierarchies/truth_levels.hpp"
#include "python/buffers.hpp"
#include "python/calls.hpp"

namespace concordant::python {

namespace {

using namespace nb::literals;

LevelTree tree_of(const BufferView& parent, const BufferView& level, std::size_t levels) {
    if (level.length() > parent.length()) throw nb::value_error("only nodes that are not leaves have a level");
    return {parent.int64s(), parent.length(), parent.length() - level.length(), level.int64s(), levels};
}

// A tree, a label of each leaf, and with how many threads to follow them.
struct LabelledTree {
    BufferView parents, level_view, label_view;
    LevelTree tree;
    const std::int64_t* label;
    unsigned threads;

    LabelledTree(nb::handle parent, nb::handle level, std::size_t levels, nb::handle labels, int threads_given)
        : parents(parent, "parent"), level_view(level, "level"), label_view(labels, "label"),
          tree(tree_of(parents, level_view, levels)), label(label_view.int64s()), threads(thread_count(threads_given, tree.leaves)) {
        if (label_view.length() != tree.leaves) throw nb::value_error("label must have one entry for each leaf");
    }
};

nb::dict pair_level_sums(nb::handle parent, nb::handle level, std::size_t levels, nb::handle label, std::size_t labels, int threads) {
    const LabelledTree given(parent, level, levels, label, threads);
    PairLevels found = run([&](Control& control) { return pair_levels(given.tree, given.label, labels, given.threads, control); });
    nb::dict sums;
    sums["clusters"] = to_array(std::move(found.clusters));
    sums["nn"] = to_array(std::move(found.nn));
    sums["bb"] = to_array(std::move(found.bb));
    sums["largest"] = to_array(std::move(found.largest));
    sums["node_pairs"] = to_array(std::move(found.node_pairs));
    return sums;
}

nb::dict overlap_level_sums(nb::handle parent, nb::handle level, std::size_t levels, nb::handle label, std::size_t labels,
                            int threads) {
    const LabelledTree given(parent, level, levels, label, threads);
    OverlapLevels found =
        run([&](Control& control) { return overlap_levels(given.tree, given.label, labels, given.threads, control); });
    nb::dict sums;
    sums["cells"] = to_array(std::move(found.cells));
    sums["kept"] = to_array(std::move(found.kept));
    sums["cluster_best"] = to_array(std::move(found.cluster_best));
    sums["label_best"] = to_array(std::move(found.label_best));
    return sums;
}

nb::tuple share_level_sums(nb::handle parent, nb::handle level, std::size_t levels, nb::handle label, std::size_t labels,
                           int threads) {
    const LabelledTree given(parent, level, levels, label, threads);
    ShareLevels found = run([&](Control& control) { return share_levels(given.tree, given.label, labels, given.threads, control); });
    return nb::make_tuple(to_array(std::move(found.label.first)), to_array(std::move(found.label.second)),
                          to_array(std::move(found.cluster.first)), to_array(std::move(found.cluster.second)));
}

nb::tuple log_level_sums(nb::handle parent, nb::handle level, std::size_t levels, nb::handle label, std::size_t labels,
                         int threads) {
    const LabelledTree given(parent, level, levels, label, threads);
    LogLevels found = run([&](Control& control) { return log_levels(given.tree, given.label, labels, given.threads, control); });
    return nb::make_tuple(to_array(std::move(found.overlap.first)), to_array(std::move(found.overlap.second)),
                          to_array(std::move(found.cluster.first)), to_array(std::move(found.cluster.second)));
}

IntArray cluster_sum_array(nb::handle parent, nb::handle level, std::size_t levels, nb::handle values) {
    const BufferView parents(parent, "parent"), level_view(level, "level"), value_view(values, "values");
    const LevelTree tree = tree_of(parents, level_view, levels);
    const std::int64_t* value = value_view.int64s();
    require_equal_lengths(parents, value_view);
    return to_array(run([&](Control& control) { return cluster_sums(tree, value, control); }));
}

nb::tuple grown_overlap_arrays(nb::handle parent, nb::handle level, std::size_t levels, nb::handle label, std::size_t labels,
                               int threads) {
    const LabelledTree given(parent, level, levels, label, threads);
    GrownOverlaps found =
        run([&](Control& control) { return grown_overlaps(given.tree, given.label, labels, given.threads, control); });
    return nb::make_tuple(to_array(std::move(found.node)), to_array(std::move(found.label)), to_array(std::move(found.overlap)),
                          to_array(std::move(found.pairs)), to_array(std::move(found.size)));
}

void make_prunings(Prunings* made, nb::handle parent, std::size_t leaves, nb::handle squares) {
    const BufferView parents(parent, "parent"), square_view(squares, "squares");
    const Parents tree{parents.int64s(), parents.length()};
    const std::int64_t* square_of = square_view.int64s();
    require_equal_lengths(parents, square_view);
    run([&](Control& control) { new (made) Prunings(tree, leaves, square_of, control); });
}

nb::tuple best_pruning(const Prunings& prunings, std::int64_t above, std::int64_t below) {
    const PrunedPairs found = run([&](Control& control) { return prunings.best(above, below, control); });
    return nb::make_tuple(found.together, found.inside);
}

IntArray pruning_nodes(const Prunings& prunings, std::int64_t above, std::int64_t below) {
    return to_array(run([&](Control& control) { return prunings.nodes(above, below, control); }));
}

nb::tuple diagonal_arrays(nb::handle u_parent, nb::handle u_level, nb::handle v_parent, nb::handle v_level, std::size_t levels) {
    const BufferView u_parents(u_parent, "u_parent"), u_levels(u_level, "u_level");
    const BufferView v_parents(v_parent, "v_parent"), v_levels(v_level, "v_level");
    const LevelTree u = tree_of(u_parents, u_levels, levels), v = tree_of(v_parents, v_levels, levels);
    DiagonalSums found = run([&](Control& control) { return diagonal_sums(u, v, control); });
    return nb::make_tuple(to_array(std::move(found.nn)), to_array(std::move(found.cells)), to_array(std::move(found.row_best)),
                          to_array(std::move(found.column_best)));
}

std::vector<std::int64_t> copied(nb::handle integers, const char* name) {
    const BufferView view(integers, name);
    const std::int64_t* values = view.int64s();
    return {values, values + view.length()};
}

IntTable profile_at(LevelProfiles& profiles, std::size_t level) {
    const std::vector<Triple> triples = run([&](Control& control) { return profiles.at(level, control); });
    Buffer<std::int64_t> rows(4 * triples.size());
    std::int64_t* out = rows.begin();
    for (const auto member : {&Triple::n, &Triple::a, &Triple::b, &Triple::count})
        for (const Triple& triple : triples) *out++ = static_cast<std::int64_t>(triple.*member);
    return to_table(std::move(rows), 4);
}

}  // namespace

void add_levels(nb::module_& module) {
    const auto any = [](const char* name) { return nb::arg(name).none(); };
    const auto labelled = [&](const char* name, auto function) {
        module.def(name, function, any("parent"), any("level"), "levels"_a, any("label"), "labels"_a, "threads"_a = 0);
    };
    labelled("pair_levels", pair_level_sums);
    labelled("overlap_levels", overlap_level_sums);
    labelled("share_levels", share_level_sums);
    labelled("log_levels", log_level_sums);
    module.def("cluster_sums", cluster_sum_array, any("parent"), any("level"), "levels"_a, any("values"));
    labelled("grown_overlaps", grown_overlap_arrays);
    nb::class_<LevelProfiles>(module, "LevelProfiles")
        .def("__init__",
             [](LevelProfiles* made, nb::handle parent, nb::handle level, std::size_t levels, nb::handle label, std::size_t labels) {
                 new (made) LevelProfiles(copied(parent, "parent"), copied(level, "level"), levels, copied(label, "label"), labels);
             })
        .def("at", profile_at, "level"_a);
    nb::class_<Prunings>(module, "Prunings")
        .def("__init__", make_prunings, any("parent"), "leaves"_a, any("squares"))
        .def("best", best_pruning, "above"_a, "below"_a)
        .def("nodes", pruning_nodes, "above"_a, "below"_a);
    module.def("diagonal_sums", diagonal_arrays, any("u_parent"), any("u_level"), any("v_parent"), any("v_level"), "levels"_a);
}

}  // namespace concordant::python
