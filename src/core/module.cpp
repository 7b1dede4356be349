// The Python module concordant._core: arrays in, arrays out, no arithmetic.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assignment.hpp"
#include "cells.hpp"
#include "contingency.hpp"
#include "expected_mi.hpp"
#include "factorize.hpp"
#include "labels.hpp"
#include "parallel.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using namespace concordant;
using IntArray = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;

// What an object exports through the buffer protocol, which NumPy arrays of any stride, offset
// and alignment do without a copy, read-only ones too.
class BufferView {
public:
    BufferView(nb::handle object, const char* name) : name_(name) {
        if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
            PyErr_Clear();
            fail(std::string("must be an array, not ") + nb::type_name(object.type()).c_str() +
                 " (or its dtype has no buffer)");
        }
    }
    BufferView(const BufferView&) = delete;
    BufferView& operator=(const BufferView&) = delete;
    ~BufferView() { PyBuffer_Release(&buffer_); }

    Labels labels() const {
        require_dimensions(1);
        return {bytes(), label_type(), buffer_.strides[0], length(0)};
    }

    const std::int64_t* int64s() const { return values<std::int64_t>("int64", label_letter() == 'i'); }
    const double* float64s() const { return values<double>("float64", letter() == 'd'); }
    bool is_float() const { return letter() == 'd'; }

    const std::byte* items() const {
        require_dimensions(2);
        if (buffer_.itemsize != 1 || label_letter() != 'u') fail("must be of dtype uint8, not " + format());
        const bool contiguous = buffer_.strides[1] == 1 && buffer_.strides[0] == buffer_.shape[1];
        if (length(0) > 0 && length(1) > 0 && !contiguous && PyBuffer_IsContiguous(&buffer_, 'C') == 0)
            fail("must be C-contiguous");
        return bytes();
    }

    std::size_t length(int axis) const { return static_cast<std::size_t>(buffer_.shape[axis]); }
    const char* name() const { return name_; }

private:
    [[noreturn]] void fail(const std::string& problem) const {
        throw nb::type_error((std::string(name_) + " " + problem).c_str());
    }

    const std::byte* bytes() const { return static_cast<const std::byte*>(buffer_.buf); }
    std::string format() const {
        return std::string("buffer format '") + (buffer_.format ? buffer_.format : "B") + "'";
    }

    void require_dimensions(int expected) const {
        if (buffer_.ndim != expected)
            fail("must be " + std::to_string(expected) + "-dimensional, not " + std::to_string(buffer_.ndim) +
                 "-dimensional");
    }

    // The letter of the struct module's format, after an optional byte order.
    char letter() const {
        std::string_view text = buffer_.format ? buffer_.format : "B";
        constexpr std::string_view native = PY_LITTLE_ENDIAN ? "@=<" : "@=>!";
        constexpr std::string_view orders = "@=<>!";
        if (!text.empty() && orders.find(text[0]) != orders.npos) {
            if (native.find(text[0]) == native.npos && buffer_.itemsize > 1)
                fail("has its bytes in the other order (" + format() + "): convert it, for instance with "
                     ".astype(array.dtype.newbyteorder('='))");
            text.remove_prefix(1);
        }
        return text.size() == 1 ? text[0] : '\0';
    }

    // '?' bool, 'i' signed, 'u' unsigned
    char label_letter() const {
        const char type = letter();
        if (type == '?') return '?';
        if (type != '\0' && std::string_view("bhilqn").find(type) != std::string_view::npos) return 'i';
        if (type != '\0' && std::string_view("BHILQN").find(type) != std::string_view::npos) return 'u';
        fail("must hold integers or bools, not " + format());
    }

    LabelType label_type() const {
        const char kind = label_letter();
        if (kind == '?') return LabelType::boolean;
        switch (buffer_.itemsize) {
            case 1: return kind == 'i' ? LabelType::int8 : LabelType::uint8;
            case 2: return kind == 'i' ? LabelType::int16 : LabelType::uint16;
            case 4: return kind == 'i' ? LabelType::int32 : LabelType::uint32;
            case 8: return kind == 'i' ? LabelType::int64 : LabelType::uint64;
            default: fail("holds integers of an unknown width (" + format() + ")");
        }
    }

    template <class T>
    const T* values(const char* wanted, bool kind_matches) const {
        require_dimensions(1);
        if (!kind_matches || buffer_.itemsize != sizeof(T))
            fail(std::string("must be of dtype ") + wanted + ", not " + format());
        if (length(0) > 1 && buffer_.strides[0] != sizeof(T)) fail("must be contiguous");
        if (reinterpret_cast<std::uintptr_t>(buffer_.buf) % alignof(T) != 0) fail("must be aligned");
        return static_cast<const T*>(buffer_.buf);
    }

    const char* name_;
    Py_buffer buffer_;
};

void require_equal_lengths(const BufferView& one, const BufferView& other) {
    if (one.length(0) != other.length(0))
        throw nb::value_error((std::string(one.name()) + " has " + std::to_string(one.length(0)) + " elements but " +
                               other.name() + " has " + std::to_string(other.length(0)))
                                  .c_str());
}

bool signal_raised() {
    const nb::gil_scoped_acquire held;
    return PyErr_CheckSignals() != 0;
}

// Runs a kernel without the GIL; a Ctrl-C meanwhile leaves as the Python exception it raised.
template <class Kernel>
auto run(Kernel kernel) {
    Control control(signal_raised);
    try {
        const nb::gil_scoped_release released;
        return kernel(control);
    } catch (const Interrupted&) {
        throw nb::python_error();
    } catch (const std::length_error&) {  // a table longer than any vector can be
        throw std::bad_alloc();
    }
}

