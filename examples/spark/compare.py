"""Compare two tables of (record, cluster) where Spark keeps them; only the profile comes to the driver.

On a cluster:          spark-submit --master spark://HOST:7077 compare.py truth.parquet guess.parquet
From a thin client:    SPARK_REMOTE=sc://HOST:15002 python compare.py truth.parquet guess.parquet

The paths are those that Spark reads: folders, patterns, s3a://, dbfs:/ and so on.
"""

import argparse

from pyspark.sql import SparkSession

import concordant as cc


def main() -> None:
    options = read_options()
    spark = SparkSession.builder.appName("concordant").getOrCreate()
    truth, guess = (
        cc.Partition.from_frame(spark.read.parquet(path), record=options.record, cluster=options.cluster)
        for path in (options.truth, options.guess)
    )
    comparison = cc.compare(truth, guess, unmatched=options.unmatched)
    print(comparison.to_json() if options.json else comparison)
    spark.stop()


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("truth")
    parser.add_argument("guess")
    parser.add_argument("--record", default="record", help="the column that names the record")
    parser.add_argument("--cluster", default="cluster", help="the column that names its cluster")
    parser.add_argument("--unmatched", default="error", choices=["error", "drop", "singletons"])
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
