// The consensus of many draws, as Python calls it.
#pragma once

#include <nanobind/nanobind.h>

namespace concordant::python {

void add_consensus(nanobind::module_& module);

}  // namespace concordant::python
