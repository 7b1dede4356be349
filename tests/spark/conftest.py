"""A cluster for all tests of this folder, and two tables whose comparison is known."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cluster import Application, Cluster

import concordant as cc

RECORDS = 6_000


@dataclass
class Tables:
    truth: Path
    guess: Path
    expected: dict


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    cluster = None
    try:
        cluster = Cluster(tmp_path_factory.mktemp("cluster"))
        yield cluster
    finally:
        if cluster is not None:
            cluster.stop()


@pytest.fixture
def two_workers(cluster):
    """The cluster, whole again if a test before hurt it."""
    cluster.heal()
    return cluster


@pytest.fixture(scope="session")
def applications():
    """Those that were started; all tests share one as long as it runs."""
    return []


@pytest.fixture
def application(cluster, applications, tmp_path):
    """A program that runs on the cluster."""
    if not (applications and applications[-1].process.is_running):
        applications.append(Application(cluster, tmp_path))
    return applications[-1]


@pytest.fixture(scope="session")
def tables(tmp_path_factory):
    """Records with their clusters in two Parquet files, in different orders, and what compare says."""
    folder, rng = tmp_path_factory.mktemp("tables"), np.random.default_rng(5)
    record = np.arange(RECORDS) * 7
    truth = rng.integers(0, RECORDS // 3, RECORDS)
    guess = np.where(rng.random(RECORDS) < 0.8, truth, rng.integers(0, RECORDS // 3, RECORDS))
    order = rng.permutation(RECORDS)
    write(folder / "truth.parquet", record, truth)
    write(folder / "guess.parquet", record[order], guess[order])
    expected = json.loads(cc.compare(truth, guess).to_json())
    return Tables(folder / "truth.parquet", folder / "guess.parquet", expected)


def write(path, record, cluster):
    pq.write_table(pa.table({"record": record, "cluster": cluster}), path, row_group_size=RECORDS // 4)
