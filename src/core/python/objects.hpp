// Codes of Python objects, by equality and hash.
#pragma once

#include <nanobind/nanobind.h>

namespace concordant::python {

nanobind::tuple factorize_objects(nanobind::list objects);

// A list of nothing but ints below 2^63 as an array, else None.
nanobind::object integers_of(nanobind::list objects);

}  // namespace concordant::python
