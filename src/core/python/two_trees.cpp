#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/integers128.hpp"
#include "hierarchies/concordance.hpp"
#include "hierarchies/drawing.hpp"
#include "hierarchies/nested_information.hpp"
#include "hierarchies/pair_weights.hpp"
#include "hierarchies/shared_nodes.hpp"
#include "hierarchies/drawn_tree.hpp"
#include "hierarchies/triplets.hpp"
#include "python/bindings.hpp"
#include "python/buffers.hpp"
#include "python/calls.hpp"

namespace concordant::python {

namespace {

using namespace nb::literals;

// Copies, since another thread may write to the arrays meanwhile.
std::vector<std::int64_t> integers(nb::handle array, const char* name) {
    const BufferView view(array, name);
    const std::int64_t* values = view.int64s();
    return {values, values + view.length()};
}

DrawnTree tree_of(const std::vector<std::int64_t>& parents, std::int64_t leaves, std::span<const std::int64_t> rank = {}) {
    return DrawnTree(parents, leaves < 0 ? 0 : static_cast<std::size_t>(leaves), rank);
}

// Two trees of the same leaves, which are renumbered in the order that u draws them in: kernels follow it.
struct TwoTrees {
    DrawnTree u, v;

    TwoTrees(nb::handle u_parent, nb::handle v_parent, std::int64_t leaves)
        : TwoTrees(integers(u_parent, "u_parent"), integers(v_parent, "v_parent"), leaves) {}

private:
    TwoTrees(const std::vector<std::int64_t>& u_parent, const std::vector<std::int64_t>& v_parent, std::int64_t leaves)
        : TwoTrees(u_parent, v_parent, leaves, tree_of(u_parent, leaves)) {
        if (u.leaves != v.leaves) throw std::invalid_argument("both trees have the same leaves");
    }
    TwoTrees(const std::vector<std::int64_t>& u_parent, const std::vector<std::int64_t>& v_parent, std::int64_t leaves,
             const DrawnTree& drawn)
        : u(tree_of(renumbered(u_parent, drawn), leaves)), v(tree_of(renumbered(v_parent, drawn), leaves)) {}

