#include "python/bindings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/code_table.hpp"
#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "base/processor.hpp"
#include "python/buffers.hpp"
#include "python/calls.hpp"

namespace concordant::python {

namespace {

// Hashing and comparing these runs no Python code, and none of them is missing but NaN.
bool is_plain(PyObject* object) {
    const PyTypeObject* type = Py_TYPE(object);
    return type == &PyUnicode_Type || type == &PyLong_Type || type == &PyFloat_Type || type == &PyBytes_Type ||
           type == &PyBool_Type;
}

bool never_equals_int(PyObject* object) {
    const PyTypeObject* type = Py_TYPE(object);
    return type == &PyUnicode_Type || type == &PyBytes_Type || type == &PyTuple_Type;
}

// A tuple may be missing if one of its members may be. Tuples nested deeper than anybody's labels are left to
// who looks at the suspects.
bool may_be_missing(PyObject* object, int levels = 8) {
    if (Py_TYPE(object) == &PyFloat_Type) return std::isnan(PyFloat_AsDouble(object));
    if (Py_TYPE(object) != &PyTuple_Type) return !is_plain(object);
    if (levels == 0) return true;
    const Py_ssize_t length = PyTuple_Size(object);
    for (Py_ssize_t i = 0; i < length; ++i)
        if (may_be_missing(PyTuple_GetItem(object, i), levels - 1)) return true;
    return false;
}

// Python hashes an int by its remainder by 2^61 - 1. Below that, ints are their own hashes and do not collide;
// from there on, as many as one likes have the same hash. Those get the remainder by a number that only this
// process knows instead.
class LargeIntegers {
public:
    static bool holds(PyObject* object) {
        if (Py_TYPE(object) != &PyLong_Type) return false;
        int overflow = 0;
        const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
        return overflow != 0 || value >= first || value <= -first;
    }

    std::uint64_t hash(PyObject* integer) const {
        const auto rest = nb::steal(PyNumber_Remainder(integer, divisor_.ptr()));
        if (!rest.is_valid()) throw nb::python_error();
        return hasher_(PyLong_AsUnsignedLongLong(rest.ptr()));
    }

private:
    static constexpr long long first = (1LL << 61) - 1;

    Hasher hasher_;
    nb::int_ divisor_{process_seed() >> 2 | std::uint64_t{1} << 61 | 1};
};

// Gives codes to the objects of a list, a block at a time. Where hashing or comparing may run Python
// code, which may change the list, the objects of the block are held meanwhile.
//
// Large ints have a table of their own. Since they may equal objects of other types (floats, fractions, NumPy's
// scalars), which hash as Python says, both tables are searched where that is so.
class ObjectCoder {
public:
    explicit ObjectCoder(nb::list objects) : objects_(std::move(objects)), codes_(objects_.size()) {}

    nb::tuple run() {
        for (std::size_t begin = 0; begin < codes_.size; begin += block_length) {
            check_signals();
            encode_block(begin, std::min(block_length, codes_.size - begin));
        }
        return nb::make_tuple(to_array(std::move(codes_)), to_array(std::move(first_)),
                              to_array(std::move(suspects_)));
    }

private:
    struct Held {
        std::vector<nb::object> objects;
        void add(PyObject* object) { objects.push_back(nb::borrow(object)); }
    };

