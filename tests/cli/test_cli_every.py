"""What holds for every command: gates, JSON, files for the answer, and options that change something."""

import csv
import json
import os
import re
import string
from functools import cache
from pathlib import Path

import builders
import polars as pl
import pytest
import typer
from cases import every_case
from commands import write
from contract.sources import MODULES, PACKAGE
from contract.vocabulary import words
from inner import COMMAND_MODULES, app, as_json

import concordant as cc

CLICK = typer.main.get_command(app).commands
COMMANDS = {each.name: each for each in app.registered_commands}
FIRST, SECOND, THIRD = builders.CLUSTERINGS.values()
KEY = '{"doc_key": "d", "clusters": [[[0, 0], [1, 1]], [[3, 3]]]}\n'
RESPONSE = '{"doc_key": "d", "clusters": [[[0, 0], [1, 1], [2, 2]]]}\n'
PAIRS = ["--left", "left", "--right", "right", "--score", "score"]


def table_of(clusters):
    return "record,cluster\n" + "".join(f"{record},{each}\n" for record, each in clusters.items())


@pytest.fixture
def example(run):
    """The arguments of an example of a command, whose files are in the folder of the test."""
    assert run
    for name, path in builders.files().items():
        write(f"{name}.csv", path.read_bytes())
    for name in ("reference.nwk", "candidate.nwk", "audited.design.json"):
        write(name, builders.path(name).read_bytes())
    write("key.jsonl", KEY)
    write("response.jsonl", RESPONSE)

    def example(command):
        if command in ("indices", "explain", "cite"):
            return {"explain": ["rand"], "cite": ["rand"]}.get(command, [])
        if command == "coref":
            return ["key.jsonl", "response.jsonl"]
        return [
            each.replace(f"{builders.path('x').parent}/", "")
            for each in map(str, builders.command_arguments(command))
        ]

    return example


def test_every_command_is_listed_with_the_module_that_declares_it():
    declared = {
        command: ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        for path in MODULES
        for command in re.findall(r'^@command\(\s*"([\w-]+)"', path.read_text("utf-8"), re.MULTILINE)
    }
    words = "edit MODULES in src/concordant/cli/__init__.py, or commands in the module kind of a subject"
    assert declared == COMMAND_MODULES, words


# -- gates ------------------------------------------------------------------------------------------------

# Of each command: an index, a limit that it passes, and one that it misses, with options that it needs.
GATES = {
    "compare": ("adjusted_rand", 0, 1),
    "suggest": ("bcubed_f", 0, 1),
    "diff": ("f_measure", 0, 1),
    "audit": ("precision", 0, 1),
    "matrix": ("adjusted_rand", -0.5, 1),
    "track": ("birth", 1, 9),
    "consensus": ("loss", 9, 0.1),
    "stability": ("jaccard", 0, 1),
    "rank": ("f_measure", 0, 1),
    "coref": ("muc", 0.5, 1),
    "estimate": ("precision", 0, 1),
    "thresholds": ("adjusted_rand", 0, 1),
    "trees": ("cophenetic_correlation", -1, 1),
}
DISTANCES = ("split", "loss")
# Gates of a row: one that it passes, although another row does not, and a name that there is not.
ROWS = {
    "matrix": ("third:adjusted_rand=0.3", "zzz:adjusted_rand=0"),
    "diff": ("after:f_measure=0.42", "zzz:f_measure=0"),
    "rank": ("c:f_measure=0.4", "zzz:f_measure=0"),
    "stability": ("0:jaccard=0.8", "zzz:jaccard=0"),
    "coref": ("recall:muc=1", "zzz:muc=0"),
}
# Options for intervals, and a lower bound that is met.
INTERVALS = {
    "compare": (["--interval"], "adjusted_rand.low=-0.5"),
    "matrix": (["--interval"], "adjusted_rand.low=-0.5"),
    "diff": (["--interval"], "f_measure.low=-1"),
    "rank": ([], "f_measure.low=-1"),
    "stability": ([], "jaccard.low=0.1"),
    "estimate": ([], "precision.low=0"),
    "audit": ([], "precision.low=0"),
}


def option_of(index):
    return "--fail-over" if index in DISTANCES else "--fail-under"


def test_every_command_that_prints_indices_has_an_example_of_a_gate():
    assert set(GATES) == {name for name, each in words("commands").items() if each["numbers"]}


