#include "python/bindings.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "python/buffers.hpp"
#include "python/calls.hpp"
#include "text/delimited.hpp"
#include "text/utf8.hpp"
#include "text/json_lines.hpp"

namespace concordant::python {

namespace {

using namespace nb::literals;

nb::object fault_of(const Fault& fault) {
    return fault ? nb::object(nb::make_tuple(fault.kind, fault.line, fault.detail)) : nb::none();
}

template <class Text>
void feed(Text& text, nb::bytes bytes) {
    const char* data = bytes.c_str();
    const std::size_t length = bytes.size();
    run([&](Control&) {
        if constexpr (std::is_same_v<Text, DelimitedText>) {
            text.feed(reinterpret_cast<const unsigned char*>(data), length);
        } else {
            text.feed(data, length);
        }
    });
}

nb::object text_of(const std::optional<std::string>& value) {
    return value ? nb::object(nb::str(value->data(), value->size())) : nb::none();
}

nb::list columns_of(JsonLines& text) {
    nb::list columns;
    for (const JsonLines::Column& values : text.take()) {
        nb::list column;
        for (const auto& value : values) column.append(text_of(value));
        columns.append(column);
    }
    return columns;
}

}  // namespace

void add_text(nb::module_& module) {
    nb::class_<DelimitedText>(module, "DelimitedText")
        .def(nb::init<char, bool>(), "separator"_a, "ragged"_a = false)
        .def("feed", feed<DelimitedText>, "bytes"_a)
        .def("finish", &DelimitedText::finish)
        .def_prop_ro("fault", [](const DelimitedText& text) { return fault_of(text.fault); })
        .def_prop_ro("header", [](const DelimitedText& text) { return nb::bytes(text.header.data(), text.header.size()); })
        .def_ro("width", &DelimitedText::width)
        .def_ro("rows", &DelimitedText::rows)
        .def_ro("leading_blanks", &DelimitedText::leading_blanks)
        .def_ro("blanks", &DelimitedText::blanks)
        .def_ro("empty_rows", &DelimitedText::empty_rows)
        .def_ro("line_feeds", &DelimitedText::line_feeds)
        .def_ro("returns", &DelimitedText::returns)
        .def_ro("longest_row", &DelimitedText::longest_row);
    nb::class_<JsonLines>(module, "JsonLines")
        .def(nb::init<std::vector<std::string>, bool>(), "wanted"_a, "keep"_a = false)
        .def("feed", feed<JsonLines>, "bytes"_a)
        .def("finish", &JsonLines::finish)
        .def("take", columns_of)
        .def_prop_ro("fault", [](const JsonLines& text) { return fault_of(text.fault); })
        .def_ro("rows", &JsonLines::rows)
        .def_ro("found", &JsonLines::found);
}

}  // namespace concordant::python
