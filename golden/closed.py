"""scikit-learn's LinearDiscriminantAnalysis and Ridge on Fisher's iris data, standardized for
training.

Only differences of class scores matter, so the recorded hyperplanes are those of all classes minus
that of the first, in raw units. Ridge has 1-of-K targets; its α is λS/2.

With priors, scikit-learn also weights the class covariances by them. Here, as in linsep, the
covariances are weighted by the rows: the model is fitted without priors, and their logarithms are
added to the intercepts.
"""

import csv

import certificate
import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Ridge

DATA = certificate.FOLDER.parent / "examples" / "iris.csv"


def main() -> None:
    with open(DATA) as file:
        rows = list(csv.reader(file))[1:]
    raw = np.array([[float(v) for v in row[:-1]] for row in rows])
    classes = sorted({row[-1] for row in rows})
    y = np.array([classes.index(row[-1]) for row in rows])
    mean, spread = raw.mean(axis=0), raw.std(axis=0)
    x = (raw - mean) / spread

    def planes(w: np.ndarray, b: np.ndarray) -> dict:
        w = w / spread
        b = b - w @ mean
        return {"w": (w[1:] - w[0]).tolist(), "b": (b[1:] - b[0]).tolist()}

    runs = []
    for shrinkage, priors in [(0.0, None), (0.3, None), (0.3, [0.2, 0.3, 0.5]), (1.0, None)]:
        model = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=shrinkage).fit(x, y)
        bias = model.intercept_
        words = f"--method gaussian --shrinkage {shrinkage:g}"
        if priors:
            bias = bias + np.log(priors) - np.log(model.priors_)
            words += " --priors " + ",".join(f"{c}={p}" for c, p in zip(classes, priors, strict=True))
        found = planes(model.coef_, bias)
        runs.append({"arguments": words, **found})
    for weight in [1e-6, 0.02, 3.0]:
        model = Ridge(alpha=weight * len(y) / 2, solver="svd").fit(x, np.eye(len(classes))[y])
        words = f"--method least-squares --lambda {weight:g}"
        runs.append({"arguments": words, **planes(model.coef_, model.intercept_)})
    packages = ["scikit-learn", "scipy", "numpy"]
    certificate.write("closed", packages, "examples/iris.csv", {"runs": runs})


main()
