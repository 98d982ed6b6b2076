"""Whatever a selector is given, it ranks the features or says what is wrong: no other error, no crash."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from marginfs.errors import MarginfsError
from marginfs.lookup import look_up
from marginfs.selectors.guard import InputError
from marginfs.study.registry import SELECTORS

WEIGHED = ("ao_efs", "full_fs", "gmkl", "margin_sharing_ao", "simple_ao")
OPTIONS: dict[str, dict[str, object]] = {
    **{key: {"C": 1.0, "mu": 0.5} for key in WEIGHED},
    "gaussian_svm": {"C": 1.0, "sigma": 3.0},
    "estimator": {"estimator": "sklearn.linear_model:LogisticRegression"},
}
POINTS = np.random.default_rng(4).standard_normal((24, 7))
LABELS = np.where(np.arange(24) % 2 == 0, 1.0, -1.0)


def with_value(value: float) -> np.ndarray:
    return np.where(np.arange(7) + 7 * np.arange(24)[:, None] == 23, value, POINTS)


REFUSED = {
    "missing value": (with_value(np.nan), LABELS, r"X\[3, 2\] is nan"),
    "infinity": (with_value(-np.inf), LABELS, r"X\[3, 2\] is -inf"),
    "text": (POINTS.astype(str), LABELS, "not a real number"),
    "complex": (POINTS + 1j, LABELS, "not a real number"),
    "nothing": (None, LABELS, "X has shape|not a real number"),
    "one column as a vector": (POINTS[:, 0], LABELS, r"X has shape \(24,\)"),
    "no rows": (POINTS[:0], LABELS[:0], r"X has shape \(0, 7\)"),
    "no columns": (POINTS[:, :0], LABELS, r"X has shape \(24, 0\)"),
    "rows of unequal length": ([[1.0], [1.0, 2.0]], [0, 1], "not a real number"),
    "too large": (1e160 * POINTS, LABELS, "rescale"),
    "too small": (1e-160 * POINTS, LABELS, "rescale"),
    "labels missing at the end": (POINTS, LABELS[:-2], r"y has shape \(22,\), and X 24 rows"),
    "labels too many": (POINTS, np.r_[LABELS, LABELS], r"y has shape \(48,\)"),
    "labels in a column": (POINTS, LABELS[:, None], r"y has shape \(24, 1\)"),
    "one class": (POINTS, np.ones(24), "single class"),
    "missing label": (POINTS, np.r_[np.nan, LABELS[1:]], "missing labels"),
    "no labels": (POINTS, [None] * 24, "missing labels"),
    "labels of two types": (POINTS, np.array([1, "a"] * 12, dtype=object), "mixes types"),
}


def run(name: str, X: object, y: object) -> np.ndarray:
    return look_up(SELECTORS[name])(X, y, rng=np.random.default_rng(0), **OPTIONS.get(name, {})).ranking


@pytest.mark.parametrize("name", sorted(SELECTORS))
@pytest.mark.parametrize("case", REFUSED)
def test_what_no_method_can_work_on_is_refused(name, case):
    X, y, message = REFUSED[case]
    with pytest.raises(InputError, match=message) as raised:
        run(name, X, y)
    assert isinstance(raised.value, ValueError)


@pytest.mark.parametrize("name", sorted(SELECTORS))
def test_lists_integers_and_views_give_what_arrays_give(name):
    X = np.round(10 * POINTS) + 40 * LABELS[:, None] * (np.arange(7) == 3)
    wanted = run(name, X, LABELS).tolist()
    for same in (X.tolist(), X.astype(int), X.astype(object), np.repeat(X, 2, axis=1)[:, ::2]):
        assert run(name, same, LABELS.astype(int).tolist()).tolist() == wanted


def test_the_call_that_crashed_the_interpreter():
    mfe = look_up(SELECTORS["mfe"])
    options = {"C": 1e-6, "at_zero": "soft", "candidates": "sufficient", "rng": np.random.default_rng(0)}
    assert sorted(mfe([[1, 0], [0, 1]], [1.0, 0.0], **options).ranking) == [0, 1]


VALUES = st.one_of(
    st.sampled_from([0.0, 1.0, -1.0, 0.5, 1e8, 1e-8, 1e60, -1e60, 1e-60]), st.floats(-10, 10, allow_subnormal=False)
)


@st.composite
def problems(draw):
    n, d = draw(st.integers(2, 9)), draw(st.integers(1, 5))
    X = draw(arrays(np.float64, (n, d), elements=VALUES))
    y = draw(st.lists(st.sampled_from([-1, 1]), min_size=n - 2, max_size=n - 2))
    return X, np.array([-1, 1, *y])


def fuzz(cases: int):
    quiet = [HealthCheck.too_slow, HealthCheck.data_too_large]
    return settings(max_examples=cases, deadline=None, suppress_health_check=quiet, derandomize=True)


@np.errstate(all="ignore")
def ranks_or_says_why(name: str, problem: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = problem
    try:
        ranking = run(name, X, y)
    except MarginfsError:
        return
    assert sorted(ranking) == list(range(X.shape[1]))


@fuzz(120)
@given(name=st.sampled_from(sorted(SELECTORS)), problem=problems())
def test_any_small_problem(name, problem):
    ranks_or_says_why(name, problem)


@pytest.mark.slow
@fuzz(10_000)
@given(name=st.sampled_from(sorted(SELECTORS)), problem=problems())
def test_ten_thousand_small_problems(tally, name, problem):
    with tally.trying("inputs of selectors: a ranking, or one message"):
        ranks_or_says_why(name, problem)
