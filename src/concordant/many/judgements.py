"""Judgements: the metrics of a change, estimated from answers to questions, with intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from concordant.counts.spelling import counted
from concordant.differences.lazy_list import LazyList, field_names
from concordant.errors import InputError, few
from concordant.many.answers import by_question, contradictions
from concordant.many.questions import QuestionDesign
from concordant.results import Result, TextRows
from concordant.text_layout import fitted_columns
from concordant.trust.finding import Finding, shown, software
from concordant.trust.judged_rates import (
    JudgedShare,
    JudgeErrors,
    Limits,
    krippendorff_alpha,
    mean_limits,
    rate_limits,
    ratio_limits,
    sum_limits,
)
from concordant.trust.options import check_share
from concordant.trust.sample_size import HALF_WIDTH
from concordant.trust.tails import normal_quantile

_SIGNS = {"split": -1, "merged": 1, "kept_up": 1, "kept_down": -1}
_ERROR = 0.05  # an error rate of judges, for the sentence on what it would do


@dataclass(frozen=True, slots=True, repr=False)
class JudgedRate(Finding):
    """A metric of a change, estimated from answers."""

    metric: str
    value: float
    low: float
    high: float
    level: float
    questions: int  # how many it is based on
    corrected: bool  # for the errors of judges, which gold questions show
    conventions: str = ""

    @property
    def sentence(self) -> str:
        """The estimate and its interval, with the software."""
        corrected = ", corrected for the errors of judges" if self.corrected else ""
        return (
            f"From {counted(self.questions, 'question')}, {self.metric} is estimated at {shown(self.value)} "
            f"({self.level * 100:g}% interval {shown(self.low)} to {shown(self.high)}{corrected}; "
            f"{software()})."
        )

    def _summary(self) -> str:
        corrected = ", corrected for judges' errors" if self.corrected else ""
        return (
            f"{self.metric} {shown(self.value)}, {self.level * 100:g}% interval {shown(self.low)} to "
            f"{shown(self.high)} ({counted(self.questions, 'question')}{corrected})"
        )


@dataclass(frozen=True, slots=True)
class QuestionNumber:
    """How many questions would give a metric an interval of this half-width."""

    metric: str
    within: float
    questions: int


@dataclass(frozen=True, slots=True)
class _Answer:
    """What the judges said to one question: the share of yes, and with unsure as no and as yes."""

    value: float
    low: float
    high: float


class Judgements(Result, Mapping[str, JudgedRate]):
    """The metrics that the answers estimate, each with its interval: ``j.delta_precision.low``."""

    def __init__(self, design: QuestionDesign, answers: Any, level: float) -> None:
        given = by_question(answers)
        _check_questions(design, given)
        self.design, self.level = design, level
        self._given = given
        self._answers = {name: _combined(own) for name, own in given.items()}
        self._answers |= {name: _Answer(x, x, x) for name, (_, _, x) in design.known.items()}
        self.errors = self._judge_errors()
        can_correct = design.goal != "iq" and self.errors is not None and self.errors.can_correct
        self._correction = self.errors if can_correct else None
        estimate = {"precision": self._precision, "recall": self._recall, "iq": self._records}[design.goal]
        self._rates: dict[str, JudgedRate] = estimate()

    def __getitem__(self, metric: str) -> JudgedRate:
        return self._rates[metric]

    def __getattr__(self, name: str) -> JudgedRate:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._rates:
            goal, known = self.design.goal, ", ".join(self._rates)
            raise AttributeError(f"questions for {goal} do not estimate {name!r}; they estimate {known}")
        return self._rates[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rates)

    def __len__(self) -> int:
        return len(self._rates)

    def __dir__(self) -> list[str]:
        return sorted([*super().__dir__(), *self._rates])

    # -- estimates ------------------------------------------------------------------------------

    def _share(self, stratum: str) -> JudgedShare:
        """The answers of a stratum, each by its weight."""
        held = self.design.strata[stratum]
        sums, number = [0.0, 0.0, 0.0], 0
        for question, uses in self.design.uses.items():
            for name, weight in uses:
                if name == stratum:
                    answer = self._answers[question]
                    number += 1
                    ends = (answer.value, answer.low, answer.high)
                    sums = [x + weight * y for x, y in zip(sums, ends, strict=True)]
        if draws := held["draws"]:  # thirds of judges and the like add up to whole numbers again
            sums = [round(x, 12) / draws for x in sums]
        value, low, high = (min(max(x, 0.0), 1.0) for x in sums)
        return JudgedShare(held["total"], value, low, high, draws, number)

    def _rate(self, metric: str, found: Limits, questions: int) -> JudgedRate:
        value, low, high = (float(x) for x in found)
        corrected = self._correction is not None
        return JudgedRate(metric, value, low, high, self.level, questions, corrected)

    def _precision(self) -> dict[str, JudgedRate]:
        shares = {name: self._share(name) for name in _SIGNS}
        rates = {}
        for stratum, same, other in (
            ("split", "bad_split_rate", "good_split_rate"),
            ("merged", "good_merge_rate", "bad_merge_rate"),
        ):
            share = shares[stratum]
            value, low, high = rate_limits(share, self.level, self._correction)
            rates[same] = self._rate(same, (value, low, high), share.questions)
            rest = share.total - value, share.total - high, share.total - low
            rates[other] = self._rate(other, rest, share.questions)
        kept = [shares["kept_up"], shares["kept_down"]]
        found = sum_limits(kept, [1, -1], self.design.diagonal, self.level, self._correction)
        rates["kept"] = self._rate("kept", found, sum(each.questions for each in kept))
        signs = list(_SIGNS.values())
        everyone = list(shares.values())
        found = sum_limits(everyone, signs, self.design.diagonal, self.level, self._correction)
        number = sum(each.questions for each in everyone)
        rates["delta_precision"] = self._rate("delta_precision", found, number)
        return rates

    def _recall(self) -> dict[str, JudgedRate]:
        kept, split, merged = (self._share(name) for name in ("kept", "split", "merged"))
        found = ratio_limits(kept, split, merged, self.level, self._correction)
        number = kept.questions + split.questions + merged.questions
        return {"recall_ratio": self._rate("recall_ratio", found, number)}

    def _records(self) -> dict[str, JudgedRate]:
        """IQ and closed recall: each drawn record with its clusters is one draw."""
        ends = []
        for unsure in ("value", "low", "high"):
            parts: dict[str, float] = {}
            for question, uses in self.design.uses.items():
                for name, weight in uses:
                    parts[name] = parts.get(name, 0.0) + weight * getattr(self._answers[question], unsure)
            ends.append(self._of_records(parts))
        change = next(iter(self.design.strata.values()))["total"]
        iq = [mean_limits([x for x, _ in values], self.level, (-1.0, 1.0)) for values in ends]
        recall = [mean_limits([y for _, y in values], self.level, None) for values in ends]
        number = len(self.design.uses)
        rates = {}
        for metric, found, factor in (("iq_closed", iq, 1.0), ("delta_recall_closed", recall, change)):
            low, high = min(each[1] for each in found), max(each[2] for each in found)
            limits = found[0][0] * factor, low * factor, high * factor
            rates[metric] = self._rate(metric, limits, number)
        return rates

    def _of_records(self, parts: Mapping[str, float]) -> list[tuple[float, float]]:
        """Improvement and change of recall of each record, over its Jaccard distance."""
        values = []
        for record, held in self.design.strata.items():
            sizes, distance = held["sizes"], held["distance"]
            kept, split, merged = (
                sizes[part] * parts.get(f"{record} {part}", 0.0) for part in ("kept", "split", "merged")
            )
            kept += sizes["own"]
            whole = sizes["own"] + sizes["kept"]
            base, experiment = whole + sizes["split"], whole + sizes["merged"]
            improvement = (kept + merged) / (experiment + split) - (kept + split) / (base + merged)
            recall = (merged - split) / (kept + split + merged)
            values.append((improvement / distance, recall / distance))
        return values

    # -- judges ---------------------------------------------------------------------------------

    def _judge_errors(self) -> JudgeErrors | None:
        """How gold questions were answered; unsure answers do not count."""
        right: dict[bool, list[float]] = {True: [], False: []}
        for question, same in self.design.gold.items():
            if decided := [x for x in self._given[question].values() if x is not None]:
                share = sum(decided) / len(decided)
                right[same].append(share if same else 1 - share)
        if not right[True] and not right[False]:
            return None
        return JudgeErrors(len(right[True]), sum(right[True]), len(right[False]), sum(right[False]))

    @property
    def contradictions(self) -> list[str]:
        """Questions answered no, although other answers make their records the same entity."""
        asked = [
            (name, *self.design.pairs[name], answer.value)
            for name, answer in self._answers.items()
            if name in self.design.pairs
        ]
        known = [(name, one, other, share) for name, (one, other, share) in self.design.known.items()]
        return contradictions([*asked, *known])

    @property
    def agreement(self) -> dict[str, float]:
        """Krippendorff's alpha of the judges by stratum, where two or more judged a question."""
        groups: dict[str, list[Mapping[str, int]]] = {}
        for question, own in self._given.items():
            decided = {judge: int(x) for judge, x in own.items() if x is not None}
            for name, _ in self.design.uses.get(question, ()):
                groups.setdefault(name if self.design.goal != "iq" else "all", []).append(decided)
        alphas = {name: krippendorff_alpha(answers) for name, answers in groups.items()}
        return {name: alpha for name, alpha in alphas.items() if alpha is not None}

    def sample_size(self, within: float = 0.05) -> LazyList[QuestionNumber]:
        """How many questions would give each metric this half-width, if all shares are as judged so far."""
        check_share("within", within, HALF_WIDTH)
        if self.design.goal != "precision":
            raise InputError("the number of questions is known for the goal precision")
        return question_numbers(lambda name: self._share(name).total * self.spread(name), within, self.level)

    def spread(self, stratum: str) -> float:
        """The standard deviation of an answer of a stratum, if the share of yes is as judged so far."""
        share = self._share(stratum)
        p = (share.value * share.draws + 1) / (share.draws + 2) if share.draws else share.value
        return math.sqrt(p * (1 - p))

    # -- shown ----------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The metrics, and what is known of the judges."""
        rates = {name: each.to_dict() for name, each in self._rates.items()}
        for each in rates.values():
            del each["metric"], each["conventions"]
        return {
            "goal": self.design.goal,
            "level": self.level,
            "questions": len(self._given),
            "known": len(self.design.known),
            "unsure": self._unsure,
            "agreement": self.agreement,
            "contradictions": self.contradictions,
            "sensitivity": None if self.errors is None else self.errors.sensitivity,
            "specificity": None if self.errors is None else self.errors.specificity,
            "metrics": rates,
        }

    @property
    def _unsure(self) -> int:
        return sum(x is None for own in self._given.values() for x in own.values())

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        return [
            {
                "metric": name,
                "value": each.value,
                "low": each.low,
                "high": each.high,
                "questions": each.questions,
            }
            for name, each in self._rates.items()
        ][:limit]

    def _title(self) -> str:
        judges = len({judge for own in self._given.values() for judge in own})
        by = f" by {judges} judges" if judges > 1 else ""
        return f"{counted(len(self._given), 'question')} for {self.design.goal}, answered{by}"

    def __str__(self) -> str:
        return "\n".join([self._title(), "", *fitted_columns(self._table()), "", *self._notes()])

    def _table(self) -> list[list[str]]:
        rows = [
            [name, shown(each.value), f"{shown(each.low)} to {shown(each.high)}", f"{each.questions:,}"]
            for name, each in self._rates.items()
        ]
        return [["metric", "value", f"{self.level * 100:g}% interval", "questions"], *rows]

    def _own_tables(self) -> Sequence[TextRows]:
        return [self._table()]

    def _footnotes(self) -> Sequence[str]:
        return self._notes()

    def _notes(self) -> list[str]:
        """What limits the values: the errors of judges, doubts and contradictions."""
        notes = [self._errors_in_words()]
        for stratum, alpha in self.agreement.items():
            notes.append(f"agreement of judges ({stratum}): Krippendorff's alpha {alpha:.2f}")
        if self._unsure:
            answers = f"{counted(self._unsure, 'unsure answer')}"
            notes.append(f"{answers}: the intervals hold whether these are yes or no")
        if listed := self.contradictions:
            verb = "contradicts" if len(listed) == 1 else "contradict"
            notes.append(f"{counted(len(listed), 'answer')} {verb} others: {few(listed)}")
        return notes

    def _errors_in_words(self) -> str:
        errors = self.errors
        if errors is None:
            totals = [held["total"] for held in self.design.strata.values()]
            if self.design.goal != "precision":
                return "no gold questions: errors of judges are not corrected"
            bound = _ERROR * max(totals)
            return (
                f"no gold questions: if judges err in up to {_ERROR:.0%} of their answers, rates are off by "
                f"up to {shown(bound)}"
            )
        found = []
        if errors.same:
            found.append(f"sensitivity {errors.sensitivity:.2f} ({counted(errors.same, 'question')})")
        if errors.different:
            found.append(f"specificity {errors.specificity:.2f} ({counted(errors.different, 'question')})")
        known = f"gold questions: {', '.join(found)}"
        if self._correction is not None:
            return f"{known}; all values are corrected"
        why = "IQ has no correction" if self.design.goal == "iq" else "too few of each, or too many errors"
        return f"{known}; not corrected: {why}"

    def __repr__(self) -> str:
        return f"<Judgements: {self._title()}>"


