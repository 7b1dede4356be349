// Columns that Python objects export through the Arrow C data interface.
#pragma once

#include <nanobind/nanobind.h>

namespace concordant::python {

// (kind of the labels, arrays, position of the first null or -1)
nanobind::tuple encode_arrow(nanobind::handle values, int threads);

}  // namespace concordant::python
