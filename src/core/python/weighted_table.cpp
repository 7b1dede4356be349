// Weighted cells as a Python object: whole numbers of parts in, integers of Python out.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "base/buffer.hpp"
#include "base/integers128.hpp"
#include "base/parallel.hpp"
#include "base/wide_integers.hpp"
#include "counting/decimal_weights.hpp"
#include "counting/ratio_sums.hpp"
#include "counting/weighted_cells.hpp"
#include "counting/weighted_sums.hpp"
#include "labels/labels.hpp"
#include "python/bindings.hpp"
#include "python/buffers.hpp"
#include "python/calls.hpp"

namespace concordant::python {

namespace {

using namespace nb::literals;

template <std::size_t words>
nb::object to_integer(const Wide<words>& value) {
    nb::object sum = nb::int_(0);
    for (std::size_t i = words; i-- > 0;)
        if (value.word[i] != 0) sum = sum | (nb::int_(value.word[i]) << nb::int_(64 * i));
    return sum;
}

nb::tuple to_integers(const SumsOfWeights& sums) {
    return nb::make_tuple(to_integer(sums.cells), to_integer(sums.rows), to_integer(sums.columns), to_integer(sums.whole));
}

// The low and the high words of numbers, the latter empty if they are all 0.
class WordColumns {
public:
    explicit WordColumns(std::size_t length) : low_(length), high_(length) {}

    void set(std::size_t i, Uint128 value) {
        low_[i] = static_cast<std::int64_t>(low_word(value));
        high_[i] = static_cast<std::int64_t>(high_word(value));
        any_high_ = any_high_ || high_[i] != 0 || low_[i] < 0;
    }

    nb::tuple arrays() {
        return nb::make_tuple(to_array(std::move(low_)), any_high_ ? nb::cast(to_array(std::move(high_))) : nb::none());
    }

private:
    Buffer<std::int64_t> low_, high_;
    bool any_high_ = false;
};

class WeightedTable {
    // Calls use(sums) for the cells; before its uses, which take its type.
    template <class Use>
    auto of_sums(Use use) const {
        return run([&](Control& control) {
            return std::visit([&](const auto& cells) { return use(WeightedSums(cells, threads_, control)); }, cells_);
        });
    }

public:
    WeightedTable(DecimalWeights weights, const Labels& u, const Labels& v, unsigned threads, Control& control)
        : weights_(std::move(weights)), rows_(u, threads, control), columns_(v, threads, control), threads_(threads) {
        if (weights_.is_narrow())
            count<std::uint64_t>(control);
        else
            count<Uint128>(control);
        rows_.keep_range_only();
        columns_.keep_range_only();
    }

    int exponent() const { return weights_.exponent; }
    std::uint64_t common() const { return weights_.common; }
    nb::object total() const { return to_integer(in_parts(Wide<2>(weights_.total))); }
    nb::object squares() const { return to_integer(in_parts(in_parts(weights_.squares))); }

    nb::tuple own() const {
        WordColumns columns(weights_.size());
        run([&](Control& control) {
            const UnitWeights<Uint128> weight(weights_);
            std::array<Uint128, block_length> units;
            for (std::size_t i = 0; i < weights_.size(); ++i) {
                if (i % block_length == 0) {
                    control.checkpoint();
                    weight.load(i, std::min(block_length, weights_.size() - i), units.data());
                }
                const Wide<2> parts = in_parts(Wide<2>(units[i % block_length]));
                columns.set(i, of_words(parts.word[1], parts.word[0]));
            }
        });
        return columns.arrays();
    }

    nb::tuple cell_weights(nb::handle u, nb::handle v, nb::handle row, nb::handle column) const {
        const BufferView u_view(u, "u"), v_view(v, "v"), row_view(row, "row"), column_view(column, "column");
        const std::int64_t *row_of = row_view.int64s(), *column_of = column_view.int64s();
        require_equal_lengths(row_view, column_view);
        const std::vector<std::uint32_t> rows = rows_.of_clusters(u_view.labels()), columns = columns_.of_clusters(v_view.labels());
        WordColumns weights(row_view.length());
        run([&](Control& control) {
            std::visit(
                [&](const auto& cells) {
                    for (std::size_t i = 0; i < row_view.length(); ++i) {
                        if (i % block_length == 0) control.checkpoint();
                        const auto at_row = static_cast<std::size_t>(row_of[i]), at_column = static_cast<std::size_t>(column_of[i]);
                        if (at_row >= rows.size() || at_column >= columns.size())
                            throw std::out_of_range("a cell is in no row or column");
                        weights.set(i, Uint128{cells.at(rows[at_row], columns[at_column])});
                    }
                },
                cells_);
        });
        return weights.arrays();
    }

