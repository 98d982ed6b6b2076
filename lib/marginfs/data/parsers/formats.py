"""The table of file formats, and the call of the parser that a source names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from marginfs.data.table import Records
from marginfs.lookup import by_name

PARSERS: Mapping[str, str] = {
    "delimited": "marginfs.data.parsers.delimited:delimited",
    "separate_labels": "marginfs.data.parsers.separate_labels:separate_labels",
    "princeton_colon": "marginfs.data.parsers.princeton_colon:princeton_colon",
    "r_data": "marginfs.data.parsers.r_data:r_data",
    "clustered_arrays": "marginfs.data.parsers.clustered_arrays:clustered_arrays",
    "australian_join": "marginfs.data.parsers.australian_join:australian_join",
    "faces": "marginfs.data.parsers.faces:faces",
}
"""Format -> its parser: (files, *, options) -> Records."""


def parse(files: Sequence[bytes], options: Mapping[str, Any]) -> Records:
    """Run a parser on the files of a source.

    Parameters
    ----------
    files : sequence of bytes
        The files' content, in the order of the source's places.
    options : mapping
        The key `parse` of config/datasets.yaml: `format` names the parser (`delimited` if left out), all else are its
        options.

    Returns
    -------
    Records
        Fields and labels as text; labels under the names that the data set's `classes` gives them.
    """
    arguments = dict(options)
    parser = by_name(PARSERS, "format", arguments.pop("format", "delimited"))
    records: Records = parser(list(files), **arguments)
    return records
