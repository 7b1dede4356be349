"""The contenders on hierarchies: each function takes the data of a row and returns a Call.

A loop of `compare` is timed on 20 cuts and scaled to all of them. It gets the labels of its cuts as arrays,
which is kind to it.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from contenders import Call
from data import merges

SAMPLE = 20


def _trees(u, v, heights):
    import concordant as cc

    return [cc.Hierarchy.from_children(children, heights=heights) for children in (u, v)]


def ours_grid(u, v, heights, k):
    import concordant as cc

    u, v = _trees(u, v, heights)
    return Call(
        lambda: cc.compare(u, v).cuts("adjusted_rand", n_clusters=k, candidate_n_clusters=k),
        lambda g: {"at k": g[k, k]},
    )


def loop_over_grid(u, v, heights, k):
    u, v = _trees(u, v, heights)
    at = np.linspace(k, 1, SAMPLE).astype(int).tolist()
    cuts = [(u.cut(n_clusters=each).labels, v.cut(n_clusters=each).labels) for each in at]
    return _loop(cuts, k * k, "at k")


def ours_diagonal(u, v, heights, k):
    import concordant as cc

    u, v = _trees(u, v, heights)
    return Call(
        lambda: cc.compare(u, v).curve("adjusted_rand"),
        lambda curve: {"at k": curve[k]["value"]},
    )


def loop_over_diagonal(u, v, heights, k):
    u, v = _trees(u, v, heights)
    at = [k, *np.linspace(2, u.size - 1, SAMPLE - 1).astype(int).tolist()]
    return _loop(
        [(u.cut(n_clusters=each).labels, v.cut(n_clusters=each).labels) for each in at], u.size, "at k"
    )


def _loop(cuts, number, first):
    import concordant as cc

    sides = [tuple(np.ascontiguousarray(codes, dtype=np.int64) for codes in pair) for pair in cuts]
    return Call(
        lambda: [cc.compare(*pair).adjusted_rand for pair in sides],
        lambda values: {first: values[0]},
        scale=number / len(sides),
    )


def ours_thresholds(truth, _candidate, pairs):
    import concordant as cc

    def run():
        tree = cc.Hierarchy.from_pairs(pairs, left="left", right="right", score="score")
        return cc.compare(_partition(truth), tree, unmatched="singletons").curve("f_measure")

    return Call(run)


def ours_best_pruning(truth, _candidate, pairs):
    import concordant as cc

    truth = _partition(truth)
    tree = cc.Hierarchy.from_pairs(pairs, left="left", right="right", score="score")
    return Call(lambda: cc.compare(truth, tree, unmatched="singletons").best_pruning("f_measure"))


def thresholds_page(truth, _candidate, pairs):
    import concordant as cc

    truth = _partition(truth)

    def run():
        tree = cc.Hierarchy.from_pairs(pairs, left="left", right="right", score="score")
        with tempfile.TemporaryDirectory() as folder:
            cc.compare(truth, tree, unmatched="singletons").to_html(Path(folder) / "page.html")

    return Call(run)


def best_cut(index):
    def contender(u, v, heights):
        import concordant as cc

        tree, labels = _trees(u, v, heights)[0], np.arange(len(u) + 1) // 3
        return Call(lambda: cc.compare(labels, tree).best_cut(index))

    return contender


def purity_of_chain(size):
    def contender(n):
        import concordant as cc

        tree = cc.Hierarchy.from_children(merges(size(n), "chain"))
        return Call(lambda: cc.dendrogram_purity(np.arange(size(n)) % 7, tree))

    return contender


def one_compare(truth, candidate, _pairs):
    import concordant as cc

    return Call(lambda: cc.compare(_partition(truth), _partition(candidate)).f_measure)


def _partition(frame):
    import concordant as cc

    return cc.Partition.from_frame(frame, record="record", cluster="cluster")


def ours_cophenetic(u, v, heights):
    import concordant as cc

    sides = _trees(u, v, heights)
    return Call(lambda: cc.compare(*sides).cophenetic_correlation, lambda r: {"r": r})


def scipy_cophenetic(u, v, heights):
    from scipy.cluster.hierarchy import cophenet

    sides = [_linkage(children, heights) for children in (u, v)]
    return Call(lambda: np.corrcoef(*map(cophenet, sides))[0, 1], lambda r: {"r": float(r)})


def ours_bakers_gamma(u, v, heights):
    import concordant as cc

    sides = _trees(u, v, heights)
    return Call(lambda: cc.compare(*sides).bakers_gamma, lambda r: {"r": r})


def dendextend_cophenetic(u, v, heights):
    return _dendextend("cor_cophenetic", u, v, heights)


def dendextend_bakers_gamma(u, v, heights):
    return _dendextend("cor_bakers_gamma", u, v, heights)


def _dendextend(function, u, v, heights):
    """A function of R's dendextend, in a process of R that has read both trees before."""
    program = shutil.which("R")
    if program is None:
        raise ImportError("R is not installed", name="R")
    r = subprocess.Popen(  # noqa: S603
        [program, "--slave", "--vanilla"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )

    def answer(expression):
        r.stdin.write(f"cat(format({expression}, digits=17), '\\n'); flush(stdout())\n")
        r.stdin.flush()
        return r.stdout.readline().strip()

    if answer("suppressMessages(requireNamespace('dendextend', quietly=TRUE))") != "TRUE":
        r.stdin.close()
        raise ImportError("dendextend is not installed", name="dendextend")
    with tempfile.TemporaryDirectory() as folder:
        for name, children in (("u", u), ("v", v)):
            n = len(children) + 1
            np.savetxt(Path(folder, name), np.where(children < n, -children - 1, children - n + 1), "%d")
            np.savetxt(Path(folder, "heights"), heights)
            merge, height = (f"scan('{Path(folder, each)}', quiet=TRUE)" for each in (name, "heights"))
            made = f"merge=matrix({merge}, ncol=2, byrow=TRUE), height={height}"
            more = f"order=1:{n}, labels=paste(1:{n})"  # the order of leaves is for drawings only
            answer(f"{{{name} <- structure(list({made}, {more}), class='hclust'); 0}}")
    return Call(lambda: float(answer(f"dendextend::{function}(u, v)")), lambda value: {"r": value})


def _linkage(children, heights):
    """SciPy's form."""
    sizes = np.ones(2 * len(children) + 1)
    for row, (a, b) in enumerate(children.tolist(), len(children) + 1):
        sizes[row] = sizes[a] + sizes[b]
    return np.column_stack([children, heights, sizes[len(children) + 1 :]]).astype(np.float64)


def all_shapes(*trees):
    """The correlation for every shape, one after the other."""
    calls = [ours_cophenetic(*each) for each in trees]
    return Call(lambda: [call.run() for call in calls])
