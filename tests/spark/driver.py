"""A user's program, in a process of its own: compares two tables on a cluster, slowly enough to be hurt.

driver.py MASTER TRUTH GUESS FINISHED ["go on"]

Each task of the first stage leaves a file in the folder FINISHED when it is done. The last line is JSON.
To go on is to compare one table, too, and to look for what is left cached.
"""

import json
import sys
import time
import uuid
from pathlib import Path

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

import concordant as cc

TASKS = 8  # of the reference's first stage
SETTINGS = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.executor.memory": "512m",
    "spark.sql.shuffle.partitions": "2",
    # Small tables: to generate and compile code costs more than it saves.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # A lost executor's output is soon known to be lost.
    "spark.shuffle.io.maxRetries": "1",
    "spark.shuffle.io.retryWait": "1s",
}


def session(master):
    builder = SparkSession.builder.master(master)
    for key, value in SETTINGS.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    while spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() < 3:  # the driver is one of them
        time.sleep(0.1)
    return spark


def slowed(frame, finished):
    """The same rows from tasks that take their time."""

    def take_time(batches):
        time.sleep(0.5)
        yield from batches
        (Path(finished) / uuid.uuid4().hex).touch()

    return frame.repartition(TASKS).mapInArrow(take_time, frame.schema)


def cached(spark):
    return spark.sparkContext._jsc.getPersistentRDDs().size()


def compared(truth, guess):
    sides = (cc.Partition.from_frame(frame, record="record", cluster="cluster") for frame in (truth, guess))
    return json.loads(cc.compare(*sides).to_json())


def left_behind(spark, truth, guess):
    """How many tables are cached after answers, refusals and failures."""
    left = {"an answer": cached(spark)}
    try:
        compared(truth, guess.unionAll(guess))
    except cc.ConcordantError:
        left["a refusal"] = cached(spark)
    try:
        compared(truth, guess.selectExpr("record", "raise_error('broken') AS cluster"))
    except (cc.ConcordantError, PySparkException):
        left["a failure"] = cached(spark)
    return left


def main(master, truth, guess, finished, then="stop"):
    spark = session(master)
    truth, guess = spark.read.parquet(truth), spark.read.parquet(guess)
    said = {"two tables": compared(slowed(truth, finished), guess)}
    if then == "go on":
        said["cached after"] = left_behind(spark, truth, guess)
        both = truth.toDF("record", "truth").join(guess.toDF("record", "guess"), "record")
        said["one table"] = json.loads(cc.compare_columns(both, "truth", "guess").to_json())
    spark.stop()
    print(json.dumps(said))  # noqa: T201  (its answer)


if __name__ == "__main__":
    main(*sys.argv[1:])
