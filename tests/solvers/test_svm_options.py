"""The options of a machine: one default each, checked, and readable from the signatures of those who take them."""

from __future__ import annotations

from typing import get_args, get_type_hints

import numpy as np
import pytest

from marginfs.errors import ConfigError
from marginfs.evaluation.top_features import top_features
from marginfs.kernels import Kernel
from marginfs.selectors.backward_elimination import backward_elimination
from marginfs.selectors.margin_elimination import mfe
from marginfs.solvers.svm_options import HARD_MARGIN, Svm


def test_flat_keys_make_the_kernel_and_the_rest():
    assert Svm.of(kernel="gaussian", sigma=3.0, C=2.0) == Svm(Kernel("gaussian", sigma=3.0), C=2.0)
    assert Svm.of(slack="l1", tol=1e-3, kernel="polynomial", degree=4, offset=0.0) == Svm(
        Kernel("polynomial", 4, 0.0), slack="l1", tol=1e-3
    )
    assert Svm.of() == HARD_MARGIN


@pytest.mark.parametrize(
    ("svm", "ridge", "upper"),
    [(Svm(C=4.0), 0.25, np.inf), (Svm(C=4, slack="l1"), 0.0, 4.0), (HARD_MARGIN, 0.0, np.inf)],
)
def test_slack_adds_to_the_diagonal_or_bounds_the_multipliers(svm, ridge, upper):
    assert (svm.ridge, svm.upper) == (ridge, upper)
    assert isinstance(svm.upper, float), "compiled code would be compiled again for a whole number"


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"C": 0.0}, "C is 0"),
        ({"C": np.nan}, "C is nan"),
        ({"slack": "l3"}, "slack is 'l3'"),
        ({"tol": 0.0}, "tol is 0"),
        ({"kernel": "cubic"}, "kernel is 'cubic'"),
        ({"sigma": -1.0}, "sigma -1"),
    ],
)
def test_bad_options_are_named(keys, words):
    with pytest.raises(ConfigError, match=words):
        Svm.of(**keys)


@pytest.mark.parametrize("function", [backward_elimination, top_features])
def test_keys_and_their_types_can_be_read_from_a_signature(function):
    (keys,) = get_args(get_type_hints(function)["keys"])
    hints = get_type_hints(keys)
    assert set(hints) == {"kernel", "degree", "offset", "sigma", "C", "slack", "tol"}
    assert get_args(hints["kernel"]) == ("linear", "polynomial", "gaussian")
    assert get_args(hints["slack"]) == ("l1", "l2")
    assert hints["degree"] is int


def test_a_method_that_fixes_the_kernel_offers_the_rest():
    (keys,) = get_args(get_type_hints(mfe)["keys"])
    assert set(get_type_hints(keys)) == {"C", "tol"}
