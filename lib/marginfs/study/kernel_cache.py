"""The folder where numba keeps compiled kernels: the user's own, one for each state of them and each kind of processor.

numba runs what it finds there, and fails for ever on a file that was cut short; so the files are compared with their
digests before a run, and what is damaged is removed, to be compiled again.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import pickletools
import platform
import threading
from collections.abc import Iterator
from pathlib import Path

from marginfs.errors import ConfigError
from marginfs.files import write_text
from marginfs.study.reach import PACKAGE, kernels, source_hash

DIGESTS = "SHA256SUMS"
COMPILING = 60.0
"""Seconds that compiling the kernels of one job may take."""
INSTRUCTIONS = "MARGINFS_INSTRUCTIONS"
"""The environment variable that pins one instruction set, so that all machines give the same bytes."""
INSTRUCTION_SETS = {
    "x86-64-v2": {"OPENBLAS_CORETYPE": "Nehalem", "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR"},
    "x86-64-v3": {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR"},
    "x86-64-v4": {"OPENBLAS_CORETYPE": "SkylakeX", "NPY_DISABLE_CPU_FEATURES": "AVX512_ICL AVX512_SPR"},
}
"""Name, as LLVM has it -> what OpenBLAS and numpy call it."""


def kernel_folder() -> Path:
    """Find the folder of the kernels as they are now.

    Returns
    -------
    Path
        In the checkout, or in the user's cache folder where the checkout belongs to someone else. Nodes of a cluster
        with other processors have folders of their own, because numba gives the same name to the code of both.
    """
    name = f"{source_hash(kernels())}-{_processor()}"
    beside = PACKAGE / "__pycache__"
    nearest = next(path for path in (beside / name, beside, PACKAGE) if path.exists())
    if nearest.stat().st_uid == os.getuid() and os.access(nearest, os.W_OK):
        return beside / name
    caches = os.environ.get("MARGINFS_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache", "marginfs")
    return Path(caches).expanduser() / "kernels" / name


def pinned_instructions() -> dict[str, str]:
    """Find what makes numba, OpenBLAS and numpy use the instruction set that the user pins.

    Returns
    -------
    dict
        Environment variable -> value; empty where nothing is pinned.
    """
    name = os.environ.get(INSTRUCTIONS)
    if not name:
        return {}
    if name not in INSTRUCTION_SETS:
        raise ConfigError(f"{INSTRUCTIONS} is {name!r}; write one of: {', '.join(INSTRUCTION_SETS)}")
    return {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": "", **INSTRUCTION_SETS[name]}


def open_cache(folder: Path) -> bool:
    """Make the cache ready for a run: nobody else can write to it, and what is damaged in it is gone.

    Parameters
    ----------
    folder : Path
        The cache.

    Returns
    -------
    bool
        Whether any kernels are left in it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    known = _known(folder)
    whole = [path for path in _files(folder) if _is_whole(path, known.get(path.relative_to(folder).as_posix()))]
    for path in {*_files(folder)} - {*whole}:
        path.unlink(missing_ok=True)
    return bool(whole)


def close_cache(folder: Path) -> None:
    """Write down the digests of what is in the cache, after a run or before its jobs start.

    Parameters
    ----------
    folder : Path
        The cache.
    """
    lines = [f"{_digest(path)}  {path.relative_to(folder).as_posix()}\n" for path in _files(folder)]
    write_text(folder / DIGESTS, "".join(lines))


@contextlib.contextmanager
def compiling_once(folder: Path, kind: str) -> Iterator[None]:
    """Let one job go ahead where nothing is compiled for this kind of processor yet, as on a node unlike the others.

    The start of a run compiles for its own machine. Jobs that start together on another one would all compile the same
    kernels; here those of one kind wait until the first has ended, or has had the time that compiling takes.

    Parameters
    ----------
    folder : Path
        The cache of the machine that the job runs on.
    kind : str
        What the jobs that call the same kernels have in common.

    Yields
    ------
    None
        To the work.
    """
    done = folder / f"{kind}.compiled"
    if (folder / DIGESTS).exists() or done.exists():
        yield
        return
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            sign = stack.enter_context((folder / f"{kind}.compiling").open("w"))
            fcntl.flock(sign, fcntl.LOCK_EX)
            if done.exists():
                fcntl.flock(sign, fcntl.LOCK_UN)
            else:
                free = threading.Timer(COMPILING, fcntl.flock, (sign, fcntl.LOCK_UN))
                free.daemon = True
                free.start()
                stack.callback(free.cancel)
        yield
        with contextlib.suppress(OSError):
            done.touch()


def _is_whole(path: Path, digest: str | None) -> bool:
    """By its digest; by its form where a job of a killed run compiled it."""
    return _digest(path) == digest if digest else _is_pickled(path)


def _is_pickled(path: Path) -> bool:
    """Whether a file is nothing but whole pickles; nothing in it is executed."""
    try:
        with path.open("rb") as file:
            while file.peek(1):
                for _ in pickletools.genops(file):
                    pass
    except (ValueError, OSError):
        return False
    return path.stat().st_size > 0


def _known(folder: Path) -> dict[str, str]:
    """File -> digest, as far as a damaged list tells."""
    path = folder / DIGESTS
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []
    pairs = [line.split("  ", 1) for line in lines if "  " in line]
    return {name: digest for digest, name in pairs}


def _files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.nb[ci]"))


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _processor() -> str:
    """What numba compiles for: the instruction set that is asked for, or this processor with its own."""
    pinned = os.environ.get(INSTRUCTIONS)
    if pinned:
        return pinned
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").partition("\n\n")[0].splitlines() if info.exists() else []
    traits = [line for line in lines if line.startswith(("model name", "flags", "Features", "CPU part"))]
    return hashlib.sha256("\n".join(traits or [platform.processor()]).encode()).hexdigest()[:8]
