"""Questions about pairs of records: drawn from a change, shown to judges, and read with their answers."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from concordant import engines, versions
from concordant.clusterings.labels import is_missing
from concordant.counts.counted_sides import CountedSides
from concordant.counts.weighted_counts import WeightedCounts
from concordant.errors import FileError, InputError, ParameterError, few
from concordant.foundation.results import Field, Listing, Report
from concordant.foundation.spelling import counted, printable, verb
from concordant.inference.options import check_count, check_seed
from concordant.inference.slice_cells import Label, SliceCells
from concordant.maths.arithmetic import plain
from concordant.sources.judged_pairs import Pair, answer_of, known_pairs, read_rows, spreadsheet_cell
from concordant.sources.writing import writable_place, write_whole
from concordant.versions.pair_draws import Goal, draw_questions

QuestionAnswers = dict[str, dict[str, float | None]]  # the answers of each question by judge


def gold_pairs(source: Any) -> dict[Pair, tuple[str, str, bool]]:
    """Pairs whose answer is known for certain."""
    pairs = known_pairs(source, "gold")
    unclear = [f"{one} and {other}" for one, other, same in pairs.values() if same not in (0.0, 1.0)]
    if unclear:
        raise InputError(f"gold has different answers for {counted(len(unclear), 'pair')}: {few(unclear)}")
    return {pair: (one, other, bool(same)) for pair, (one, other, same) in pairs.items()}


def by_question(source: Any, pairs: Mapping[str, tuple[str, str]]) -> QuestionAnswers:
    """The answers of each question by judge; rows without an answer are left out.

    ``pairs`` are the records of each question, which must be those of the answers if these have them.
    """
    answers: QuestionAnswers = {}
    for row in read_rows(source, ("question", "same"), "answers"):
        if not row["same"].strip():
            continue
        question, judge = row["question"].strip(), row.get("judge", "").strip()
        given = tuple(row.get(f"record_{side}", "") for side in "ab")
        if all(given) and not all(map(_is_same, given, pairs.get(question, given))):
            raise InputError(
                f"question {question} is about {' and '.join(map(repr, pairs[question]))}, but its answer is "
                f"about {' and '.join(map(repr, given))}; restore the rows that were changed, or pass the "
                "questions of these answers"
            )
        own = answers.setdefault(question, {})
        if not judge:  # several rows without a name are several judges: "", " " and so on
            judge = " " * sum(not name.strip() for name in own)
        if judge in own:
            raise InputError(f"the judge {judge!r} answered the question {question} twice; keep one row")
        own[judge] = answer_of(row["same"], f"question {question}")
    return answers


def contradictions(answers: Iterable[tuple[str, str, str, float]]) -> list[str]:
    """Questions answered no whose records other answers make the same entity, through any chain.

    Each answer has a question, two records and the share of judges that answered yes.

    >>> contradictions([("q1", "a", "b", 1), ("q2", "b", "c", 1), ("q3", "a", "c", 0)])
    ['q3']
    """
    parent: dict[str, str] = {}

    def root(record: str) -> str:
        while parent.setdefault(record, record) != record:
            record = parent[record] = parent[parent[record]]
        return record

    listed = list(answers)
    for _, one, other, share in listed:
        if share > 0.5:
            parent[root(one)] = root(other)
    return [question for question, one, other, share in listed if share < 0.5 and root(one) == root(other)]


_VERSION = 1

# The columns of the records to show, and their values for these records.
Shown = tuple[tuple[str, ...], Callable[[Sequence[Any]], Mapping[Any, tuple[Any, ...]]]]


@dataclass(frozen=True, slots=True)
class Question:
    """Are these two records the same entity?

    Attributes
    ----------
    question : str
        Its number.
    record_a, record_b : object
        The two records, in random order.
    shown_a, shown_b : tuple
        The values of the columns that judges see.
    """

    question: str
    record_a: Any
    record_b: Any
    shown_a: tuple[Any, ...] = ()
    shown_b: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionDesign:
    """How questions were drawn, which judges must not see; ``judged`` needs it."""

    goal: Goal
    seed: int
    fingerprint: str  # of the diff
    strata: dict[str, dict[str, Any]]  # total, draws (0: all pairs are asked) and pairs of each
    # Of each question: the stratum, and its weight there or, of drawn pairs, how often it was drawn.
    uses: dict[str, list[tuple[str, float]]]
    diagonal: float = 0.0
    gold: dict[str, bool] = field(default_factory=dict)
    known: dict[str, tuple[str, str, float]] = field(default_factory=dict)  # records and answer
    pairs: dict[str, tuple[str, str]] = field(default_factory=dict)  # the records of each question
    # If questions were drawn by slice: the value, the records, the share of the weight and the diagonal of
    # each. The strata of slice 3 are called "3 split" and so on, and their totals are those of the slice.
    slices: list[dict[str, Any]] = field(default_factory=list)
    version: int = _VERSION

    @classmethod
    def load(cls, path: Path) -> QuestionDesign:
        """The design that ``Questions.save`` wrote."""
        try:
            held = json.loads(path.read_text(encoding="utf-8"))
            version, checksum = held["version"], held.pop("checksum", None)
            is_whole = checksum == _checksum(held)
            held["pairs"] = {name: tuple(pair) for name, pair in held.get("pairs", {}).items()}
            design = cls(**held) if version == _VERSION and is_whole else None
        except OSError as error:
            raise FileError(f"cannot read {path}: {error.strerror or error}") from error
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise FileError(f"{path} is not a question design that ask() saved") from error
        if version != _VERSION:
            raise FileError(f"{path} has version {version!r}, but this library reads version {_VERSION}")
        if design is None:
            raise FileError(f"{path} was changed after ask() saved it; use a copy of the saved file")
        return design


class Questions(Report, Sequence[Question]):
    """Pairs of records to judge. `Diff.ask` and `Audit.ask` return it.

    The order and the sides do not reveal the run.
    """

    questions: tuple[Question, ...]
    columns: tuple[str, ...]

    def __init__(
        self, questions: Sequence[Question], design: QuestionDesign, columns: tuple[str, ...] = ()
    ) -> None:
        vars(self).update(questions=tuple(questions), columns=columns)
        self._design = design

    def __len__(self) -> int:
        return len(self.questions)

    @overload
    def __getitem__(self, which: int) -> Question: ...
    @overload
    def __getitem__(self, which: slice) -> Self: ...
    def __getitem__(self, which: int | slice) -> Question | Self:
        if isinstance(which, slice):
            return type(self)(self.questions[which], self._design, self.columns)
        return self.questions[which]

    @property
    def size(self) -> int:
        """The number of questions."""
        return len(self.questions)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the clusterings."""
        return ("candidate",) if self._design.goal == "merges" else ("before", "after")

    def _facts(self) -> Sequence[str]:
        return [f"goal={self._design.goal}", f"seed={self._design.seed}"]

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the questions for judges, and their design in a second file.

        The columns same and judge are empty. Judges fill in yes, no or unsure, and their name if there are
        several. They must not see the design, whose file name ends with .design.json.

        Parameters
        ----------
        path : str or path-like
            The file to write: JSON lines if the name ends with .jsonl, otherwise CSV.

        Returns
        -------
        Path
            The path of the file.

        Examples
        --------
        >>> import concordant as cc
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     cc.diff([0, 0, 1, 1], [0, 0, 1, 2]).ask(n_questions=1).save(folder + "/questions.csv").name
        'questions.csv'
        """
        target = writable_place(path)
        rows = [row | {"same": "", "judge": ""} for row in self._rows()]
        if target.suffix == ".jsonl":
            text = "".join(json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows)
        else:
            cells = [
                {name: str(spreadsheet_cell("" if value is None else value)) for name, value in row.items()}
                for row in rows
            ]
            has_return = any("\r" in cell for row in cells for cell in row.values())
            quoting = csv.QUOTE_ALL if has_return else csv.QUOTE_MINIMAL  # which leaves \r bare
            table, names = io.StringIO(), [*self._names(), "same", "judge"]
            writer = csv.DictWriter(table, names, lineterminator="\n", quoting=quoting)  # type: ignore[arg-type]
            writer.writeheader()
            writer.writerows(cells)
            text = table.getvalue()
        design = asdict(self._design)
        content = json.dumps(design | {"checksum": _checksum(design)}, indent=1, ensure_ascii=False)
        write_whole(design_path(target), f"{content}\n")
        return write_whole(target, text)

    def to_html(self, path: str | os.PathLike[str]) -> Path:
        """Write a page on which a person answers with the keyboard.

        The page saves a CSV file that `Diff.judged` reads. Also call `save`, which writes the design.

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
        ...     cc.diff([0, 0, 1, 1], [0, 0, 1, 2]).ask(n_questions=1).to_html(folder + "/ask.html").name
        'ask.html'
        """
        review = versions.review_page
        pairs = [
            review.ReviewPair(each.question, (each.record_a, each.record_b), (each.shown_a, each.shown_b))
            for each in self.questions
        ]
        return review.review_page(pairs, self.headline, self.columns).write(path)

    def to_dict(self) -> dict[str, Any]:
        """Return the content that judges may see.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> len(cc.diff([0, 0, 1, 1], [0, 0, 1, 2]).ask(n_questions=1).to_dict()["questions"])
        1
        """
        return {"goal": self._design.goal, "seed": self._design.seed, "questions": self._rows()}

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        for each in self.questions[:limit]:
            own = (("a", each.shown_a), ("b", each.shown_b))
            shown = {
                f"{column}_{side}": value
                for side, values in own
                for column, value in zip(self.columns, values, strict=True)
            }
            rows.append(
                {"question": each.question, "record_a": each.record_a, "record_b": each.record_b, **shown}
            )
        return rows

    def _names(self) -> Sequence[str]:
        return [
            *("question", "record_a", "record_b"),
            *(f"{column}_{side}" for side in "ab" for column in self.columns),
        ]

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:
        columns = [Field(name, name, printable) for name in self._names()]
        return [Listing(self._rows(limit), columns, total=len(self))]

    @property
    def headline(self) -> str:
        """The number of questions, as judges see it.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.diff([0, 0, 1, 1], [0, 0, 1, 2]).ask(n_questions=1).headline
        '1 question: the same entity or not?'
        """
        return f"{counted(len(self), 'question')}: the same entity or not?"

    def _scope(self) -> str:
        """The purpose of the answers, and the number of questions that are repeated or known."""
        gold, known = len(self._design.gold), len(self._design.known)
        slices = f" in {counted(len(self._design.slices), 'slice')}" if self._design.slices else ""
        words = [f"for {self._design.goal}{slices}"]
        words += [f"{gold:,} of them with known answers"] if gold else []
        words += [f"{known:,} more {verb(known, 'were')} answered before"] if known else []
        strata, again = self._design.strata, 0
        for own in self._design.uses.values():
            drawn = sum(int(times) for name, times in own if strata[name]["draws"])
            again += drawn - 1 + any(not strata[name]["draws"] for name, _ in own)
        words += [f"{counted(again, 'draw')} repeated a pair, which is asked once"] if again else []
        return "; ".join(words)

    def __repr__(self) -> str:
        return f"<Questions: {counted(len(self), 'question')} {self._scope()}>"


def _is_same(one: str, other: str) -> bool:
    """Whether two names are the same, also as numbers: dataframes turn 007 into 7."""
    try:
        return one == other or float(one) == float(other)
    except ValueError:
        return False


def _checksum(design: Mapping[str, Any]) -> str:
    """The checksum of a design, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(design, sort_keys=True).encode()).hexdigest()


