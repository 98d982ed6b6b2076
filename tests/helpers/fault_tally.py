"""What the long tests tried, and how often it ended well: the table that they print when they end."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator


class FaultTally:
    """Something ends well if the test around it finds no other bytes, no traceback and no hang."""

    def __init__(self) -> None:
        self.tried: Counter[str] = Counter()
        self.ended_well: Counter[str] = Counter()

    @contextlib.contextmanager
    def trying(self, what: str, times: int = 1) -> Iterator[None]:
        self.tried[what] += times
        yield
        self.ended_well[what] += times

    def table(self) -> str:
        lines = [("what", "tried", "ended well"), ("---",) * 3]
        lines += [(what, f"{times:,}", f"{self.ended_well[what]:,}") for what, times in self.tried.items()]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)
