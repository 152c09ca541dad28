"""The common objective, evaluated in 64 bits at the coefficients of each contender.

    F(w) = (1/n) Σ ℓ(yᵢ w·xᵢ) + λ R(w),     R(w) = ‖w‖²/2 or ‖w‖₁,     no intercept

With k classes w holds the coefficients of one class after another; with zⱼ = wⱼ·x a row's loss is

    softmax            ln Σⱼ e^zⱼ − z_y
    crammer-singer     maxⱼ (zⱼ + [j ≠ y]) − z_y
    one-vs-rest-ℓ      Σⱼ ℓ(±zⱼ), + for j = y: the sum of F over all binary problems

`slack` returns an upper bound on F(w) − min F in two cases with a cheap bound:

    smooth ℓ, R = ‖w‖²/2    F is λ-strongly convex, so the bound is ‖∇F(w)‖² / 2λ
    logistic, R = ‖w‖₁      the duality gap at the residuals rᵢ = 1/(1+e^mᵢ), scaled until
                            ‖Σ rᵢ yᵢ xᵢ‖∞ ≤ nλ
"""

from typing import Any

REST = "one-vs-rest-"


def joint(loss: str) -> bool:
    """Whether w has coefficients for every class."""
    return loss in ("softmax", "crammer-singer") or loss.startswith(REST)


def losses(loss: str, margins: Any) -> Any:
    """ℓ at each margin."""
    import numpy as np

    if loss == "logistic":
        return np.logaddexp(0.0, -margins)
    short = np.maximum(0.0, (0.0 if loss == "perceptron" else 1.0) - margins)
    return short * short if loss == "squared-hinge" else short


def penalty(kind: str, w: Any) -> float:
    """R."""
    return float(abs(w).sum()) if kind == "l1" else float(w @ w) / 2


def value(x: Any, y: Any, w: Any, loss: str, kind: str, weight: float) -> float:
    """F, with λ = `weight`."""
    if loss == "softmax":
        return softmax(x, y, w)[0] + weight * penalty(kind, w)
    if loss == "crammer-singer":
        return crammer_singer(x, y, w) + weight * penalty(kind, w)
    if loss.startswith(REST):
        rest = loss.removeprefix(REST), kind, weight
        return sum(value(x, side, plane, *rest) for side, plane in apart(x, y, w))
    return float(losses(loss, y * (x @ w)).mean()) + weight * penalty(kind, w)


def softmax(x: Any, y: Any, w: Any) -> tuple[float, Any]:
    """Mean loss and its gradient."""
    import numpy as np

    rows, classes = np.arange(len(y)), y.astype(int)
    z = x @ w.reshape(-1, x.shape[1]).T
    z -= z.max(axis=1, keepdims=True)
    total = np.exp(z).sum(axis=1, keepdims=True)
    mean = float((np.log(total[:, 0]) - z[rows, classes]).mean())
    p = np.exp(z) / total
    p[rows, classes] -= 1
    return mean, (x.T @ p).T.ravel() / len(y)


def crammer_singer(x: Any, y: Any, w: Any) -> float:
    """Mean loss."""
    import numpy as np

    rows, classes = np.arange(len(y)), y.astype(int)
    z = x @ w.reshape(-1, x.shape[1]).T
    own = z[rows, classes].copy()
    z += 1
    z[rows, classes] -= 1
    return float((z.max(axis=1) - own).mean())


def apart(x: Any, y: Any, w: Any) -> list[tuple[Any, Any]]:
    """For each class the labels of its binary problem, as ±1, and its coefficients."""
    import numpy as np

    planes = w.reshape(-1, x.shape[1])
    return [(np.where(y == j, 1.0, -1.0), plane) for j, plane in enumerate(planes)]


def slack(x: Any, y: Any, w: Any, loss: str, kind: str, weight: float) -> float | None:
    """Upper bound on F minus its minimum; `None` if no bound is implemented."""
    import numpy as np

    if loss == "softmax":
        gradient = weight * w + softmax(x, y, w)[1]
        return float(gradient @ gradient) / (2 * weight)
    if loss.startswith(REST):
        rest = loss.removeprefix(REST), kind, weight
        each = [slack(x, side, plane, *rest) for side, plane in apart(x, y, w)]
        return None if None in each else sum(each)
    if loss == "crammer-singer":
        return None
    margins = y * (x @ w)
    if loss == "logistic":
        residuals = np.exp(-np.logaddexp(0.0, margins))
    elif loss == "squared-hinge":
        residuals = 2 * np.maximum(0.0, 1.0 - margins)
    else:
        return None
    pull = (x.T @ (y * residuals)) / len(y)
    if kind == "l2":
        gradient = weight * w - pull
        return float(gradient @ gradient) / (2 * weight)
    if loss != "logistic":
        return None
    r = residuals * min(1.0, weight / float(abs(pull).max()))
    entropy = -(np.where(r > 0, r * np.log(np.maximum(r, 1e-300)), 0.0) + (1 - r) * np.log1p(-r))
    return value(x, y, w, loss, kind, weight) - float(entropy.mean())