@every_case("command", GATES)
def test_a_gate(run, example, command):
    index, passed, missed = GATES[command]
    arguments = [command, *example(command)]
    ran = run(*arguments)
    assert ran.status == 0
    if command == "thresholds":
        arguments += ["--at", "0.4"]
    held = run(*arguments, option_of(index), f"{index}={passed}")
    assert (held.status, held.out, held.err) == (0, ran.out, ran.err)
    failed = run(*arguments, option_of(index), f"{index}={missed}")
    assert (failed.status, failed.out) == (1, ran.out)
    extent = "most" if index in DISTANCES else "least"
    assert f"concordant: {index}" in failed.err
    assert f"; it should be at {extent} {float(missed)!r}" in failed.err
    both = run(*arguments, option_of(index), f"{index}={passed}", option_of(index), f"{index}={missed}")
    assert both.status == 1


@every_case("command", GATES)
def test_a_gate_of_an_unknown_index_is_refused(fails, example, command):
    for option in ("--fail-under", "--fail-over"):
        assert "'no_such_index'" in fails(command, *example(command), option, "no_such_index=0.5")


@every_case("command", GATES)
def test_a_gate_of_a_bound(run, fails, example, command):
    arguments = [command, *example(command)]
    index = GATES[command][0]
    if command not in INTERVALS:
        assert index in fails(*arguments, option_of(index), f"{index}.low=0.5")
        return
    options, passed = INTERVALS[command]
    if options:
        assert f"this needs {options[0]}" in fails(*arguments, "--fail-under", passed)
    assert run(*arguments, *options, "--fail-under", passed).status == 0
    failed = run(*arguments, *options, "--fail-under", f"{index}.low=1")
    assert failed.status == 1
    assert f"{index}.low" in failed.err


@every_case("command", ROWS)
def test_a_gate_without_a_name_is_for_every_row(run, fails, example, command):
    passed, unknown = ROWS[command]
    arguments = [command, *example(command)]
    assert run(*arguments, "--fail-under", passed).status == 0
    if command != "coref":  # where it is for F1
        assert run(*arguments, "--fail-under", passed.partition(":")[2]).status == 1
    assert "'zzz'" in fails(*arguments, "--fail-under", unknown)


def test_gates_of_coreference_take_every_spelling(run, fails, example):
    arguments = ["coref", *example("coref")]
    found = cc.coreference("key.jsonl", "response.jsonl")
    for spelling in (
        "muc",
        "MUC",
        "B-cubed",
        "bcubed",
        "CEAF-e",
        "ceaf_m",
        "blanc",
        "LEA",
        "mentions",
        "CoNLL",
    ):
        value = found[spelling].f1
        assert run(*arguments, "--fail-under", f"{spelling}={value}").status == 0
        assert run(*arguments, "--fail-under", f"{spelling}={value + 1e-9}").status == 1
        assert run(*arguments, "--fail-over", f"{spelling}={value - 1e-9}").status == 1
    assert "conll" in fails(*arguments, "--fail-under", "precision:conll=0.1")


# -- JSON ------------------------------------------------------------------------------------------------


def tree_comparison():
    trees = [cc.Hierarchy.from_newick(Path(f"{side}.nwk")) for side in ("reference", "candidate")]
    return cc.compare(*trees, names=["reference", "candidate"])


def thresholds():
    joined = cc.Hierarchy.from_pairs("pairs.csv", left="left", right="right", score="score")
    return cc.compare(cc.Partition.scan("first.csv"), joined, names=["first", "pairs"])


def named(*names):
    return {name: {"first": FIRST, "second": SECOND, "third": THIRD}[name] for name in names}


