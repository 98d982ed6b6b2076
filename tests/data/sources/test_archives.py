"""Archives: one member is read, a malicious archive is refused, compressed files are expanded."""

from __future__ import annotations

import gzip
import io
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marginfs.data.sources import archives
from marginfs.data.sources.archives import expand, read_member
from marginfs.data.sources.lzw import decompress_lzw
from marginfs.errors import DataError


def make_zip(*members: tuple[str, bytes], link: str | None = None) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name), content)
        if link:
            info = zipfile.ZipInfo(link)
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, "/etc/passwd")
    return buffer.getvalue()


def make_tar(*members: tuple[str, bytes], link: str | None = None, kind: bytes = tarfile.SYMTYPE) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
        if link:
            info = tarfile.TarInfo(link)
            info.type = kind
            info.linkname = "/etc/passwd"
            archive.addfile(info)
    return buffer.getvalue()


Maker = Callable[..., bytes]


@pytest.mark.parametrize("make", [make_zip, make_tar])
def test_member_is_read_from_bytes_and_from_a_file(make: Maker, tmp_path: Path) -> None:
    content = make(("pkg-1/a/b.csv", b"right"), ("pkg-1/b.csv", b"wrong"))
    assert read_member(content, "pkg-1/a/b.csv") == b"right"
    assert read_member(content, "*/a/b.csv") == b"right"
    (tmp_path / "archive").write_bytes(content)
    assert read_member(tmp_path / "archive", "*/a/b.csv") == b"right"


@pytest.mark.parametrize("make", [make_zip, make_tar])
@pytest.mark.parametrize("path", ["../evil", "a/../../evil", "/etc/evil", "a\\..\\evil", "C:/evil"])
def test_path_traversal_is_refused_even_beside_a_good_member(make: Maker, path: str) -> None:
    with pytest.raises(DataError, match="leads outside"):
        read_member(make(("good.csv", b"x"), (path, b"y")), "good.csv", name="evil")


@pytest.mark.parametrize("make", [make_zip, make_tar])
def test_symbolic_links_are_refused(make: Maker) -> None:
    with pytest.raises(DataError, match="link or device"):
        read_member(make(("good.csv", b"x"), link="data.csv"), "data.csv")


@pytest.mark.parametrize("kind", [tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_hard_links_and_devices_are_refused(kind: bytes) -> None:
    with pytest.raises(DataError, match="link or device"):
        read_member(make_tar(("good.csv", b"x"), link="data.csv", kind=kind), "good.csv")


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("make", [make_zip, make_tar])
def test_a_name_that_occurs_twice_is_refused(make: Maker) -> None:
    with pytest.raises(DataError, match="occurs twice"):
        read_member(make(("a.csv", b"x"), ("a.csv", b"y")), "a.csv")


@pytest.mark.parametrize("make", [make_zip, make_tar])
def test_absent_member_and_damaged_archive_are_named(make: Maker) -> None:
    content = make(("a.csv", b"x" * 1000))
    with pytest.raises(DataError, match=r"thing: holds no member b\.csv"):
        read_member(content, "b.csv", name="thing")
    with pytest.raises(DataError, match="thing: the archive cannot be read"):
        read_member(content[: len(content) // 2], "a.csv", name="thing")
    with pytest.raises(DataError, match="thing: the archive cannot be read"):
        read_member(b"plain text", "a.csv", name="thing")


def test_flipped_byte_in_a_member_is_noticed() -> None:
    content = make_zip(("a.csv", b"0123456789"))
    position = content.index(b"0123456789")
    with pytest.raises(DataError, match="cannot be read"):
        read_member(content[:position] + b"X" + content[position + 1 :], "a.csv")


@pytest.mark.parametrize("make", [make_zip, make_tar])
def test_bombs_are_refused(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    content = make(("a.csv", bytes(10_000)))
    monkeypatch.setattr(archives, "MAX_MEMBER_BYTES", 5_000)
    with pytest.raises(DataError, match="more than 5000 bytes"):
        read_member(content, "a.csv")
    monkeypatch.setattr(archives, "MAX_ARCHIVE_BYTES", 6_000)
    with pytest.raises(DataError, match="more than 6000 bytes"):
        read_member(content, "a.csv")
    with pytest.raises(DataError, match="more than 5000 bytes"):
        expand(gzip.compress(bytes(10_000)), "a.gz")


def test_expand_follows_the_first_bytes() -> None:
    assert expand(gzip.compress(b"abc"), "a.gz") == b"abc"
    assert expand(b"abc", "a.gz") == b"abc"
    assert expand(compress_lzw(b"abcabcabc"), "a.Z") == b"abcabcabc"
    with pytest.raises(DataError, match="damaged"):
        expand(gzip.compress(b"abc" * 1000)[:-12], "a.gz")
    with pytest.raises(DataError, match="damaged"):
        expand(b"\x1f\x9d\x90\xff\xff\xff\xff", "a.Z")


def compress_lzw(content: bytes, max_width: int = 16, clear_after: int | None = None) -> bytes:
    """Write a `.Z` file as Unix compress does; code groups are padded where the width changes or the table clears."""
    table: dict[bytes, int] = {bytes([i]): i for i in range(256)}
    out = bytearray(b"\x1f\x9d" + bytes([0x80 | max_width]))
    width, group, next_code, emitted = 9, [], 257, 0

    def flush(pad: bool) -> None:
        codes = group + [0] * (-len(group) % 8 if pad else 0)
        value = sum(code << (i * width) for i, code in enumerate(codes))
        out.extend(value.to_bytes(-(-len(codes) * width // 8), "little"))
        group.clear()

    def emit(code: int) -> None:
        group.append(code)
        if len(group) == 8:
            flush(pad=False)

    word = b""
    for value in content:
        longer = word + bytes([value])
        if longer in table:
            word = longer
            continue
        emit(table[word])
        emitted += 1
        if next_code < 1 << max_width:
            table[longer] = next_code
            next_code += 1
            if next_code > 1 << width and width < max_width:
                flush(pad=True)
                width += 1
        word = bytes([value])
        if clear_after is not None and emitted == clear_after:
            emit(256)
            flush(pad=True)
            table = {bytes([i]): i for i in range(256)}
            width, next_code = 9, 257
    if word:
        emit(table[word])
    flush(pad=False)
    return bytes(out)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), size=st.integers(1, 6000), letters=st.integers(1, 200), width=st.integers(9, 16))
def test_lzw_undoes_compress(seed: int, size: int, letters: int, width: int) -> None:
    import numpy as np

    content = np.random.default_rng(seed).integers(0, letters, size).astype(np.uint8).tobytes()
    assert decompress_lzw(compress_lzw(content, width), 10**6) == content


def test_lzw_clear_code_and_agreement_with_gzip() -> None:
    import subprocess

    content = b"".join(b"MUSK-%d,%d,%d.\n" % (i, i * i % 97, -i) for i in range(3000))
    for compressed in (compress_lzw(content), compress_lzw(content, 12), compress_lzw(content, clear_after=700)):
        assert decompress_lzw(compressed, 10**6) == content
        try:
            oracle = subprocess.run(["gzip", "-dc"], input=compressed, capture_output=True, check=False)
        except FileNotFoundError:
            continue
        assert oracle.stdout == content


def test_lzw_stops_at_the_limit() -> None:
    assert len(decompress_lzw(compress_lzw(bytes(100_000)), 1000)) < 3000
    with pytest.raises(ValueError, match="not a"):
        decompress_lzw(zlib.compress(b"x"), 10)
