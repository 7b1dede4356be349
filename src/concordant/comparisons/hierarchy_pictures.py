"""The charts and the page of a HierarchyComparison."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.catalogue.index import INDICES, Index
from concordant.comparisons.base import check_names
from concordant.comparisons.curve import Curve, report_curves
from concordant.comparisons.cuts import Cuts
from concordant.counts.spelling import counted
from concordant.errors import HierarchyError, ParameterError, TooLargeError, UndefinedError
from concordant.hierarchies.curve import best_of, chosen_levels, evenly
from concordant.hierarchies.joins import Joins
from concordant.hierarchies.tree_indices import TREE_INDICES, index_at_cuts
from concordant.report.charts.chart import Display
from concordant.report.charts.curves import CURVE, MOST_LINES, Curves, CutAxis
from concordant.report.charts.cut_grid import CUT_GRID
from concordant.report.charts.precision_recall import PRECISION_RECALL, PrecisionRecall
from concordant.report.charts.tanglegram import MOST_LACES, TANGLEGRAM, FacingTrees
from concordant.report.notebook import chart_html
from concordant.report.pages.thresholds import ThresholdsData, thresholds_page
from concordant.report.pages.trees import TreesData, trees_page
from concordant.report.report_data import SideTitles, check_side_names
from concordant.report.values import format_value

if TYPE_CHECKING:
    from concordant.comparisons.hierarchies import HierarchyComparison

HierarchyChart = Literal["curve", "precision_recall", "grid", "tanglegram"]
_OF_TRUTH = ("f_measure", "precision", "recall")
_OF_TREES = ("adjusted_rand", "fowlkes_mallows")
_CUTS = 99  # of each side, apart from the coarsest, in a grid; fewer make a page smaller
_CUTS_ON_PAGE = 59
_LOST = 50  # clusters that a page lists
_NAMED = 3  # records of each
_JOINS = 10  # clusters that a page lists for each step
_MOST_LEAVES = 100_000  # up to which a page looks for subtrees that both trees share
_LISTED = 60  # cuts in the table of a page
_AROUND = 5  # neighbours of the best cut that it lists on each side


def chosen_indices(found: HierarchyComparison, spellings: Sequence[str] | None) -> list[Index]:
    """The indices to show. The first one chooses the best cut, so it should count both splits and merges."""
    usual = _OF_TREES if _are_both(found) else _OF_TRUTH
    indices = [index_at_cuts(name) for name in (usual if spellings is None else check_names(spellings))]
    if not 0 < len(indices) <= MOST_LINES:
        raise ParameterError(
            f"a chart shows 1 to {MOST_LINES} indices, not {len(indices)}", given={"indices": spellings}
        )
    # Precision is best for singletons and recall for one cluster; each is the mirror of another index.
    judged = next((each for each in indices if each.agreement and _is_whole(each)), indices[0])
    return [judged, *(each for each in indices if each is not judged)]


def _are_both(found: HierarchyComparison) -> bool:
    return found.reference is not None and found.candidate is not None


def _is_whole(index: Index) -> bool:
    return index.mirror is not None and index.mirror.partition("(")[0] == index.name.partition("(")[0]


def plot(
    found: HierarchyComparison,
    kind: HierarchyChart,
    indices: Sequence[str] | None,
    x: CutAxis | None,
    names: SideTitles,
    **figure: Any,  # ax and width
) -> Display:
    """A chart on Matplotlib's axes."""
    offered = ("curve", "grid", "tanglegram") if _are_both(found) else ("curve", "precision_recall")
    if kind not in offered:
        sides = "two hierarchies" if _are_both(found) else "a hierarchy and a partition"
        raise ParameterError(f"for {sides}, use {' or '.join(map(repr, offered))}", given={"kind": kind})
    check_side_names(names)
    if x is not None and kind != "curve":
        raise ParameterError(f"the axes of {kind!r} are fixed; leave it out", given={"x": x})
    if kind == "tanglegram":
        if indices is not None:
            raise ParameterError("a tanglegram shows no index; leave it out", given={"indices": indices})
        trees = facing_trees(found, names)
        if not TANGLEGRAM.needs(trees):
            raise TooLargeError(
                f"a tanglegram has 2 to {MOST_LACES} lines, and these hierarchies have {trees.lines:,} after "
                "subtrees that both have are folded; compare a part of the records"
            )
        return TANGLEGRAM.plot(trees, **figure)
    chosen = chosen_indices(found, indices)
    if kind == "curve":
        return CURVE.plot(report_curves(_curves(found, chosen), x), **figure)
    if kind == "grid":
        if indices is not None and len(chosen) > 1:
            raise ParameterError("a grid shows one index", given={"indices": indices})
        return CUT_GRID.plot(_grid(found, chosen[0]).picture(names), **figure)
    return PRECISION_RECALL.plot(_precision_recall(found, chosen[0], ()), **figure)