def design_path(questions: Path) -> Path:
    """The path of the design of a file of questions."""
    return questions.with_name(f"{questions.stem}.design.json")


def fingerprint(runs: CountedSides) -> str:
    """A fingerprint of a diff: the records of each cluster and their weights, and the sizes of overlaps.

    It does not depend on the order of records or the names of clusters: the hash of a cluster is the sum of
    those of its records, and the hash of a clustering the sum of those of its clusters.
    """
    counts, records = runs.counts, runs.names.records
    own, table = _text_hashes(records.everyone), counts.table
    if isinstance(counts, WeightedCounts):
        # Odd factors: another weight always gives another hash.
        own *= 2 * (counts.own % 2**62).astype(np.uint64) + np.uint64(1)
        profile, squares = counts.elements, counts.squares
    else:
        profile, squares = counts.partitions, counts.size
    sides = []
    for of_cell in (table.row, table.column):
        sums = np.zeros(int(of_cell.max(initial=-1)) + 1, dtype=np.uint64)
        np.add.at(sums, of_cell[records.cell], own)
        sides.append(int(_text_hashes(sums.tolist()).sum(dtype=np.uint64)))
    rows = sorted(zip(*(getattr(profile, name).tolist() for name in ("n", "a", "b", "count")), strict=True))
    return hashlib.sha256(json.dumps([rows, squares, sides]).encode()).hexdigest()