unsigned thread_count(int threads) {
    if (threads < 0) throw nb::value_error("threads must not be negative");
    return threads == 0 ? available_threads() : static_cast<unsigned>(threads);
}

// An array that owns what was computed.
template <class Owner>
IntArray to_array(Owner&& owner, std::int64_t* (*data)(Owner&), std::size_t size) {
    auto kept = std::make_unique<Owner>(std::move(owner));
    std::int64_t* first = data(*kept);
    nb::capsule capsule(kept.get(), [](void* p) noexcept { delete static_cast<Owner*>(p); });
    kept.release();
    return IntArray(first, {size}, capsule);
}

IntArray to_array(std::vector<std::int64_t> values) {
    const std::size_t size = values.size();
    return to_array<std::vector<std::int64_t>>(std::move(values), [](auto& owner) { return owner.data(); }, size);
}

IntArray to_array(Buffer<std::int64_t> values) {
    const std::size_t size = values.size;
    return to_array<Buffer<std::int64_t>>(std::move(values), [](auto& owner) { return owner.begin(); }, size);
}

IntArray column_of(const std::vector<Triple>& triples, std::uint64_t Triple::*member) {
    Buffer<std::int64_t> column(triples.size());
    for (std::size_t i = 0; i < triples.size(); ++i) column[i] = static_cast<std::int64_t>(triples[i].*member);
    return to_array(std::move(column));
}

nb::tuple profile_arrays(nb::handle u, nb::handle v, int threads) {
    const BufferView u_view(u, "u"), v_view(v, "v");
    const Labels u_labels = u_view.labels(), v_labels = v_view.labels();
    require_equal_lengths(u_view, v_view);
    const unsigned team = thread_count(threads);
    const auto triples = run([&](Control& control) { return profile(u_labels, v_labels, team, control); });
    return nb::make_tuple(column_of(triples, &Triple::n), column_of(triples, &Triple::a),
                          column_of(triples, &Triple::b), column_of(triples, &Triple::count));
}

nb::tuple cell_arrays(nb::handle u, nb::handle v, int threads) {
    const BufferView u_view(u, "u"), v_view(v, "v");
    const Labels u_labels = u_view.labels(), v_labels = v_view.labels();
    require_equal_lengths(u_view, v_view);
    const unsigned team = thread_count(threads);
    Cells table = run([&](Control& control) { return cells(u_labels, v_labels, team, control); });
    return nb::make_tuple(to_array(std::move(table.row)), to_array(std::move(table.column)),
                          to_array(std::move(table.n)), to_array(std::move(table.row_first)),
                          to_array(std::move(table.column_first)));
}

nb::tuple code_arrays(Codes codes) {
    return nb::make_tuple(to_array(std::move(codes.code)), to_array(std::move(codes.first)));
}

nb::tuple factorize_labels(nb::handle labels) {
    const BufferView view(labels, "labels");
    const Labels given = view.labels();
    return code_arrays(run([&](Control& control) { return factorize(given, control); }));
}

nb::tuple factorize_byte_items(nb::handle items) {
    const BufferView view(items, "items");
    const std::byte* first = view.items();
    return code_arrays(
        run([&](Control& control) { return factorize_items(first, view.length(0), view.length(1), control); }));
}

double expected_mi(nb::handle row_sizes, nb::handle row_counts, nb::handle column_sizes, nb::handle column_counts,
                   int threads) {
    const BufferView a(row_sizes, "row_sizes"), a_count(row_counts, "row_counts");
    const BufferView b(column_sizes, "column_sizes"), b_count(column_counts, "column_counts");
    const Sizes rows{a.int64s(), a_count.int64s(), a.length(0)}, columns{b.int64s(), b_count.int64s(), b.length(0)};
    require_equal_lengths(a, a_count);
    require_equal_lengths(b, b_count);
    const unsigned team = thread_count(threads);
    return run([&](Control& control) { return expected_mutual_information(rows, columns, team, control); });
}

IntArray best_assignment(nb::handle row, nb::handle column, nb::handle weight, std::int64_t max_cells) {
    const BufferView row_view(row, "row"), column_view(column, "column"), weight_view(weight, "weight");
    const Labels rows = row_view.labels(), columns = column_view.labels();
    const bool floating = weight_view.is_float();
    const double* reals = floating ? weight_view.float64s() : nullptr;
    const std::int64_t* integers = floating ? nullptr : weight_view.int64s();
    require_equal_lengths(row_view, column_view);
    require_equal_lengths(row_view, weight_view);
    if (max_cells < 0) throw nb::value_error("max_cells must not be negative");
    const std::size_t limit = max_cells == 0 ? std::size_t{1} << 28 : static_cast<std::size_t>(max_cells);
    return to_array(run([&](Control& control) {
        return floating ? assignment(rows, columns, reals, limit, control)
                        : assignment(rows, columns, integers, limit, control);
    }));
}

}  // namespace

NB_MODULE(_core, module) {
    module.doc() = "The compiled core of concordant.";
    nb::exception<ComponentTooLarge>(module, "ComponentTooLarge", PyExc_MemoryError);
    // None is let in, so that it gets the same message as any other object that is no array.
    const auto any = [](const char* name) { return nb::arg(name).none(); };
    module.def("profile", profile_arrays, any("u"), any("v"), "threads"_a = 0);
    module.def("cells", cell_arrays, any("u"), any("v"), "threads"_a = 0);
    module.def("factorize", factorize_labels, any("labels"));
    module.def("factorize_items", factorize_byte_items, any("items"));
    module.def("expected_mutual_information", expected_mi, any("row_sizes"), any("row_counts"), any("column_sizes"),
               any("column_counts"), "threads"_a = 0);
    module.def("assignment", best_assignment, any("row"), any("column"), any("weight"), "max_cells"_a = 0);
}
