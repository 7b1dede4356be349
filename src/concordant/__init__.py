"""How similar are two partitions of the same set, where do they differ, and how certain is the result?

    import concordant as cc
    c = cc.compare(y_true, y_pred)
    c.adjusted_rand, c["jaccard"]
    print(c)                                  # also what was split and merged
    c.changes(), c.to_html("diff.html")       # all of it, as lists and as a page
    cc.matrix({...}), cc.track([...])         # many partitions: all against all, and in order
    cc.diff(old, new, reference=truth)        # what changed, and what the change fixed and broke
    c.significance("ari"), c.interval("ari")  # is it more than chance, and how precise is it?
    cc.coreference(reference, candidate)            # coreference scores, as in the official scorer

Every index is also a function: ``cc.adjusted_rand(y_true, y_pred)``, ``cc.bakers_gamma(tree, other)``.
``cc.INDICES`` lists them all, and the ``kind`` of each.
"""

from typing import TYPE_CHECKING, Any

from concordant.foundation.kinds import KINDS, joined, register

for _kind in ("hierarchies.kind", "soft.kind", "versions.kind"):
    register(_kind)  # before other modules, which ask for the kinds when they are imported

from concordant.clusterings.clustering import Clustering
from concordant.clusterings.cover import Cover
from concordant.clusterings.partition import Partition
from concordant.comparisons import Comparison, compare
from concordant.errors import ConcordantError, UnknownIndexError, did_you_mean
from concordant.foundation.lazy import attributes
from concordant.functions import function_of, scorer
from concordant.indices import index
from concordant.indices.attributes import CALLS_ELSEWHERE
from concordant.indices.index import any_index, public_indices

if TYPE_CHECKING:  # at run time they are imported when they are first used, see _LAZY
    from concordant.comparisons import Live
    from concordant.indices.index import INDICES
    from concordant.labelling.estimates import Estimates, estimate
    from concordant.labelling.sample_size import sample_size
    from concordant.many.all_against_all import matrix
    from concordant.many.consensus import Consensus, consensus
    from concordant.many.matrix import Matrix
    from concordant.many.multiple_references import MultiReference, compare_references
    from concordant.many.rank import Ranking, rank
    from concordant.many.resampling import stability
    from concordant.many.stability import Stability
    from concordant.many.stability_by_setting import Resolutions, stability_over
    from concordant.many.track import Track, track
    from concordant.mentions.comparison import Coreference, coreference
    from concordant.report.explanation import cite, explain
    from concordant.versions.diff import Diff, diff
    from concordant.versions.merge_audit import Audit, audit

_OF_PARTITIONS = index.INDICES  # INDICES here are those of trees and soft partitions too, made on first use
del index

# The indices of other kinds, which are imported when they are first used.
_OTHER_INDICES = tuple(sorted(name for kind in KINDS.values() for name in kind.functions))

__all__ = [  # noqa: PLE0604  (a mapping iterates over its names)
    "INDICES",
    "Audit",
    "Clustering",
    "Comparison",
    "ConcordantError",
    "Consensus",
    "Coreference",
    "Cover",
    "Diff",
    "Live",
    "Estimates",
    "Matrix",
    "Partition",
    "Ranking",
    "MultiReference",
    "Resolutions",
    "Stability",
    "Track",
    "audit",
    "cite",
    "compare",
    "compare_references",
    "consensus",
    "coreference",
    "diff",
    "estimate",
    "explain",
    "matrix",
    "sample_size",
    "rank",
    "scorer",
    "stability",
    "stability_over",
    "track",
    *joined("public"),
    *_OF_PARTITIONS,
    *_OTHER_INDICES,
]

_LAZY = {
    "Audit": "versions.merge_audit",
    "Consensus": "many.consensus",
    "Coreference": "mentions.comparison",
    "Estimates": "labelling.estimates",
    "Diff": "versions.diff",
    "Live": "comparisons.live",
    "Matrix": "many.matrix",
    "Ranking": "many.rank",
    "MultiReference": "many.multiple_references",
    "Resolutions": "many.stability_by_setting",
    "Stability": "many.stability",
    "Track": "many.track",
    "cite": "report.explanation",
    "compare_references": "many.multiple_references",
    "consensus": "many.consensus",
    "coreference": "mentions.comparison",
    "estimate": "labelling.estimates",
    "audit": "versions.merge_audit",
    "diff": "versions.diff",
    "explain": "report.explanation",
    "matrix": "many.all_against_all",
    "sample_size": "labelling.sample_size",
    "rank": "many.rank",
    "stability": "many.resampling",
    "stability_over": "many.stability_by_setting",
    "track": "many.track",
    **joined("public"),
}


_lazy = attributes(__name__, _LAZY)


def __getattr__(name: str) -> Any:
    """Import a name, or make the function of an index, on first use."""
    if name in _LAZY:
        return _lazy(name)
    if name == "__version__":
        from importlib.metadata import version  # slow to import, and rarely asked for

        return version("concordant")
    if name == "INDICES":
        globals()[name] = public_indices()
        return globals()[name]
    if name.startswith("_"):
        raise AttributeError(f"module 'concordant' has no attribute {name!r}")
    try:
        # Python also asks for the names of packages that are not imported yet, and those import nothing here.
        function = function_of(any_index(name) if name in _OTHER_INDICES else _OF_PARTITIONS[name])
    except UnknownIndexError as error:
        if call := CALLS_ELSEWHERE.get(name):
            raise AttributeError(
                f"module 'concordant' has no attribute {name!r}; use c = compare(...), and c.{call}"
            ) from None
        said = did_you_mean(name, __all__, 0.8)
        if said == did_you_mean(name, _OF_PARTITIONS, 0.8):  # an index, or no name
            said = f": {error}"
        raise AttributeError(f"module 'concordant' has no attribute {name!r}{said}") from None
    globals()[name] = function
    return function


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
