"""Record what the public interface gives, and compare it with the record in tests/golden.

    python scripts/behaviour.py                     # compare the code at hand with the record
    python scripts/behaviour.py soft trees          # only these areas: partitions covers soft trees many diff
                                                    # samples live inputs compat names commands
    python scripts/behaviour.py soft --keys s.significance   # only keys that contain this
    python scripts/behaviour.py --update            # write the record again; commit it, and explain why
    python scripts/behaviour.py --record FILE       # write everything to one file, with whole values

The code at hand is the one that ``import concordant`` finds: with ``PYTHONPATH=/elsewhere/src`` the script
records another version. To see long differences in full, ``--record`` both versions, and diff the files.

A line is ``key<TAB>value``. A key is an expression or a command from scripts/behaviour.txt, which declares
areas, objects and calls. A value is what a user sees: ``repr`` of floats, fractions, text, JSON, frames, the
hash of a page, class and message of an error, warnings, output and status of a command. For an index, it is
what ``c["name"]``, ``c.name`` (if different) and ``c.exact("name")`` give. Long values are recorded as a hash
and their beginning. Addresses, temporary paths, versions and times are removed.

Differences are printed in groups: other error, other message, error now, no error now, other number, rounded
otherwise (below 1e-9), other text, only in the record, not in the record. The exit status is 1 if anything
differs. A difference is not a mistake in itself: explain it in the commit that makes it, and update the
record in this commit. After a merge conflict in the record, update it again.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import inspect
import io
import math
import os
import pickle
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

os.environ |= {"COLUMNS": "100", "NO_COLOR": "1", "TZ": "UTC", "MPLBACKEND": "agg", "OMP_NUM_THREADS": "1"}

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import concordant as cc
from concordant.compat import perl, permetrics, skimage, sklearn
from concordant.indices.index import INDICES

GOLDEN = Path(__file__).parents[1] / "tests" / "golden"
LONG = 120  # characters; longer values are recorded as a hash and their beginning
BEGINNING = 80
DEPTH = 2  # results of results are looked into, and their results are printed
ENTRIES = 3  # of a list that are looked into

# Attributes that documentation does not describe, or that change the object, or that need a path.
SKIPPED = {"said"}.union(
    """
    counts counted conventions table audit begin shift split_cell first_members cluster merge_numbers where
    lock save to_html plot declared objects in_memory memberships withdraw add_note with_traceback
    way_to_memory edit element membership is_whole untyped parts apply make_all
    """.split()  # noqa: SIM905  (a list would have a line for each)
)
OTHER_NAMES = """
    ARI NMI f_measure(beta=2) f_measure(b=2) adjusted_rand_score no_such_index ajusted_rand
    soft_adjusted_rand soft_rand_squared soft_matching_accuracy frobenius_adjusted_rand soft_rand
    degree_of_concordance adjusted_concordance soft_ajusted_rand
    bakers_gamma clusters_shared cophenetic_correlation dendrogram_purity tree_f triplet_agreement
    goodman_kruskal_gamma_of_heights kendall_tau_b_of_heights hierarchical_mutual_information bakers_gama
    normalised_hierarchical_mutual_information shared_cluster_f shared_cluster_precision robinson_foulds
    shared_cluster_recall split_rate jaccard_distance iq delta_precision split_rat
    """.split()  # noqa: SIM905
NAMES_OF_INDICES = sorted({*INDICES, *OTHER_NAMES})


def names() -> dict[str, Any]:
    """The names that expressions may use."""
    u, v = [0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 4, 4], ["a", "a", "b", "b", "b", "c", "c", "d", "d", "e", "e", "e"]
    ids = [f"r{i}" for i in range(12)]
    own = dict(zip(ids, u, strict=True))
    partial = dict(zip([*ids[2:], "x", "y"], v, strict=True))
    m = [[0.9, 0.1, 0], [0.8, 0.2, 0], [0.25, 0.75, 0], [0, 0.5, 0.5], [0, 0.125, 0.875], [0.5, 0.5, 0]]
    w = [[0.2, 0.8], [0.1, 0.9], [0.6, 0.4], [0.75, 0.25], [0.9, 0.1], [0.5, 0.5]]
    frame = {
        "id": ids,
        "truth": u,
        "guess": v,
        "w": [1, 2, 3, 1, 1, 1, 2, 1, 1, 4, 1, 1],
        "doc": list("ppqqrrsstttt"),
    }
    linkage = [[0, 1, 1, 2], [2, 3, 1.5, 2], [6, 4, 2, 3], [7, 8, 3, 5], [9, 5, 3, 6]]
    other = [[0, 1, 0.5, 2], [6, 2, 1, 3], [3, 4, 1, 2], [8, 5, 2, 3], [7, 9, 4, 6]]
    key = {"one": [["a"], ["b", "c"], ["d", "e", "f"]], "two": [["x", "y"]]}
    response = {"one": [["a"], ["d", "e"]], "two": [["x", "y", "z"]]}
    monday = {"p": 1, "q": 1, "r": 2, "s": 2, "t": 3, "u": 3, "v": 3, "w": 3, "x": 4, "y": 5}
    tuesday = {"p": 1, "q": 1, "r": 1, "s": 1, "t": 3, "u": 3, "v": 6, "w": 6, "x": 4, "y": 5}
    runs = {"a": u, "b": v, "c": [0] * 4 + [1] * 4 + [2] * 4, "d": list(range(12))}
    person = [i // 3 for i in range(60)]
    run = [p + 100 if i % 3 == 2 and p % 4 == 0 else p - p % 5 // 4 for i, p in enumerate(person)]
    pairs = {"l": list("aabcd"), "r": list("bcddf"), "s": [0.9, 0.8, 0.8, 0.4, 0.3]}
    truth = dict(zip("pqrstuvwxy", "aaaabbbbcd", strict=True))
    country = ["DE" if p % 3 else "FR" for p in person]
    covers = [
        cc.Cover.from_clusters([{0, 1, 2}, {2, 3, 4}, {5}, {6, 7}]),
        cc.Cover.from_clusters([{0, 1}, {1, 2, 3, 4}, {5, 6, 7}, {7}]),
    ]
    units = [0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    points = np.array([[i % 3 * 10 + i / 7, i % 3 * 5 - i % 4] for i in range(18)], dtype=float)
    libraries = {"perl": perl, "permetrics": permetrics, "skimage": skimage, "sklearn": sklearn}
    libraries |= {"cc": cc, "np": np, "pd": pd, "pl": pl, "pa": pa}
    return {**locals(), **libraries, "F": Fraction, "nan": math.nan, "fit": Centres}


class Centres:
    """A clustering algorithm that needs no library: the nearest of the first k records."""

    def __init__(self, k: int) -> None:
        self.k = k
        self.random_state = 0

    def fit_predict(self, points: Any) -> Any:
        return np.argmin(((points[:, None] - points[None, : self.k]) ** 2).sum(axis=2), axis=1)


# Areas, objects and calls. An object with a star gives every attribute, every method without
# required arguments, wrong arguments, every index, and its pickle.
CALLS = Path(__file__).with_suffix(".txt")


class Area(NamedTuple):
    """The lines of one section of the file."""

    objects: list[tuple[str, str]]
    calls: list[tuple[str, str]]
    pages: list[str]
    commands: list[str]


def areas() -> dict[str, Area]:
    """The sections of the file."""
    text = re.sub(r"\n +", " ", re.sub(r"^#.*\n", "", CALLS.read_text(encoding="utf-8"), flags=re.MULTILINE))
    found: dict[str, Area] = {}
    for line in filter(None, text.splitlines()):
        if heading := re.fullmatch(r"\[(\w+)\]", line):
            name = heading[1]
            area = found[name] = Area([], [], [], [])
        elif name == "commands":
            area.commands.append(line)
        elif object_ := re.fullmatch(r"(\w+\*?) = (.+)", line):
            area.objects.append((object_[1], object_[2]))
        else:
            owners, _, several = line.partition(":")
            for call in map(str.strip, several.split(";")):
                if owners == "pages":
                    area.pages.append(call)
                else:
                    area.calls.extend((own, call) for own in owners.split())
    return found


def judgements(diff: Any, goal: str) -> Any:
    """Answers to questions by someone who knows that three records in a row are of one entity."""
    questions = diff.ask(n_questions=30, goal=goal)
    path = questions.save("answers.csv")
    rows = pd.read_csv(path, dtype=str, keep_default_na=False)
    if "same" in rows:
        rows["same"] = [
            "yes" if int(a) // 3 == int(b) // 3 else "no"
            for a, b in zip(rows["record_a"], rows["record_b"], strict=True)
        ]
    else:
        rows["better"] = [("a", "b", "neither")[i % 3] for i in range(len(rows))]
    rows.to_csv(path, index=False)
    return diff.judged(path)


def signatures() -> dict[str, Any]:
    """Parameters of public functions and methods, without types: these may get other names inside."""
    found = {}
    for name in sorted(set(cc.__all__) - set(INDICES) - {"INDICES"}):
        value = getattr(cc, name)
        found[name] = _parameters(value)
        for attribute in dir(value) if inspect.isclass(value) else ():
            if not attribute.startswith("_") and attribute not in SKIPPED | set(INDICES):
                found[f"{name}.{attribute}"] = _parameters(getattr(value, attribute))
    return found


def _parameters(value: Any) -> str:
    try:
        given = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return type(value).__name__
    return ", ".join(str(each.replace(annotation=inspect.Parameter.empty)) for each in given)


_REPLACED = (
    (re.compile(r"id='[0-9a-f]{32}'"), "id"),
    (re.compile(r"0x[0-9a-f]{6,}"), "0x"),
    (
        re.compile(r"\b[A-Za-z_][\w.]*\(\) (?=got|missing|takes)"),
        "() ",
    ),  # the class that has the method may change
    (re.compile(r"concordant(-| )v?\d+\.\d+[\w.+]*"), r"concordant\1V"),
    (re.compile(r"(Python|NumPy|numpy|python)( |/|==)\d+\.[\w.+]*"), r"\1\2V"),
    (re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?)?"), "DATE"),
    (
        re.compile(r"\b\d{1,2} (Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{4}"),
        "DATE",
    ),
)


class Record:
    """Observations of one area, in a folder of their own."""

    def __init__(self, folder: Path, keys: str = "") -> None:
        self.found: dict[str, str] = {}
        self.folder = folder
        self.keys = keys
        self.version = str(cc.__version__)

    def clean(self, text: str) -> str:
        """Without what changes from run to run, on one line."""
        text = (
            text.replace(str(self.folder.resolve()), "TMP")
            .replace(str(self.folder), "TMP")
            .replace(self.version, "V")
        )
        for pattern, replacement in _REPLACED:
            text = pattern.sub(replacement, text)
        return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")

    def put(self, key: str, text: str) -> None:
        self.found[self.clean(key)] = self.clean(text)

    def run(self, key: str, call: Callable[[], Any], show: Callable[[Any], str] | None = None) -> Any:
        """Call, and record what it gives: the value, the error, and warnings."""
        value, text = None, ""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                value = call()
                text = (show or self.shown)(value)
            except Exception as error:  # noqa: BLE001  (any error is an observation)
                notes = "".join(f" [{note}]" for note in getattr(error, "__notes__", ()))
                text = f"!{type(error).__name__}: {error}{notes}"
                value = None
        text += "".join(
            f" ~{w.category.__name__}: {w.message}"
            for w in caught
            if "concordant" in str(w.category) or w.category is UserWarning
        )
        self.put(key, text)
        return value

    def shown(self, value: Any, depth: int = 0) -> str:  # noqa: PLR0911  (a kind of value is a line)
        """A value as text: the same for equal values."""
        if value is None or isinstance(value, str | bytes | bool | int | float | Fraction | np.generic):
            return str(value) if isinstance(value, str) and not depth else repr(value)
        if isinstance(value, Path):
            return f"Path {value.name}"
        if isinstance(value, np.ndarray):
            return f"array {value.dtype} {value.tolist()!r}"
        if isinstance(value, pd.DataFrame):
            return f"pandas {dict(value.dtypes.astype(str))} {value.index.tolist()} {value.to_dict('list')}"
        if isinstance(value, pl.DataFrame):
            return f"polars {dict(value.schema)} {value.to_dict(as_series=False)}"
        if isinstance(value, pa.Table):
            return f"arrow {value.schema} {value.to_pydict()}"
        if depth > 6:
            return type(value).__name__
        if _ours(value):
            return self.printed(value, depth)
        if isinstance(value, Mapping):
            return "{" + ", ".join(f"{k!r}: {self.shown(v, depth + 1)}" for k, v in value.items()) + "}"
        if isinstance(value, AbstractSet):
            return "{" + ", ".join(sorted(self.shown(each, depth + 1) for each in value)) + "}"
        if isinstance(value, Sequence) or inspect.isgenerator(value):
            return "[" + ", ".join(self.shown(each, depth + 1) for each in value) + "]"
        if callable(value):
            return f"{type(value).__name__} {getattr(value, '__name__', '')}"
        return repr(value)

    def printed(self, value: Any, depth: int) -> str:
        """An object of concordant: its ``repr``, and its text if this differs."""
        short, text = repr(value), str(value)
        if re.match(r"<[\w.]+ object at 0x", short):
            short = type(value).__name__
        return short if text == repr(value) or depth > 1 else f"{short} | {text}"

    def look(self, key: str, value: Any, depth: int = 0) -> None:
        """Record every attribute and method of a result, and of the results that these give."""
        attributes = [each for each in dir(value) if not each.startswith("_") and each not in SKIPPED]
        for name in attributes:
            if name in INDICES or (hasattr(type(value), name) and name in NAMES_OF_INDICES):
                continue
            found = self.run(
                f"{key}.{name}",
                lambda name=name: getattr(value, name),
                lambda got: "" if callable(got) and not _ours(got) else self.shown(got),
            )
            if callable(found) and not _ours(found):
                del self.found[self.clean(f"{key}.{name}")]
                found = self.method(f"{key}.{name}", found, wrong=depth == 0)
                name += "()"  # noqa: PLW2901
            self.inner(f"{key}.{name}", found, depth)
        if hasattr(value, "_repr_html_"):
            self.run(f"{key}._repr_html_()", value._repr_html_)  # as a notebook shows it
        for name in ("len", "list", "dict", "bool"):
            if hasattr(type(value), {"len": "__len__", "bool": "__bool__"}.get(name, "__iter__")):
                self.run(f"{name}({key})", lambda name=name: _BUILT_IN[name](value))
        if depth == 0:
            self.run(f"{key} == {key}", lambda: value == value)  # noqa: PLR0124
            self.run(f"{key}.x = 1", lambda: setattr(value, "x", 1))
            self.run(f"{key}.no_such_name", lambda: value.no_such_name)
            self.run(f"format({key}, 'all')", lambda: format(value, "all"))
        self.run(f"pickle({key})", lambda: self.pickled(value))

    def method(self, key: str, method: Callable[..., Any], *, wrong: bool) -> Any:
        """Call a method without arguments, and with each option wrong."""
        try:
            parameters = inspect.signature(method).parameters.values()
        except (TypeError, ValueError):
            return None
        if any(
            each.default is each.empty
            and each.kind is not each.VAR_POSITIONAL
            and each.kind is not each.VAR_KEYWORD
            for each in parameters
        ):
            return None
        value = self.run(f"{key}()", method)
        if wrong:
            for each in parameters:
                if each.kind is each.KEYWORD_ONLY or each.default is not each.empty:
                    self.run(f"{key}({each.name}='wrong')", lambda each=each: method(**{each.name: "wrong"}))
                    self.run(f"{key}({each.name}=-1)", lambda each=each: method(**{each.name: -1}))
            self.run(f"{key}(no_such_option=1)", lambda: method(no_such_option=1))
        return value

    def inner(self, key: str, value: Any, depth: int) -> None:
        """Look into what an attribute gives."""
        if depth + 1 >= DEPTH or type(value).__name__ in cc.__all__:
            return
        if _ours(value):
            self.look(key, value, depth + 1)
        if isinstance(value, Sequence) and not isinstance(value, str):
            for number, each in enumerate(value[:ENTRIES]):
                if _ours(each):
                    self.look(f"{key}[{number}]", each, depth + 1)

    def pickled(self, value: Any) -> str:
        again = pickle.loads(pickle.dumps(value))  # noqa: S301  (our own object)
        same = self.clean(self.shown(again)) == self.clean(self.shown(value))
        return f"{type(again).__name__}, prints the same: {same}"

    def indices(self, key: str, value: Any) -> None:
        """Every index: by name, as an attribute if this differs, and exactly."""
        for name in NAMES_OF_INDICES:
            self.run(f"{key}[{name!r}]", lambda name=name: self.index(value, name), str)
            if key in ("c", "s", "t", "truth") and name.isidentifier():
                for call in (f"interval({name!r})", f"significance({name!r}, permutations=29)"):
                    self.run(f"{key}.{call}", lambda call=call: evaluate(f"value.{call}", {"value": value}))

    def index(self, value: Any, name: str) -> str:
        """The results of three ways to ask for an index."""
        ways = [lambda: value[name], lambda: getattr(value, name), lambda: value.exact(name)]
        texts = [self.outcome(way) for way in ways[: None if hasattr(value, "exact") else 2]]
        if texts[1] == texts[0] or not name.isidentifier():
            texts[1] = ""
        return " | ".join(texts)

    def outcome(self, call: Callable[[], Any]) -> str:
        try:
            return self.shown(call())
        except Exception as error:  # noqa: BLE001  (any error is an observation)
            return f"!{type(error).__name__}: {error}"

    def page(self, path: Path) -> str:
        """The length and hash of a page."""
        text = self.clean(path.read_text(encoding="utf-8"))
        return f"page of {len(text)} characters {_digest(text)}"


_BUILT_IN: dict[str, Callable[[Any], Any]] = {"len": len, "list": list, "dict": dict, "bool": bool}


def _ours(value: Any) -> bool:
    return type(value).__module__.partition(".")[0] == "concordant" and not isinstance(
        value, str | int | float
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def write_files(given: Mapping[str, Any]) -> None:
    """The files that expressions and commands read, in the current folder."""
    frame, v = given["frame"], given["v"]

    def table(name: str, header: str, *columns: Iterable[Any]) -> None:
        rows = [",".join(map(str, row)) for row in zip(*columns, strict=True)]
        Path(name).write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")

    table("truth.csv", "id,label", frame["id"], frame["truth"])
    table("guess.csv", "id,label", frame["id"], v)
    table("partial.csv", "id,label", given["partial"], given["partial"].values())
    table("sample.csv", "id,label", frame["id"][:8], frame["truth"][:8])
    table("all.csv", ",".join(frame), *frame.values())
    table(
        "soft.csv",
        "id,c,w",
        [each for each in frame["id"] for _ in "xy"],
        ["x", "y"] * 12,
        [0.25, 0.75, 0.5, 0.5] * 6,
    )
    table(
        "pairs.csv",
        "id_l,id_r,s",
        ["r0", "r1", "r3", "r5", "r6"],
        ["r1", "r2", "r4", "r6", "r8"],
        [0.9, 0.8, 0.8, 0.4, 0.3],
    )
    Path("a.nwk").write_text("((r0,r1,r2),(r3,(r4,r5)),r6);", encoding="utf-8")
    Path("b.nwk").write_text("((r0,r1),((r3,r2),(r4,r5)),r6);", encoding="utf-8")
    for name, first in (("key", [[[0, 1], [3, 3]], [[5, 6]]]), ("response", [[[0, 1]], [[3, 3], [5, 6]]])):
        lines = [
            f'{{"doc_key": "one", "clusters": {first}}}',
            '{"doc_key": "two", "clusters": [[[0, 0], [2, 2]]]}',
        ]
        Path(f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def observe(area: Area, folder: Path) -> dict[str, str]:
    """All observations of one area."""
    record = Record(folder)
    given = {**names(), "judgements": judgements, "signatures": signatures}
    write_files(given)
    made: dict[str, Any] = {}
    for spelling, expression in area.objects:
        own, looked = spelling.rstrip("*"), spelling.endswith("*")
        value = record.run(f"{own} = {expression}", partial(evaluate, expression, given))
        if value is None:
            continue
        made[own] = value
        if hasattr(value, "to_json"):
            record.run(f"{own}.to_json()", value.to_json)
        if looked:
            if hasattr(type(value), "__getitem__"):
                record.indices(own, value)
            record.look(own, value)
    given |= made
    for own, call in area.calls:
        expression = own + call if call.startswith("[") else f"{own}.{call}"
        if own in made:
            record.run(expression, partial(evaluate, expression, given))
    for expression in area.pages:
        if expression.partition(".")[0] in made:
            record.run(expression, partial(picture, record, expression, given))
    for line in area.commands:
        record.run(f"concordant {line}", partial(command, record, line))
    return record.found


def evaluate(expression: str, given: Mapping[str, Any]) -> Any:
    return eval(expression, dict(given))  # noqa: S307  (the expressions of this file)


def picture(record: Record, expression: str, given: Mapping[str, Any]) -> str:
    """The result of a call that writes a page or draws a chart."""
    path = record.folder / "page.html"
    value = evaluate(expression, {**given, "P": path})
    if isinstance(value, Path):
        return record.page(value)
    html = value._repr_html_() if hasattr(value, "_repr_html_") else record.shown(value)
    return f"{type(value).__name__} {_digest(record.clean(html))}"


def command(record: Record, line: str) -> str:
    """The output, the errors and the status of a command, and the page that it writes."""
    from concordant.cli import main as concordant

    out, err, status = io.StringIO(), io.StringIO(), None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            concordant(line.split())
        except SystemExit as left:
            status = left.code
    page = Path("page.html")
    written = record.page(page) if page.exists() else ""
    page.unlink(missing_ok=True)
    return f"status {status}\n{out.getvalue()}\nerrors: {err.getvalue()} {written}"


def recorded(found: Mapping[str, str], *, whole: bool = False) -> Iterator[str]:
    """Lines of a record, sorted; long values as a hash and their beginning unless whole."""
    for key, value in sorted(found.items()):
        yield f"{key}\t{value if whole or len(value) <= LONG else f'{_digest(value)} {value[:BEGINNING]}…'}"


def differences(name: str, old: Mapping[str, str], new: Mapping[str, str], whole: Mapping[str, str]) -> int:
    """Print what differs, grouped by kind of difference and by what a value was and is."""
    groups: dict[str, list[str]] = {}
    for key in sorted({*old, *new}):
        before, now = old.get(key), new.get(key)
        if before == now:
            continue
        kind = (
            "only in the record"
            if now is None
            else "not in the record"
            if before is None
            else _kind(before, now)
        )
        groups.setdefault(kind, []).append(f"{key}\n      - {before}\n      + {whole.get(key, '')[:1000]}")
    for kind, entries in groups.items():
        print(f"{name}: {len(entries)} {kind}")
        for entry in entries:
            print(f"    {entry}")
    return sum(map(len, groups.values()))


def _kind(before: str, now: str) -> str:
    """The kind of difference between two values."""
    if before.startswith("!") and now.startswith("!"):
        return (
            "other error"
            if before.split(":", maxsplit=1)[0] != now.split(":", maxsplit=1)[0]
            else "other message"
        )
    if before.startswith("!") or now.startswith("!"):
        return "error now" if now.startswith("!") else "no error now"
    number = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
    if number.sub("#", before) == number.sub("#", now):
        pairs = zip(map(float, number.findall(before)), map(float, number.findall(now)), strict=True)
        return (
            "rounded otherwise"
            if all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) for a, b in pairs)
            else "other number"
        )
    return "other text"


def main() -> None:
    """Record or compare the areas that were chosen."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("areas", nargs="*", help=f"of {', '.join(areas())}; all unless given")
    parser.add_argument("--keys", default="", help="only keys that contain this")
    parser.add_argument("--record", type=Path, help="write to this file, with whole values")
    parser.add_argument("--update", action="store_true", help="write the record in tests/golden")
    chosen = parser.parse_args()
    print(f"concordant in {Path(cc.__file__).parent}", file=sys.stderr)
    lines, different, home = [], 0, Path.cwd()
    for name, area in areas().items():
        if chosen.areas and name not in chosen.areas:
            continue
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            found = observe(area, Path(folder))
            os.chdir(home)
        found = {key: value for key, value in found.items() if chosen.keys in key}
        path = GOLDEN / f"behaviour-{name}.txt"
        if chosen.record:
            lines += [f"{name}: {line}" for line in recorded(found, whole=True)]
        elif chosen.update:
            path.write_text("\n".join(recorded(found)) + "\n", encoding="utf-8")
        else:
            lines_before = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
            old = dict(line.split("\t", 1) for line in lines_before)
            old = {key: value for key, value in old.items() if chosen.keys in key}
            new = dict(line.split("\t", 1) for line in recorded(found))
            different += differences(name, old, new, found)
    if chosen.record:
        chosen.record.write_text("\n".join(lines) + "\n", encoding="utf-8")
    elif not chosen.update:
        print(f"{different} differences")
        sys.exit(different > 0)


if __name__ == "__main__":
    main()
