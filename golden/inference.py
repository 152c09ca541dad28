"""Standard errors, tests and intervals of logistic regression, by statsmodels; Firth's by solving
its equations with scipy.

The data are outside the project, in ../shared/data. Each case of `likelihood` has, by coefficient,

* estimate, standard error, z and p from statsmodels' binomial GLM, and the robust error `hc0` from
  its Logit (whose HC1 is identical);
* `ratio`: twice the decrease of the log-likelihood if the column is dropped and the model is
  refitted;
* `profile`: the ends of the 95 % interval, found by Brent's method on models with the coefficient
  fixed by an offset.

Each case of `firth` is a root of the modified score, found by MINPACK's hybrid method. The ends of
profile intervals solve the system of Venzon and Moolgavkar (all scores except one are 0, and the
penalized likelihood equals its limit) by the same method. No Fisher scoring is used.
"""

import numpy as np
import pandas as pd
import statsmodels.api as sm
from certificate import FOLDER, write
from scipy.optimize import brentq, minimize, root
from scipy.stats import chi2

DATA = FOLDER.parent.parent / "shared" / "data"
QUANTILE = chi2.ppf(0.95, 1)


def binomial(y, x, weights, offset=None):
    """Fit by iteratively reweighted least squares, to full precision."""
    model = sm.GLM(y, x, family=sm.families.Binomial(), freq_weights=weights, offset=offset)
    return model.fit(tol=1e-15, maxiter=200)


def likelihood(y, x, beta, weights):
    m = np.where(y > 0.5, 1, -1) * (x @ beta)
    return -(weights * np.logaddexp(0, -m)).sum()


def profile(y, x, weights, j, best, top, error):
    """Ends of the profile interval of coefficient j."""
    others = np.delete(x, j, axis=1)

    def short(t):
        offset = t * x[:, j]
        held = binomial(y, others, weights, offset)
        m = np.where(y > 0.5, 1, -1) * (others @ held.params + offset)
        return 2 * (top + (weights * np.logaddexp(0, -m)).sum()) - QUANTILE

    return [brentq(short, best[j] + side * 0.2 * error, best[j] + side * 6 * error, xtol=1e-12 * error, rtol=1e-14) for side in (-1, 1)]


def case(name, file, arguments, y, columns, weights=None, robust=True, profiles=True):
    """One data set; columns by name, the intercept last."""
    names, x = list(columns), np.column_stack(list(columns.values())).astype(float)
    y, s = np.asarray(y, float), np.ones(len(x)) if weights is None else np.asarray(weights, float)
    fit = binomial(y, x, s)
    top = likelihood(y, x, fit.params, s)
    share = (s * y).sum() / s.sum()
    null = s.sum() * (share * np.log(share) + (1 - share) * np.log(1 - share))
    coefficients = {}
    for j, own in enumerate(names):
        error = fit.bse[j]
        one = {"estimate": fit.params[j], "error": error, "z": fit.tvalues[j], "p": fit.pvalues[j]}
        if profiles:
            others = np.delete(x, j, axis=1)
            without = binomial(y, others, s)
            one["ratio"] = 2 * (top - likelihood(y, others, without.params, s))
            one["profile"] = profile(y, x, s, j, fit.params, top, error)
        coefficients[own] = one
    if robust:
        logit = sm.Logit(y, x).fit(disp=0, tol=1e-14, method="newton", cov_type="HC0", start_params=fit.params, warn_convergence=False)
        assert np.allclose(logit.params, fit.params, rtol=1e-9, atol=1e-12), name
        for own, error in zip(names, logit.bse):
            coefficients[own]["hc0"] = error
    plain = lambda v: v if isinstance(v, list) else float(v)
    return {
        "name": name,
        "file": file,
        "arguments": arguments,
        "n": float(s.sum()),
        "log_likelihood": float(top),
        "null_log_likelihood": float(null),
        "aic": float(2 * len(names) - 2 * top),
        "bic": float(len(names) * np.log(s.sum()) - 2 * top),
        "coefficients": {own: {key: plain(v) for key, v in one.items()} for own, one in coefficients.items()},
    }


def of(frame, names):
    return {**{name: frame[name] for name in names}, "(bias)": np.ones(len(frame))}


def wdbc():
    frame = pd.read_csv(DATA / "wdbc/wdbc.csv")
    names = ["V2", "V5", "V9", "V19"]
    drop = " ".join(f"--drop {name}" for name in frame.columns if name not in [*names, "Class"])
    return case("wdbc", "wdbc/wdbc.csv", drop, frame["Class"] == 2, of(frame, names))


def titanic():
    frame = pd.read_csv(DATA / "titanic/titanic.csv").dropna(subset=["Age", "Embarked"])
    columns = {"Pclass": frame["Pclass"], "Sex=male": frame["Sex"] == "male", "Age": frame["Age"], "SibSp": frame["SibSp"],
               "Parch": frame["Parch"], "Fare": frame["Fare"], "Embarked=Q": frame["Embarked"] == "Q",
               "Embarked=S": frame["Embarked"] == "S", "(bias)": np.ones(len(frame))}
    arguments = "--target Survived --missing drop --drop Name --drop Ticket --drop Cabin --drop PassengerId"
    found = case("titanic", "titanic/titanic.csv", arguments, frame["Survived"], columns)
    # # The levels of a column jointly, by both kinds of test.
    y, x = frame["Survived"].to_numpy(float), np.column_stack(list(columns.values())).astype(float)
    s, at = np.ones(len(x)), [6, 7]
    fit, others = binomial(y, x, s), np.delete(x, at, axis=1)
    wald = fit.params[at] @ np.linalg.solve(fit.cov_params()[np.ix_(at, at)], fit.params[at])
    ratio = 2 * (likelihood(y, x, fit.params, s) - likelihood(y, others, binomial(y, others, s).params, s))
    found["together"] = {"Embarked": {"wald": float(wald), "ratio": float(ratio), "df": 2, "p": float(chi2.sf(ratio, 2))}}
    return found