OF_TREES = ["cophenetic_correlation", "bakers_gamma", "shared_cluster_f1", "triplet_agreement"]
# The result of Python for the example of each command.
IN_PYTHON = {
    "compare": lambda: cc.compare(FIRST, SECOND, names=["first", "second"]),
    "suggest": lambda: cc.compare(FIRST, SECOND, names=["first", "second"]).suggest(),
    "diff": lambda: cc.diff(SECOND, THIRD, reference=FIRST, names=["second", "third", "first"]),
    "ask": lambda: cc.diff(SECOND, THIRD, names=["second", "third"]).ask(),
    "audit": lambda: cc.audit(SECOND).judged("audited.csv"),
    "rank": lambda: cc.rank(FIRST, {"b": SECOND, "c": THIRD}),
    "matrix": lambda: cc.matrix(named("first", "second", "third")),
    "track": lambda: cc.track(named("first", "second", "third")),
    "consensus": lambda: cc.consensus(named("first", "second", "third")),
    "stability": lambda: cc.stability(named("first", "second", "third")),
    "estimate": lambda: cc.estimate(FIRST, SECOND, sampling="clusters", names=["first", "second"]),
    "sample-size": lambda: cc.sample_size([2, 2, 2, 2], sampling="records"),
    "coref": lambda: cc.coreference("key.jsonl", "response.jsonl"),
    "thresholds": thresholds,
    "trees": tree_comparison,
}
# The lists that two commands show beside their result without being asked.
PARTS = {
    "thresholds": lambda c: {
        "best": {name: c.best_cut(name).to_dict() for name in ("f_measure", "bcubed_f")},
        "curves": {
            name: c.curve(name).to_dict() for name in ("precision", "recall", "f_measure", "bcubed_f")
        },
    },
    "trees": lambda c: {"changes": c.changes().to_dict()},
}
WITHOUT_RESULT = {"indices", "explain", "cite"}


def test_every_command_has_a_result_in_python():
    assert set(IN_PYTHON) == set(COMMANDS) - WITHOUT_RESULT


def plain(document):
    """What JSON makes of a document."""
    return json.loads(as_json(document)) if not isinstance(document, str) else json.loads(document)


@every_case("command", IN_PYTHON)
def test_json_is_that_of_python(run, example, command):
    printed = json.loads(run(command, *example(command), "--json").out)
    result = IN_PYTHON[command]()
    indices = {"indices": OF_TREES} if command == "trees" else {}
    parts = PARTS[command](result) if command in PARTS else None
    assert printed.pop("parts", None) == (None if parts is None else plain(parts))
    assert printed == json.loads(result.to_json(**indices))


HEAD = ["schema", "version", "signature", "headline", "size", "names", "omitted", "conventions", "data"]
# Of commands that print other documents with some options: these options.
OTHER_JSON = {"suggest": ["--steps", "2"], "explain": ["--choose"]}


@every_case("command", COMMANDS)
def test_every_json_is_strict_and_has_the_same_head(run, example, command):
    def refuse(constant):
        raise ValueError(constant)

    wanted = ["schema", "version", "headline", "data"] if command in WITHOUT_RESULT else HEAD
    arguments = [example(command)]
    if command in OTHER_JSON:
        arguments.append([*([] if command == "explain" else arguments[0]), *OTHER_JSON[command]])
    for given in arguments:
        found = json.loads(run(command, *given, "--json").out, parse_constant=refuse)
        assert [key for key in found if key != "parts"] == wanted
        assert re.fullmatch(r"concordant\.[a-z_]+/1", found["schema"])
        assert found["headline"]
        if command not in WITHOUT_RESULT:
            assert found["signature"].startswith(f"concordant {cc.__version__} | n={found['size']}")
            kinds = {"size": int, "names": list, "omitted": dict, "conventions": str}
            assert {key: type(found[key]) for key in kinds} == kinds


@every_case("command", ["compare", "suggest", "sample-size"])
def test_json_names_the_records_that_noise_omits(run, command):
    write("noise.csv", "record,cluster\na,1\nb,1\nc,2\nd,2\ne,-1\n")
    files = ["noise.csv"] * (1 if command == "sample-size" else 2)
    options = ["--sampling", "records"] if command == "sample-size" else []
    given = [*files, *options, "--noise", "-1", "--noise-as", "drop"]
    found = json.loads(run(command, *given, "--json").out)
    assert found["size"] == 4
    assert sum(found["omitted"].values())
    assert "-1" in found["conventions"]
    assert found["conventions"] in found["signature"]


# -- options ---------------------------------------------------------------------------------------------

