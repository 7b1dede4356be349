"""Best partners, one-to-one matchings and linked blocks, found by looking at everything."""

from fractions import Fraction
from math import comb

import numpy as np
from scipy.optimize import linear_sum_assignment


def _most_choices(choices):
    """How many different things can be chosen when each list of choices takes one (Kuhn's algorithm)."""
    taken = {}

    def takes(person, seen):
        for thing in choices[person]:
            if thing not in seen:
                seen.add(thing)
                if thing not in taken or takes(taken[thing], seen):
                    taken[thing] = person
                    return True
        return False

    return sum(takes(person, set()) for person in range(len(choices)))


def quantities(**formulas):
    """Give a class the method ``count_name`` for each formula."""

    def give(cls):
        for name, formula in formulas.items():
            setattr(cls, f"count_{name}", formula)
        return cls

    return give


@quantities(
    K=lambda self: Fraction(len(self["a"])),
    L=lambda self: Fraction(len(self["b"])),
    m=lambda self: Fraction(len(self["cells"])),
    sum_nn=lambda self: Fraction(sum(x * x for x in self["cells"].values())),
    sum_aa=lambda self: sum(x * x for x in self["a"].values()),
    sum_bb=lambda self: sum(x * x for x in self["b"].values()),
    row_best=lambda self: self._best(0, lambda n, a, b: n),
    column_best=lambda self: self._best(1, lambda n, a, b: n),
    row_f1=lambda self: self._best(0, lambda n, a, b: 2 * n / (a + b)),
    column_f1=lambda self: self._best(1, lambda n, a, b: 2 * n / (a + b)),
    row_f1_weighted=lambda self: self._best(0, lambda n, a, b: a * 2 * n / (a + b)),
    column_f1_weighted=lambda self: self._best(1, lambda n, a, b: b * 2 * n / (a + b)),
    row_jaccard_weighted=lambda self: self._best(0, lambda n, a, b: a * n / (a + b - n)),
    column_jaccard_weighted=lambda self: self._best(1, lambda n, a, b: b * n / (a + b - n)),
    lost_least=lambda self: self._lost(min),
    lost_most=lambda self: self._lost(max),
    row_jaccard=lambda self: self._best(0, lambda n, a, b: n / (a + b - n)),
    column_jaccard=lambda self: self._best(1, lambda n, a, b: n / (a + b - n)),
    over_a=lambda self: self._sum(lambda n, a, b: n * n / a),
    over_b=lambda self: self._sum(lambda n, a, b: n * n / b),
    over_ab=lambda self: self._sum(lambda n, a, b: n * n / (a * b)),
    over_aa=lambda self: self._sum(lambda n, a, b: n * n / (a * a)),
    over_larger=lambda self: self._sum(lambda n, a, b: n * n / max(a, b)),
    over_union=lambda self: self._sum(lambda n, a, b: n * n / (a + b - n)),
    lea_r=lambda self: self._lea(0),
    lea_p=lambda self: self._lea(1),
    weakest_row=lambda self: self._weakest(0),
    weakest_column=lambda self: self._weakest(1),
    match_n=lambda self: self._matched(lambda n, a, b: n),
    match_f1=lambda self: self._matched(lambda n, a, b: 2 * n / (a + b)),
    match_larger=lambda self: self._matched(lambda n, a, b: n / max(a, b)),
    match_a=lambda self: self._matched(lambda n, a, b: n / a),
    match_ab=lambda self: self._matched(lambda n, a, b: n * n / (a * b)),
    varied_u=lambda self: Fraction(sum(len(cells) > 1 for cells in self._each(0))),
    varied_v=lambda self: Fraction(sum(len(cells) > 1 for cells in self._each(1))),
    sharing_u=lambda self: self._sharing(0),
    sharing_v=lambda self: self._sharing(1),
    orphans=lambda self: max(self._orphans(0), self._orphans(1)) if self.u else Fraction(0),
)
class MatchingCounts:
    """Named quantities of the table of overlaps, for oracle.py and oracle_tables.py."""

    def _each(self, side):
        """The cells (n, a, b) of each cluster of one side, 0 the reference, 1 the candidate."""
        clusters = {}
        for key, n in self["cells"].items():
            clusters.setdefault(key[side], []).append((Fraction(n), self["a"][key[0]], self["b"][key[1]]))
        return list(clusters.values())

    def _best(self, side, share):
        return sum((max(share(*cell) for cell in cells) for cells in self._each(side)), Fraction(0))

    def _lost(self, chosen):
        """Over the elements, the share of its cluster that an element loses in the other partition."""
        total = Fraction(0)
        for x in self.elements:
            here, there = (
                {y for y in self.elements if labels[y] == labels[x]} for labels in (self.u, self.v)
            )
            total += chosen(Fraction(len(here - there), len(here)), Fraction(len(there - here), len(there)))
        return total

    def _sum(self, share):
        return sum(
            (share(Fraction(n), self["a"][i], self["b"][j]) for (i, j), n in self["cells"].items()),
            Fraction(0),
        )

    def count_chance_larger(self):
        """The mean of over_larger over all permutations: E[n²] = Var + mean² of the hypergeometric law."""
        size, total = self["n"], Fraction(0)
        for a in self["a"].values():
            for b in self["b"].values():
                mean = a * b / size
                variance = mean * (1 - a / size) * (size - b) / (size - 1) if size > 1 else 0
                total += (variance + mean * mean) / max(a, b)
        return total

    def count_kept(self):
        clusters = [
            {frozenset(e for e in self.elements if labels[e] == x) for x in labels}
            for labels in (self.u, self.v)
        ]
        return Fraction(len(clusters[0] & clusters[1]))

    def _sharing(self, side):
        """Clusters of one side with a partner in common with another cluster of that side."""
        partners = {}
        for key in self["cells"]:
            partners.setdefault(key[side], set()).add(key[1 - side])
        return Fraction(
            sum(
                any(mine & theirs for other, theirs in partners.items() if other != x)
                for x, mine in partners.items()
            )
        )

    def _lea(self, side):
        total = Fraction(0)
        for cells in self._each(side):
            size = cells[0][1 + side]
            other = cells[0][2 - side]
            if size == 1:
                total += other == 1
            else:
                links = sum(comb(int(n), 2) for n, _, _ in cells)
                total += size * Fraction(links, comb(int(size), 2))
        return total / self["n"]

    def _weakest(self, side):
        shares = [
            Fraction(sum(comb(int(n), 2) for n, _, _ in cells), comb(int(cells[0][1 + side]), 2))
            for cells in self._each(side)
            if cells[0][1 + side] > 1
        ]
        return min(shares) if shares else 1 / Fraction(0)

    def _matched(self, share):
        """The largest total over one-to-one matchings, by SciPy on the whole table."""
        rows, columns = list(self["a"]), list(self["b"])
        table = [[Fraction(0)] * len(columns) for _ in rows]
        for (i, j), n in self["cells"].items():
            table[rows.index(i)][columns.index(j)] = share(Fraction(n), self["a"][i], self["b"][j])
        if not rows:
            return Fraction(0)
        chosen = linear_sum_assignment(np.array(table, dtype=float), maximize=True)
        return sum((table[i][j] for i, j in zip(*chosen, strict=True)), Fraction(0))

    def count_least_unmatched(self):
        rows, columns = list(self["a"]), list(self["b"])
        if not rows:
            return Fraction(0)
        cells, a, b = self["cells"], self["a"], self["b"]
        costs = [[a[i] + b[j] - 2 * cells.get((i, j), 0) for j in columns] for i in rows]
        chosen = linear_sum_assignment(np.array(costs, dtype=float))
        return sum((costs[i][j] for i, j in zip(*chosen, strict=True)), Fraction(0))

    def count_paired_by_rank(self):
        sizes = (sorted(self[x].values(), reverse=True) for x in "ab")
        return sum((min(x, y) for x, y in zip(*sizes, strict=False)), Fraction(0))

    def _orphans(self, side):
        """Clusters of the other side that nobody here calls nearest, ties resolved to leave the fewest."""
        nearest = []
        for label, size in self["ab"[side]].items():
            similarity = {}
            for key, n in self["cells"].items():
                if key[side] == label:
                    other = self["ab"[1 - side]][key[1 - side]]
                    similarity[key[1 - side]] = n / (size + other - n)
            best = max(similarity.values())
            nearest.append([k for k, s in similarity.items() if s == best])
        return Fraction(len(self["ab"[1 - side]]) - _most_choices(nearest))

    def count_J(self):
        block = list(self.elements)
        for i in self.elements:
            for j in self.elements:
                if self.u[i] == self.u[j] or self.v[i] == self.v[j]:
                    old, new = block[j], block[i]
                    block = [new if x == old else x for x in block]
        return Fraction(len(set(block)))
