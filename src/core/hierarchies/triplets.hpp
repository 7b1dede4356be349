// Triples of leaves on which two trees agree: which two of the three join first, if any two do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/integers128.hpp"
#include "base/parallel.hpp"
#include "hierarchies/balanced_paths.hpp"
#include "hierarchies/heavy_paths.hpp"
#include "hierarchies/drawn_tree.hpp"

namespace concordant {

inline std::int64_t pairs_of(std::int64_t count) { return count * (count - 1) / 2; }

// Triples of two leaves of one colour and one of the other, in one direction: "red" is the colour of the two.
struct TripleSums {
    Int128 apart = 0;       // the two red ones join first
    Int128 unresolved = 0;  // all three join in one step

    void operator+=(const TripleSums& other) {
        apart += other.apart;
        unresolved += other.unresolved;
    }
    void operator-=(const TripleSums& other) {
        apart -= other.apart;
        unresolved -= other.unresolved;
    }
};

// A stretch of a path with all that hangs from it. Each array has an entry for each colour in the role of red.
struct ColourSums {
    std::int64_t count[2]{};  // leaves of the colour
    std::int64_t pairs[2]{};  // red pairs below one light child
    std::int64_t cross[2]{};  // pairs below two light children of one node
    std::int64_t mixed = 0;   // the same for one leaf of each colour
    std::int64_t above[2]{};  // Σ over leaves of the other colour of the red ones that hang from further down
    TripleSums triples[2];

    ColourSums() = default;

    ColourSums(const ColourSums& upper, const ColourSums& lower) : mixed(upper.mixed + lower.mixed) {
        for (const int red : {0, 1}) {
            const int blue = 1 - red;
            count[red] = upper.count[red] + lower.count[red];
            pairs[red] = upper.pairs[red] + lower.pairs[red];
            cross[red] = upper.cross[red] + lower.cross[red];
            above[red] = upper.above[red] + lower.above[red] + upper.count[blue] * lower.count[red];
            triples[red] = upper.triples[red];
            triples[red] += lower.triples[red];
            triples[red].apart += Int128(pairs_of(lower.count[red])) * Int128(upper.count[blue]) +
                                  Int128(lower.count[red]) * Int128(upper.above[red]) +
                                  Int128(lower.count[blue]) * Int128(upper.pairs[red]);
            triples[red].unresolved += Int128(lower.count[red]) * Int128(upper.mixed) +
                                       Int128(lower.count[blue]) * Int128(upper.cross[red]);
        }
    }
};

// Sums over the light children of a node.
struct LightSums {
    std::int64_t count[2]{}, pairs[2]{}, both = 0;  // both: Σ of the products of the two counts
    Int128 pairs_and_one[2]{0, 0};                  // Σ of red pairs times blue leaves
    TripleSums triples[2];

    // With sign -1 the child is taken away.
    void add(const ColourSums& child, int sign) {
        both += sign * child.count[0] * child.count[1];
        for (const int red : {0, 1}) {
            count[red] += sign * child.count[red];
            pairs[red] += sign * pairs_of(child.count[red]);
            pairs_and_one[red] += Int128(sign * pairs_of(child.count[red])) * Int128(child.count[1 - red]);
            if (sign > 0)
                triples[red] += child.triples[red];
            else
                triples[red] -= child.triples[red];
        }
    }

    ColourSums of_node() const {
        ColourSums sums;
        sums.mixed = count[0] * count[1] - both;
        for (const int red : {0, 1}) {
            const Int128 others = count[1 - red];
            sums.count[red] = count[red];
            sums.pairs[red] = pairs[red];
            sums.cross[red] = pairs_of(count[red]) - pairs[red];
            sums.triples[red] = triples[red];
            sums.triples[red].apart += Int128(pairs[red]) * others - pairs_and_one[red];
            // Red pairs of two children with a blue leaf of any, less those whose blue leaf shares a child with a red one
            sums.triples[red].unresolved += Int128(sums.cross[red]) * others + pairs_and_one[red] + pairs_and_one[red] +
                                            Int128(both) - Int128(count[red]) * Int128(both);
        }
        return sums;
    }
};

class ColouredLeaves {
public:
    void build(const BalancedPaths& paths) {
        places_ = &paths.places();
        sums_.assign(places_->size(), {});
        root_ = paths.root();
    }

