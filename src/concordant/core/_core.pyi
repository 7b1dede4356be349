"""What the compiled core offers to Python.

Labels are one-dimensional arrays of any integer type or bool, of any stride; every call
releases the GIL while it counts. ``threads=0`` means as many as the environment variable
CONCORDANT_THREADS says, or else as many as the process may use.
"""

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Int64Array: TypeAlias = NDArray[np.int64]
Positions: TypeAlias = NDArray[np.signedinteger[Any]]
LabelArray: TypeAlias = NDArray[np.integer[Any] | np.bool_]
ArrowKind: TypeAlias = Literal["integer", "float", "bool", "nested", "unknown"]

def profile(
    u: LabelArray,
    v: LabelArray,
    threads: int = 0,
    u_dropped: int | None = None,
    v_dropped: int | None = None,
    marks: DifferingMarks | None = None,
) -> Int64Array:
    """Distinct triples (n, a, b) of the non-empty cells with their multiplicity, sorted by (a, b, n).

    Returns an array of four rows, ``(n, a, b, count)``: overlap, size of the cluster of u, size of the
    cluster of v, number of cells with that triple. Identical for any number of threads. Elements whose label
    is ``u_dropped`` in u or ``v_dropped`` in v do not count. ``marks`` get the clusters of v that differ.
    """

def kept_profile(
    u: LabelArray,
    v: LabelArray,
    threads: int = 0,
    u_dropped: int | None = None,
    v_dropped: int | None = None,
    marks: DifferingMarks | None = None,
) -> tuple[Int64Array, LabelArray, LabelArray, tuple[int, int, int]]:
    """The profile, copies of both labels as ``narrowed`` makes them, and the sums of n², a² and b².

    The copies include dropped labels, the sums do not.
    """

def threads_variable() -> str | None:
    """The environment variable CONCORDANT_THREADS, None if it is not set: Python takes five times as long."""

def pair_sums(
    u: LabelArray,
    v: LabelArray,
    threads: int = 0,
    u_dropped: int | None = None,
    v_dropped: int | None = None,
) -> tuple[int, int, int, int]:
    """How many elements count, and the sums of n² over the cells, of a² over the clusters of u, and of b²
    over those of v.

    All that pair counts need, sooner than the triples.
    """

def triples(n: Int64Array, a: Int64Array, b: Int64Array, threads: int = 0) -> Int64Array:
    """The distinct triples of sizes, none of them negative: rows of n, a, b and how many are equal, sorted by
    (a, b, n)."""

def cell_triples(row: Int64Array, column: Int64Array, n: Int64Array, threads: int = 0) -> Int64Array:
    """The triples of these cells, as ``profile`` returns them. Rows ascend. Cells of a row with the same
    column are one, and cells with n = 0 are none."""

def cells(
    u: LabelArray, v: LabelArray, threads: int = 0
) -> tuple[Int64Array, Int64Array, Int64Array, Int64Array, Int64Array]:
    """The non-empty cells of the contingency table, sorted by (row, column).

    Returns ``(row, column, n, row_first, column_first)``. Rows and columns are numbered from 0 in
    the order in which the clusters first appear; ``row_first[i]`` is the position of the first
    element of row i, and so for the columns.
    """

def cell_kinds(
    row: Int64Array, column: Int64Array, n: Int64Array
) -> tuple[Int64Array, Int64Array, Int64Array, Int64Array]:
    """The kind of each cell, and the sizes n, a and b of each kind: cells of equal sizes are of one kind."""

def kind_sums(
    kind: Int64Array, cell: Int64Array, slice: Int64Array, records: Int64Array
) -> tuple[Int64Array, Int64Array, Int64Array]:
    """Slices in ascending order, the kinds of their cells, and the records of each kind in the slice. Each
    cell has a kind, and each piece a cell, a slice and records; numbers are below 2**32."""

