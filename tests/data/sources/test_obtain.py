"""The right source wins, nothing corrupt enters the cache, and each failure is one line."""

from __future__ import annotations

import io
import multiprocessing
import tarfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from data_server import GOOD, WRONG, Handler, misbehaving_server, tiny_spec
from marginfs.data.dataset import npz_bytes
from marginfs.data.sources.download import Patience
from marginfs.data.sources.obtain import obtain
from marginfs.errors import DataError

QUICK = Patience(timeout=0.4, retries=2, wait=0.01)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with misbehaving_server() as base:
        yield base


@pytest.mark.parametrize(
    ("behaviour", "reason", "asked"),
    [
        ("truncated", "arrived incomplete", 3),
        ("wrong", "the content has SHA-256", 1),
        ("missing", "answered 404", 1),
        ("broken", "answered 503", 3),
        ("stall", "did not answer in time", 3),
    ],
)
def test_bad_source_is_reported_in_one_line_and_the_next_one_wins(
    server: str, tmp_path: Path, behaviour: str, reason: str, asked: int
) -> None:
    spec = tiny_spec([{"url": f"{server}/{behaviour}/data.csv"}, {"url": f"{server}/good/data.csv"}])
    found = obtain(spec, cache=tmp_path, patience=QUICK)
    assert found.sha256 == spec.sha256
    assert "/good/" in found.source
    assert len(found.failures) == 1
    assert reason in found.failures[0]
    assert behaviour in found.failures[0]
    assert "\n" not in found.failures[0]
    assert Handler.asked[behaviour] == asked


def test_two_503_and_then_well_needs_no_other_source(server: str, tmp_path: Path) -> None:
    found = obtain(tiny_spec([{"url": f"{server}/flaky/data.csv"}]), cache=tmp_path, patience=QUICK)
    assert found.failures == ()
    assert Handler.asked["flaky"] == 3


def test_redirect_is_followed(server: str, tmp_path: Path) -> None:
    found = obtain(tiny_spec([{"url": f"{server}/redirect/data.csv"}]), cache=tmp_path, patience=QUICK)
    assert found.failures == ()


@pytest.mark.parametrize("behaviour", ["truncated", "wrong", "missing", "stall"])
def test_nothing_corrupt_stays_in_the_cache(server: str, tmp_path: Path, behaviour: str) -> None:
    with pytest.raises(DataError):
        obtain(tiny_spec([{"url": f"{server}/{behaviour}/data.csv"}]), cache=tmp_path, patience=QUICK)
    assert [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".lock"] == []


def test_second_run_asks_no_server(server: str, tmp_path: Path) -> None:
    spec = tiny_spec([{"url": f"{server}/good/data.csv"}])
    first = obtain(spec, cache=tmp_path, patience=QUICK)
    second = obtain(spec, cache=tmp_path, patience=QUICK)
    assert Handler.asked["good"] == 1
    assert second.source == first.source
    np.testing.assert_array_equal(first.table.X, second.table.X)
    assert first.table.labels == second.table.labels
    assert second.table.names == ("a", "b")


@pytest.mark.parametrize("tampering", ["one value", "garbage"])
def test_tampered_cache_is_refused_and_replaced(server: str, tmp_path: Path, tampering: str) -> None:
    spec = tiny_spec([{"url": f"{server}/good/data.csv"}])
    obtain(spec, cache=tmp_path, patience=QUICK)
    (cached,) = tmp_path.glob("tables/*.npz")
    if tampering == "one value":
        with np.load(cached) as npz:
            arrays = dict(npz)
        arrays["X"][3, 1] += 1e-9
        cached.write_bytes(npz_bytes(arrays))
    else:
        cached.write_bytes(b"not an archive")
    again = obtain(spec, cache=tmp_path, patience=QUICK)
    assert "cache" in again.failures[0]
    assert Handler.asked["good"] == 2
    assert obtain(spec, cache=tmp_path, patience=QUICK).failures == ()


def test_mirror_wins_without_a_server_and_a_tampered_mirror_is_refused(server: str, tmp_path: Path) -> None:
    mirror = tmp_path / "mirror"
    (mirror / "tiny").mkdir(parents=True)
    (mirror / "tiny" / "data.csv").write_bytes(GOOD)
    spec = tiny_spec([{"mirror": "tiny/data.csv"}, {"url": f"{server}/good/data.csv"}])
    assert obtain(spec, mirror=mirror, cache=tmp_path / "cache", patience=QUICK).source == "mirror tiny/data.csv"
    assert Handler.asked["good"] == 0
    (mirror / "tiny" / "data.csv").write_bytes(WRONG)
    found = obtain(spec, mirror=mirror, cache=tmp_path / "cache", patience=QUICK)
    assert "/good/" in found.source
    assert "SHA-256" in found.failures[0]


