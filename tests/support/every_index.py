"""Every index by its name, as users find it: ``INDICES``, and what comparisons of other inputs have."""

from inner import INDICES

import concordant as cc

_U, _V = (cc.Hierarchy.from_newick(text) for text in ("((a,b),(c,d));", "(((a,b),c),d);"))
_LABELS = dict(zip("abcd", "xxyz", strict=True))
_WEIGHTS = cc.Soft.from_mapping({record: {"x": 1.0} for record in _LABELS})


def _indices_of(comparison):
    """In the order of the catalogue, with those that are computed only if asked for."""
    names = dict.fromkeys((*comparison.keys(), *comparison.on_request))
    return {name: cc.explain(name).index for name in names}


OF_TREES = _indices_of(cc.compare(_U, _V))
OF_TREE_AND_PARTITION = _indices_of(cc.compare(_LABELS, _V))
OF_SOFT = _indices_of(cc.compare(_WEIGHTS, _LABELS))
OTHERS = {**OF_TREES, **OF_TREE_AND_PARTITION, **OF_SOFT}
EVERY_INDEX = {**INDICES, **OTHERS}
