#include "python/bindings.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "base/hashing.hpp"
#include "base/integers128.hpp"
#include "join/key_columns.hpp"
#include "join/record_join.hpp"
#include "labels/arrow.hpp"
#include "labels/arrow_checks.hpp"
#include "python/arrow_columns.hpp"
#include "python/buffers.hpp"
#include "python/calls.hpp"

namespace concordant::python {

namespace {

using namespace nb::literals;

struct Collision : std::exception {
    const char* what() const noexcept override { return "two texts have one hash"; }
};

// What the disk refuses is an OSError with its number.
template <class Kernel>
auto run_on_disk(Kernel kernel) {
    try {
        return run(kernel);
    } catch (const std::system_error& error) {
        PyErr_SetObject(PyExc_OSError, nb::make_tuple(error.code().value(), error.what()).ptr());
        throw nb::python_error();
    }
}

nb::int_ integer_of(Uint128 value) {
    return nb::int_((nb::int_(high_word(value)) << nb::int_(64)) | nb::int_(low_word(value)));
}

IntArray bits_of(const std::vector<std::uint64_t>& values) {
    return to_array(std::vector<std::int64_t>(values.begin(), values.end()));
}

// Which columns of a batch hold what.
using Columns = std::vector<std::tuple<unsigned, std::size_t, std::size_t>>;  // side, id, label

class JoinedSources {
public:
    JoinedSources(unsigned bits, int threads, std::size_t bytes, const std::string& folder,
                  const std::vector<std::string>& treatments, std::uint64_t salt, unsigned hash_bits)
        : join_(std::clamp(bits, RecordJoin::least_bits, 16U), thread_count(threads), bytes, folder,
                TextKeys(salt, hash_bits), policy_of(treatments)) {}

    void set_noise_key(unsigned side, std::uint64_t key) { join_.set_noise(side, key); }
    void set_noise_text(unsigned side, nb::bytes text) {
        join_.set_noise(side, std::string(text.c_str(), text.size()));
    }

    void add(nb::handle source, const Columns& columns) {
        each_batch(source, [&](const ArrowSchema& schema, const ArrowArray& batch, Control& control) {
            for (std::size_t i = 0; i < columns.size(); ++i) {
                const auto [side, id, label] = columns[i];
                const KeyColumn ids = key_column(schema, batch, id, join_.keys_of_ids());
                const KeyColumn labels = key_column(schema, batch, label, join_.keys_of_labels(side));
                join_.add(side, ids, labels, arrow::length_of(batch), i > 0, control);
            }
        });
    }

    void add_pairs(nb::handle source) {
        each_batch(source, [&](const ArrowSchema& schema, const ArrowArray& batch, Control& control) {
            join_.add_pairs(key_column(schema, batch, 0, join_.keys_of_labels(0)),
                            key_column(schema, batch, 1, join_.keys_of_labels(1)), arrow::length_of(batch), control);
        });
    }

    nb::dict match(std::size_t few) {
        const Findings found = run_on_disk([&](Control& control) { return join_.match(control); });
        nb::list states, rows, repeated, only;
        for (const auto& of_u : found.states)
            for (const std::uint64_t count : of_u) states.append(count);
        for (unsigned side = 0; side < 2; ++side) {
            for (const auto& [id, times] : found.repeated[side]) note_text(id);
            for (const RecordId& id : found.only[side]) note_text(id);
        }
        std::array<std::vector<std::pair<std::uint64_t, std::uint64_t>>, 2> twice;
        std::array<std::vector<std::uint64_t>, 2> alone;
        for (unsigned side = 0; side < 2; ++side) {
            rows.append(nb::make_tuple(found.rows[side], found.named[side]));
            for (const auto& [id, times] : found.repeated[side]) twice[side].emplace_back(key_of_id(id), times);
            for (const RecordId& id : found.only[side]) alone[side].push_back(key_of_id(id));
            std::sort(twice[side].begin(), twice[side].end());
            std::sort(alone[side].begin(), alone[side].end());
            nb::list of_side, keys;
            for (std::size_t i = 0; i < std::min(few, twice[side].size()); ++i)
                of_side.append(nb::make_tuple(twice[side][i].first, twice[side][i].second));
            for (std::size_t i = 0; i < std::min(few, alone[side].size()); ++i) keys.append(alone[side][i]);
            repeated.append(of_side);
            only.append(keys);
        }
        nb::dict all;
        all["states"] = states;
        all["rows"] = rows;
        all["repeated"] = repeated;
        all["only"] = only;
        return all;
    }

    nb::dict count(std::size_t few, bool keeps) {
        JoinedOverlaps found = run_on_disk([&](Control& control) { return join_.overlaps(few, keeps, control); });
        nb::dict all;
        nb::list triples, split;
        for (const auto& of_kind : found.triples) triples.append(columns_of(of_kind));
        for (SplitClusters& side : found.split) split.append(split_of(side));
        all["triples"] = triples;
        all["split"] = split;
        all["differing"] = found.differing;
        all["cells"] = found.differing <= few ? nb::object(cells_of(std::move(found.cells))) : nb::none();
        return all;
    }

