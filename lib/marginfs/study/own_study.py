"""A user's own table as a study: the protocol that config.yaml's few keys about it stand for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import yaml

from marginfs.data.preparation.own_table import load_own
from marginfs.errors import ConfigError
from marginfs.lookup import look_up
from marginfs.study.my_selectors import entry_of
from marginfs.study.options import options_of
from marginfs.study.registry import SELECTORS, path_of

MOST_ROWS = 10_000
"""A kernel matrix of 0.8 GB, and minutes for each training."""
FEWEST_ROWS = 4
"""Of a class in a training part: two folds leave two of them, a point and its neighbour."""
TABLE_KEYS = ("path", "target", "positive", "drop", "nominal", "missing", "multiclass", "sep")
"""What says how the file is read: the options of `marginfs.data.preparation.own_table.load_own`."""
TEXT_KEYS = tuple(key for key in TABLE_KEYS if key != "multiclass")
"""Names of files, columns and classes, which stay text even if they look like numbers."""
DEFAULTS: Mapping[str, Any] = {
    "trials": {"smoke": 2, "quick": 10, "paper": 100},
    "train": 0.67,
    "folds": {"smoke": 2, "quick": 5, "paper": 10},
    "classifier": {"kernel": "linear", "C": [0.01, 0.1, 1.0, 10.0, 100.0], "slack": "l2"},
}
ANY_CLASSES: Mapping[str, Mapping[str, Any]] = {
    "svm_rfe": {"method": "svm_rfe", "step": 0.1},
    "mutual_information": {"method": "mutual_information"},
    "relief": {"method": "relief"},
    "random": {"method": "random_ranking"},
}
"""The selectors for any number of classes, with options that suit data of which nothing is known."""
TWO_CLASSES: Mapping[str, Mapping[str, Any]] = {
    "rfe": {"method": "backward_elimination", "criterion": "w2", "order": "first", "step": 0.1},
    "correlation": {"method": "correlation"},
    "rfe_gaussian": {
        "method": "backward_elimination",
        "kernel": "gaussian",
        "sigma": 5.0,
        "order": "zero",
        "step": 0.1,
    },
    "mfe": {"method": "mfe", "at_zero": "soft"},
    "mfe_gaussian": {"method": "kernel_elimination", "at_zero": "soft"},
    "sfm": {"method": "soft_sfm"},
    "zero_norm": {"method": "soft_weston"},
    "ao_efs": {"method": "ao_efs", "mu": 1.0},
    "full_fs": {"method": "full_fs", "mu": 1.0},
    "gmkl": {"method": "gmkl", "mu": 1.0},
    **ANY_CLASSES,
}
"""The selectors for two classes, likewise; the first two are the default."""
CHOSEN = ("C", "sigma")
"""The options of the classifier that are chosen, of the values listed."""


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


def typed_entries(entries: Any, plain: Collection[str]) -> Any:
    """Read the numbers and truth values that Snakemake's --config leaves as text.

    Parameters
    ----------
    entries : mapping or None
        Name -> entry of `own_data` or `my_selectors`, as config.yaml or --config gives it.
    plain : collection of str
        Keys whose values stay text.

    Returns
    -------
    mapping
        The entries; what is no mapping is left to the schema.
    """
    if not isinstance(entries, Mapping):
        return entries or {}
    return {
        name: {key: value if key in plain else _typed(value) for key, value in entry.items()}
        if isinstance(entry, Mapping)
        else entry
        for name, entry in entries.items()
    }


def check_tables(own_data: Mapping[str, Mapping[str, Any]]) -> None:
    """Read every table, so that what is wrong with one, or too large, is said before any job starts.

    Parameters
    ----------
    own_data : mapping
        Name -> entry of config.yaml.
    """
    for name, entry in own_data.items():
        dataset, _ = load_own(name=name, **table_options(entry))
        rows = len(dataset.y)
        if rows > MOST_ROWS:
            raise ConfigError(
                f"config/config.yaml: own_data.{name}: {rows} rows, of which SVMs keep a matrix of rows x rows, "
                f"{8e-9 * rows**2:.0f} GB; give a sample of at most {MOST_ROWS} rows, or call marginfs.SVMRFE from "
                "Python, whose memory grows with rows x features"
            )
        _check_classes(name, dataset.class_counts(), entry.get("train", DEFAULTS["train"]))


def _check_classes(name: str, counts: Mapping[str, int], train: float) -> None:
    """Every class must have points in all folds of every training part."""
    if train >= 1 and train != int(train):
        raise ConfigError(
            f"config/config.yaml: own_data.{name}.train: found {train}; write a share such as 0.67, or a number of rows"
        )
    share = train if train < 1 else train / sum(counts.values())
    label, rows = min(counts.items(), key=lambda item: item[1])
    if share * rows < FEWEST_ROWS:
        raise ConfigError(
            f"config/config.yaml: own_data.{name}: {rows} rows are of the class '{label}', {share * rows:.1f} for "
            f"training, and C and the number of features are chosen by folds of these; give {FEWEST_ROWS} or more"
        )


def overlap_of(train: float, points: int) -> float:
    """Find how large the test part is beside the training part.

    Parameters
    ----------
    train : float
        Share or number of the training points.
    points : int
        Number of all points.

    Returns
    -------
    float
        Test size over training size.
    """
    size = train * points if train < 1 else float(train)
    return (points - size) / size


def own_protocol(name: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Make the protocol: `ranking` on repeated stratified splits, and `final` on all rows.

    In both, C and the number of features are chosen by inner folds of the training part, on which the features are
    ranked anew; a selector that has a C, and is given none, has that of the classifier.

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
    classifier = {**DEFAULTS["classifier"], **wanted["classifier"]}
    tried = {key: value if isinstance(value, list) else [value] for key, value in classifier.items() if key in CHOSEN}
    selectors = _selectors(name, entry, tried)
    study = {
        "selectors": selectors,
        "tuning": {"folds": wanted["folds"], "size": "one_standard_error", "ties": {"C": "smallest"}},
    }
    evaluation = {"method": "ranking_curve", **classifier, "tune": tried, "follows": ["size"]}
    evaluation = {key: value for key, value in evaluation.items() if key not in tried}
    split = {"kind": "stratified", "train": wanted["train"]}
    return {
        "title": f"own data {name}: {entry['path']}",
        "experiments": {
            "ranking": {
                "trials": wanted["trials"],
                "data": {"source": name, "split": split, "normalise": ["standardise"]},
                "evaluation": evaluation,
                **study,
            },
            "final": {
                "trials": 1,
                "data": {
                    "source": name,
                    "split": {"kind": "all_rows"},
                    "normalise": ["standardise"],
                },
                "evaluation": {**evaluation, "depth": None},
                **study,
            },
        },
        "figures": {
            "error": {
                "title": "test error against the number of features",
                "experiment": "ranking",
                "curves": {"by": "selector", "labels": {label: label for label in selectors}},
                "columns": [{"metric": "test_error", "label": "Test error (%)", "scale": 100}],
                "x": {"label": "Number of features", "log": True},
            }
        },
    }


def _selectors(name: str, entry: Mapping[str, Any], tried: Mapping[str, list[Any]]) -> dict[str, dict[str, Any]]:
    """The selectors to run: those that the user lists, all that can, or two; each with what it has to choose."""
    known = ANY_CLASSES if entry.get("multiclass") else TWO_CLASSES
    wanted = entry.get("selectors", {label: known[label] for label in list(known)[:2]})
    where = f"config/config.yaml: own_data.{name}.selectors"
    given = known if wanted == "all" else {label: entry_of(one, f"{where}.{label}") for label, one in wanted.items()}
    return {label: {**options, **_tune(options, tried)} for label, options in given.items()}


def _tune(options: Mapping[str, Any], tried: Mapping[str, list[Any]]) -> dict[str, Any]:
    """What is chosen of a selector's options: those that the classifier has too and the user does not set."""
    has = options_of(look_up(path_of(options["method"], SELECTORS, "selectors", "selector")))
    grid = {key: values for key, values in tried.items() if key in has and key not in options}
    return {"tune": grid, **({"sweep": "C"} if "C" in grid else {})} if grid else {}


def _typed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _typed(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_typed(part) for part in value]
    if not isinstance(value, str):
        return value
    read = yaml.safe_load(value) if value.strip() else value
    return read if isinstance(read, bool | int | float) else value
