"""Names used in config/papers/*.yaml, and the functions behind them, imported only when a job calls them."""

from __future__ import annotations

import difflib
import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from marginfs.errors import ConfigError

SELECTORS: Mapping[str, str] = {
    "all_features": "marginfs.selectors.all_features",
    "backward_elimination": "marginfs.selectors.backward_elimination",
    "correlation": "marginfs.selectors.correlation",
    "hard_margin_svm": "marginfs.selectors.hard_margin_svm",
    "kernel_elimination": "marginfs.selectors.margin_elimination",
    "mfe": "marginfs.selectors.margin_elimination",
    "rfe_fixed": "marginfs.selectors.margin_elimination",
    "sfm": "marginfs.selectors.zero_norm",
    "weston": "marginfs.selectors.zero_norm",
}
"""Selector name -> module that defines the function of that name."""

EVALUATIONS: Mapping[str, str] = {
    "margin_curves": "marginfs.evaluation.margin_curves",
    "own_classifier": "marginfs.evaluation.own_classifier",
    "ranking_curve": "marginfs.evaluation.ranking_curve",
    "top_features": "marginfs.evaluation.top_features",
}
"""Evaluation name -> module that defines the function of that name."""


def selector(name: str) -> Callable[..., Any]:
    return _load(SELECTORS, "selector", name)


def evaluation(name: str) -> Callable[..., Any]:
    return _load(EVALUATIONS, "evaluation", name)


def check(table: Mapping[str, str], kind: str, name: str, where: str) -> None:
    """Raise ConfigError, listing what exists, where `name` is not in `table`."""
    if name not in table:
        raise ConfigError(f"{where}: no {kind} is called '{name}'{hint(name, table)}")


def check_options(function: Callable[..., Any], options: Iterable[str]) -> None:
    """Raise ConfigError, listing what exists, where `function` does not take one of `options`."""
    parameters = inspect.signature(function).parameters.values()
    known = [item.name for item in parameters if item.kind is item.KEYWORD_ONLY and item.name != "rng"]
    if not any(item.kind is item.VAR_KEYWORD for item in parameters):
        for name in options:
            if name not in known:
                raise ConfigError(f"{function.__name__} has no option '{name}'{hint(name, known)}")


def hint(name: str, known: Iterable[str]) -> str:
    """What a reader who misspelt `name` needs: the nearest known name, then all of them."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1)
    meant = f"; did you mean '{near[0]}'?" if near else ";"
    return f"{meant} known: {', '.join(names)}"


def _load(table: Mapping[str, str], kind: str, name: str) -> Callable[..., Any]:
    check(table, kind, name, "registry")
    function: Callable[..., Any] = getattr(importlib.import_module(table[name]), name)
    return function