def _curves(found: HierarchyComparison, indices: Sequence[Index], levels: int | None = None) -> list[Curve]:
    return [found.curve(index.name, levels=levels) for index in indices]


def _grid(found: HierarchyComparison, index: Index, cuts: int = _CUTS) -> Cuts:
    """The cuts with the fewest clusters; a forest has no cut into fewer than its trees."""
    fewest = [int(found._clusters(side)[-1]) for side in (0, 1)]  # noqa: SLF001  (its own kind)
    return found.cuts(index.name, fewest[0] + cuts, fewest[1] + cuts)


def _precision_recall(
    found: HierarchyComparison, judged: Index, listed: Sequence[int], levels: int | None = None
) -> PrecisionRecall:
    precision, recall, line = (
        found.curve(name, levels=levels) for name in ("precision", "recall", judged.name)
    )
    curves = report_curves([precision])
    best = best_of(judged, line.values)
    return PrecisionRecall(
        curves.axis,
        curves.x,
        curves.clusters,
        precision.values,
        recall.values,
        best,
        f"{judged.name} is best",
        listed,
    )


def _listed(curves: Curves, levels: int | None) -> list[int]:
    """Cuts for a table: all if their number was given, else some, the best, and those around the best."""
    if levels is not None:
        return list(range(len(curves.x)))
    best = [line.best for line in curves.lines if line.best is not None]
    around = range(best[0] - _AROUND, best[0] + _AROUND + 1) if best else ()
    chosen = {*evenly(len(curves.x), _LISTED).tolist(), *best, *around}
    return sorted(i for i in chosen if 0 <= i < len(curves.x))


def thresholds_data(
    found: HierarchyComparison, indices: Sequence[str] | None, names: SideTitles, levels: int | None
) -> ThresholdsData:
    """The content of the page of a hierarchy against a partition."""
    chosen = chosen_indices(found, indices)
    made = _curves(found, chosen, levels)
    listed = _listed(report_curves(made), levels)
    curves = report_curves(made, listed=listed)
    cuts = found._truth.tree.levels + 1  # noqa: SLF001  (its own kind)
    pruning = None
    with suppress(HierarchyError, ParameterError, UndefinedError):  # not known for every index
        pruning = found.best_pruning(chosen[0].name)
    judged = chosen[0] if curves.lines[0].best is not None else INDICES["f_measure"]
    tree = []
    with suppress(UndefinedError):
        words = "mean share of a true cluster in the smallest node that has two of its records"
        tree.append(("Dendrogram purity", words, found.dendrogram_purity))
    tree.append(("Tree F", "mean of the best F1 of any node with each true cluster", found.tree_f))
    return ThresholdsData(
        names,
        found.size,
        found._truth.label_count,  # noqa: SLF001  (its own kind)
        cuts,
        curves,
        _precision_recall(found, judged, listed, levels),
        pruning,
        _joins(found, curves.lines[0].best, chosen_levels(levels, cuts), cuts),
        tree,
        _omission(found),
        found.signature,
    )


