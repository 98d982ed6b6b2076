"""The FEI faces that a user supplies: a list of image files with their class, and the images."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import numpy as np

from marginfs.data.table import Records
from marginfs.errors import DataError


def read_labels(content: bytes) -> list[dict[str, str]]:
    """Read the list of images.

    Parameters
    ----------
    content : bytes
        A CSV file with the columns `file` and `gender`.

    Returns
    -------
    list of dict
        Its rows.
    """
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig", errors="replace"))))
    if not rows or not {"file", "gender"} <= rows[0].keys():
        raise DataError(
            "labels.csv: found no columns file and gender; write one line per image, for example 1a.jpg,male."
        )
    return rows


def faces(files: Sequence[bytes], *, height: int = 18, width: int = 15) -> Records:
    """Scale each image down to grey values, means over boxes, read line by line (tayal2014, section 5.1.2).

    Parameters
    ----------
    files : sequence of bytes
        The list of images, then each image.
    height : int
        Lines of the small image.
    width : int
        Columns of the small image.

    Returns
    -------
    Records
        One row an image, labelled by gender.
    """
    from PIL import Image, UnidentifiedImageError

    rows = read_labels(files[0])
    fields: list[list[str]] = []
    for row, content in zip(rows, files[1:], strict=True):
        try:
            image = Image.open(io.BytesIO(content)).convert("L")
        except (UnidentifiedImageError, OSError):
            raise DataError(f"{row['file']}: not an image that Pillow can read.") from None
        small = np.asarray(image.resize((width, height), Image.Resampling.BOX), dtype=np.int64)
        fields.append([str(value) for value in small.ravel().tolist()])
    return Records(fields=fields, labels=[row["gender"].strip().lower() for row in rows])