    nb::tuple id_texts(std::vector<std::uint64_t> wanted) {
        return texts(std::move(wanted), [&](const auto& sorted, Texts& picked, Control& control) {
            std::size_t place = 0;
            for (const std::string& text : texts_of_ids_) {
                const std::uint64_t key = TextKeys::key_of_place(place++);
                if (std::binary_search(sorted.begin(), sorted.end(), key)) picked.add(key, text);
            }
            return join_.ids_are_proved(sorted, picked, control);
        });
    }

    nb::tuple label_texts(unsigned side, nb::handle wanted) {
        const BufferView view(wanted, "wanted");
        const std::int64_t* hashes = view.int64s();
        return texts({hashes, hashes + view.length()}, [&](const auto& sorted, Texts& picked, Control& control) {
            return join_.labels_are_proved(side, sorted, picked, control);
        });
    }

    std::uint64_t spilled() const { return join_.spilled(); }

private:
    static Policy policy_of(const std::vector<std::string>& treatments) {
        if (treatments.size() != 8) throw nb::value_error("a treatment for each of four states of two sides");
        Policy policy{};
        for (std::size_t i = 0; i < 8; ++i)
            policy[i / 4][i % 4] = treatments[i] == "count"   ? Treatment::count
                                   : treatments[i] == "alone" ? Treatment::alone
                                                              : Treatment::drop;
        return policy;
    }

    template <class Use>
    void each_batch(nb::handle source, Use use) {
        ArrowBatches batches(source);
        run_on_disk([&](Control& control) {
            while (batches.next()) {
                control.checkpoint();
                use(batches.schema(), batches.batch(), control);
            }
        });
        check_signals();
    }

    // A UUID is reported by its string, under the place of that string.
    void note_text(const RecordId& id) {
        if (id[0] != 0) texts_of_ids_.insert(text_of_id(id));
    }
    std::string text_of_id(const RecordId& id) {
        return join_.keys_of_ids().text(Uuid{id[1], id[2]});
    }
    // Other keys were scrambled by a bijection.
    std::uint64_t key_of_id(const RecordId& id) {
        if (id[0] == 0) return Hasher().inverse(id[1]);
        const auto place = std::distance(texts_of_ids_.begin(), texts_of_ids_.find(text_of_id(id)));
        return TextKeys::key_of_place(static_cast<std::size_t>(place));
    }

    template <class Prove>
    nb::tuple texts(std::vector<std::uint64_t> wanted, Prove prove) {
        std::sort(wanted.begin(), wanted.end());
        Texts picked;
        if (!run_on_disk([&](Control& control) { return prove(wanted, picked, control); })) throw Collision();
        std::vector<std::int64_t> ends(picked.end.begin(), picked.end.end());
        return nb::make_tuple(bits_of(picked.hash), to_array(std::move(ends)),
                              nb::bytes(picked.bytes.data(), picked.bytes.size()));
    }

    static nb::tuple columns_of(const std::vector<Triple>& triples) {
        const auto column = [&](std::uint64_t Triple::*member) {
            std::vector<std::int64_t> values;
            for (const Triple& triple : triples) values.push_back(static_cast<std::int64_t>(triple.*member));
            return to_array(std::move(values));
        };
        return nb::make_tuple(column(&Triple::n), column(&Triple::a), column(&Triple::b), column(&Triple::count));
    }

    static nb::tuple split_of(SplitClusters& side) {
        nb::list together, met;
        side.together.for_each([&](std::uint64_t size, Uint128 least) {
            together.append(nb::make_tuple(size, integer_of(least)));
        });
        for (const auto& [size, count] : side.met) met.append(nb::make_tuple(size, count));
        return nb::make_tuple(side.largest, together, columns_of(side.shares.take()), met);
    }

    static nb::tuple cells_of(std::array<Buffer<std::int64_t>, 4> columns) {
        auto& [u, v, n, alone] = columns;
        return nb::make_tuple(to_array(std::move(u)), to_array(std::move(v)), to_array(std::move(alone)),
                              to_array(std::move(n)));
    }

    RecordJoin join_;
    std::set<std::string> texts_of_ids_;  // of the few that the match found
};

}  // namespace

void add_record_join(nb::module_& module) {
    nb::exception<Collision>(module, "Collision", PyExc_RuntimeError);
    nb::class_<JoinedSources>(module, "RecordJoin")
        .def(nb::init<unsigned, int, std::size_t, const std::string&, const std::vector<std::string>&, std::uint64_t,
                      unsigned>(),
             "bits"_a, "threads"_a, "memory"_a, "folder"_a, "treatments"_a, "salt"_a, "hash_bits"_a = 64)
        .def("set_noise_key", &JoinedSources::set_noise_key, "side"_a, "key"_a)
        .def("set_noise_text", &JoinedSources::set_noise_text, "side"_a, "text"_a)
        .def("add", &JoinedSources::add, "source"_a, "columns"_a)
        .def("add_pairs", &JoinedSources::add_pairs, "source"_a)
        .def("match", &JoinedSources::match, "few"_a)
        .def("count", &JoinedSources::count, "few"_a, "keeps"_a = false)
        .def("id_texts", &JoinedSources::id_texts, nb::lock_self(), "wanted"_a)
        .def("label_texts", &JoinedSources::label_texts, nb::lock_self(), "side"_a, "wanted"_a)
        .def_prop_ro("spilled", &JoinedSources::spilled);
}

}  // namespace concordant::python
