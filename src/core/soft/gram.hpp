// Gram matrices of two soft partitions and the sums over records that go with them, in one pass and exact.
//
// A weight is at most 2^53 units, so a product needs 106 bits, and 128 bits hold the sum of 2^20 of them. Integers
// add up to the same sum in any order: the result does not depend on the number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/hashing.hpp"
#include "base/integers128.hpp"
#include "base/parallel.hpp"
#include "base/processor.hpp"
#include "soft/rows.hpp"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#include <immintrin.h>
#endif

namespace concordant {

inline constexpr std::size_t most_soft_rows = std::size_t{1} << 20;  // of one call

// Sums over the rows of a², ab and b², with a and b below 2^107: each in two parts of 53 bits.
class SquareSums {
public:
    void add(Uint128 a, Uint128 b) {
        const std::uint64_t a_low = low_part(a), a_high = high_part(a), b_low = low_part(b), b_high = high_part(b);
        const Uint128 cross_a = product(a_low, a_high), cross_b = product(b_low, b_high);
        sums_[0] += product(a_low, a_low);
        sums_[1] += cross_a + cross_a;
        sums_[2] += product(a_high, a_high);
        sums_[3] += product(a_low, b_low);
        sums_[4] += product(a_low, b_high) + product(a_high, b_low);
        sums_[5] += product(a_high, b_high);
        sums_[6] += product(b_low, b_low);
        sums_[7] += cross_b + cross_b;
        sums_[8] += product(b_high, b_high);
    }
    void add(const SquareSums& other) {
        for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += other.sums_[i];
    }
    // For each of the three sums its parts, which count 1, 2^53 and 2^106.
    const std::array<Uint128, 9>& parts() const { return sums_; }

private:
    static std::uint64_t low_part(Uint128 x) { return low_word(x) & ((std::uint64_t{1} << 53) - 1); }
    static std::uint64_t high_part(Uint128 x) { return high_word(x) << 11 | low_word(x) >> 53; }

    std::array<Uint128, 9> sums_{};
};

// Sums by row and column: of all cells where these are few, else of those that occur.
class CellSums {
public:
    CellSums(std::size_t rows, std::size_t columns) : columns_(columns), is_dense_(rows * columns <= most_dense) {
        if (is_dense_) {
            sums_.assign(rows * columns, Uint128(0));
        } else {
            resize(1024);
        }
    }

    Uint128* row(std::size_t i) { return sums_.data() + i * columns_; }  // of dense sums

    void add(std::size_t i, std::size_t j, Uint128 value) {
        const std::size_t cell = i * columns_ + j;
        sums_[is_dense_ ? cell : slot_of(cell)] += value;
    }

    void add(const CellSums& other) {
        if (is_dense_) {
            for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += other.sums_[i];
        } else {
            for (std::size_t i = 0; i < other.cells_.size(); ++i)
                if (other.cells_[i] != free_) sums_[slot_of(other.cells_[i])] += other.sums_[i];
        }
    }

    // The cells that are not empty and their sums, by row and column.
    std::vector<std::pair<std::size_t, Uint128>> sorted() const {
        std::vector<std::pair<std::size_t, Uint128>> found;
        for (std::size_t i = 0; i < sums_.size(); ++i)
            if (sums_[i] != Uint128(0)) found.emplace_back(is_dense_ ? i : cells_[i], sums_[i]);
        if (!is_dense_)
            std::sort(found.begin(), found.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
        return found;
    }

private:
    static constexpr std::size_t most_dense = std::size_t{1} << 20;
    static constexpr std::size_t free_ = ~std::size_t{0};

    std::size_t slot_of(std::size_t cell) {
        if (2 * used_ >= cells_.size()) resize(2 * cells_.size());
        const std::size_t mask = cells_.size() - 1;
        for (std::size_t slot = static_cast<std::size_t>(hasher_(cell)) & mask;; slot = (slot + 1) & mask) {
            if (cells_[slot] == cell) return slot;
            if (cells_[slot] == free_) {
                cells_[slot] = cell;
                ++used_;
                return slot;
            }
        }
    }

    void resize(std::size_t slots) {
        std::vector<std::size_t> cells(slots, free_);
        std::vector<Uint128> sums(slots, Uint128(0));
        cells.swap(cells_);
        sums.swap(sums_);
        used_ = 0;
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (cells[i] != free_) sums_[slot_of(cells[i])] = sums[i];
    }

    std::size_t columns_;
    bool is_dense_;
    std::size_t used_ = 0;
    Hasher hasher_;
    std::vector<std::size_t> cells_;
    std::vector<Uint128> sums_;
};

// With a = |u|², b = |v|² of each row, in squared units.
struct GramSums {
    CellSums uu, uv, vv;  // of uu and vv the upper triangle
    CellSums u, v;        // by column
    Uint128 a = 0, b = 0;
    SquareSums squares;