def pieces(
    u: LabelArray, v: LabelArray, values: Int64Array, threads: int = 0
) -> tuple[Int64Array, Int64Array, Int64Array, Int64Array, Int64Array, Int64Array, Int64Array, Int64Array]:
    """The cells, as ``cells`` returns them, and the pieces into which the values 0, 1, ... cut them:
    of each piece its cell, its value and how many elements it has, sorted by (cell, value)."""

def overlap_sums(
    u: LabelArray, v: LabelArray, clusters: int, threads: int = 0
) -> tuple[Int64Array, Int64Array, Int64Array, NDArray[np.float64]]:
    """The size a of each cluster 0, 1, ... of u, and sums over its overlaps with clusters of v, of size b.

    These are the sums of n(n−1) and of n(b−n), and the largest n/(a+b−n), NaN for a cluster without elements.
    """

def narrowed(labels: LabelArray, threads: int = 0) -> LabelArray:
    """A copy of the labels in the narrowest integers that hold them all; bools stay bools."""

def factorize(labels: LabelArray) -> tuple[Int64Array, Int64Array]:
    """Codes 0..k-1 in order of first appearance, and the position where each first appears."""

def gather(labels: LabelArray, positions: LabelArray, threads: int = 0) -> LabelArray:
    """The labels at these positions, as narrow as all labels allow; ValueError where one lies outside."""

def among(labels: LabelArray, wanted: LabelArray, threads: int = 0) -> Int64Array:
    """The positions of the labels that are wanted, ascending. Both arrays are of signed types, or neither."""

def match_records(
    u: LabelArray, v: LabelArray, threads: int = 0
) -> tuple[Positions, Positions, Int64Array, Int64Array, tuple[int, int] | None, tuple[int, int] | None]:
    """A join of two lists of ids: where the common ones stand in u and in v, in the order of v.

    These are int32 where all positions fit. Then where those stand that only u has, those that only v has,
    and two positions of an id that stands twice in u, and two of one in v; None where none does. Ids of equal
    value match if both arrays are of signed types, or both of unsigned ones.
    """

def factorize_items(items: NDArray[Any], threads: int = 0) -> tuple[Int64Array, Int64Array]:
    """Like ``factorize`` by the bytes of the elements: a one-dimensional array of any type and stride."""

def factorize_objects(objects: list[Any]) -> tuple[Int64Array, Int64Array, Int64Array]:
    """Codes of Python objects by equality and hash, and the position where each first appears.

    Also the positions of those distinct objects that may stand for a missing value: NaN, whatever is no
    str, bytes, int, bool, float or tuple, and tuples that hold such; and of the first tuple of all.
    Raises what hashing and comparing raise.
    """

def integers(objects: list[Any]) -> Int64Array | None:
    """The objects themselves where all are ints that fit into 64 bits, else None."""

def floats(objects: list[Any]) -> NDArray[np.float64] | None:
    """The objects themselves where all are floats, else None."""

def encode_arrow(values: Any, threads: int = 0) -> tuple[ArrowKind, list[NDArray[Any]], int]:
    """Labels of what exports an Arrow array or stream, as ``(kind, pieces, null)``.

    Integers, floats and dates are views of the exporter's memory, a piece for each chunk; bools are
    unpacked; strings and other items of bytes become codes; a dictionary's indices stand for its
    values, unless a value stands twice in it or chunks have different ones. ``null`` is the position
    of the first null, or -1.
    """

def expected_mutual_information(
    row_sizes: Int64Array,
    row_counts: Int64Array,
    column_sizes: Int64Array,
    column_counts: Int64Array,
    threads: int = 0,
) -> float:
    """Mean mutual information, in nats, of two partitions with these distinct sizes (ascending) and the
    number of clusters of each size, over all relabellings of the elements (hypergeometric model)."""

def pair_excesses(
    row_sizes: Int64Array, column_sizes: Int64Array, total: int, threads: int = 0
) -> NDArray[np.float64]:
    """E[x log x − x + 1] of x, the overlap of clusters over its mean, for each pair of sizes, row by row."""

