"""How alike are two partitions of the same set, where do they differ, and how sure can one be?

    import concordant as cc
    c = cc.compare(y_true, y_pred)
    c.adjusted_rand, c["jaccard"]
    print(c)                                  # also what was split and merged
    c.changes(), c.to_html("diff.html")       # all of it, as lists and as a page
    cc.matrix({...}), cc.track([...])         # many partitions: all against all, and in order
    cc.contrast(truth, old, new)              # what the new one fixed, and what it broke
    c.significance("ari"), c.interval("ari")  # is it more than chance, and how far might it move?
    cc.coreference(key, response)             # mentions of documents, as the official scorer counts them

Every index is also a function: ``cc.adjusted_rand(y_true, y_pred)``. ``cc.INDICES`` has them all.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from concordant.catalogue.index import INDICES
from concordant.comparison import Comparison, Live, compare
from concordant.counts.interruption import catchable
from concordant.counts.profile import Profile
from concordant.errors import ConcordantError, UnknownIndexError, did_you_mean
from concordant.functions import compare_columns, function_of, scorer
from concordant.partitions.cover import Cover
from concordant.partitions.partition import Partition, is_disjoint

if TYPE_CHECKING:  # at run time they are imported when first asked for, see _LATER
    from concordant.many.accumulator import Accumulator
    from concordant.many.all_against_all import Matrices, matrix
    from concordant.many.consensus import Consensus, consensus
    from concordant.many.contrast import Contrast, contrast
    from concordant.many.coreference import Coreference, coreference
    from concordant.many.matrix import Matrix
    from concordant.many.rank import Ranking, rank
    from concordant.many.references import MultiReference, compare_references
    from concordant.many.track import Track, track
    from concordant.trust.estimate import Estimates, estimate
    from concordant.trust.sample_size import sample_size

__all__ = [  # noqa: PLE0604  (a mapping iterates over its names)
    "INDICES",
    "Accumulator",
    "Comparison",
    "ConcordantError",
    "Consensus",
    "Contrast",
    "Coreference",
    "Cover",
    "Live",
    "Estimates",
    "Matrices",
    "Matrix",
    "Partition",
    "Profile",
    "Ranking",
    "MultiReference",
    "Track",
    "compare",
    "compare_columns",
    "compare_references",
    "consensus",
    "contrast",
    "coreference",
    "estimate",
    "is_disjoint",
    "matrix",
    "sample_size",
    "rank",
    "scorer",
    "track",
    *INDICES,
]

_LATER = {
    "Accumulator": "concordant.many.accumulator",
    "Consensus": "concordant.many.consensus",
    "Contrast": "concordant.many.contrast",
    "Coreference": "concordant.many.coreference",
    "Estimates": "concordant.trust.estimate",
    "Matrices": "concordant.many.all_against_all",
    "Matrix": "concordant.many.matrix",
    "Ranking": "concordant.many.rank",
    "MultiReference": "concordant.many.references",
    "Track": "concordant.many.track",
    "compare_references": "concordant.many.references",
    "consensus": "concordant.many.consensus",
    "contrast": "concordant.many.contrast",
    "coreference": "concordant.many.coreference",
    "estimate": "concordant.trust.estimate",
    "matrix": "concordant.many.all_against_all",
    "sample_size": "concordant.trust.sample_size",
    "rank": "concordant.many.rank",
    "track": "concordant.many.track",
}


@catchable
def __getattr__(name: str) -> Any:
    """What is imported or, in the case of the indices, made into a function when it is first asked for."""
    if name in _LATER:
        globals()[name] = getattr(import_module(_LATER[name]), name)
        return globals()[name]
    if name == "__version__":
        from importlib.metadata import version  # slow to import, and seldom asked for

        return version("concordant")
    if name.startswith("_"):
        raise AttributeError(f"module 'concordant' has no attribute {name!r}")
    try:
        function = function_of(INDICES[name])
    except UnknownIndexError as error:
        said = did_you_mean(name, (each for each in __all__ if each not in INDICES), 0.8) or f": {error}"
        raise AttributeError(f"module 'concordant' has no attribute {name!r}{said}") from None
    globals()[name] = function
    return function


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
