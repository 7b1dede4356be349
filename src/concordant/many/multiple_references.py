"""compare_references() and MultiReference: one candidate against several references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from math import fsum
from types import MappingProxyType
from typing import Any, Unpack

from concordant.clusterings.coerce import columns_of_clusterings, opened_sides
from concordant.clusterings.detect import is_table
from concordant.comparisons import Comparison
from concordant.comparisons.entry import compare_sides
from concordant.differences.lazy_list import LazyList, all_largest, field_names
from concordant.errors import InputError, ParameterError, kind_of, noted
from concordant.foundation.conventions import Conventions, LabelTreatment, noise_of_all, report_unused_noise
from concordant.foundation.input_options import InputOptions, input_options
from concordant.foundation.results import DotPlot, Field, Listing, ReadOnlyDict, rounded
from concordant.foundation.spelling import counted, printable
from concordant.foundation.text_layout import shortened
from concordant.indices.attributes import PartitionIndices
from concordant.indices.index import Index, any_index
from concordant.indices.values import IndexAttributes
from concordant.many.matrix import IndexValue
from concordant.report import format_value
from concordant.report.sentences import named_ties

_SHOWN = ("rand", "segmentation_covering", "variation_of_information", "adjusted_rand")  # of partitions
_AT_MOST = 4  # indices of other kinds in the table


@input_options(
    meanings={
        "progress": "Called with the number of references that are done and the total.",
        "names": "Display names of the references, in their order.",
    }
)
def compare_references(
    references: Any,
    candidate: Any = None,
    *,
    reference_noise: Mapping[Any, LabelTreatment] | None = None,
    candidate_noise: Mapping[Any, LabelTreatment] | None = None,
    **options: Unpack[InputOptions],
) -> MultiReference:
    """Compare one candidate with several references of the same set.

    An index is the mean over the references. The mean of `rand` is the probabilistic Rand index (PRI). The
    mean of `segmentation_covering` is the covering score used for BSDS500 and for change points.

    Parameters
    ----------
    references : mapping, sequence or table
        The references by name, or a list of them, with the names "0", "1" and so on. Each is any input of
        `compare`. Or one table with a column for each reference, and the candidate in the last of `columns`.
    candidate : any input of compare, optional
        The candidate. Not needed if one table has all.
    reference_noise, candidate_noise : mapping from label to str, optional
        Treatment of labels of one side, as in `compare`.
    **options
        The input options.

    Returns
    -------
    MultiReference
        The mean of every index, and each comparison.

    Examples
    --------
    >>> c = compare_references({"ann": [0, 0, 1, 1], "bob": [0, 0, 0, 1]}, [0, 0, 1, 2])
    >>> c.PRI, [(each.reference, round(each.value, 4)) for each in c.each("rand")]
    (0.75, [('ann', 0.8333), ('bob', 0.6667)])
    >>> c["segmentation_covering"], c.exact("jaccard")
    (0.75, Fraction(5, 12))
    """
    conventions = Conventions.of(options, reference_noise=reference_noise, candidate_noise=candidate_noise)
    named, candidate, conventions = _opened(references, candidate, conventions)
    progress, compared = conventions.progress, {}
    conventions = replace(conventions, progress=None, names=None)
    with noise_of_all() as noise:
        for number, (name, reference) in enumerate(named.items(), start=1):
            with noted(f"the reference {name!r}"):
                compared[name] = compare_sides(reference, candidate, conventions)
            if progress is not None:
                progress(number, len(named))
    report_unused_noise(noise)
    made = MultiReference(compared)
    if not made.keys():
        raise InputError(
            "no index is defined for every reference: a hierarchy is compared with a partition by "
            "other indices than with a hierarchy; call compare_references once for each kind of reference"
        )
    return made


def _opened(
    references: Any, candidate: Any, conventions: Conventions
) -> tuple[dict[str, Any], Any, Conventions]:
    """The references by name, the candidate, and what remains to be agreed on."""
    if is_table(references):
        columns = columns_of_clusterings(references, conventions)
        names = columns[:-1] if candidate is None or is_table(candidate) else columns
        listed = [references] if candidate is None else [references] * len(names)
        named_columns = [*names, columns[-1] if len(names) < len(columns) else None]
        conventions = replace(conventions, columns=named_columns)  # type: ignore[arg-type]  # None: not a table
    elif isinstance(references, Mapping):
        names, listed = [str(name) for name in references], list(references.values())
        if len(set(names)) < len(names):
            raise ParameterError("two references have the same name, as a string; rename one")
    elif isinstance(references, list | tuple):
        names, listed = [str(number) for number in range(len(references))], list(references)
    else:
        raise InputError(
            "references are a list of clusterings, a mapping from name to clustering, or a table, not "
            f"{kind_of(references)}; for images that are stacked along the first axis, pass list(images)"
        )
    if not names:
        raise InputError("there is no reference to compare the candidate with")
    if is_table(references) or conventions.columns is not None or conventions.record is not None:
        given = [*listed, candidate] if candidate is not None else [*listed, *(None for _ in names)]
        (*listed, candidate), conventions = opened_sides(given, [*names, "candidate"], conventions)
    return dict(zip(conventions.checked_names(names), listed, strict=True)), candidate, conventions


class MultiReference(PartitionIndices, IndexAttributes[float]):
    """One candidate compared with several references. `compare_references` returns it.

    Every index is an attribute and an item: its mean over the references.

    Examples
    --------
    >>> c = compare_references([[0, 0, 1, 1], [0, 0, 0, 1]], [0, 0, 1, 2])
    >>> c
    <MultiReference of 4 records: 2 references>
    >>> c.comparisons["1"].rand, c.to_dict(indices=["rand", "precision"])
    (0.6666666666666666, {'rand': 0.75, 'precision': 1.0})
    """

    __slots__ = ("_chosen", "_comparisons")

    _comparisons: Mapping[str, Comparison]

    def __init__(self, comparisons: Mapping[str, Comparison]) -> None:
        self._comparisons = MappingProxyType(dict(comparisons))
        self._chosen = None

    def __reduce__(self) -> tuple[Any, ...]:
        return MultiReference, (dict(self._comparisons),)

    @property
    def comparisons(self) -> Mapping[str, Comparison]:
        """The comparison with each reference, by name."""
        return self._comparisons

    @property
    def headline(self) -> str:
        """One sentence: the reference that the candidate is most similar to, and the mean of the index.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare_references({"ann": [0, 0, 1, 1], "bob": [0, 0, 0, 1]}, [0, 0, 1, 2]).headline
        'The candidate is most similar to reference ann (Adjusted Rand index 0.5714, mean 0.4524)'
        """
        if (index := self._main) is None:
            return f"One candidate against {counted(len(self._comparisons), 'reference')}"
        values = {name: each._value(index) for name, each in self._comparisons.items()}
        names = [shortened(printable(name)) for name in values]
        if not (best := all_largest(list(values.values()))):
            return f"{index.title} is not defined for any of {counted(len(names), 'reference')}"
        largest = list(values.values())[best[0]]
        value, mean = (rounded(each, perfect=index.perfect) for each in (largest, self._value(index)))
        nearest = named_ties([names[place] for place in best])
        to = f"{'references' if len(best) > 1 else 'reference'} {nearest}"
        return f"The candidate is most similar to {to} ({index.title} {value}, mean {mean})"

    @property
    def _main(self) -> Index | None:
        """The index of the headline and of the chart."""
        known = [name for name in ("adjusted_rand", "bcubed_f", "tree_f1") if name in self.keys()]
        return any_index(known[0]) if known else None

    def _value(self, declared: Index) -> float:
        """Compute the mean of an index over the references."""
        return fsum(each._value(declared) for each in self._comparisons.values()) / len(self._comparisons)

    def exact(self, index: str) -> Fraction:
        """Compute the mean of an index as a fraction, without rounding.

        Parameters
        ----------
        index : str
            Name of the index.

        Returns
        -------
        Fraction
            The exact mean.

        Raises
        ------
        NotRationalError
            If the formula has roots or logarithms.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare_references([[0, 0, 1], [0, 1, 1]], [0, 0, 1]).exact("rand")
        Fraction(2, 3)
        """
        return sum((each.exact(index) for each in self._comparisons.values()), Fraction(0)) / len(
            self._comparisons
        )

    def each(self, index: str) -> LazyList[IndexValue]:
        """Compute an index for each reference.

        Parameters
        ----------
        index : str
            Name of the index.

        Returns
        -------
        LazyList of IndexValue
            One row for each reference.

        Examples
        --------
        >>> import concordant as cc
        >>> c = cc.compare_references([[0, 0, 1], [0, 1, 1]], [0, 0, 1])
        >>> [each.value for each in c.each("rand")]
        [1.0, 0.3333333333333333]
        """
        name = self._declared(index).name
        rows = [IndexValue(own, "candidate", name, each[index]) for own, each in self._comparisons.items()]
        return LazyList(rows, columns=field_names(IndexValue))

    def keys(self) -> tuple[str, ...]:
        """List the indices that are available for every reference.

        Returns
        -------
        tuple of str
            The names of the indices.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare_references([[0, 0, 1], [0, 1, 1]], [0, 0, 1]).keys()[:2]
        ('precision', 'recall')
        """
        first, *others = (each.keys() for each in self._comparisons.values())
        everywhere = set(first).intersection(*others)
        return tuple(name for name in first if name in everywhere)

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        """One row for each reference and index."""
        names = self._names_of(None)
        rows = (
            {"reference": reference, "index": name, "value": each[name]}
            for reference, each in self._comparisons.items()
            for name in names
        )
        return list(islice(rows, limit))

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:  # noqa: ARG002  (all are few)
        keys = self._names_of(None)
        usual = [name for name in _SHOWN if name in keys] if self._chosen is None else keys
        shown = usual or keys[:_AT_MOST]
        rows = [
            {"reference": name, **{each: own[each] for each in shown}}
            for name, own in self._comparisons.items()
        ]
        rows.append({"reference": "mean", **{each: self[each] for each in shown}})
        dots = None
        if (index := self._main) is not None and index.name in shown:
            dots = DotPlot("references", f"{index.title} with each reference", index.name)
        columns = [Field("reference", text=printable), *(Field(name, name, format_value) for name in shown)]
        return [Listing(rows, columns, dots=dots)]

    @property
    def size(self) -> int:
        """The number of records that were compared."""
        return next(iter(self._comparisons.values()))._counts.size

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the references."""
        return tuple(self._comparisons)

    @property
    def omitted(self) -> Mapping[str, int]:
        compared = self._comparisons.items()
        return ReadOnlyDict({name: sum(each.omitted.values()) for name, each in compared if each.omitted})

    @property
    def conventions(self) -> str:
        """The conventions that are not the usual ones."""
        return next(iter(self._comparisons.values()))._unusual_conventions

    def _footnotes(self) -> Sequence[str]:
        return [self.conventions]

    def __repr__(self) -> str:
        size = counted(next(iter(self._comparisons.values()))._counts.size, "record")
        return f"<MultiReference of {size}: {counted(len(self._comparisons), 'reference')}>"