def assignment(row: Int64Array, column: Int64Array, weight: Int64Array, max_cells: int = 0) -> Int64Array:
    """Positions of the cells of a one-to-one matching of rows to columns with the largest total weight.

    Solved per connected component. Cells without positive weight are never matched; weights go
    up to 2**61. Time and memory go with the cells, not with rows x columns.
    Raises ``ComponentTooLarge`` (a ``MemoryError`` with the size in its text) when a component of
    several rows and columns has more than ``max_cells`` cells (0: 2**28).
    """

def blocks(row: Int64Array, column: Int64Array) -> tuple[Int64Array, Int64Array]:
    """The block of the join that each row and each column lies in, for cells that name rows and columns
    from 0 without gaps. Blocks are numbered from 0 in the order of their first rows."""

def shared_clusters(
    u_start: Int64Array,
    u_cluster: Int64Array,
    v_start: Int64Array,
    v_cluster: Int64Array,
    elements: Int64Array,
    by_subsets: bool,
    threads: int = 0,
) -> tuple[Int64Array, Int64Array, Int64Array, Int64Array]:
    """(type, p, q, count): how many other elements share p clusters of u and q of v with each element of a
    type, where p or q is not 0. Type x lies in the clusters from start[x] to start[x + 1] and has so many
    elements. Both ways give the same; by subsets takes Σ 2^(s+t) steps and bytes by the dozen, else Σ types²
    over the clusters."""

def grouped(group: Int64Array, threads: int = 0) -> tuple[Int64Array, Int64Array]:
    """Positions sorted by group, as they came within a group; and where each group 0..k-1 starts among
    them, followed by the number of positions."""

def group_sums(group: Int64Array, values: Int64Array, groups: int = 0, threads: int = 0) -> Int64Array:
    """The sum of the values in each group 0..k-1; there are at least so many ``groups``."""

def ratio_sum(
    numerator: Int64Array, denominator: Int64Array, factor: Int64Array | None = None, threads: int = 0
) -> int:
    """Σ factor · numerator / denominator, times 2**128, each term cut off. Denominators are positive."""

def largest_first(group: Int64Array, key: Int64Array, threads: int = 0) -> tuple[Int64Array, Int64Array]:
    """Positions sorted by group, within a group the largest keys first and equal ones as they came;
    and where each group 0..k-1 starts among them, followed by the number of positions."""

def largest_in(group: Int64Array, key: Int64Array, threads: int = 0) -> Int64Array:
    """For each group 0..k-1 the position of its largest key, the first of equal ones; -1 for a group without
    any."""

def differing(
    row: Int64Array, column: Int64Array, threads: int = 0
) -> tuple[Int64Array, Int64Array, Int64Array, Int64Array, Int64Array]:
    """The cells that are not the only one of both their clusters, as ``(cells, rows, row, columns, column)``.

    ``rows`` and ``columns`` are the clusters of these cells, ascending; ``row`` and ``column`` give for each
    of these cells the place of its own clusters among them.
    """

def verdicts(
    own: Int64Array,
    n: Int64Array,
    other_size: Int64Array,
    near: tuple[int, int],
    majority: tuple[int, int],
    threads: int = 0,
) -> NDArray[np.int32]:
    """The verdict on each cluster 0..k-1 of a side, as its place among the verdicts on reference clusters.

    ``own`` is the cluster of each overlap, ``n`` its elements, and ``other_size`` the size of its cluster on
    the other side, negative if that is an element in no cluster. Thresholds are numerators and denominators.
    """

def best_fractions(
    group: Int64Array, numerator: Int64Array, denominator: Int64Array, threads: int = 0
) -> Int64Array:
    """For each group 0..k-1 the position of its largest fraction, the first of equal ones; -1 for a group
    without any. Denominators are positive. Compared exactly."""

class ComponentTooLarge(MemoryError): ...

Fault: TypeAlias = tuple[str, int, int]  # what is wrong, on which line, and what else there is to say

class Collision(RuntimeError):
    """Two texts have one hash: the join has to begin again, with another salt."""

