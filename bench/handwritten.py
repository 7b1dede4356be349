# ruff: noqa: S608  (the queries are made of our own words and numbers)
"""The tables, and the best queries that a person would write for them by hand.

handwritten.py FOLDER      what a user of scikit-learn does: read both files, join them, compute one score
"""

import sys
from pathlib import Path

CLUSTER_SIZE = 3
AGREEMENT = 0.9
MISSING = 0.01


# How records and clusters are written: as integers, like customer-00000000042 and entity-42, as UUIDs, as
# digests in hexadecimal, or as addresses of mail and of pages.
SPELLINGS = {
    "integers": ("record::BIGINT", "{}::BIGINT"),
    "text": ("printf('customer-%011d', record)", "'entity-' || {}"),
    "UUIDs": ("md5(record::VARCHAR)::UUID::VARCHAR", "md5('entity-' || {})::UUID::VARCHAR"),
    "SHA-1": ("sha1(record::VARCHAR)", "sha1('entity-' || {})"),
    "SHA-256": ("sha256(record::VARCHAR)", "sha256('entity-' || {})"),
    "addresses": (
        "'user' || record || '.' || md5(record::VARCHAR)[:(record % 9 + 3)::INT] || '@example.org'",
        "'https://example.org/entity/' || md5('entity-' || {0})[:8] || '/' || {0} || '.html'",
    ),
}


def make(rows, folder, spelling="integers", clusters=0):
    """truth.parquet and guess.parquet: record, cluster; the same records but a few, in different orders."""
    import duckdb

    clusters = clusters or rows // CLUSTER_SIZE
    record, cluster = SPELLINGS[spelling]
    with duckdb.connect(config={"preserve_insertion_order": "false"}) as connection:
        connection.execute(f"SET memory_limit='6GB'; SET temp_directory='{folder}/making'")
        connection.execute(f"""
            CREATE TEMP TABLE both_sides AS
            SELECT range * 3 AS record, hash(range, 1) % {clusters} AS truth,
                CASE WHEN hash(range, 2) % 1000 < {AGREEMENT * 1000} THEN hash(range, 1) % {clusters}
                     ELSE hash(range, 3) % {clusters} END AS guess,
                hash(range, 4) % 10000 AS luck
            FROM range({rows})""")
        for name, here, order in (("truth", "luck >= 100", 5), ("guess", "luck < 9900", 6)):
            connection.execute(f"""
                COPY (SELECT {record} AS record, {cluster.format(name)} AS cluster FROM both_sides
                      WHERE {here} ORDER BY hash(record, {order}))
                TO '{folder}/{name}.parquet' (FORMAT parquet)""")


# -- DuckDB -----------------------------------------------------------------------------------------------


_ALONE = """CASE WHEN g.record IS NULL THEN t.record WHEN t.record IS NULL THEN g.record END AS alone,"""


def _connected(memory, spill):
    import duckdb

    connection = duckdb.connect()
    if memory != "none":
        connection.execute(f"SET memory_limit='{memory}'")
    connection.execute(f"SET temp_directory='{spill}'")
    connection.execute("SET preserve_insertion_order=false")
    return connection


def decoded(folder, memory):
    """Both files, read batch by batch, of which nothing is kept."""
    with _connected(memory, folder) as connection:
        for source in _files(folder):
            for _ in connection.sql(f"SELECT record, cluster FROM {source}").to_arrow_reader():
                pass
    return {}


def _files(folder):
    return [f"read_parquet('{folder}/{name}.parquet')" for name in ("truth", "guess")]


def _count_cells(connection, sources, *, alone=False):
    """The cells of the two sources in a temporary table: one full join, one group-by.

    With ``alone``, a record that only one source has is a separate cell, so its repetition is counted.
    """
    connection.execute(f"""
        CREATE TEMP TABLE cells AS
        SELECT t.cluster AS u, g.cluster AS v, {_ALONE if alone else ""} count(*) AS n
        FROM {sources[0]} t FULL JOIN {sources[1]} g ON t.record = g.record
        GROUP BY ALL""")


_MATCHED = "u IS NOT NULL AND v IS NOT NULL"


def _audit(connection, sources):
    """Refuse the same input as concordant, and count the records on one side only.

    A record that occurs twice on one side makes more rows than the other side has, or is one that only this
    side has. A label that is null would look like a record that is missing.
    """
    reference, candidate, matched = connection.execute(f"""
        SELECT coalesce(sum(n) FILTER (v IS NULL), 0), coalesce(sum(n) FILTER (u IS NULL), 0),
               coalesce(sum(n) FILTER ({_MATCHED}), 0) FROM cells""").fetchone()
    twice = connection.execute("""
        SELECT count(*) FROM (SELECT alone FROM cells WHERE alone IS NOT NULL
                              GROUP BY alone, u IS NULL HAVING sum(n) > 1)""").fetchone()
    for source, alone in zip(sources, (reference, candidate), strict=True):
        rows, records, labels = connection.execute(f"""
            SELECT count(*), count(record), count(cluster) FROM {source}""").fetchone()
        if records < rows or labels < rows or matched + alone != rows or twice != (0,):
            raise SystemExit(f"{source}: records or labels are null, or records repeat")


