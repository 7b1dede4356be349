"""The data that a comparison moves between the executors of Spark, by Spark's own counters.

shuffle.py FOLDER      compares truth.parquet with guess.parquet on a master and two workers of one core, all
                       on this machine; prints JSON
shuffle.py FOLDER HOW  makes a hierarchy of pairs.parquet, from all pairs on the driver (HOW is collect) or as
                       concordant does (HOW is forest); prints JSON
"""

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
SETTINGS = {
    "driver.host": "127.0.0.1",
    "driver.bindAddress": "127.0.0.1",
    "driver.memory": "1g",
    "executor.memory": "900m",
    "sql.shuffle.partitions": 16,
    "ui.enabled": "false",
    "ui.showConsoleProgress": "false",
}


def measure(folder, *how):
    """Seconds, records, and the bytes that executors wrote and read of exchanges, or sent to the driver."""
    sys.path[:0] = [str(ROOT / "tests/spark"), str(ROOT / "tests/support")]
    from cluster import Cluster

    with tempfile.TemporaryDirectory() as logs:
        cluster = Cluster(Path(logs))
        try:
            spark = session(cluster.url)
            return joined(spark, Path(folder), *how) if how else compared(spark, Path(folder))
        finally:
            cluster.stop()


def joined(spark, folder, how):
    """A hierarchy of pairs: the bytes that reached the driver, and the peaks of its two processes."""
    import concordant as cc

    began, pairs = time.perf_counter(), spark.read.parquet(str(folder / "pairs.parquet"))
    found = cc.Hierarchy.from_pairs(
        pairs.toArrow() if how == "collect" else pairs, left="left", right="right", score="score"
    )
    seconds, context = time.perf_counter() - began, spark.sparkContext
    gateway, java_list = context._gateway, context._jvm.java.util.ArrayList
    numbers = gateway.new_array(gateway.jvm.double, 0)
    stages = java(spark).statusStore().stageList(None, False, False, numbers, java_list())  # noqa: FBT003  (Java's)
    sent = sum(stages.apply(i).resultSize() for i in range(stages.size()))
    lines = Path(f"/proc/{gateway.proc.pid}/status").read_text().splitlines()
    of_java = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    of_python = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    spark.stop()
    return {
        "seconds": seconds,
        "records": found.size,
        "levels": len(found.levels),
        "sent": sent,
        "python": of_python * 1024,
        "java": of_java * 1024,
    }


def session(url):
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(url)
    for key, value in SETTINGS.items():
        builder = builder.config(f"spark.{key}", value)
    spark = builder.getOrCreate()
    while java(spark).getExecutorMemoryStatus().size() < 3:  # the driver is one of them
        time.sleep(0.1)
    return spark


def java(spark):
    """The context as Java has it, with its counters."""
    return spark.sparkContext._jsc.sc()


def compared(spark, folder):
    import concordant as cc

    began = time.perf_counter()
    sides = [
        cc.Partition.from_frame(
            spark.read.parquet(str(folder / f"{name}.parquet")), record="record", cluster="cluster"
        )
        for name in ("truth", "guess")
    ]
    comparison = cc.compare(*sides, unmatched="drop")
    seconds = time.perf_counter() - began
    listed = java(spark).statusStore().executorList(True)  # noqa: FBT003  (Java's)
    executors = [listed.apply(i) for i in range(listed.size())]
    spark.stop()
    return {
        "seconds": seconds,
        "records": comparison.size,
        "executors": len(executors) - 1,  # without the driver
        "written": sum(executor.totalShuffleWrite() for executor in executors),
        "read": sum(executor.totalShuffleRead() for executor in executors),
    }


if __name__ == "__main__":
    print(json.dumps(measure(*sys.argv[1:])))