def _text_hashes(values: Iterable[Any]) -> NDArray[np.uint64]:
    """64 bits of the text of each value: a part of its MD5."""
    texts = (str(each).encode(errors="surrogatepass") for each in values)
    digests = b"".join(hashlib.md5(text, usedforsecurity=False).digest() for text in texts)
    return np.frombuffer(digests, dtype=">u8")[1::2].astype(np.uint64)


def shown_to_judges(
    runs: CountedSides, details: Any, record: str | None, show: Sequence[str] | None
) -> Shown | None:
    """The columns of ``details`` that judges see; None without any."""
    are_named = runs.names.has_record_names
    attributes = engines.record_attributes(details, record, show, None, are_named=are_named)
    return None if attributes is None else (attributes.columns, attributes.of)


def ask(
    runs: CountedSides,
    mark: str,
    number: Any,
    *,
    goal: Goal,
    seed: int,
    gold: Any,
    known: Any,
    shown: Shown | None,
    slices: SliceCells | None = None,
) -> Questions:
    """Draw questions about the change from one side to the other; ``mark`` is its fingerprint.

    With ``slices``, each slice has questions of its own.
    """
    check_seed(seed)
    number = check_count("n_questions", number)
    rng = np.random.default_rng(seed)
    drawn = draw_questions(runs, number, goal, slices, rng)
    records = runs.names.records
    names = {
        place: records.record(place) for place in sorted({place for pair in drawn.uses for place in pair})
    }
    certain = {} if gold is None else gold_pairs(gold)
    before = {} if known is None else known_pairs(known, "known")
    before |= {pair: (one, other, float(same)) for pair, (one, other, same) in certain.items()}
    pairs: list[_Candidate] = [
        (names[one], names[other], own, None) for (one, other), own in drawn.uses.items()
    ]
    are_numbers = all(isinstance(record, int) for record in names.values())
    pairs += [
        (*(_as_number(x) if are_numbers else x for x in records), [], same)  # type: ignore[misc]
        for *records, same in certain.values()
    ]
    diagonal = 0.0 if slices else drawn.diagonals[0]
    rows = [] if slices is None else _slice_rows(slices, drawn.diagonals)
    design = QuestionDesign(goal, seed, mark, drawn.strata, {}, diagonal, slices=rows)
    asked = _in_random_order(pairs, before, design, rng)
    if not asked:
        raise InputError("every pair was answered before, so there is nothing to ask")
    columns, values = ((), dict[Any, tuple[Any, ...]]()) if shown is None else _shown(shown, asked)
    empty = ("",) * len(columns)
    return Questions(
        [Question(q, a, b, values.get(a, empty), values.get(b, empty)) for q, a, b in asked], design, columns
    )


