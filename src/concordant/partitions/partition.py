"""Partition: what a person hands over, with its conventions said out loud.

Labels align by position. Clusters and mappings name their elements and align by name, in any
order. A pandas Series has an index: two Series align by it, a Series and an array by position, if the
index is in ascending order.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, ClassVar, NoReturn

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.conventions import (
    NULLS,
    NoiseAs,
    Nulls,
    check_choice,
    check_noise,
    check_threads,
)
from concordant.counts.spelling import counted
from concordant.errors import InputError, OverlapError, ParameterError, kind_of
from concordant.partitions.ambiguity import refuse_possible_clusters
from concordant.partitions.change_points import segments
from concordant.partitions.device import is_on_device
from concordant.partitions.formats import Format
from concordant.partitions.labels import Codes, Labels, code_of, encode, equal_to, labels_at
from concordant.partitions.members import (
    elements_of,
    identify_members,
    identify_named,
    names_and_members,
    refuse_overlap,
)
from concordant.partitions.missing import set_apart
from concordant.partitions.ownership import LabelsByCode, owned
from concordant.partitions.sources import Files, Frame, Reader, files

_PIECE = 2**16


@dataclass(slots=True)
class Noise:
    """The label that means "in no cluster", what was made of it, and how often it was found."""

    label: Any
    treatment: NoiseAs
    count: int | Callable[[], int]

    @property
    def found(self) -> int:
        """How many elements have that label, counted when somebody asks."""
        if not isinstance(self.count, int):
            self.count = self.count()
        return self.count


class Partition:
    """A set cut into clusters.

    >>> Partition.from_labels(["a", "a", "b"])
    Partition(3 elements, 2 clusters)
    >>> Partition.from_clusters([{"x", "y"}, {"z"}])
    Partition(3 elements, 2 clusters)
    """

    __slots__ = (
        "_dropped",
        "alone",
        "codes",
        "dropped_code",
        "elements",
        "first",
        "named",
        "noise",
        "originals",
    )

    is_in_memory: ClassVar[bool] = True  # whether the labels are here; else they stay
    is_in_source: ClassVar[bool] = False  # in a dataframe or in files, or
    is_on_device: ClassVar[bool] = False  # on a GPU

    def __init__(
        self,
        codes: Codes,
        originals: Any,
        *,
        elements: Any = None,
        named: bool = False,
        dropped: NDArray[np.bool_] | None = None,
        dropped_code: int | None = None,
        noise: Noise | None = None,
        first: NDArray[np.int64] | None = None,
        alone: tuple[Any, ...] = (),
    ) -> None:
        self.codes: Codes = codes
        self.originals: Any = originals  # label by position, for people
        # The labels of elements that stand alone, None for all that are missing: codes tell no labels then.
        self.alone: tuple[Any, ...] = alone
        self.elements: Any = elements  # names of the elements by position, None where they have none
        self.named: bool = (
            named  # whether the names decide; otherwise they only serve if both sides have some
        )
        self._dropped = dropped
        self.dropped_code: int | None = dropped_code  # of the elements to leave out, where one code tells
        self.noise: Noise | None = noise  # what was said of it, for the signature
        self.first: NDArray[np.int64] | None = (
            first  # where each code appears first, where codes count from 0
        )

    @property
    def dropped(self) -> NDArray[np.bool_] | None:
        """Which elements are to be left out; None where none is."""
        if self._dropped is None and self.dropped_code is not None:
            self._dropped = np.asarray(self.codes == self.dropped_code)
        return self._dropped

    @classmethod
    def from_labels(
        cls,
        labels: Any,
        *,
        noise: Any = None,
        noise_as: NoiseAs | None = None,
        what: str = "the labels",
        threads: int = 0,
    ) -> Partition:
        """One label per element: a list, a tuple, an array, a Series or an Arrow array.

        ``noise`` is the label that means "in no cluster", and ``noise_as`` says what to make of it:
        one "cluster", "singletons", or "drop" these elements from the comparison.

        >>> Partition.from_labels([0, 0, -1, -1], noise=-1, noise_as="singletons")
        Partition(4 elements, 3 clusters)
        """
        if is_on_device(labels):
            return DevicePartition(labels, what, noise, noise_as)
        check_threads(threads)
        return cls._of_labels(encode(labels, what, threads), noise, noise_as, what)

    @classmethod
    def of_encoded(
        cls,
        encoded: Labels,
        noise: Any,
        noise_as: NoiseAs | None,
        what: str,
        elements: list[Any] | None = None,
    ) -> Partition:
        """Labels that became codes; ``elements`` are the names of the elements, where these decide."""
        if elements is not None:
            identify_named(elements, what)
        partition = cls._of_labels(encoded, noise, noise_as, what)
        if elements is not None:
            partition.elements, partition.named = elements, True
        return partition

    @classmethod
    def _of_labels(cls, encoded: Labels, noise: Any, noise_as: NoiseAs | None, what: str) -> Partition:
        if noise is None and noise_as is None:
            return cls(encoded.codes, encoded.originals, elements=encoded.keys, first=encoded.first)
        treatment = check_noise(noise, noise_as)
        assert treatment is not None  # since one of the two was given
        code = None if treatment == "singletons" else code_of(encoded, noise)
        if code is not None:
            found = partial(_count, encoded.codes, code)
            return cls(
                encoded.codes,
                encoded.originals,
                elements=encoded.keys,
                dropped_code=code if treatment == "drop" else None,
                noise=Noise(noise, treatment, found),
                first=encoded.first,
            )
        is_noise = equal_to(encoded, noise)
        number = int(np.count_nonzero(is_noise))
        if not number:
            _refuse_another_type(encoded, noise, what)
        return cls(
            set_apart(encoded.codes, is_noise) if treatment == "singletons" else encoded.codes,
            encoded.originals,
            elements=encoded.keys,
            dropped=is_noise if treatment == "drop" else None,
            noise=Noise(noise, treatment, number),
            alone=(noise,) if treatment == "singletons" and number else (),
        )

    @classmethod
    def from_clusters(
        cls, clusters: Iterable[Iterable[Hashable]], *, what: str = "the clusters"
    ) -> Partition:
        """Clusters as lists or sets of elements, or a mapping from cluster name to its elements.

        Empty clusters are ignored and repetitions inside one cluster count once; an element in two
        clusters is an error.

        >>> Partition.from_clusters({"cats": ["tom", "kitty"], "mice": ["jerry"]})
        Partition(3 elements, 2 clusters)
        """
        names, members = names_and_members(clusters, what)
        held = [elements_of(cluster, number, what) for number, cluster in enumerate(members)]
        codes = np.repeat(np.arange(len(held)), np.fromiter(map(len, held), dtype=np.int64, count=len(held)))
        elements = list(chain.from_iterable(held))
        which, first = core.factorize(identify_members(elements, codes, what))
        if len(first) < len(elements):
            refuse_overlap(elements, codes, first[which], what)
            elements, codes = [elements[i] for i in first.tolist()], codes[first]
        return cls(codes, LabelsByCode(codes, names), elements=elements, named=True)

    @classmethod
    def from_mapping(
        cls,
        clusters: Mapping[Hashable, Hashable],
        *,
        noise: Any = None,
        noise_as: NoiseAs | None = None,
        what: str = "the mapping",
    ) -> Partition:
        """A mapping from element to cluster.

        >>> Partition.from_mapping({"tom": "cat", "kitty": "cat", "jerry": "mouse"})
        Partition(3 elements, 2 clusters)
        """
        if not isinstance(clusters, Mapping):
            raise InputError(
                f"{what} is {kind_of(clusters)}; from_mapping takes element -> cluster, "
                "from_labels takes one label per element"
            )
        labels = encode(list(clusters.values()), what)
        return cls.of_encoded(labels, noise, noise_as, what, list(clusters))

    @classmethod
    def from_change_points(
        cls, points: Iterable[int], n: int, *, what: str = "the change points"
    ) -> Partition:
        """A sequence of ``n`` elements, cut into segments where something changes.

        A change point is the position of the first element of a segment, counted from 0. The first segment
        begins at 0 and the last ends at ``n``, whether they are named or not, so that the breakpoints of
        ruptures, which end with ``n``, are taken as they are. Points come in any order, and a repeated one
        counts once. A segment is called by the position where it begins.

        >>> truth, found = (Partition.from_change_points(points, 45) for points in ([10, 20], [12]))
        >>> truth
        Partition(45 elements, 3 clusters)
        """
        codes, starts = segments(points, n, what)
        return cls(codes, LabelsByCode(codes, starts))

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        cluster: str,
        record: str | None = None,
        nulls: Nulls = "error",
        noise: Any = None,
        noise_as: NoiseAs | None = None,
    ) -> SourcePartition:
        """A column of a dataframe, counted where it lies: pandas, Polars, Arrow, DuckDB, Spark, Dask.

        Two columns of one frame need no ``record``; two frames are joined by their ``record`` columns.
        ``nulls`` says what to make of labels that are null: "error", "drop" or "singletons".

        >>> import polars
        >>> frame = polars.DataFrame({"truth": [1, 1, 2], "guess": [1, 2, 2]})
        >>> Partition.from_frame(frame, cluster="truth")
        SourcePartition('truth' of a polars DataFrame)
        """
        return SourcePartition(Frame(frame), record, cluster, nulls, noise, noise_as)

    @classmethod
    def scan(
        cls,
        path: Any,
        *,
        cluster: str,
        record: str | None = None,
        engine: Reader = "auto",
        memory: str | None = None,
        nulls: Nulls = "error",
        noise: Any = None,
        noise_as: NoiseAs | None = None,
        format: Format | None = None,
    ) -> SourcePartition:
        """A column of files, never loaded whole: Parquet, CSV, TSV or JSON lines, compressed or not.

        ``path`` is a path, a pattern such as "run/*.parquet", or a list of them. ``memory`` is how much the
        process may use, such as "1GB"; what does not fit goes to a temporary folder. ``engine`` is "auto"
        (DuckDB opens the files, the compiled core counts), or "duckdb" or "polars" to let these do both.

        >>> Partition.scan("run/*.parquet", record="record_id", cluster="entity", memory="1GB")
        SourcePartition('entity' by 'record_id' of run/*.parquet)
        """
        source = files(path, engine, memory, format)
        return SourcePartition(source, record, cluster, nulls, noise, noise_as)

    @classmethod
    def of_batch(cls, value: Any, what: str, threads: int) -> Partition:
        """Labels whose clusters go on in other batches: by themselves, or said to be labels."""
        check_threads(threads)
        if is_on_device(value):
            raise InputError(f"{what} lies on a GPU, and batches are counted in memory; copy it to the host")
        if not isinstance(value, Partition):
            labels = encode(value, what, threads)
            if labels.composite:
                refuse_possible_clusters(
                    labels, what, "if they are labels, pass Partition.from_labels(...)", is_part=True
                )
            return cls._of_labels(labels, None, None, what)
        if value.is_in_source or value.named or value.noise is not None:
            raise ParameterError(f"{what}: a batch is one label per element, or Partition.from_labels(...)")
        return value

    def owned(self, copy: Codes | None = None) -> Partition:
        """The same, apart from the arrays that it was made of: who changes these changes nothing here.

        ``copy`` is a copy of the codes, where there is one already.
        """
        codes = core.narrowed(self.codes) if copy is None else copy
        return Partition(
            codes,
            owned(self.codes, self.originals, self.first, codes, are_apart=bool(self.alone)),
            elements=self.elements,
            named=self.named,
            dropped=self._dropped,
            dropped_code=self.dropped_code,
            noise=self.noise,
            alone=self.alone,
        )

    def __len__(self) -> int:
        return len(self.codes)

    def __repr__(self) -> str:
        clusters = len(core.factorize(np.asarray(self.codes))[1])
        return f"Partition({counted(len(self), 'element')}, {counted(clusters, 'cluster')})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SourcePartition(Partition):
    """A partition that lies in a dataframe or in files: one row per record, the cluster in a column.

    Made by ``Partition.from_frame`` and ``Partition.scan``; it is read when it is compared.
    """

    is_in_memory: ClassVar[bool] = False
    is_in_source: ClassVar[bool] = True

    source: Frame | Files
    record: str | None
    cluster: str
    nulls: Nulls = "error"
    noise: Any = None
    noise_as: NoiseAs | None = None

    def __post_init__(self) -> None:
        check_choice("nulls", self.nulls, NULLS)
        check_noise(self.noise, self.noise_as)
        for name, column in (("record", self.record), ("cluster", self.cluster)):
            if not isinstance(column, str) and not (name == "record" and column is None):
                raise ParameterError(
                    f"give the name of a column, not {kind_of(column)}", given={name: column}
                )

    def is_same(self, other: SourcePartition) -> bool:
        """Whether both are one column of one source, read in one way."""
        columns = [
            (each.record, each.cluster, each.nulls, each.noise, each.noise_as) for each in (self, other)
        ]
        return columns[0] == columns[1] and self.source.is_same(other.source)

    def __len__(self) -> int:
        raise InputError(f"how many records {self.source} has is not known before it is compared")

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        by = "" if self.record is None else f" by {self.record!r}"
        return f"SourcePartition({self.cluster!r}{by} of {self.source})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DevicePartition(Partition):
    """Labels on a GPU: an array of CuPy, PyTorch or JAX, or a column of cuDF. They are counted there."""

    is_in_memory: ClassVar[bool] = False
    is_on_device: ClassVar[bool] = True

    array: Any
    what: str = "the labels"
    noise: Any = None
    noise_as: NoiseAs | None = None

    def __post_init__(self) -> None:
        check_noise(self.noise, self.noise_as)

    @property
    def index(self) -> Any:
        """The index of a column of cuDF; arrays have none."""
        index = getattr(self.array, "index", None)
        return None if callable(index) else index

    def __getattr__(self, name: str) -> NoReturn:
        """What partitions in memory have, and this one would have only there."""
        if name not in Partition.__slots__:
            raise AttributeError(name)
        raise InputError(f"{self.what}: {self!r} is not in memory, where this is done; copy it to the host")

    def __len__(self) -> int:
        return int(np.prod(self.array.shape, dtype=object))

    def __repr__(self) -> str:
        kind = type(self.array)
        return (
            f"DevicePartition({counted(len(self), 'label')} of a {kind.__module__.partition('.')[0]} "
            f"{kind.__name__} on a GPU)"
        )


def is_disjoint(clusters: Iterable[Iterable[Hashable]]) -> bool:
    """Whether no element stands in two of the clusters.

    >>> is_disjoint([[1, 2, 3], [4]]), is_disjoint([[1, 2, 3], [4, 1]])
    (True, False)
    """
    try:
        Partition.from_clusters(clusters)
    except OverlapError:
        return False
    return True


def _count(codes: Codes, code: int) -> int:
    """By pieces that stay in the cache: a mask of all would take longer than counting the clusters."""
    pieces = (codes[at : at + _PIECE] for at in range(0, len(codes), _PIECE))
    return sum(int(np.count_nonzero(piece == code)) for piece in pieces)


def _refuse_another_type(labels: Labels, noise: Any, what: str) -> None:
    """Noise that was not found, but would have been as text, was written in another type."""
    distinct = labels_at(labels.originals, core.factorize(np.asarray(labels.codes))[1])
    alike = next((x for x in distinct if str(x) == str(noise)), None)
    if alike is not None:
        raise ParameterError(
            f"this is {kind_of(noise)}, but among {what} is {alike!r}, {kind_of(alike)}; "
            "give noise as the labels have it",
            given={"noise": noise},
        )
