"""A metric estimated from answers, and the number of questions for it."""

from __future__ import annotations

from dataclasses import dataclass

from concordant.counts.spelling import counted
from concordant.trust.finding import Finding, shown, software


@dataclass(frozen=True, slots=True, repr=False)
class JudgedRate(Finding):
    """A metric of a change, estimated from answers.

    Attributes
    ----------
    metric : str
        Name of the metric.
    value : float
        The estimate.
    low, high : float
        Ends of the interval.
    level : float
        Confidence level.
    questions : int
        Number of answers it is based on.
    corrected : bool
        Whether it is corrected for the errors of judges in gold questions.
    conventions : str
        Unusual conventions.
    """

    metric: str
    value: float
    low: float
    high: float
    level: float
    questions: int
    corrected: bool
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
    """The number of questions for an interval of a given half-width.

    Attributes
    ----------
    metric : str
        Name of the metric.
    within : float
        The half-width.
    questions : int
        Number of questions.
    """

    metric: str
    within: float
    questions: int
