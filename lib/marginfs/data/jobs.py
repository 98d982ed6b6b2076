"""What the workflow's data jobs call: one function per job, files in and files out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from marginfs.data.card import card_csv, card_markdown, card_rows
from marginfs.data.catalogue import load_catalogue
from marginfs.data.dataset import (
    Dataset,
    Provenance,
    load_dataset,
    load_provenance,
    save_dataset,
    save_provenance,
    unavailable,
)
from marginfs.data.fetch import NotObtainableError
from marginfs.data.generators import planas_classification
from marginfs.data.own import load_own
from marginfs.data.prepare import fetch_and_prepare
from marginfs.data.table import expand_names
from marginfs.errors import ConfigError
from marginfs.files import write_bytes


def fetch_job(
    name: str,
    dataset_file: str | Path,
    provenance_file: str | Path,
    *,
    catalogue: str | Path,
    mirror: str | Path | None = None,
    choices: Mapping[str, str] | None = None,
    on_missing: Literal["skip", "fail"] = "skip",
) -> None:
    """Obtain and prepare one data set; if no source has it, write the stand-in (`skip`) or fail (`fail`)."""
    specs = load_catalogue(catalogue)
    if name not in specs:
        raise ConfigError(f"dataset: found {name!r}; write one of {', '.join(specs)}.")
    try:
        dataset, provenance = fetch_and_prepare(specs[name], mirror=mirror, choices=choices)
    except NotObtainableError as error:
        if on_missing == "fail":
            raise
        dataset, provenance = unavailable(name, str(error))
    save_dataset(dataset_file, dataset)
    save_provenance(provenance_file, provenance)


def own_job(dataset_file: str | Path, provenance_file: str | Path, **options: Any) -> None:
    """Read a user's own table (the options of `load_own`) and write it as a prepared data set."""
    dataset, provenance = load_own(**options)
    save_dataset(dataset_file, dataset)
    save_provenance(provenance_file, provenance)


def simulated_job(name: str, dataset_file: str | Path, provenance_file: str | Path, **changes: Any) -> None:
    """Make one of paper D's simulated data sets and write it as a prepared one, so that unit jobs need no sklearn."""
    X, y = planas_classification(name, **changes)
    classes = np.unique(y)
    dataset = Dataset(
        name=name,
        X=X,
        y=np.where(y == classes[1], 1, -1) if len(classes) == 2 else y,
        feature_names=expand_names("x{}", X.shape[1]),
        target_names=tuple(map(str, classes.tolist())),
        meta={"title": f"make_classification, {name}", "missing": 0, "notes": []},
    )
    save_dataset(dataset_file, dataset)
    save_provenance(provenance_file, Provenance(name=name, status="ok", source="simulated"))


def card_job(
    dataset_files: Sequence[str | Path],
    provenance_files: Sequence[str | Path],
    csv_file: str | Path,
    markdown_file: str | Path,
) -> None:
    """Write the data card of a run: one line for each data set, those that are missing with the reason."""
    pairs = [
        (load_dataset(dataset), load_provenance(provenance))
        for dataset, provenance in zip(dataset_files, provenance_files, strict=True)
    ]
    rows = card_rows(pairs)
    write_bytes(csv_file, card_csv(rows).encode())
    write_bytes(markdown_file, card_markdown(rows).encode())
