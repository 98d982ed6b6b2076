"""Names of prepared files: what was chosen is in the name, and comes out of it again."""

from __future__ import annotations

import re

import pytest

from marginfs.data.variants import split_variant, variant_name, variant_pattern
from marginfs.errors import ConfigError


@pytest.mark.parametrize(
    ("name", "options", "variant"),
    [
        ("colon", {}, "colon"),
        ("colon", {"transform": "none"}, "colon@transform=none"),
        ("planas_kernels", {"seed": 7, "draw": "printed"}, "planas_kernels@draw=printed,seed=7"),
    ],
)
def test_round_trip(name: str, options: dict[str, object], variant: str) -> None:
    assert variant_name(name, options) == variant
    assert split_variant(variant) == (name, {key: str(value) for key, value in options.items()})
    assert re.fullmatch(variant_pattern(["colon", "planas_kernels"]), variant)


@pytest.mark.parametrize("variant", ["colon@", "colon@7", "colon@draw=", "colon@a=b,", "colon@a=b@c=d", "colon@a=../b"])
def test_what_is_no_variant_is_refused(variant: str) -> None:
    assert not re.fullmatch(variant_pattern(["colon"]), variant)
    with pytest.raises(ConfigError, match="write NAME or NAME@key=value"):
        split_variant(variant)


def test_a_pattern_matches_no_other_data_set() -> None:
    assert not re.fullmatch(variant_pattern(["colon", "heart"]), "colonheart")
