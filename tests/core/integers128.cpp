// The two words that stand in for 128-bit integers against the compiler's own, on words that are small, large and random.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "base/integers128.hpp"

#if defined(__SIZEOF_INT128__)

namespace {

__extension__ using Unsigned = unsigned __int128;
__extension__ using Signed = __int128;
using concordant::TwoWords;

void expect(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "two words differ from the compiler's integers: %s\n", what);
    std::exit(1);
}

template <bool has_sign, class Builtin>
bool same(const TwoWords<has_sign>& words, Builtin value) {
    const auto bits = static_cast<Unsigned>(value);
    return words.high() == static_cast<std::uint64_t>(bits >> 64) && words.low() == static_cast<std::uint64_t>(bits);
}

template <bool has_sign, class Builtin>
void compare(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
    const TwoWords<has_sign> x(a, b), y(c, d);
    const auto p = static_cast<Builtin>(static_cast<Unsigned>(a) << 64 | b);
    const auto q = static_cast<Builtin>(static_cast<Unsigned>(c) << 64 | d);
    const auto unsigned_p = static_cast<Unsigned>(p), unsigned_q = static_cast<Unsigned>(q);  // which may wrap around
    expect(same(x + y, unsigned_p + unsigned_q), "sum");
    expect(same(x - y, unsigned_p - unsigned_q), "difference");
    expect(same(x * y, unsigned_p * unsigned_q), "product");
    expect((x < y) == (p < q) && (x == y) == (p == q) && (x > y) == (p > q), "order");
    expect(static_cast<double>(x) == static_cast<double>(p), "rounding");
    if constexpr (!has_sign)
        if (q != 0) expect(same(x / y, p / q), "quotient");
}

void compare(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
    compare<false, Unsigned>(a, b, c, d);
    compare<true, Signed>(a, b, c, d);
    expect(same(TwoWords<false>::of_product(a, b), static_cast<Unsigned>(a) * b), "product of words");
    const auto small = static_cast<std::int64_t>(a);
    expect(same(TwoWords<true>(small), static_cast<Signed>(small)), "sign");
    expect(static_cast<std::int64_t>(TwoWords<true>(small)) == small, "way back");
}

}  // namespace

int main() {
    constexpr std::uint64_t edges[] = {0, 1, 2, 0xffffffffU, std::uint64_t{1} << 32, (std::uint64_t{1} << 53) + 1,
                                       std::uint64_t{1} << 63, ~std::uint64_t{0} - 1, ~std::uint64_t{0}};
    for (const auto a : edges)
        for (const auto b : edges)
            for (const auto c : edges)
                for (const auto d : edges) compare(a, b, c, d);
    std::mt19937_64 random(7);
    const auto word = [&] { return random() >> random() % 64; };
    for (int round = 0; round < 20000; ++round) {
        const auto a = word(), b = word(), c = word(), d = word();
        compare(a, b, c, d);
    }
    std::puts("two words agree with the compiler's integers");
}

#else

int main() { std::puts("this compiler has no integers of 128 bits to compare with"); }

#endif
