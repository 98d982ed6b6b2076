"""Simulated problems: their laws, their reproducibility, and that they need numpy alone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from marginfs.data.generators.draw import Draw
from marginfs.data.generators.linear_toy import linear_toy
from marginfs.data.generators.ndcc import ndcc
from marginfs.data.generators.nonlinear_toy import nonlinear_toy
from marginfs.data.generators.problems import GENERATORS
from marginfs.errors import ConfigError
from marginfs.lookup import by_name

Generator = Callable[..., Draw]


@pytest.mark.parametrize(
    ("name", "d", "relevant"), [("linear_toy", 202, 6), ("nonlinear_toy", 52, 2), ("ndcc", 120, 20)]
)
def test_same_seed_same_data_and_shapes(name: str, d: int, relevant: int) -> None:
    generator: Generator = by_name(GENERATORS, "source", name)
    X, y, columns = generator(np.random.default_rng(3), 40)
    again, labels, _ = generator(np.random.default_rng(3), 40)
    assert columns == relevant
    assert_array_equal(X, again)
    assert_array_equal(y, labels)
    assert X.shape == (40, d)
    assert X.dtype == y.dtype == np.float64
    assert set(np.unique(y)) == {-1.0, 1.0}
    other, *_ = generator(np.random.default_rng(4), 40)
    assert not np.array_equal(X, other)


def test_linear_toy_means_and_deviations() -> None:
    X, y, _ = linear_toy(np.random.default_rng(0), 200_000, noise=2)
    signed = X * y[:, None]
    means = np.array([1.0, 2.0, 3.0])
    assert_allclose(signed[:, :3].mean(axis=0), 0.7 * means, atol=0.02)
    assert_allclose(signed[:, 3:6].mean(axis=0), 0.3 * means, atol=0.02)
    assert_allclose((X[:, :3] ** 2).mean(axis=0), 1 + 0.7 * means**2, atol=0.1)
    assert_allclose(X[:, 6:].std(axis=0), 20, rtol=0.01)
    assert_allclose(signed[:, 6:].mean(axis=0), 0, atol=0.2)


def test_linear_toy_gives_information_to_one_group_at_a_time() -> None:
    X, y, _ = linear_toy(np.random.default_rng(1), 100_000, noise=0)
    third, sixth = (X[:, 2] * y > 1.5), (X[:, 5] * y > 1.5)
    both = np.mean(third & sixth)
    assert both < 0.12
    assert np.mean(third) > 0.6
    assert np.mean(sixth) > 0.25


def test_nonlinear_toy_centres() -> None:
    X, y, _ = nonlinear_toy(np.random.default_rng(0), 100_000, noise=1)
    for label, centre in ((-1, (0.75, 3.0)), (1, (3.0, -3.0))):
        points = X[y == label, :2]
        half = points[points[:, 1] * np.sign(centre[1]) > 0]
        assert_allclose(points.mean(axis=0), 0, atol=0.05)
        assert_allclose(half.mean(axis=0), centre, atol=0.05)
        assert_allclose(np.cov(points.T), np.outer(centre, centre) + np.eye(2), atol=0.15)


@pytest.mark.parametrize("n", [10, 11])
def test_balanced_labels_are_exactly_balanced_and_mixed(n: int) -> None:
    y = linear_toy(np.random.default_rng(0), n, labels="balanced").y
    assert abs(y.sum()) == n % 2
    assert not np.array_equal(y, np.sort(y))
    assert not np.array_equal(y, np.sort(y)[::-1])


@pytest.mark.parametrize(("signs", "negative"), [("zero_sum", 3), ("alternating", 2)])
def test_ndcc_clusters_sit_on_vertices_with_opposite_classes(signs: Any, negative: int) -> None:
    X, y, relevant = ndcc(np.random.default_rng(0), 3000, dimensions=5, noise=3, spread=0.01, signs=signs)
    assert relevant == 5
    true = X[:, :5]
    axis = np.abs(true).argmax(axis=1)
    height = true[np.arange(3000), axis]
    radius = np.round(np.abs(height))
    assert_allclose(np.abs(height), radius, atol=0.1)
    assert set(radius) == {1.0, 2.0, 3.0}
    assert_array_equal(y, np.where(radius == negative, -1, 1) * np.sign(height))
    sizes = np.unique(np.column_stack([axis, radius * np.sign(height)]), axis=0, return_counts=True)[1]
    assert 25 <= len(sizes) <= 30
    assert sizes.max() > 5 * sizes.min()


def test_ndcc_by_default_no_axis_shifts_the_class_means() -> None:
    def shift(**options: Any) -> float:
        X, y, _ = ndcc(np.random.default_rng(0), 200_000, dimensions=4, noise=0, weight_power=0.0, **options)
        return float(np.abs(X[y > 0].mean(axis=0) - X[y < 0].mean(axis=0)).max())

    assert shift() < 0.03
    assert shift(signs="alternating") > 0.2


def test_ndcc_random_signs_keep_opposite_classes() -> None:
    X, y, _ = ndcc(np.random.default_rng(2), 4000, dimensions=4, noise=0, spread=0.01, signs="random")
    axis = np.abs(X).argmax(axis=1)
    height = X[np.arange(4000), axis]
    flips = set()
    for j in range(4):
        for r in (1, 2, 3):
            chosen = (axis == j) & (np.round(np.abs(height)) == r)
            product = np.unique(y[chosen] * np.sign(height[chosen]))
            assert len(product) == 1
            flips.add(product[0])
    assert flips == {-1.0, 1.0}


def test_ndcc_default_gives_the_published_svm_errors() -> None:
    from sklearn.svm import SVC

    def svm_error(X: Any, y: Any) -> float:
        Z = (X - X[:200].mean(axis=0)) / X[:200].std(axis=0)
        tried = []
        for gamma in (1 / Z.shape[1], 4 / Z.shape[1], 16 / Z.shape[1]):
            for C in (1.0, 16.0):
                model = SVC(C=C, gamma=gamma).fit(Z[:200], y[:200])
                validation, test = (np.mean(model.predict(Z[s]) != y[s]) for s in (slice(200, 400), slice(400, None)))
                tried.append((validation, test))
        return 100 * float(min(tried)[1])

    draws = [ndcc(np.random.default_rng(seed), 1400) for seed in range(4)]
    assert abs(np.mean([svm_error(X, y) for X, y, _ in draws]) - 44.3) < 4
    assert abs(np.mean([svm_error(X[:, :20], y) for X, y, _ in draws]) - 10.5) < 4


def test_unknown_names_are_refused() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(ConfigError, match="'balanced'"):
        linear_toy(rng, 4, labels="half")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="alternating"):
        ndcc(rng, 4, signs="plus")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=r"sum of the others, found \[1, 2\]"):
        ndcc(rng, 4, radii=[1, 2])
    with pytest.raises(ConfigError, match="source: found 'ndc'; write one of linear_toy"):
        by_name(GENERATORS, "source", "ndc")


def test_what_a_unit_job_imports_is_numpy_alone() -> None:
    code = (
        "import sys; from marginfs.data import dataset, load, normalise, splits; "
        "from marginfs.lookup import by_name; [by_name(load.GENERATORS, '', name) for name in load.GENERATORS]; "
        "heavy = {'scipy', 'sklearn', 'pandas', 'pooch', 'requests', 'yaml', 'jsonschema'}; "
        "print(sorted(heavy & {name.split('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
