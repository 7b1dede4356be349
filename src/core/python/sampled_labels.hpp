// The labels of a few records of a source, as Python calls it.
#pragma once

#include <nanobind/nanobind.h>

namespace concordant::python {

namespace nb = nanobind;

void add_sampled_labels(nb::module_& module);

}  // namespace concordant::python
