#include "python/bindings.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/hashing.hpp"
#include "join/key_columns.hpp"
#include "join/sampled_labels.hpp"
#include "labels/arrow.hpp"
#include "python/arrow_columns.hpp"
#include "python/buffers.hpp"
#include "python/calls.hpp"

namespace concordant::python {

namespace {

using namespace nb::literals;

class LabelsOfRecords {
public:
    LabelsOfRecords(const std::vector<std::uint64_t>& keys, const nb::list& texts, std::uint64_t low,
                    std::size_t range, std::size_t rows)
        : texts_(process_seed()), label_texts_(process_seed()), labels_(WantedRecords(keys, bytes_of(texts), texts_), LabelCounts(low, range, rows)) {}

    // All batches of an Arrow stream of two columns, record and label.
    void add(nb::handle source) {
        ArrowBatches batches(source);
        run([&](Control& control) {
            while (labels_.are_exact && batches.next()) {
                const ArrowSchema& schema = batches.schema();
                const ArrowArray& batch = batches.batch();
                labels_.add(key_column(schema, batch, 0, texts_), key_column(schema, batch, 1, label_texts_),
                            arrow::length_of(batch), control);
            }
        });
        check_signals();
    }

    nb::list found() const {
        nb::list all;
        for (const SampledLabels::Found& each : labels_.found)
            all.append(nb::make_tuple(each.place, each.null ? nb::object(nb::none()) : nb::int_(each.label)));
        return all;
    }

    bool are_exact() const { return labels_.are_exact; }

    // The label of a key, where labels are texts, and the key of a label; none where nobody can have it.
    nb::bytes text(std::uint64_t key) const {
        const std::string made = label_texts_.text(key);
        return nb::bytes(made.data(), made.size());
    }
    nb::object key(const nb::bytes& text) const {
        Uuid unused{};
        const std::uint64_t found = label_texts_({static_cast<const std::byte*>(text.data()), text.size()}, unused);
        return TextKeys::is_hash(found) ? nb::object(nb::none()) : nb::int_(found);
    }

    nb::tuple counts() const { return nb::make_tuple(labels_.rows, labels_.named, labels_.unlabelled); }
    std::map<std::uint64_t, std::uint64_t> sizes() const { return labels_.counts.sizes(); }
    std::uint64_t times(std::uint64_t key) const { return labels_.counts.times(key); }
    bool count_kept() { return labels_.counts.count_kept(); }
    IntArray take_kept() { return to_array(labels_.counts.take_kept()); }

private:
    static std::vector<std::string> bytes_of(const nb::list& texts) {
        std::vector<std::string> all;
        for (const nb::handle text : texts) {
            const auto bytes = nb::cast<nb::bytes>(text);
            all.emplace_back(bytes.c_str(), bytes.size());
        }
        return all;
    }

    TextKeys texts_, label_texts_;
    SampledLabels labels_;
};

}  // namespace

void add_sampled_labels(nb::module_& module) {
    nb::class_<LabelsOfRecords>(module, "SampledLabels")
        .def(nb::init<const std::vector<std::uint64_t>&, const nb::list&, std::uint64_t, std::size_t, std::size_t>(),
             "keys"_a, "texts"_a, "low"_a, "range"_a, "rows"_a)
        .def("add", &LabelsOfRecords::add, "source"_a)
        .def_prop_ro("are_exact", &LabelsOfRecords::are_exact)
        .def_prop_ro("found", &LabelsOfRecords::found)
        .def("text", &LabelsOfRecords::text, "key"_a)
        .def("key", &LabelsOfRecords::key, "text"_a)
        .def_prop_ro("counts", &LabelsOfRecords::counts)
        .def_prop_ro("sizes", &LabelsOfRecords::sizes)
        .def("times", &LabelsOfRecords::times, "key"_a)
        .def("count_kept", &LabelsOfRecords::count_kept, nb::lock_self())
        .def("take_kept", &LabelsOfRecords::take_kept, nb::lock_self());
}

}  // namespace concordant::python
