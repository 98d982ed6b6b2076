"""Random streams depend on the split's name and on nothing else."""

from __future__ import annotations

import itertools

import numpy as np

from marginfs.study.streams import streams


def first_draws(*key) -> np.ndarray:
    random = streams(*key)
    return np.array([generator.random() for generator in (random.train, random.test, random.selector)])


def test_same_key_gives_the_same_numbers_whatever_was_drawn_before():
    a = first_draws(1, "paper", "toy", "linear_toy[train=20]", 7)
    streams(1, "paper", "toy", "linear_toy[train=20]", 8).train.random(1000)
    np.testing.assert_array_equal(a, first_draws(1, "paper", "toy", "linear_toy[train=20]", 7))


def test_every_part_of_the_key_matters_and_parts_do_not_run_together():
    keys = list(itertools.product((1, 2), ("ab", "a"), ("c", "bc"), ("d", "e"), (0, 1)))
    draws = {tuple(first_draws(*key)) for key in keys}
    assert len(draws) == len(keys)
    assert len({number for draw in draws for number in draw}) == 3 * len(keys)


def test_a_stream_is_pinned():
    """Published results rest on these numbers: a change here must be deliberate."""
    draws = first_draws(20101116, "klement2010", "toy", "linear_toy[train=20]", 0)
    np.testing.assert_allclose(draws, [0.171621007546, 0.992446765235, 0.907241384809], atol=1e-12)
