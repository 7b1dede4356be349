"""stability(): of existing runs, or of a clustering that is refitted to resamples."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence, ValuesView
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import asdict, dataclass
from itertools import compress
from typing import Any, Literal, Unpack

import numpy as np
from numpy.typing import NDArray

from concordant.clusterings.alignment import values_by_record, values_of
from concordant.clusterings.clustering import Clustering, data_of
from concordant.clusterings.coerce import partition_of
from concordant.clusterings.detect import are_clusters
from concordant.clusterings.labels import Codes, MemoryLabels, labels_at
from concordant.comparisons.partitions import weights_in_parts, with_named_weights
from concordant.errors import (
    ConcordantError,
    InputError,
    LengthError,
    NothingLeftError,
    ParameterError,
    few,
    kind_of,
)
from concordant.foundation.conventions import (
    Conventions,
    NoiseAs,
    check_choice,
)
from concordant.foundation.input_options import InputOptions, input_options
from concordant.foundation.spelling import counted, percent
from concordant.inference.options import check_confidence, check_count, check_seed, check_share
from concordant.many.aligned_runs import (
    align_all,
    clustering_shares,
    held_of,
    named_partitions,
    opened_many,
    over_all,
    words_of,
)
from concordant.many.consensus import consensus
from concordant.many.stability import Absent, Stability
from concordant.maths.arithmetic import Integers, plain

Vary = Literal["both", "seed", "data"]

_REFERENCE = "the reference"
_MOST_FAILED = 0.1  # of the runs
_SEEDS = ("random_state", "seed", "rng")  # the parameter names that functions use
_NOT_OF_FITS = {
    "columns": "a clustering is fitted to all columns of X; pass X with the columns to use",
    "record": "a clustering is fitted to all columns of X; pass X without the record ids, or as its index",
    "where": "a clustering is fitted to all records of X; pass X with the records to use",
    "names": "the runs of a clustering that is fitted are numbered",
}
# Errors of clusterings for data that they cannot cluster; other errors are mistakes in the call.
_FAILURES = (ValueError, ArithmeticError, RuntimeError)


@input_options(
    refused={
        "unmatched": "a clustering may lack records of the reference; leave this out",
        "undefined": "a value that is 0/0 is NaN",
        "table_limit": "stability counts labels in memory",
    },
    meanings={
        "columns": "The columns that contain clusters, if the clusterings are one table. By default, all but "
        "`record`; AnnData must name them.",
        "weights": "Weight of each record, in the order of the reference or by record id.",
        "progress": "Called with the number of runs done and the total.",
        "names": "Display names of the clusterings, in their order.",
    },
)
def stability(
    clusterings: Any,
    X: Any = None,
    *,
    reference: Any = None,
    clustering_weights: Any = None,
    absent: Absent = "skip",
    dissolved: float = 0.5,
    recovered: float = 0.75,
    confidence: float = 0.95,
    n_resamples: int = 100,
    subsample: float | None = None,
    bootstrap: bool = False,
    vary: Vary = "both",
    seed: int = 0,
    n_jobs: int = 1,
    **options: Unpack[InputOptions],
) -> Stability:
    """Measure how often the clusters of a reference reappear in other clusterings.

    Pass existing clusterings, or a clustering method and its data. The method is fitted to all records, which
    gives the reference, and then to resamples.

    Parameters
    ----------
    clusterings : mapping, sequence, table, callable or estimator
        Clusterings of the same records, as in `matrix`; one may lack records. Or an object with
        `fit_predict`, or a function from data to labels, to a mapping from record to label, to a list of sets
        of records, such as the communities of a graph, or to any other clustering.
    X : array, dataframe, sparse matrix or graph, optional
        The data, with one row for each record, or a graph, whose nodes are the records.
    reference : label or any input of compare, optional
        The name of one of them, or another clustering. By default, their consensus.
    clustering_weights : sequence or mapping, optional
        Weight of each clustering in the means, and in the consensus. By default, equal.
    absent : {"skip", "zero"}, default="skip"
        A run without any record of a cluster is skipped for that cluster, or counts as 0.
    dissolved : float, default=0.5
        Maximum Jaccard index for a cluster to count as dissolved in a run.
    recovered : float, default=0.75
        Minimum Jaccard index for a cluster to count as recovered in a run.
    confidence : float, default=0.95
        Confidence level of the intervals over the runs.
    n_resamples : int, default=100
        Number of resamples.
    subsample : float, optional
        Share of the records in each resample, drawn without replacement. By default, 0.8.
    bootstrap : bool, default=False
        Whether to draw with replacement. Repeated records count once.
    vary : {"both", "seed", "data"}, default="both"
        What differs from run to run.
    seed : int, default=0
        Seed of the resamples, and of the method if it has a `random_state`.
    n_jobs : int, default=1
        Number of runs to fit at the same time, in threads. The result does not depend on it.
    **options
        The input options. By default, noise becomes singletons.

    Returns
    -------
    Stability
        The stability of each cluster and record.

    Examples
    --------
    >>> s = stability({"a": [0, 0, 1, 1], "b": [0, 0, 1, 2]}, reference=[0, 0, 1, 1])
    >>> [(each.cluster, each.jaccard) for each in s.clusters()]
    [(1, 0.75), (0, 1.0)]
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> stability(lambda rows: rows[:, 0] > 2, X, n_resamples=20).overall
    1.0
    """
    check_choice("absent", absent, ("skip", "zero"))
    for name, share in (("dissolved", dissolved), ("recovered", recovered)):
        check_share(name, share, "a Jaccard index between 0 and 1")
    check_confidence(confidence)
    check_seed(seed)
    conventions = Conventions.of(
        options | {"noise_as": _alone(options.get("noise"), options.get("noise_as"))}
    )
    measured: dict[str, Any] = {
        "absent": absent,
        "thresholds": (dissolved, recovered),
        "confidence": confidence,
    }
    plan = ResamplePlan(n_resamples, subsample, bootstrap=bootstrap, vary=vary, seed=seed, n_jobs=n_jobs)
    if X is None:
        refuse_fits(clusterings, plan)
        return _of_runs(clusterings, reference, clustering_weights, conventions, seed=seed, **measured)
    if clustering_weights is not None:
        raise ParameterError(
            "this applies to existing runs; resamples have equal weights", given={"clustering_weights": ...}
        )
    if reference is not None:
        raise ParameterError("the reference is the clustering of all records", given={"reference": ...})
    return _fitted(clusterings, X, plan, conventions, **measured)


def _alone(noise: Any, noise_as: NoiseAs | None) -> NoiseAs | None:
    return "singletons" if noise is not None and noise_as is None else noise_as


def refuse_fits(runs: Any, plan: ResamplePlan, usual: int = 100, **own: bool) -> None:
    """Refuse what is for a clustering that is fitted; ``usual`` is the default of n_resamples."""
    if callable(runs) or hasattr(runs, "fit_predict"):
        raise ParameterError("a clustering needs data to fit: stability(fit, X)", given={"X": None})
    default = ResamplePlan(usual, None, bootstrap=False, vary="both", seed=plan.seed, n_jobs=1)
    given = {name: value for name, value in asdict(plan).items() if value != getattr(default, name)}
    given |= {name: ... for name, is_given in own.items() if is_given}
    if given:
        raise ParameterError(
            "this applies to a clustering that is fitted again: stability(fit, X)", given=given
        )


# -- runs that exist ---------------------------------------------------------------------------------


def _of_runs(
    runs: Any,
    reference: Any,
    clustering_weights: Any,
    conventions: Conventions,
    **measured: Any,
) -> Stability:
    """Labelings against a reference: one of them by name, another partition, or their consensus."""
    named, judge, how, conventions = _opened(runs, reference, clustering_weights, conventions)
    aligned = align_all({_REFERENCE: judge, **named}, "drop", numbered=1)
    of_judge, *of_runs = aligned.codes
    names: Sequence[Any] = range(len(of_judge)) if judge.elements is None else judge.elements
    held = held_of(of_judge)
    if held is not None:
        of_judge, of_runs = of_judge[held], [codes[held] for codes in of_runs]
        names = [names[place] for place in np.flatnonzero(held).tolist()]
    for name, codes in zip(named, of_runs, strict=True):
        if np.count_nonzero(codes >= 0) < 2:
            raise NothingLeftError(f"the run {name!r} has fewer than two records of the reference")
    weighted = "" if clustering_weights is None else "clustering_weights=given"
    return Stability(
        of_judge,
        names,
        labels_at(judge.originals, aligned.first[0]),
        dict(zip(named, of_runs, strict=True)),
        clustering_weights=clustering_shares(clustering_weights, list(named)),
        weights=_weights_of(judge, held, conventions.weights),
        noise=judge.alone,
        threads=conventions.threads,
        how=how,
        conventions=" | ".join(filter(None, [words_of(conventions, named.values()), weighted])),
        progress=conventions.progress,
        **measured,
    )


def _opened(
    runs: Any, reference: Any, clustering_weights: Any, conventions: Conventions
) -> tuple[dict[str, MemoryLabels], MemoryLabels, str, Conventions]:
    """The runs by name, the reference, a phrase for it, and what remains to be agreed on."""
    given, conventions = opened_many(runs, "stability", conventions, fewest=1)
    conventions = with_named_weights(conventions, given.values())
    if _REFERENCE in given:
        raise InputError(f"a run cannot be called {_REFERENCE!r}; rename it")
    if reference is not None and not isinstance(reference, str | int):
        # A run that is the reference would agree with itself.
        beside = {name: each for name, each in given.items() if each is not reference}
        named = named_partitions({**beside, _REFERENCE: reference}, "stability", conventions)
        return named, named.pop(_REFERENCE), "reference given", conventions
    try:
        named = named_partitions(given, "stability", conventions)
    except ConcordantError as error:
        if reference is None:  # a consensus needs the same records in each clustering
            error.withdraw(nulls="drop")
        raise
    if reference is not None:
        return named, _pick(named, str(reference)), f"reference: {reference}", conventions
    agreed = consensus(named, clustering_weights=clustering_weights).partition
    judge = data_of(agreed).in_memory("the consensus", "stability")
    if not any(each.named for each in named.values()):
        judge.order = judge.elements  # that of the first run
    return named, judge, "reference: the consensus", conventions


def _weights_of(judge: MemoryLabels, held: NDArray[np.bool_] | None, weights: Any) -> Integers | None:
    """The weight of each record of the reference that is held, in whole parts; None if all are equal."""
    if weights is None:
        return None
    given = values_of(judge, weights, "weights", "weight")
    if held is not None:
        own = held[: len(given)]  # the records of the reference come first
        given = given[own] if isinstance(given, np.ndarray) else list(compress(given, own))
    return weights_in_parts(given)[0]


def _pick(named: dict[str, MemoryLabels], name: str) -> MemoryLabels:
    if name not in named:
        raise InputError(f"there is no run {name!r}; there are {few(named)}")
    return named.pop(name)


# -- fitting ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ResamplePlan:
    """Which records each run is fitted to, and with which seed."""

    n_resamples: int
    subsample: float | None
    bootstrap: bool
    vary: Vary
    seed: int
    n_jobs: int

    def __post_init__(self) -> None:
        check_choice("vary", self.vary, ("both", "seed", "data"))
        for name in ("n_resamples", "n_jobs"):
            check_count(name, getattr(self, name))
        if self.subsample is not None:
            check_share("subsample", self.subsample, "a share of the records between 0 and 1, such as 0.8")
            if self.bootstrap:
                raise ParameterError(
                    "a bootstrap draws as many records as there are; leave it out",
                    given={"subsample": self.subsample},
                )
        if self.vary == "seed" and (self.bootstrap or self.subsample is not None):
            raise ParameterError(
                "this uses all records; leave out bootstrap= and subsample=", given={"vary": self.vary}
            )

    @property
    def share(self) -> float:
        return 0.8 if self.subsample is None else self.subsample

    def in_words(self) -> str:
        if self.vary == "seed":
            return "all records, other seeds"
        drawn = "bootstrap" if self.bootstrap else f"subsamples of {percent(self.share, 1)}"
        return drawn + (", other seeds" if self.vary == "both" else ", one seed")

    def places(self, size: int, random: np.random.Generator) -> NDArray[np.int64] | None:
        """The records of a run, each once and in order; None for all of them."""
        if self.vary == "seed":
            return None
        if self.bootstrap:
            return np.unique(random.integers(0, size, size))
        drawn: NDArray[np.int64] = np.sort(random.permutation(size)[: max(round(self.share * size), 2)])
        return drawn


def _fitted(fit: Any, X: Any, plan: ResamplePlan, conventions: Conventions, **measured: Any) -> Stability:
    for name, why in _NOT_OF_FITS.items():
        if getattr(conventions, name) is not None:
            raise ParameterError(why, given={name: ...})
    takes_seed = _takes_seed(fit)
    if plan.vary == "seed" and not takes_seed:
        raise ParameterError(
            "the clustering takes no seed, so nothing would vary: give its function a parameter seed, or use "
            "vary='data'",
            given={"vary": plan.vary},
        )
    children = np.random.SeedSequence(plan.seed).spawn(plan.n_resamples + 1)
    first = int(children[0].generate_state(1)[0])
    nodes = _nodes(X)
    labels = _labels_of(fit, X, first, nodes)
    size = _length(X, labels)
    reference, distinct, alone = _codes(labels, size, "all records", conventions)

    def one(number: int) -> Codes | str:
        random = np.random.default_rng(children[number])
        own = int(random.integers(2**32))
        places = plan.places(size, random)
        rows = X if places is None else _take(X, places, nodes)
        own_nodes = nodes if nodes is None or places is None else [nodes[place] for place in places.tolist()]
        name, many = f"run {number}", size if places is None else len(places)
        try:
            labels = _labels_of(fit, rows, first if plan.vary == "data" else own, own_nodes)
        except _FAILURES as error:
            return f"{name} ({type(error).__name__}: {error})"
        codes = _codes(labels, many, name, conventions)[0]
        return codes if places is None else over_all(codes, places, size)

    runs, failed = {}, []
    for number, found in enumerate(_results_in_order(one, plan), start=1):
        if isinstance(found, str):
            failed.append(found)
        else:
            runs[f"run {number}"] = found
        if conventions.progress is not None:
            conventions.progress(number, plan.n_resamples)
    if len(failed) > _MOST_FAILED * plan.n_resamples:
        raise InputError(f"{counted(len(failed), 'run')} of {plan.n_resamples} failed: {few(failed)}")
    how = f"{plan.in_words()}, seed {plan.seed}"
    names = _record_names(X, size) if nodes is None else nodes
    weights = conventions.weights
    if weights is not None:
        weights = weights_in_parts(values_by_record(names, weights, "weights", "weight", order=names))[0]
    return Stability(
        reference,
        names,
        distinct,
        runs,
        weights=weights,
        noise=alone,
        seed=plan.seed,
        threads=conventions.threads,
        how=how,
        failed=failed,
        **measured,
    )


def _results_in_order(one: Callable[[int], Codes | str], plan: ResamplePlan) -> Iterator[Codes | str]:
    numbers = range(1, plan.n_resamples + 1)
    if plan.n_jobs == 1:
        yield from map(one, numbers)
        return
    with ThreadPoolExecutor(plan.n_jobs) as team:
        yield from team.map(one, numbers)


def _codes(
    labels: Any, size: int, what: str, conventions: Conventions
) -> tuple[Codes, list[Any], Sequence[Any]]:
    """Labels of a fit as codes from 0, the distinct labels, and those of singletons."""
    if len(labels) != size:
        raise LengthError(
            f"the clustering gave {counted(len(labels), 'label')} for {counted(size, 'record')} ({what})"
        )
    read = named_partitions([labels], "stability", conventions, fewest=1)
    aligned = align_all(read, conventions.unmatched)
    if not aligned.are_whole:
        raise ParameterError(
            "a record of a run is in a cluster or alone; use noise_as='singletons'",
            given={"noise_as": "drop"},
        )
    distinct = [plain(label) for label in labels_at(read["0"].originals, aligned.first[0])]
    return aligned.codes[0], distinct, read["0"].alone


def _nodes(X: Any) -> list[Any] | None:
    """The nodes of a graph in their order; None for other data."""
    return list(X.nodes) if hasattr(X, "subgraph") and hasattr(X, "nodes") else None


def _in_order(found: Any, nodes: Sequence[Any] | None) -> Any:
    """The labels of a clustering: by position, or of these nodes if it names its records."""
    if isinstance(found, Iterator | ValuesView):  # communities, as functions of networkx give them
        found = list(found)
    membership = getattr(found, "membership", None)  # of igraph
    found = membership if isinstance(membership, list) else found
    if not isinstance(found, Mapping | Clustering) and not are_clusters(found):
        return np.asarray(found)
    partition = partition_of(found, Conventions(), "the clustering").in_memory("the clustering", "stability")
    labels, names = labels_at(partition.originals, np.arange(len(partition))), partition.elements
    if names is None:
        return labels
    label_of = dict(zip(names, labels, strict=True))
    order = range(len(label_of)) if nodes is None else nodes
    lacking = [each for each in order if each not in label_of]
    if lacking:
        raise InputError(
            f"the clustering has no cluster for {counted(len(lacking), 'record')}: {few(lacking)}"
        )
    return [label_of[each] for each in order]


def _labels_of(fit: Any, rows: Any, seed: int, nodes: Sequence[Any] | None = None) -> Any:
    """The labels that a copy of the clustering gives these rows, or these nodes of a graph."""
    if hasattr(fit, "fit_predict"):
        copy = _copied(fit)
        if "random_state" in _parameters(copy):
            copy.set_params(random_state=seed)
        return np.asarray(copy.fit_predict(rows))
    if not callable(fit):
        raise ParameterError(
            f"pass a function from data to labels, or an object with fit_predict, not {kind_of(fit)}"
        )
    name = _seed_name(fit)
    return _in_order(fit(rows, **({} if name is None else {name: seed})), nodes)


def _copied(fit: Any) -> Any:
    """An unfitted copy of a scikit-learn estimator, or a deep copy of any other object."""
    return type(fit)(**deepcopy(_parameters(fit))) if hasattr(fit, "get_params") else deepcopy(fit)


def _parameters(fit: Any) -> dict[str, Any]:
    return dict(fit.get_params(deep=False)) if hasattr(fit, "get_params") else {}


def _seed_name(fit: Any) -> str | None:
    try:
        names = inspect.signature(fit).parameters
    except (TypeError, ValueError):  # C functions have no signature
        return None
    return next((name for name in _SEEDS if name in names), None)


def _takes_seed(fit: Any) -> bool:
    return "random_state" in _parameters(fit) if hasattr(fit, "fit_predict") else _seed_name(fit) is not None


def _length(X: Any, labels: Any) -> int:
    """The number of records; a graph has no length, so its labels are counted."""
    shape = getattr(X, "shape", None)
    size = int(shape[0]) if shape else len(X) if hasattr(X, "__len__") else len(labels)
    if size < 2:
        raise InputError(f"X has {counted(size, 'row')}; a clustering needs two or more")
    return size


def _take(X: Any, places: NDArray[np.int64], nodes: Sequence[Any] | None = None) -> Any:
    """Some rows of the data, or the graph of some nodes."""
    if nodes is not None:
        return X.subgraph([nodes[place] for place in places.tolist()])
    if hasattr(X, "induced_subgraph"):  # of igraph, whose nodes are numbered again
        return X.induced_subgraph(places.tolist())
    if hasattr(X, "iloc"):
        return X.iloc[places]
    if isinstance(X, list | tuple):
        return [X[place] for place in places.tolist()]
    if not hasattr(X, "__getitem__") or not hasattr(X, "__len__"):
        raise InputError(f"rows cannot be taken from {kind_of(X)}; use vary='seed', which needs all records")
    return X[places]


def _record_names(X: Any, size: int) -> Sequence[Any]:
    if hasattr(X, "induced_subgraph") and "name" in X.vs.attributes():
        return list(X.vs["name"])
    return list(X.index) if hasattr(X, "iloc") and hasattr(X, "index") else range(size)