class RecordJoin:
    """Two sources joined by record, and their overlaps counted, by partitions that go to a folder when the
    memory is full.

    ``treatments`` says for each side what becomes of labels, null labels, noise and absent records: "count",
    "alone" or "drop". Keys are integers of 64 bits: numbers, dates and times themselves (signed ones shifted
    by 2**63), and salted hashes of text.
    """

    def __init__(
        self,
        bits: int,
        threads: int,
        memory: int,
        folder: str,
        treatments: list[str],
        salt: int,
        hash_bits: int = 64,
    ) -> None: ...
    def set_noise_key(self, side: int, key: int) -> None: ...
    def set_noise_text(self, side: int, text: bytes) -> None: ...
    def add(self, source: Any, columns: list[tuple[int, int, int]]) -> None:
        """All batches of an Arrow stream; ``columns`` are (side, place of the id, place of the label)."""

    def add_pairs(self, source: Any) -> None:
        """The same for rows of two labels, whose records have no names."""

    def match(self, few: int) -> dict[str, Any]:
        """How many elements have which labels, the rows of each side, a few repeated and unmatched ids."""

    def count(self, few: int, keeps: bool = False) -> dict[str, Any]:
        """The sizes of overlaps, what is known of clusters in pieces, and the cells that differ if few."""

    def id_texts(self, wanted: list[int]) -> tuple[Int64Array, Int64Array, bytes]:
        """Prove that hashes tell ids apart; hashes, ends and bytes of those wanted. Raises Collision."""

    def label_texts(self, side: int, wanted: Int64Array) -> tuple[Int64Array, Int64Array, bytes]:
        """The same for the labels of a side."""

    @property
    def spilled(self) -> int:
        """How many bytes went to the folder."""

class SampledLabels:
    """The labels of a few wanted records of a source, and how often every label comes, in one pass.

    Records are wanted by their keys or by their texts, labels are integers or texts. Integers from the key
    ``low`` on, ``range`` of them, are counted; without a range labels are kept to be sorted, of about so many
    ``rows``. A text that is no number to the core ends the pass.
    """

    def __init__(self, keys: list[int], texts: list[bytes], low: int, range: int, rows: int) -> None: ...
    def add(self, source: Any) -> None:
        """All batches of an Arrow stream of two columns, record and label."""

    @property
    def are_exact(self) -> bool:
        """Whether no text ended the pass."""

    def text(self, key: int) -> bytes:
        """The label of a key, where labels are texts."""

    def key(self, text: bytes) -> int | None:
        """The key of a label, where labels are texts; None where no label that was met can be this one."""

    @property
    def found(self) -> list[tuple[int, int | None]]:
        """The place of each wanted record that was met, and the key of its label, None where it is null."""

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many rows there are, how many of them name a record, and how many of these have no label."""

    @property
    def sizes(self) -> dict[int, int]:
        """How many labels were counted so often, by the number of times."""

    def times(self, key: int) -> int:
        """How often a label was counted."""

    def count_kept(self) -> bool:
        """Count labels that were kept, if their range turns out to be narrow; else they are to be sorted."""

    def take_kept(self) -> Int64Array:
        """The bits of the keys that were kept, which are gone then."""

class DifferingMarks:
    """The clusters of v that u does not have, marked where their profile was counted."""

    def __init__(self) -> None: ...
    def elements(self, labels: LabelArray, threads: int = 0) -> Int64Array | None:
        """The elements of these clusters, ascending, by the labels v.

        If the labels are from a very large range, some clusters that both sides have may be among them, each
        with all its elements. None if the labels were counted in runs or by a table of all combinations.
        """

class DelimitedText:
    """Checks delimited text that is fed in pieces; nothing more is read after the first fault."""

    def __init__(self, separator: str, ragged: bool = False) -> None: ...
    def feed(self, bytes: bytes) -> None: ...
    def finish(self) -> None: ...
    @property
    def fault(self) -> Fault | None: ...
    @property
    def header(self) -> bytes: ...
    @property
    def width(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def leading_blanks(self) -> int: ...
    @property
    def blanks(self) -> int: ...
    @property
    def empty_rows(self) -> int: ...
    @property
    def line_feeds(self) -> int: ...
    @property
    def returns(self) -> int: ...
    @property
    def longest_row(self) -> int: ...

class JsonLines:
    """Checks JSON lines that are fed in pieces; with ``keep``, ``take`` gives what the wanted keys hold."""

    def __init__(self, wanted: list[str], keep: bool = False) -> None: ...
    def feed(self, bytes: bytes) -> None: ...
    def finish(self) -> None: ...
    def take(self) -> list[list[str | None]]: ...
    @property
    def fault(self) -> Fault | None: ...
    @property
    def rows(self) -> int: ...
    @property
    def found(self) -> list[int]: ...

def consensus(
    cluster: Int64Array,
    weight: Int64Array,
    share: list[float],
    loss: str,
    price: float,
    runs: int,
    first: int,
    seed: int,
    threads: int = 0,
    progress: Callable[[int, int], object] | None = None,
) -> tuple[Int64Array, Int64Array]:
    """The cluster of each item in the partition nearest to all draws, and 1 where it is proven to be best.

    ``cluster`` has the cluster of each item in each draw, item by item, numbered from 0 in each draw;
    ``weight`` the elements of each item; ``share`` how much each draw counts. A cluster goes by its first
    item. ``progress`` is called about 20 times a second with the work done and all work.
    """

def draw_overlaps(
    cluster: Int64Array, weight: Int64Array, share: list[float], loss: str, threads: int = 0
) -> list[float]:
    """The sums of f over the overlaps of each two draws, f as the loss has it, draw by draw."""

def pair_bound(
    cluster: Int64Array, weight: Int64Array, share: list[float], price: float, threads: int = 0
) -> float:
    """What Binder's loss cannot fall below, times shares and n²; negative where that would take too long."""

