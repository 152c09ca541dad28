"""scikit-learn's metrics and calibrations on synthetic scores: with ties, sample weights, and a
missing class.

Some weights are 0. `calibration_curve` has no sample weights in scikit-learn; there every row has
weight 1.
"""

import warnings

import certificate
import numpy as np
from sklearn import metrics
from sklearn.calibration import (
    _fit_calibrator,  # noqa: F401, private; if missing, the next two have moved, too
    _SigmoidCalibration,
    _TemperatureScaling,
    calibration_curve,
)
from sklearn.isotonic import IsotonicRegression


def two_classes(seed: int, n: int, levels: int, weighted: bool) -> dict:
    """Scores on a coarse grid, with many ties."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    y[:2] = [0, 1]
    z = np.round(rng.normal(size=n) * levels + 0.8 * levels * (2 * y - 1)) / levels
    s = rng.integers(0, 4, n).astype(float) if weighted else np.ones(n)
    s[:2] = 1
    p = 1 / (1 + np.exp(-z))
    predicted = (z >= 0).astype(int)
    fpr, tpr, thresholds = metrics.roc_curve(y, z, sample_weight=s, drop_intermediate=False)
    precision, recall, at = metrics.precision_recall_curve(y, z, sample_weight=s)
    platt = _SigmoidCalibration().fit(z, y, sample_weight=s)
    isotonic = IsotonicRegression(out_of_bounds="clip", y_min=0, y_max=1).fit(z, y, sample_weight=s)
    temperature = _TemperatureScaling().fit(z, y, sample_weight=s)
    grid = np.linspace(z.min() - 1, z.max() + 1, 41)
    happened, said = calibration_curve(y, p, n_bins=10)
    return {
        "target": y.tolist(),
        "scores": z.tolist(),
        "weights": s.tolist(),
        "accuracy": metrics.accuracy_score(y, predicted, sample_weight=s),
        "balanced_accuracy": metrics.balanced_accuracy_score(y, predicted, sample_weight=s),
        "correlation": metrics.matthews_corrcoef(y, predicted, sample_weight=s),
        "auc": metrics.roc_auc_score(y, z, sample_weight=s),
        "average_precision": metrics.average_precision_score(y, z, sample_weight=s),
        "log_loss": metrics.log_loss(y, p, sample_weight=s),
        "brier": metrics.brier_score_loss(y, p, sample_weight=s),
        "roc": np.column_stack([thresholds[1:], fpr[1:], tpr[1:]]).tolist(),
        # # In decreasing order of the threshold; scikit-learn's last point has none.
        "precision_recall": np.column_stack([at, precision[:-1], recall[:-1]])[::-1].tolist(),
        "reliability_of_equal_weights": np.column_stack([said, happened]).tolist(),
        "grid": grid.tolist(),
        "platt": platt.predict(grid).tolist(),
        "isotonic": isotonic.predict(grid).tolist(),
        "temperature": temperature.predict(grid)[:, 1].tolist(),
    }


def three_classes(seed: int, n: int, missing: bool) -> dict:
    """Probabilities of three classes; optionally without rows of the last class, as in some
    folds."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2 if missing else 3, n)
    p = rng.dirichlet([1.0, 1.0, 1.0], n)
    p[np.arange(n), y] += 0.5
    p /= p.sum(axis=1, keepdims=True)
    s = rng.integers(1, 4, n).astype(float)
    predicted = p.argmax(axis=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the warning about the missing class is expected
        balanced = metrics.balanced_accuracy_score(y, predicted, sample_weight=s)
    return {
        "target": y.tolist(),
        "probabilities": p.ravel().tolist(),
        "weights": s.tolist(),
        "accuracy": metrics.accuracy_score(y, predicted, sample_weight=s),
        "balanced_accuracy": balanced,
        "correlation": metrics.matthews_corrcoef(y, predicted, sample_weight=s),
        "log_loss": metrics.log_loss(y, p, sample_weight=s, labels=[0, 1, 2]),
        "brier": metrics.brier_score_loss(
            y, p, sample_weight=s, labels=[0, 1, 2], scale_by_half=True
        ),
    }


def main() -> None:
    two = [
        two_classes(seed, n, levels, weighted)
        for seed, n, levels, weighted in [(1, 40, 2, False), (2, 60, 1, True), (3, 50, 50, True)]
    ]
    three = [three_classes(4, 40, False), three_classes(5, 30, True)]
    packages = ["scikit-learn", "scipy", "numpy"]
    certificate.write("metrics", packages, "made up", {"two": two, "three": three})


main()