# A value of each option that changes the answer or is refused, after the options that it needs. An option
# that changes only how an answer is computed gets a value that it has to refuse.
BY_UNIT = ["--record", "record", "--cluster", "cluster", "--unit", "unit"]
NAMED = ["--record", "record", "--cluster", "cluster"]
VALUES = {
    "columns": ([], "no,such"),
    "record": ([], "cluster"),
    "cluster": ([], "record"),
    "format": ([], "clusters"),
    "separator": ([], ";"),
    "header": ([], None),
    "encoding": ([], "utf-16"),
    "engine": ([], "sqlite"),
    "memory": ([], "much"),
    "threads": ([], 2**31),
    "nulls": ([], "singletons"),
    "unmatched": ([], "drop"),
    "weights": (NAMED, "weight"),
    "between": (NAMED, "weight"),
    "same": ([], "decided.csv"),
    "different": ([], "decided.csv"),
    "limit": ([], 1),
    "repeated": ([], "first"),
    "noise": (["--noise-as", "drop"], "x"),
    "noise-as": (["--noise", "x"], "drop"),
    "reference-noise": ([], "a=drop"),
    "candidate-noise": ([], "x=drop"),
    "undefined": ([], "nan"),
    "table-limit": ([], -1),
    "membership": ([], "weight"),
    "remainder": (["--membership", "weight"], "alone"),
    "normalise": (["--membership", "weight"], None),
    "index": ([], "jaccard"),
    "all": ([], None),
    "list": ([], "no such list"),
    "by": (["--details", "details.csv"], "city"),
    "details": (["--by", "city"], "details.csv"),
    "show": (["--details", "details.csv", "--html", "page.html"], "name"),
    "images": (["--details", "details.csv", "--html", "page.html"], "picture"),
    "html": ([], "page.html"),
    "json": ([], None),
    "markdown": ([], None),
    "output": ([], "answer.csv"),
    "labels": ([], "labels.csv"),
    "significance": ([], None),
    "tail": (["--significance"], "lower"),
    "method": (["--significance"], "permutations"),
    "n-resamples": (["--significance", "--method", "permutations"], 7),
    "interval": ([], None),
    "confidence": (["--interval"], 0.5),
    "seed": (["--significance", "--method", "permutations"], 5),
    "kind": ([], "merge"),
    "steps": ([], 1),
    "reference": ([], "first.csv"),
    "answers": ([], "questions.csv"),
    "n-questions": ([], 2),
    "near": ([], 0.1),
    "majority": ([], 0.9),
    "share": ([], 0.99),
    "relabel": ([], None),
    "loss": ([], "binder"),
    "vi-weight": ([], 0.1),
    "clustering-weights": ([], "9,1,1"),
    "absent": ([], "zero"),
    "dissolved": ([], 0.9),
    "recovered": ([], 0.99),
    "baseline": ([], "c"),
    "margin": ([], 0.3),
    "correction": ([], "max_t"),
    "levels": ([], 2),
    "left": ([], "right"),
    "right": ([], "left"),
    "score": ([], "left"),
    "curve": ([], "rand"),
    "n-draws": ([], 3),
    "sampling": ([], "records"),
    "population": ([], 9),
    "largest-cluster": (NAMED, 50),
    "times": ([], "no such column"),
    "sampling-weights": ([], "no such column"),
    "value": ([], 0.6),
    "within": ([], 0.4),
    "assurance": (NAMED, 0.99),
    "unit": ([], "component"),
    "unit-sizes": ([*BY_UNIT, "--interval"], "sizes.txt"),
    "singletons": ([], "remove"),
    "documents": ([], None),
    "clusters": ([], "mentions"),
    "digits": ([], "cut"),
    "family": ([], "cover"),
    "choose": ([], None),
    "fail-under": ([], "rand=2"),
    "fail-over": ([], "rand=-2"),
}
# Those that differ from command to command.
VALUES_OF = {
    ("compare", "by"): (["--details", "details.csv"], "city"),
    ("compare", "seed"): (["--significance", "--method", "permutations", "--n-resamples", 9], 5),
    ("compare", "unit"): (["--interval"], "component"),
    ("compare", "limit"): (["--list", "clusters"], 1),
    ("diff", "limit"): (["--list", "records"], 1),
    ("stability", "limit"): (["--list", "records"], 1),
    ("trees", "limit"): ([], 0),
    ("diff", "reference"): ([], "third.csv"),
    ("diff", "outcome"): (["--list", "clusters"], "fixed"),
    ("diff", "unit"): (["--interval"], "component"),
    ("ask", "by"): (["--details", "details.csv"], "city"),
    ("ask", "details"): ([], "details.csv"),
    ("ask", "show"): (["--details", "details.csv"], "name"),
    ("ask", "gold"): ([], "gold.csv"),
    ("ask", "known"): ([], "gold.csv"),
    ("ask", "questions"): ([], "first.csv"),
    ("ask", "seed"): ([], 5),
    ("diff", "questions"): (["--answers", "questions.csv"], "no such file"),
    ("audit", "questions"): ([], "no such file"),
    ("audit", "answers"): ([], "no such file"),
    ("audit", "confidence"): ([], 7),
    ("audit", "details"): ([], "details.csv"),
    ("audit", "show"): ([], "name"),
    ("audit", "gold"): ([], "gold.csv"),
    ("audit", "known"): ([], "gold.csv"),
    ("audit", "seed"): ([], 5),
    ("diff", "confidence"): (["--answers", "gold.csv"], 7),
    ("estimate", "confidence"): ([], 0.5),
    ("estimate", "strata"): ([], "x=3"),
    ("estimate", "unit"): ([], "entity"),
    ("estimate", "n-draws"): (["--sampling", "records"], 3),
    ("estimate", "sampling"): (["--n-draws", "3"], "records"),
    ("rank", "confidence"): ([], 0.5),
    ("rank", "n-resamples"): (BY_UNIT, 5),
    ("rank", "seed"): ([*BY_UNIT, "--n-resamples", 50], 5),
    ("sample-size", "confidence"): ([], 0.5),
    ("sample-size", "sampling"): ([], "clusters"),
    ("stability", "confidence"): ([], 0.5),
    ("stability", "seed"): ([], 5),
    ("stability", "reference"): ([], "second"),
    ("stability", "absent"): (["--reference", "first"], "zero"),
    ("stability", "recovered"): ([], 0.6),
    ("suggest", "undefined"): (["--index", "precision"], "nan"),
    ("matrix", "reference"): ([], "second"),
    ("suggest", "labels"): (["--steps", "1"], "labels.csv"),
    ("thresholds", "at"): (["--labels", "labels.csv"], "0.8"),
    ("trees", "index"): ([], "robinson_foulds"),
    ("trees", "undefined"): (["--curve", "precision"], "nan"),
    ("consensus", "seed"): ([], -1),
    ("consensus", "n-restarts"): ([], 0),
}
# Other files for some options: without the option, they are an error, or it has no meaning.
FIRST_WEIGHTS = pl.DataFrame({"record": [*FIRST], "cluster": [*FIRST.values()], "weight": range(1, 9)})
SOFT = "record,cluster,weight\n" + "".join(f"{record},{each},0.5\n" for record, each in FIRST.items())
UNIT_ROWS = [(f"{unit}{row}", f"{unit}{row % 2}", unit) for unit in string.ascii_letters for row in range(4)]
UNITS = {
    "first.csv": "".join(
        map("{},{},{}\n".format, *zip(("record", "cluster", "unit"), *UNIT_ROWS, strict=True))
    ),
    "second.csv": table_of({record: f"{unit}{i % 7 > 3}" for i, (record, _, unit) in enumerate(UNIT_ROWS)}),
    "third.csv": table_of({record: f"{unit}{i % 4 > 1}" for i, (record, _, unit) in enumerate(UNIT_ROWS)}),
}
FILES = {
    "membership": {"first.csv": SOFT.replace("0.5", "1"), "second.csv": SOFT.replace("0.5", "1")},
    "remainder": {"first.csv": SOFT, "second.csv": SOFT},
    "normalise": {"first.csv": SOFT, "second.csv": SOFT},
    ("rank", "n-resamples"): UNITS,
    "unit-sizes": {**UNITS, "sizes.txt": "4\n4\n400\n"},
    "largest-cluster": {**UNITS, "first.csv": "".join(UNITS["first.csv"].splitlines(keepends=True)[:81])},
    "assurance": {"first.csv": UNITS["first.csv"]},
    ("rank", "seed"): UNITS,
    ("suggest", "undefined"): {"second.csv": table_of({record: record for record in SECOND})},
    ("audit", "weights"): {
        "second.csv": FIRST_WEIGHTS.with_columns(cluster=pl.Series(list(SECOND.values()))).write_csv()
    },
    ("suggest", "weights"): {"first.csv": FIRST_WEIGHTS.write_csv()},
    ("stability", "absent"): {"second.csv": table_of(dict([*SECOND.items()][2:]))},
    "nulls": {"first.csv": table_of(FIRST | {"r0": ""}), "second.csv": table_of(SECOND | {"r0": ""})},
    "unmatched": {
        "first.csv": table_of({record: FIRST[record] for record in FIRST if record != "r0"}),
        "second.csv": table_of({record: SECOND[record] for record in SECOND if record != "r1"}),
        "candidate.nwk": "((r0,r2),(r1,r4));",
    },
    "weights": dict.fromkeys(("first.csv", "second.csv"), FIRST_WEIGHTS.write_csv()),
    "between": dict.fromkeys(("first.csv", "second.csv"), FIRST_WEIGHTS.write_csv()),
    "header": {
        f"{name}.csv": table_of(each).partition("\n")[2] for name, each in builders.CLUSTERINGS.items()
    },
    "repeated": {"key.jsonl": KEY.replace("[[3, 3]]", "[[0, 0]]")},
}