def nearest_marked(parent: Int64Array, marked: NDArray[np.bool_]) -> Int64Array:
    """For each node of a tree the nearest of itself and its ancestors that is marked, or -1.

    Trees are arrays of parents: children come before their parents, and a root has the parent -1.
    """

def subtree_sums(parent: Int64Array, values: Int64Array) -> Int64Array:
    """For each node of a tree the sum of the values of itself and of all nodes below it."""

class PairForest:
    """Single linkage of scored pairs, which are added in any number of batches.

    Only pairs that join something at their score are kept of about ``most_pending``, so memory goes with the
    records. Scores are never NaN. Pairs of a record with itself join nothing.
    """

    def __init__(self, most_pending: int = ...) -> None: ...
    def add(
        self, left: Int64Array, right: Int64Array, score: NDArray[np.float64], threads: int = 0
    ) -> None: ...
    def finish(
        self, records: int, threads: int = 0
    ) -> tuple[Int64Array, NDArray[np.float64], Int64Array, Int64Array]:
        """The parent of each record and node, score and level of each node, from the highest score on, and
        the number of clusters at each level, from level 0 on."""

def pair_levels(
    parent: Int64Array, level: Int64Array, levels: int, label: Int64Array, labels: int, threads: int = 0
) -> dict[str, Int64Array]:
    """A tree against labels of its leaves, 0..labels-1: sums at each level 0..levels, where the nodes made by
    then are clusters.

    Trees are arrays of parents: leaves first, children before their parents, -1 for a root; the nodes after
    the leaves have a level from 1, which never falls. With n for an overlap, a for the size of a label and b
    for that of a cluster: ``clusters``, ``nn``, ``bb`` and ``largest`` (max b). ``node_pairs`` has for each
    node after the leaves the pairs of one label that it brings together.
    """

def overlap_levels(
    parent: Int64Array, level: Int64Array, levels: int, label: Int64Array, labels: int, threads: int = 0
) -> dict[str, Int64Array]:
    """More sums of ``pair_levels``: ``cells``, ``kept`` (n = a = b), ``cluster_best`` and ``label_best`` (Σ
    of the largest overlap of each cluster, and of each label)."""

