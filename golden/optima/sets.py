"""Data sets from ../shared/data, as plain arrays; missing ones are skipped."""

from fractions import Fraction
from math import isqrt

import numpy as np
import pandas as pd
from certificate import FOLDER
from sklearn.datasets import load_svmlight_file

DATA = FOLDER.parent.parent / "shared" / "data"
IRIS = ["Iris-setosa", "Iris-versicolor", "Iris-virginica"]
STANDARD = "(x - mean)/sigma in double precision, population sigma; means and sigmas in `standardization`"


def libsvm(file, d):
    x, y = load_svmlight_file(str(DATA / file), n_features=d)
    return x.toarray(), np.where(y > 0, 1.0, -1.0)


def moments(column):
    """Mean and population standard deviation, exact before rounding to double."""
    cells = [Fraction(float(cell)) for cell in column]
    mean = sum(cells) / len(cells)
    square = sum((cell - mean) ** 2 for cell in cells) / len(cells)
    scale = 1 << 400
    root = Fraction(isqrt(int(square * scale * scale)), scale)
    return float(mean), float(root)


def load():
    """name → (file, preprocessing, positive class, x, y), and the means and sigmas of wdbc."""
    sets, standard = {}, {}
    if (DATA / "heart_scale/heart_scale").exists():
        sets["heart_scale"] = ("heart_scale/heart_scale", "none", "+1", *libsvm("heart_scale/heart_scale", 13))
    if (DATA / "wdbc/wdbc.csv").exists():
        frame = pd.read_csv(DATA / "wdbc/wdbc.csv")
        x = frame.drop(columns="Class").to_numpy(float)
        both = np.array([moments(column) for column in x.T])
        standard = {"mean": both[:, 0].tolist(), "sigma": both[:, 1].tolist()}
        y = np.where(frame["Class"] == 2, 1.0, -1.0)
        sets["wdbc"] = ("wdbc/wdbc.csv", STANDARD, "2", (x - both[:, 0]) / both[:, 1], y)
    if (DATA / "iris/iris.csv").exists():
        frame = pd.read_csv(DATA / "iris/iris.csv", header=None)
        for i, j in [(0, 1), (0, 2), (1, 2)]:
            pair = frame[frame[4].isin([IRIS[i], IRIS[j]])]
            y = np.where(pair[4] == IRIS[j], 1.0, -1.0)
            name = f"{IRIS[i]}_{IRIS[j]}".replace("Iris-", "")
            how = f"rows of {IRIS[i]} and {IRIS[j]} only"
            sets[f"iris_{name}"] = ("iris/iris.csv", how, IRIS[j], pair.iloc[:, :4].to_numpy(float), y)
    if (DATA / "a9a/a9a.txt").exists():
        sets["a9a"] = ("a9a/a9a.txt", "none", "+1", *libsvm("a9a/a9a.txt", 123))
    return sets, standard
