"""Contenders that compare methods by cross-validation, in the order of the tables."""

from contenders.comparing import linsep, scikit_learn

ALL = [*linsep.CONTENDERS, *scikit_learn.CONTENDERS]