def share_levels(
    parent: Int64Array, level: Int64Array, levels: int, label: Int64Array, labels: int, threads: int = 0
) -> tuple[Int64Array, Int64Array, Int64Array, Int64Array]:
    """Σ n²/a and Σ n²/b at each level, with the letters and arguments of ``pair_levels``: for each sum a
    number in units of 2**-32 and one in units of 2**-95, to be added."""

def log_levels(
    parent: Int64Array, level: Int64Array, levels: int, label: Int64Array, labels: int, threads: int = 0
) -> tuple[Int64Array, Int64Array, Int64Array, Int64Array]:
    """Σ n·log n and Σ b·log b at each level, divided by 64, in the form of ``share_levels``. Each term is
    rounded to a double, and nothing is lost in adding up."""

def cluster_sums(parent: Int64Array, level: Int64Array, levels: int, values: Int64Array) -> Int64Array:
    """The sum of the values of the nodes that are clusters at each level."""

def grown_overlaps(
    parent: Int64Array, level: Int64Array, levels: int, label: Int64Array, labels: int, threads: int = 0
) -> tuple[Int64Array, Int64Array, Int64Array, Int64Array, Int64Array]:
    """The overlaps of nodes with labels that exceed those of the nodes' children: (node, label, overlap,
    pairs, size). ``pairs`` of the label are brought together by the node, which has ``size`` leaves."""

def diagonal_sums(
    u_parent: Int64Array, u_level: Int64Array, v_parent: Int64Array, v_level: Int64Array, levels: int
) -> tuple[Int64Array, Int64Array, Int64Array, Int64Array]:
    """Two trees over the same leaves, cut at the same levels 0..levels: Σ n², the number of overlaps, and Σ
    of the largest overlap of each cluster of u and of v, at each level."""

class Prunings:
    """The prunings of a tree, for one price after another. ``squares`` has Σ n² of each node."""

    def __init__(self, parent: Int64Array, leaves: int, squares: Int64Array) -> None: ...
    def best(self, above: int, below: int) -> tuple[int, int]:
        """N₁₁ and v of the pruning with the largest below·N₁₁ − above·v; of equal ones the one with the
        fewest clusters."""

    def nodes(self, above: int, below: int) -> Int64Array:
        """The node that is the cluster of each leaf in that pruning."""

class LevelProfiles:
    """The profile of labels against the cuts of a tree, level by level; arguments as in ``pair_levels``."""

    def __init__(
        self, parent: Int64Array, level: Int64Array, levels: int, label: Int64Array, labels: int
    ) -> None: ...
    def at(self, level: int) -> Int64Array:
        """Rows n, a, b and count, as ``profile`` returns them. Levels are asked for in ascending order."""

class PairReader:
    """Single linkage of scored pairs in Arrow streams: left, right, and a score in floats of 64 bits.

    Memory goes with the records. Rows without a record or a score, NaN included, are counted and left out.
    """

    def __init__(self, most_pending: int = ..., threads: int = 0) -> None: ...
    def read(self, source: Any) -> None: ...
    def records(self) -> Int64Array | tuple[Int64Array, bytes]:
        """The bits of the keys of all records, or the ends and bytes of their texts, in the order met."""

    def finish(self) -> tuple[Int64Array, NDArray[np.float64], Int64Array, Int64Array]:
        """As that of ``PairForest``."""

    @property
    def without_record(self) -> int: ...
    @property
    def without_score(self) -> int: ...

def level_weights(
    u_parent: Int64Array,
    u_level: Int64Array,
    u_levels: int,
    v_parent: Int64Array,
    high: Int64Array,
    low: Int64Array,
    leaves: int,
) -> tuple[Int64Array, Int64Array]:
    """For each level of u, over the pairs that join there: the sum of the weights of their lowest nodes in v.

    Weights of inner nodes and sums are integers of 128 bits, not negative, given by two words. The trees of
    this and the next functions have one root, which is the last node; its parent is not read.
    """

