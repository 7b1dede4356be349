# ruff: noqa: S608  (the queries are made of our own words and numbers)
"""The tables, and the best queries that a person would write for them by hand.

handwritten.py FOLDER      what a user of scikit-learn does: read both files, join them, compute one score
"""

import sys
from pathlib import Path

CLUSTER_SIZE = 3
AGREEMENT = 0.9
MISSING = 0.01


def make(rows, folder):
    """truth.parquet and guess.parquet: record, cluster; the same records but a few, in different orders."""
    import duckdb

    clusters = rows // CLUSTER_SIZE
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
                COPY (SELECT record::BIGINT AS record, {name}::BIGINT AS cluster FROM both_sides
                      WHERE {here} ORDER BY hash(record, {order}))
                TO '{folder}/{name}.parquet' (FORMAT parquet)""")


# -- DuckDB -----------------------------------------------------------------------------------------------


def _cells(folder, memory, spill):
    """A connection with the cells of the two files in a temporary table: one full join, one group-by."""
    import duckdb

    connection = duckdb.connect()
    connection.execute(f"SET memory_limit='{memory}'; SET temp_directory='{spill}'")
    connection.execute("SET preserve_insertion_order=false")
    connection.execute(f"""
        CREATE TEMP TABLE cells AS
        SELECT t.cluster AS u, g.cluster AS v, count(*) AS n
        FROM read_parquet('{folder}/truth.parquet') t
        FULL JOIN read_parquet('{folder}/guess.parquet') g USING (record)
        GROUP BY ALL""")
    return connection


_AUDIT = """SELECT coalesce(sum(n) FILTER (v IS NULL), 0), coalesce(sum(n) FILTER (u IS NULL), 0),
                   coalesce(sum(n) FILTER (u IS NOT NULL AND v IS NOT NULL), 0),
                   coalesce(sum(n * (n - 1) // 2) FILTER (u IS NOT NULL AND v IS NOT NULL), 0) FROM cells"""
_MATCHED = "u IS NOT NULL AND v IS NOT NULL"


def spectra(folder, memory, spill):
    """How many clusters of each size, the squares and the maxima of their overlaps; no joint sizes."""
    with _cells(folder, memory, spill) as connection:
        audit = connection.execute(_AUDIT).fetchone()
        for side in ("u", "v"):
            connection.execute(f"""
                SELECT size, count(*), sum(most), sum(squares) FROM (
                    SELECT sum(n) AS size, max(n) AS most, sum(n * n) AS squares FROM cells
                    WHERE {_MATCHED} GROUP BY {side}) GROUP BY size""").fetchall()
    return {"elements": int(audit[2]), "n11": int(audit[3])}


def profile(folder, memory, spill):
    """The audit, how many cells of each (n, a, b), and the sums of the row and column maxima.

    Only clusters in several pieces are joined back to their cells: the others have a = n.
    """
    with _cells(folder, memory, spill) as connection:
        audit = connection.execute(_AUDIT).fetchone()
        for side in ("u", "v"):
            connection.execute(f"""
                CREATE TEMP TABLE of_{side} AS
                SELECT {side}, sum(n)::BIGINT AS size, max(n) AS most FROM cells WHERE {_MATCHED}
                GROUP BY {side} HAVING count(*) > 1""")
            connection.execute(f"SELECT size, sum(most), count(*) FROM of_{side} GROUP BY size").fetchall()
        triples = connection.execute(f"""
            SELECT n, coalesce(of_u.size, n) AS a, coalesce(of_v.size, n) AS b, count(*)
            FROM (SELECT * FROM cells WHERE {_MATCHED})
            LEFT JOIN of_u USING (u) LEFT JOIN of_v USING (v) GROUP BY ALL""").fetchall()
    n11 = sum(n * (n - 1) // 2 * count for n, _, _, count in triples)
    return {"elements": int(audit[2]), "n11": n11}


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
    """The same as ``profile``, in one collect; the cells are kept meanwhile."""
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
