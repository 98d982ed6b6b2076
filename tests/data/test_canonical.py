"""The content hash: blind to row order and digits printed, sharp for everything else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marginfs.data.canonical import canonical_order, content_hash
from marginfs.data.table import Records, Table, build_table
from marginfs.errors import DataError

cells = st.sampled_from(["0.5", "0.50", "-3", "1e2", "100", "?", "0", "-0.0"])
rows = st.lists(st.tuples(cells, cells, st.sampled_from("ab")), min_size=2, max_size=12)


def table(lines: list[tuple[str, str, str]]) -> Table:
    return build_table(Records([line[:2] for line in lines], [line[2] for line in lines]), "x{}")


@settings(max_examples=80, deadline=None)
@given(lines=rows, seed=st.integers(0, 1000))
def test_row_order_does_not_matter(lines: list[tuple[str, str, str]], seed: int) -> None:
    shuffled = [lines[i] for i in np.random.default_rng(seed).permutation(len(lines))]
    assert content_hash(table(lines)) == content_hash(table(shuffled))
    one, two = canonical_order(table(lines)), canonical_order(table(shuffled))
    np.testing.assert_array_equal(one.X, two.X)
    assert one.labels == two.labels


def test_digits_printed_and_the_sign_of_zero_do_not_matter() -> None:
    assert content_hash(table([("0.0200", "-0", "a"), ("1", "2", "b")])) == content_hash(
        table([("0.02", "0.0", "a"), ("1.0", "2e0", "b")])
    )


BASE = [("1", "2", "a"), ("3", "4", "b"), ("5", "?", "a")]


@pytest.mark.parametrize(
    "other",
    [
        [("1", "2.0000000000000004", "a"), *BASE[1:]],
        [("1", "2", "b"), *BASE[1:]],
        [*BASE[:2], ("5", "0", "a")],
        BASE[:2],
        [*BASE, BASE[0]],
        [(b, a, label) for a, b, label in BASE],
    ],
)
def test_any_change_of_content_changes_the_hash(other: list[tuple[str, str, str]]) -> None:
    assert content_hash(table(other)) != content_hash(table(BASE))


def test_parts_and_levels_count_and_rows_stay_in_their_part() -> None:
    plain = table(BASE)
    parted = replace(plain, parts=np.array([1, 0, 0]))
    assert content_hash(parted) != content_hash(plain)
    assert canonical_order(parted).X[-1, 0] == 1
    assert content_hash(replace(plain, levels={"x1": ("u", "v")})) != content_hash(plain)
    assert content_hash(replace(plain, names=("u", "v"))) == content_hash(plain)


def test_building_a_table_names_what_is_wrong() -> None:
    records = Records([["1", "red"], ["2", "blue"]], ["a", "b"])
    with pytest.raises(DataError, match="column x2: found text"):
        build_table(records, "x{}")
    assert build_table(records, "x{}", nominal=["x2"]).levels == {"x2": ("blue", "red")}
    with pytest.raises(DataError, match="found 'blue'; the levels are red"):
        build_table(records, "x{}", levels={"x2": ["red"]})
    with pytest.raises(DataError, match="2 feature columns, 3"):
        build_table(records, ["a", "b", "c"])
    with pytest.raises(DataError, match="different numbers of fields"):
        build_table(Records([["1"], ["1", "2"]], ["a", "b"]), "x{}")
    with pytest.raises(DataError, match="no data rows"):
        build_table(Records([], []), "x{}")


def test_decimals_round() -> None:
    assert build_table(Records([["1.23456"], ["2"]], ["a", "b"]), "x{}", decimals=2).X[0, 0] == 1.23
