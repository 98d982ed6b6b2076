"""The conda environments and the lock file name the same versions, and the lock file names no host."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
LOCK = (ROOT / "requirements.lock").read_text()


def locked(name: str) -> str:
    """The version that the lock file gives to Python 3.12."""
    found = re.findall(rf"^{re.escape(name)}==(\S+)( ; [^\\]*)?", LOCK, flags=re.MULTILINE)
    return next(version for version, marker in found if "< '3.12'" not in marker)


def pins(name: str) -> dict[str, str]:
    found = {}
    for entry in yaml.safe_load((ROOT / "envs" / name).read_text())["dependencies"]:
        for pin in entry["pip"] if isinstance(entry, dict) else [entry]:
            package, _, version = pin.replace("==", "=").partition("=")
            found[package.removesuffix("-base")] = version
    return {package: version for package, version in found.items() if package not in ("python", "pip")}


@pytest.mark.parametrize("name", ["units.yaml", "data.yaml", "report.yaml"])
def test_versions_are_those_of_the_lock_file(name):
    assert pins(name) == {package: locked(package) for package in pins(name)}


def test_every_line_of_the_lock_file_is_hashed_and_none_names_a_host():
    assert "://" not in LOCK
    assert "index-url" not in LOCK
    requirements = re.split(r"\n(?=\w)", LOCK.strip())
    assert all("--hash=sha256:" in requirement for requirement in requirements)
