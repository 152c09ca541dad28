"""scikit-learn's perceptron in the order of the data: coefficients per class and number of
epochs."""

import csv

import numpy as np
from certificate import FOLDER, write
from sklearn.linear_model import Perceptron

DATA = "examples/iris.csv"

with open(FOLDER.parent / DATA) as file:
    rows = list(csv.reader(file))[1:]
x = np.array([row[:-1] for row in rows], dtype=float)
y = np.array([row[-1] for row in rows])

runs = []
for eta in [1.0, 0.25]:
    for epochs in [1, 2, 5, 20]:
        model = Perceptron(shuffle=False, tol=None, max_iter=epochs, eta0=eta).fit(x, y)
        for label, w, b in zip(model.classes_, model.coef_, model.intercept_):
            runs.append({"positive": label, "eta": eta, "epochs": epochs, "w": w.tolist(), "b": b})

write("perceptron_iris", ["scikit-learn", "numpy"], DATA, {"runs": runs})
