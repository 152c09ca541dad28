"""Logistic regression on a table of counts: species of lizard by height, diameter, light and time.

The data are outside the project, in ../shared/data. Two results are recorded:

* `free`, without a penalty: the differences between the levels of a factor, by statsmodels'
  binomial GLM. Only these are determined, because every level has a column of its own.
* `penalized`, with C = 1e6: the minimum of C Σ s ln(1 + exp(-m)) + |w|²/2. There the coefficients
  of a factor's levels sum to 0, because the unpenalized intercept absorbs their mean. So Newton's
  method is restricted to these coefficients.
"""

import numpy as np
import pandas as pd
import statsmodels.api as sm
from certificate import FOLDER, write

FILE = "separation/lizards.csv"
COUNTS = ["grahami", "opalinus"]  # the second is positive
C = 1e6

frame = pd.read_csv(FOLDER.parent.parent / "shared" / "data" / FILE)
factors = [name for name in frame.columns if name not in COUNTS]
levels = {name: sorted(frame[name].unique()) for name in factors}
counts = frame[COUNTS].to_numpy(float)

# # 1. Without a penalty: each level against the first level of its factor.
columns = {f"{name}={level}": (frame[name] == level).astype(float) for name in factors for level in levels[name][1:]}
free = sm.GLM(counts[:, ::-1], sm.add_constant(pd.DataFrame(columns)), family=sm.families.Binomial()).fit(tol=1e-14)
assert free.converged

# # 2. With C: w = A θ; a factor with levels 1 … L has θ₁ … θ_{L−1}, and its last coefficient is
# −Σθ.
names = [f"{name}={level}" for name in factors for level in levels[name]]
x = np.column_stack([(frame[name] == level) for name in factors for level in levels[name]]).astype(float)
blocks = [np.vstack([np.eye(len(levels[name]) - 1), -np.ones(len(levels[name]) - 1)]) for name in factors]
a = np.zeros((x.shape[1], sum(block.shape[1] for block in blocks)))
row = column = 0
for block in blocks:
    a[row : row + block.shape[0], column : column + block.shape[1]] = block
    row, column = row + block.shape[0], column + block.shape[1]
z = np.column_stack([x @ a, np.ones(len(x))])
ridge = np.zeros((z.shape[1], z.shape[1]))
ridge[:-1, :-1] = a.T @ a / C
total = counts.sum(axis=1)
theta = np.zeros(z.shape[1])
for _ in range(50):
    p = 1 / (1 + np.exp(-(z @ theta)))
    gradient = z.T @ (total * p - counts[:, 1]) + ridge @ theta
    step = np.linalg.solve(z.T @ (z * (total * p * (1 - p))[:, None]) + ridge, gradient)
    theta -= step
    if np.abs(step).max() < 1e-14:
        break
weights = a @ theta[:-1]

write("lizards", ["statsmodels", "numpy", "pandas"], f"../shared/data/{FILE}", {
    "file": FILE,
    "counts": COUNTS,
    "n": int((total > 0).sum()) * len(COUNTS),
    "d": len(names),
    "classes": dict(zip(COUNTS, counts.sum(axis=0))),
    "weight": float(counts.sum()),
    "free": {"log_likelihood": float((counts[:, 1] * np.log(free.fittedvalues) + counts[:, 0] * np.log(1 - free.fittedvalues)).sum()),
             "differences": {name: float(free.params[name]) for name in columns}},
    "penalized": {"c": C, "w": dict(zip(names, map(float, weights))), "b": float(theta[-1]),
                  "last_step": float(np.abs(step).max()), "gradient": float(np.abs(gradient).max())},
})