    void encode_block(std::size_t begin, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) block_[i] = item(begin + i);
        bool plain = all_plain_, any_large = !large_with_hash_.empty();
        for (std::size_t i = 0; i < count; ++i) {
            constexpr std::size_t ahead = 12;
            if (i + ahead < count) prefetch(block_[i + ahead]);
            plain = plain && is_plain(block_[i]);
            any_large = any_large || LargeIntegers::holds(block_[i]);
        }
        Held held;
        if (!plain)
            for (std::size_t i = 0; i < count; ++i) held.add(block_[i]);
        for (std::size_t i = 0; i < count; ++i) hashes_[i] = hash_of(block_[i]);
        for (std::size_t i = 0; i < count; ++i) {
            constexpr std::size_t ahead = 12;
            if (i + ahead < count) table_.prefetch(hashes_[i + ahead]);
            codes_[begin + i] = any_large ? code_beside_large(block_[i], hashes_[i], begin + i)
                                          : code_of(block_[i], hashes_[i], begin + i);
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

    bool equals(PyObject* object, std::int64_t code) const {
        const int same = PyObject_RichCompareBool(known_.objects[static_cast<std::size_t>(code)].ptr(), object, Py_EQ);
        if (same < 0) throw nb::python_error();
        return same != 0;
    }

    std::int64_t code_of(PyObject* object, std::uint64_t hash, std::size_t position) {
        const auto same = [&](std::int64_t code) { return equals(object, code); };
        const std::int64_t code = table_.find_or_insert(hash, fresh_code(), same);
        return code != no_code ? code : add(object, position);
    }

    // Where there are large ints among the objects.
    std::int64_t code_beside_large(PyObject* object, std::uint64_t hash, std::size_t position) {
        const auto same = [&](std::int64_t code) { return equals(object, code); };
        if (const std::int64_t code = table_.find(hash, same); code != no_code) return code;
        if (LargeIntegers::holds(object)) {
            const auto own_hash = large_integers_.hash(object);
            const std::int64_t code = large_table_.find_or_insert(own_hash, fresh_code(), same);
            if (code != no_code) return code;
            large_with_hash_[hash].push_back(fresh_code());
            return add(object, position);
        }
        if (!never_equals_int(object))
            if (const auto large = large_with_hash_.find(hash); large != large_with_hash_.end())
                if (const auto code = std::find_if(large->second.begin(), large->second.end(), same);
                    code != large->second.end())
                    return *code;
        return code_of(object, hash, position);
    }

    std::int64_t fresh_code() const { return static_cast<std::int64_t>(known_.objects.size()); }

    std::int64_t add(PyObject* object, std::size_t position) {
        const std::int64_t code = fresh_code();
        known_.add(object);
        first_.push_back(static_cast<std::int64_t>(position));
        const bool first_tuple = !any_tuple_ && Py_TYPE(object) == &PyTuple_Type;
        any_tuple_ = any_tuple_ || first_tuple;
        if (first_tuple || may_be_missing(object)) suspects_.push_back(static_cast<std::int64_t>(position));
        return code;
    }

    nb::list objects_;
    Buffer<std::int64_t> codes_;
    std::vector<std::int64_t> first_, suspects_;
    bool all_plain_ = true;
    bool any_tuple_ = false;
    Hasher hasher_;
    CodeTable table_;
    CodeTable large_table_;
    LargeIntegers large_integers_;
    std::unordered_map<std::uint64_t, std::vector<std::int64_t>, Hasher> large_with_hash_;  // their codes, by Python's hash
    Held known_;
    std::array<PyObject*, block_length> block_;
    std::array<std::uint64_t, block_length> hashes_;
};

// Items are borrowed from the list. Where Python has no lock, another thread may change it meanwhile: then from a copy.
nb::list unchanging(nb::list objects) {
#ifdef Py_GIL_DISABLED
    PyObject* copy = PyList_GetSlice(objects.ptr(), 0, PY_SSIZE_T_MAX);
    if (copy == nullptr) throw nb::python_error();
    return nb::steal<nb::list>(copy);
#else
    return objects;
#endif
}

}  // namespace

nb::tuple factorize_objects(nb::list objects) { return ObjectCoder(unchanging(std::move(objects))).run(); }

nb::object integers_of(nb::list given) {
    const nb::list objects = unchanging(std::move(given));
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

nb::object floats_of(nb::list given) {
    const nb::list objects = unchanging(std::move(given));
    Buffer<double> values(objects.size());
    for (std::size_t i = 0; i < values.size; ++i) {
        PyObject* object = PyList_GetItem(objects.ptr(), static_cast<Py_ssize_t>(i));
        if (object == nullptr) throw nb::python_error();
        if (Py_TYPE(object) != &PyFloat_Type) return nb::none();
        values[i] = PyFloat_AsDouble(object);
    }
    return nb::cast(to_array(std::move(values)));
}

}  // namespace concordant::python
