"""Matrices: several indices for many clusterings, all against all."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from concordant.catalogue.index import INDICES
from concordant.errors import UnknownIndexError, few
from concordant.many.matrix import Matrix, grid_of
from concordant.report.pages.matrix import matrices_page
from concordant.results import Result, TextRows, as_json


class Matrices(Result, Mapping[str, Matrix]):
    """The matrices of several indices for the same clusterings. `matrix` returns it.

    It is a mapping from index to `Matrix`.

    Examples
    --------
    >>> runs = {"a": [0, 0, 1, 1], "b": [0, 0, 1, 2], "c": [0, 1, 0, 1]}
    >>> import concordant as cc
    >>> m = cc.matrix(runs, ["rand", "precision"])
    >>> m["rand"]["a", "b"], m["precision"].medoid()
    (0.8333333333333334, 'a')
    >>> m.to_frame("polars").row(2)
    ('b', 'a', 0.8333333333333334, 0.5)
    """

    __slots__ = ("_matrices",)

    def __init__(self, matrices: Sequence[Matrix]) -> None:
        self._matrices = tuple(matrices)

    def __getitem__(self, spelling: str) -> Matrix:
        declared = INDICES[spelling]
        for each in self._matrices:
            if (each.index.name, each.index.arguments) == (declared.name, declared.arguments):
                return each
        raise UnknownIndexError(f"{declared.name} was not requested; there are {few(self)}")

    def __iter__(self) -> Iterator[str]:
        return (each.index.name for each in self._matrices)

    def __len__(self) -> int:
        return len(self._matrices)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the clusterings."""
        return self._matrices[0].names

    def medoid(self) -> dict[str, str | None]:
        """Find the clustering most similar to all others, by each index.

        Returns
        -------
        dict from str to str
            The name by index. None if neither high nor low values mean similarity.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.matrix([[0, 0, 1, 1], [0, 0, 1, 2], [0, 1, 2, 3]], ["rand", "joint_entropy"]).medoid()
        {'rand': '1', 'joint_entropy': None}
        """
        return {each.index.name: each.medoid() if each._directed else None for each in self._matrices}  # noqa: SLF001  (same package)

    def to_dict(self) -> dict[str, Any]:
        """Return the values by index, then reference, then candidate.

        Returns
        -------
        dict
            The values.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.matrix([[0, 0, 1], [0, 1, 1]], ["rand", "jaccard"]).to_dict()["jaccard"]["0"]["1"]
        0.0
        """
        return {each.index.name: each.to_dict() for each in self._matrices}

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        """One row for each two different partitions, with a column for each index."""
        places = [(i, j) for i in range(len(self.names)) for j in range(len(self.names)) if i != j]
        return [
            {"reference": self.names[i], "candidate": self.names[j]}
            | {each.index.name: float(each.values[i, j]) for each in self._matrices}
            for i, j in places[:limit]
        ]

    def to_json(self, *, indent: int | None = 2) -> str:
        """Return all matrices as a JSON list.

        Parameters
        ----------
        indent : int or None, default=2
            Indentation. None writes one line.

        Returns
        -------
        str
            The JSON document. Values that are not finite are null.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.matrix([[0, 0, 1], [0, 1, 1]], ["rand", "mirkin"]).to_json(indent=None)[:40]
        '[{"index": "rand", "names": ["0", "1"], '
        """
        return as_json([each._document() for each in self._matrices], indent)  # noqa: SLF001  (same package)

    def to_html(self, path: str | os.PathLike[str]) -> Path:
        """Write one page with the charts of all indices.

        Parameters
        ----------
        path : str or path-like
            The file to write.

        Returns
        -------
        Path
            The path of the file.

        Examples
        --------
        >>> import concordant as cc
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     cc.matrix([[0, 0, 1], [0, 1, 1]], ["rand", "jaccard"]).to_html(folder + "/m.html").name
        'm.html'
        """
        return matrices_page([grid_of(each) for each in self._matrices]).write(path)

    def _tables(self, limit: int | None = None) -> Sequence[TextRows]:  # noqa: ARG002  (none of its own)
        return ()

    def _parts(self) -> Sequence[Matrix]:
        return self._matrices

    def __repr__(self) -> str:
        return f"<Matrices of {len(self.names)} partitions by {', '.join(self)}>"
