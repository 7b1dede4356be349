"""What docs/scale.md says of Spark: how often the records travel."""

import narwhals.stable.v2 as nw
from inner import queries


def depth_of_exchanges(plan):
    """The most exchanges on a way from a source to the result; a line of a plan is indented by its depth."""
    most, above = 0, []
    for line in plan.splitlines():
        depth = len(line) - len(line.lstrip(" :+-*"))
        above = [(at, exchanges) for at, exchanges in above if at < depth]
        exchanges = (above[-1][1] if above else 0) + ("Exchange" in line)
        above.append((depth, exchanges))
        most = max(most, exchanges)
    return most


def test_records_travel_twice_on_spark(spark):
    """Once to meet the other side, by their ids, which cannot be skewed, and once as pairs of labels."""
    frames = [nw.from_native(spark.createDataFrame([(1, 2)], "id long, label long")) for _ in "uv"]
    sides = [
        queries.side(frame, nw.col("id"), nw.col("label"), x) for frame, x in zip(frames, "uv", strict=True)
    ]
    cells = queries.cells_of(queries.joined(*sides))
    plan = cells.to_native()._jdf.queryExecution().executedPlan().toString()
    assert depth_of_exchanges(plan) == 2
    joins = [line for line in plan.splitlines() if "Join" in line]
    assert len(joins) == 1
    assert "u_id" in joins[0]
    assert "v_id" in joins[0]
