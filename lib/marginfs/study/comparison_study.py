"""A comparison of selectors over data sets: the protocol that config/comparisons/<key>.yaml stands for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

EXPERIMENT = "comparison"
"""The name of its one experiment."""
FIGURE = "ranks"
"""The id of its one figure."""
SHOWN = ("label", "paper")
"""What an entry of a selector says beside its method and options."""
METRIC = "mean_error"
"""What selectors are tuned for and compared by: the test error averaged over the sizes."""
STABILITY_SIZE = 5
WRITTEN = {
    "data_grid.source": "data_sets",
    "data.source": "data_sets",
    "evaluation": "classifier",
}
"""Key of the experiment -> what it is called in the file; other keys have the same name in both."""


def comparison_protocol(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Make the protocol: same splits, same number of settings, same machine for every selector.

    Parameters
    ----------
    entry : mapping
        What config/comparisons/<key>.yaml has.

    Returns
    -------
    dict
        As in config/papers/<key>.yaml, and `comparison`: how the selectors are shown. Only `paper` fidelity tunes and
        times; the others run every selector with its own options.
    """
    selectors = {name: _selector(options) for name, options in entry["selectors"].items()}
    tuned = any("tune" in options for options in selectors.values())
    experiment = {
        "trials": entry["trials"],
        "data": {"split": {"kind": "stratified", "train": entry.get("train", 0.5)}, "normalise": ["standardise"]},
        "data_grid": {"source": entry["data_sets"]},
        "selectors": selectors,
        "evaluation": {"method": "common_curve", "sizes": entry["sizes"], **entry["classifier"]},
        "resources": {"chunk_size": 1000},
    }
    if tuned and "tuning" in entry:
        experiment["tuning"] = _full_only({**entry["tuning"], "metric": METRIC}, {})
    if "timing" in entry:
        experiment["timing"] = _full_only(entry["timing"], None)
    shown = {
        "labels": {name: options.get("label", name) for name, options in entry["selectors"].items()},
        "papers": {name: options["paper"] for name, options in entry["selectors"].items() if "paper" in options},
    }
    return {
        "title": entry["title"],
        "experiments": {EXPERIMENT: experiment},
        "figures": {
            FIGURE: {
                "title": "Mean ranks with their critical difference, and error against the number of features",
                "kind": "marginfs.results.figures.critical_difference:CRITICAL_DIFFERENCE",
                "experiment": EXPERIMENT,
                "options": shown,
            }
        },
        "comparison": {**shown, "stability_size": entry.get("stability_size", STABILITY_SIZE)},
    }


def in_own_words(message: str) -> str:
    """Name the keys of a comparison's file in a message about the experiment that was made of it.

    Parameters
    ----------
    message : str
        About the protocol of `comparison_protocol`.

    Returns
    -------
    str
        The same about the file.
    """
    inside = f"experiments.{EXPERIMENT}."
    for made, written in WRITTEN.items():
        message = message.replace(f"{inside}{made}", written)
    return message.replace(inside, "")


def _selector(options: Mapping[str, Any]) -> dict[str, Any]:
    """The entry as an experiment has it."""
    made = {key: value for key, value in options.items() if key not in SHOWN}
    return {**made, "tune": _full_only(made["tune"], {})} if "tune" in made else made


def _full_only(value: Any, otherwise: Any) -> dict[str, Any]:
    """A value of the full run alone."""
    return {"smoke": otherwise, "quick": otherwise, "paper": value}
