"""Readers of files, in the order of the tables."""

from contenders.reading import (
    duckdb_csv,
    liblinear,
    linsep,
    null,
    pandas_csv,
    polars_csv,
    pyarrow_csv,
    scikit_learn,
)

ALL = [
    *linsep.CONTENDERS,
    *scikit_learn.CONTENDERS,
    *liblinear.CONTENDERS,
    *polars_csv.CONTENDERS,
    *pandas_csv.CONTENDERS,
    *pyarrow_csv.CONTENDERS,
    *duckdb_csv.CONTENDERS,
    *null.CONTENDERS,
]
