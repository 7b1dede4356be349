"""One comparison, one state of the data: what is changed after it was compared changes no answer."""

import datetime as dt
import json
import math
import os
import pickle
import signal
import subprocess
import sys
import threading

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from fuzzing.saved import WRONG, changed, places
from inner import NO_NAMES, FileOptions, ScannedFile, tables_job
from inner import saved_as_text as as_text

import concordant as cc
from concordant.errors import FileError, InputError, LabelError, TableNeededError

P = cc.Partition
U = [3, 3, 3, 5, 5, 700, 700, 700, 8, 8, 3]
V = [1, 1, 2, 2, 2, 9, 9, 9, 9, 4, 1]


def answers(c):
    """Everything that a comparison may be asked for later."""
    return (
        str(c.changes(limit=None)),
        [overlap.examples for change in c.changes(limit=None) for overlap in change.overlaps],
        str(c.clusters()),
        str(c.records(limit=None)),
        str(c.suggest()),
        str(c),
        c.matching_accuracy,
        list(c.table),
    )


def overwrite(values):
    for position in range(len(values)):
        values[position] = values[0]


MAKERS = {
    "int64": np.array,
    "int16, every other": lambda x: np.repeat(np.array(x, dtype=np.int16), 2)[::2],
    "uint64 beyond 63 bits": lambda x: np.array(x, dtype=np.uint64) + np.uint64(2**63),
    "negative": lambda x: -np.array(x),
    "far from zero": lambda x: np.array(x) + 10**15,
    "bool": lambda x: np.array(x) > 4,
    "float": lambda x: np.array(x, dtype=float),
    "minus zero": lambda x: np.array(x) * -0.0 + np.array(x),
    "date": lambda x: np.array(x, dtype="M8[D]"),
    "short text": lambda x: np.array([chr(64 + each % 50) for each in x]),
    "text": lambda x: np.array([f"cluster {each}" for each in x]),
    "objects": lambda x: np.array([f"cluster {each}" for each in x], dtype=object),
    "list": list,
    "list of texts": lambda x: [f"c{each}" for each in x],
    "pandas": pd.Series,
    "pandas category": lambda x: pd.Series([f"c{each}" for each in x], dtype="category"),
    "pandas arrow": lambda x: pd.Series(x, dtype="int64[pyarrow]"),
    "pandas text": lambda x: pd.Series([f"c{each}" for each in x]),
    "polars": pl.Series,
    "polars text": lambda x: pl.Series([f"c{each}" for each in x]),
}


@pytest.mark.parametrize("kind", MAKERS)
def test_labels_may_be_changed_once_they_are_compared(kind):
    u, v = MAKERS[kind](U), MAKERS[kind](V)
    untouched = answers(cc.compare(MAKERS[kind](U), MAKERS[kind](V)))
    c = cc.compare(u, v)
    overwrite(u)
    overwrite(v)
    assert answers(c) == untouched


def test_an_arrow_array_that_borrows_from_numpy():
    u, v = np.array(U), np.array(V)
    c = cc.compare(pa.array(u), pa.array(v))
    u[:] = v[:] = 0
    assert answers(c) == answers(cc.compare(U, V))


def test_noise_names_and_mappings_keep_their_state():
    u, v = np.array(U), np.array(V)
    options = {"noise": 9, "noise_as": "singletons"}
    untouched = answers(cc.compare(np.array(U), np.array(V), **options))
    c = cc.compare(u, v, **options)
    u[:] = v[:] = 0
    assert answers(c) == untouched
    records = dict(enumerate(U)), dict(reversed(list(enumerate(V))))
    c = cc.compare(*records)
    for mapping in records:
        mapping.clear()
    assert c.changes()[0].overlaps[0].examples


def test_columns_of_one_frame_may_be_changed():
    frame = pd.DataFrame({"id": [f"r{i}" for i in range(len(U))], "u": U, "v": V})
    untouched = answers(cc.compare(frame.copy(), columns=["u", "v"], record="id"))
    c = cc.compare(frame, columns=["u", "v"], record="id")
    frame.loc[:, "u"] = 0
    frame.loc[:, "id"] = "gone"
    assert answers(c) == untouched


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_two_frames_may_be_changed(make, monkeypatch):
    monkeypatch.setattr(tables_job, "FEW_CELLS", 0)  # the table is asked for later
    ids = list(range(len(U)))

    def asked(change):
        u, v = make({"id": ids, "c": U}), make({"id": ids[::-1], "c": V[::-1]})
        c = cc.compare(P.from_frame(u, record="id", cluster="c"), P.from_frame(v, record="id", cluster="c"))
        if change:
            for frame in (u, v):
                if make is pd.DataFrame:
                    frame.loc[:, "c"] = 0
                else:
                    frame[0, "c"] = frame[5, "c"]
        overlaps = [overlap for change in c.changes(limit=None) for overlap in change.overlaps]
        shown = {(o.reference, o.candidate, o.size, frozenset(o.examples)) for o in overlaps}
        return shown, str(c.summary()), c.matching_accuracy

    assert asked(change=True) == asked(change=False)