# Two records, the strata and weights of their question, and its answer if that is certain.
_Candidate = tuple[Any, Any, list[tuple[str, float]], bool | None]


def _in_random_order(
    pairs: Sequence[_Candidate],
    before: Mapping[Pair, tuple[str, str, float]],
    design: QuestionDesign,
    rng: np.random.Generator,
) -> list[tuple[str, Any, Any]]:
    """The questions to ask, which the design gets as well, with those that were answered ``before``.

    Order and sides are random, so neither reveals the stratum.
    """
    asked: list[tuple[str, Any, Any]] = []
    for place in rng.permutation(len(pairs)).tolist():
        one, other, own, same = pairs[place]
        if rng.random() < 0.5:
            one, other = other, one
        answer = before.get(frozenset((str(one), str(other)))) if same is None else None
        if answer is None:
            name = f"q{len(asked) + 1}"
            asked.append((name, one, other))
            design.pairs[name] = str(one), str(other)
            if same is not None:
                design.gold[name] = same
        else:
            name = f"known{len(design.known) + 1}"
            design.known[name] = answer
        if own:
            design.uses[name] = own
    return asked


def _slice_rows(slices: SliceCells, diagonals: Sequence[float]) -> list[dict[str, Any]]:
    """The slices of a design."""
    shares = (slices.weights / slices.total).astype(np.float64).tolist()
    rows = zip(map(_plain_label, slices.labels), slices.sizes.tolist(), shares, diagonals, strict=True)
    return [dict(zip(("slice", "records", "share", "diagonal"), row, strict=True)) for row in rows]


