"""The consensus of many partitions: proven optima against enumeration, bounds, errors."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import every_case
from universe import partitions

import concordant as cc
from concordant.errors import ConcordantError, InputError, LengthError, ParameterError, UnmatchedError

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "consensus.json").read_text(encoding="utf-8"))
NAMES = {"binder": "binder", "VI": "vi", "omARI": "omari", "NVI": "nvi", "ID": "id", "NID": "nid"}
CASES = [
    (place, spelled, expected)
    for place, case in enumerate(GOLDEN)
    for spelled, expected in case["optimum"].items()
]


@every_case(("place", "spelled", "expected"), CASES)
def test_the_golden_optima(place: int, spelled: str, expected: dict[str, Any]) -> None:
    name, _, a = spelled.partition("_a")
    found = cc.consensus(GOLDEN[place]["draws"], loss=NAMES[name], vi_weight=float(a or 1))  # type: ignore[arg-type]
    assert found.proven
    assert found.gap == 0
    unit = math.log(2) if NAMES[name] in ("vi", "id") else 1  # the golden losses are in bits
    assert found.loss == pytest.approx(expected["loss"] * unit, abs=1e-12)
    assert found.partition.labels.tolist() in expected["partitions"]


def test_small_components_are_proven_however_many_there_are() -> None:
    rng = np.random.default_rng(1)
    truth = np.repeat(np.arange(400), 4)
    draws = []
    for _ in range(7):
        labels = 2 * truth
        labels[rng.random(len(truth)) < 0.1] += 1
        draws.append(labels)
    for name in ("vi", "binder"):
        found = cc.consensus(draws, loss=name)  # type: ignore[arg-type]
        assert (found.proven, found.gap, found.proven_share) == (True, 0, 1)
        assert found.compare("0").size == len(truth)
        assert found.loss < found.medoid_loss


def test_a_search_finds_what_noise_hides() -> None:
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 8, 400)
    draws = []
    for _ in range(25):
        labels, noisy = truth.copy(), rng.random(400) < 0.25
        labels[noisy] = rng.integers(0, 8, int(noisy.sum()))
        draws.append(labels)
    for name in ("vi", "binder", "omari", "nvi", "id", "nid"):
        found = cc.consensus(draws, loss=name, n_restarts=4)  # type: ignore[arg-type]
        assert cc.adjusted_rand(truth, found.partition) > 0.9
        assert 0 <= found.bound <= found.loss < found.medoid_loss
        assert not found.proven or found.gap == 0


@pytest.mark.parametrize("loss", ["vi", "binder"])
def test_hundreds_of_clusters_are_searched_as_few_are(loss: str) -> None:
    """The overlaps are kept in rows while clusters are few, and in lists beyond."""
    random = np.random.default_rng(5)
    planted = np.repeat(np.arange(400), 3)
    runs = [np.where(random.random(1200) < 0.85, planted, random.integers(0, 400, 1200)) for _ in range(12)]
    found = cc.consensus(runs, loss=loss)

    def mean_loss(estimate: Any) -> float:
        each = [cc.compare(run, estimate) for run in runs]
        if loss == "vi":
            return float(np.mean([c.variation_of_information for c in each]))
        return float(np.mean([c.mirkin / 1200**2 for c in each]))

    assert found.loss == pytest.approx(mean_loss(found.partition), rel=1e-12)
    assert found.loss <= mean_loss(planted)


def test_noise_alone_is_one_cluster() -> None:
    rng = np.random.default_rng(3)
    found = cc.consensus([rng.integers(0, 5, 300) for _ in range(20)], loss="vi")
    assert found.n_clusters == found.partition.n_clusters == 1


def test_one_seed_one_answer_with_any_number_of_threads() -> None:
    rng = np.random.default_rng(4)
    draws = [rng.integers(0, 4, 60) for _ in range(6)]
    answers = [cc.consensus(draws, seed=7, threads=threads).partition.labels.tolist() for threads in (1, 3)]
    assert answers[0] == answers[1]


def test_weights_are_repeated_partitions() -> None:
    draws = [[0, 0, 1, 1, 2], [0, 1, 1, 2, 2], [0, 0, 0, 1, 1]]
    weighted = cc.consensus(draws, clustering_weights=[3, 1, 1])
    repeated = cc.consensus([draws[0], draws[0], draws[0], *draws[1:]])
    assert weighted.partition.labels.tolist() == repeated.partition.labels.tolist()
    assert weighted.loss == pytest.approx(repeated.loss)


def test_identical_partitions_agree() -> None:
    for name in NAMES.values():
        for labels in ([0, 0, 1], [0, 0, 0], [0, 1, 2], list(range(20))):
            found = cc.consensus([labels, labels], loss=name)  # type: ignore[arg-type]
            assert (found.loss, found.proven, found.stability.min()) == (0, True, 1)


def test_records_go_by_their_names() -> None:
    runs = {"x": {"a": 1, "b": 1, "c": 2}, "y": {"c": 5, "b": 4, "a": 4}}
    found = cc.consensus(runs)
    assert cc.compare(found.partition, runs["y"]).adjusted_rand == 1.0
    assert found.compare("y").adjusted_rand == 1.0
    assert found.losses == {"x": 0.0, "y": 0.0}


def test_pairs_are_counted_once_in_each_partition() -> None:
    first, second, share = cc.consensus([[0, 0, 0, 1], [0, 0, 1, 1], [0, 1, 2, 2]]).coassociation(least=0.5)
    assert list(zip(first.tolist(), second.tolist(), share.round(3).tolist(), strict=True)) == [
        (0, 1, 0.667),
        (2, 3, 0.667),
    ]


def test_progress_is_a_share_of_all_searches() -> None:
    draws = np.random.default_rng(3).integers(0, 12, (8, 1500)).tolist()
    calls: list[tuple[int, int]] = []
    found = cc.consensus(draws, n_restarts=4, progress=lambda done, total: calls.append((done, total)))
    done = [each for each, _ in calls]
    assert done == sorted(done)
    assert calls[-1] == (1500 * 4, 1500 * 4)  # no two records are together in all draws
    assert {total for _, total in calls} == {1500 * 4}
    assert found.partition.labels.tolist() == cc.consensus(draws, n_restarts=4).partition.labels.tolist()


def test_what_progress_raises_stops_the_search() -> None:
    def stop(done: int, total: int) -> None:
        raise RuntimeError(f"{done} of {total}")

    with pytest.raises(RuntimeError, match="of 24000"):
        cc.consensus(np.random.default_rng(3).integers(0, 12, (8, 1500)).tolist(), progress=stop)


def test_the_page_and_what_is_printed(tmp_path: Path) -> None:
    found = cc.consensus({"a": [0, 0, 1, 1], "b": [0, 0, 1, 2]})
    page = found.to_html(tmp_path / "c.html").read_text("utf-8")
    assert ">The consensus of 2 partitions has 2 clusters</h1>" in page
    assert "roven to be optimal" in page
    rows = re.findall(r"<tr>(<td.*?)</tr>", page)
    tables = [re.findall(r"<td[^>]*>(?:<bdi>)?([^<]*)<", row) for row in rows]
    loss = f"{found.losses['b']:.4f}"
    # Each partition; each cluster, the less stable first; and the records that are not stable.
    assert tables[:2] == [["a", "0.0000"], ["b", loss]]
    assert tables[2] == ["1", "2", "0.7500", "0.7500", "0.7500", "1"]
    assert tables[3] == ["0", "2", "1.0000", "1.0000", "1.0000", "2"]
    assert tables[4:] == [["2", "1", "0.7500"], ["3", "1", "0.7500"]]
    assert "proven to be optimal" in str(found)
    assert repr(found).startswith("<Consensus of 2 partitions by vi")


@pytest.mark.parametrize(
    ("partitions", "options", "kind", "text"),
    [
        ([[0, 1]], {}, InputError, "two clusterings or more"),
        ([[0, 1], [0, 1, 1]], {}, LengthError, "align by position"),
        ([{"a": 1}, {"b": 1}], {}, UnmatchedError, "lacks 1 record"),
        ([[], []], {}, InputError, "no records"),
        ([[0, 1], [0, 0]], {"loss": "vii"}, ParameterError, "did you mean 'vi'"),
        ([[0, 1], [0, 0]], {"vi_weight": 3}, ParameterError, "from 0 to 2"),
        ([[0, 1], [0, 0]], {"loss": "nvi", "vi_weight": 0.5}, ParameterError, "have prices"),
        ([[0, 1], [0, 0]], {"n_restarts": 0}, ParameterError, "n_restarts=0"),
        ([[0, 1], [0, 0]], {"seed": -1}, ParameterError, "seed=-1"),
        ([[0, 1], [0, 0]], {"clustering_weights": [1]}, ParameterError, "1 weight for 2"),
        ([[0, 1], [0, 0]], {"clustering_weights": [1, 0]}, ParameterError, "positive"),
    ],
)
def test_what_has_no_consensus(partitions: Any, options: Any, kind: Any, text: str) -> None:
    with pytest.raises(kind, match=text):
        cc.consensus(partitions, **options)


def test_an_unknown_partition_is_named() -> None:
    with pytest.raises(ConcordantError, match="no partition 'x'"):
        cc.consensus([[0, 1], [0, 0]]).compare("x")


def test_the_command(tmp_path: Path, run: Any) -> None:
    runs = {"mon": "aabbc", "tue": "aabbb", "wed": "aaabb"}
    files = []
    for name, labels in runs.items():
        files.append(str(tmp_path / f"{name}.csv"))
        rows = [f"r{place},{label}" for place, label in enumerate(labels)]
        Path(files[-1]).write_text("\n".join(["id,label", *rows]) + "\n", encoding="utf-8")
    written = tmp_path / "consensus.csv"
    shown = run("consensus", *files, "--loss", "binder")
    assert shown.status == 0
    assert "The consensus of 3 partitions has 2 clusters" in shown.out
    assert "5 records; mean binder loss 0.1600, proven to be optimal" in shown.out
    assert "nearest partition: tue, which is the consensus" in shown.out
    assert re.search(r"partition +binder loss\ntue +0\.0000\nmon +0\.1600\n", shown.out)
    assert "record,cluster" not in shown.out
    run("consensus", *files, "--loss", "binder", "-o", written)
    table = written.read_text(encoding="utf-8")
    lines = table.splitlines()
    assert lines[0] == "record,cluster,stability"
    assert [line.split(",")[:2] for line in lines[1:3]] == [["r0", "0"], ["r1", "0"]]
    labels = tmp_path / "labels.csv"
    assert run("consensus", *files, "--loss", "binder", "--labels", labels).out == shown.out
    assert labels.read_text(encoding="utf-8").split() == [line.rpartition(",")[0] for line in lines]
    tabs = tmp_path / "consensus.tsv"
    run("consensus", *files, "--loss", "binder", "-o", tabs)
    assert tabs.read_text(encoding="utf-8") == table.replace(",", "\t")
    document = json.loads(run("consensus", *files, "--loss", "binder", "--json").out)["data"]
    assert list(map(str, document["cluster"])) == [x.split(",")[1] for x in lines[1:]]
    assert document["losses"].keys() == runs.keys()


@pytest.mark.parametrize("name", ["labels.parquet", "labels.jsonl", "labels.csv", "labels.tsv"])
def test_labels_are_written_in_the_format_of_the_ending(run: Any, two_files: Any, name: str) -> None:
    run("consensus", *two_files, "--labels", name)
    wanted = json.loads(run("consensus", *two_files, "--json").out)["data"]
    found = cc.Partition.read(name)
    assert list(map(str, found.records)) == wanted["record"]
    assert list(map(int, found.labels)) == wanted["cluster"]


@pytest.mark.parametrize("name", ["labels.csv.gz", "labels", "-"])
def test_labels_are_not_written_in_other_formats(fails: Any, two_files: Any, name: str) -> None:
    assert "does not select a format to write" in fails("consensus", *two_files, "--labels", name)
    assert not Path(name).exists()


LOSSES = [
    ("vi", 1),
    ("vi", 0.4),
    ("binder", 1),
    ("binder", 1.7),
    ("omari", 1),
    ("nvi", 1),
    ("id", 1),
    ("nid", 1),
]


def sums_of(estimates: np.ndarray, draw: np.ndarray, squares: bool) -> tuple[Any, ...]:
    """The sums of f over the clusters of many estimates, those of a draw, and their overlaps; and f(n)."""
    n = len(draw)
    sizes = np.arange(n + 1)
    f = sizes**2.0 if squares else sizes * np.log2(np.maximum(sizes, 1))
    here, there = estimates[:, :, None] == np.arange(n), draw[:, None] == np.unique(draw)
    met = (here.transpose(0, 2, 1).astype(np.float32) @ there.astype(np.float32)).astype(np.intp)
    return f[met.sum(2)].sum(1), f[there.sum(0)].sum(), f[met].sum((1, 2)), f[n]


def every_loss(name: str, a: float, n: int, sums: tuple[Any, ...]) -> np.ndarray:
    """The losses of many estimates against one draw, from the definitions."""
    of_e, of_d, of_both, of_all = sums
    if name in ("binder", "vi"):
        return (a * of_d + (2 - a) * of_e - 2 * of_both) / (n**2 if name == "binder" else n)
    most, least = np.maximum(of_d, of_e), np.minimum(of_d, of_e)
    if name == "id":
        return (most - of_both) / n
    by_chance = (of_e - n) * (of_d - n) / (2 * n * (n - 1))
    above, below = {
        "nvi": (most + least - 2 * of_both, of_all - of_both),
        "nid": (most - of_both, of_all - least),
        "omari": ((of_e + of_d - 2 * of_both) / 4, (of_e + of_d - 2 * n) / 4 - by_chance),
    }[name]
    return np.divide(above, below, out=np.zeros(len(of_e)), where=below > 1e-12)


def hostile_draws(size: int) -> Iterator[list[np.ndarray]]:
    """Draws that agree in nothing, that tie, and that fall apart."""
    random, each = np.random.default_rng(size), np.arange(size)
    yield [np.zeros(size, dtype=int), each, each]
    yield [(each + shift) % size // 2 for shift in range(size)]
    yield [each // 2, each % 2, each // 4]
    yield [np.where(np.isin(each, pair), size, each) for pair in ((0, 1), (1, 2), (0, 2), (3, 4), (4, 5))]
    yield [np.where(each < 4, random.integers(0, 2, size), 5 + each % 3) for _ in range(4)]
    for clusters, count in ((2, 3), (3, 6), (size, 4)):
        yield [random.integers(0, clusters, size) for _ in range(count)]


@pytest.mark.parametrize("size", [7, 8])
def test_no_partition_of_seven_or_eight_records_is_better(size: int) -> None:
    """All 877 and all 4,140 partitions, by every loss."""
    estimates = np.array(partitions(size))
    for number, draws in enumerate(hostile_draws(size)):
        weights = [10.0 ** (each % 3 * number % 4) for each in range(len(draws))]
        sums = {squares: [sums_of(estimates, draw, squares) for draw in draws] for squares in (True, False)}
        for name, a in LOSSES:
            price = {"vi_weight": a} if name in ("vi", "binder") else {}
            found = cc.consensus(draws, loss=name, clustering_weights=weights, **price)  # type: ignore[arg-type]
            of_draws = (every_loss(name, a, size, each) for each in sums[name in ("binder", "omari")])
            least = sum(w * each for w, each in zip(weights, of_draws, strict=True)).min()  # type: ignore[union-attr]
            assert found.proven
            unit = math.log(2) if name in ("vi", "id") else 1
            assert found.loss == pytest.approx(unit * least / sum(weights), abs=1e-9)


def test_the_prices_of_vi_are_those_of_the_documentation():
    """a·H(e|d) + (2 − a)·H(d|e): a is the price of separating what a run holds together."""
    run = [0, 0, 0, 1, 1, 2]
    for a in (0, 0.5, 1.5, 2):
        c = cc.consensus({"run": run, "other": [0, 0, 1, 1, 2, 2]}, loss="vi", vi_weight=a)
        for name, d in (("run", run), ("other", [0, 0, 1, 1, 2, 2])):
            split = cc.vi_split(d, c.partition.labels.tolist())  # H(e|d)
            merge = cc.vi_merge(d, c.partition.labels.tolist())
            assert c.losses[name] == pytest.approx(a * split + (2 - a) * merge)
