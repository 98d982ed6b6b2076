"""A unit job's parameters, which Snakemake hands over in plain values, as objects again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from marginfs.data.load import Prepared
from marginfs.study.protocol import Evaluation, Plan, Selector, Tuning

FILES = "files"
"""Beside the plan's own values: the names of the data sets, in the order of the job's input files."""


def plan_from(values: Mapping[str, Any]) -> Plan:
    """Make the plan of an experiment.

    Parameters
    ----------
    values : mapping
        The plan's values, and `files`.

    Returns
    -------
    Plan
        What the units are.
    """
    return Plan(**{key: value for key, value in values.items() if key != FILES})


def prepared_from(values: Mapping[str, Any], paths: Sequence[str]) -> Prepared:
    """Open the data sets of a job.

    Parameters
    ----------
    values : mapping
        The plan's values, and `files`.
    paths : sequence of str
        The job's input files.

    Returns
    -------
    Prepared
        Data set -> its content, read when it is asked for.
    """
    return Prepared(dict(zip(values[FILES], paths, strict=True)))


def selector_from(values: Mapping[str, Any]) -> Selector:
    """Make the selector of a job.

    Parameters
    ----------
    values : mapping
        Its values.

    Returns
    -------
    Selector
        With its tuning, if any.
    """
    tuning = values["tuning"]
    return Selector(**{**values, "tuning": Tuning(**tuning) if tuning else None})


def evaluation_from(values: Mapping[str, Any]) -> Evaluation:
    """Make the evaluation of a job.

    Parameters
    ----------
    values : mapping
        Its values.

    Returns
    -------
    Evaluation
        What to measure.
    """
    return Evaluation(**values)