@pytest.fixture
def answer(run, example):
    """What a command writes: its status, and the content of standard output and of each new file."""
    rows = [f'{each},{"pq"[i % 2]},n{i},"data:image/png;base64,AA=="' for i, each in enumerate(FIRST)]
    write("decided.csv", "record_a,record_b,same\nr2,r4,no\nr0,r2,yes\n")
    write("details.csv", "\n".join(["record,city,name,picture", *rows]) + "\n")
    known = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in Path().iterdir()}

    def restore(path):
        """Write a file again that was given other content, and keep the others, as there are many runs."""
        content, time = known[path.name]
        if path.stat().st_mtime_ns != time:
            path.write_bytes(content)
            os.utime(path, ns=(time, time))

    @cache
    def answer(command, *options, of=None):
        files = FILES.get((command, of), FILES.get(of, {}))
        for name, text in files.items():
            write(name, text)
        ran = run(command, *example(command), *options)
        new = [path for path in Path().iterdir() if path.name not in known]
        written = {path.name: path.read_bytes() for path in new}
        for path in new:
            path.unlink()
        for name in known:
            restore(Path(name))
        return ran.status, ran.out, ran.err if ran.status else "", written

    return answer


@pytest.mark.parametrize("command", CLICK)
def test_each_option_changes_the_answer_or_is_refused(answer, command):
    without_effect = []
    for parameter in CLICK[command].params:
        option = parameter.opts[0].lstrip("-")
        if parameter.param_type_name == "argument" or option.startswith("help"):
            continue
        needed, value = VALUES_OF.get((command, option)) or VALUES[option]
        spelled = parameter.secondary_opts[0] if parameter.secondary_opts else f"--{option}"
        given = [spelled] if value is None else [spelled, value]
        of = {"of": option} if {option, (command, option)} & set(FILES) else {}
        if all(
            answer(command, *needed, *form, **of) == answer(command, *needed, *given, *form, **of)
            for form in ([], ["--json"])
        ):
            without_effect.append(option)
    assert without_effect == []


