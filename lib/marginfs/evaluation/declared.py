"""Evaluations declare what they measure, so that a table which asks for anything else is refused before any job."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

Evaluate = TypeVar("Evaluate", bound=Callable[..., Any])


def produces(*always: str, **with_option: str) -> Callable[[Evaluate], Evaluate]:
    """Declare the metrics of an evaluation.

    Parameters
    ----------
    *always : str
        Metrics that it always measures.
    **with_option : str
        Metric -> the option that turns it on.

    Returns
    -------
    callable
        A decorator that leaves the function as it is.
    """

    def _declare(function: Evaluate) -> Evaluate:
        vars(function)["metrics"] = {**dict.fromkeys(always), **with_option}
        return function

    return _declare


def metrics_of(function: Callable[..., Any], options: Mapping[str, Any]) -> frozenset[str]:
    """Read what an evaluation measures.

    Parameters
    ----------
    function : callable
        The evaluation.
    options : mapping
        What it is called with.

    Returns
    -------
    frozenset of str
        Its metrics under these options.
    """
    declared: Mapping[str, str | None] = getattr(function, "metrics", {})
    return frozenset(metric for metric, option in declared.items() if option is None or options.get(option))
