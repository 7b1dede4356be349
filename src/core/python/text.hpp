// The readers of text as Python classes.
#pragma once

#include <nanobind/nanobind.h>

namespace concordant::python {

void add_text(nanobind::module_& module);

}  // namespace concordant::python
