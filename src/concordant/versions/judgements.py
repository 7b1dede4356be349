"""Judgements: rates of a change estimated from answers, and the number of questions for an interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from concordant.differences.lazy_list import LazyList, field_names
from concordant.errors import ConcordantError, InputError, UnknownIndexError, few
from concordant.foundation.results import (
    DotPlot,
    Field,
    Listing,
    ReadOnlyDict,
    interval_fields,
    read_only_class,
)
from concordant.foundation.spelling import counted, percent
from concordant.foundation.text_layout import shortened
from concordant.indices.index import INDICES, Index
from concordant.indices.values import IndexAttributes
from concordant.inference.options import check_share
from concordant.inference.slice_cells import slice_text
from concordant.inference.statistic import Finding, shown, software
from concordant.labelling.sample_size import HALF_WIDTH
from concordant.maths.tails import normal_quantile
from concordant.sources.judged_pairs import shares_of_yes
from concordant.versions.indices import DIFF_INDICES
from concordant.versions.judged_rates import (
    JudgedShare,
    JudgeErrors,
    Limits,
    krippendorff_alpha,
    rate_limits,
    sum_limits,
)
from concordant.versions.questions import Question, QuestionAnswers, QuestionDesign, contradictions


@read_only_class
@dataclass(frozen=True, slots=True, repr=False)
class JudgedRate(Finding):
    """A metric of a change, estimated from answers.

    Attributes
    ----------
    index : str
        Name of the index.
    value : float
        The estimate.
    low, high : float
        Ends of the interval.
    confidence : float
        Confidence level.
    n_questions : int
        Number of answers it is based on.
    corrected : bool
        Whether it is corrected for the errors of judges in gold questions.
    conventions : str
        Unusual conventions.
    """

    index: str
    value: float
    low: float
    high: float
    confidence: float
    n_questions: int
    corrected: bool
    conventions: str = ""

    @property
    def headline(self) -> str:
        """The estimate and its interval, with the software."""
        corrected = ", corrected for the errors of judges" if self.corrected else ""
        return (
            f"From {counted(self.n_questions, 'question')}, {self.index} is estimated at {shown(self.value)} "
            f"({self.confidence * 100:g}% interval {shown(self.low)} to {shown(self.high)}{corrected}; "
            f"{software()})."
        )

    def _summary(self) -> str:
        corrected = ", corrected for judges' errors" if self.corrected else ""
        return (
            f"{self.index} {shown(self.value)}, {self.confidence * 100:g}% interval {shown(self.low)} to "
            f"{shown(self.high)} ({counted(self.n_questions, 'question')}{corrected})"
        )


@dataclass(frozen=True, slots=True)
class QuestionNumber:
    """The number of questions for an interval of a given half-width.

    Attributes
    ----------
    index : str
        Name of the index.
    within : float
        The half-width.
    n_questions : int
        Number of questions.
    """

    index: str
    within: float
    n_questions: int


_SIGNS = {"split": -1, "merged": 1, "kept_up": 1, "kept_down": -1}
_LONGEST = 40  # characters of the name of a slice
_ERROR = 0.05  # an error rate of judges, for the sentence on its effect


class Judgements(IndexAttributes[JudgedRate]):
    """Metrics estimated from answers, with their intervals. `Diff.judged` and `Audit.judged` return it.

    Every metric that the questions estimate is an attribute and an item, a `JudgedRate`:
    `j.delta_precision.low`. Any other metric raises an error that lists them. Intervals are not corrected for
    multiple comparisons.

    Attributes
    ----------
    confidence : float
        Confidence level.
    errors : JudgeErrors or None
        The errors of judges in gold questions.
    slices : mapping
        The result of each slice, if questions were drawn by slice: `j.slices["it"].delta_precision`.
    """

    _called = "a result of questions"
    _example = "j.delta_precision"

    confidence: float
    errors: JudgeErrors | None
    slices: Mapping[Any, Judgements]
    if TYPE_CHECKING:  # the metrics of a diff
        bad_split_rate: JudgedRate
        good_split_rate: JudgedRate
        good_merge_rate: JudgedRate
        bad_merge_rate: JudgedRate
        kept: JudgedRate
        delta_precision: JudgedRate
        precision: JudgedRate  # of an audit
        bcubed_precision: JudgedRate

    def __init__(self, design: QuestionDesign, given: QuestionAnswers, confidence: float) -> None:
        _check_questions(design, given)
        vars(self).update(confidence=confidence)  # read-only from here on
        self._design, self._given = design, given
        self._answers = {name: shares_of_yes(own.values()) for name, own in given.items()}
        self._answers |= {name: (x, x, x) for name, (_, _, x) in design.known.items()}
        vars(self)["errors"] = self._judge_errors()
        can_correct = self.errors is not None and self.errors.can_correct
        self._correction = self.errors if can_correct else None
        self._shares = {name: self._share(name) for name in design.strata}
        parts = [(f"{place} ", own["share"]) for place, own in enumerate(design.slices)]
        diagonals = [own["diagonal"] for own in design.slices]
        whole = math.fsum(share * x for (_, share), x in zip(parts, diagonals, strict=True))
        self._rates = self._estimate(parts or [("", 1.0)], whole if parts else design.diagonal)
        slices = {_slice_name(own): self._of_slice(place) for place, own in enumerate(design.slices)}
        vars(self)["slices"] = ReadOnlyDict(slices)

    def _of_slice(self, place: int) -> Judgements:
        """The result of one slice, from its own questions and those with known answers."""
        design, prefix = self._design, f"{place} "
        uses = {
            question: [(name.removeprefix(prefix), weight) for name, weight in own if name.startswith(prefix)]
            for question, own in design.uses.items()
        }
        uses = {question: own for question, own in uses.items() if own}
        pairs = {name: pair for name, pair in design.pairs.items() if name in uses or name in design.gold}
        part = replace(
            design,
            strata={
                name.removeprefix(prefix): x for name, x in design.strata.items() if name.startswith(prefix)
            },
            uses=uses,
            diagonal=design.slices[place]["diagonal"],
            known={name: answer for name, answer in design.known.items() if name in uses},
            pairs=pairs,
            slices=[],
        )
        return Judgements(part, {name: self._given[name] for name in pairs}, self.confidence)

    def _declared(self, spelling: str) -> Index:
        for section in (DIFF_INDICES, INDICES):
            if spelling in section and section[spelling].name in self._rates:
                return section[spelling]
        raise UnknownIndexError(
            f"questions for {self._design.goal} do not estimate {spelling!r}; they estimate "
            f"{', '.join(self._rates)}"
        )

    def __contains__(self, index: object) -> bool:
        try:
            return isinstance(index, str) and bool(self._declared(index))
        except ConcordantError:
            return False

    def _value(self, declared: Index | str) -> JudgedRate:
        """Return a metric."""
        return self._rates[(declared if isinstance(declared, Index) else self._declared(declared)).name]

    def keys(self) -> tuple[str, ...]:
        """List the metrics that the questions estimate.

        Returns
        -------
        tuple of str
            The names of the metrics.

        Examples
        --------
        >>> import concordant as cc
        >>> d = cc.diff([0, 0, 1, 1], [0, 0, 1, 2])
        >>> questions = d.ask(n_questions=1)
        >>> answers = [{**each, "same": "yes"} for each in questions.to_dict()["questions"]]
        >>> d.judged(answers, questions=questions).keys()[:2]
        ('bad_split_rate', 'good_split_rate')
        """
        return tuple(self._rates)

    # -- estimates ------------------------------------------------------------------------------

    def _share(self, stratum: str) -> JudgedShare:
        """The answers of a stratum, each by its weight."""
        held, own = self._design.strata[stratum], list[tuple[str, float]]()
        for question, uses in self._design.uses.items():
            own += [(question, weight) for name, weight in uses if name == stratum]

        def sum_of(answer: int, among: Collection[str] | None = None) -> float:
            terms = (x * self._answers[name][answer] for name, x in own if among is None or name in among)
            return math.fsum(terms)

        # The weights of all pairs add up to 1 but for rounding, and if all are right, the share has to be 1.
        draws, whole = held["draws"], math.fsum(weight for _, weight in own) or 1.0
        before = self._design.known
        known, yes = math.fsum(weight for name, weight in own if name in before), sum_of(0, before)
        sums = [sum_of(answer) / whole for answer in range(3)]
        if draws:  # restores whole numbers from rounded fractions of answers
            sums = [round(sum_of(answer), 12) / draws for answer in range(3)]
        value, low, high = (min(max(x, 0.0), 1.0) for x in sums)
        known_share, known_value = min(known / (draws or whole), 1.0), yes / known if known else 0.0
        return JudgedShare(held["total"], value, low, high, draws, known_share, min(known_value, 1.0))

    def _rate(self, metric: str, found: Limits, strata: Collection[str] | None = None) -> JudgedRate:
        """``strata`` are those whose questions it is based on; None means all."""
        value, low, high = (float(x) for x in found)
        asked = self._design.uses.values()
        questions = sum(strata is None or any(name in strata for name, _ in uses) for uses in asked)
        return JudgedRate(metric, value, low, high, self.confidence, questions, self._correction is not None)

    def _estimate(self, parts: Sequence[tuple[str, float]], diagonal: float) -> dict[str, JudgedRate]:
        """All metrics of some slices, each with the prefix of its strata and its share of the weight."""

        def those(*strata: str) -> dict[str, JudgedShare]:
            found = {prefix + name: share for name in strata for prefix, share in parts}
            shares = ((name, self._shares[name], share) for name, share in found.items())
            return {name: replace(each, total=each.total * share) for name, each, share in shares}

        confidence, correction = self.confidence, self._correction
        if self._design.goal == "merges":
            rates = {}
            for name, own_kind, known in (
                ("precision", "pairs", 0.0),
                ("bcubed_precision", "records", diagonal),
            ):
                own = {key: each for key, each in those("both", own_kind).items() if each.total > 0}
                limits = rate_limits(list(own.values()), confidence, correction)
                whole = math.fsum(each.total for each in own.values())
                value, low, high = (known + (1 - known) * x / whole for x in limits)
                rates[name] = self._rate(name, (value, low, high), own)
            return rates
        rates = {}
        for stratum, same, other in (
            ("split", "bad_split_rate", "good_split_rate"),
            ("merged", "good_merge_rate", "bad_merge_rate"),
        ):
            own = those(stratum)
            value, low, high = rate_limits(list(own.values()), confidence, correction)
            rates[same] = self._rate(same, (value, low, high), own)
            total = math.fsum(each.total for each in own.values())
            rates[other] = self._rate(other, (total - value, total - high, total - low), own)
        for metric, strata in (("kept", ("kept_up", "kept_down")), ("delta_precision", tuple(_SIGNS))):
            own = those(*strata)
            signs = [_SIGNS[name] for name in strata for _ in parts]
            rates[metric] = self._rate(
                metric, sum_limits(list(own.values()), signs, diagonal, confidence, correction), own
            )
        return rates

    # -- judges ---------------------------------------------------------------------------------

    def _judge_errors(self) -> JudgeErrors | None:
        """The errors of judges in gold questions; unsure answers do not count."""
        right: dict[bool, list[float]] = {True: [], False: []}
        for question, same in self._design.gold.items():
            if decided := [x for x in self._given[question].values() if x is not None]:
                share = sum(decided) / len(decided)
                right[same].append(share if same else 1 - share)
        if not right[True] and not right[False]:
            return None
        return JudgeErrors(len(right[True]), sum(right[True]), len(right[False]), sum(right[False]))

    @property
    def contradictions(self) -> LazyList[Question]:
        """The questions answered "no" although other answers imply the same entity."""
        design = self._design
        pairs = design.pairs | {name: (one, other) for name, (one, other, _) in design.known.items()}
        asked = [(name, *pair, self._answers[name][0]) for name, pair in pairs.items()]
        rows = [Question(name, *pairs[name]) for name in contradictions(asked)]
        return LazyList(rows, columns=("question", "record_a", "record_b"))

    @property
    def agreement(self) -> Mapping[str, float]:
        """Krippendorff's alpha of the judges by stratum, if several judged a pair."""
        groups: dict[str, list[Mapping[str, int]]] = {}
        for question, own in self._given.items():
            decided = {judge: int(x) for judge, x in own.items() if x is not None}
            for name, _ in self._design.uses.get(question, ()):
                groups.setdefault(name.rpartition(" ")[2], []).append(decided)
        alphas = {name: krippendorff_alpha(answers) for name, answers in groups.items()}
        return ReadOnlyDict({name: alpha for name, alpha in alphas.items() if alpha is not None})

    def sample_size(self, *, within: float = 0.05) -> LazyList[QuestionNumber]:
        """Compute the number of questions for intervals of a given half-width, given the answers so far.

        Parameters
        ----------
        within : float, default=0.05
            The half-width.

        Returns
        -------
        LazyList of QuestionNumber
            The number of questions for each metric.

        Examples
        --------
        >>> import concordant as cc
        >>> d = cc.diff([0, 0, 1, 1], [0, 0, 1, 2])
        >>> questions = d.ask(n_questions=1)
        >>> answers = [{**each, "same": "yes"} for each in questions.to_dict()["questions"]]
        >>> d.judged(answers, questions=questions).sample_size()[0].index
        'bad_split_rate'
        """
        check_share("within", within, HALF_WIDTH)
        if self._design.goal != "precision" or self.slices:
            kind = "an audit" if self._design.goal == "merges" else "slices"
            raise InputError(
                f"the number of questions is not available for {kind}; ask more, and compare the intervals"
            )
        return question_numbers(
            lambda name: self._shares[name].total * self._spread(name), within, self.confidence
        )

    def _spread(self, stratum: str) -> float:
        """The standard deviation of one answer in a stratum, given the share of "yes" so far."""
        share = self._shares[stratum]
        p = (share.value * share.draws + 1) / (share.draws + 2) if share.draws else share.value
        return math.sqrt(p * (1 - p))

    @property
    def size(self) -> int:
        """The number of questions that were answered."""
        return len(self._given)

    def _facts(self) -> Sequence[str]:
        return [f"goal={self._design.goal}"]

    # -- shown ----------------------------------------------------------------------------------

    def to_dict(self, *, indices: str | Sequence[str] | None = None) -> dict[str, Any]:
        """Return the metrics, and the agreement of the judges.

        Parameters
        ----------
        indices : str or sequence of str, optional
            Names of the metrics. By default, all that the questions estimate.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> d = cc.diff([0, 0, 1, 1], [0, 0, 1, 2])
        >>> questions = d.ask(n_questions=1)
        >>> answers = [{**each, "same": "yes"} for each in questions.to_dict()["questions"]]
        >>> d.judged(answers, questions=questions).to_dict()["n_questions"]
        1
        """
        slices = [
            {"slice": name, "size": own["records"], "indices": _as_dict(rates)}
            for (name, rates), own in zip(self.slices.items(), self._design.slices, strict=True)
        ]
        return {
            "goal": self._design.goal,
            "confidence": self.confidence,
            "n_questions": len(self._given),
            "known": len(self._design.known),
            "unsure": self._unsure,
            "agreement": self.agreement,
            "contradictions": [each.question for each in self.contradictions],
            "sensitivity": None if self.errors is None else self.errors.sensitivity,
            "specificity": None if self.errors is None else self.errors.specificity,
            "indices": _as_dict({name: self[name] for name in self._names_of(indices)}),
            **({"slices": slices} if slices else {}),
        }

    @property
    def _unsure(self) -> int:
        return sum(x is None for own in self._given.values() for x in own.values())

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        names = ("index", "value", "low", "high", "n_questions")
        # A missing value may be a slice, so the number of records marks the whole.
        everyone = {"slice": None, "size": sum(own["records"] for own in self._design.slices)}
        parts: list[tuple[Any, Any]] = [(everyone if self.slices else {}, self._rates)]
        for (name, rates), own in zip(self.slices.items(), self._design.slices, strict=True):
            parts.append(({"slice": name, "size": own["records"]}, rates))
        rows = (
            about | {name: getattr(each, name) for name in names}
            for about, rates in parts
            for each in rates.values()
        )
        return list(islice(rows, limit))

    def _scope(self) -> str:
        judges = len({judge for own in self._given.values() for judge in own})
        by = f" by {judges} judges" if judges > 1 else ""
        slices = f" in {counted(len(self.slices), 'slice')}" if self.slices else ""
        return f"{counted(len(self._given), 'question')} for {self._design.goal}{slices}, answered{by}"

    @property
    def headline(self) -> str:
        """One sentence: the metric of the goal, with its interval.

        Examples
        --------
        >>> import concordant as cc
        >>> d = cc.diff([0, 0, 1, 1], [0, 0, 1, 2])
        >>> questions = d.ask(n_questions=1)
        >>> answers = [{**each, "same": "yes"} for each in questions.to_dict()["questions"]]
        >>> d.judged(answers, questions=questions).headline
        'Change of precision: 0 (95% interval 0 to 0)'
        """
        if self._design.goal == "merges":
            each = self.precision
            value, low, high = (percent(x, 1, decimals=1) for x in (each.value, each.low, each.high))
            interval = f"{self.confidence * 100:g}% interval {low} to {high}"
            judged = counted(each.n_questions, "judgement")
            return f"{value} of the merged pairs are right ({interval}), from {judged}"
        each = self.delta_precision
        interval = f"{self.confidence * 100:g}% interval {shown(each.low)} to {shown(each.high)}"
        return f"{_rate_title(each.index)}: {shown(each.value)} ({interval})"

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:
        interval = f"{self.confidence * 100:g}% interval"
        columns = [
            "index",
            Field("value", text=shown),
            *interval_fields(self.confidence, shown),
            "n_questions",
        ]
        dots = DotPlot("judged", "What the answers estimate", "value", interval, mark=0.0)
        listings = [Listing(list(self._rates.values()), columns, dots=dots)]
        if self.slices:
            rows = [
                {"slice": slice_text(name if isinstance(name, tuple) else (name,)), **each.to_dict()}
                for name, own in self.slices.items()
                for each in own.values()
            ]
            named = Field("slice", text=partial(shortened, length=_LONGEST))
            listings.append(Listing(rows[:limit], [named, *columns], title="Of each slice", total=len(rows)))
        return listings

    def _details(self, limit: int) -> Sequence[Listing]:
        """The answers that contradict others."""
        wrong = self.contradictions[:limit]
        columns = ["question", *(Field(name, text=str) for name in ("record_a", "record_b"))]
        return [Listing(wrong, columns, title="Answers that contradict others")] if wrong else []

    def _footnotes(self) -> list[str]:
        """Limitations of the values: the errors of judges, doubts and contradictions."""
        notes = [self._errors_in_words()]
        for stratum, alpha in self.agreement.items():
            notes.append(f"agreement of judges ({stratum}): Krippendorff's alpha {alpha:.2f}")
        if self._unsure:
            answers = f"{counted(self._unsure, 'unsure answer')}"
            notes.append(f"{answers}: the intervals hold whether these are yes or no")
        if listed := self.contradictions:
            verb = "contradicts" if len(listed) == 1 else "contradict"
            notes.append(
                f"{counted(len(listed), 'answer')} {verb} others: {few([each.question for each in listed])}"
            )
        return notes

    def _errors_in_words(self) -> str:
        errors = self.errors
        if errors is None:
            totals = [held["total"] for held in self._design.strata.values()]
            bound = _ERROR * (1.0 if self._design.goal == "merges" else max(totals))
            return (
                f"no gold questions: if judges err in up to {percent(_ERROR, 1)} of their answers, rates are "
                f"off by up to {shown(bound)}"
            )
        found = []
        if errors.same:
            found.append(f"sensitivity {errors.sensitivity:.2f} ({counted(errors.same, 'question')})")
        if errors.different:
            found.append(f"specificity {errors.specificity:.2f} ({counted(errors.different, 'question')})")
        known = f"gold questions: {', '.join(found)}"
        if self._correction is not None:
            return f"{known}; all values are corrected"
        return f"{known}; not corrected: too few of each, or too many errors"

    def __repr__(self) -> str:
        return f"<Judgements: {counted(len(self._given), 'question')} for {self._design.goal}>"


