"""Contenders with closed forms, in the order of the tables."""

from contenders.closed import linsep, scikit_learn, syrk

ALL = [*linsep.CONTENDERS, *scikit_learn.CONTENDERS, *syrk.CONTENDERS]
