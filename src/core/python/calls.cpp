#include "python/calls.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <stdexcept>

namespace concordant::python {

void check_signals() {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

bool signal_raised() {
    const nb::gil_scoped_acquire held;
    return PyErr_CheckSignals() != 0;
}

void run_kernel(FunctionRef<void(Control&)> kernel, const std::function<bool()>& is_interrupted) {
    Control control(is_interrupted);
    try {
        const nb::gil_scoped_release released;
        kernel(control);
    } catch (const Interrupted&) {
        throw nb::python_error();
    } catch (const std::length_error&) {  // a table longer than any vector can be
        throw std::bad_alloc();
    } catch (...) {
        if (PyErr_Occurred() != nullptr) throw nb::python_error();  // interrupted just when a worker failed
        throw;
    }
}

unsigned thread_count(int threads, std::size_t elements) {
    constexpr long most_threads = 1024;
    if (threads < 0) throw nb::value_error("threads must not be negative");
    if (threads > 0) return static_cast<unsigned>(std::min<long>(threads, most_threads));
    constexpr std::size_t work_for_one = std::size_t{1} << 16;
    if (elements <= work_for_one) return 1;  // asking the system how many there are would take longer
    // A value that is not a number was refused before this module was called, by an error that says so.
    const char* wanted = std::getenv("CONCORDANT_THREADS");
    const long from_environment = wanted == nullptr ? 0 : std::strtol(wanted, nullptr, 10);
    return from_environment > 0 ? static_cast<unsigned>(std::min(from_environment, most_threads)) : available_threads();
}

}  // namespace concordant::python
