"""Published splits: found again whatever the benchmark did to scale and order, refused if they are not splits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.io import savemat

from data_server import misbehaving_server, registry_cache, tiny_spec
from marginfs.data.card import card_rows
from marginfs.data.catalogue import DatasetSpec, Realisations, Source, load_catalogue
from marginfs.data.dataset import npz_bytes
from marginfs.data.sources.download import Patience
from marginfs.data.sources.realisations import RowFinder, from_matlab, from_text_files, obtain_realisations
from marginfs.data.table import Table
from marginfs.errors import DataError

ROOT = Path(__file__).resolve().parents[3]
MIRROR = ROOT.parent / "shared" / "data"
URL = Source("url", ("http://127.0.0.1:9/benchmarks.mat",))


def table() -> Table:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, size=(20, 3)).astype(float)
    X[:3] = np.arange(3.0)[:, None]
    labels = tuple("pos" if i % 3 else "neg" for i in range(20))
    return Table(X, labels, np.zeros(20, dtype=np.int64), ("a", "b", "c"))


def rescaled(source: Table, order: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    X = np.round((source.X - 1.3) * [0.5, 2.0, 7.0] - [3, 0, 1], 7)
    signs = np.where(np.array(source.labels) == "pos", 1.0, -1.0)
    return X[order], signs[order]


def write(folder: Path, source: Table, order: np.ndarray, i: int, train: int = 14) -> None:
    X, signs = rescaled(source, order)
    for part, rows in (("train", slice(None, train)), ("test", slice(train, None))):
        np.savetxt(folder / f"toy_{part}_data_{i}.asc", X[rows], fmt="%.7e")
        np.savetxt(folder / f"toy_{part}_labels_{i}.asc", signs[rows], fmt="%.7e")


def spec(*sources: Source) -> DatasetSpec:
    return replace(tiny_spec([]), realisations=Realisations(count=2, train=14, benchmark="toy", sources=sources))


def test_rows_are_found_again_by_value_and_label(tmp_path: Path) -> None:
    data = table()
    for i in (1, 2):
        write(tmp_path, data, np.random.default_rng(i).permutation(20), i)
    train, test = from_text_files(tmp_path, "toy", RowFinder(data, "pos"))
    assert train.shape == (2, 14)
    for i in (1, 2):
        order = np.random.default_rng(i).permutation(20)
        rows = np.concatenate([train[i - 1], test[i - 1]])
        assert_array_equal(np.sort(rows), np.arange(20))
        assert_array_equal(data.X[rows], data.X[order])
        assert_array_equal(np.array(data.labels)[rows], np.array(data.labels)[order])


def test_foreign_row_wrong_label_and_wrong_size_are_refused(tmp_path: Path) -> None:
    data = table()
    flipped = replace(data, labels=("pos", *data.labels[1:]))
    write(tmp_path, flipped, np.arange(20), 1)
    source = Source("mirror", (tmp_path.name,))
    pair, used, failures = obtain_realisations(spec(source), data, mirror=tmp_path.parent, cache=tmp_path)
    assert (pair[0].size, used) == (0, "")
    assert "is not in the data" in failures[0]
    write(tmp_path, data, np.arange(20), 1, train=13)
    _, _, failures = obtain_realisations(spec(source), data, mirror=tmp_path.parent, cache=tmp_path)
    assert "not a split of the 20 rows into 14 and 6" in failures[0]


def test_no_source_gives_empty_arrays_and_one_line_each(tmp_path: Path) -> None:
    sources = (Source("mirror", ("ida/toy",)), URL)
    pair, used, failures = obtain_realisations(
        spec(*sources), table(), mirror=tmp_path, cache=tmp_path, patience=Patience(retries=0, timeout=1)
    )
    assert pair[0].shape == (0, 0)
    assert used == ""
    assert len(failures) == 2
    assert "holds no toy_train_data_1.asc" in failures[0]


def test_matlab_file_is_read_once_and_its_numbers_start_at_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = table()
    order = np.random.default_rng(5).permutation(20)
    X, signs = rescaled(data, order)
    train = np.array([np.random.default_rng(i).permutation(20)[:14] for i in range(3)])
    test = np.array([np.setdiff1d(np.arange(20), row) for row in train])
    entry = {"x": X, "t": signs[:, None], "train": train + 1, "test": test + 1}
    savemat(tmp_path / "benchmarks.mat", {"toy": entry})
    content = (tmp_path / "benchmarks.mat").read_bytes()
    monkeypatch.setattr("marginfs.data.sources.realisations.read_source", lambda *_, **__: [content])
    found = from_matlab(URL, spec(URL), RowFinder(data, "pos"), tmp_path, Patience())
    assert_array_equal(data.X[found[0][1]], data.X[order[train[1]]])
    monkeypatch.setattr("marginfs.data.sources.realisations.read_source", lambda *_, **__: pytest.fail("asked twice"))
    again = from_matlab(URL, spec(URL), RowFinder(data, "pos"), tmp_path, Patience())
    assert_array_equal(found[0], again[0])
    kept = next(tmp_path.rglob("*.npz"))
    kept.write_bytes(npz_bytes({"train": train[:, ::-1], "test": test}))
    with pytest.raises(pytest.fail.Exception, match="asked twice"):
        from_matlab(URL, spec(URL), RowFinder(data, "pos"), tmp_path, Patience())
    assert not kept.exists()
    other = replace(spec(URL), sha256="0" * 64)
    with pytest.raises(pytest.fail.Exception, match="asked twice"):
        from_matlab(URL, other, RowFinder(data, "pos"), tmp_path, Patience())


@pytest.mark.parametrize(
    ("rows", "message"),
    [([1, 2, 99], "no readable entry"), ([1, 2, 2], "not a split"), (["a", "b", "c"], "no readable entry")],
    ids=["beyond the data", "twice", "no numbers"],
)
def test_matlab_file_with_bad_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: list, message: str) -> None:
    X, signs = rescaled(table(), np.arange(20))
    savemat(tmp_path / "benchmarks.mat", {"toy": {"x": X, "t": signs, "train": [rows] * 2, "test": [rows] * 2}})
    content = (tmp_path / "benchmarks.mat").read_bytes()
    monkeypatch.setattr("marginfs.data.sources.realisations.read_source", lambda *_, **__: [content])
    with pytest.raises(DataError, match=message):
        from_matlab(URL, spec(URL), RowFinder(table(), "pos"), tmp_path, Patience())


def test_matlab_file_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with misbehaving_server() as base:
        wrong = Source("url", (f"{base}/good/benchmarks.mat",))
        with pytest.raises(DataError, match="no readable entry toy"):
            from_matlab(wrong, spec(wrong), RowFinder(table(), "pos"), tmp_path, Patience())
    assert not list(tmp_path.rglob("*.npz"))


@pytest.mark.network
@pytest.mark.parametrize(("name", "train", "test"), [("heart", 170, 100), ("breast_cancer", 200, 77)])
def test_ida_realisations_of_the_mirror(
    name: str, train: int, test: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    from marginfs.data.preparation.prepare import fetch_and_prepare

    full = load_catalogue(ROOT / "config" / "datasets.yaml")[name]
    packaged = replace(full, sources=tuple(s for s in full.sources if s.kind == "package"))
    if not MIRROR.exists():
        pytest.skip("no mirror folder beside the repository")
    data, provenance = fetch_and_prepare(packaged, mirror=MIRROR, cache=registry_cache(tmp_path_factory))
    assert data.train.shape == (10, train)
    assert data.test.shape == (10, test)
    assert provenance.splits_source.startswith("mirror ida/")
    assert data.meta["realisations"] == {"count": 100, "train": train}
    assert card_rows([(data, provenance)])[0]["splits"] == "10 published, 90 drawn again"
    file = next((MIRROR / "ida").glob(f"*/{full.realisations.benchmark}_train_labels_3.asc"))
    assert_array_equal(data.y[data.train[2]], np.loadtxt(file))
    raw = np.loadtxt(str(file).replace("labels", "data"))
    for j in range(raw.shape[1]):
        slope, offset = np.polyfit(data.X[data.train[2], j], raw[:, j], 1)
        np.testing.assert_allclose(slope * data.X[data.train[2], j] + offset, raw[:, j], atol=1e-6)


def test_the_original_matlab_file_may_stand_in_the_mirror(tmp_path: Path) -> None:
    data = table()
    X, signs = rescaled(data, np.arange(20))
    rows = np.tile(np.arange(20) + 1, (2, 1))
    (tmp_path / "ida").mkdir()
    entry = {"x": X, "t": signs, "train": rows[:, :14], "test": rows[:, 14:]}
    savemat(tmp_path / "ida" / "benchmarks.mat", {"toy": entry})
    source = Source("mirror", ("ida/benchmarks.mat",))
    (train, test), place, failures = obtain_realisations(spec(source), data, mirror=tmp_path, cache=tmp_path)
    assert (place, failures) == ("mirror ida/benchmarks.mat", [])
    assert_array_equal(data.X[train[1]], data.X[:14])
    assert_array_equal(data.X[test[1]], data.X[14:])
    _, place, failures = obtain_realisations(spec(source), data, mirror=tmp_path / "ida", cache=tmp_path)
    assert place == ""
    assert "no such file" in failures[0]


def test_a_source_with_other_first_realisations_is_refused(tmp_path: Path) -> None:
    data = table()
    orders = [np.random.default_rng(i).permutation(20) for i in range(12)]
    for name, kept in (("known", orders[:10]), ("others", orders[2:])):
        (tmp_path / name).mkdir()
        for i, order in enumerate(kept, start=1):
            write(tmp_path / name, data, order, i)
    finder = RowFinder(data, "pos")
    train, _ = from_text_files(tmp_path / "known", "toy", finder)
    wanted = spec(Source("mirror", ("others",)), Source("mirror", ("known",)))
    wanted = replace(wanted, realisations=replace(wanted.realisations, first_ten=finder.digest(train[:, ::-1])))
    (found, _), place, failures = obtain_realisations(wanted, data, mirror=tmp_path, cache=tmp_path)
    assert place == "mirror known"
    assert_array_equal(found, train)
    assert "realisations 1 to 10 are not those of the benchmark" in failures[0]
