// The kinds of cells, and the components of sliced records as a Python object.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "chance/slice_components.hpp"
#include "counting/cell_kinds.hpp"
#include "graph/groups.hpp"
#include "python/bindings.hpp"
#include "python/buffers.hpp"
#include "python/calls.hpp"

namespace concordant::python {

namespace {

using namespace nb::literals;

void require_length(const BufferView& view, std::size_t length) {
    if (view.length() != length) throw nb::value_error("an array has another length");
}

nb::object slice_components(nb::handle cell, nb::handle slice, nb::handle kind, nb::handle records, nb::handle values,
                            std::size_t sums, nb::handle component, nb::handle row, nb::handle column, int threads) {
    const BufferView cells(cell, "cell"), slices(slice, "slice"), kinds(kind, "kind"), counts(records, "records");
    const BufferView value(values, "values"), components(component, "component"), rows(row, "row"), columns(column, "column");
    const auto numbers = [](const BufferView& view) { return GroupNumbers(view.int64s(), view.length()); };
    const SlicedPieces pieces{numbers(cells), numbers(slices), numbers(kinds), numbers(components), numbers(rows),
                              numbers(columns), counts.int64s(), value.doubles(), sums};
    for (const BufferView* view : {&slices, &counts}) require_length(*view, cells.length());
    if (kinds.length() != components.length()) require_length(kinds, cells.length());
    for (const BufferView* view : {&rows, &columns})
        if (view->length() != 0) require_length(*view, components.length());
    if (sums < 2 || sums > most_sums) throw nb::value_error("give two or three sums");
    if (value.length() < pieces.kind.groups() * sums || components.length() < pieces.cell.groups())
        throw nb::value_error("each kind has values, and each cell a component");
    const unsigned team = thread_count(threads, cells.length());
    auto made = run([&](Control& control) { return std::make_unique<SliceComponents>(pieces, team, control); });
    return nb::cast(made.release(), nb::rv_policy::take_ownership);
}

nb::tuple cell_kind_arrays(nb::handle row, nb::handle column, nb::handle n) {
    const BufferView rows(row, "row"), columns(column, "column"), overlaps(n, "n");
    const std::int64_t *row_of = rows.int64s(), *column_of = columns.int64s(), *overlap = overlaps.int64s();
    require_equal_lengths(rows, columns);
    require_equal_lengths(rows, overlaps);
    const std::size_t length = rows.length();
    CellKinds kinds = run([&](Control& control) {
        return cell_kinds(GroupNumbers(row_of, length), GroupNumbers(column_of, length), overlap, control);
    });
    return nb::make_tuple(to_array(std::move(kinds.kind)), to_array(std::move(kinds.n)), to_array(std::move(kinds.a)),
                          to_array(std::move(kinds.b)));
}

nb::tuple kind_sum_arrays(nb::handle kind, nb::handle cell, nb::handle slice, nb::handle records) {
    const BufferView kinds(kind, "kind"), cells(cell, "cell"), slices(slice, "slice"), counts(records, "records");
    const std::int64_t *kind_of = kinds.int64s(), *cell_of = cells.int64s(), *slice_of = slices.int64s(), *count = counts.int64s();
    require_length(slices, cells.length());
    require_length(counts, cells.length());
    KindSums sums = run([&](Control& control) {
        const GroupNumbers own_kind(kind_of, kinds.length()), own_cell(cell_of, cells.length());
        if (own_cell.groups() > kinds.length()) throw std::invalid_argument("each cell has a kind");
        return kind_sums(own_kind, own_cell, GroupNumbers(slice_of, slices.length()), count, control);
    });
    return nb::make_tuple(to_array(std::move(sums.slice)), to_array(std::move(sums.kind)), to_array(std::move(sums.records)));
}

FloatArray whole(const SliceComponents& components) {
    std::vector<double> sums;
    for (const ShareSums& own : components.whole())
        sums.insert(sums.end(), own.begin(), own.begin() + static_cast<std::ptrdiff_t>(components.sums()));
    return to_array(std::move(sums));
}

FloatArray slice_sums(const SliceComponents& components) {
    return to_array(components.slice_sums());
}

nb::tuple slice_table(SliceComponents& components, nb::handle slopes, nb::handle own_slopes) {
    const BufferView of_all(slopes, "slopes"), of_slices(own_slopes, "own_slopes");
    require_length(of_all, components.sums());
    require_length(of_slices, components.slices() * components.sums());
    const double *all = of_all.doubles(), *own = of_slices.doubles();
    std::vector<double> table = run([&](Control& control) { return components.table(all, own, control); });
    return nb::make_tuple(to_array(std::move(table)), to_array(run([&](Control& control) { return components.totals(control); })));
}

nb::tuple parts(const SliceComponents& components) {
    auto [count, part, powers] = run([&](Control& control) { return components.parts(control); });
    return nb::make_tuple(to_array(std::move(count)), to_array(std::move(part)), to_array(std::move(powers)));
}

void append(std::vector<double>& out, const Features& features, std::size_t length) {
    out.insert(out.end(), features.begin(), features.begin() + static_cast<std::ptrdiff_t>(length));
}

template <class Table>
void append_symmetric(std::vector<double>& out, const Table& table, std::size_t length) {
    for (std::size_t j = 0; j < length; ++j)
        for (std::size_t k = 0; k < length; ++k) out.push_back(j < k ? table[j][k] : table[k][j]);
}

// See the stub.
nb::tuple moments(const SliceComponents& components, nb::handle chosen) {
    const BufferView view(chosen, "chosen");
    require_length(view, components.components());
    const bool* is_chosen = view.bools();
    const auto [items, slices] = run([&](Control& control) { return components.moments(is_chosen, control); });
    const std::size_t length = components.sums() + 2;
    std::vector<double> of_items{items.count}, of_slices;
    append(of_items, items.totals, length);
    append_symmetric(of_items, items.products, length);
    for (const SliceMoments& each : slices) {
        of_slices.push_back(each.drawn);
        of_slices.push_back(each.pairs);
        append(of_slices, each.means, length);
        append_symmetric(of_slices, each.covariances, length);
    }
    return nb::make_tuple(to_array(std::move(of_items)), to_array(std::move(of_slices)));
}

// See the stub.
nb::tuple urns(const SliceComponents& components, nb::handle chosen, nb::handle place, nb::handle number, bool of_items) {
    const BufferView view(chosen, "chosen"), places(place, "place"), numbers(number, "number");
    require_length(view, components.components());
    require_length(places, components.slices());
    require_length(numbers, components.slices());
    const bool* is_chosen = view.bools();
    const std::int64_t *place_of = places.int64s(), *number_of = numbers.int64s();
    auto found = run([&](Control&) { return components.urns(is_chosen, place_of, number_of, of_items); });
    return nb::make_tuple(to_array(std::move(found.values)), to_array(std::move(found.group)),
                          to_array(std::vector<double>(components.influences())), to_array(std::move(found.start)),
                          to_array(std::move(found.slots)), to_array(std::move(found.slice)),
                          to_array(std::move(found.count)));
}

}  // namespace

void add_slices(nb::module_& module) {
    const auto any = [](const char* name) { return nb::arg(name).none(); };  // see module.cpp
    nb::class_<SliceComponents>(module, "SliceComponents")
        .def("slice_sums", slice_sums)
        .def("whole", whole)
        .def("table", slice_table, any("slopes"), any("own_slopes"))
        .def("parts", parts)
        .def("moments", moments, any("chosen"))
        .def("urns", urns, any("chosen"), any("place"), any("number"), "of_items"_a);
    module.def("cell_kinds", cell_kind_arrays, any("row"), any("column"), any("n"));
    module.def("kind_sums", kind_sum_arrays, any("kind"), any("cell"), any("slice"), any("records"));
    module.def("slice_components", slice_components, any("cell"), any("slice"), any("kind"), any("records"), any("values"),
               "sums"_a, any("component"), any("row"), any("column"), "threads"_a = 0);
}

}  // namespace concordant::python
