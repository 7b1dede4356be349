// The kinds of cells, and their records by slice.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <stdexcept>
#include <utility>

#include "base/parallel.hpp"
#include "counting/cell_kinds.hpp"
#include "graph/groups.hpp"
#include "python/bindings.hpp"
#include "python/buffers.hpp"
#include "python/calls.hpp"

namespace concordant::python {

namespace {

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
    require_equal_lengths(slices, cells);
    require_equal_lengths(counts, cells);
    KindSums sums = run([&](Control& control) {
        const GroupNumbers own_kind(kind_of, kinds.length()), own_cell(cell_of, cells.length());
        if (own_cell.groups() > kinds.length()) throw std::invalid_argument("each cell has a kind");
        return kind_sums(own_kind, own_cell, GroupNumbers(slice_of, slices.length()), count, control);
    });
    return nb::make_tuple(to_array(std::move(sums.slice)), to_array(std::move(sums.kind)), to_array(std::move(sums.records)));
}

}  // namespace

void add_slices(nb::module_& module) {
    const auto any = [](const char* name) { return nb::arg(name).none(); };  // see module.cpp
    module.def("cell_kinds", cell_kind_arrays, any("row"), any("column"), any("n"));
    module.def("kind_sums", kind_sum_arrays, any("kind"), any("cell"), any("slice"), any("records"));
}

}  // namespace concordant::python
