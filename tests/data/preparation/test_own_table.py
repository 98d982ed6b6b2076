"""A user's own table: what is wrong is said in one clear sentence, what is right works, at any width."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from marginfs.data.preparation.own_table import load_own
from marginfs.errors import DataError

GOOD = "name,a,b,colour,y\nr1,1,2.5,red,no\nr2,3,4,blue,yes\nr3,5,6e1,red,no\nr4,7,8,blue,yes\n"


def write(folder: Path, text: str, name: str = "own.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_csv_with_names_dropped_and_nominal_columns(tmp_path: Path) -> None:
    data, provenance = load_own(write(tmp_path, GOOD), "y", drop=["name"], nominal=["colour"])
    assert data.name == "own"
    assert data.feature_names == ("a", "b", "colour=red")
    assert data.target_names == ("no", "yes")
    assert_array_equal(data.y, [-1, 1, -1, 1])
    assert_array_equal(data.X, [[1, 2.5, 1], [3, 4, 0], [5, 60, 1], [7, 8, 0]])
    assert provenance.status == "ok"
    assert provenance.source.endswith("own.csv")
    assert len(provenance.sha256) == 64


def test_positive_turns_the_sign_and_sets_one_class_against_the_others(tmp_path: Path) -> None:
    path = write(tmp_path, "a,y\n" + "".join(f"{i},{label}\n" for i, label in enumerate("uuvvww")))
    data, _ = load_own(path, "y", positive="u")
    assert data.target_names == ("not u", "u")
    assert_array_equal(data.y, [1, 1, -1, -1, -1, -1])
    with pytest.raises(DataError, match="the class 'u' of 'y' has fewer than two rows"):
        load_own(write(tmp_path, "a,y\n1,u\n2,v\n3,w\n", "few.csv"), "y", positive="u")
    path = write(tmp_path, "a,y\n" + "".join(f"{i},{label}\n" for i, label in enumerate("uuvvww")))
    many, _ = load_own(path, "y", multiclass=True)
    assert_array_equal(many.y, [0, 0, 1, 1, 2, 2])
    two, _ = load_own(write(tmp_path, GOOD), "y", positive="no", drop=["name", "colour"])
    assert two.target_names == ("yes", "no")


def test_missing_values_by_choice(tmp_path: Path) -> None:
    path = write(tmp_path, "a,b,y\n1,2,u\n,4,u\n3,NA,v\n5,6,v\n7,9,u\n2,2,v\n")
    assert load_own(path, "y", missing="mean")[0].X[1, 0] == pytest.approx((1 + 3 + 5 + 7 + 2) / 5)
    assert len(load_own(path, "y", missing="drop_rows")[0].X) == 4
    assert np.isnan(load_own(path, "y", missing="train_mean")[0].X).sum() == 2
    assert load_own(path, "y", missing="median")[0].meta["missing"] == 2


def test_other_separators_byte_order_mark_and_blank_lines(tmp_path: Path) -> None:
    assert load_own(write(tmp_path, "a\ty\n1\tu\n2\tu\n3\tv\n4\tv\n", "own.tsv"), "y")[0].X.shape == (4, 1)
    assert load_own(write(tmp_path, "\ufeffa;y\n1;u\n\n2;u\n3;v\n4;v\n\n"), "y", sep=";")[0].feature_names == ("a",)


def test_constant_columns_are_dropped_with_a_note(tmp_path: Path) -> None:
    data, _ = load_own(write(tmp_path, "a,b,y\n1,2,u\n1,3,u\n1,4,v\n1,5,v\n"), "y")
    assert data.feature_names == ("b",)
    assert data.meta["notes"] == ["constant columns dropped: a"]


BAD: dict[str, tuple[str, dict[str, Any], str]] = {
    "no such column": (
        GOOD,
        {"target": "label"},
        "target: no column is named 'label'; the file has name, a, b",
    ),
    "a column misspelt": (GOOD, {"drop": ["nane"]}, "no column is named 'nane'; did you mean 'name'\\? the file has"),
    "no such column to drop": (GOOD, {"drop": ["x"]}, "drop: no column is named 'x'"),
    "one class": ("a,y\n1,u\n2,u\n", {}, "has 1 class; at least two"),
    "three classes": (
        "a,y\n1,u\n2,v\n3,w\n1,u\n2,v\n3,w\n",
        {},
        r"has 3 classes \(u, v, w\) where two are needed; write `positive: NAME`.*or `multiclass: true`",
    ),
    "no such positive": ("a,y\n1,u\n2,v\n", {"positive": "w"}, "positive: found 'w'; the target 'y' has u, v"),
    "text": (GOOD, {"drop": ["name"]}, "line 2, column 'colour': found the text 'red' in a numeric column"),
    "number with underscore": ("a,y\n1_0,u\n2,v\n", {}, "line 2, column 'a': found the text '1_0'"),
    "missing": (
        "a,y\n1,u\nnan,u\n3,v\n4,v\n",
        {},
        "are missing, the first in row 2, column 'a'; write `missing: mean`",
    ),
    "empty cell": ("a,y\n1,u\n,u\n3,v\n4,v\n", {}, "1 values are missing, the first in row 2, column 'a'"),
    "infinite": ("a,y\n1,u\ninf,u\n3,v\n4,v\n", {}, "line 3, column 'a': found an infinite value"),
    "too few rows": ("a,y\n1,u\n2,u\n3,v\n", {}, "the class 'v' of 'y' has fewer than two rows"),
    "duplicate names": ("a,a,y\n1,2,u\n", {}, "the column name 'a' occurs more than once"),
    "too large": ("a,y\n1e160,u\n2,u\n3,v\n4,v\n", {}, "column 'a': the largest value is 1e\\+160, too extreme"),
    "too small": ("a,y\n1e-160,u\n2e-160,u\n3e-160,v\n0,v\n", {}, "column 'a': the largest value is 3e-160, too"),
    "a name taken": ("a=2,a,y\n1,1,u\n2,2,u\n3,3,v\n4,2,v\n", {"nominal": ["a"]}, "second column named 'a=2'"),
    "empty file": ("", {}, "the file is empty"),
    "header alone": ("a,y\n", {}, "has a header but no rows"),
    "ragged": ("a,y\n1,u\n1,2,u\n", {}, "line 3 has 3 fields, the header 2"),
    "no label": ("a,y\n1,u\n2,\n", {}, "the target 'y' is missing in row 2"),
    "no features": ("y\nu\nv\n", {}, "no feature column is left"),
    "all constant": ("a,y\n1,u\n1,u\n1,v\n1,v\n", {}, "every feature column has one value"),
    "empty column": ("a,b,y\n1,,u\n2,,u\n3,,v\n4,,v\n", {"missing": "mean"}, "column 'b' is empty"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_clear_sentence(tmp_path: Path, case: str) -> None:
    text, options, message = BAD[case]
    with pytest.raises(DataError, match=message) as caught:
        load_own(write(tmp_path, text), **{"target": "y", **options})
    assert "own.csv" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_absent_file_binary_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        load_own(tmp_path / "none.csv", "y")
    with pytest.raises(DataError, match="no such file"):
        load_own(tmp_path, "y")
    (tmp_path / "b.csv").write_bytes(b"a,y\n\xff\xfe\x00,u\n")
    with pytest.raises(DataError, match="not a text file in UTF-8"):
        load_own(tmp_path / "b.csv", "y")
    (tmp_path / "b.parquet").write_bytes(b"a,y\n")
    with pytest.raises(DataError, match="not a Parquet file"):
        load_own(tmp_path / "b.parquet", "y")


def test_scales_that_can_be_squared_and_any_name(tmp_path: Path) -> None:
    data, _ = load_own(write(tmp_path, '"a|b","c\nd",y\n1e130,1e-130,u\n2e130,2e-130,u\n3,3,v\n4,4,v\n'), "y")
    assert data.feature_names == ("a|b", "c\nd")


def test_parquet_columns_of_one_name(tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    column = pa.array([1.0, 2.0, 3.0, 4.0])
    pq.write_table(
        pa.Table.from_arrays([column, column, pa.array(list("uuvv"))], ["a", "a", "y"]), tmp_path / "t.parquet"
    )
    with pytest.raises(DataError, match="'a' occurs more than once"):
        load_own(tmp_path / "t.parquet", "y")


def test_hundred_thousand_columns(tmp_path: Path) -> None:
    d = 100_000
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(6, d)), 3)
    lines = [",".join([*(f"gene_{j}" for j in range(d)), "y"])]
    lines += [",".join([*map(str, row), "uv"[i % 2]]) for i, row in enumerate(X.tolist())]
    data, _ = load_own(write(tmp_path, "\n".join(lines) + "\n"), "y")
    assert data.X.shape == (6, d)
    assert_array_equal(data.X, X)
    assert data.feature_names[-1] == f"gene_{d - 1}"


def parquet(folder: Path, columns: dict[str, list[Any]]) -> Path:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    pq.write_table(pa.table(columns), folder / "own.parquet")
    return folder / "own.parquet"


def test_parquet_gives_the_same_as_csv(tmp_path: Path) -> None:
    columns = {"a": [1, 3, 5, 7], "b": [2.5, 4, 60, 8], "colour": ["red", "blue"] * 2, "y": ["no", "yes"] * 2}
    binary, there = load_own(parquet(tmp_path, columns), "y", nominal=["colour"])
    text, here = load_own(write(tmp_path, GOOD), "y", drop=["name"], nominal=["colour"])
    assert_array_equal(binary.X, text.X)
    assert_array_equal(binary.y, text.y)
    assert binary.feature_names == text.feature_names
    assert there.sha256 == here.sha256


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"a": ["x", "y"], "y": ["u", "v"]}, "column 'a' holds string, not numbers"),
        ({"a": [1.0, None, 2, 3], "y": ["u", "v", "u", "v"]}, "1 values are missing, the first in row 2"),
        ({"a": [1.0, float("inf")], "y": ["u", "v"]}, "infinite"),
        ({"a": [], "y": []}, "has no rows"),
        ({"a": [1, 2], "y": ["u", None]}, "the target 'y' is missing in row 2"),
    ],
)
def test_bad_parquet(tmp_path: Path, columns: dict[str, list[Any]], message: str) -> None:
    with pytest.raises(DataError, match=message):
        load_own(parquet(tmp_path, columns), "y")