def sizes(folder, memory, spill):
    """How many cells of each (n, a, b), and the sums of the row and column maxima.

    Only clusters in several pieces are joined back to their cells: the others have a = n.
    """
    with _connected(memory, spill) as connection:
        _count_cells(connection, _files(folder))
        for side in ("u", "v"):
            _clusters(connection, side)
            connection.execute(f"SELECT size, sum(most), count(*) FROM of_{side} GROUP BY size").fetchall()
        triples = _triples(connection)
    return _found(triples)


def profile(folder, memory, spill):
    """All that concordant's table is made of, with its audit.

    The audit, how many cells of each (n, a, b), and of the clusters in several pieces the sum of the
    largest overlaps, the smallest sum of n(n - 1) and the best share n/(a + b), by size and share. Cells
    that are a whole cluster of both sides need no join: they are counted by n, less those that are not
    whole.
    """
    sources = _files(folder)
    with _connected(memory, spill) as connection:
        _count_cells(connection, sources, alone=True)
        _audit(connection, sources)
        for side in ("u", "v"):
            _clusters(connection, side)
        connection.execute(f"""
            CREATE TEMP TABLE many-to-many AS
            SELECT u, v, n, coalesce(of_u.size, n) AS a, coalesce(of_v.size, n) AS b
            FROM (SELECT * FROM cells WHERE {_MATCHED})
            LEFT JOIN of_u USING (u) LEFT JOIN of_v USING (v)
            WHERE of_u.size IS NOT NULL OR of_v.size IS NOT NULL""")
        triples = connection.execute(f"""
            SELECT n, a, b, count(*) FROM many-to-many GROUP BY ALL
            UNION ALL SELECT n, n, n, count(*) FROM cells WHERE {_MATCHED} GROUP BY n
            UNION ALL SELECT n, n, n, -count(*) FROM many-to-many GROUP BY n""").fetchall()
        for side, size in (("u", "a"), ("v", "b")):
            connection.execute(f"""
                SELECT size, share, sum(most), min(together), count(*) FROM (
                    SELECT any_value({size}) AS size, max(n) AS most, sum(n * (n - 1)) AS together,
                           max(n / (a + b)) AS share
                    FROM many-to-many WHERE n < {size} GROUP BY {side}) GROUP BY ALL""").fetchall()
    return _found(triples)


def _clusters(connection, side):
    """The clusters in several cells."""
    connection.execute(f"""
        CREATE TEMP TABLE of_{side} AS
        SELECT {side}, sum(n)::BIGINT AS size, max(n) AS most FROM cells WHERE {_MATCHED}
        GROUP BY {side} HAVING count(*) > 1""")


def _triples(connection):
    """How many cells of each (n, a, b); clusters that are one cell need no join."""
    return connection.execute(f"""
        SELECT n, coalesce(of_u.size, n) AS a, coalesce(of_v.size, n) AS b, count(*)
        FROM (SELECT * FROM cells WHERE {_MATCHED})
        LEFT JOIN of_u USING (u) LEFT JOIN of_v USING (v) GROUP BY ALL""").fetchall()


