"""Two versions of a clustering: new and removed records, and ids that changed without their cluster."""

import json
from collections import defaultdict
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from cases import every_case
from not_run import few
from universe import partitions

import concordant as cc
from concordant.errors import ParameterError

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "links.json").read_text("utf-8"))["cases"]
BEFORE = {"p": 1, "q": 1, "r": 2, "s": 3}
AFTER = {"p": 1, "q": 1, "r": 2, "t": 1, "u": 9, "v": 9}


def versions(seed):
    """Two versions with new and removed records."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(6, 14))
    labels = rng.integers(0, 4, (2, size)).tolist()
    there = rng.random((2, size)) < 0.7
    there[:, :2] = True
    return [
        {f"r{place}": labels[side][place] for place in range(size) if there[side][place]} for side in (0, 1)
    ]


def by_definition(before, after):
    """The numbers of records, and for each cluster after its new and its common records."""
    common = before.keys() & after.keys()
    groups = [defaultdict(set), defaultdict(set)]
    for group, version in zip(groups, (before, after), strict=True):
        for record in common:
            group[version[record]].add(record)
    changed = sum(groups[0][before[record]] != groups[1][after[record]] for record in common)
    new = [record for record in after if record not in before]
    joined = sum(bool(groups[1][after[record]]) for record in new)
    clusters = {(after[r], sum(after[x] == after[r] for x in new), len(groups[1][after[r]])) for r in new}
    clusters = {each for each in clusters if each[1] + each[2] > 1}
    return (len(common), changed, len(new), joined, len(before.keys() - after.keys())), clusters


def numbers_of(found):
    return found.n_common, found.n_changed, found.n_new, found.n_joined, found.n_removed


@pytest.mark.parametrize("unmatched", ["drop", "singletons"])
def test_new_records_by_definition(unmatched):
    for seed in range(40):
        before, after = versions(seed)
        numbers, clusters = by_definition(before, after)
        found = cc.diff(before, after, unmatched=unmatched).new_records(limit=None)
        assert numbers_of(found) == numbers
        assert {(each.cluster, each.n_new, each.n_common) for each in found} == clusters


def test_a_diff_states_what_new_records_joined():
    words = "0 of 3 common records changed; 1 of 3 new records joined them; 1 record was removed"
    for unmatched in ("drop", "singletons"):
        d = cc.diff(BEFORE, AFTER, unmatched=unmatched)
        assert words in d.to_text().replace("\n", " ")
        assert d.new_records(limit=1).omitted == 1
    with_reference = cc.diff(BEFORE, AFTER, reference=AFTER, unmatched="drop")
    assert with_reference.new_records().headline == words
    assert "new record" not in cc.diff(BEFORE, BEFORE, unmatched="drop").to_text()
    assert numbers_of(cc.diff([0, 0, 1], [0, 1, 1]).new_records()) == (3, 3, 0, 0, 0)


@every_case("case", GOLDEN, ids=[case["name"] for case in GOLDEN])
def test_golden_id_churn(case):
    changed, size = map(int, case["id_churn"].split("/"))
    d = cc.diff(case["reference"], case["candidate"])
    assert d.id_churn == changed / size
    assert size * (1 - d.exact("affected")) == case["records_with_the_same_cluster"]
    assert sum(each.size for each in d.changed_ids(limit=None)) == changed


@pytest.mark.parametrize("size", few(4, range(1, 6)))
def test_id_churn_of_all_partitions(size):
    for before, after in product(map(list, partitions(size)), repeat=2):
        same_cluster = [
            [x == before[k] for x in before] == [x == after[k] for x in after] for k in range(size)
        ]
        renamed = sum(same_cluster[k] and before[k] != after[k] for k in range(size))
        assert cc.diff(before, after).id_churn == renamed / size


@pytest.mark.parametrize(
    ("unmatched", "label"), [("drop", "c{}".format), ("singletons", lambda number: 9 - number)]
)
def test_engines_find_the_ids_of_memory(unmatched, label, tmp_path):
    before = {f"r{place}": place // 3 for place in range(24)}
    after = {record: label(number) for record, number in before.items()} | {"r4": label(5), "new": label(3)}
    del after["r9"]
    kinds = []
    for name, version in (("before", before), ("after", after)):
        frame = pl.DataFrame({"record": list(version), "cluster": list(version.values())})
        frame.write_parquet(path := tmp_path / f"{name}.parquet")
        scanned = cc.Partition.scan(path, memory="200MB")
        kinds.append((version, cc.Partition.from_frame(frame.lazy()), scanned))
    known, *others = (cc.diff(*sides, unmatched=unmatched) for sides in zip(*kinds, strict=True))
    assert known.changed_ids().total == (6 if unmatched == "drop" else 5)
    assert [each.changed_ids(2).to_dict() for each in others] == [known.changed_ids(2).to_dict()] * 2


def test_new_ids_lower_the_churn():
    before, after = ["a", "a", "b", "c", "c", "c"], [7, 7, 8, "c", 9, 9]
    d = cc.diff(before, after)
    assert d.id_churn == 1 / 2
    assert [(each.before, each.after, each.size) for each in d.changed_ids()] == [("a", 7, 2), ("b", 8, 1)]
    assert d.changed_ids(limit=1).id_churn == 1 / 2
    relabelled = cc.compare(before, after).relabelled().apply(after)
    assert cc.diff(before, relabelled).id_churn == 0


def test_records_of_one_version_have_no_id_churn():
    for unmatched in ("drop", "singletons"):
        assert cc.diff(BEFORE, AFTER, unmatched=unmatched).id_churn == 0
    renamed = AFTER | {"r": 5}
    assert cc.diff(BEFORE, renamed, unmatched="drop").id_churn == 1 / 3
    assert cc.diff(BEFORE, renamed, unmatched="singletons").id_churn == 1 / 3


def test_files_have_the_versions_of_memory(tmp_path, run):
    for name, version in (("before", BEFORE), ("after", AFTER | {"r": 5, "w": 8})):
        frame = pd.DataFrame({"record": version.keys(), "cluster": version.values()})
        frame.to_parquet(tmp_path / f"{name}.parquet")
    files = [tmp_path / f"{name}.parquet" for name in ("before", "after")]
    memory = cc.diff(BEFORE, AFTER | {"r": 5, "w": 8}, unmatched="drop")
    d = cc.diff(*map(cc.Partition.scan, files), unmatched="drop")
    assert numbers_of(d.new_records()) == numbers_of(memory.new_records())
    assert sorted(map(str, d.new_records())) == sorted(map(str, memory.new_records()))
    assert d.changed_ids() == memory.changed_ids()
    assert "only in after: 4 records; only in before: 1 record" in d.to_text()
    more = ["--unmatched", "drop", "--list", "new_records", "--fail-over", "id_churn=0.01", "--json"]
    gate = run("diff", *files, *more)
    assert gate.status == 1
    assert "id_churn is 0.333" in gate.err
    assert json.loads(gate.out)["parts"]["new_records"]["n_joined"] == 1


def test_weights_do_not_change_the_numbers_of_records():
    weights = dict.fromkeys({**BEFORE, **AFTER}, 3)
    d = cc.diff(BEFORE, AFTER, unmatched="drop", weights=weights)
    assert numbers_of(d.new_records()) == (3, 0, 3, 1, 1)
    with pytest.raises(ParameterError, match="limit"):
        d.new_records(limit=-1)