def _combined(own: Mapping[str, float | None]) -> _Answer:
    decided = [x for x in own.values() if x is not None]
    unsure = len(own) - len(decided)
    value = sum(decided) / len(decided) if decided else 0.5
    return _Answer(value, sum(decided) / len(own), (sum(decided) + unsure) / len(own))


def _check_questions(design: QuestionDesign, given: Mapping[str, Any]) -> None:
    """Refuse answers to unknown questions, and questions without an answer."""
    unknown = [name for name in given if name not in design.pairs]
    if unknown:
        raise InputError(
            f"{counted(len(unknown), 'answer')} to questions that were not asked: {few(unknown)}"
        )
    missing = [name for name in design.pairs if name not in given]
    if missing:
        raise InputError(
            f"{counted(len(missing), 'question')} without an answer: {few(missing)}; answer all of them, and "
            "write unsure where you cannot tell"
        )


def question_numbers(spread: Callable[[str], float], within: float, level: float) -> LazyList[QuestionNumber]:
    """The number of questions for each metric, by the spread of the answers of each stratum."""
    z = normal_quantile(level)
    strata = {"bad_split_rate": ["split"], "good_merge_rate": ["merged"], "delta_precision": list(_SIGNS)}
    numbers = []
    for metric, names in strata.items():
        total = math.fsum(map(spread, names))
        numbers.append(QuestionNumber(metric, within, max(math.ceil((z * total / within) ** 2 - 1e-9), 1)))
    return LazyList(numbers, columns=field_names(QuestionNumber))