def test_a_track_keeps_its_labels():
    days = [np.array(U), np.array(V)]
    untouched = str(cc.track([day.copy() for day in days]))
    track = cc.track(days)
    for day in days:
        day[:] = 0
    assert str(track) == untouched


# -- copies ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("clusters", [50, 20_000])
def test_another_thread_may_write_meanwhile(clusters):
    """The answer is of no use, but it is one of some state: every count is of the labels that were kept."""
    rng = np.random.default_rng(1)
    u, v = rng.integers(0, clusters, (2, 100_000))
    done = threading.Event()

    def write():
        wild = np.random.default_rng(2)
        while not done.is_set():
            u[wild.integers(0, len(u), 1000)] = wild.integers(-(2**62), 2**62, 1000)
            u[wild.integers(0, len(u), 30_000)] = wild.integers(0, clusters, 30_000)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(4):
            c = cc.compare(u, v)
            cells = c._counts.table
            assert cells.n.sum() == len(u)
            table = scipy.sparse.coo_array((cells.n, (cells.row, cells.column)))
            assert cc.Comparison.from_contingency(table)._counts.n.tolist() == c._counts.n.tolist()
            assert c.changes(limit=3, n_examples=1) is not None
    finally:
        done.set()
        writer.join()


# -- files ----------------------------------------------------------------------------------------------


def scanned(folder, kind="parquet", **options):
    ids = list(range(len(U)))
    for name, labels in (("u", U), ("v", V)):
        write(folder / f"{name}.{kind}", pl.DataFrame({"id": ids, "c": [f"c{x}" for x in labels]}))
    u, v = (P.scan(folder / f"{name}.{kind}", record="id", cluster="c", **options) for name in ("u", "v"))
    return u, v


def write(path, frame):
    frame.write_parquet(path) if path.suffix == ".parquet" else frame.write_csv(path)


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_a_file_that_changed_is_refused_by_name(tmp_path, kind):
    c = cc.compare(*scanned(tmp_path, kind))
    assert c.changes()[0].overlaps[0].examples
    value = c.matching_accuracy
    write(tmp_path / f"v.{kind}", pl.DataFrame({"id": list(range(len(U))), "c": ["x"] * len(U)}))
    with pytest.raises(FileError, match=rf"v\.{kind} was (changed|replaced).*; compare again"):
        list(c.changes())
    assert c.matching_accuracy == value  # came with the counts


def test_a_file_of_the_same_size_and_time_is_known_by_its_footer(tmp_path):
    c = cc.compare(*scanned(tmp_path))
    path = tmp_path / "v.parquet"
    content, times = bytearray(path.read_bytes()), path.stat()
    content[-20] ^= 1
    with path.open("r+b") as file:
        file.write(content)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    with pytest.raises(FileError, match=r"v\.parquet was changed after it was first read"):
        list(c.changes())


def test_files_that_go_or_come_are_noticed(tmp_path):
    u, _ = scanned(tmp_path)
    guess = P.scan(tmp_path / "v*.parquet", record="id", cluster="c")
    c = cc.compare(u, guess)
    (tmp_path / "v2.parquet").write_bytes((tmp_path / "v.parquet").read_bytes())
    with pytest.raises(FileError, match=r"v2\.parquet was added"):
        list(c.changes())
    (tmp_path / "v2.parquet").unlink()
    (tmp_path / "u.parquet").unlink()
    with pytest.raises(FileError, match=r"u\.parquet was removed"):
        list(c.changes())


def test_a_file_that_changes_after_its_preview_is_refused(tmp_path):
    scanned(tmp_path)
    u, v = (
        ScannedFile(
            str(tmp_path / f"{name}.parquet"), str(tmp_path / f"{name}.parquet"), NO_NAMES, FileOptions()
        )
        for name in "uv"
    )
    partitions = u.read().elements, v.read().elements
    assert cc.compare(*partitions).adjusted_rand
    write(tmp_path / "u.parquet", pl.DataFrame({"id": list(range(len(U))), "c": ["x"] * len(U)}))
    with pytest.raises(FileError, match=r"u\.parquet was"):
        cc.compare(*partitions)


