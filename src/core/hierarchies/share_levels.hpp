// A tree against labels of its leaves: at every level, the sum over the leaves of the share that the overlap of their
// cluster and their label has in the label, and in the cluster; and the sums that entropies are made of. All are added up
// in fixed point, so the sums of a level do not depend on the order in which its clusters were made. Shares have 96 binary
// places and are rounded down.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "base/integers128.hpp"
#include "base/parallel.hpp"
#include "hierarchies/truth_levels.hpp"

namespace concordant {

// Numbers below 2^31 in two words: the first in units of 2^-32, the second in units of 2^-95.
struct FixedPoint {
    Buffer<std::int64_t> first, second;
};

struct ShareLevels {
    FixedPoint label, cluster;  // Σ n²/a and Σ n²/b, with n for an overlap, a for its label and b for its cluster
};

namespace levels {

// Digit by digit, as by hand: divisions of 64 bits are several times faster than those of 128.
inline Uint128 fixed_quotient(std::uint64_t above, std::uint64_t below) {
    const std::uint64_t whole = above / below;
    std::uint64_t rest = above % below;
    std::array<std::uint64_t, 3> digit;
    for (std::uint64_t& each : digit) {
        rest <<= 32;
        each = rest / below;
        rest %= below;
    }
    constexpr std::uint64_t half = std::uint64_t{1} << 32;
    return product(whole << 32 | digit[0], half) * Uint128(half) + Uint128(digit[1] << 32 | digit[2]);
}

inline FixedPoint accumulated(const Buffer<Uint128>& changes) {
    FixedPoint sums{Buffer<std::int64_t>(changes.size), Buffer<std::int64_t>(changes.size)};
    Uint128 sum(0);
    for (std::size_t i = 0; i < changes.size; ++i) {
        sum += changes[i];
        sums.first[i] = static_cast<std::int64_t>(high_word(sum));
        sums.second[i] = static_cast<std::int64_t>(low_word(sum) >> 1);
    }
    return sums;
}

}  // namespace levels

inline ShareLevels share_levels(const LevelTree& tree, const std::int64_t* label, std::size_t labels, unsigned threads,
                                Control& control) {
    tree.check(control);
    levels::check_labels(label, tree.leaves, labels);
    if (tree.leaves >= std::size_t{1} << 31) throw std::invalid_argument("shares are added up for fewer than 2**31 leaves");
    const Buffer<std::uint32_t> size = tree.sizes(control);
    const std::vector<std::uint32_t> label_size = levels::label_sizes(tree, label, labels);

    Buffer<Uint128> by_label(tree.levels + 1), by_cluster(tree.levels + 1);
    std::fill(by_label.begin(), by_label.end(), Uint128(0));
    std::fill(by_cluster.begin(), by_cluster.end(), Uint128(0));
    // Σ n² of each node that is not a leaf: of its children, and twice the pairs that it brings together.
    Buffer<std::uint64_t> squares(tree.nodes - tree.leaves);
    std::fill(squares.begin(), squares.end(), 0);
    for_each_join(
        joined_parts(tree, size, label, labels, threads, control), control,
        [&](const JoinedParts& join) {
            prefetch(&squares[join.node - tree.leaves]);
            prefetch(&by_label[tree.level_of(join.node)]);
            prefetch(&label_size[join.label]);
        },
        [&](const JoinedParts& join) {
            squares[join.node - tree.leaves] += 2 * join.pairs();
            by_label[tree.level_of(join.node)] += levels::fixed_quotient(2 * join.pairs(), label_size[join.label]);
        });
    for (const std::uint32_t each : label_size)  // every leaf alone
        if (each > 0) by_label[0] += levels::fixed_quotient(each, each);
    for (std::size_t x = 0; x < tree.nodes; ++x) {
        if (x % block_length == 0) control.checkpoint();
        tree.prefetch_parent(squares, x, tree.nodes);
        const std::uint64_t own = x < tree.leaves ? 1 : squares[x - tree.leaves], b = x < tree.leaves ? 1 : size[x - tree.leaves];
        if (b == 0) continue;  // its leaves were left out
        const Uint128 share = levels::fixed_quotient(own, b);
        by_cluster[tree.level_of(x)] += share;
        if (tree.parent[x] < 0) continue;
        const auto up = static_cast<std::size_t>(tree.parent[x]);
        by_cluster[tree.level_of(up)] -= share;
        squares[up - tree.leaves] += own;
    }
    return {levels::accumulated(by_label), levels::accumulated(by_cluster)};
}

struct LogLevels {
    FixedPoint overlap, cluster;  // Σ n·log n and Σ b·log b, divided by 64
};

namespace levels {

// x·log x / 64 in units of 2^-96, rounded to a double. It is the same number whenever it is asked for, so what is added
// for a cluster is taken away exactly.
class ScaledLogs {
public:
    ScaledLogs() : known_(std::size_t{1} << 16) {
        for (std::size_t x = 0; x < known_.size; ++x) known_[x] = compute(static_cast<std::uint32_t>(x));
    }

    Uint128 operator()(std::uint32_t x) const { return x < known_.size ? known_[x] : compute(x); }

private:
    static Uint128 compute(std::uint32_t x) {
        if (x < 2) return Uint128(0);
        int exponent = 0;
        const double fraction = std::frexp(x * std::log(static_cast<double>(x)), &exponent);  // exponents are 1 to 37
        return product(static_cast<std::uint64_t>(std::ldexp(fraction, 63)), std::uint64_t{1} << (exponent + 26)) * Uint128(2);
    }

    Buffer<Uint128> known_;
};

}  // namespace levels

inline LogLevels log_levels(const LevelTree& tree, const std::int64_t* label, std::size_t labels, unsigned threads,
                            Control& control) {
    tree.check(control);
    levels::check_labels(label, tree.leaves, labels);
    if (tree.leaves >= std::size_t{1} << 31) throw std::invalid_argument("logarithms are added up for fewer than 2**31 leaves");
    const Buffer<std::uint32_t> size = tree.sizes(control);
    const levels::ScaledLogs log;
    Buffer<Uint128> by_overlap(tree.levels + 1), by_cluster(tree.levels + 1);
    std::fill(by_overlap.begin(), by_overlap.end(), Uint128(0));
    std::fill(by_cluster.begin(), by_cluster.end(), Uint128(0));
    for_each_join(
        joined_parts(tree, size, label, labels, threads, control), control,
        [&](const JoinedParts& join) { prefetch(&by_overlap[tree.level_of(join.node)]); },
        [&](const JoinedParts& join) {
            by_overlap[tree.level_of(join.node)] += log(join.overlap()) - log(join.first) - log(join.second);
        });
    for (std::size_t x = tree.leaves; x < tree.nodes; ++x) {
        if (x % block_length == 0) control.checkpoint();
        const Uint128 own = log(size[x - tree.leaves]);
        by_cluster[tree.level_of(x)] += own;
        if (tree.parent[x] >= 0) by_cluster[tree.level_of(static_cast<std::size_t>(tree.parent[x]))] -= own;
    }
    return {levels::accumulated(by_overlap), levels::accumulated(by_cluster)};
}

}  // namespace concordant
