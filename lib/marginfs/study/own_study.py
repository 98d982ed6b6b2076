"""A user's own table as a study: the protocol that config.yaml's few keys about it stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

TABLE_KEYS = ("path", "target", "positive", "drop", "nominal", "missing", "sep")
"""What says how the file is read: the options of `marginfs.data.preparation.own_table.load_own`."""
DEFAULTS: Mapping[str, Any] = {
    "trials": {"smoke": 2, "quick": 10, "paper": 100},
    "train": 0.67,
    "classifier": {"kernel": "linear", "C": 1.0, "slack": "l2"},
    "selectors": {
        "rfe": {"method": "backward_elimination", "criterion": "w2", "order": "first", "C": 1.0, "step": 0.1},
        "correlation": {"method": "correlation"},
    },
}


def table_options(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Take the part of an entry that says how to read the file.

    Parameters
    ----------
    entry : mapping
        What config.yaml has under own_data.<name>.

    Returns
    -------
    dict
        Its keys that are among TABLE_KEYS.
    """
    return {key: entry[key] for key in TABLE_KEYS if key in entry}


def own_protocol(name: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Make the protocol of repeated stratified splits: rank the features, train an SVM on more and more of the best.

    Parameters
    ----------
    name : str
        What the user calls the data.
    entry : mapping
        What config.yaml has under own_data.<name>.

    Returns
    -------
    dict
        As in config/papers/<key>.yaml.
    """
    wanted = {**DEFAULTS, **entry}
    return {
        "title": f"own data {name}: {entry['path']}",
        "experiments": {
            "ranking": {
                "trials": wanted["trials"],
                "data": {
                    "source": name,
                    "split": {"kind": "stratified", "train": wanted["train"]},
                    "normalise": ["standardise"],
                },
                "selectors": wanted["selectors"],
                "evaluation": {"method": "ranking_curve", **wanted["classifier"]},
            }
        },
        "figures": {
            "error": {
                "title": f"{name}: test error against the number of features",
                "experiment": "ranking",
                "curves": {"by": "selector", "labels": {label: label for label in wanted["selectors"]}},
                "columns": [{"metric": "test_error", "label": "Test error (%)", "scale": 100}],
                "x": {"label": "Number of features", "log": True},
            }
        },
    }
