// Random rows of weights against plain sums, dense and sparse, for several numbers of threads.
// Built with sanitizers by the Makefile beside it; an argument sets the number of rounds.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

#include "base/integers128.hpp"
#include "base/parallel.hpp"
#include "fuzzing.hpp"
#include "soft/gram.hpp"
#include "soft/rows.hpp"

using namespace concordant;

namespace {

using Integers = std::vector<std::int64_t>;
using Sums = std::map<std::size_t, Uint128>;

// The same rows in both forms.
struct Side {
    std::size_t columns;
    Integers units, start, column, nonzero;

    SoftRows dense() const { return {nullptr, nullptr, units.data(), columns}; }
    SoftRows sparse() const { return {start.data(), column.data(), nonzero.data(), columns}; }
};

Side make_side(Random& random, std::size_t rows) {
    Side side{1 + below(random, 6), Integers(), Integers(1, 0), {}, {}};
    for (std::size_t x = 0; x < rows; ++x) {
        for (std::size_t i = 0; i < side.columns; ++i) {
            const std::size_t kind = below(random, 4);
            const std::int64_t unit = kind == 0   ? 0
                                      : kind == 1 ? most_units
                                                  : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most_units));
            side.units.push_back(unit);
            if (unit == 0) continue;
            side.column.push_back(static_cast<std::int64_t>(i));
            side.nonzero.push_back(unit);
        }
        side.start.push_back(static_cast<std::int64_t>(side.nonzero.size()));
    }
    return side;
}

Sums cells(const CellSums& sums) {
    Sums found;
    for (const auto& [cell, sum] : sums.sorted()) found[cell] = sum;
    return found;
}

void check_gram(Random& random, unsigned long round) {
    const std::size_t rows = below(random, 3) == 0 ? 70000 : below(random, 600);
    const Side u = make_side(random, rows), v = make_side(random, rows);
    Sums uv, smaller;
    for (std::size_t x = 0; x < rows; ++x)
        for (std::size_t i = 0; i < u.columns; ++i)
            for (std::size_t j = 0; j < v.columns; ++j) {
                const auto one = static_cast<std::uint64_t>(u.units[x * u.columns + i]);
                const auto other = static_cast<std::uint64_t>(v.units[x * v.columns + j]);
                if (one == 0 || other == 0) continue;
                uv[i * v.columns + j] += product(one, other);
                smaller[i * v.columns + j] += Uint128(std::min(one, other));
            }
    Control control;
    for (const unsigned threads : {1U, 3U})
        for (const bool is_u_dense : {true, false})
            for (const bool is_v_dense : {true, false}) {
                const SoftRows one = is_u_dense ? u.dense() : u.sparse(), other = is_v_dense ? v.dense() : v.sparse();
                if (cells(gram_sums(one, other, rows, threads, control).uv) != uv) fail("gram", round);
                if (cells(common_weights(one, other, rows, threads, control)) != smaller) fail("common weights", round);
            }
    // One that is out of range is refused wherever it is.
    if (rows == 0) return;
    Integers wrong = u.units;
    wrong[below(random, wrong.size())] = below(random, 2) ? -1 : most_units + 1;
    try {
        gram_sums({nullptr, nullptr, wrong.data(), u.columns}, v.dense(), rows, 2, control);
        fail("units out of range were taken", round);
    } catch (const std::invalid_argument&) {
    }
}

}  // namespace

int main(int argc, char** argv) {
    const unsigned long rounds = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 200;
    for (unsigned long round = 0; round < rounds; ++round) {
        Random random(round);
        check_gram(random, round);
    }
    std::printf("%lu rounds passed\n", rounds);
}
