#include "python/arrow_columns.hpp"

#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "labels/arrow.hpp"
#include "labels/arrow_checks.hpp"
#include "labels/item_codes.hpp"
#include "labels/items.hpp"
#include "python/buffers.hpp"
#include "python/calls.hpp"

namespace concordant::python {

namespace {

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
    arrow::require(given->release != nullptr, "it was released before");
    return arrow::Owned<Struct>(*given);
}

// Whether what the schema says can be looked at, and every chunk has what its type asks for.
void check(const ArrowColumn& column) {
    const auto& schema = column.schema;
    arrow::require(!schema.released() && schema->format != nullptr, "it has no type");
    const arrow::Type type = column.type();
    for (const auto& chunk : column.chunks) arrow::check_structure(*chunk, type);
    if (schema->dictionary == nullptr) return;
    arrow::require(schema->dictionary->format != nullptr, "its dictionary has no type");
    arrow::require(type.kind == arrow::Kind::integer, "the indices of a dictionary are not integers");
    const arrow::Type values = arrow::type_of(schema->dictionary->format);
    for (const auto& chunk : column.chunks) {
        arrow::require(chunk->dictionary != nullptr, "its dictionary is absent");
        arrow::check_structure(*chunk->dictionary, values);
    }
}

ArrowColumn read_stream(nb::handle values) {
    ArrowBatches batches(values);
    ArrowColumn column;
    while (batches.next()) {
        check_signals();
        column.chunks.push_back(batches.take_batch());
    }
    column.schema = batches.take_schema();
    return column;
}

ArrowColumn read_column(nb::handle values) {
    if (!nb::hasattr(values, "__arrow_c_array__")) return read_stream(values);
    const nb::object given = values.attr("__arrow_c_array__")();
    if (!nb::isinstance<nb::tuple>(given) || nb::len(given) != 2)
        throw nb::type_error("__arrow_c_array__ must give two capsules, a schema and an array");
    const auto pair = nb::borrow<nb::tuple>(given);
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
    std::unique_ptr<std::uint8_t[]> bytes(new std::uint8_t[column.length()]);  // written once, so not cleared
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
    for (const auto& chunk : column.chunks) {
        arrow::check_items(*chunk, type);
        items.append(arrow::chunk_of(*chunk, type));
    }
    nb::list codes;
    codes.append(to_array(run([&](Control& control) { return keys_of_items(items, threads, control); })));
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
    if (column.schema->dictionary->dictionary != nullptr) return nb::make_tuple("unknown", nb::list(), -1);
    for (const auto& chunk : column.chunks) arrow::check_items(*chunk->dictionary, values);
    const arrow::Dictionaries dictionaries(column.chunks, values);
    for (std::size_t i = 0; i < column.chunks.size(); ++i)
        dictionaries.check(i, arrow::integers_of(*column.chunks[i], indices));
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

}  // namespace

ArrowBatches::ArrowBatches(nb::handle source)
    : stream_(taken<ArrowArrayStream>(source.attr("__arrow_c_stream__")(), "arrow_array_stream")) {
    arrow::require(stream_->get_schema != nullptr && stream_->get_next != nullptr, "the stream cannot be read");
    require(stream_->get_schema(stream_.get(), schema_.get()));
}

bool ArrowBatches::next() {
    batch_ = arrow::Owned<ArrowArray>();  // whose memory may be wanted for the next
    require(stream_->get_next(stream_.get(), batch_.get()));
    return !batch_.released();
}

void ArrowBatches::require(int status) {
    if (status == 0) return;
    const char* why = stream_->get_last_error == nullptr ? nullptr : stream_->get_last_error(stream_.get());
    throw nb::value_error(why != nullptr ? why : "the Arrow stream cannot be read");
}

nb::tuple encode_arrow(nb::handle values, int threads) {
    using arrow::Kind;
    ArrowColumn column = read_column(values);
    check(column);
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

}  // namespace concordant::python
