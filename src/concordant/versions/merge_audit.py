"""Audits: are the merges of one clustering right?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from concordant.clusterings.coerce import opened_alone
from concordant.clusterings.labels import MemoryLabels
from concordant.comparisons.partitions import PARTITIONS, compare_partitions, with_named_weights
from concordant.errors import NothingLeftError
from concordant.foundation.conventions import Conventions
from concordant.foundation.input_options import InputOptions, input_options
from concordant.foundation.results import Report
from concordant.foundation.spelling import counted
from concordant.versions.diff import Diff
from concordant.versions.judgements import Judgements
from concordant.versions.questions import Questions, ask, shown_to_judges


class Audit(Report):
    """The merges of one clustering, for people to check. `audit` returns it.

    Attributes
    ----------
    n_clusters : int
        Number of clusters with two records or more.
    n_records : int
        Number of their records.
    n_pairs : int
        Number of their pairs: the merged pairs.
    """

    n_clusters: int
    n_records: int
    n_pairs: int

    def __init__(self, merges: Diff) -> None:
        """``merges`` is the change from singletons to the clustering."""
        profile, records = merges._elements, Counter[int]()
        for cluster_size, number in zip(profile.b.tolist(), profile.count.tolist(), strict=True):
            if cluster_size > 1:
                records[cluster_size] += number
        vars(self).update(
            n_clusters=sum(number // each for each, number in records.items()),
            n_records=records.total(),
            n_pairs=sum(number * (each - 1) // 2 for each, number in records.items()),
            size=merges.size,
            names=merges.names[1:],
            omitted=merges.comparison.omitted,
            conventions=merges.conventions,
        )
        self._merges = merges

    def ask(
        self,
        *,
        n_questions: int = 200,
        seed: int = 0,
        gold: Any = None,
        known: Any = None,
        details: Any = None,
        record: str | None = None,
        show: Sequence[str] | None = None,
    ) -> Questions:
        """Draw merged pairs of records for people to judge: the same entity or not?

        Pair precision needs pairs that are drawn uniformly. B-cubed precision needs a random record with one
        of its co-members, so small clusters count more. Most questions serve both.

        Parameters
        ----------
        n_questions : int, default=200
            Number of questions.
        seed : int, default=0
            Seed of the draws.
        gold : path, dataframe or list, optional
            Pairs with known answers to mix in, which measure the errors of judges. The columns are record_a,
            record_b and same.
        known : path, dataframe or list, optional
            Answers to earlier questions, which are not asked again.
        details : dataframe or path, optional
            A source with one row for each record, to show to judges.
        record : str, optional
            The column of `details` that has the record ids.
        show : sequence of str, optional
            The columns of `details` to show.

        Returns
        -------
        Questions
            The questions.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.audit({"x": 0, "y": 0, "z": 1, "w": 0}).ask(n_questions=10).headline
        '3 questions: the same entity or not?'
        """
        runs = self._merges.comparison._counted
        shown = shown_to_judges(runs, details, record, show)
        how: dict[str, Any] = {"seed": seed, "gold": gold, "known": known, "shown": shown}
        return ask(runs, self._merges._fingerprint, n_questions, goal="merges", **how)

    def judged(self, answers: Any, *, questions: Any = None, confidence: float = 0.95) -> Judgements:
        """Estimate pair precision and B-cubed precision from the answers of judges.

        Parameters
        ----------
        answers : path, dataframe or list
            The file of `Questions.save` with the column same filled in; or a dataframe or list of mappings
            with question and same.
        questions : Questions or path, optional
            The questions, if their design file is not beside the answers.
        confidence : float, default=0.95
            Confidence level.

        Returns
        -------
        Judgements
            `precision` and `bcubed_precision` with their intervals.

        Raises
        ------
        InputError
            If the answers belong to another clustering, or a question is unknown.

        Examples
        --------
        >>> import concordant as cc
        >>> merges = cc.audit({"x": 0, "y": 0, "z": 1, "w": 0})
        >>> asked = merges.ask(n_questions=10)
        >>> right = {("x", "y"): "yes"}
        >>> answers = [
        ...     {"question": q.question, "same": right.get(tuple(sorted((q.record_a, q.record_b))), "no")}
        ...     for q in asked
        ... ]
        >>> merges.judged(answers, questions=asked).headline
        '33.3% of the merged pairs are right (95% interval 33.3% to 33.3%), from 3 judgements'
        """
        return self._merges._judgements(answers, questions, confidence, is_audit=True)

    def to_dict(self) -> dict[str, Any]:
        """Return the number of merged records, and of their clusters and pairs.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.audit([0, 0, 0, 1, 2, 2]).to_dict()
        {'n_clusters': 2, 'n_records': 5, 'n_pairs': 4}
        """
        return {name: getattr(self, name) for name in ("n_clusters", "n_records", "n_pairs")}

    @property
    def headline(self) -> str:
        """How much the clustering merges.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.audit([0, 0, 0, 1, 2, 2]).headline
        '2 clusters merge 5 of 6 records: 4 pairs to judge'
        """
        if not self.n_pairs:
            return "No cluster has two records, so no record is merged"
        return (
            f"{counted(self.n_clusters, 'cluster', 'merge')} {self.n_records:,} of "
            f"{counted(self.size, 'record')}: {counted(self.n_pairs, 'pair')} to judge"
        )

    def __repr__(self) -> str:
        return f"<Audit: {self.headline}>"


@input_options(
    refused={
        "unmatched": "one clustering has no unmatched records",
        "undefined": "the rates of an audit are never 0/0",
    },
    meanings={
        "columns": "The column that contains the clusters, if the input is a table: a dataframe, a relation, "
        "or AnnData.",
        "record": "The column of record ids of a table.",
        "names": "The display name of the clustering, for text and pages.",
    },
)
def audit(candidate: Any, **options: Unpack[InputOptions]) -> Audit:
    """Check the merges of a clustering by questions about pairs of records, without a reference.

    `Audit.ask` draws pairs inside clusters, people judge them, and `Audit.judged` estimates from the answers
    how many of all merged pairs are right.

    Parameters
    ----------
    candidate : any input of compare
        The clustering.
    **options
        The input options.

    Returns
    -------
    Audit
        The merges.

    Raises
    ------
    CoverError
        If the clusters overlap.

    Examples
    --------
    >>> audit({"x": 0, "y": 0, "z": 1, "w": 0})
    <Audit: 1 cluster merges 3 of 4 records: 3 pairs to judge>
    """
    conventions = Conventions.of(options)
    names = ("singletons", *conventions.checked_names(("candidate",)))
    conventions = replace(conventions, names=None)
    whole, conventions = opened_alone(candidate, "candidate", conventions)
    conventions = with_named_weights(conventions, [whole])
    whole = whole.in_memory("the candidate", "an audit")
    places = np.arange(len(whole))
    singletons = MemoryLabels(
        places,
        places,
        elements=whole.elements,
        named=whole.named,
        dropped_mask=whole.dropped,
        nulls=whole.nulls,
        order=whole.order,
    )
    try:
        comparison = compare_partitions(PARTITIONS, singletons, whole, conventions)
    except NothingLeftError:  # which speaks of two sides
        given = [f"{name}=" for name in ("where", "nulls", "noise_as") if options.get(name) is not None]
        reasons = " and ".join(given) or "null labels and noise"
        raise NothingLeftError(
            f"nothing is left to audit: {counted(len(whole), 'record', 'are')} left out ({reasons})"
        ) from None
    return Audit(Diff(comparison, (names[0], names[1])))