def _found(triples):
    return {
        "elements": sum(n * count for n, _, _, count in triples),
        "n11": sum(n * (n - 1) // 2 * count for n, _, _, count in triples),
    }


# -- dataframes in memory ---------------------------------------------------------------------------------


def loaded(folder):
    """Both files as dataframes of Polars, in memory."""
    import polars as pl

    return [pl.read_parquet(folder / f"{name}.parquet").rechunk() for name in ("truth", "guess")]


def polars_sizes(truth, guess):
    """The same as ``sizes`` by Polars, for columns in memory."""
    import polars as pl

    cells = (
        truth.lazy()
        .join(guess.lazy(), on="record", how="inner")
        .group_by("cluster", "cluster_right")
        .agg(n=pl.len().cast(pl.Int64))
        .collect()
    )
    sizes = [
        cells.group_by(key).agg(pl.col("n").sum().alias(size), pl.col("n").max().alias(f"most_{size}"))
        for key, size in (("cluster", "a"), ("cluster_right", "b"))
    ]
    for size, clusters in zip("ab", sizes, strict=True):
        clusters.group_by(size).agg(pl.col(f"most_{size}").sum(), pl.len())
    triples = (
        cells.lazy()
        .join(sizes[0].lazy(), on="cluster")
        .join(sizes[1].lazy(), on="cluster_right")
        .group_by("n", "a", "b")
        .len()
        .collect()
    )
    return _found(triples.select("n", "a", "b", "len").rows())


def duckdb_sizes(truth, guess):
    """The same by DuckDB, which reads the memory of the dataframes."""
    with _registered(truth, guess) as connection:
        connection.execute("""
            CREATE TEMP TABLE cells AS SELECT t.cluster AS u, g.cluster AS v, count(*) AS n
            FROM truth t JOIN guess g ON t.record = g.record GROUP BY ALL""")
        for side in ("u", "v"):
            _clusters(connection, side)
            connection.execute(f"SELECT size, sum(most), count(*) FROM of_{side} GROUP BY size").fetchall()
        return _found(_triples(connection))


def duckdb_audited(truth, guess):
    """The sizes with concordant's audit: no record occurs twice, and records on one side are counted."""
    with _registered(truth, guess) as connection:
        _count_cells(connection, ("truth", "guess"), alone=True)
        _audit(connection, ("truth", "guess"))
        for side in ("u", "v"):
            _clusters(connection, side)
        return _found(_triples(connection))


def _registered(truth, guess):
    """A connection that reads the memory of both dataframes."""
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET preserve_insertion_order=false")
    connection.register("truth", truth.to_arrow())
    connection.register("guess", guess.to_arrow())
    return connection


# -- Spark ------------------------------------------------------------------------------------------------


def spark_session(folder):
    """A session on two cores that has started and run something already."""
    from pyspark.sql import SparkSession

    settings = {
        "driver.memory": "4g",
        "driver.host": "127.0.0.1",
        "driver.bindAddress": "127.0.0.1",
        "ui.enabled": "false",
        "ui.showConsoleProgress": "false",
        "local.dir": str(folder),
        "sql.shuffle.partitions": "8",
    }
    builder = SparkSession.builder.master("local[2]")
    for key, value in settings.items():
        builder = builder.config(f"spark.{key}", value)
    spark = builder.getOrCreate()
    spark.range(1000).selectExpr("id % 7 AS k").groupBy("k").count().collect()
    return spark


def spark_table(spark, folder, name):
    return spark.read.parquet(str(folder / f"{name}.parquet"))


def spark_profile(spark, folder):
    """The same as ``sizes``, in one collect; the cells are kept meanwhile."""
    for name in ("truth", "guess"):
        spark_table(spark, folder, name).createOrReplaceTempView(name)
    cells = spark.sql("""
        SELECT truth.cluster AS u, guess.cluster AS v, count(*) AS n
        FROM truth FULL JOIN guess ON truth.record = guess.record GROUP BY 1, 2""").persist()
    try:
        cells.createOrReplaceTempView("cells")
        rows = spark.sql(f"""
            WITH matched AS (SELECT * FROM cells WHERE {_MATCHED}),
            of_u AS (SELECT u, sum(n) AS a, max(n) AS most FROM matched GROUP BY u HAVING count(*) > 1),
            of_v AS (SELECT v, sum(n) AS b, max(n) AS most FROM matched GROUP BY v HAVING count(*) > 1)
            SELECT 0 AS tag, n AS p, coalesce(a, n) AS q, coalesce(b, n) AS r, count(*) AS count
            FROM matched LEFT JOIN of_u USING (u) LEFT JOIN of_v USING (v) GROUP BY 1, 2, 3, 4
            UNION ALL SELECT 1, a, sum(most), 0, count(*) FROM of_u GROUP BY a
            UNION ALL SELECT 2, b, sum(most), 0, count(*) FROM of_v GROUP BY b
            UNION ALL SELECT 3, int(u IS NULL), int(v IS NULL), 0, sum(n) FROM cells GROUP BY 2, 3
            """).collect()
    finally:
        cells.unpersist()
    triples = [(row.p, row["count"]) for row in rows if row.tag == 0]
    return {
        "elements": sum(n * count for n, count in triples),
        "n11": sum(n * (n - 1) // 2 * count for n, count in triples),
    }


# -- scikit-learn -----------------------------------------------------------------------------------------


def scikit_learn(folder):
    import pandas as pd
    from sklearn.metrics import adjusted_rand_score

    truth, guess = (pd.read_parquet(folder / f"{name}.parquet") for name in ("truth", "guess"))
    both = truth.merge(guess, on="record")
    print(adjusted_rand_score(both["cluster_x"], both["cluster_y"]))


if __name__ == "__main__":
    scikit_learn(Path(sys.argv[1]))