    // Colours are 0 and 1; 2 is none.
    void recolour(Node place, int from, int to) {
        change(place, from, -1);
        change(place, to, 1);
        for (;;) {
            const BalancedPaths::Place& at = (*places_)[place];
            const ColourSums before = sums_[place].total;
            sums_[place].total =
                ColourSums(ColourSums(sums_[at.left].total, sums_[place].light.of_node()), sums_[at.right].total);
            if (at.above == no_node) return;
            if (at.is_top) {
                sums_[at.above].light.add(before, -1);
                sums_[at.above].light.add(sums_[place].total, 1);
            }
            place = at.above;
        }
    }

    const TripleSums& triples(int red) const { return sums_[root_].total.triples[red]; }

private:
    void change(Node place, int colour, int sign) {
        if (colour > 1) return;
        ColourSums leaf;
        leaf.count[colour] = 1;
        sums_[place].light.add(leaf, sign);
    }

    struct Sums {
        LightSums light;
        ColourSums total;
    };

    const std::vector<BalancedPaths::Place>* places_ = nullptr;
    std::vector<Sums> sums_;
    Node root_ = 0;
};

// Triples that a tree resolves: two leaves of a child and one of another child.
inline Int128 resolved_triples(const DrawnTree& tree) {
    Int128 resolved = 0;
    for (Node x = 0; x < tree.root(); ++x)
        resolved += Int128(pairs_of(tree.size[x])) * Int128(std::int64_t{tree.size[tree.parent[x]]} - tree.size[x]);
    return resolved;
}

struct Triplets {
    Int128 same, different, only_u, only_v, neither;  // resolved in both the same way, in both differently, in one, in none
};

inline Triplets compare_triplets(const DrawnTree& u, const DrawnTree& v, Control& control) {
    TripleSums found;
    ColouredLeaves leaves;
    std::size_t changes = 0;
    for_each_heavy_path(u, v, 3, control, [&](const auto& path, const BalancedPaths& paths, const auto& place) {
        const auto paint = [&](Node below, int from, int to) {
            for (const Node leaf : u.leaves_of(below)) {
                if (++changes % block_length == 0) control.checkpoint();
                leaves.recolour(place[leaf], from, to);
            }
        };
        leaves.build(paths);
        paint(path.front(), 2, 0);
        for (std::size_t i = 1; i < path.size(); ++i) {
            const auto below = u.children_of(path[i]);
            // Two leaves of the heavy child and one of another
            for (const Node child : below)
                if (child != path[i - 1]) paint(child, 2, 1);
            found += leaves.triples(0);
            if (below.size() == 2) found += leaves.triples(1);
            for (const Node child : below)
                if (child != path[i - 1]) paint(child, 1, 0);
            if (below.size() == 2) continue;
            for (const Node child : below) {
                if (child == path[i - 1] || u.size[child] < 2) continue;
                paint(child, 0, 1);
                found += leaves.triples(1);
                paint(child, 1, 0);
            }
        }
    });
    const Int128 of_u = resolved_triples(u), of_v = resolved_triples(v), both = of_u - found.unresolved;
    const std::int64_t n = static_cast<std::int64_t>(u.leaves);
    // n(n-1)/2 · (n-2) is a multiple of 3; the quotient is formed before the product, where it is whole.
    const std::int64_t pairs = pairs_of(n);
    const Int128 all = pairs % 3 == 0 ? Int128(pairs / 3) * Int128(n - 2) : Int128(pairs) * Int128((n - 2) / 3);
    return {found.apart, both - found.apart, of_u - both, of_v - both, all - of_u - of_v + both};
}

}  // namespace concordant