def test_failure_names_every_source_the_file_and_the_folder(server: str, tmp_path: Path) -> None:
    spec = tiny_spec([{"mirror": "tiny/data.csv"}, {"url": f"{server}/missing/a"}, {"url": f"{server}/wrong/b"}])
    with pytest.raises(DataError) as caught:
        obtain(spec, mirror=tmp_path / "mine", cache=tmp_path / "cache", patience=QUICK)
    message = str(caught.value)
    for part in ("tiny", "tiny/data.csv", str(tmp_path / "mine"), "/missing/a", "/wrong/b"):
        assert part in message
    assert len(message.splitlines()) == 4


def test_unreachable_server_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with pytest.raises(DataError, match="no connection to the server"):
        obtain(tiny_spec([{"url": "http://127.0.0.1:9/data.csv"}]), cache=tmp_path, patience=QUICK)


def test_unwritable_cache_names_the_variable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="set MARGINFS_CACHE to a folder"):
        obtain(tiny_spec([{"url": "http://127.0.0.1:9/data.csv"}]), cache=tmp_path / "file" / "cache")


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_package_source_reads_the_member(tmp_path: Path, kind: str) -> None:
    archive = tmp_path / "package"
    if kind == "zip":
        with zipfile.ZipFile(archive, "w") as wheel:
            wheel.writestr("pkg/data.csv", GOOD)
    else:
        with tarfile.open(archive, "w:gz") as sdist:
            info = tarfile.TarInfo("pkg-1.0/pkg/data.csv")
            info.size = len(GOOD)
            sdist.addfile(info, io.BytesIO(GOOD))
    member = "pkg/data.csv" if kind == "zip" else "*/pkg/data.csv"
    spec = tiny_spec([{"package": "pkg==1.0", "member": member}])
    found = obtain(spec, cache=tmp_path / "cache", packages=lambda *_, **__: archive)
    assert found.sha256 == spec.sha256


def test_wrong_shape_or_classes_are_named(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_bytes(GOOD)
    source = [{"mirror": "data.csv"}]
    with pytest.raises(DataError, match="found 30 x 2 values, expected 31 x 2"):
        obtain(tiny_spec(source, shape=[31, 2]), mirror=tmp_path, cache=tmp_path)
    with pytest.raises(DataError, match="found the classes"):
        obtain(tiny_spec(source, classes={"neg": 11, "pos": 19}), mirror=tmp_path, cache=tmp_path)


def _obtain_in_process(base: str, cache: str) -> str:
    return obtain(tiny_spec([{"url": f"{base}/good/data.csv"}]), cache=cache, patience=QUICK).sha256


def test_several_processes_download_once(server: str, tmp_path: Path) -> None:
    with multiprocessing.get_context("fork").Pool(4) as pool:
        hashes = pool.starmap(_obtain_in_process, [(server, str(tmp_path))] * 8)
    assert len(set(hashes)) == 1
    assert Handler.asked["good"] == 1


@pytest.mark.parametrize("behaviour", ["drip", "drip_headers"])
def test_the_deadline_holds_for_a_server_that_drips(server: str, tmp_path: Path, behaviour: str) -> None:
    started = time.monotonic()
    with pytest.raises(DataError, match="did not answer in time"):
        obtain(
            tiny_spec([{"url": f"{server}/{behaviour}/data.csv"}]),
            cache=tmp_path,
            patience=Patience(timeout=0.4, retries=2, wait=0.01, deadline=0.6),
        )
    assert time.monotonic() - started < 5.0
    assert Handler.asked[behaviour] == 1


@pytest.mark.parametrize("behaviour", ["endless", "large"])
def test_a_body_without_end_is_cut_at_the_limit_of_its_source(server: str, tmp_path: Path, behaviour: str) -> None:
    sources = [{"url": f"{server}/{behaviour}/data.csv", "megabytes": 1}, {"url": f"{server}/good/data.csv"}]
    found = obtain(tiny_spec(sources), cache=tmp_path, patience=QUICK)
    assert "sends more than 1 MB" in found.failures[0]
    assert Handler.asked[behaviour] == 1
    assert Handler.sent < 8 * 2**20


def test_an_encrypted_member_is_a_failure_of_its_source(server: str, tmp_path: Path) -> None:
    sources = [{"url": f"{server}/encrypted/data.zip", "member": "data.csv"}, {"url": f"{server}/good/data.csv"}]
    found = obtain(tiny_spec(sources), cache=tmp_path, patience=QUICK)
    assert "encrypted" in found.failures[0]
    assert "/good/" in found.source
