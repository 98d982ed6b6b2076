"""The data sets of planas2021: the printed call is one reading, the first rows of a larger draw another."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn import datasets

from marginfs.data.generators.make_classification import make_classification
from marginfs.data.generators.simulated_sets import SIMULATED
from marginfs.errors import ConfigError


@pytest.mark.parametrize(
    ("name", "draw", "shape", "classes"),
    [
        ("planas_dynamic_step", "larger", (1000, 300), 2),
        ("planas_dynamic_step", "printed", (1000, 300), 2),
        ("planas_sampling", "printed", (8000, 300), 2),
        ("planas_multiclass", "larger", (1000, 100), 10),
        ("planas_multiclass", "printed", (4000, 100), 10),
        ("planas_kernels", "larger", (500, 300), 2),
        ("planas_kernels", "printed", (500, 300), 2),
    ],
)
def test_every_reading_has_the_size_that_the_paper_prints(
    name: str, draw: str, shape: tuple[int, int], classes: int
) -> None:
    X, y = make_classification(**SIMULATED[name].call({"draw": draw}))
    assert X.shape == shape
    assert len(np.unique(y)) == classes


PRINTED = {
    "n_clusters_per_class": 10,
    "n_features": 300,
    "n_informative": 100,
    "n_redundant": 100,
    "n_repeated": 0,
    "random_state": 2,
    "flip_y": 0.01,
    "class_sep": 3,
}


@pytest.mark.parametrize(("draw", "n_samples"), [("printed", 500), ("larger", 2000)])
def test_the_call_is_the_one_printed_but_for_the_number_of_points(draw: str, n_samples: int) -> None:
    X, y = datasets.make_classification(n_samples=n_samples, **PRINTED)
    ours, labels = make_classification(**SIMULATED["planas_kernels"].call({"draw": draw}))
    assert_array_equal(ours, X[:500])
    assert_array_equal(labels, y[:500])


def test_defaults_are_those_of_scikit_learn() -> None:
    theirs = inspect.signature(datasets.make_classification).parameters
    for name, parameter in inspect.signature(make_classification).parameters.items():
        if parameter.default is not parameter.empty and name != "rows":
            assert parameter.default == theirs[name].default, name


def test_larger_is_the_default_where_there_is_a_choice_and_another_seed_is_another_draw() -> None:
    kernels = SIMULATED["planas_kernels"]
    assert kernels.call({}) == kernels.call({"draw": "larger", "seed": "2"})
    assert kernels.call({"seed": "7"}) == {**kernels.call({}), "random_state": 7}
    assert {name: choice.value for name, choice in kernels.choices.items()} == {"draw": "larger"}
    assert SIMULATED["planas_sampling"].choices == {}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"draw": "largest"}, "draw: found 'largest'; write one of larger, printed"),
        ({"seed": "-1"}, "seed: found '-1'; write a whole number"),
        ({"rows": "10"}, "no option 'rows'; write draw or seed"),
    ],
)
def test_other_options_are_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        SIMULATED["planas_kernels"].call(options)
