"""Accumulator: batches, files or machines each count a part, and the whole is compared as one."""

from __future__ import annotations

from concordant.comparisons import Comparison
from concordant.counts.conventions import Undefined
from concordant.engines.accumulator import CellAccumulator


class Accumulator(CellAccumulator):
    """Counts of elements by pair of clusters, for labels that arrive in batches or on several machines.

    Parameters
    ----------
    what : str, default=""
        A name for the data, to distinguish volumes of the same shape.

    Examples
    --------
    >>> cells = Accumulator()
    >>> cells.add(["a", "a", "b"], [1, 1, 2]).add(["b", "a"], [2, 3])
    <Accumulator of 5 elements: 2 against 3 clusters, 3 overlaps>
    >>> list(cells)
    [('a', 1, 2), ('a', 3, 1), ('b', 2, 2)]
    >>> cells.compare().rand
    0.8
    """

    def compare(self, *, undefined: Undefined = "convention") -> Comparison:
        """Compare all counted elements, as if they were one batch.

        Parameters
        ----------
        undefined : {"convention", "nan", "raise", "conll"}, default="convention"
            Value of an index whose formula is 0/0, as in `compare`.

        Returns
        -------
        Comparison
            The comparison.

        Examples
        --------
        >>> Accumulator().add([0, 0, 1], [0, 1, 1]).compare().exact("rand")
        Fraction(1, 3)
        """
        return Comparison(self.counted(), undefined=undefined)