    nb::tuple square_sums() const {
        return to_integers(of_sums([](const auto& sums) { return sums.squares(); }));
    }

    nb::tuple log_sums() const {
        return to_integers(of_sums([](const auto& sums) { return sums.logs(); }));
    }

    nb::list shares(bool of_rows, std::size_t most) const {
        nb::list fractions;
        const auto found = of_sums([&](const auto& sums) { return sums.shares(of_rows, most); });
        for (const auto& [numerator, denominator] : found)
            fractions.append(nb::make_tuple(to_integer(numerator), to_integer(denominator)));
        return fractions;
    }

private:
    template <class Sum>
    void count(Control& control) {
        auto cells = WeightedCounter<Sum>(rows_, columns_, weights_, threads_, control).count();
        cells.divide_by(weights_.common);
        cells_ = std::move(cells);
    }

    template <std::size_t words>
    Wide<words> in_parts(const Wide<words>& units) const {
        return weights_.common <= 1 ? units : Divisor(weights_.common).quotient(units);
    }

    DecimalWeights weights_;
    ClusterNumbers rows_, columns_;
    unsigned threads_;
    std::variant<WeightedCells<std::uint64_t>, WeightedCells<Uint128>> cells_;
};

std::optional<DecimalWeights> read_weights(const BufferView& view, unsigned threads, Control& control) {
    WeightReader reader(view.length(), threads, control);
    if (view.holds_doubles()) return reader.floats(view.doubles());
    if (view.holds_floats()) return reader.floats(view.floats());
    return reader.integers(view.labels());
}

nb::object ratio_sum(nb::handle numerator, nb::handle denominator, nb::handle factor, int threads) {
    const BufferView above(numerator, "numerator"), below(denominator, "denominator");
    const std::int64_t *numerators = above.int64s(), *denominators = below.int64s();
    require_equal_lengths(above, below);
    const std::size_t length = above.length();
    if (std::any_of(denominators, denominators + length, [](std::int64_t each) { return each <= 0; }))
        throw nb::value_error("a denominator is not positive");
    std::optional<BufferView> times;
    if (!factor.is_none()) require_equal_lengths(above, times.emplace(factor, "factor"));
    const std::int64_t* factors = times ? times->int64s() : nullptr;
    const unsigned team = thread_count(threads, length);
    const RatioSums sums = run(
        [&](Control& control) { return ratio_sums(factors, numerators, denominators, length, team, control); });
    return to_integer(sums.positive) - to_integer(sums.negative);
}

// None if the weights are not all positive, or beyond the bounds.
nb::object weighted_table(nb::handle u, nb::handle v, nb::handle weights, int threads) {
    const BufferView u_view(u, "u"), v_view(v, "v"), view(weights, "weights");
    const Labels u_labels = u_view.labels(), v_labels = v_view.labels();
    require_equal_lengths(u_view, v_view);
    require_equal_lengths(u_view, view);
    if (view.length() == 0 || view.length() >= std::numeric_limits<std::uint32_t>::max()) return nb::none();
    const unsigned team = thread_count(threads, view.length());
    auto table = run([&](Control& control) -> std::unique_ptr<WeightedTable> {
        auto read = read_weights(view, team, control);
        if (!read) return nullptr;
        return std::make_unique<WeightedTable>(*std::move(read), u_labels, v_labels, team, control);
    });
    return table == nullptr ? nb::none() : nb::cast(table.release(), nb::rv_policy::take_ownership);
}

}  // namespace

void add_weighted_table(nb::module_& module) {
    nb::class_<WeightedTable>(module, "WeightedTable")
        .def_prop_ro("exponent", &WeightedTable::exponent)
        .def_prop_ro("common", &WeightedTable::common)
        .def_prop_ro("total", &WeightedTable::total)
        .def_prop_ro("squares", &WeightedTable::squares)
        .def("own", &WeightedTable::own)
        .def("cell_weights", &WeightedTable::cell_weights, "u"_a, "v"_a, "row"_a, "column"_a)
        .def("square_sums", &WeightedTable::square_sums)
        .def("log_sums", &WeightedTable::log_sums)
        .def("shares", &WeightedTable::shares, "of_rows"_a, "most"_a);
    const auto any = [](const char* name) { return nb::arg(name).none(); };  // see module.cpp
    module.def("ratio_sum", ratio_sum, any("numerator"), any("denominator"), "factor"_a = nb::none(), "threads"_a = 0);
    module.def("weighted_table", weighted_table, "u"_a, "v"_a, "weights"_a, "threads"_a = 0);
}

}  // namespace concordant::python
