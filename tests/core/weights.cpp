// Weights: wide integers, shortest decimals, logarithms, cells and sums against plain ways to the same numbers.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "base/fixed_log.hpp"
#include "base/integers128.hpp"
#include "base/shortest_decimal.hpp"
#include "base/wide_integers.hpp"
#include "counting/decimal_weights.hpp"
#include "counting/weighted_cells.hpp"
#include "counting/weighted_sums.hpp"
#include "labels/labels.hpp"

namespace {

using namespace concordant;

std::mt19937_64 draw(7);  // the same numbers in each run

void expect(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "weights: %s\n", what);
    std::exit(1);
}

double as_double(const Wide<4>& x) {
    double value = 0;
    for (std::size_t i = 4; i-- > 0;) value = std::ldexp(value, 64) + static_cast<double>(x.word[i]);
    return value;
}

std::uint64_t some_word() {
    const std::uint64_t bits = draw();
    return draw() % 4 == 0 ? ~std::uint64_t{0} << (bits % 64) : bits >> (draw() % 64);
}

Uint128 some_number() { return of_words(draw() % 2 == 0 ? 0 : some_word(), some_word()); }

// quotient · divisor <= numerator < (quotient + 1) · divisor
void check_division() {
    Wide<4> numerator;
    for (std::uint64_t& word : numerator.word) word = some_word();
    Uint128 divisor = some_number();
    if (divisor == Uint128{0}) divisor = 1;
    const Wide<4> quotient = Divisor(divisor).quotient(numerator);
    Wide<7> below = wide_product(quotient, Wide<2>(divisor)), above = below;
    above += divisor;
    const auto at_most = [](const Wide<7>& x, const Wide<7>& y) {
        for (std::size_t i = 7; i-- > 0;)
            if (x.word[i] != y.word[i]) return x.word[i] < y.word[i];
        return true;
    };
    expect(at_most(below, numerator) && !at_most(above, numerator), "a quotient is wrong");
}

// Both ways to divide give the same digits.
void check_ratio() {
    const Uint128 numerator = of_words(some_word() >> 2, some_word());
    const std::uint64_t divisor = std::max<std::uint64_t>(some_word(), 1);
    const Wide<4> raised = Wide<2>(numerator).shifted<4>(128);
    expect(WordDivisor(divisor).ratio(numerator) == Divisor(Uint128{divisor}).quotient(raised), "a ratio is wrong");
}

template <class Float>
void check_decimal(Float value, const Decimal& found) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific);
    *end.ptr = 0;
    std::uint64_t digits = 0;
    int exponent = 0;
    const char* at = text;
    for (bool is_fraction = false; at != end.ptr && *at != 'e'; ++at) {
        if (*at == '.') {
            is_fraction = true;
            continue;
        }
        digits = 10 * digits + static_cast<std::uint64_t>(*at - '0');
        exponent -= is_fraction ? 1 : 0;
    }
    exponent += std::atoi(at + 1);
    for (; digits % 10 == 0; digits /= 10) ++exponent;
    expect(found.digits == digits && found.exponent == exponent, text);
}

// One by one in integers, and together.
template <class Float>
void check_decimals(const std::vector<Float>& values) {
    const auto is_positive = [](Float value) { return std::isfinite(value) && value > 0; };
    std::vector<Float> kept;
    std::copy_if(values.begin(), values.end(), std::back_inserter(kept), is_positive);
    std::vector<Decimal> found(kept.size());
    const auto keep = [&found](std::size_t i, Decimal decimal) { found[i] = decimal; };
    expect(shortest_decimals(values.data(), values.size(), keep) == (kept.size() == values.size()), "signs are wrong");
    expect(shortest_decimals(kept.data(), kept.size(), keep), "floats are refused");
    for (std::size_t i = 0; i < kept.size(); ++i) {
        check_decimal(kept[i], found[i]);
        const Decimal alone = without_zeros(shortest_decimal(kept[i], PowersOfTen::get()));
        expect(alone.digits == found[i].digits && alone.exponent == found[i].exponent, "the two ways differ");
    }
}

// With random bits, decimals of a few digits, and products with powers of two, so decimals halfway between two floats.
void check_some_decimals() {
    std::vector<double> doubles;
    std::vector<float> floats;
    for (int i = 0; i < 200; ++i) {
        const std::uint64_t bits = draw();
        doubles.push_back(std::bit_cast<double>(bits));
        floats.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
        doubles.push_back(static_cast<double>(bits % 100'000'000) / std::pow(10.0, static_cast<double>(draw() % 9)));
        doubles.push_back(static_cast<double>(bits >> 11) * 0x1p-53);
        doubles.push_back(std::ldexp(static_cast<double>(bits >> (11 + bits % 50)), static_cast<int>(draw() % 200) - 100));
        floats.push_back(static_cast<float>(doubles.back()));
    }
    check_decimals(doubles);
    check_decimals(floats);
}

void check_log(Uint128 x) {
    const double expected = std::log(static_cast<double>(x));
    const Uint128 found = FixedLog::get()(x);
    expect(std::fabs(std::ldexp(static_cast<double>(found), -120) - expected) <= 4e-16 * (1 + expected), "a logarithm is wrong");
}

// log(xy) = log(x) + log(y), to the last bits.
void check_logs_of_product() {
    const std::uint64_t x = some_word() >> 1 | 1, y = some_word() >> 1 | 1;
    const FixedLog& log = FixedLog::get();
    const Uint128 sum = log(x) + log(y), whole = log(product(x, y));
    const Uint128 difference = sum > whole ? sum - whole : whole - sum;
    expect(difference < Uint128{16}, "the logarithm of a product is not the sum of those of its factors");
}

