#include "python/bindings.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "hierarchies/pair_forest.hpp"
#include "hierarchies/tree.hpp"
#include "python/buffers.hpp"
#include "python/calls.hpp"

namespace concordant::python {

namespace {

using namespace nb::literals;

IntArray nearest_marked_array(nb::handle parent, nb::handle marked) {
    const BufferView parents(parent, "parent"), marks(marked, "marked");
    const Parents tree{parents.int64s(), parents.length()};
    const bool* is_marked = marks.bools();
    require_equal_lengths(parents, marks);
    return to_array(run([&](Control& control) { return nearest_marked(tree, is_marked, control); }));
}

IntArray subtree_sum_array(nb::handle parent, nb::handle values) {
    const BufferView parents(parent, "parent"), value(values, "values");
    const Parents tree{parents.int64s(), parents.length()};
    const std::int64_t* value_of = value.int64s();
    require_equal_lengths(parents, value);
    return to_array(run([&](Control& control) { return subtree_sums(tree, value_of, control); }));
}

void add_pairs(PairForest& forest, nb::handle left, nb::handle right, nb::handle score) {
    const BufferView lefts(left, "left"), rights(right, "right"), scores(score, "score");
    const std::int64_t *left_of = lefts.int64s(), *right_of = rights.int64s();
    const double* score_of = scores.doubles();
    require_equal_lengths(lefts, rights);
    require_equal_lengths(lefts, scores);
    run([&](Control& control) { forest.add(left_of, right_of, score_of, lefts.length(), control); });
}

nb::tuple finished_forest(PairForest& forest, std::size_t records) {
    Forest found = run([&](Control& control) { return forest.finish(records, control); });
    return nb::make_tuple(to_array(std::move(found.parent)), to_array(std::move(found.score)),
                          to_array(std::move(found.level)));
}

}  // namespace

void add_hierarchies(nb::module_& module) {
    const auto any = [](const char* name) { return nb::arg(name).none(); };
    module.def("nearest_marked", nearest_marked_array, any("parent"), any("marked"));
    module.def("subtree_sums", subtree_sum_array, any("parent"), any("values"));
    nb::class_<PairForest>(module, "PairForest")
        .def(nb::init<std::size_t>(), "most_pending"_a = std::size_t{1} << 24)
        .def("add", add_pairs, any("left"), any("right"), any("score"))
        .def("finish", finished_forest, "records"_a);
}

}  // namespace concordant::python
