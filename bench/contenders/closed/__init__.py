"""Those who compute planes directly, in the order of the tables."""

from contenders.closed import linsep, scikit_learn, syrk

ALL = [*linsep.CONTENDERS, *scikit_learn.CONTENDERS, *syrk.CONTENDERS]