def lizards():
    frame = pd.read_csv(DATA / "separation/lizards.csv")
    both = pd.concat([frame.assign(y=0, s=frame["grahami"]), frame.assign(y=1, s=frame["opalinus"])])
    both = both[both["s"] > 0]
    columns = {f"{name}={level}": both[name] == level for name in ["height", "diameter", "light", "time"]
               for level in sorted(both[name].unique())[1:]}
    columns["(bias)"] = np.ones(len(both))
    return case("lizards", "separation/lizards.csv", "--counts grahami,opalinus", both["y"], columns, both["s"], robust=False)


def weighted():
    table = pd.read_csv(DATA / "lightgbm_binary/binary.train", sep="\t", header=None)
    weights = np.loadtxt(DATA / "lightgbm_binary/binary.train.weight")
    columns = {f"V{j + 1}": table[j] for j in range(1, 29)}
    columns["(bias)"] = np.ones(len(table))
    arguments = "--target V1 --weights {data}/lightgbm_binary/binary.train.weight --intervals wald"
    return case("weighted", "lightgbm_binary/binary.train", arguments, table[0], columns, weights, robust=False, profiles=False)


def firth(name, file, arguments, target):
    frame = pd.read_csv(DATA / file)
    names = [column for column in frame.columns if column != target] + ["(bias)"]
    x = np.column_stack([frame.drop(columns=target).to_numpy(float), np.ones(len(frame))])
    scale = np.append(x[:, :-1].std(axis=0), 1.0)  # similar sizes of the coefficients
    x, y = x / scale, frame[target].to_numpy(float)

    def parts(beta):
        p = 1 / (1 + np.exp(-(x @ beta)))
        w = p * (1 - p)
        return p, w, x.T @ (x * w[:, None])

    def value(beta):
        _, _, information = parts(beta)
        return likelihood(y, x, beta, np.ones(len(x))) + np.linalg.slogdet(information)[1] / 2

    def score(beta):
        p, w, information = parts(beta)
        h = w * np.einsum("ij,ij->i", x, np.linalg.solve(information, x.T).T)
        return x.T @ (y - p + h * (0.5 - p))

    def solved(function, start):
        found = root(function, start, method="hybr", options={"xtol": 1e-14, "maxfev": 100000})
        again = root(function, found.x, method="hybr", options={"xtol": 1e-15, "maxfev": 100000}).x
        assert np.abs(function(again)).max() < 1e-9, (name, np.abs(function(again)).max())
        return again

    def climbed(j, t, start):
        """Approximate maximizer of the penalized likelihood with coefficient j fixed at t, as a
        start."""
        fill = lambda rest: np.insert(rest, j, t)
        found = minimize(lambda rest: -value(fill(rest)), np.delete(start, j), jac=lambda rest: -np.delete(score(fill(rest)), j))
        return fill(found.x)

    start = minimize(lambda beta: -value(beta), np.zeros(x.shape[1]), jac=lambda beta: -score(beta)).x
    best = solved(score, start)
    top, errors = value(best), np.sqrt(np.diag(np.linalg.inv(parts(best)[2])))
    coefficients = {}
    for j, own in enumerate(names):
        def held(rest):
            return np.delete(score(np.insert(rest, j, 0.0)), j)

        at_zero = value(np.insert(solved(held, np.delete(climbed(j, 0.0, best), j)), j, 0.0))

        def system(beta):
            return np.append(np.delete(score(beta), j), 2 * (top - value(beta)) - QUANTILE)

        ends = []
        for side in (-1, 1):
            end = solved(system, climbed(j, best[j] + side * 1.96 * errors[j], best))[j]
            assert side * (end - best[j]) > 0, (name, own)
            ends.append(end / scale[j])
        coefficients[own] = {"estimate": best[j] / scale[j], "error": errors[j] / scale[j], "ratio": 2 * (top - at_zero), "profile": ends}
    null = solved(lambda b: score(np.append(np.zeros(len(best) - 1), b))[-1:], np.zeros(1))
    plain = lambda v: [float(e) for e in v] if isinstance(v, list) else float(v)
    return {
        "name": name,
        "file": file,
        "arguments": arguments,
        "penalized_log_likelihood": float(top + np.log(scale).sum()),
        "ratio": float(2 * (top - value(np.append(np.zeros(len(best) - 1), null)))),
        "coefficients": {own: {key: plain(v) for key, v in one.items()} for own, one in coefficients.items()},
    }


write("inference", ["statsmodels", "numpy", "scipy", "pandas"], "../shared/data", {
    "likelihood": [wdbc(), titanic(), lizards(), weighted()],
    "firth": [firth("endometrial", "separation/endometrial.csv", "", "HG"),
              firth("sex2", "separation/sex2.csv", "--target case", "case")],
})