    GramSums(std::size_t u_columns, std::size_t v_columns)
        : uu(u_columns, u_columns),
          uv(u_columns, v_columns),
          vv(v_columns, v_columns),
          u(1, u_columns),
          v(1, v_columns) {}

    void add_rows(const Uint128* of_u, const Uint128* of_v, std::size_t count) {
        SquareSums own;  // of local memory, which the compiler keeps in registers
        Uint128 own_a = 0, own_b = 0;
        for (std::size_t x = 0; x < count; ++x) {
            own_a += of_u[x];
            own_b += of_v[x];
            own.add(of_u[x], of_v[x]);
        }
        a += own_a;
        b += own_b;
        squares.add(own);
    }

    void add(const GramSums& other) {
        uu.add(other.uu);
        uv.add(other.uv);
        vv.add(other.vv);
        u.add(other.u);
        v.add(other.v);
        a += other.a;
        b += other.b;
        squares.add(other.squares);
    }
};

// Sums of products of halves: a number below 2^54 is high · 2^27 + low.
struct HalfSums {
    std::uint64_t high = 0, middle = 0, low = 0;

    Uint128 total() const {
        constexpr std::uint64_t shift = std::uint64_t{1} << 27;
        return product(high, shift * shift) + product(middle, shift) + Uint128(low);
    }
};

// Rows of one side, column by column, in halves that vector instructions multiply. The sums of 256 products fit into
// 64 bits.
class ColumnBlock {
public:
    static constexpr std::size_t rows = 256;

    explicit ColumnBlock(std::size_t columns) : columns_(columns), high_(columns * rows), low_(columns * rows) {}

    void read(const std::int64_t* units, std::size_t count) {
        count_ = count;
        std::uint64_t largest = 0;
        for (std::size_t i = 0; i < columns_; ++i) {
            std::uint64_t *high = high_.data() + i * rows, *low = low_.data() + i * rows;
            for (std::size_t x = 0; x < count; ++x) {
                const auto unit = static_cast<std::uint64_t>(units[x * columns_ + i]);
                largest = std::max(largest, unit);
                high[x] = unit >> 27;
                low[x] = unit & ((std::uint64_t{1} << 27) - 1);
            }
            std::fill(high + count, high + rows, 0);  // products go over whole blocks
            std::fill(low + count, low + rows, 0);
        }
        check_units(largest);
    }

    std::size_t count() const { return count_; }
    std::size_t columns() const { return columns_; }
    const std::uint64_t* high(std::size_t i) const { return high_.data() + i * rows; }
    const std::uint64_t* low(std::size_t i) const { return low_.data() + i * rows; }

private:
    std::size_t columns_, count_ = 0;
    std::vector<std::uint64_t> high_, low_;
};

using HalfProducts = HalfSums (*)(const std::uint64_t*, const std::uint64_t*, const std::uint64_t*,
                                  const std::uint64_t*);

inline HalfSums half_products(const std::uint64_t* high, const std::uint64_t* low, const std::uint64_t* other_high,
                              const std::uint64_t* other_low) {
    HalfSums sums;
    for (std::size_t x = 0; x < ColumnBlock::rows; ++x) {
        sums.high += high[x] * other_high[x];
        sums.middle += high[x] * other_low[x] + low[x] * other_high[x];
        sums.low += low[x] * other_low[x];
    }
    return sums;
}

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))

// Compilers multiply words of 64 bits by three instructions; here one is enough, as the upper halves are zero.
__attribute__((target("avx2"))) inline HalfSums half_products_avx2(const std::uint64_t* high, const std::uint64_t* low,
                                                                   const std::uint64_t* other_high,
                                                                   const std::uint64_t* other_low) {
    using Words = __m256i;
    Words sums[3] = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256()};
    for (std::size_t x = 0; x < ColumnBlock::rows; x += 4) {
        const Words a = _mm256_loadu_si256(reinterpret_cast<const Words*>(high + x));
        const Words b = _mm256_loadu_si256(reinterpret_cast<const Words*>(low + x));
        const Words c = _mm256_loadu_si256(reinterpret_cast<const Words*>(other_high + x));
        const Words d = _mm256_loadu_si256(reinterpret_cast<const Words*>(other_low + x));
        sums[0] = _mm256_add_epi64(sums[0], _mm256_mul_epu32(a, c));
        sums[1] = _mm256_add_epi64(sums[1], _mm256_add_epi64(_mm256_mul_epu32(a, d), _mm256_mul_epu32(b, c)));
        sums[2] = _mm256_add_epi64(sums[2], _mm256_mul_epu32(b, d));
    }
    std::uint64_t total[3] = {};
    for (std::size_t i = 0; i < 3; ++i) {
        std::uint64_t words[4];
        _mm256_storeu_si256(reinterpret_cast<Words*>(words), sums[i]);
        for (const std::uint64_t word : words) total[i] += word;
    }
    return {total[0], total[1], total[2]};
}

