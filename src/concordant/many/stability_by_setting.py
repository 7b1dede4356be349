"""stability_over(): the stability of several settings against that of data without clusters."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Unpack

import numpy as np

from concordant.differences.lazy_list import LazyList, all_largest
from concordant.errors import InputError, ParameterError, UnknownKeyError, few, kind_of
from concordant.foundation.conventions import check_choice, check_progress
from concordant.foundation.input_options import InputOptions, input_options
from concordant.foundation.results import DotPlot, Field, Listing, Report, melted
from concordant.foundation.spelling import counted
from concordant.inference.options import check_count
from concordant.many.resampling import ResamplePlan, Vary, refuse_fits, stability
from concordant.many.stability import Stability
from concordant.maths.arithmetic import Floats
from concordant.report.sentences import named_ties

NullData = Literal["gaussian", "uniform", "columns"]


@dataclass(frozen=True, slots=True)
class Resolution:
    """The stability of one setting, and that of data without clusters.

    Attributes
    ----------
    setting : object
        The setting.
    n_clusters : int
        Number of clusters.
    adjusted_rand : float
        Mean adjusted Rand index of a run with the reference.
    jaccard : float
        Mean Jaccard index of the clusters, weighted by size.
    null, null_low, null_high : float
        Mean adjusted Rand index of null data, and its range.
    gap, se : float
        Difference from the null data, and its standard error.
    """

    setting: Any
    n_clusters: int
    adjusted_rand: float
    jaccard: float
    null: float
    null_low: float
    null_high: float
    gap: float
    se: float


_BAND = ("null_low", "null_high")


class Resolutions(Report, Mapping[Any, Stability]):
    """The stability of several settings. `stability_over` returns it.

    It is a mapping from setting to `Stability`.

    Examples
    --------
    >>> t = stability_over({2: [[0, 0, 1, 1], [0, 0, 1, 1]], 3: [[0, 0, 1, 2], [0, 1, 2, 2]]})
    >>> [(each.setting, round(each.adjusted_rand, 4)) for each in t.settings()], t.best().setting
    ([(2, 1.0), (3, 0.5714)], 2)
    """

    def __init__(self, rows: Sequence[Resolution], details: Mapping[Any, Stability], null: str) -> None:
        self._settings, self._null = tuple(rows), null
        self._of_settings: dict[Any, Stability] = dict(details)

    def settings(self) -> LazyList[Resolution]:
        """List the settings with their stability, that of null data, and the gap.

        Returns
        -------
        LazyList of Resolution
            One row for each setting, in the order given.

        Examples
        --------
        >>> import concordant as cc
        >>> r = cc.stability_over({2: [[0, 0, 1], [0, 0, 1]], 3: [[0, 1, 2], [0, 1, 2]]})
        >>> [each.setting for each in r.settings()]
        [2, 3]
        """
        return LazyList(self._settings, columns=list(Resolution.__dataclass_fields__))

    def __getitem__(self, setting: Any) -> Stability:
        try:
            return self._of_settings[setting]
        except (KeyError, TypeError):  # TypeError: no key can be of this type
            known = few(self._of_settings)
            raise UnknownKeyError(f"there is no setting {setting!r}; there are {known}") from None

    def __iter__(self) -> Iterator[Any]:
        return iter(self._of_settings)

    def __len__(self) -> int:
        return len(self._of_settings)

    @property
    def size(self) -> int:
        """The number of records."""
        return max(each.size for each in self._of_settings.values())

    @property
    def names(self) -> tuple[str, ...]:
        """The settings, as text."""
        return tuple(map(str, self._of_settings))

    @property
    def conventions(self) -> str:
        """Unusual conventions."""
        return next(iter(self._of_settings.values())).conventions

    def _facts(self) -> Sequence[str]:
        return [f"null={self._null}"] if self._null else []

    @property
    def has_null(self) -> bool:
        """Whether null data were fitted. Without them, there are no gaps."""
        return bool(self._null)

    def best(self) -> Resolution:
        """Find the setting with the largest gap; without null data, the most stable.

        A setting with all records in one cluster, or each in its own, is always stable, so it is the best
        only if all are such.

        Returns
        -------
        Resolution
            The best setting. A tie goes to the first.

        Examples
        --------
        >>> import concordant as cc
        >>> r = cc.stability_over({2: [[0, 0, 1], [0, 0, 1]], 3: [[0, 1, 2], [0, 1, 2]]})
        >>> r.best().setting
        2
        """
        return self._best[0]

    @property
    def _best(self) -> list[Resolution]:
        """The best setting, or several if they are equal."""
        chosen = [each for each in self._settings if not self[each.setting]._is_trivial] or self._settings
        places = all_largest([each.gap if self.has_null else each.adjusted_rand for each in chosen])
        return [chosen[place] for place in places] or [chosen[0]]

    def to_dict(self) -> dict[str, Any]:
        """Return one row for each setting, and the best.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> r = cc.stability_over({2: [[0, 0, 1], [0, 0, 1]], 3: [[0, 1, 2], [0, 1, 2]]})
        >>> r.to_dict()["best"]
        2
        """
        return {"best": self.best().setting, "null": self._null or None, "settings": self._rows()}

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.settings().to_dict()["rows"]
        return rows[:limit]

    def _frame_columns(self) -> dict[str, list[Any]]:
        of_null = ("null", "null_low", "null_high", "gap", "se")
        return melted(super()._frame_columns(), ("adjusted_rand", "jaccard"), "adjusted_rand", of_null)

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:  # noqa: ARG002  (all are few)
        columns: list[Any] = [Field("setting", text=str), "n_clusters"]
        columns += [Field(name, name) for name in ("adjusted_rand", "jaccard")]
        columns += ["null", *_BAND, Field("gap", text="{:+.4f}".format), "se"] if self.has_null else []
        interval = "range of 95% of the values of data without clusters" if self.has_null else ""
        dots = DotPlot("settings", "How stable each setting is", "adjusted_rand", interval, ends=_BAND)
        return [Listing(self._settings, columns, dots=dots)]

    def _title(self) -> str:
        many, best = f"Stability over {counted(len(self), 'setting')}", self._best
        if self[best[0].setting]._is_trivial:
            return f"{many}: all are stable by definition, with one cluster or only singletons"
        names = named_ties([str(each.setting) for each in best])
        stable = "the most stable is" if len(best) == 1 else "the most stable are"
        return f"{many}: {'the largest gap at' if self.has_null else stable} {names}"

    def _footnotes(self) -> Sequence[str]:
        trivial = [str(name) for name, each in self._of_settings.items() if each._is_trivial]
        alone = ""
        if trivial:
            alone = f"always stable, with one cluster or only singletons: {named_ties(trivial)}"
        if self.has_null:
            return [
                f"null data: {self._null}; 95% are from null low to null high; gap = adjusted_rand - null",
                "use the gap to choose among settings; it does not show that there are clusters",
                alone,
            ]
        words = "without null data, the most stable setting often has too few clusters: pass functions and X"
        return [words, alone]

    def __repr__(self) -> str:
        return f"<Resolutions of {counted(len(self), 'setting')}: {self._title().partition(': ')[2]}>"


@input_options(
    refused={
        "columns": "each setting has clusterings of its own; name the columns in stability()",
        "record": "each setting has clusterings of its own; name the records in stability()",
        "unmatched": "a clustering may lack records of the reference; leave this out",
        "undefined": "a value that is 0/0 is NaN",
        "table_limit": "stability counts labels in memory",
        "names": "the keys of the settings are their names",
    },
    meanings={
        "weights": "Weight of each record, in the order of the reference or by record id.",
        "progress": "Called with the number of runs done and the total.",
    },
)
def stability_over(
    settings: Mapping[Any, Any],
    X: Any = None,
    *,
    null: NullData | Callable[[Any, np.random.Generator], Any] = "gaussian",
    n_null_sets: int = 20,
    n_resamples: int = 20,
    subsample: float | None = None,
    bootstrap: bool = False,
    vary: Vary = "both",
    seed: int = 0,
    n_jobs: int = 1,
    **options: Unpack[InputOptions],
) -> Resolutions:
    """Choose a number of clusters or a resolution by stability, relative to data without clusters.

    Stability alone prefers few clusters. Therefore each setting is also fitted to null data, and the gap
    between the mean adjusted Rand indices decides. A small gap does not mean that there are no clusters.

    Parameters
    ----------
    settings : mapping
        The clustering method of each setting, as in `stability`. Or runs of each setting; then there are no
        null data and no gap.
    X : array or dataframe, optional
        The data.
    null : str or callable, default="gaussian"
        "gaussian" is normal data with the covariance of X, "uniform" is uniform over the box of the principal
        components, "columns" permutes each column. Or a function from X and a random generator to data.
    n_null_sets : int, default=20
        Number of null data sets.
    n_resamples : int, default=20
        Number of resamples, as in `stability`.
    subsample : float, optional
        Share of the records in each resample. By default, 0.8.
    bootstrap : bool, default=False
        Whether to draw with replacement.
    vary : {"both", "seed", "data"}, default="both"
        What differs from run to run.
    seed : int, default=0
        Seed of the resamples and null data.
    n_jobs : int, default=1
        Number of runs to fit at the same time, in threads.
    **options
        The input options, as in `stability`.

    Returns
    -------
    Resolutions
        The stability of each setting, and the best setting.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.concatenate([np.random.default_rng(i).normal(5 * i, 1, (20, 2)) for i in range(2)])
    >>> halves = lambda rows: rows[:, 0] > np.median(X[:, 0])
    >>> thirds = lambda rows: np.searchsorted(np.quantile(rows[:, 0], [1 / 3, 2 / 3]), rows[:, 0])
    >>> stability_over({"halves": halves, "thirds": thirds}, X, n_null_sets=5).best().setting
    'halves'
    """
    if not isinstance(settings, Mapping) or not settings:
        raise ParameterError(
            f"give a mapping from the name of a setting to its clustering, not {kind_of(settings)}"
        )
    own: dict[str, Any] = {name: value for name, value in options.items() if name != "progress"}
    progress = options.get("progress")
    check_progress(progress)
    found: dict[Any, Stability] = {}
    if X is None:
        plan = ResamplePlan(n_resamples, subsample, bootstrap=bootstrap, vary=vary, seed=seed, n_jobs=n_jobs)
        refuse_fits(
            None,
            plan,
            20,
            null=not (isinstance(null, str) and null == "gaussian"),
            n_null_sets=n_null_sets != 20,
        )
        for name, runs in settings.items():
            found[name] = stability(runs, seed=seed, **own)
            if progress is not None:
                progress(len(found), len(settings))
        rows = [_resolution(name, each, None) for name, each in found.items()]
        return Resolutions(rows, found, "")
    if check_count("n_null_sets", n_null_sets) < 2:
        raise ParameterError("use two or more, to know how they vary", given={"n_null_sets": n_null_sets})
    how: dict[str, Any] = {"n_resamples": n_resamples, "subsample": subsample, "bootstrap": bootstrap}
    how |= {"vary": vary, "n_jobs": n_jobs, **own}
    make, words = _null_maker(null, X)
    children = np.random.SeedSequence(seed).spawn(n_null_sets)
    rows, total = [], len(settings) * (n_null_sets + 1)
    done = 0
    for name, fit in settings.items():
        found[name] = stability(fit, X, seed=seed, **how)
        nulls = []
        for place, child in enumerate(children, start=1):
            data = make(np.random.default_rng(child))
            nulls.append(stability(fit, data, seed=seed + place, **how).adjusted_rand)
            done += 1
            if progress is not None:
                progress(done + len(found), total)
        rows.append(_resolution(name, found[name], np.array(nulls)))
    return Resolutions(rows, found, words)


def _resolution(name: Any, found: Stability, nulls: Floats | None) -> Resolution:
    clusters, value = len(found.clusters(None)), found.adjusted_rand
    plain = Resolution(name, clusters, value, found.overall, *[math.nan] * 5)
    if nulls is None:
        return plain
    low, high = np.quantile(nulls, (0.025, 0.975)).tolist()
    se = float(nulls.std(ddof=1)) * math.sqrt(1 + 1 / len(nulls))
    mean = float(nulls.mean())
    return replace(plain, null=mean, null_low=low, null_high=high, gap=value - mean, se=se)


def _null_maker(null: Any, X: Any) -> tuple[Callable[[np.random.Generator], Any], str]:
    if callable(null):
        return lambda random: null(X, random), "made by the function given"
    check_choice("null", null, ("gaussian", "uniform", "columns"))
    try:
        data = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"null data are made from columns of numbers, and X is {kind_of(X)}; pass null= as a function "
            "from X and a random generator to data"
        ) from error
    if data.ndim != 2 or not np.isfinite(data).all():
        raise InputError("null data are made from a table of finite numbers; pass null= as a function")
    if null == "columns":
        return lambda random: random.permuted(data, axis=0), "each column permuted"
    centre = data.mean(axis=0)
    axes = np.linalg.svd(data - centre, full_matrices=False)[2]
    turned = (data - centre) @ axes.T
    if null == "uniform":
        low, high = turned.min(axis=0), turned.max(axis=0)
        return lambda random: random.uniform(low, high, turned.shape) @ axes + centre, (
            "uniform over the box of the principal components"
        )
    spread = turned.std(axis=0, ddof=1)
    return lambda random: random.normal(0.0, spread, turned.shape) @ axes + centre, (
        "normal with the covariance of the data"
    )