# -- temporary folders ------------------------------------------------------------------------------------


_SLOW = """
import signal, sys
from concordant.cli import main
from concordant.engines.tables import core_join
def wait(*_, **__):
    print("waiting", flush=True)
    signal.pause()
core_join.audit = wait
main(sys.argv[1:])
"""


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGTERM")
def test_termination_leaves_no_folder_and_a_kill_is_swept_up(tmp_path):
    data, temporary = tmp_path / "data", tmp_path / "tmp"
    data.mkdir()
    temporary.mkdir()
    scanned(data)
    command = [sys.executable, "-c", _SLOW, "compare", str(data / "u.parquet"), str(data / "v.parquet")]
    command += ["--record", "id", "--cluster", "c"]
    environment = os.environ | {"TMPDIR": str(temporary)}

    def ended_by(number):
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)  # noqa: S603
        assert process.stdout.readline() == "waiting\n"
        assert [path for path in temporary.iterdir() if path.name.startswith("concordant-")]
        process.send_signal(number)
        with process.stdout:
            return process.wait()

    assert ended_by(signal.SIGKILL) == -signal.SIGKILL
    assert list(temporary.iterdir())
    assert ended_by(signal.SIGTERM) == 143
    assert not list(temporary.iterdir())  # neither its own nor what the killed one left


def test_the_library_installs_no_handler():
    before = signal.getsignal(signal.SIGTERM)
    cc.compare(U, V)
    assert signal.getsignal(signal.SIGTERM) is before


def test_examples_of_many_overlaps(tmp_path):
    n = 3000
    rng = np.random.default_rng(0)
    u, v = rng.integers(0, 400, (2, n))
    for name, labels in (("u", u), ("v", v)):
        frame = pl.DataFrame({"id": np.arange(n), "c": [f"c{x}" for x in labels]})
        write(tmp_path / f"{name}.parquet", frame)
    c = cc.compare(*(P.scan(tmp_path / f"{x}.parquet", record="id", cluster="c") for x in "uv"))
    shown = [overlap for change in c.changes(limit=100, n_overlaps=5000) for overlap in change.overlaps]
    assert len(shown) > 2000
    for overlap in shown:
        assert len(overlap.examples) == min(3, overlap.size)
        for record in overlap.examples:
            assert (f"c{u[record]}", f"c{v[record]}") == (overlap.reference, overlap.candidate)


# -- saved and sent -----------------------------------------------------------------------------------------


def test_comparisons_of_files_are_pickled_with_their_fingerprint(tmp_path):
    c = pickle.loads(pickle.dumps(cc.compare(*scanned(tmp_path))))
    assert c.changes()[0].overlaps[0].examples
    write(tmp_path / "u.parquet", pl.DataFrame({"id": [1], "c": ["x"]}))
    with pytest.raises(FileError, match=r"u\.parquet was"):
        list(pickle.loads(pickle.dumps(c)).changes())


def test_comparisons_of_lazy_frames_are_pickled_without_them():
    ids = list(range(len(U)))
    u, v = (pl.LazyFrame({"id": ids, "c": labels}) for labels in (U, V))
    c = cc.compare(P.from_frame(u, record="id", cluster="c"), P.from_frame(v, record="id", cluster="c"))
    sent = pickle.loads(pickle.dumps(c))
    assert sent.to_dict() == c.to_dict()
    assert len(sent.changes(n_examples=0)) == len(c.changes())
    with pytest.raises(InputError, match=r"polars LazyFrame was pickled without its dataframe"):
        list(sent.changes())


def test_comparisons_of_labels_are_pickled_whole():
    c = cc.compare(np.array(U), [f"c{x}" for x in V])
    assert answers(pickle.loads(pickle.dumps(c))) == answers(c)


HOSTILE = [
    "\ud800",
    "'\"\\\n",
    "</script>",
    "",
    "1",
    1,
    2.5,
    True,
    ("a", 7),
    dt.date(2026, 1, 2),
    10**30,
    math.inf,
]


