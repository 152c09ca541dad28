"""Properties of public data sets: rows, features after encoding, classes, missing cells, and the
training accuracy of scikit-learn's averaged perceptron.

The data are outside the project, in ../shared/data; missing sets are skipped.
"""

import warnings

import numpy as np
import pandas as pd
from certificate import FOLDER, write
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

DATA = FOLDER.parent.parent / "shared" / "data"
LARGEST = 100_000  # maximum number of rows for the fit
NA = ["", "NA", "N/A", "NaN", "null", "?"]
warnings.filterwarnings("ignore")

# name: file, options of pandas, target, options of linsep, weights, columns to drop
TABLES = {
    "iris": ("iris/iris.csv", {"header": None}, 4, "", None, []),
    "wine": ("wine/wine.csv", {"header": None}, 13, "", None, []),
    "sonar": ("sonar/sonar.csv", {"header": None}, 60, "", None, []),
    "wdbc": ("wdbc/wdbc.csv", {}, "Class", "", None, []),
    "letter": ("letter/letter.csv", {}, "class", "", None, []),
    "spambase": ("spambase/spambase.csv", {}, "class", "", None, []),
    "adult": (
        "adult/adult-train.csv",
        {"header": None, "skipinitialspace": True},
        14,
        "",
        None,
        [],
    ),
    "titanic": ("titanic/titanic.csv", {}, "Survived", "--target Survived", None, []),
    "breast_cancer": (
        "breast_cancer_wisconsin_original/breast-cancer-wisconsin.data",
        {"header": None},
        10,
        "--drop V1",
        None,
        [0],
    ),
    "lightgbm_binary": (
        "lightgbm_binary/binary.train",
        {"header": None, "sep": "\t"},
        0,
        "--target V1 --weights {data}/lightgbm_binary/binary.train.weight",
        "lightgbm_binary/binary.train.weight",
        [],
    ),
    "endometrial": ("separation/endometrial.csv", {}, "HG", "", None, []),
    "sex2": ("separation/sex2.csv", {}, "case", "--target case", None, []),
    "sexagg": (
        "separation/sexagg.csv",
        {},
        "case",
        "--target case --weights COUNT --drop PERCENT",
        "COUNT",
        ["PERCENT"],
    ),
    "hepatitis": (
        "separation/hepatitis.csv",
        {},
        "HCV",
        "--target HCV --weights counts",
        "counts",
        [],
    ),
    "silvapulle1981": ("separation/silvapulle1981.csv", {}, "y", "", None, []),
    "covtype": ("covtype/covtype.csv.gz", {}, None, "", None, []),
}
SPARSE = {
    "heart_scale": "heart_scale/heart_scale",
    "a9a": "a9a/a9a.txt",
    "agaricus": "agaricus_libsvm/agaricus.txt.train",
}


def classifier():
    return SGDClassifier(loss="perceptron", penalty=None, learning_rate="constant", eta0=1.0,
                         average=True, max_iter=50, tol=None, random_state=0)


def weighted_counts(y, weights):
    names = [str(name) for name in pd.unique(y)]
    total = {name: 0.0 for name in names}
    for name, s in zip(y.astype(str), weights):
        total[name] += float(s)
    return total


def encode(frame):
    """One column per number, one per level; missing numbers become the mean, with an indicator."""
    parts = []
    for name in frame.columns:
        column = frame[name]
        absent = column.isna()
        if pd.api.types.is_numeric_dtype(column):
            if column.nunique() <= 1 and not absent.any():
                continue
            parts.append(column.fillna(column.mean()).to_numpy(float))
            if absent.any():
                parts.append(absent.to_numpy(float))
        else:
            present = column[~absent]
            words = present.astype(str).str.split().str.len()
            if present.nunique() > 20 and words.mean() >= 4:
                continue  # free text
            if len(present) >= 20 and present.nunique() * 2 > len(present):
                continue  # an identifier
            for level in sorted(present.unique()):
                parts.append((column == level).to_numpy(float))
            if absent.any():
                parts.append(absent.to_numpy(float))
    return np.column_stack(parts)


sets = {}
for name, (file, options, target, arguments, weights, drop) in TABLES.items():
    if not (DATA / file).exists():
        print(f"{file} is not there: left out")
        continue
    frame = pd.read_csv(DATA / file, na_values=NA, keep_default_na=False, **options)
    target = frame.columns[-1] if target is None else target
    y = frame[target]
    s = np.ones(len(frame))
    if weights is not None and weights in frame.columns:
        s = frame[weights].to_numpy(float)
        drop = drop + [weights]
    elif weights is not None:
        s = np.loadtxt(DATA / weights)
    features = frame.drop(columns=[target, *drop])
    x = encode(features)
    accuracy = None
    if len(frame) <= LARGEST:
        fitted = make_pipeline(StandardScaler(), classifier())
        fitted.fit(x, y.astype(str), sgdclassifier__sample_weight=s)
        right = fitted.predict(x) == y.astype(str)
        accuracy = float((right * s).sum() / s.sum())
    sets[name] = {
        "file": file,
        "arguments": arguments,
        "n": len(frame),
        "d": x.shape[1],
        "classes": weighted_counts(y, s),
        "missing": int(features.isna().sum().sum()),
        "peer_accuracy": accuracy,
    }
for name, file in SPARSE.items():
    if not (DATA / file).exists():
        print(f"{file} is not there: left out")
        continue
    x, y = load_svmlight_file(str(DATA / file))
    x.indices, x.indptr = x.indices.astype(np.int32), x.indptr.astype(np.int32)
    fitted = classifier().fit(x, y)
    sets[name] = {
        "file": file,
        "arguments": "",
        "n": x.shape[0],
        "d": x.shape[1],
        "classes": weighted_counts(pd.Series(y), np.ones(len(y))),
        "missing": 0,
        "peer_accuracy": float(fitted.score(x, y)),
    }
write("datasets", ["scikit-learn", "numpy", "pandas"], "../shared/data", {"sets": sets})
