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


def compare_slowly(spark, truth, guess, finished):
    """Compare two tables on two executors, slowly enough to be hurt."""
    while spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() < 3:  # the driver is one of them
        time.sleep(0.1)
    truth, guess = spark.read.parquet(truth), spark.read.parquet(guess)
    return compared(slowed(truth, finished), guess)


def example(_, path, arguments):
    """What the example prints, run with these arguments as the program that was submitted."""
    sys.argv = [path, *arguments]
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        runpy.run_path(path, run_name="__main__")
    return printed.getvalue()


WORK = {work.__name__: work for work in (compare_slowly, example)}


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
