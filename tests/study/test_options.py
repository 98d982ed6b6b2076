"""Options are checked against the signature of the method that takes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypedDict, Unpack

import pytest

from marginfs.errors import ConfigError
from marginfs.study.options import check_options, describe, fits, options_of
from marginfs.types import NameOf


class Keys(TypedDict, total=False):
    C: float
    slack: Literal["l1", "l2"]


def method(
    X: Any,
    *,
    rng: Any,
    count: int,
    kind: Annotated[str, NameOf({"a": "m.a", "b": "m.b"})] = "a",
    sizes: Sequence[int] | Literal["all"] = (),
    limit: float | None = None,
    **keys: Unpack[Keys],
) -> None: ...


OPTIONS = options_of(method)


def test_options_are_the_keyword_parameters_but_for_what_the_workflow_supplies():
    assert list(OPTIONS) == ["count", "kind", "sizes", "limit", "C", "slack"]
    assert [name for name, option in OPTIONS.items() if option.required] == ["count"]
    assert OPTIONS["kind"].default == "a"


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("count", [1, 0, -3], [1.5, True, "1", None]),
        ("kind", ["a", "b"], ["c", 1, None]),
        ("sizes", [[], [1, 2], "all"], ["every", [1.5], 3]),
        ("limit", [1, 1.5, None, float("inf")], ["1", True, float("nan")]),
        ("slack", ["l1"], ["L1", 1]),
    ],
)
def test_values(name, good, bad):
    assert all(fits(value, OPTIONS[name].type) for value in good)
    assert not any(fits(value, OPTIONS[name].type) for value in bad)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"count": 1, "kidn": "a"}, r"here.kidn: no option is called 'kidn'; did you mean 'kind'\? known: C, count"),
        ({"count": "many"}, "here.count is 'many'; write a whole number"),
        ({"count": 1, "kind": "c"}, "here.kind is 'c'; write one of: a, b"),
        ({"count": 1, "slack": "l3"}, "here.slack is 'l3'; write one of: l1, l2"),
        ({"kind": "a"}, "here: the option 'count' is missing"),
    ],
)
def test_messages(given, message):
    with pytest.raises(ConfigError, match=message):
        check_options(OPTIONS, given, "here")


def test_a_grid_supplies_what_is_required():
    check_options(OPTIONS, {}, "here", varied=["count"])


def test_types_in_words():
    assert describe(OPTIONS["limit"].type) == "a number, or null"
    assert describe(OPTIONS["sizes"].type) == "a list, or one of: all"