    static std::vector<std::int64_t> renumbered(std::vector<std::int64_t> parents, const DrawnTree& drawn) {
        if (parents.size() < drawn.leaves) throw std::invalid_argument("both trees have the same leaves");
        const std::vector<std::int64_t> before(parents.begin(), parents.begin() + static_cast<std::ptrdiff_t>(drawn.leaves));
        for (std::size_t k = 0; k < drawn.leaves; ++k) parents[k] = before[drawn.order[k]];
        return parents;
    }
};

nb::object to_integer(Int128 value) {
    const auto natural = static_cast<Uint128>(value);
    return (nb::int_(high_word(natural)) << nb::int_(64)) | nb::int_(low_word(natural));
}

void require_levels(const std::vector<std::int64_t>& level, const DrawnTree& tree, std::int64_t levels) {
    if (level.size() != tree.nodes() - tree.leaves) throw std::invalid_argument("every inner node has a level");
    for (const std::int64_t each : level)
        if (each < 1 || each > levels) throw std::invalid_argument("levels are numbered from 1");
}

// For each level of u: Σ of the weights in v over the pairs that join there, as words of 64 bits.
nb::tuple level_weights(nb::handle u_parent, nb::handle u_level, std::int64_t u_levels, nb::handle v_parent,
                        nb::handle high, nb::handle low, std::int64_t leaves) {
    const TwoTrees trees(u_parent, v_parent, leaves);
    const std::vector<std::int64_t> level = integers(u_level, "u_level");
    const std::vector<std::int64_t> highs = integers(high, "high"), lows = integers(low, "low");
    const DrawnTree &u = trees.u, &v = trees.v;
    require_levels(level, u, u_levels);
    if (highs.size() != v.nodes() - v.leaves || lows.size() != highs.size())
        throw std::invalid_argument("every inner node has a weight");
    const Int128 word = Int128(std::int64_t{1} << 32) * Int128(std::int64_t{1} << 32);
    std::vector<Int128> weight(highs.size());
    for (std::size_t i = 0; i < weight.size(); ++i)
        weight[i] = Int128(highs[i]) * word + Int128(static_cast<std::uint64_t>(lows[i]));
    const auto sums = run([&](Control& control) {
        const std::vector<Int128> within = weights_within(u, v, weight, control);
        std::vector<Int128> by_level(static_cast<std::size_t>(u_levels), Int128(0));
        for (std::size_t x = u.leaves; x < u.nodes(); ++x) {
            by_level[static_cast<std::size_t>(level[x - u.leaves]) - 1] += within[x];
            if (x + 1 < u.nodes()) by_level[static_cast<std::size_t>(level[u.parent[x] - u.leaves]) - 1] -= within[x];
        }
        return by_level;
    });
    std::vector<std::int64_t> sum_high, sum_low;
    for (const Int128& sum : sums) {
        sum_high.push_back(static_cast<std::int64_t>(high_word(static_cast<Uint128>(sum))));
        sum_low.push_back(static_cast<std::int64_t>(low_word(static_cast<Uint128>(sum))));
    }
    return nb::make_tuple(to_array(std::move(sum_high)), to_array(std::move(sum_low)));
}

nb::tuple triplet_counts(nb::handle u_parent, nb::handle v_parent, std::int64_t leaves) {
    const TwoTrees trees(u_parent, v_parent, leaves);
    const Triplets found = run([&](Control& control) { return compare_triplets(trees.u, trees.v, control); });
    return nb::make_tuple(to_integer(found.same), to_integer(found.different), to_integer(found.only_u),
                          to_integer(found.only_v), to_integer(found.neither));
}

// For every inner node of v the node of u with the same leaves, or -1.
IntArray shared_inner_nodes(nb::handle u_parent, nb::handle v_parent, std::int64_t leaves) {
    const TwoTrees trees(u_parent, v_parent, leaves);
    std::vector<std::int64_t> shared = run([&](Control&) { return shared_nodes(trees.u, trees.v); });
    shared.erase(shared.begin(), shared.begin() + static_cast<std::ptrdiff_t>(trees.v.leaves));
    return to_array(std::move(shared));
}

nb::tuple concordance_counts(nb::handle u_parent, nb::handle u_level, nb::handle v_parent, nb::handle v_level,
                             std::int64_t levels, std::int64_t leaves) {
    const TwoTrees trees(u_parent, v_parent, leaves);
    const std::vector<std::int64_t> u_levels = integers(u_level, "u_level"), v_levels = integers(v_level, "v_level");
    require_levels(u_levels, trees.u, levels);
    require_levels(v_levels, trees.v, levels);
    const Concordance found = run([&](Control& control) {
        return count_concordance(trees.u, u_levels, trees.v, v_levels, static_cast<std::size_t>(levels), control);
    });
    return nb::make_tuple(to_integer(found.concordant), to_integer(found.discordant));
}

double nested_information_value(nb::handle u_parent, nb::handle v_parent, std::int64_t leaves) {
    const TwoTrees trees(u_parent, v_parent, leaves);
    return run([&](Control& control) { return nested_information(trees.u, trees.v, control); });
}

IntArray drawn_leaves(nb::handle parent, std::int64_t leaves, nb::handle rank) {
    const std::vector<std::int64_t> ranks = rank.is_none() ? std::vector<std::int64_t>{} : integers(rank, "rank");
    const DrawnTree tree = tree_of(integers(parent, "parent"), leaves, ranks);
    return to_array(std::vector<std::int64_t>(tree.order.begin(), tree.order.end()));
}

}  // namespace

void add_two_trees(nb::module_& module) {
    const auto any = [](const char* name) { return nb::arg(name).none(); };
    module.def("level_weights", level_weights, any("u_parent"), any("u_level"), "u_levels"_a, any("v_parent"), any("high"),
               any("low"), "leaves"_a);
    module.def("triplets", triplet_counts, any("u_parent"), any("v_parent"), "leaves"_a);
    module.def("shared_nodes", shared_inner_nodes, any("u_parent"), any("v_parent"), "leaves"_a);
    module.def("concordance", concordance_counts, any("u_parent"), any("u_level"), any("v_parent"), any("v_level"),
               "levels"_a, "leaves"_a);
    module.def("nested_information", nested_information_value, any("u_parent"), any("v_parent"), "leaves"_a);
    module.def("leaf_order", drawn_leaves, any("parent"), "leaves"_a, any("rank") = nb::none());
    module.def("inversions", [](nb::handle values) {
        auto copy = integers(values, "values");
        return run([&](Control&) { return inversions(std::move(copy)); });
    }, any("values"));
}

}  // namespace concordant::python