def _plain_label(label: Label) -> Any:
    """The value of a slice as JSON stores it, or a list of the values of several columns."""
    parts = label[0] if isinstance(label[0], tuple) else label  # a value may itself be of several columns
    values = [x if x is None or isinstance(x, str | int | float) else str(x) for x in map(plain, parts)]
    return values[0] if len(values) == 1 else values


def _as_number(record: str) -> int:
    try:
        return int(record)
    except ValueError:
        raise InputError(f"gold names the record {record!r}, but the records are numbers") from None


def _shown(
    shown: Shown, asked: Sequence[tuple[Any, ...]]
) -> tuple[tuple[str, ...], Mapping[Any, tuple[Any, ...]]]:
    columns, find = shown
    records = list(dict.fromkeys(record for _, *pair in asked for record in pair))
    values = find(records)
    if lacking := [record for record in records if record not in values]:
        raise InputError(
            f"details= has no row for {counted(len(lacking), 'record')} of the questions: {few(lacking)}; "
            "give each record a row"
        )
    return columns, {
        record: tuple(None if is_missing(value) else value for value in row) for record, row in values.items()
    }


def find_design(answers: Any, mark: str, questions: Any, *, is_audit: bool = False) -> QuestionDesign:
    """The design of these answers, given or in the file beside them; that of another diff is refused."""
    kind, advice = (
        ("audit", "audit the same clustering") if is_audit else ("diff", "compare the same two runs")
    )
    if isinstance(questions, Questions):
        found = [("questions=", questions._design)]
    elif isinstance(questions, (str, os.PathLike)):
        path = Path(questions)
        file = path if path.name.endswith(".design.json") else design_path(path)
        found = [(str(file), QuestionDesign.load(file))]
    elif questions is not None:
        raise ParameterError("give the questions, or the name of their file", given={"questions": ...})
    elif isinstance(answers, (str, os.PathLike)):
        beside = design_path(Path(answers))
        files = [beside] if beside.exists() else sorted(Path(answers).parent.glob("*.design.json"))
        found = [(str(file), QuestionDesign.load(file)) for file in files]
        if not found:
            raise FileError(
                f"{answers} has no design of its questions ({beside.name}) beside it; keep the file that was "
                "saved with the questions there, or name the questions"
            )
    else:
        raise ParameterError(
            "these answers are not in a file, so the design beside it cannot be found; pass questions="
        )
    fitting = [design for _, design in found if design.fingerprint == mark]
    if not fitting:
        names = ", ".join(name for name, _ in found)
        drawn = "the questions" if isinstance(questions, Questions) else f"the questions of {names}"
        raise InputError(
            f"{drawn} were drawn for another {kind}: the clusters or the weights differ from those of this "
            f"one; {advice}"
        )
    if len(fitting) > 1:
        names = ", ".join(name for name, design in found if design.fingerprint == mark)
        raise InputError(f"several designs fit this {kind}: {names}; name the questions of these answers")
    return fitting[0]
