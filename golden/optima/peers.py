"""Other programs on the same problem. Each function returns v = (w, b); `peers` selects them."""

import numpy as np
import statsmodels.api as sm
from clarabel import DefaultSettings, DefaultSolver, NonnegativeConeT
from liblinear.liblinearutil import train
from scipy import sparse
from scipy.optimize import linprog, minimize
from sklearn.linear_model import ElasticNet, LogisticRegression, Ridge
from sklearn.svm import SVC

from optima.losses import ALL as LOSSES

SMALL = 1000  # maximum number of rows for the slow programs


def fitted(p, model):
    model.fit(p.x, p.y, sample_weight=p.sample)
    return np.r_[np.ravel(model.coef_), np.ravel(model.intercept_)] if p.intercept else np.ravel(model.coef_)


def logistic(solver, tol, most):
    def run(p):
        return fitted(p, LogisticRegression(solver=solver, C=p.c, l1_ratio=p.rho, tol=tol, max_iter=most,
                                            fit_intercept=p.intercept, class_weight=p.classes, random_state=0))
    return run


def svc(p):
    return fitted(p, SVC(kernel="linear", C=p.c, tol=1e-9, class_weight=p.classes))


def squared(p):
    """Ridge and the elastic net are regressions: class weights enter as sample weights."""
    if p.rho == 0:
        model = Ridge(alpha=p.lam * p.s.sum() / 2, solver="cholesky", fit_intercept=p.intercept)
    else:
        model = ElasticNet(alpha=p.lam / 2, l1_ratio=p.rho, tol=1e-15, max_iter=200_000, precompute=True,
                           fit_intercept=p.intercept)
    model.fit(p.x, p.y, sample_weight=p.s)
    return np.r_[model.coef_, model.intercept_] if p.intercept else model.coef_


def liblinear(p):
    """LIBLINEAR has no sample weights here: a row of weight k is repeated k times."""
    again = np.repeat(np.arange(len(p.y)), p.sample.astype(int))
    kind = {("logistic", 0): 0, ("squared_hinge", 0): 2, ("hinge", 0): 3,
            ("squared_hinge", 1): 5, ("logistic", 1): 6}[p.loss, p.rho]
    bias = "-B 1 -R" if p.intercept else "-B -1"
    classes = f"-w1 {p.classes[1]!r} -w-1 {p.classes[-1]!r}"
    end = 1e-9 if kind == 3 else 1e-11
    model = train(p.y[again], sparse.csr_matrix(p.x[again]), f"-s {kind} -c {p.c!r} -e {end} {bias} {classes} -q")
    w, b = model.get_decfun()
    return np.r_[w, b] if p.intercept else np.array(w)


def logit(p):
    x = sm.add_constant(p.x, prepend=False) if p.intercept else p.x
    return sm.Logit((p.y > 0).astype(float), x).fit(method="newton", tol=1e-14, maxiter=200, disp=0).params


def clarabel(p):
    """As a quadratic program: w and b, bounds u on |w| if ρ > 0, and one or two costs per row."""
    n, k = p.z.shape
    z, eye, d = sparse.csc_matrix(p.z), sparse.identity(n), p.x.shape[1]
    total = p.s.sum()
    square = [total * p.lam * (1 - p.rho) * p.penalized]
    linear = [np.zeros(k)]
    costs = 2 if p.loss == "smooth_hinge" else 1
    zero = np.zeros(n)
    square += {"hinge": [zero], "squared_hinge": [2 * p.s], "smooth_hinge": [p.s, zero]}[p.loss]
    linear += {"hinge": [p.s], "squared_hinge": [zero], "smooth_hinge": [zero, p.s]}[p.loss]
    rows = [[-z] + [-eye] * costs]
    rows += [[None] + [-eye if i == j else None for j in range(costs)] for i in range(costs)]
    right = [-np.ones(n)] + [zero] * costs
    if p.rho > 0:
        pick, one = sparse.eye_array(d, k), sparse.identity(d)
        square.append(np.zeros(d))
        linear.append(np.full(d, total * p.lam * p.rho))
        rows = [row + [None] for row in rows]
        rows += [[sign * pick] + [None] * costs + [-one] for sign in (1, -1)]
        right += [np.zeros(d)] * 2
    a, right = sparse.block_array(rows, format="csc"), np.concatenate(right)
    settings = DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-12
    solver = DefaultSolver(sparse.diags_array(np.concatenate(square), format="csc"), np.concatenate(linear),
                           sparse.csc_matrix(a), right, [NonnegativeConeT(len(right))], settings)
    return np.array(solver.solve().x)[:k]


def highs(p):
    """The hinge with ‖w‖₁ as a linear program."""
    n, d = p.x.shape
    cost = np.r_[np.full(2 * d, p.lam), np.zeros(int(p.intercept)), p.s / p.s.sum()]
    rows = sparse.hstack([-p.z[:, :d], p.z[:, :d], -p.z[:, d:], -sparse.identity(n)])
    bounds = [(0, None)] * (2 * d) + [(None, None)] * int(p.intercept) + [(0, None)] * n
    found = linprog(cost, A_ub=rows.tocsc(), b_ub=-np.ones(n), bounds=bounds, method="highs-ds",
                    options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}).x
    return np.r_[found[:d] - found[d:2 * d], found[2 * d:2 * d + int(p.intercept)]]


def trust(p):
    loss, share = LOSSES[p.loss], p.s / p.s.sum()
    l2 = p.lam * p.penalized
    value = lambda v: share @ loss.value(p.z @ v) + l2 @ (v * v) / 2
    slope = lambda v: p.z.T @ (share * loss.slope(p.z @ v)) + l2 * v
    bend = lambda v: (p.z.T * (share * loss.curvature(p.z @ v))) @ p.z + np.diag(l2)
    return minimize(value, np.zeros(p.z.shape[1]), jac=slope, hess=bend, method="trust-exact",
                    options={"gtol": 1e-11, "maxiter": 2000}).x


def peers(p):
    """name → function, for this problem."""
    small, plain = len(p.y) < SMALL, (p.sample == 1).all()
    names = {}
    if p.loss == "logistic" and p.rho == 0:
        names["scikit-learn LogisticRegression newton-cholesky"] = logistic("newton-cholesky", 1e-12, 1000)
        if small:
            names["scikit-learn LogisticRegression lbfgs"] = logistic("lbfgs", 1e-10, 100_000)
        if p.lam == 0:
            names["statsmodels Logit"] = logit
    if p.loss == "logistic" and p.rho > 0 and (small or p.rho < 1) and plain:
        names["scikit-learn LogisticRegression saga"] = logistic("saga", 1e-11, 200_000 if small else 1500)
    if p.loss == "squared":
        names[f"scikit-learn {'Ridge' if p.rho == 0 else 'ElasticNet'}"] = squared
    known = p.loss in ("logistic", "squared_hinge", "hinge") and p.rho in (0, 1) and p.lam > 0
    if known and (p.loss != "hinge" or (p.rho == 0 and not p.intercept)):
        names["LIBLINEAR"] = liblinear
    if p.loss == "hinge" and p.rho == 0 and p.intercept and small:
        names["scikit-learn SVC (LIBSVM)"] = svc
    if p.loss == "hinge" and p.rho == 1 and small:
        names["HiGHS (scipy linprog)"] = highs
    if p.loss == "smooth_hinge" and p.rho == 0:
        names["scipy trust-exact"] = trust
    if p.loss in ("hinge", "smooth_hinge") or (p.loss == "squared_hinge" and p.rho > 0):
        names["Clarabel"] = clarabel
    return names
