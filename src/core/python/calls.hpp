// How Python calls a kernel: without the GIL, open to Ctrl-C, with as many threads as were asked for.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <functional>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

#include "base/parallel.hpp"

namespace concordant::python {

namespace nb = nanobind;

// Throws what a signal handler raised.
void check_signals();

bool signal_raised();

// A Ctrl-C during the call is raised as the Python exception that its handler raised.
template <class Kernel>
auto run(Kernel kernel, std::function<bool()> is_interrupted = signal_raised) {
    Control control(std::move(is_interrupted));
    try {
        const nb::gil_scoped_release released;
        return kernel(control);
    } catch (const Interrupted&) {
        throw nb::python_error();
    } catch (const std::length_error&) {  // a table longer than any vector can be
        throw std::bad_alloc();
    } catch (...) {
        if (PyErr_Occurred() != nullptr) throw nb::python_error();  // interrupted just when a worker failed
        throw;
    }
}

// 0 stands for CONCORDANT_THREADS or all there are, but for one where the elements are few.
unsigned thread_count(int threads, std::size_t elements = std::numeric_limits<std::size_t>::max());

}  // namespace concordant::python
