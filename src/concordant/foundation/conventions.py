"""Conventions: how nulls, noise, unmatched records and 0/0 are treated, and the checks of options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields
from numbers import Number
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np

from concordant import core
from concordant.errors import ParameterError, Remedy, kind_of, nearest_first, warn
from concordant.foundation import remedies
from concordant.foundation.spelling import part_of

SideName: TypeAlias = Literal["reference", "candidate"]
SIDES: Final[tuple[SideName, SideName]] = ("reference", "candidate")


Unmatched = Literal["error", "drop", "singletons", "keep"]
Nulls = Literal["error", "drop", "singletons"]
NoiseAs = Literal["cluster", "singletons", "drop"]
Undefined = Literal["convention", "nan", "raise", "conll"]

Progress = Callable[[int, int], object]  # called with the number of finished steps and the total

# Treatments of a label of one side: those of noise, and background, which is not a cluster but counts in
# unions.
LabelTreatment = Literal["cluster", "singletons", "drop", "background"]
LABEL_TREATMENTS = get_args(LabelTreatment)

UNMATCHED, NULLS, NOISE_AS, UNDEFINED = map(get_args, (Unmatched, Nulls, NoiseAs, Undefined))

# More overlaps than this are not fetched from an engine unless the caller allows it.
TABLE_LIMIT = 10_000_000


@dataclass(frozen=True, slots=True)
class Conventions:
    """The treatment of missing elements, labels and values.

    >>> Conventions(unmatched="drop").unmatched
    'drop'
    """

    columns: str | Sequence[str] | None = None  # of a table, in the order of the sides
    record: str | None = None  # the column of record ids of a table
    unmatched: Unmatched = "error"
    nulls: Nulls | None = None  # None: as each source specifies
    noise: Any = None
    noise_as: NoiseAs | None = None
    weights: Any = None  # of the elements, by name or in the order of the reference
    where: Any = None  # a mask of the elements to compare
    undefined: Undefined = "convention"
    table_limit: int = TABLE_LIMIT
    threads: int = 0
    progress: Progress | None = None  # receives the progress of counting
    names: Sequence[str] | None = None  # display names of the sides
    reference_noise: Mapping[Any, LabelTreatment] | None = None  # the treatment of labels of one side
    candidate_noise: Mapping[Any, LabelTreatment] | None = None
    observed: Any = None  # the table beside the labels: the obs of AnnData
    takes_nulls: bool = True  # whether the caller has the option nulls=, so errors can suggest it

    def __post_init__(self) -> None:
        check_choice("unmatched", self.unmatched, UNMATCHED)
        if self.nulls is not None:
            check_choice("nulls", self.nulls, NULLS)
        check_noise(self.noise, self.noise_as)
        check_choice("undefined", self.undefined, UNDEFINED)
        self._check_noise_of_sides()
        limit = self.table_limit
        if not isinstance(limit, int) or isinstance(limit, bool) or limit < 0:
            raise ParameterError(
                f"use a number of overlaps, such as {TABLE_LIMIT:_}", given={"table_limit": limit}
            )
        check_threads(self.threads)
        check_progress(self.progress)

    def _check_noise_of_sides(self) -> None:
        for name in ("reference_noise", "candidate_noise"):
            policy = getattr(self, name)
            if policy is None:
                continue
            if not isinstance(policy, Mapping):
                raise ParameterError(
                    "specify the treatment of each label, as in {0: 'drop'}", given={name: policy}
                )
            for treatment in policy.values():
                check_choice(name, treatment, LABEL_TREATMENTS)
            if self.noise is not None:
                raise ParameterError(
                    "one of these applies to both sides, the other to one side; pass only one of them",
                    given={"noise": self.noise, name: policy},
                )

    @classmethod
    def of(cls, options: Mapping[str, Any], **more: Any) -> Conventions:
        """Conventions from the options of a function; the defaults cost nothing.

        >>> Conventions.of({"unmatched": "error"}) is USUAL
        True
        """
        given = {**options, **more} if any(value is not None for value in more.values()) else options
        if not given or all(value is _USUALLY.get(name, ...) for name, value in given.items()):
            check_threads(0)  # the environment may have changed since
            return USUAL
        return cls(**given)

    def checked_names(self, roles: Sequence[str]) -> tuple[str, ...]:
        """The display names of these sides; by default, their roles.

        >>> Conventions(names=["truth", "new"]).checked_names(["reference", "candidate"])
        ('truth', 'new')
        """
        if self.names is None:
            return tuple(roles)
        is_listed = isinstance(self.names, Iterable) and not isinstance(self.names, str)
        given = tuple(self.names) if is_listed else ()
        if len(given) != len(roles) or not all(isinstance(each, str) and each.strip() for each in given):
            raise ParameterError(
                f"give a name for each of {', '.join(roles)}, as strings", given={"names": self.names}
            )
        return given

    @property
    def noise_of_sides(self) -> dict[str, Mapping[Any, LabelTreatment]]:
        """The treatments of labels of one side, as options."""
        sides = {"reference_noise": self.reference_noise, "candidate_noise": self.candidate_noise}
        return {option: policy for option, policy in sides.items() if policy}

    @property
    def treats_labels(self) -> bool:
        """Whether labels of a side are treated on the table."""
        return bool(self.reference_noise or self.candidate_noise)


def check_choice(name: str, value: Any, choices: Iterable[str], scope: str = "") -> None:
    """Refuse a value that is not one of the choices; ``scope`` states where they apply.

    >>> check_choice("unmatched", "dropp", ("error", "drop"))
    Traceback (most recent call last):
    concordant.errors.ParameterError: unmatched='dropp': did you mean 'drop'? Use 'error' or 'drop'
    """
    choices = list(choices)
    if not isinstance(value, str) or value not in choices:
        *first, last = map(repr, choices)
        use = f"{scope}use {', '.join(first)}{' or ' if first else ''}{last}"
        raise ParameterError(nearest_first(str(value), choices, use)[2:], given={name: value})


def check_type(name: str, value: Any, types: type | tuple[type, ...], wanted: str) -> None:
    """Refuse a value of another type; ``wanted`` names the right one.

    >>> check_type("slices", 3, list, "the result of slices()")
    Traceback (most recent call last):
    concordant.errors.ParameterError: slices=3: pass the result of slices()
    """
    is_bool = isinstance(value, bool) and types is not bool  # Python counts them as integers
    if is_bool or not isinstance(value, types):
        raise ParameterError(f"pass {wanted}", given={name: value})


def broken_decisions(agreed: Mapping[str, str]) -> str:
    """How many decisions are broken, by the conventions of a signature; empty if none is.

    >>> broken_decisions({"same_broken": "1 of 2", "different_broken": "0 of 1"})
    '1 of 3 decisions is broken'
    """
    given = [agreed[name].split(" of ") for name in ("same_broken", "different_broken") if name in agreed]
    broken, number = (sum(int(each[place]) for each in given) for place in range(2))
    return f"{part_of(broken, number, 'decision', 'are')} broken" if broken else ""


def is_hashable(label: Any) -> bool:
    """Whether the label has a hash; a tuple of lists has none, although tuples do."""
    try:
        hash(label)
    except TypeError:
        return False
    return True


def check_noise(noise: Any, noise_as: Any) -> NoiseAs | None:
    """How noise is treated; None if there is no noise label."""
    if noise is None and noise_as is None:
        return None
    if not is_hashable(noise) or not isinstance(noise == noise, bool | np.bool_):  # noqa: PLR0124  (a column compares to a column)
        raise ParameterError(
            f"noise is a single label, not {kind_of(noise)}; for several labels, specify each side, as in "
            "reference_noise={0: 'drop', 255: 'drop'}",
            given={"noise": noise},
        )
    if isinstance(noise, Number) and noise != noise:  # noqa: PLR0124  (NaN is what differs from itself)
        raise ParameterError(
            "NaN does not equal any label, so it cannot mark noise; NaN labels are missing labels: drop "
            "such records, or give them a label",
            given={"noise": noise},
        )
    if noise is None:
        raise ParameterError(
            "the noise label is not specified",
            given={"noise_as": noise_as},
            remedies=[Remedy("name it", noise=...)],
        )
    if noise_as == "background":
        raise ParameterError(
            f"specify this for each side: pass reference_noise={{{noise!r}: 'background'}} and "
            "candidate_noise= likewise to compare()",
            given={"noise_as": noise_as},
        )
    if noise_as not in NOISE_AS:
        given = {"noise": noise} if noise_as is None else {"noise_as": noise_as}
        raise ParameterError(
            "the treatment of noise is not specified", given=given, remedies=remedies.FOR_NOISE
        )
    return noise_as  # type: ignore[no-any-return]  # one of the three by now


def report_unused_noise(noise: Iterable[tuple[Any, bool]]) -> None:
    """Report each noise label that occurs on no side it was given for; several labels in one are an error.

    A clustering may have no noise, so this is a warning. The label may also be misspelled. Within
    ``noise_of_all`` the warning waits for the other comparisons.
    """
    if (collected := _NOISE_OF_ALL.get()) is not None:
        collected.extend(noise)
        return
    is_used: dict[Any, bool] = {}
    for label, is_found in noise:
        is_used[label] = is_used.get(label, False) or is_found
    for label in (label for label, used in is_used.items() if not used):
        if isinstance(label, tuple | frozenset):
            treatments = ", ".join(f"{each!r}: 'drop'" for each in label)
            raise ParameterError(
                f"no label equals {label!r}; if these are several labels, name them for each side, as in "
                f"reference_noise={{{treatments}}}",
                given={"noise": label},
            )
        warn(f"no label equals {label!r}, which was named as noise, so no record is noise")


@contextmanager
def noise_of_all() -> Iterator[list[tuple[Any, bool]]]:
    """The noise labels of comparisons that belong together, to be reported once for all of them."""
    collected: list[tuple[Any, bool]] = []
    token = _NOISE_OF_ALL.set(collected)
    try:
        yield collected
    finally:
        _NOISE_OF_ALL.reset(token)


_NOISE_OF_ALL: ContextVar[list[tuple[Any, bool]] | None] = ContextVar("noise of all", default=None)


def check_progress(progress: object) -> None:
    """Refuse a progress callback that is not callable."""
    if progress is not None and not callable(progress):
        raise ParameterError(
            "pass a function that takes the number done and the total",
            given={"progress": progress},
        )


def check_threads(threads: Any) -> None:
    """Refuse an invalid number of threads, given as ``threads=`` or as CONCORDANT_THREADS.

    If no number is given, the core reads the variable itself.
    """
    if type(threads) is not int or not 0 <= threads < 2**31:
        raise ParameterError(
            "use a positive integer, or 0 for as many as the process may use", given={"threads": threads}
        )
    wanted = None if threads else core.threads_variable()
    if wanted is not None and not (wanted.isascii() and wanted.isdigit() and int(wanted) > 0):
        raise ParameterError(
            f"CONCORDANT_THREADS={wanted!r} in the environment: it must be a positive integer, or not be set"
        )


USUAL = Conventions()
_USUALLY = {each.name: each.default for each in fields(USUAL)}