def triplets(u_parent: Int64Array, v_parent: Int64Array, leaves: int) -> tuple[int, int, int, int, int]:
    """Triples resolved in both trees, alike and differently, in u only, in v only, and in neither."""

def shared_nodes(u_parent: Int64Array, v_parent: Int64Array, leaves: int) -> Int64Array:
    """For each inner node of v the node of u with the same leaves, or -1."""

def concordance(
    u_parent: Int64Array,
    u_level: Int64Array,
    v_parent: Int64Array,
    v_level: Int64Array,
    levels: int,
    leaves: int,
) -> tuple[int, int]:
    """Pairs of pairs of leaves that both trees join in the same order of levels, and in opposite order."""

def nested_information(u_parent: Int64Array, v_parent: Int64Array, leaves: int) -> float:
    """n times the hierarchical mutual information in nats."""

def leaf_order(parent: Int64Array, leaves: int, rank: Int64Array | None = None) -> Int64Array:
    """The leaves of a tree from left to right; the children of a node by rank, then by number."""

def inversions(values: Int64Array) -> int:
    """Pairs of values of which the first is the larger one."""

SoftRows: TypeAlias = tuple[Int64Array | None, Int64Array | None, Int64Array, int]

def soft_gram(
    u: SoftRows, v: SoftRows, threads: int = 0
) -> tuple[Int64Array, Int64Array, Int64Array, Int64Array, Int64Array, int, int, int, int, int]:
    """Gram matrices of two sides of at most 2**20 rows: U'U, U'V, V'V, column sums of both, and with
    a = |u|² and b = |v|² of each row Σa, Σb, Σa², Σab and Σb².

    Rows are (start of each row, columns, units, number of columns), start and columns None if each row has
    all columns; units are at most 2**53. Matrices have three rows: cell (row by row; of U'U and V'V the upper
    triangle), and the low and the high word of its sum. Exact, so the same for any number of threads.
    """

def soft_overlaps(u: SoftRows, v: SoftRows, threads: int = 0) -> Int64Array:
    """For each two columns the sum over the rows of the smaller of both units, like ``soft_gram``."""

class WeightedTable:
    """The cells of two labellings whose elements have weights, and sums over them.

    Every weight is a whole number of parts, and the weights have no common divisor. A part is ``common``
    times 10**``exponent``.
    """

    @property
    def exponent(self) -> int: ...
    @property
    def common(self) -> int: ...
    @property
    def total(self) -> int:
        """The sum of all weights, in parts."""

    @property
    def squares(self) -> int:
        """The sum of the squares of all weights, in parts."""

    def own(self) -> tuple[Int64Array, Int64Array | None]:
        """The parts of each element: the low 64 bits, and the high ones unless all are below 2**63."""

    def cell_weights(
        self, u: LabelArray, v: LabelArray, row: Int64Array, column: Int64Array
    ) -> tuple[Int64Array, Int64Array | None]:
        """The parts of some cells. ``u`` and ``v`` hold a label of each cluster, in the order of their first
        elements; rows and columns are positions in these."""

    def square_sums(self) -> tuple[int, int, int, int]:
        """The sums of the squares of the cells, the rows and the columns, and that of the total, in parts."""

    def log_sums(self) -> tuple[int, int, int, int]:
        """The same sums of x·log(x), times 2**120."""

    def shares(self, of_rows: bool, most: int) -> list[tuple[int, int]]:
        """The sum over the cells of n²/a, a the weight of the row, or else of the column.

        Numerators and denominators of fractions to be added, one for each different a. If there are more than
        ``most`` of these, a single fraction, cut off after 128 bits.
        """

def weighted_table(
    u: LabelArray, v: LabelArray, weights: NDArray[Any], threads: int = 0
) -> WeightedTable | None:
    """Two labellings with a weight for each element: integers below 2**63, or floats of 32 or 64 bits.

    A float is its shortest decimal. None if a weight is not positive, or if the sum of all, in units of the
    smallest digit, is 2**127 or more.
    """