def test_a_comparison_is_saved_and_loaded(tmp_path):
    u, v = [*HOSTILE, *HOSTILE[:5]], [*HOSTILE[::-1], *HOSTILE[2:7]]
    for given in ((u, v), (np.array(U), np.array(V, dtype="M8[ns]")), (["a"], [0.1])):
        c = cc.compare(*given, undefined="nan")
        c.save(tmp_path / "c.json")
        loaded = cc.Comparison.load(tmp_path / "c.json")
        np.testing.assert_equal(loaded.to_dict(), c.to_dict())
        assert loaded.signature == c.signature
        shown = str(c.changes(limit=None, n_examples=0))
        assert str(loaded.changes(limit=None, n_examples=0)) == shown
        assert str(loaded.clusters(side="candidate")) == str(c.clusters(side="candidate"))
        with pytest.raises(TableNeededError, match="loaded from a file"):
            loaded.records()


def test_counts_of_any_size_are_saved_exactly(tmp_path):
    huge = 10**400
    c = cc.Comparison.from_contingency(np.diag(np.array([huge, huge, huge, 2**53 + 1], dtype=object)))
    c.save(tmp_path / "c.json")
    loaded = cc.Comparison.load(tmp_path / "c.json")
    assert loaded._counts.n.tolist() == c._counts.n.tolist() == [2**53 + 1, huge]
    assert loaded.size == 3 * huge + 2**53 + 1
    table = cc.Comparison.from_contingency(np.array([[huge, 1], [0, 2]], dtype=object)).table
    rows = json.loads(table.to_json())["data"]["rows"]
    assert [row["overlap"] for row in rows] == [huge, 1, 2]


def test_a_file_without_overlaps_has_no_table(sizes_alone):
    c = sizes_alone(U, V)
    own, others = c._counts, cc.compare(U, V)._counts
    assert all((getattr(own, name) == getattr(others, name)).all() for name in ("n", "a", "b", "count"))
    with pytest.raises(TableNeededError):
        c.table  # noqa: B018  (computes it)


def test_saved_counts_that_cannot_be_trusted_are_refused(tmp_path):
    path = tmp_path / "c.json"
    cc.compare(U, V).save(path)
    text = path.read_text()
    for other, said in (
        (text.replace('"format": 1', '"format": 2'), "in format 2, which this version does not read"),
        (text.replace("700", "701"), "is damaged: its checksum does not match"),
        (text.replace("700", "1e999"), "is damaged: its checksum does not match"),
        (text[:-20], "not a saved comparison, since it is not JSON"),
        ("[]", "concordant did not write it"),
        (as_text("profile", {}), "a saved profile, not a saved comparison"),
    ):
        path.write_text(other)
        with pytest.raises(FileError, match=f"c.json: .*{said}"):
            cc.Comparison.load(path)
    with pytest.raises(LabelError, match="cannot be saved by its value"):
        cc.compare([object()], [1]).save(path)
    with pytest.raises(FileError, match="cannot read"):
        cc.Comparison.load(tmp_path / "nowhere.json")


def test_saved_content_that_no_comparison_has_is_refused(tmp_path):
    path = tmp_path / "c.json"
    u, v = [("a", 1), ("a", 1), dt.date(2026, 1, 1), -1], ["x", "y", "y", "z"]
    cc.compare(u, v, noise=-1, noise_as="singletons").save(path)
    content = json.loads(path.read_text())["content"]
    refused = set()
    for place in places(content):
        for wrong in (..., *WRONG):
            path.write_text(as_text("comparison", changed(content, place, wrong)))
            try:
                loaded = cc.Comparison.load(path)
            except FileError:
                refused.add(place)
            else:
                assert str(loaded) + loaded.to_json()
    free = {place for place in places(content) if place[0] == "conventions" or place == ("in_no_cluster",)}
    assert {*places(content)} - refused <= free


def test_the_names_of_a_crosstab_reach_the_page(tmp_path):
    truth = pd.Series(["ann", "ann", "bob", "bob"], name="truth")
    guess = pd.Series(["x<1>", "x<1>", "x<1>", "y"], name="guess")
    c = cc.Comparison.from_contingency(pd.crosstab(truth, guess))
    assert "'ann' (2), 'bob' (2)" in str(c.changes())
    assert "bob" in str(c)
    c.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "bob" in page
    assert "x<1>" not in page


@pytest.mark.skipif(os.name == "nt", reason="the variable has another name")
def test_a_temporary_folder_that_does_not_exist_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path / "none"))
    with pytest.raises(FileError, match=r"TMPDIR=.*none, and there is no such folder"):
        cc.compare(*scanned(tmp_path))
    if sys.platform == "linux":
        monkeypatch.setenv("TMPDIR", "/proc")  # not even root may write there
        with pytest.raises(FileError, match="set TMPDIR to a folder that you may write to"):
            cc.compare(*scanned(tmp_path))