def _joins(
    found: HierarchyComparison, best: int | None, chosen: NDArray[np.int64] | None, cuts: int
) -> list[Joins]:
    """The clusters joined at the best cut of the first index, and at the next one."""
    if best is None:
        return []
    level = best if chosen is None else int(chosen[best])
    return [found.joined(level=each, limit=_JOINS) for each in (level, level + 1) if 0 < each < cuts]


def _omission(found: HierarchyComparison) -> str:
    """How many elements were not compared."""
    left_out = found._leaves.counted.audit.get("not_compared", 0)  # noqa: SLF001  (its own kind)
    verb = "was" if left_out == 1 else "were"
    return f"{counted(found.size, 'record')} were compared; {left_out:,} {verb} left out" if left_out else ""


def trees_data(
    found: HierarchyComparison, indices: Sequence[str] | None, names: SideTitles, levels: int | None
) -> TreesData:
    """The content of the page of two hierarchies."""
    chosen = chosen_indices(found, indices)
    made = _curves(found, chosen, levels)
    listed = _listed(report_curves(made), levels)
    in_grid = _CUTS_ON_PAGE if levels is None else min(levels - 1, _CUTS)
    changes = found.changes(limit=_LOST)
    pair = found._pair  # noqa: SLF001  (its own kind)
    sides = [side for side in (found.reference, found.candidate) if side is not None]
    return TreesData(
        names,
        found.size,
        (len(sides[0].level_heights), len(sides[1].level_heights)),
        _grid(found, chosen[0], in_grid).picture(names, is_listed=True),
        len(found._trees.numbers),  # noqa: SLF001  (its own kind)
        report_curves(made, listed=listed),
        _tree_numbers(found),
        pair.cluster_counts,
        [(each, _members(found, each.node)) for each in changes.lost],
        facing_trees(found, names, is_listed=True) if found.size <= _MOST_LEAVES else None,
        _omission(found),
        found.signature,
    )


def _tree_numbers(found: HierarchyComparison) -> list[tuple[str, float, str]]:
    """The correlations of both trees with their values by chance, and the share of common clusters."""
    numbers = []
    for name in ("cophenetic_correlation", "bakers_gamma"):
        with suppress(HierarchyError, TooLargeError, UndefinedError):
            chance = found.significance(name, method="gamma")
            numbers.append(
                (TREE_INDICES[name].title, chance.value, f"by chance 0 ± {format_value(chance.sd)}")
            )
    _, _, both = found._pair.cluster_counts  # noqa: SLF001  (its own kind)
    words = f"{counted(both, 'cluster')} in both"
    with suppress(UndefinedError):
        numbers.append((TREE_INDICES["shared_cluster_f"].title, found.shared_cluster_f, words))
    return numbers


def _members(found: HierarchyComparison, node: int) -> list[Any]:
    """Some records of a node of the reference."""
    tree = found._pair.u  # noqa: SLF001  (its own kind)
    is_top = np.zeros(len(tree.parent), dtype=bool)
    is_top[node] = True
    below = np.flatnonzero(core.nearest_marked(tree.parent, is_top)[: tree.size] == node)
    return [_record(found, element) for element in below[:_NAMED].tolist()]


def _record(found: HierarchyComparison, element: int) -> Any:
    return found._leaves.names.record(element)  # noqa: SLF001  (its own kind)


def facing_trees(found: HierarchyComparison, names: SideTitles, *, is_listed: bool = False) -> FacingTrees:
    """The tanglegram with the names of its lines."""
    drawing = found.tanglegram()
    labels = [_record(found, leaf) for leaf in drawing.reference.tolist()]
    return FacingTrees(drawing, labels, names, is_listed)


def page(
    found: HierarchyComparison, indices: Sequence[str] | None, names: SideTitles, levels: int | None
) -> str:
    """The page as one HTML text."""
    check_side_names(names)
    if _are_both(found):
        return trees_page(trees_data(found, indices, names, levels))
    return thresholds_page(thresholds_data(found, indices, names, levels))


def picture(found: HierarchyComparison) -> str:
    """The curve as a fragment for a notebook."""
    return chart_html(CURVE, report_curves(_curves(found, chosen_indices(found, None))))
