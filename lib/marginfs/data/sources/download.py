"""Downloads by pooch: patient with a server that stumbles, quick to leave one that says no."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from marginfs.data.catalogue import MEGABYTES
from marginfs.errors import DataError


@dataclass(frozen=True)
class Patience:
    """How long to wait for a server and how often to ask again.

    Attributes
    ----------
    timeout : float
        Seconds to wait for an answer.
    retries : int
        How often to ask again.
    wait : float
        Seconds before asking again; doubled each time.
    deadline : float
        Seconds that a download may take in all.
    """

    timeout: float = 30.0
    retries: int = 2
    wait: float = 0.5
    deadline: float = 900.0


def download(
    url: str,
    target: Path,
    *,
    patience: Patience | None = None,
    megabytes: int = MEGABYTES,
    known_hash: str | None = None,
) -> Path:
    """Download a file.

    Parameters
    ----------
    url : str
        Its address.
    target : Path
        Where to put it; must not exist yet.
    patience : Patience, optional
        How long to wait.
    megabytes : int
        What the server may send.
    known_hash : str, optional
        What it must contain, as `sha256:...`.

    Returns
    -------
    Path
        The file; DataError with one line of reason if it cannot be had.
    """
    import pooch
    import requests

    pooch.get_logger().setLevel("WARNING")
    try:
        path = pooch.retrieve(
            url,
            known_hash=known_hash,
            fname=target.name,
            path=target.parent,
            downloader=PatientDownloader(patience or Patience(), megabytes),
        )
    except requests.RequestException as error:
        raise DataError(f"{_reason(error)}.") from None
    except (OSError, ValueError) as error:
        raise DataError(f"{_first_line(error)}.") from None
    return Path(path)


class PatientDownloader:
    """A pooch downloader that asks again, with growing waits, after a broken connection or an answer of 429 or 5xx.

    Parameters
    ----------
    patience : Patience
        How long to wait and how often.
    megabytes : int
        What the server may send.
    """

    def __init__(self, patience: Patience, megabytes: int) -> None:
        self.patience = patience
        self.megabytes = megabytes

    def __call__(self, url: str, output_file: str | IO[bytes], pooch: Any, check_only: bool = False) -> None:
        import requests

        end = time.monotonic() + self.patience.deadline
        for attempt in range(self.patience.retries + 1):
            try:
                self._once(url, output_file, end)
                return
            except requests.RequestException as error:
                if attempt == self.patience.retries or not _worth_retrying(error) or time.monotonic() >= end:
                    raise
                time.sleep(self.patience.wait * 2**attempt)

    def _once(self, url: str, output_file: str | IO[bytes], end: float) -> None:
        """Stream the body to the file in a thread that is left behind at the deadline.

        A server that drips headers or body never lets a read time out, so no deadline inside the thread would hold.
        """
        import requests

        problems: list[Exception] = []
        late = threading.Event()

        def work() -> None:
            try:
                self._stream(url, output_file, late)
            except Exception as error:
                problems.append(error)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        thread.join(max(end - time.monotonic(), 0.0))
        if thread.is_alive():
            late.set()
            raise requests.Timeout(f"took longer than {self.patience.deadline:g} s")
        if problems:
            raise problems[0]

    def _stream(self, url: str, output_file: str | IO[bytes], late: threading.Event) -> None:
        """Write the body, with a progress bar on a terminal; one shorter than announced or too long is an error."""
        import requests
        from tqdm import tqdm

        headers = {"Accept-Encoding": "identity"}
        with requests.get(url, stream=True, timeout=self.patience.timeout, headers=headers) as answer:
            answer.raise_for_status()
            encoded = "content-encoding" in answer.headers
            announced = 0 if encoded else int(answer.headers.get("content-length", 0))
            received = 0
            self._check_size(announced)
            with (
                _writable(output_file) as file,
                tqdm(total=announced or None, unit="B", unit_scale=True, desc=_short(url), disable=_quiet()) as bar,
            ):
                for block in answer.iter_content(2**16):
                    if late.is_set():
                        return
                    received += len(block)
                    self._check_size(received)
                    file.write(block)
                    bar.update(len(block))
            if announced and received != announced:
                raise requests.ConnectionError(f"got {received} of {announced} bytes")

    def _check_size(self, size: int) -> None:
        if size > self.megabytes * 2**20:
            raise DataError(f"refused, because the server sends more than {self.megabytes} MB.")


def _worth_retrying(error: Exception) -> bool:
    """Tell whether the same request may succeed a moment later."""
    answer = getattr(error, "response", None)
    return answer is None or answer.status_code == 429 or answer.status_code >= 500


def _reason(error: Exception) -> str:
    """Say in a few words why a request failed."""
    import requests

    answer = getattr(error, "response", None)
    if answer is not None:
        return f"the server answered {answer.status_code} {answer.reason}"
    if isinstance(error, requests.Timeout) or "timed out" in str(error):
        return "the server did not answer in time"
    if "IncompleteRead" in str(error) or "bytes" in str(error):
        return "the file arrived incomplete"
    if isinstance(error, requests.ConnectionError):
        return "no connection to the server"
    return _first_line(error)


@contextmanager
def _writable(output_file: str | IO[bytes]) -> Iterator[IO[bytes]]:
    if isinstance(output_file, str | os.PathLike):
        with open(output_file, "wb") as file:
            yield file
    else:
        output_file.seek(0)
        output_file.truncate()
        yield output_file


def _quiet() -> bool:
    return not sys.stderr.isatty()


def _short(url: str) -> str:
    return url.rstrip("/").rpartition("/")[2]


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
