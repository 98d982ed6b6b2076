"""Kernels against their formulas."""

from __future__ import annotations

import numpy as np
import pytest

from marginfs.errors import ConfigError
from marginfs.kernels import Kernel


def test_values_follow_their_formulas():
    x, z = np.random.default_rng(0).normal(size=(2, 1, 9))
    assert Kernel().matrix(x, z)[0, 0] == pytest.approx((x @ z.T)[0, 0])
    assert Kernel("polynomial", 3, 2.0).matrix(x, z)[0, 0] == pytest.approx(((x @ z.T)[0, 0] + 2) ** 3)
    distance = np.sum((x - z) ** 2)
    assert Kernel("gaussian", sigma=1.5).matrix(x, z)[0, 0] == pytest.approx(np.exp(-distance / 4.5))


@pytest.mark.parametrize("bad", [{"name": "cubic"}, {"sigma": 0.0}, {"degree": 0}])
def test_bad_kernels_are_refused(bad):
    with pytest.raises(ConfigError, match="kernel"):
        Kernel(**bad)
