"""Compatibility with permetrics: its ClusteringMetric, its names and fallbacks, with concordant's values.

>>> cm = ClusteringMetric(y_true=[0, 0, 1, 1, 2, 2], y_pred=[0, 0, 1, 1, 1, 2])
>>> cm.RTS(), cm.jaccard_score(), cm.FS(beta=2.0)
(0.6666666666666666, 0.4, 0.625)

The 26 external metrics are here, each under its abbreviation and its long name; the internal ones, which
need the data itself, are not. The names are declared with the index (``known_as``). Three small tables
below contain the specifics of permetrics: forms of a score that differ from the index, the documented value
if a score is 0/0, and names of earlier versions.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from numbers import Real
from textwrap import fill
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.clusterings.encoding import encode
from concordant.clusterings.labels import MemoryLabels
from concordant.comparisons import compare
from concordant.counts.base import Counts
from concordant.counts.pairs import PairCounts
from concordant.errors import (
    InputError,
    LabelError,
    ParameterError,
    UndefinedError,
    UnknownIndexError,
    kind_of,
)
from concordant.indices.index import INDICES, Index
from concordant.indices.parameters import Bound
from concordant.maths.arithmetic import Number, root

__all__ = ["ClusteringMetric"]

# -- what is permetrics' own ----------------------------------------------------------------------


def _mcnemar_of_pairs_apart(p: PairCounts) -> Number:
    """Pairs apart in both against pairs that only y_pred joins, in standard units.

    The form that permetrics documents. McNemar's statistic proper is the index ``mcnemar``.
    """
    return math.copysign(root(Fraction((p.n00 - p.n01) ** 2, p.n00 + p.n01)), p.n00 - p.n01)


def _tau(p: PairCounts) -> Number:
    """Agreeing pairs minus disagreeing pairs, scaled as if only the pairs together were ties.

    Identical partitions score more than 1 as soon as they hold a pair together.
    """
    surplus = p.n11 + p.n00 - p.n10 - p.n01
    return math.copysign(root(Fraction(surplus**2, p.all * (p.all - p.n11))), surplus)


# Scores without an index here, computed from the closest index.
_FORMS: dict[tuple[str, str], Index] = {
    ("mc_nemar_score", "MNS"): replace(
        INDICES["mcnemar"],
        title="McNemar score",
        formula="(N₀₀ − N₀₁) / √(N₀₀ + N₀₁)",
        perfect=None,
        compute=_mcnemar_of_pairs_apart,
    ),
    ("tau_score", "TauS"): replace(
        INDICES["hamann"],
        title="Tau score",
        formula="(N₁₁ + N₀₀ − N₁₀ − N₀₁) / √(T(T − N₁₁))",
        range=(-1, Bound("sqrt(n/2)", lambda n: math.sqrt(n / 2))),
        perfect=None,
        compute=_tau,
    ),
    ("entropy_score", "EnS"): replace(
        INDICES["conditional_entropy"].bind(base=2),
        title="Entropy score",
        formula="Σ (n_ij/n) log2(b/n_ij)",
        range=(0, Bound("log2 n", lambda n, **_: math.log2(n) if n else 0.0)),
    ),
}

# The documented finite_value is 0, but 1 for these.
_ONE_WHERE_UNDEFINED = frozenset({"RaS", "ARS", "HS", "CS", "VMS", "PrS", "ReS", "PuS", "TauS", "GAS"})

# Names of scores before permetrics 2.1; its documentation still uses one of these.
_FORMER_NAMES = {"FmS": "FS", "ES": "EnS", "TS": "TauS"}


# -- the metrics ----------------------------------------------------------------------------------


_EXAMPLE = [0, 0, 0, 1, 1], [0, 0, 1, 1, 2]  # true and predicted labels in docstrings


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric of permetrics: its two names and the corresponding index."""

    method: str
    abbreviation: str
    index: Index

    @property
    def fallback(self) -> float:
        """The documented finite_value."""
        return 1.0 if self.abbreviation in _ONE_WHERE_UNDEFINED else 0.0

    @property
    def support(self) -> dict[str, str]:
        """Whether more or less is better, the range, and what identical partitions score."""
        perfect = self.index.perfect
        return {
            "type": "min" if self.index.direction == "distance" else "max",
            "range": self.index.range_text.replace("1/2", "0.5").replace("-∞", "-inf").replace("∞", "+inf"),
            "best": "unknown" if perfect is None else f"{perfect:g}",
        }

    def documentation(self, example: float) -> str:
        """The docstring, with the value of the example."""
        beta = "beta : float, default=1.0\n    Weight of recall.\n" if "beta" in self.index.parameters else ""
        return (
            f"{self.index.title} ({self.abbreviation}).\n\n{fill(self.index.summary, 100)}\n\n"
            "Parameters\n----------\n"
            "y_true, y_pred : array-like, optional\n    Labels. By default, those of the constructor.\n"
            f"{beta}"
            "force_finite : bool, optional\n    Whether a division by zero gives `finite_value`.\n"
            f"finite_value : float, optional\n    Result of a division by zero ({self.fallback}).\n\n"
            f"Returns\n-------\nfloat\n    The value, in {self.support['range']}.\n\n"
            "Raises\n------\nUndefinedError\n    On a division by zero, if `force_finite` is False.\n\n"
            f"Notes\n-----\n{self.index.formula}\n\n"
            "Examples\n--------\n"
            f">>> ClusteringMetric({_EXAMPLE[0]}, {_EXAMPLE[1]}).{self.abbreviation}()\n{example}\n"
        )