# -- files -----------------------------------------------------------------------------------------------


def clusters_of(path):
    """The clusters of a file that --labels wrote, as sets of records."""
    read = cc.Partition.read(path)
    return {frozenset(r for r in read.records if read[r] == cluster) for cluster in read.clusters}


def as_sets(clusters):
    return {frozenset(r for r, each in clusters.items() if each == cluster) for cluster in clusters.values()}


ENDINGS = ("csv", "tsv", "jsonl", "parquet")


@pytest.mark.parametrize("ending", ENDINGS)
def test_labels_of_suggested_edits(run, example, ending):
    """The file has the clusters after the edits, whose value is the one that the list gives."""
    arguments = ["suggest", *example("suggest"), "--steps", "2", "--labels", f"edited.{ending}"]
    ran = run(*arguments, "--json")
    last = json.loads(ran.out)["data"]["rows"][-1]
    edited = cc.Partition.read(f"edited.{ending}")
    value = cc.compare(cc.Partition.from_mapping(FIRST), edited).bcubed_f
    assert (ran.status, len(edited)) == (0, len(SECOND))
    assert value == last["value"] > cc.compare(FIRST, SECOND).bcubed_f
    assert run(*arguments, "--fail-under", f"bcubed_f={value}").status == 0
    assert run(*arguments, "--fail-under", f"bcubed_f={value + 1e-9}").status == 1


