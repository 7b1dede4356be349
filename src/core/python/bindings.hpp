// The parts of the module that have a source file of their own.
#pragma once

#include <nanobind/nanobind.h>

namespace concordant::python {

void add_consensus(nanobind::module_& module);
void add_graphs(nanobind::module_& module);
void add_hierarchies(nanobind::module_& module);
void add_levels(nanobind::module_& module);
void add_record_join(nanobind::module_& module);
void add_sampled_labels(nanobind::module_& module);
void add_slices(nanobind::module_& module);
void add_soft(nanobind::module_& module);
void add_text(nanobind::module_& module);
void add_two_trees(nanobind::module_& module);
void add_weighted_table(nanobind::module_& module);

nanobind::tuple factorize_objects(nanobind::list objects);

// A list of nothing but ints below 2^63 as an array, else None.
nanobind::object integers_of(nanobind::list objects);

// A list of nothing but floats as an array, else None.
nanobind::object floats_of(nanobind::list objects);

}  // namespace concordant::python
