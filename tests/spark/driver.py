"""A user's program on the cluster, submitted by spark-submit; one for all tests, as it starts slowly.

driver.py ORDERS

It does what the files 0.order, 1.order and so on in the folder ORDERS say, and writes what comes of it
to 0.answer and so on, all in JSON. After the example, which stops Spark, it ends.
"""

import contextlib
import io
import itertools
import json
import runpy
import sys
import time
import uuid
from pathlib import Path

from pyspark.sql import SparkSession

import concordant as cc

sys.path.append(str(Path(__file__).parents[1] / "support"))  # of the tests

TASKS = 4  # of the reference's first stage


def slowed(frame, finished):
    """The same rows from tasks that take their time; each leaves a file in the folder when it is done."""

    def take_time(batches):
        time.sleep(0.5)
        yield from batches
        (Path(finished) / uuid.uuid4().hex).touch()

    return frame.repartition(TASKS).mapInArrow(take_time, frame.schema)


def compared(truth, guess):
    sides = (cc.Partition.from_frame(frame, record="record", cluster="cluster") for frame in (truth, guess))
    return json.loads(cc.compare(*sides).to_json())


def read_slowly(spark, path, finished):
    """A table from tasks of two executors that are slow enough to be hurt."""
    while spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() < 3:  # the driver is one of them
        time.sleep(0.1)
    return slowed(spark.read.parquet(path), finished)


def compare_slowly(spark, truth, guess, finished):
    return compared(read_slowly(spark, truth, finished), spark.read.parquet(guess))


def slices_slowly(spark, truth, guess, finished):
    sides = (read_slowly(spark, truth, finished), spark.read.parquet(guess))
    found = cc.compare(*(cc.Partition.from_frame(side) for side in sides)).slices("unit")
    return json.loads(found.to_json())


def pairs_slowly(spark, pairs, finished):
    frame = read_slowly(spark, pairs, finished)
    return str(cc.Hierarchy.from_pairs(frame, left="left", right="right", score="score").levels)


def capability(spark, name, paths):
    """One line of the table of what works where, on frames of Spark."""
    from capabilities import CALLS

    sides = {side: cc.Partition.from_frame(spark.read.parquet(path)) for side, path in paths.items()}
    try:
        return ["yes", repr(CALLS[name](sides, "unit"))]
    except cc.errors.ConcordantError as error:
        return ["refused", str(error)]


def example(_, path, arguments):
    """What the example prints, run with these arguments as the program that was submitted."""
    sys.argv = [path, *arguments]
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        runpy.run_path(path, run_name="__main__")
    return printed.getvalue()


WORK = {work.__name__: work for work in (compare_slowly, slices_slowly, pairs_slowly, capability, example)}


def main(orders):
    spark = SparkSession.builder.getOrCreate()
    for number in itertools.count():
        order = orders / f"{number}.order"
        while not order.exists():
            time.sleep(0.05)
        what, details = json.loads(order.read_text())
        said = WORK[what](spark, **details)
        written = orders / f"{number}.written"
        written.write_text(json.dumps(said))
        written.rename(orders / f"{number}.answer")
        if what == "example":
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]))
