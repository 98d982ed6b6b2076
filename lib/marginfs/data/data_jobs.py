"""What the workflow's data jobs do, one function a rule: files in, files out. Unit jobs are in marginfs.study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from marginfs.data.card import card_csv, card_markdown, card_rows
from marginfs.data.catalogue import parse_spec
from marginfs.data.dataset import (
    Dataset,
    Provenance,
    load_dataset,
    load_provenance,
    save_dataset,
    save_provenance,
    unavailable,
)
from marginfs.data.generators.make_classification import make_classification
from marginfs.data.preparation.own_table import load_own
from marginfs.data.preparation.prepare import fetch_and_prepare
from marginfs.data.sources.obtain import NotObtainableError
from marginfs.data.table import expand_names
from marginfs.data.variants import split_variant
from marginfs.files import write_text


def prepare_data_set(
    variant: str,
    dataset_file: str | Path,
    provenance_file: str | Path,
    *,
    recipe: Mapping[str, Any],
    choices: Mapping[str, str] | None = None,
    mirror: str | Path | None = None,
    missing_data: Literal["skip", "fail"] = "skip",
) -> None:
    """Obtain and prepare one data set of the catalogue.

    Parameters
    ----------
    variant : str
        The data set, with what was chosen if anything was.
    dataset_file : path
        Where the data set is written.
    provenance_file : path
        Where it is written where the data set came from.
    recipe : mapping
        `DatasetSpec.recipe`.
    choices : mapping, optional
        The value of every choice.
    mirror : path, optional
        A folder of the user's that is searched first.
    missing_data : {"skip", "fail"}
        What to do if no source has it: write a stand-in that says so, or raise NotObtainableError.
    """
    spec = parse_spec(split_variant(variant)[0], recipe)
    try:
        dataset, provenance = fetch_and_prepare(spec, mirror=mirror, choices=choices)
    except NotObtainableError as error:
        if missing_data == "fail":
            raise
        dataset, provenance = unavailable(spec.name, str(error))
    save_dataset(dataset_file, replace(dataset, name=variant))
    save_provenance(provenance_file, replace(provenance, name=variant))


def prepare_own_table(dataset_file: str | Path, provenance_file: str | Path, **options: Any) -> None:
    """Read a user's own table.

    Parameters
    ----------
    dataset_file : path
        Where the data set is written.
    provenance_file : path
        Where it is written where the data set came from.
    **options
        Those of `load_own`.
    """
    dataset, provenance = load_own(**options)
    save_dataset(dataset_file, dataset)
    save_provenance(provenance_file, provenance)


def simulate_data_set(
    variant: str, dataset_file: str | Path, provenance_file: str | Path, *, title: str, call: Mapping[str, Any]
) -> None:
    """Draw one of the data sets that scikit-learn makes, so that unit jobs need not import it.

    Parameters
    ----------
    variant : str
        The data set, with what was chosen if anything was.
    dataset_file : path
        Where the data set is written.
    provenance_file : path
        Where it is written where the data set came from.
    title : str
        What it is.
    call : mapping
        The arguments of `make_classification`.
    """
    X, y = make_classification(**call)
    classes = np.unique(y)
    dataset = Dataset(
        name=variant,
        X=X,
        y=np.where(y == classes[1], 1, -1) if len(classes) == 2 else y,
        feature_names=expand_names("x{}", X.shape[1]),
        target_names=tuple(map(str, classes.tolist())),
        meta={"title": title, "missing": 0, "notes": []},
    )
    save_dataset(dataset_file, dataset)
    save_provenance(provenance_file, Provenance(name=variant, status="ok", source="simulated"))


def write_data_card(
    dataset_files: Sequence[str | Path],
    provenance_files: Sequence[str | Path],
    csv_file: str | Path,
    markdown_file: str | Path,
) -> None:
    """Write the data card of a run.

    Parameters
    ----------
    dataset_files : sequence of path
        The data sets.
    provenance_files : sequence of path
        Where each came from.
    csv_file : path
        Where the card is written as CSV.
    markdown_file : path
        Where it is written as Markdown.
    """
    pairs = zip(map(load_dataset, dataset_files), map(load_provenance, provenance_files), strict=True)
    rows = card_rows(pairs)
    write_text(csv_file, card_csv(rows))
    write_text(markdown_file, card_markdown(rows))
