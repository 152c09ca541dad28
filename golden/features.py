"""scikit-learn's nonlinear features of three numeric columns with ties.

KBinsDiscretizer and SplineTransformer get sample weights, so that quantiles are those of the
inverse of the distribution function, averaged for bins. Weight 2 equals a repeated row.
"""

import warnings

import certificate
import numpy as np
from sklearn.preprocessing import KBinsDiscretizer, PolynomialFeatures, SplineTransformer


def polynomial(x: np.ndarray, degree: int) -> dict:
    own = PolynomialFeatures(degree, include_bias=False).fit(x)
    names = own.get_feature_names_out(["a", "b", "c"]).tolist()
    return {"degree": degree, "names": names, "features": own.transform(x).tolist()}


def bins(x: np.ndarray, s: np.ndarray, count: int) -> dict:
    own = KBinsDiscretizer(
        count,
        encode="onehot-dense",
        strategy="quantile",
        quantile_method="averaged_inverted_cdf",
        subsample=None,
    ).fit(x, sample_weight=s)
    return {"count": count, "features": own.transform(x).tolist()}


def splines(x: np.ndarray, s: np.ndarray, knots: int, new: np.ndarray) -> dict:
    own = SplineTransformer(
        n_knots=knots, degree=3, knots="quantile", extrapolation="constant", include_bias=False
    ).fit(x, sample_weight=s)
    return {
        "knots": knots,
        "features": own.transform(x).tolist(),
        "new": own.transform(new).tolist(),
    }


def main() -> None:
    warnings.simplefilter("error")
    rng = np.random.default_rng(7)
    n = 60
    x = np.column_stack(
        [
            np.round(rng.normal(size=n), 2),
            np.round(rng.exponential(3, size=n), 1),
            rng.integers(0, 40, n).astype(float),
        ]
    )
    new = np.column_stack([np.linspace(-9, 9, 19), np.linspace(-5, 40, 19), np.arange(19) * 3.0])
    weights = {"ones": np.ones(n), "counts": rng.integers(1, 4, n).astype(float)}
    values = {
        "table": x.tolist(),
        "new": new.tolist(),
        "polynomial": [polynomial(x, degree) for degree in (2, 3)],
        "weighted": [
            {
                "weights": s.tolist(),
                "bins": [bins(x, s, count) for count in (2, 5, 10)],
                "splines": [splines(x, s, knots, new) for knots in (2, 3, 5)],
            }
            for s in weights.values()
        ],
    }
    certificate.write("features", ["numpy", "scikit-learn"], "synthetic, in the file", values)


main()
