// How Python calls a kernel: without the GIL, open to Ctrl-C, with as many threads as were asked for.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/function_ref.hpp"
#include "base/parallel.hpp"

namespace concordant::python {

namespace nb = nanobind;

// Throws what a signal handler raised.
void check_signals();

bool signal_raised();

// Calls the kernel without the GIL. A Ctrl-C during the call is raised as the Python exception that its handler raised.
void run_kernel(FunctionRef<void(Control&)> kernel, const std::function<bool()>& is_interrupted);

// The same, and returns what the kernel returns.
template <class Kernel>
auto run(Kernel kernel, const std::function<bool()>& is_interrupted = signal_raised) {
    using Result = std::invoke_result_t<Kernel, Control&>;
    if constexpr (std::is_void_v<Result>) {
        run_kernel(kernel, is_interrupted);
    } else {
        std::optional<Result> result;
        run_kernel([&](Control& control) { result.emplace(kernel(control)); }, is_interrupted);
        return *std::move(result);
    }
}

// 0 stands for CONCORDANT_THREADS or all there are, but for one where the elements are few.
unsigned thread_count(int threads, std::size_t elements = std::numeric_limits<std::size_t>::max());

}  // namespace concordant::python