_INDEX_OF: dict[tuple[str, str], Index] = {}
for _declared in INDICES.values():
    _names = _declared.known_as.get("permetrics", "").replace(",", " ").split()
    _INDEX_OF.update(dict.fromkeys(zip(_names[::2], _names[1::2], strict=True), _declared))
_METRICS = [Metric(*names, index) for names, index in (_INDEX_OF | _FORMS).items()]
_BY_NAME = {name: metric for metric in _METRICS for name in (metric.abbreviation, metric.method)}
_BY_NAME |= {former: _BY_NAME[name] for former, name in _FORMER_NAMES.items()}


def _metric(name: str) -> Metric:
    if not isinstance(name, str):
        raise ParameterError(f"the name of a metric is text, like 'RaS', not {name!r}")
    if name in _BY_NAME:
        return _BY_NAME[name]
    near = difflib.get_close_matches(name, _BY_NAME, n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else "; metrics that need X are not offered here"
    raise UnknownIndexError(f"ClusteringMetric has no external metric {name!r}{hint}")


# -- the class ------------------------------------------------------------------------------------


class ClusteringMetric:
    """External clustering metrics under the names of permetrics.

    Give labels, `force_finite` and `finite_value` here or to each method. Labels are counted again only if
    their clusters have changed.

    Parameters
    ----------
    y_true, y_pred : array-like, optional
        True and predicted label of each sample.
    X : array-like, optional
        Not used: only external metrics are available.
    force_finite : bool, default=True
        Whether a division by zero gives `finite_value` instead of an error.
    finite_value : float, optional
        The value of a division by zero. By default, that of the metric.

    Examples
    --------
    >>> cm = ClusteringMetric([0, 0, 1, 1], [0, 0, 0, 0])
    >>> cm.ReS(), cm.PrS(), cm.PrS(y_pred=[0, 1, 2, 3], finite_value=0.5)
    (1.0, 0.3333333333333333, 0.5)
    >>> cm.get_metrics_by_list_names(["RaS", "FS"], [None, {"beta": 2.0}])
    {'RaS': 0.3333333333333333, 'FS': 0.7142857142857143}
    """

    force_finite: bool
    finite_value: float | None

    def __init__(
        self,
        y_true: Any = None,
        y_pred: Any = None,
        X: Any = None,
        force_finite: bool = True,
        finite_value: float | None = None,
    ) -> None:
        self.y_true = y_true
        self.y_pred = y_pred
        self.X = X
        self.force_finite = _checked_switch(force_finite)
        self.finite_value = _checked_number(finite_value)
        self._counted: tuple[list[NDArray[np.int64]], Counts] | None = None  # the codes, and their counts

    def __getattr__(self, name: str) -> Callable[..., float]:
        if name.startswith("_"):
            raise AttributeError(name)
        _metric(name)  # the message suggests similar names
        raise AttributeError(name)

    def get_metric_by_name(
        self, metric_name: str, paras: Mapping[str, Any] | None = None
    ) -> dict[str, float]:
        """Compute one metric by its name.

        Parameters
        ----------
        metric_name : str
            Name or abbreviation of the metric.
        paras : mapping, optional
            Arguments of the metric.

        Returns
        -------
        dict from str to float
            The value by name.

        Raises
        ------
        UnknownIndexError
            If there is no such external metric.

        Examples
        --------
        >>> ClusteringMetric([0, 0, 1], [0, 1, 1]).get_metric_by_name("RaS")
        {'RaS': 0.3333333333333333}
        """
        return {metric_name: self._by_name(_metric(metric_name), paras)}

    def get_metrics_by_list_names(
        self,
        list_metric_names: Sequence[str],
        list_paras: Sequence[Mapping[str, Any] | None] | None = None,
    ) -> dict[str, float]:
        """Compute several metrics by their names.

        If a name occurs twice, its last arguments count.

        Parameters
        ----------
        list_metric_names : sequence of str
            Names or abbreviations.
        list_paras : sequence of mappings, optional
            Arguments of each metric, or None.

        Returns
        -------
        dict from str to float
            The values by name.

        Raises
        ------
        ParameterError
            If the two lists differ in length.

        Examples
        --------
        >>> ClusteringMetric([0, 0, 1], [0, 1, 1]).get_metrics_by_list_names(["RaS", "JS"])
        {'RaS': 0.3333333333333333, 'JS': 0.0}
        """
        names = _checked_list("list_metric_names", list_metric_names, "names of metrics")
        paras = (
            [None] * len(names) if list_paras is None else _checked_list("list_paras", list_paras, "mappings")
        )
        if len(names) != len(paras):
            raise ParameterError(
                "list_metric_names and list_paras must have the same length! "
                f"There are {len(names)} names and {len(paras)} sets of arguments."
            )
        metrics = [_metric(name) for name in names]
        return {
            name: self._by_name(metric, given)
            for name, metric, given in zip(names, metrics, paras, strict=True)
        }

    def get_metrics_by_dict(self, metrics_dict: Mapping[str, Mapping[str, Any] | None]) -> dict[str, float]:
        """Compute several metrics from a mapping of names to arguments.

        Parameters
        ----------
        metrics_dict : mapping
            Arguments of each metric, or None.

        Returns
        -------
        dict from str to float
            The values by name.

        Examples
        --------
        >>> ClusteringMetric([0, 0, 1], [0, 1, 1]).get_metrics_by_dict({"JS": None, "FS": {"beta": 2}})
        {'JS': 0.0, 'FS': 0.0}
        """
        if not isinstance(metrics_dict, Mapping):
            raise ParameterError(
                f"metrics_dict is {kind_of(metrics_dict)}; it maps names of metrics to arguments, "
                'like {"RaS": None, "FS": {"beta": 2.0}}'
            )
        return self.get_metrics_by_list_names(list(metrics_dict), list(metrics_dict.values()))

    @staticmethod
    def get_support(name: str | None = None, verbose: bool = True) -> Any:
        """Describe a metric: type, range and best value.

        Parameters
        ----------
        name : str, optional
            Name or abbreviation of the metric, or "all".
        verbose : bool, default=True
            Whether to print the description.

        Returns
        -------
        dict
            The description; for "all", that of each metric.

        Raises
        ------
        ParameterError
            If there is no such metric.

        Examples
        --------
        >>> ClusteringMetric.get_support("ARS", verbose=False)
        {'type': 'max', 'range': '[-0.5, 1]', 'best': '1'}
        """
        if name == "all":
            chosen = {metric.abbreviation: metric.support for metric in _METRICS}
        elif isinstance(name, str) and name in _BY_NAME:
            chosen = {name: _BY_NAME[name].support}
        else:
            raise ParameterError(
                f"ClusteringMetric doesn't support metric named: {name}; get_support('all') shows what it has"
            )
        if verbose:
            for key, support in chosen.items():
                print(f"Metric {key}: {support}")  # noqa: T201  (verbose means print)
        return chosen if name == "all" else chosen[name]

    def _by_name(self, metric: Metric, given: Mapping[str, Any] | None) -> float:
        if given is not None and not (isinstance(given, Mapping) and all(isinstance(k, str) for k in given)):
            raise ParameterError(
                f"the arguments of {metric.abbreviation} are {given!r}; give a mapping of their names, like "
                '{"finite_value": 0.5}, or None'
            )
        score: Callable[..., float] = getattr(self, metric.method)
        return score(**(given or {}))

    def _score(
        self,
        metric: Metric,
        y_true: Any,
        y_pred: Any,
        force_finite: bool | None,
        finite_value: float | None,
        **parameters: Any,
    ) -> float:
        index = metric.index.bind(**parameters) if parameters else metric.index
        force = self.force_finite if force_finite is None else _checked_switch(force_finite)
        given = self.finite_value if finite_value is None else _checked_number(finite_value)
        counts = self._counts(
            self.y_true if y_true is None else y_true, self.y_pred if y_pred is None else y_pred
        )
        try:
            index.evaluate(counts)  # permetrics makes no exception of identical partitions
        except ZeroDivisionError:
            if force:
                return metric.fallback if given is None else given
        else:
            return index.value(counts)
        raise UndefinedError(
            f"{metric.method} ({metric.abbreviation}) is undefined: {index.formula} divides by zero for "
            f"{counts.size} elements in {counts.rows} and {counts.columns} clusters; "
            "with force_finite=True the value is finite_value"
        )

    def _counts(self, y_true: Any, y_pred: Any) -> Counts:
        sides = _by_position(y_true, "y_true"), _by_position(y_pred, "y_pred")
        codes = [side.codes for side in sides]
        if self._counted is None or not all(map(np.array_equal, codes, self._counted[0])):
            kept = [each.copy() for each in codes]  # they may share the memory of the labels
            self._counted = kept, compare(*sides)._counts
        return self._counted[1]


# -- labels and arguments -----------------------------------------------------------------------------


def _by_position(labels: Any, name: str) -> MemoryLabels:
    """Labels without the index that a Series may have: permetrics reads plain vectors."""
    if labels is None:
        raise InputError(
            f"{name} is missing: external metrics need y_true and y_pred, given to ClusteringMetric(...) "
            "or to the method"
        )
    if getattr(labels, "ndim", 1) != 1:
        raise LabelError(
            f"{name} has {labels.ndim} dimensions, and permetrics reads vectors; pass its .ravel() if each "
            "entry is the label of an element"
        )
    encoded = encode(labels, name)
    return MemoryLabels(encoded.codes, encoded.originals)


def _checked_switch(force_finite: bool) -> bool:
    if not isinstance(force_finite, (bool, np.bool_)):
        raise ParameterError(f"force_finite={force_finite!r}: use True or False")
    return bool(force_finite)


def _checked_number(finite_value: float | None) -> float | None:
    if finite_value is not None and not isinstance(finite_value, Real):
        raise ParameterError(
            f"finite_value={finite_value!r}: it is the number to return where a score is undefined"
        )
    return None if finite_value is None else float(finite_value)


def _checked_list(name: str, value: Any, wording: str) -> list[Any]:
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise ParameterError(f"{name}={value!r}: pass a list of {wording}")
    return list(value)


# -- its methods ----------------------------------------------------------------------------------


def _method_of(metric: Metric) -> Callable[..., float]:
    """The metric as a method, with its parameter beta if it has one."""

    def score(
        self: ClusteringMetric,
        y_true: Any = None,
        y_pred: Any = None,
        force_finite: bool | None = None,
        finite_value: float | None = None,
    ) -> float:
        return self._score(metric, y_true, y_pred, force_finite, finite_value)

    def weighted(  # noqa: PLR0917  (the order of permetrics)
        self: ClusteringMetric,
        y_true: Any = None,
        y_pred: Any = None,
        beta: float = 1.0,
        force_finite: bool | None = None,
        finite_value: float | None = None,
    ) -> float:
        return self._score(metric, y_true, y_pred, force_finite, finite_value, beta=beta)

    method = weighted if "beta" in metric.index.parameters else score
    method.__name__ = metric.method
    method.__qualname__ = f"ClusteringMetric.{metric.method}"
    method.__doc__ = metric.documentation(method(ClusteringMetric(*_EXAMPLE)))
    return method


for _each in _METRICS:
    _method = _method_of(_each)
    for _name in (name for name, named in _BY_NAME.items() if named is _each):
        setattr(ClusteringMetric, _name, _method)
