"""A selector or estimator of scikit-learn, or of any library with its conventions, behind the signature of this one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np

from marginfs.errors import ConfigError, DataError
from marginfs.labels import encode
from marginfs.lookup import look_up
from marginfs.selectors.guard import guarded
from marginfs.types import BoolArray, FloatArray, Labels, PathTo, Selection

TELLING = ("ranking_", "scores_", "feature_importances_", "coef_", "support_")
"""The fitted attributes that say what features are worth, in the order in which they are asked."""


@guarded
def any_estimator(
    X: FloatArray,
    y: Labels,
    *,
    rng: np.random.Generator,
    estimator: Annotated[str, PathTo()],
    parameters: Mapping[str, Any] | None = None,
) -> Selection:
    """Fit an estimator and read the order of the features from what it says of them.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Training points.
    y : ndarray of shape (n,)
        Their labels; how many classes there may be is up to the estimator.
    rng : Generator
        Source of `random_state`, where the estimator has one that is not given.
    estimator : str
        "package.module:name" of a class, or of a function that makes an estimator (a Pipeline, say).
    parameters : mapping, optional
        What the class or function is called with.

    Returns
    -------
    Selection
        By `ranking_` (1 is best), then `scores_`, `feature_importances_` or the length of the columns of `coef_`;
        with `support_` or `get_support` alone the features it keeps, tied. What it keeps is `selected`; an estimator
        that only weighs features selects none. The model holds weights and bias of a linear classifier of two classes.
    """
    try:
        made = look_up(estimator)(**(parameters or {}))
    except TypeError as error:
        raise ConfigError(f"{estimator}: {error}; write options that it takes.") from None
    if getattr(made, "random_state", 0) is None:
        made.set_params(random_state=int(rng.integers(2**31)))
    try:
        made.fit(X, encode(y)[1])
    except ValueError as error:
        raise DataError(f"{estimator}: {error}") from None
    final = made.steps[-1][1] if hasattr(made, "steps") else made
    d = X.shape[1]
    worth = _worth(final, d)
    kept = _kept(final, d)
    if worth is None and kept is None:
        raise ConfigError(
            f"{estimator}: {type(final).__name__} says of the {d} features neither {', '.join(TELLING)} nor "
            "get_support(); a Pipeline must end with a step that does, and leave the columns before it as they are."
        )
    worth = np.zeros(d) if worth is None else worth
    first = np.zeros(d) if kept is None else np.where(kept, 1.0, 0.0)
    return Selection(
        ranking=np.lexsort((-worth, -first)),
        selected=None if kept is None else int(kept.sum()),
        ranked=_ranked(worth, first),
        model=_hyperplane(final, d),
    )


def _worth(final: Any, d: int) -> FloatArray | None:
    """What every feature is worth, more being better."""
    inner = getattr(final, "estimator_", None)
    for owner in (final, inner):
        for name in TELLING[:-1]:
            values = getattr(owner, name, None)
            if values is None or np.shape(values)[-1:] != (d,):
                continue
            values = np.asarray(values, dtype=np.float64)
            if name == "ranking_":
                # RFE gives all features that it keeps the first place; the machine on them tells them apart.
                return _within_places(-values, inner)
            if name == "coef_":
                values = np.linalg.norm(np.atleast_2d(values), axis=0)
            return np.where(np.isnan(values), -np.inf, values)
    return None


def _within_places(worth: FloatArray, inner: Any) -> FloatArray:
    """Worth by place, those in the first place by the weights of the machine on them."""
    best = np.flatnonzero(worth == worth.max())
    among = None if inner is None else _worth(inner, best.size)
    if among is not None:
        worth[best] += np.argsort(np.argsort(among, kind="stable"), kind="stable") / (best.size + 1.0)
    return worth


def _kept(final: Any, d: int) -> BoolArray | None:
    """Which features it keeps."""
    support = final.get_support() if hasattr(final, "get_support") else getattr(final, "support_", None)
    if support is None or np.shape(support) != (d,) or np.asarray(support).dtype != np.bool_:
        return None
    return np.asarray(support)


def _ranked(worth: FloatArray, first: FloatArray) -> int | None:
    """How many stand before the tied features at the end."""
    last = worth[first == first.min()].min()
    tied = int(np.count_nonzero((worth == last) & (first == first.min())))
    return None if tied == 1 else worth.size - tied


def _hyperplane(final: Any, d: int) -> dict[str, FloatArray]:
    """Weights and bias of a linear classifier of two classes on all features."""
    weights, bias = getattr(final, "coef_", None), getattr(final, "intercept_", None)
    if weights is None or bias is None or np.shape(weights) not in ((1, d), (d,)) or np.size(bias) != 1:
        return {}
    return {"weights": np.ravel(np.asarray(weights)), "bias": np.array(float(np.ravel(bias)[0]))}
