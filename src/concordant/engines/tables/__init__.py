"""Counts what lies in dataframes, files, DuckDB and Spark, where it lies."""
