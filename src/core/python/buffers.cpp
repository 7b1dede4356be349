#include "python/buffers.hpp"

#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

namespace concordant::python {

BufferView::BufferView(nb::handle object, const char* name) : name_(name) {
    if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
        PyErr_Clear();
        fail(std::string("must be an array, not ") + nb::type_name(object.type()).c_str() +
             " (or its dtype has no buffer)");
    }
}

Labels BufferView::labels() const {
    require_one_dimension();
    return {bytes(), label_type(), stride(), length()};
}

template <class Value>
const Value* BufferView::contiguous() const {
    if (length() > 1 && stride() != sizeof(Value)) fail("must be contiguous");
    if (reinterpret_cast<std::uintptr_t>(buffer_.buf) % alignof(Value) != 0) fail("must be aligned");
    return static_cast<const Value*>(buffer_.buf);
}

const std::int64_t* BufferView::int64s() const {
    require_one_dimension();
    if (label_letter() != 'i' || buffer_.itemsize != 8) fail("must be of dtype int64, not " + format());
    return contiguous<std::int64_t>();
}

const double* BufferView::doubles() const {
    require_one_dimension();
    if (!holds_doubles()) fail("must be of dtype float64, not " + format());
    return contiguous<double>();
}

const float* BufferView::floats() const {
    require_one_dimension();
    if (!holds_floats()) fail("must be of dtype float32, not " + format());
    return contiguous<float>();
}

const bool* BufferView::bools() const {
    require_one_dimension();
    if (letter() != '?') fail("must be of dtype bool, not " + format());
    return contiguous<bool>();
}

ItemChunk BufferView::items() const {
    require_one_dimension();
    ItemChunk chunk;
    chunk.length = length();
    chunk.data = bytes();
    chunk.width = static_cast<std::size_t>(buffer_.itemsize);
    chunk.stride = stride();
    return chunk;
}

void BufferView::fail(const std::string& problem) const {
    throw nb::type_error((std::string(name_) + " " + problem).c_str());
}

std::string BufferView::format() const {
    return std::string("buffer format '") + (buffer_.format ? buffer_.format : "B") + "'";
}

void BufferView::require_one_dimension() const {
    if (buffer_.ndim != 1) fail("must be 1-dimensional, not " + std::to_string(buffer_.ndim) + "-dimensional");
}

// The letter of the struct module's format, after an optional byte order.
char BufferView::letter() const {
    std::string_view text = buffer_.format ? buffer_.format : "B";
    constexpr std::string_view native = PY_LITTLE_ENDIAN ? "@=<" : "@=>!";
    constexpr std::string_view orders = "@=<>!";
    if (!text.empty() && orders.find(text[0]) != orders.npos) {
        if (native.find(text[0]) == native.npos && buffer_.itemsize > 1)
            fail("has its bytes in the other order (" + format() +
                 "): convert it, for instance with "
                 ".astype(array.dtype.newbyteorder('='))");
        text.remove_prefix(1);
    }
    return text.size() == 1 ? text[0] : '\0';
}

// '?' bool, 'i' signed, 'u' unsigned
char BufferView::label_letter() const {
    const char type = letter();
    if (type == '?') return '?';
    if (type != '\0' && std::string_view("bhilqn").find(type) != std::string_view::npos) return 'i';
    if (type != '\0' && std::string_view("BHILQN").find(type) != std::string_view::npos) return 'u';
    fail("must hold integers or bools, not " + format());
}

LabelType BufferView::label_type() const {
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

void require_equal_lengths(const BufferView& one, const BufferView& other) {
    if (one.length() != other.length())
        throw nb::value_error((std::string(one.name()) + " has " + std::to_string(one.length()) + " elements but " +
                               other.name() + " has " + std::to_string(other.length()))
                                  .c_str());
}

static std::int64_t* first_of(std::vector<std::int64_t>& values) { return values.data(); }
static double* first_of(std::vector<double>& values) { return values.data(); }
template <class Value>
static Value* first_of(Buffer<Value>& values) {
    return values.begin();
}

// The array keeps the owner of its memory.
template <class Array, class Owner>
static Array array_over(Owner owner, std::initializer_list<std::size_t> shape) {
    auto kept = std::make_unique<Owner>(std::move(owner));
    auto* first = first_of(*kept);
    nb::capsule capsule(kept.get(), [](void* p) noexcept { delete static_cast<Owner*>(p); });
    kept.release();
    return Array(first, shape, capsule);
}

IntArray to_array(std::vector<std::int64_t> values) {
    const std::size_t size = values.size();
    return array_over<IntArray>(std::move(values), {size});
}

FloatArray to_array(std::vector<double> values) {
    const std::size_t size = values.size();
    return array_over<FloatArray>(std::move(values), {size});
}

IntArray to_array(Buffer<std::int64_t> values) {
    const std::size_t size = values.size;
    return array_over<IntArray>(std::move(values), {size});
}

FloatArray to_array(Buffer<double> values) {
    const std::size_t size = values.size;
    return array_over<FloatArray>(std::move(values), {size});
}

SmallIntArray to_array(Buffer<std::int32_t> values) {
    const std::size_t size = values.size;
    return array_over<SmallIntArray>(std::move(values), {size});
}

IntTable to_table(Buffer<std::int64_t> values, std::size_t rows) {
    const std::size_t columns = values.size / rows;
    return array_over<IntTable>(std::move(values), {rows, columns});
}

static nb::dlpack::dtype numpy_type(LabelType type) {
    switch (type) {
        case LabelType::boolean: return nb::dtype<bool>();
        case LabelType::int8: return nb::dtype<std::int8_t>();
        case LabelType::int16: return nb::dtype<std::int16_t>();
        case LabelType::int32: return nb::dtype<std::int32_t>();
        case LabelType::int64: return nb::dtype<std::int64_t>();
        case LabelType::uint8: return nb::dtype<std::uint8_t>();
        case LabelType::uint16: return nb::dtype<std::uint16_t>();
        case LabelType::uint32: return nb::dtype<std::uint32_t>();
        default: return nb::dtype<std::uint64_t>();
    }
}

LabelArray to_array(NarrowCopy copy) {
    std::byte* first = copy.memory.data();
    nb::capsule capsule(first, [](void* p) noexcept { std::free(p); });
    copy.memory.release();
    return LabelArray(first, {copy.labels.length}, capsule, {}, numpy_type(copy.labels.type));
}

}  // namespace concordant::python