@pytest.mark.parametrize("ending", ENDINGS)
def test_labels_of_a_consensus(run, example, ending):
    assert run("consensus", *example("consensus"), "--labels", f"agreed.{ending}").status == 0
    found = IN_PYTHON["consensus"]().partition
    assert clusters_of(f"agreed.{ending}") == as_sets({r: found[r] for r in found.records})


@pytest.mark.parametrize("at", ["best", "0.8", "0.3", "2"])
def test_labels_and_gates_at_a_threshold(run, example, at):
    arguments = ["thresholds", *example("thresholds"), "--at", at, "--labels", "clusters.csv"]
    joined = thresholds().candidate
    cut = joined.cut(threshold=0.6 if at == "best" else float(at))
    value = cc.compare(FIRST, cut).f_measure
    assert run(*arguments, "--fail-under", f"f_measure={value}").status == 0
    assert clusters_of("clusters.csv") == as_sets({r: cut[r] for r in cut.records})
    if value < 1:
        assert run(*arguments, "--fail-under", f"f_measure={value + 1e-9}").status == 1


def test_mistakes_in_labels_and_thresholds(fails, example):
    assert "--at high: write best, or a score" in fails("thresholds", *example("thresholds"), "--at", "high")
    assert "this needs --steps" in fails("suggest", *example("suggest"), "--labels", "x.csv")
    for command in ("suggest", "consensus", "thresholds"):
        needed = ["--steps", "1"] if command == "suggest" else []
        assert "first.csv, an input" in fails(command, *example(command), *needed, "--labels", "first.csv")


@every_case("command", IN_PYTHON)
def test_the_answer_in_the_format_of_the_file(run, example, command):
    arguments = [command, *example(command)]
    forms = {
        ending: (
            run(*arguments, "-o", f"answer{ending}"),
            Path(f"answer{ending}").read_text(encoding="utf-8"),
        )
        for ending in (".json", ".md", ".tex", ".csv", ".tsv", ".txt")
    }
    assert {(ran.status, ran.out) for ran, _ in forms.values()} == {(0, "")}
    text = {ending: written for ending, (_, written) in forms.items()}
    assert text[".json"] == run(*arguments, "--json").out
    assert text[".txt"] == run(*arguments).out
    assert text[".md"].count("|") > 1
    assert "\\begin{tabular}" in text[".tex"]
    rows, others = (
        list(csv.reader(text[e].splitlines(), delimiter=d)) for e, d in ((".csv", ","), (".tsv", "\t"))
    )
    assert rows == others
    assert len({len(row) for row in rows}) == 1


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_no_cell_of_an_answer_is_a_formula(run, ending):
    write("one.csv", table_of({"=1+1": "=a", "@b": "=a", "-3": "-1", "d": "+x"}))
    write("other.csv", table_of({"=1+1": "=a", "@b": "-1", "-3": "-1", "d": "=a"}))
    for arguments in (["suggest"], ["track"], ["consensus"]):
        assert run(*arguments, "one.csv", "other.csv", "-o", f"answer.{ending}").status == 0
        lines = Path(f"answer.{ending}").read_text(encoding="utf-8").splitlines()
        cells = {cell for row in csv.reader(lines, delimiter=",\t"[ending == "tsv"]) for cell in row}
        assert not [cell for cell in cells if cell[:1] in "=+@" and cell], arguments
        assert cells & {"'=a", "'=1+1"}
        assert not cells & {"'-1", "'-3"}


@every_case("command", ["compare", "matrix", "rank", "estimate", "trees"])
def test_a_table_of_one_index(run, example, command):
    index = GATES[command][0]
    assert run(command, *example(command), "--index", index, "-o", "answer.csv").status == 0
    assert set(pl.read_csv("answer.csv")["index"]) == {index}


# -- options that messages name ---------------------------------------------------------------------------

WRONG = [
    ["--unmatched", "keep"],
    ["--noise", "x"],
    ["--weights", "no such"],
    ["--columns", "no,such"],
    ["--membership", "w"],
]
NAMED_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


@every_case("command", [name for name in COMMANDS if name not in ("indices", "explain", "cite", "coref")])
def test_a_command_has_the_options_that_its_messages_name(run, example, command):
    taken = {name for each in CLICK[command].params for name in each.opts} | {"--help"}
    for wrong in WRONG:
        ran = run(command, *example(command), *wrong)
        named = set(NAMED_OPTION.findall(ran.err)) - {wrong[0]}
        assert named <= taken, (wrong, ran.err)
