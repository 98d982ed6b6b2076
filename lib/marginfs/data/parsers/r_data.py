"""Data sets that an R package carries as .rda."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import numpy as np

from marginfs.data.table import Records
from marginfs.errors import DataError


def r_data(
    files: Sequence[bytes], *, object: str, matrix: str, classes: str, labels: Mapping[str, str], decimals: int
) -> Records:
    """Read a list that holds a matrix and the class of each of its rows.

    Parameters
    ----------
    files : sequence of bytes
        One .rda file.
    object : str
        The name of the list in it.
    matrix, classes : str
        The names of the matrix and of the classes in the list.
    labels : mapping
        Class as R has it -> its name.
    decimals : int
        Digits behind the point that are kept; a 5 behind them is rounded to the even digit.

    Returns
    -------
    Records
        One row per row of the matrix.
    """
    import rdata

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the encoding of texts, which are not read
        try:
            found = rdata.conversion.convert(rdata.parser.parse_data(files[0]))
        except Exception as error:  # rdata has no exception of its own
            raise DataError(f"not an .rda file ({error}).") from None
    try:
        values, codes = (np.asarray(found[object][name]) for name in (matrix, classes))
    except KeyError as error:
        raise DataError(f"the file has no {object}${error.args[0]}.") from None
    return Records(
        fields=[[repr(float(value)) for value in row] for row in np.round(values, decimals)],
        labels=[labels[f"{value:g}"] for value in codes],
    )
