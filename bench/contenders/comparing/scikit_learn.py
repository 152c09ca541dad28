"""The same comparison in scikit-learn: pandas, a pipeline with a column transformer,
cross_validate.

`python -m contenders.comparing.scikit_learn JOB` is the process of one run.
"""

import json
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from contenders.comparing.kinds import FOLDS, METHODS, Comparer
from harness.kinds import File
from harness.python import threading, timed

PACKAGES = ["scikit-learn", "pandas", "scipy", "numpy"]


@dataclass(frozen=True)
class ScikitLearn(Comparer):
    def command(self, file: File) -> list[str]:
        job = json.dumps({"path": str(file.path), "threads": self.threads})
        return [sys.executable, "-m", "contenders.comparing.scikit_learn", job]

    def environment(self) -> dict[str, str]:
        # # Folds run in parallel, each on one thread: the fastest arrangement.
        return threading(1)

    def version(self) -> dict[str, str]:
        return {package: version(package) for package in PACKAGES}


def prepare(path: str, threads: int) -> Callable[[], dict[str, float]]:
    import pandas as pd
    from sklearn.compose import ColumnTransformer
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression, RidgeClassifier
    from sklearn.model_selection import StratifiedKFold, cross_validate
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
    from sklearn.svm import LinearSVC

    def dense(x: Any) -> Any:
        return x.toarray() if hasattr(x, "toarray") else x

    estimators = {
        "logistic": [LogisticRegression(C=1.0, max_iter=1000)],
        "squared-hinge": [LinearSVC(C=1.0, dual=False)],
        "least-squares": [RidgeClassifier(alpha=1e-3)],
        "gaussian": [FunctionTransformer(dense), LinearDiscriminantAnalysis(solver="lsqr")],
    }

    def run() -> dict[str, float]:
        table = pd.read_csv(path, na_values=["?"], skipinitialspace=True)
        x, y = table.drop(columns="class"), table["class"]
        numbers = list(x.select_dtypes("number").columns)
        words = [name for name in x.columns if name not in numbers]
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
        found = {}
        for name in METHODS:
            columns = ColumnTransformer(
                [
                    ("numbers", StandardScaler(), numbers),
                    (
                        "words",
                        make_pipeline(
                            SimpleImputer(strategy="constant", fill_value="missing"),
                            OneHotEncoder(handle_unknown="ignore"),
                        ),
                        words,
                    ),
                ]
            )
            pipeline = make_pipeline(columns, *estimators[name])
            scores = cross_validate(
                pipeline, x, y, cv=folds, scoring=["accuracy", "roc_auc"], n_jobs=threads
            )
            found[name] = float(scores["test_accuracy"].mean())
        return found

    return run


def main() -> None:
    warnings.simplefilter("ignore")
    job = json.loads(sys.argv[1])
    accuracies, record = timed(prepare(job["path"], job["threads"]))
    found = {f"accuracy {name}": share for name, share in accuracies.items()}
    print(json.dumps(record | {"threads": job["threads"]} | found))


CONTENDERS = [
    ScikitLearn(
        f"sklearn-{threads}", f"scikit-learn's cross_validate, n_jobs={threads}", threads
    )
    for threads in (1, 2)
]


if __name__ == "__main__":
    main()
