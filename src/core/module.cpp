// The Python module concordant._core: arrays in, arrays out, no arithmetic.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow.hpp"
#include "assignment.hpp"
#include "bicomponents.hpp"
#include "blocks.hpp"
#include "cells.hpp"
#include "contingency.hpp"
#include "expected_mi.hpp"
#include "factorize.hpp"
#include "factorize_items.hpp"
#include "groups.hpp"
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

    // The bytes of each element, whatever they mean.
    ItemChunk items() const {
        require_dimensions(1);
        ItemChunk chunk;
        chunk.length = length(0);
        chunk.data = bytes();
        chunk.width = static_cast<std::size_t>(buffer_.itemsize);
        chunk.stride = buffer_.strides[0];
        return chunk;
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

constexpr long most_threads = 1024;

unsigned thread_count(int threads, std::size_t elements = std::numeric_limits<std::size_t>::max()) {
    if (threads < 0) throw nb::value_error("threads must not be negative");
    if (threads > 0) return static_cast<unsigned>(std::min<long>(threads, most_threads));
    constexpr std::size_t work_for_one = std::size_t{1} << 16;
    if (elements <= work_for_one) return 1;  // asking the system how many there are would take longer
    // What is no number is refused by engines/memory.py, which says so in its own words.
    const char* wanted = std::getenv("CONCORDANT_THREADS");
    const long from_environment = wanted == nullptr ? 0 : std::strtol(wanted, nullptr, 10);
    return from_environment > 0 ? static_cast<unsigned>(std::min(from_environment, most_threads)) : available_threads();
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

// Two labellings of the same elements, and with how many threads to count them.
struct Labellings {
    BufferView u_view, v_view;
    Labels u, v;
    unsigned threads;

    Labellings(nb::handle u_given, nb::handle v_given, int threads_given)
        : u_view(u_given, "u"), v_view(v_given, "v"), u(u_view.labels()), v(v_view.labels()),
          threads(thread_count(threads_given, u.length)) {
        require_equal_lengths(u_view, v_view);
    }
};

nb::tuple profile_arrays(nb::handle u, nb::handle v, int threads) {
    const Labellings both(u, v, threads);
    const auto triples = run([&](Control& control) { return profile(both.u, both.v, both.threads, control); });
    return nb::make_tuple(column_of(triples, &Triple::n), column_of(triples, &Triple::a),
                          column_of(triples, &Triple::b), column_of(triples, &Triple::count));
}

// An integer of any size, as Python has it.
nb::object to_integer(WideInteger value) {
    const auto low = static_cast<std::uint64_t>(value), high = static_cast<std::uint64_t>(value >> 64);
    return high == 0 ? nb::object(nb::int_(low)) : (nb::int_(high) << nb::int_(64)) | nb::int_(low);
}

nb::tuple pair_sum_integers(nb::handle u, nb::handle v, int threads) {
    const Labellings both(u, v, threads);
    const PairSums sums = run([&](Control& control) { return pair_sums(both.u, both.v, both.threads, control); });
    return nb::make_tuple(to_integer(sums.nn), to_integer(sums.aa), to_integer(sums.bb));
}

nb::tuple cell_arrays(nb::handle u, nb::handle v, int threads) {
    const Labellings both(u, v, threads);
    Cells table = run([&](Control& control) { return cells(both.u, both.v, both.threads, control); });
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

nb::tuple factorize_byte_items(nb::handle items, int threads) {
    const BufferView view(items, "items");
    const Items given({view.items()});
    const unsigned team = thread_count(threads, given.length());
    return code_arrays(run([&](Control& control) { return factorize_items(given, team, control); }));
}

// -- Python objects, by equality and hash ------------------------------------------------------------

void check_signals() {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// Hashing and comparing these runs no Python code, and none of them is missing but NaN.
bool is_plain(PyObject* object) {
    const PyTypeObject* type = Py_TYPE(object);
    return type == &PyUnicode_Type || type == &PyLong_Type || type == &PyFloat_Type || type == &PyBytes_Type ||
           type == &PyBool_Type;
}

bool may_be_missing(PyObject* object) {
    if (Py_TYPE(object) == &PyFloat_Type) return std::isnan(PyFloat_AsDouble(object));
    return !is_plain(object) && Py_TYPE(object) != &PyTuple_Type;
}

// Gives codes to the objects of a list, a block at a time. Where hashing or comparing may run Python
// code, which may change the list, the objects of the block are held meanwhile.
class ObjectCoder {
public:
    explicit ObjectCoder(nb::list objects) : objects_(std::move(objects)), codes_(objects_.size()) {}

    nb::tuple run() {
        for (std::size_t begin = 0; begin < codes_.size; begin += block_length) {
            check_signals();
            encode_block(begin, std::min(block_length, codes_.size - begin));
        }
        return nb::make_tuple(to_array(std::move(codes_)), to_array(std::move(suspects_)));
    }

private:
    struct Held {
        std::vector<nb::object> objects;
        void add(PyObject* object) { objects.push_back(nb::borrow(object)); }
    };

    void encode_block(std::size_t begin, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) block_[i] = item(begin + i);
        bool plain = all_plain_;
        for (std::size_t i = 0; i < count; ++i) {
            constexpr std::size_t ahead = 12;
            if (i + ahead < count) __builtin_prefetch(block_[i + ahead]);
            plain = plain && is_plain(block_[i]);
        }
        Held held;
        if (!plain)
            for (std::size_t i = 0; i < count; ++i) held.add(block_[i]);
        for (std::size_t i = 0; i < count; ++i) hashes_[i] = hash_of(block_[i]);
        for (std::size_t i = 0; i < count; ++i) {
            constexpr std::size_t ahead = 12;
            if (i + ahead < count) table_.prefetch(hashes_[i + ahead]);
            codes_[begin + i] = code_of(block_[i], hashes_[i], begin + i);
        }
        all_plain_ = plain;
    }

    PyObject* item(std::size_t position) const {
        PyObject* object = PyList_GetItem(objects_.ptr(), static_cast<Py_ssize_t>(position));
        if (object == nullptr) throw nb::python_error();
        return object;
    }

    std::uint64_t hash_of(PyObject* object) const {
        const Py_hash_t hash = PyObject_Hash(object);
        if (hash == -1) throw nb::python_error();
        return hasher_(static_cast<std::uint64_t>(hash));
    }

    std::int64_t code_of(PyObject* object, std::uint64_t hash, std::size_t position) {
        const auto fresh = static_cast<std::int64_t>(known_.objects.size());
        const std::int64_t code = table_.find_or_insert(hash, fresh, [&](std::int64_t known) {
            const int same =
                PyObject_RichCompareBool(known_.objects[static_cast<std::size_t>(known)].ptr(), object, Py_EQ);
            if (same < 0) throw nb::python_error();
            return same != 0;
        });
        if (code != detail::no_code) return code;
        known_.add(object);
        if (may_be_missing(object)) suspects_.push_back(static_cast<std::int64_t>(position));
        return fresh;
    }

    nb::list objects_;
    Buffer<std::int64_t> codes_;
    std::vector<std::int64_t> suspects_;
    bool all_plain_ = true;
    Hasher hasher_;
    detail::CodeTable table_;
    Held known_;
    std::array<PyObject*, block_length> block_;
    std::array<std::uint64_t, block_length> hashes_;
};

nb::tuple factorize_objects(nb::list objects) { return ObjectCoder(std::move(objects)).run(); }

// A list of nothing but ints below 2^63 as an array, else None.
nb::object integers_of(nb::list objects) {
    Buffer<std::int64_t> values(objects.size());
    for (std::size_t i = 0; i < values.size; ++i) {
        PyObject* object = PyList_GetItem(objects.ptr(), static_cast<Py_ssize_t>(i));
        int overflow = 0;
        if (object == nullptr) throw nb::python_error();
        if (Py_TYPE(object) != &PyLong_Type) return nb::none();
        values[i] = PyLong_AsLongLongAndOverflow(object, &overflow);
        if (overflow != 0) return nb::none();
    }
    return nb::cast(to_array(std::move(values)));
}

// -- columns through the Arrow C data interface --------------------------------------------------------

struct ArrowColumn {
    arrow::Owned<ArrowSchema> schema;
    std::vector<arrow::Owned<ArrowArray>> chunks;

    arrow::Type type() const { return arrow::type_of(schema->format); }

    std::size_t length() const {
        std::size_t sum = 0;
        for (const auto& chunk : chunks) sum += arrow::length_of(*chunk);
        return sum;
    }
};

template <class Struct>
arrow::Owned<Struct> taken(nb::handle capsule, const char* name) {
    auto* given = static_cast<Struct*>(PyCapsule_GetPointer(capsule.ptr(), name));
    if (given == nullptr) throw nb::python_error();
    return arrow::Owned<Struct>(*given);
}

ArrowColumn read_stream(nb::handle values) {
    auto stream = taken<ArrowArrayStream>(values.attr("__arrow_c_stream__")(), "arrow_array_stream");
    const auto require = [&](int status) {
        if (status == 0) return;
        const char* why = stream->get_last_error(stream.get());
        throw nb::value_error(why != nullptr ? why : "the Arrow stream cannot be read");
    };
    ArrowColumn column;
    require(stream->get_schema(stream.get(), column.schema.get()));
    for (;;) {
        check_signals();
        arrow::Owned<ArrowArray> chunk;
        require(stream->get_next(stream.get(), chunk.get()));
        if (chunk.released()) return column;
        column.chunks.push_back(std::move(chunk));
    }
}

ArrowColumn read_column(nb::handle values) {
    if (!nb::hasattr(values, "__arrow_c_array__")) return read_stream(values);
    const auto pair = nb::cast<nb::tuple>(values.attr("__arrow_c_array__")());
    ArrowColumn column;
    column.schema = taken<ArrowSchema>(pair[0], "arrow_schema");
    column.chunks.push_back(taken<ArrowArray>(pair[1], "arrow_array"));
    return column;
}

using AnyArray = nb::ndarray<nb::numpy, nb::ro>;

// An array over the memory of a chunk, which it keeps.
nb::object view_of(arrow::Owned<ArrowArray> chunk, arrow::Type type) {
    using Code = nb::dlpack::dtype_code;
    const Code code = type.kind == arrow::Kind::floating ? Code::Float : type.is_signed ? Code::Int : Code::UInt;
    const nb::dlpack::dtype dtype{static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(type.width * 8), 1};
    const std::size_t length = arrow::length_of(*chunk);
    const std::byte* data = arrow::chunk_of(*chunk, type).data;
    auto kept = std::make_unique<arrow::Owned<ArrowArray>>(std::move(chunk));
    nb::capsule owner(kept.get(), [](void* p) noexcept { delete static_cast<arrow::Owned<ArrowArray>*>(p); });
    kept.release();
    return nb::cast(AnyArray(data, 1, &length, owner, nullptr, dtype));
}

nb::list views_of(ArrowColumn& column, arrow::Type type) {
    nb::list views;
    for (auto& chunk : column.chunks)
        if (chunk->length > 0) views.append(view_of(std::move(chunk), type));
    return views;
}

nb::list booleans_of(const ArrowColumn& column) {
    auto bytes = std::make_unique_for_overwrite<std::uint8_t[]>(column.length());
    std::uint8_t* out = bytes.get();
    for (const auto& chunk : column.chunks) {
        arrow::unpack(*chunk, out);
        out += arrow::length_of(*chunk);
    }
    nb::capsule owner(bytes.get(), [](void* p) noexcept { delete[] static_cast<std::uint8_t*>(p); });
    nb::list arrays;
    arrays.append(nb::ndarray<nb::numpy, bool, nb::ndim<1>>(bytes.release(), {column.length()}, owner));
    return arrays;
}

nb::list item_codes_of(const ArrowColumn& column, arrow::Type type, unsigned threads) {
    Items items;
    for (const auto& chunk : column.chunks) items.append(arrow::chunk_of(*chunk, type));
    nb::list codes;
    codes.append(
        to_array(std::move(run([&](Control& control) { return factorize_items(items, threads, control); }).code)));
    return codes;
}

std::int64_t first_null_of(const ArrowColumn& column, arrow::Type type) {
    std::int64_t before = 0;
    for (const auto& chunk : column.chunks) {
        if (const auto position = arrow::first_null(*chunk, type)) return before + static_cast<std::int64_t>(*position);
        before += chunk->length;
    }
    return -1;
}

nb::tuple encode_dictionary(ArrowColumn& column) {
    const arrow::Type indices = column.type(), values = arrow::type_of(column.schema->dictionary->format);
    if (values.kind != arrow::Kind::items && values.kind != arrow::Kind::integer)
        return nb::make_tuple(values.kind == arrow::Kind::nested ? "nested" : "unknown", nb::list(), -1);
    const arrow::Dictionaries dictionaries(column.chunks, values);
    std::int64_t before = 0;
    for (std::size_t i = 0; i < column.chunks.size(); before += column.chunks[i++]->length)
        if (const auto null = dictionaries.first_null(i, arrow::integers_of(*column.chunks[i], indices)))
            return nb::make_tuple("integer", nb::list(), before + static_cast<std::int64_t>(*null));
    if (dictionaries.indices_suffice()) return nb::make_tuple("integer", views_of(column, indices), -1);
    Buffer<std::int64_t> codes(column.length());
    std::int64_t* out = codes.begin();
    for (std::size_t i = 0; i < column.chunks.size(); out += column.chunks[i++]->length)
        dictionaries.write_codes(i, arrow::integers_of(*column.chunks[i], indices), out);
    nb::list arrays;
    arrays.append(to_array(std::move(codes)));
    return nb::make_tuple("integer", arrays, -1);
}

nb::tuple encode_arrow(nb::handle values, int threads) {
    using arrow::Kind;
    ArrowColumn column = read_column(values);
    const arrow::Type type = column.type();
    const unsigned team = thread_count(threads);
    if (type.kind == Kind::nested) return nb::make_tuple("nested", nb::list(), -1);
    if (type.kind == Kind::unknown) return nb::make_tuple("unknown", nb::list(), -1);
    if (const std::int64_t null = first_null_of(column, type); null >= 0)
        return nb::make_tuple("integer", nb::list(), null);
    if (column.schema->dictionary != nullptr) return encode_dictionary(column);
    switch (type.kind) {
        case Kind::floating: return nb::make_tuple("float", views_of(column, type), -1);
        case Kind::integer: return nb::make_tuple("integer", views_of(column, type), -1);
        case Kind::boolean: return nb::make_tuple("bool", booleans_of(column), -1);
        case Kind::items: return nb::make_tuple("integer", item_codes_of(column, type, team), -1);
        default: return nb::make_tuple("integer", nb::list(), -1);
    }
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

// -- the overlap graph -------------------------------------------------------------------------------

nb::tuple block_arrays(nb::handle row, nb::handle column) {
    const BufferView rows(row, "row"), columns(column, "column");
    const std::int64_t *row_of = rows.int64s(), *column_of_cell = columns.int64s();
    require_equal_lengths(rows, columns);
    Blocks found = run([&](Control& control) { return blocks(row_of, column_of_cell, rows.length(0), control); });
    return nb::make_tuple(to_array(std::move(found.of_row)), to_array(std::move(found.of_column)));
}

nb::tuple largest_first_arrays(nb::handle group, nb::handle key) {
    const BufferView groups(group, "group"), keys(key, "key");
    const std::int64_t *group_of = groups.int64s(), *key_of_cell = keys.int64s();
    require_equal_lengths(groups, keys);
    Grouped found =
        run([&](Control& control) { return largest_first(group_of, key_of_cell, groups.length(0), control); });
    return nb::make_tuple(to_array(std::move(found.position)), to_array(std::move(found.start)));
}

IntArray bicomponent_array(nb::handle row, nb::handle column) {
    const BufferView rows(row, "row"), columns(column, "column");
    const std::int64_t *row_of = rows.int64s(), *column_of_cell = columns.int64s();
    require_equal_lengths(rows, columns);
    return to_array(
        run([&](Control& control) { return bicomponents(row_of, column_of_cell, rows.length(0), control); }));
}

nb::tuple grouped_arrays(nb::handle group) {
    const BufferView groups(group, "group");
    const std::int64_t* group_of = groups.int64s();
    Grouped found = run([&](Control&) { return grouped(group_of, groups.length(0)); });
    return nb::make_tuple(to_array(std::move(found.position)), to_array(std::move(found.start)));
}

IntArray best_fraction_array(nb::handle group, nb::handle numerator, nb::handle denominator) {
    const BufferView groups(group, "group"), above(numerator, "numerator"), below(denominator, "denominator");
    const std::int64_t *group_of = groups.int64s(), *numerators = above.int64s(), *denominators = below.int64s();
    require_equal_lengths(groups, above);
    require_equal_lengths(groups, below);
    return to_array(run([&](Control& control) {
        return best_fractions(group_of, numerators, denominators, groups.length(0), control);
    }));
}

}  // namespace

NB_MODULE(_core, module) {
    module.doc() = "The compiled core of concordant.";
    nb::exception<ComponentTooLarge>(module, "ComponentTooLarge", PyExc_MemoryError);
    // None is let in, so that it gets the same message as any other object that is no array.
    const auto any = [](const char* name) { return nb::arg(name).none(); };
    module.def("profile", profile_arrays, any("u"), any("v"), "threads"_a = 0);
    module.def("pair_sums", pair_sum_integers, any("u"), any("v"), "threads"_a = 0);
    module.def("cells", cell_arrays, any("u"), any("v"), "threads"_a = 0);
    module.def("factorize", factorize_labels, any("labels"));
    module.def("factorize_items", factorize_byte_items, any("items"), "threads"_a = 0);
    module.def("factorize_objects", factorize_objects, "objects"_a);
    module.def("integers", integers_of, "objects"_a);
    module.def("encode_arrow", encode_arrow, "values"_a, "threads"_a = 0);
    module.def("expected_mutual_information", expected_mi, any("row_sizes"), any("row_counts"), any("column_sizes"),
               any("column_counts"), "threads"_a = 0);
    module.def("assignment", best_assignment, any("row"), any("column"), any("weight"), "max_cells"_a = 0);
    module.def("blocks", block_arrays, any("row"), any("column"));
    module.def("bicomponents", bicomponent_array, any("row"), any("column"));
    module.def("grouped", grouped_arrays, any("group"));
    module.def("largest_first", largest_first_arrays, any("group"), any("key"));
    module.def("best_fractions", best_fraction_array, any("group"), any("numerator"), any("denominator"));
}
