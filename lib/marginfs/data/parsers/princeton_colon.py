"""The web pages on which the colon data were published."""

from __future__ import annotations

import re
from collections.abc import Sequence

from marginfs.data.parsers.text import decode
from marginfs.data.table import Records
from marginfs.errors import DataError

_NUMBER = r"(?<![\w.+-])[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?(?![\w.])"


def princeton_colon(files: Sequence[bytes]) -> Records:
    """Read a matrix of genes x tissues and the list of tissues, where a minus sign marks a tumour.

    Parameters
    ----------
    files : sequence of bytes
        The page of the matrix and the page of the tissues.

    Returns
    -------
    Records
        One row a tissue, labels `tumour` and `normal`.
    """
    matrix, tissues = (re.findall(_NUMBER, re.sub(r"<[^>]*>", " ", decode(page))) for page in files)
    if not tissues or not matrix or len(matrix) % len(tissues):
        raise DataError(f"found {len(matrix)} numbers for {len(tissues)} tissues.")
    samples = [matrix[i :: len(tissues)] for i in range(len(tissues))]
    return Records(fields=samples, labels=["tumour" if sign.startswith("-") else "normal" for sign in tissues])
