// What Python objects hold in their buffers, and arrays that own what was computed.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/buffer.hpp"
#include "labels/items.hpp"
#include "labels/labels.hpp"
#include "labels/narrow_copy.hpp"

namespace concordant::python {

namespace nb = nanobind;

// What an object exports through the buffer protocol, which NumPy arrays of any stride, offset
// and alignment do without a copy, read-only ones too.
class BufferView {
public:
    BufferView(nb::handle object, const char* name);
    BufferView(const BufferView&) = delete;
    BufferView& operator=(const BufferView&) = delete;
    ~BufferView() { PyBuffer_Release(&buffer_); }

    Labels labels() const;
    const std::int64_t* int64s() const;  // contiguous
    const double* doubles() const;       // contiguous
    const float* floats() const;         // contiguous
    const bool* bools() const;           // contiguous
    ItemChunk items() const;             // the bytes of each element, whatever they mean

    bool holds_floats() const { return letter() == 'f'; }
    bool holds_doubles() const { return letter() == 'd'; }

    std::size_t length() const { return static_cast<std::size_t>(buffer_.shape[0]); }
    const char* name() const { return name_; }

private:
    [[noreturn]] void fail(const std::string& problem) const;
    // Arrays of ctypes export no strides, although they were asked for.
    std::ptrdiff_t stride() const { return buffer_.strides == nullptr ? buffer_.itemsize : buffer_.strides[0]; }
    const std::byte* bytes() const { return static_cast<const std::byte*>(buffer_.buf); }
    std::string format() const;
    void require_one_dimension() const;
    char letter() const;
    char label_letter() const;
    template <class Value>
    const Value* contiguous() const;
    LabelType label_type() const;

    const char* name_;
    Py_buffer buffer_;
};

void require_equal_lengths(const BufferView& one, const BufferView& other);

using IntArray = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;

using SmallIntArray = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;

using IntTable = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<2>>;

using LabelArray = nb::ndarray<nb::numpy, nb::ndim<1>>;  // of any integer type, or bool

using FloatArray = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

IntArray to_array(std::vector<std::int64_t> values);
FloatArray to_array(std::vector<double> values);
IntArray to_array(Buffer<std::int64_t> values);
FloatArray to_array(Buffer<double> values);
SmallIntArray to_array(Buffer<std::int32_t> values);
LabelArray to_array(NarrowCopy copy);

// So many rows of equal length, one after the other.
IntTable to_table(Buffer<std::int64_t> values, std::size_t rows);

}  // namespace concordant::python
