// Sources joined by record, as Python calls it.
#pragma once

#include <nanobind/nanobind.h>

namespace concordant::python {

namespace nb = nanobind;

void add_record_join(nb::module_& module);

}  // namespace concordant::python