// Counted cells, and the sums over them, against a map from pairs of labels.
template <class Sum>
void check_sums(const WeightedCells<Sum>& cells, const std::map<std::pair<std::uint32_t, std::uint32_t>, Uint128>& wanted,
                unsigned threads, Control& control) {
    std::size_t filled = 0;
    std::map<std::uint32_t, Uint128> rows;
    Wide<4> squares;
    for (const auto& [pair, weight] : wanted) {
        expect(Uint128{cells.at(pair.first, pair.second)} == weight, "a cell is wrong");
        rows[pair.first] += weight;
        squares += square(weight);
        ++filled;
    }
    expect(cells.weight.size == filled, "there are too many cells");
    for (const auto& [row, weight] : rows) expect(Uint128{cells.row_weight[row]} == weight, "a row is wrong");
    const WeightedSums sums(cells, threads, control);
    expect(sums.squares().cells == squares, "a sum of squares is wrong");
    const auto logs = sums.logs();
    expect(logs.cells.word[3] >> 63 == 0 && logs.whole.bit_width() >= logs.rows.bit_width(), "a sum of logarithms is wrong");
    const auto all = sums.shares(true, rows.size()), cut = sums.shares(true, 0);
    expect(cut.size() == 1 && all.size() <= rows.size(), "there are too many fractions");
    double exact = 0;
    for (const auto& [numerator, denominator] : all) exact += as_double(numerator) / as_double(denominator);
    const double found = as_double(cut[0].first) / std::ldexp(1.0, 128);
    expect(std::fabs(found - exact) <= 1e-12 * exact, "a sum of shares is wrong");
}

void check_cells() {
    const std::size_t length = 1 + draw() % 70'000;
    const std::size_t clusters = 1 + draw() % (draw() % 2 == 0 ? 20 : std::min<std::size_t>(30'000, 2 * length));
    const unsigned threads = 1 + static_cast<unsigned>(draw() % 3), kind = static_cast<unsigned>(draw() % 4);
    const std::uint64_t most = std::uint64_t{1} << draw() % 40;  // of integers, but the first are small
    std::vector<std::uint32_t> u(length), v(length);
    std::vector<double> floats(length);
    std::vector<std::int64_t> integers(length);
    for (std::size_t i = 0; i < length; ++i) {
        u[i] = static_cast<std::uint32_t>(draw() % clusters);
        v[i] = draw() % 3 == 0 ? static_cast<std::uint32_t>(draw() % clusters) : u[i];
        integers[i] = static_cast<std::int64_t>(1 + draw() % (kind == 1 ? std::uint64_t{1} << 62 : i < block_length ? 200 : most));
        floats[i] = kind == 2 ? static_cast<double>(1 + draw() % 1000) / 8 : 0x1p-53 * static_cast<double>(1 + (draw() >> 11));
    }
    u[0] = v[0] = 0;  // so numbers are labels, which are not far apart
    Control control;
    const auto labels = [length](const auto& values, LabelType type) {
        return Labels{reinterpret_cast<const std::byte*>(values.data()), type, static_cast<std::ptrdiff_t>(sizeof values[0]), length};
    };
    WeightReader reader(length, threads, control);
    const std::optional<DecimalWeights> weights =
        kind < 2 ? reader.integers(labels(integers, LabelType::int64)) : reader.floats(floats.data());
    expect(weights.has_value(), "weights are refused");
    std::map<std::pair<std::uint32_t, std::uint32_t>, Uint128> wanted;
    const UnitWeights<Uint128> units(*weights);
    std::vector<Uint128> unit(length);
    for (std::size_t begin = 0; begin < length; begin += block_length)
        units.load(begin, std::min(block_length, length - begin), &unit[begin]);
    Wide<4> squares;
    for (std::size_t i = 0; i < length; ++i) {
        wanted[{u[i], v[i]}] += unit[i];
        squares += square(unit[i]);
        const double weight = kind < 2 ? static_cast<double>(integers[i]) : floats[i];
        const double read = static_cast<double>(unit[i]) * std::pow(10.0, weights->exponent);
        expect(std::fabs(read - weight) <= 1e-12 * weight, "a weight is wrong");
    }
    expect(squares == weights->squares, "the sum of the squares of the weights is wrong");
    const ClusterNumbers rows(labels(u, LabelType::uint32), threads, control), columns(labels(v, LabelType::uint32), threads, control);
    if (weights->is_narrow())
        check_sums(WeightedCounter<std::uint64_t>(rows, columns, *weights, threads, control).count(), wanted, threads, control);
    check_sums(WeightedCounter<Uint128>(rows, columns, *weights, threads, control).count(), wanted, threads, control);
}

}  // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 30;
    for (int round = 0; round < rounds; ++round) check_cells();
    for (int round = 0; round < 1000 * rounds; ++round) {
        check_division();
        check_ratio();
        check_log(some_number() == Uint128{0} ? Uint128{1} : of_words(draw() >> 1 >> (round % 64), draw() | 1));
        check_logs_of_product();
    }
    for (int round = 0; round < 40 * rounds; ++round) check_some_decimals();
    for (int exponent = -1074; exponent < 1024; ++exponent) {
        const double power = std::ldexp(1.0, exponent);
        check_decimals<double>({power, std::nextafter(power, 0.0), std::nextafter(power, std::numeric_limits<double>::infinity())});
        check_decimals<float>({static_cast<float>(power)});
    }
    expect(FixedLog::get()(1) == Uint128{0}, "log(1) is not 0");
    std::puts("weights: all right");
}
