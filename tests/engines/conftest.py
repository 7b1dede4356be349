"""What the tests of several engines share."""

import pytest
from spark_settings import CHECKS_OF_PLANS, QUICK_JAVA


@pytest.fixture(scope="session")
def spark():
    from pyspark.sql import SparkSession

    # Small tables and many different queries: what is planned, generated and compiled for each is the cost.
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "1",
        "spark.default.parallelism": "1",
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.driver.extraJavaOptions": QUICK_JAVA,
        **{f"spark.{name}": "false" for name in CHECKS_OF_PLANS},
        "spark.log.level": "ERROR",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
    }
    builder = SparkSession.builder.master("local[1]").appName("concordant")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()