inline HalfProducts best_half_products() {
    return __builtin_cpu_supports("avx2") ? half_products_avx2 : half_products;
}

#else

inline HalfProducts best_half_products() { return half_products; }

#endif

inline void add_products(const ColumnBlock& u, const ColumnBlock& v, bool is_triangle, CellSums& sums) {
    static const HalfProducts products = best_half_products();
    for (std::size_t i = 0; i < u.columns(); ++i)
        for (std::size_t j = is_triangle ? i : 0; j < v.columns(); ++j)
            sums.add(i, j, products(u.high(i), u.low(i), v.high(j), v.low(j)).total());
}

// Of each row the squares of one column, added to three sums in halves.
[[maybe_unused]] CONCORDANT_VECTORISED static void add_squares(const std::uint64_t* high, const std::uint64_t* low, std::size_t count,
                                       std::uint64_t* sums) {
    for (std::size_t x = 0; x < count; ++x) {
        const std::uint64_t a = high[x], b = low[x];
        sums[x] += a * a;
        sums[ColumnBlock::rows + x] += 2 * (a * b);
        sums[2 * ColumnBlock::rows + x] += b * b;
    }
}

// For each row of a block the sum of the squares of its units.
class SquaredNorms {
public:
    const std::vector<Uint128>& of(const ColumnBlock& block) {
        norms_.assign(ColumnBlock::rows, Uint128(0));
        for (std::size_t i = 0; i < block.columns(); i += few_columns) {
            sums_.assign(3 * ColumnBlock::rows, 0);
            const std::size_t end = std::min(block.columns(), i + few_columns);
            for (std::size_t column = i; column < end; ++column)
                add_squares(block.high(column), block.low(column), block.count(), sums_.data());
            for (std::size_t x = 0; x < block.count(); ++x)
                norms_[x] += HalfSums{sums_[x], sums_[ColumnBlock::rows + x], sums_[2 * ColumnBlock::rows + x]}.total();
        }
        return norms_;
    }

private:
    static constexpr std::size_t few_columns = 256;  // whose sums fit into 64 bits

    std::vector<Uint128> norms_;
    std::vector<std::uint64_t> sums_;
};

inline void add_columns(const ColumnBlock& block, CellSums& sums) {
    for (std::size_t i = 0; i < block.columns(); ++i) {
        std::uint64_t high = 0, low = 0;
        for (std::size_t x = 0; x < block.count(); ++x) {
            high += block.high(i)[x];
            low += block.low(i)[x];
        }
        sums.add(0, i, (high << 27) + low);
    }
}

// The sum of smaller weights of a block, at most 2^61.
[[maybe_unused]] CONCORDANT_VECTORISED static std::uint64_t common_weight(const std::uint64_t* high, const std::uint64_t* low,
                                                  const std::uint64_t* other_high, const std::uint64_t* other_low,
                                                  std::size_t count) {
    std::uint64_t sum = 0;
    for (std::size_t x = 0; x < count; ++x) {
        const std::uint64_t one = high[x] << 27 | low[x];
        const std::uint64_t other = other_high[x] << 27 | other_low[x];
        sum += std::min(one, other);
    }
    return sum;
}

// The nonzero weights of a row.
class RowEntries {
public:
    void read(const SoftRows& rows, std::size_t x) {
        entries_.clear();
        const bool dense = rows.is_dense();
        const std::size_t begin = dense ? x * rows.columns : static_cast<std::size_t>(rows.start[x]);
        const std::size_t end = dense ? begin + rows.columns : static_cast<std::size_t>(rows.start[x + 1]);
        for (std::size_t k = begin; k < end; ++k)
            if (const auto unit = static_cast<std::uint64_t>(rows.units[k]); unit != 0) {
                check_units(unit);
                entries_.emplace_back(dense ? k - begin : static_cast<std::size_t>(rows.column[k]), unit);
            }
    }
    const std::vector<std::pair<std::size_t, std::uint64_t>>& all() const { return entries_; }

    Uint128 squared_norm() const {
        Uint128 sum = 0;
        for (const auto& [i, units] : entries_) sum += product(units, units);
        return sum;
    }

private:
    std::vector<std::pair<std::size_t, std::uint64_t>> entries_;
};

