#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "python/bindings.hpp"
#include "python/buffers.hpp"
#include "python/calls.hpp"
#include "soft/gram.hpp"
#include "soft/rows.hpp"

namespace concordant::python {

namespace {

using namespace nb::literals;

// Rows as Python passes them: (start, column, units, number of columns); start and column are None if dense.
class RowsView {
public:
    RowsView(nb::tuple given, const char* name) : units_(given[2], name) {
        rows_.units = units_.int64s();
        const auto columns = nb::cast<std::int64_t>(given[3]);
        if (columns < 1 || columns > most_columns) throw nb::value_error("columns must be from 1 to 2**31 - 1");
        rows_.columns = static_cast<std::size_t>(columns);
        if (given[0].is_none()) {
            if (units_.length() % rows_.columns != 0) throw nb::value_error("units must be whole rows");
            length_ = units_.length() / rows_.columns;
        } else {
            read_sparse(given[0], given[1]);
        }
        if (length_ > most_soft_rows) throw nb::value_error("at most 2**20 rows at a time");
    }

    const SoftRows& rows() const { return rows_; }
    std::size_t length() const { return length_; }
    std::size_t entries() const { return units_.length(); }

private:
    static constexpr std::int64_t most_columns = (std::int64_t{1} << 31) - 1;

    // Copies, since another thread may write to the arrays meanwhile.
    void read_sparse(nb::handle start, nb::handle column) {
        const BufferView starts(start, "start"), columns(column, "column");
        const std::int64_t *start_of = starts.int64s(), *column_of = columns.int64s();
        require_equal_lengths(columns, units_);
        start_.assign(start_of, start_of + starts.length());
        column_.assign(column_of, column_of + columns.length());
        const auto entries = static_cast<std::int64_t>(column_.size());
        bool is_valid = !start_.empty() && start_.front() == 0 && start_.back() == entries;
        for (std::size_t x = 1; x < start_.size(); ++x) is_valid = is_valid && start_[x - 1] <= start_[x];
        if (!is_valid) throw nb::value_error("start must rise from 0 to the number of units");
        for (const std::int64_t each : column_)
            if (each < 0 || each >= static_cast<std::int64_t>(rows_.columns))
                throw nb::value_error("each column must be below the number of columns");
        rows_.start = start_.data();
        rows_.column = column_.data();
        length_ = start_.size() - 1;
    }

    BufferView units_;
    SoftRows rows_;
    std::size_t length_ = 0;
    std::vector<std::int64_t> start_, column_;
};

// Rows of cell, low word and high word.
IntTable table_of(const CellSums& sums) {
    const auto cells = sums.sorted();
    Buffer<std::int64_t> values(3 * cells.size());
    std::int64_t* out = values.begin();
    for (const auto& [cell, sum] : cells) {
        out[0] = static_cast<std::int64_t>(cell);
        out[cells.size()] = static_cast<std::int64_t>(low_word(sum));
        out[2 * cells.size()] = static_cast<std::int64_t>(high_word(sum));
        ++out;
    }
    return to_table(std::move(values), 3);
}

nb::object integer_of(Uint128 sum) {
    return (nb::int_(high_word(sum)) << nb::int_(64)) + nb::int_(low_word(sum));
}

nb::object integer_of(const SquareSums& squares, std::size_t which) {
    nb::object value = nb::int_(0);
    for (std::size_t i = 3; i-- > 0;) value = (value << nb::int_(53)) + integer_of(squares.parts()[3 * which + i]);
    return value;
}

nb::tuple gram(nb::tuple u, nb::tuple v, int threads) {
    const RowsView of_u(std::move(u), "u"), of_v(std::move(v), "v");
    if (of_u.length() != of_v.length()) throw nb::value_error("both sides must have as many rows");
    const unsigned team = thread_count(threads, of_u.entries() + of_v.entries());
    const GramSums sums =
        run([&](Control& control) { return gram_sums(of_u.rows(), of_v.rows(), of_u.length(), team, control); });
    return nb::make_tuple(table_of(sums.uu), table_of(sums.uv), table_of(sums.vv), table_of(sums.u),
                          table_of(sums.v), integer_of(sums.a), integer_of(sums.b), integer_of(sums.squares, 0),
                          integer_of(sums.squares, 1), integer_of(sums.squares, 2));
}

IntTable overlaps(nb::tuple u, nb::tuple v, int threads) {
    const RowsView of_u(std::move(u), "u"), of_v(std::move(v), "v");
    if (of_u.length() != of_v.length()) throw nb::value_error("both sides must have as many rows");
    const unsigned team = thread_count(threads, of_u.entries() + of_v.entries());
    return table_of(
        run([&](Control& control) { return common_weights(of_u.rows(), of_v.rows(), of_u.length(), team, control); }));
}

}  // namespace

void add_soft(nb::module_& module) {
    module.def("soft_gram", gram, "u"_a, "v"_a, "threads"_a = 0);
    module.def("soft_overlaps", overlaps, "u"_a, "v"_a, "threads"_a = 0);
}

}  // namespace concordant::python
