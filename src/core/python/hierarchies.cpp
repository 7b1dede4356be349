#include "python/bindings.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "hierarchies/pair_forest.hpp"
#include "hierarchies/record_numbers.hpp"
#include "hierarchies/tree.hpp"
#include "join/key_columns.hpp"
#include "labels/arrow.hpp"
#include "labels/arrow_checks.hpp"
#include "python/arrow_columns.hpp"
#include "python/buffers.hpp"
#include "python/calls.hpp"

namespace concordant::python {

namespace {

using namespace nb::literals;

IntArray nearest_marked_array(nb::handle parent, nb::handle marked) {
    const BufferView parents(parent, "parent"), marks(marked, "marked");
    const Parents tree{parents.int64s(), parents.length()};
    const bool* is_marked = marks.bools();
    require_equal_lengths(parents, marks);
    return to_array(run([&](Control& control) { return nearest_marked(tree, is_marked, control); }));
}

IntArray subtree_sum_array(nb::handle parent, nb::handle values) {
    const BufferView parents(parent, "parent"), value(values, "values");
    const Parents tree{parents.int64s(), parents.length()};
    const std::int64_t* value_of = value.int64s();
    require_equal_lengths(parents, value);
    return to_array(run([&](Control& control) { return subtree_sums(tree, value_of, control); }));
}

nb::tuple forest_arrays(Forest found) {
    return nb::make_tuple(to_array(std::move(found.parent)), to_array(std::move(found.score)), to_array(std::move(found.level)),
                          to_array(std::move(found.clusters)));
}

// Scored pairs of a stream: a record, another, and a score. Rows that lack one of these are counted and left out.
class PairReader {
public:
    PairReader(std::size_t most_pending, int threads) : forest_(most_pending), threads_(thread_count(threads)) {}

    void read(nb::handle source) {
        ArrowBatches batches(source);
        run([&](Control& control) {
            while (batches.next()) {
                control.checkpoint();
                add(batches.schema(), batches.batch(), control);
            }
        });
        check_signals();
    }

    std::size_t without_record() const { return without_record_; }
    std::size_t without_score() const { return without_score_; }

    // The keys of the records, or the ends and the bytes of their texts.
    nb::object records() const {
        if (!numbers_.are_texts()) {
            const std::vector<std::uint64_t>& keys = numbers_.keys();
            return nb::cast(to_array(std::vector<std::int64_t>(keys.begin(), keys.end())));
        }
        const std::string& bytes = numbers_.bytes();
        return nb::make_tuple(to_array(numbers_.ends()), nb::bytes(bytes.data(), bytes.size()));
    }

    nb::tuple finish() {
        return forest_arrays(run([&](Control& control) { return forest_.finish(numbers_.size(), threads_, control); }));
    }

private:
    void add(const ArrowSchema& schema, const ArrowArray& batch, Control& control) {
        const KeyColumn left = key_column(schema, batch, 0, texts_), right = key_column(schema, batch, 1, texts_);
        const KeyColumn score = key_column(schema, batch, 2, texts_);
        arrow::require(std::string_view(schema.children[2]->format) == "g", "a score is not a float of 64 bits");
        for (std::size_t begin = 0; begin < arrow::length_of(batch); begin += block_length) {
            control.checkpoint();
            const std::size_t count = std::min(block_length, arrow::length_of(batch) - begin);
            numbers_.load(left, begin, count, left_.data());
            numbers_.load(right, begin, count, right_.data());
            score.load(begin, count, block_);
            std::size_t kept = 0;
            for (std::size_t i = 0; i < count; ++i) {
                const auto own = std::bit_cast<double>(block_.key[i]);
                const bool has_score = !block_.null[i] && own == own;
                without_record_ += left_[i] < 0 || right_[i] < 0;
                without_score_ += !has_score;
                if (left_[i] < 0 || right_[i] < 0 || !has_score) continue;
                left_[kept] = left_[i];
                right_[kept] = right_[i];
                score_[kept++] = own;
            }
            forest_.add(left_.data(), right_.data(), score_.data(), kept, threads_, control);
        }
    }

    PairForest forest_;
    unsigned threads_;
    RecordNumbers numbers_;
    TextKeys texts_{process_seed()};
    std::size_t without_record_ = 0, without_score_ = 0;
    std::array<std::int64_t, block_length> left_, right_;
    std::array<double, block_length> score_;
    KeyBlock block_;
};

void add_pairs(PairForest& forest, nb::handle left, nb::handle right, nb::handle score, int threads) {
    const BufferView lefts(left, "left"), rights(right, "right"), scores(score, "score");
    const std::int64_t *left_of = lefts.int64s(), *right_of = rights.int64s();
    const double* score_of = scores.doubles();
    require_equal_lengths(lefts, rights);
    require_equal_lengths(lefts, scores);
    run([&](Control& control) { forest.add(left_of, right_of, score_of, lefts.length(), thread_count(threads), control); });
}

nb::tuple finished_forest(PairForest& forest, std::size_t records, int threads) {
    return forest_arrays(run([&](Control& control) { return forest.finish(records, thread_count(threads), control); }));
}

}  // namespace

void add_hierarchies(nb::module_& module) {
    const auto any = [](const char* name) { return nb::arg(name).none(); };
    module.def("nearest_marked", nearest_marked_array, any("parent"), any("marked"));
    module.def("subtree_sums", subtree_sum_array, any("parent"), any("values"));
    nb::class_<PairForest>(module, "PairForest")
        .def(nb::init<std::size_t>(), "most_pending"_a = std::size_t{1} << 24)
        .def("add", add_pairs, any("left"), any("right"), any("score"), "threads"_a = 0)
        .def("finish", finished_forest, "records"_a, "threads"_a = 0);
    nb::class_<PairReader>(module, "PairReader")
        .def(nb::init<std::size_t, int>(), "most_pending"_a = std::size_t{1} << 24, "threads"_a = 0)
        .def("read", &PairReader::read, "source"_a)
        .def("records", &PairReader::records)
        .def("finish", &PairReader::finish)
        .def_prop_ro("without_record", &PairReader::without_record)
        .def_prop_ro("without_score", &PairReader::without_score);
}

}  // namespace concordant::python
