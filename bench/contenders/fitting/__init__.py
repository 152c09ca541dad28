"""Contenders that fit, in the order of the tables."""

from contenders.fitting import (
    celer_l1,
    liblinear,
    linsep,
    null,
    scikit_learn,
    skglm_l1,
    snap_ml,
)

ALL = [
    *linsep.CONTENDERS,
    *liblinear.CONTENDERS,
    *scikit_learn.CONTENDERS,
    *snap_ml.CONTENDERS,
    *celer_l1.CONTENDERS,
    *skglm_l1.CONTENDERS,
    *null.CONTENDERS,
]