def _slice_name(own: Mapping[str, Any]) -> Any:
    """The value of a slice; a tuple for several columns, which JSON stores as a list."""
    return tuple(own["slice"]) if isinstance(own["slice"], list) else own["slice"]


def _rate_title(name: str) -> str:
    return (DIFF_INDICES if name in DIFF_INDICES else INDICES)[name].title


def _as_dict(rates: Mapping[str, JudgedRate] | Judgements) -> dict[str, dict[str, Any]]:
    left_out = ("index", "conventions")
    return {
        name: {key: value for key, value in each.to_dict().items() if key not in left_out}
        for name, each in rates.items()
    }


def _check_questions(design: QuestionDesign, given: Mapping[str, Any]) -> None:
    """Refuse answers to unknown questions, and questions without an answer."""
    unknown = [name for name in given if name not in design.pairs]
    if unknown:
        raise InputError(
            f"{counted(len(unknown), 'answer')} to questions that were not asked: {few(unknown)}; leave "
            "such answers out"
        )
    missing = [name for name in design.pairs if name not in given]
    if missing:
        raise InputError(
            f"{counted(len(missing), 'question')} without an answer: {few(missing)}; answer all, and write "
            "unsure if you do not know"
        )


def question_numbers(
    spread: Callable[[str], float], within: float, confidence: float
) -> LazyList[QuestionNumber]:
    """The number of questions for each metric, by the spread of the answers of each stratum."""
    z = normal_quantile(confidence)
    strata = {"bad_split_rate": ["split"], "good_merge_rate": ["merged"], "delta_precision": list(_SIGNS)}
    numbers = []
    for metric, names in strata.items():
        total = math.fsum(map(spread, names))
        numbers.append(QuestionNumber(metric, within, max(math.ceil((z * total / within) ** 2 - 1e-9), 1)))
    return LazyList(numbers, columns=field_names(QuestionNumber))