inline void add_products(const RowEntries& row, CellSums& sums) {
    for (const auto& [i, one] : row.all())
        for (const auto& [j, other] : row.all())
            if (i <= j) sums.add(i, j, product(one, other));
}

// What every thread keeps for itself.
template <class Sums>
struct SoftWorker {
    Sums sums;
    ColumnBlock u_block, v_block;
    SquaredNorms u_norms, v_norms;
    RowEntries u_row, v_row;

    SoftWorker(const SoftRows& u, const SoftRows& v, Sums empty)
        : sums(std::move(empty)), u_block(u.is_dense() ? u.columns : 0), v_block(v.is_dense() ? v.columns : 0) {}
};

// Calls add_block(worker) for blocks of rows if both sides are dense, else add_row(worker) for each row.
template <class Sums, class AddBlock, class AddRow>
Sums sum_over_rows(const SoftRows& u, const SoftRows& v, std::size_t rows, const Sums& empty, unsigned threads,
                   Control& control, AddBlock add_block, AddRow add_row) {
    std::vector<std::unique_ptr<SoftWorker<Sums>>> team(std::max(threads, 1U));
    const bool is_dense = u.is_dense() && v.is_dense();
    parallel_blocks(control, threads, rows, [&](unsigned number, std::size_t begin, std::size_t count) {
        auto& worker = team[number];
        if (!worker) worker = std::make_unique<SoftWorker<Sums>>(u, v, empty);
        const std::size_t end = begin + count, step = is_dense ? ColumnBlock::rows : 1;
        for (std::size_t x = begin; x < end; x += step) {
            if (is_dense) {
                const std::size_t length = std::min(step, end - x);
                worker->u_block.read(u.units + x * u.columns, length);
                worker->v_block.read(v.units + x * v.columns, length);
                add_block(*worker);
            } else {
                worker->u_row.read(u, x);
                worker->v_row.read(v, x);
                add_row(*worker);
            }
        }
    });
    Sums total = empty;
    for (const auto& worker : team)
        if (worker) total.add(worker->sums);
    return total;
}

inline GramSums gram_sums(const SoftRows& u, const SoftRows& v, std::size_t rows, unsigned threads, Control& control) {
    using Worker = SoftWorker<GramSums>;
    return sum_over_rows(
        u, v, rows, GramSums(u.columns, v.columns), threads, control,
        [](Worker& worker) {
            const ColumnBlock &of_u = worker.u_block, &of_v = worker.v_block;
            add_products(of_u, of_u, true, worker.sums.uu);
            add_products(of_u, of_v, false, worker.sums.uv);
            add_products(of_v, of_v, true, worker.sums.vv);
            add_columns(of_u, worker.sums.u);
            add_columns(of_v, worker.sums.v);
            const std::vector<Uint128>&a = worker.u_norms.of(of_u), &b = worker.v_norms.of(of_v);
            worker.sums.add_rows(a.data(), b.data(), of_u.count());
        },
        [](Worker& worker) {
            const RowEntries &of_u = worker.u_row, &of_v = worker.v_row;
            add_products(of_u, worker.sums.uu);
            add_products(of_v, worker.sums.vv);
            for (const auto& [i, one] : of_u.all()) {
                worker.sums.u.add(0, i, one);
                for (const auto& [j, other] : of_v.all()) worker.sums.uv.add(i, j, product(one, other));
            }
            for (const auto& [j, other] : of_v.all()) worker.sums.v.add(0, j, other);
            const Uint128 a = of_u.squared_norm(), b = of_v.squared_norm();
            worker.sums.add_rows(&a, &b, 1);
        });
}

// For each two columns the sum over the rows of the smaller of both weights.
inline CellSums common_weights(const SoftRows& u, const SoftRows& v, std::size_t rows, unsigned threads,
                               Control& control) {
    using Worker = SoftWorker<CellSums>;
    return sum_over_rows(
        u, v, rows, CellSums(u.columns, v.columns), threads, control,
        [](Worker& worker) {
            const ColumnBlock &of_u = worker.u_block, &of_v = worker.v_block;
            for (std::size_t i = 0; i < of_u.columns(); ++i)
                for (std::size_t j = 0; j < of_v.columns(); ++j)
                    worker.sums.add(
                        i, j, common_weight(of_u.high(i), of_u.low(i), of_v.high(j), of_v.low(j), of_u.count()));
        },
        [](Worker& worker) {
            for (const auto& [i, one] : worker.u_row.all())
                for (const auto& [j, other] : worker.v_row.all()) worker.sums.add(i, j, std::min(one, other));
        });
}

}  // namespace concordant
