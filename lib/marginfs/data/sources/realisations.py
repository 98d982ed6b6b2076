"""The splits of the IDA benchmark that rakotomamonjy2003 uses, as row numbers of the verified data.

The benchmark publishes each realisation as numbers scaled column by column, with means and deviations that are not
always those of the data. Scaling keeps the order, so a value is known by its rank among the different values of its
column, and a row by its ranks and label; rows that are equal in both are interchangeable. A realisation counts only if
its training and test rows use every row of the data exactly once, and the first ten must be those that are known.
"""

from __future__ import annotations

import hashlib
import io
from collections import defaultdict
from pathlib import Path

import numpy as np

from marginfs.data.catalogue import DatasetSpec, Source
from marginfs.data.dataset import NO_SPLITS, npz_bytes
from marginfs.data.sources.cache import cache_folder, exclusive
from marginfs.data.sources.download import Patience
from marginfs.data.sources.source_files import read_source
from marginfs.data.table import Table
from marginfs.errors import DataError
from marginfs.files import write_bytes
from marginfs.types import FloatArray, IntArray

Pair = tuple[IntArray, IntArray]
Key = tuple[int, ...]


class RowFinder:
    """Finds the rows of a rescaled, reordered copy of a table.

    Parameters
    ----------
    table : Table
        The verified data.
    positive : str
        The class whose sign is +1.
    """

    def __init__(self, table: Table, positive: str) -> None:
        self.size = len(table.X)
        self.rows: dict[Key, list[int]] = defaultdict(list)
        signs = np.where(np.array(table.labels) == positive, 1.0, -1.0)
        keys = self._keys(table.X, signs)
        for i, key in enumerate(keys):
            self.rows[key].append(i)
        self.first = np.array([self.rows[key][0] for key in keys])

    def find(self, values: FloatArray, signs: FloatArray) -> IntArray:
        """Find the row number of each row of a complete copy.

        Parameters
        ----------
        values : ndarray of shape (n, d)
            The copy.
        signs : ndarray of shape (n,)
            Its labels, -1 and +1.

        Returns
        -------
        ndarray of int
            Row numbers, none twice; DataError if a row has no partner.
        """
        left = {key: list(rows) for key, rows in self.rows.items()}
        found = [left[key].pop(0) if left.get(key) else -1 for key in self._keys(values, signs)]
        if -1 in found:
            raise DataError(f"row {found.index(-1) + 1} of the realisation is not in the data.")
        return np.array(found, dtype=np.int64)

    def digest(self, rows: IntArray) -> str:
        """Digest of sets of rows, whatever their order and whichever of equal rows they hold.

        Parameters
        ----------
        rows : ndarray of int of shape (k, m)
            The sets.

        Returns
        -------
        str
            SHA-256 in hexadecimal digits.
        """
        return hashlib.sha256(np.sort(self.first[rows], axis=1).astype("<i8").tobytes()).hexdigest()

    @staticmethod
    def _keys(values: FloatArray, signs: FloatArray) -> list[Key]:
        ranks = np.column_stack([np.unique(column, return_inverse=True)[1] for column in (*values.T, signs)])
        return [tuple(row) for row in ranks.tolist()]


def obtain_realisations(
    spec: DatasetSpec,
    table: Table,
    *,
    mirror: str | Path | None = None,
    cache: str | Path | None = None,
    patience: Patience | None = None,
) -> tuple[Pair, str, list[str]]:
    """Get the published splits of a data set.

    Parameters
    ----------
    spec : DatasetSpec
        What the catalogue says of them.
    table : Table
        The verified data.
    mirror : path, optional
        A folder of the user's that is searched first.
    cache : path, optional
        The cache folder; the user's own if left out.
    patience : Patience, optional
        How long to wait for servers.

    Returns
    -------
    splits : pair of ndarray
        Training and test rows, one realisation a row; empty if no source gives them: then splits of the same sizes
        are drawn, and the data card says so.
    source : str
        Where they came from.
    failures : list of str
        One line for each source that failed.
    """
    none = (NO_SPLITS, NO_SPLITS)
    if spec.realisations is None:
        return none, "", []
    finder = RowFinder(table, list(spec.classes)[1])
    folder = Path(cache) if cache is not None else cache_folder()
    failures: list[str] = []
    for source in spec.realisations.sources:
        try:
            if source.kind == "mirror" and mirror is None:
                continue
            if source.kind == "mirror" and not source.places[0].endswith(".mat"):
                pair = from_text_files(Path(str(mirror)) / source.places[0], spec.realisations.benchmark, finder)
            elif source.kind == "mirror":
                file = Path(str(mirror)) / source.places[0]
                pair = read_matlab(_content(file), spec.realisations.benchmark, finder)
            else:
                pair = from_matlab(source, spec, finder, folder, patience or Patience())
            _check_partition(pair, len(table.X), spec.realisations.train)
            _check_first_ten(pair, finder, spec.realisations.first_ten)
            return pair, str(source), failures
        except (DataError, ImportError) as error:
            failures.append(f"{source}: {error}")
    return none, "", failures


def from_text_files(folder: Path, benchmark: str, finder: RowFinder) -> Pair:
    """Read realisations 1, 2, ... from `<benchmark>_{train,test}_{data,labels}_<i>.asc` until one is absent.

    Parameters
    ----------
    folder : Path
        Where the files are.
    benchmark : str
        The benchmark's name of the data set.
    finder : RowFinder
        Finds their rows in the data.

    Returns
    -------
    pair of ndarray
        Training and test rows, one realisation a row.
    """
    pairs: list[tuple[IntArray, IntArray]] = []
    while (folder / f"{benchmark}_train_data_{len(pairs) + 1}.asc").exists():
        i = len(pairs) + 1
        try:
            data, signs = (
                [np.loadtxt(folder / f"{benchmark}_{part}_{kind}_{i}.asc") for part in ("train", "test")]
                for kind in ("data", "labels")
            )
        except (OSError, ValueError) as error:
            raise DataError(f"realisation {i}: {str(error).splitlines()[0]}") from None
        rows = finder.find(np.vstack(data), np.concatenate(signs))
        pairs.append((rows[: len(data[0])], rows[len(data[0]) :]))
    if not pairs:
        raise DataError(f"{folder}: holds no {benchmark}_train_data_1.asc.")
    return np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs])


def from_matlab(source: Source, spec: DatasetSpec, finder: RowFinder, cache: Path, patience: Patience) -> Pair:
    """Fetch the benchmark's MATLAB file and read all its realisations.

    Parameters
    ----------
    source : Source
        Where the file is.
    spec : DatasetSpec
        The data set; the file's entry has its benchmark name.
    finder : RowFinder
        Finds the file's rows in the data.
    cache : Path
        The cache folder, which keeps the result under a name with the digests of the data and of the file.
    patience : Patience
        How long to wait for the server.

    Returns
    -------
    pair of ndarray
        Training and test rows, one realisation a row.
    """
    if spec.realisations is None:
        raise DataError(f"{spec.name}: no realisations are listed.")
    folder, stem = cache / "tables", f"{spec.name}-{(spec.sha256 or 'unhashed')[:16]}-realisations"
    with exclusive(folder / f"{stem}.lock"):
        for place in sorted(folder.glob(f"{stem}-*.npz")):
            content = place.read_bytes()
            if place.stem.endswith(hashlib.sha256(content).hexdigest()):
                with np.load(io.BytesIO(content), allow_pickle=False) as npz:
                    return npz["train"], npz["test"]
            place.unlink()
        files = read_source(source, mirror=None, cache=cache, patience=patience)
        pair = read_matlab(files[0], spec.realisations.benchmark, finder)
        _check_partition(pair, finder.size, spec.realisations.train)
        content = npz_bytes({"train": pair[0], "test": pair[1]})
        write_bytes(folder / f"{stem}-{hashlib.sha256(content).hexdigest()}.npz", content)
        return pair


def read_matlab(content: bytes, benchmark: str, finder: RowFinder) -> Pair:
    """Read all realisations from the benchmark's MATLAB file: x, t, and row numbers from 1 in `train` and `test`.

    Parameters
    ----------
    content : bytes
        The file.
    benchmark : str
        The benchmark's name of the data set.
    finder : RowFinder
        Finds the file's rows in the data.

    Returns
    -------
    pair of ndarray
        Training and test rows, one realisation a row.
    """
    from scipy.io import loadmat

    key = benchmark.replace("-", "_")
    try:
        entry = loadmat(io.BytesIO(content), squeeze_me=True)[key]
        x, t, train, test = (np.asarray(entry[field].item(), dtype=np.float64) for field in ("x", "t", "train", "test"))
        rows = finder.find(x, t)
        return rows[train.astype(np.int64) - 1], rows[test.astype(np.int64) - 1]
    except DataError:
        raise
    except Exception as error:
        raise DataError(f"the MATLAB file has no readable entry {key} ({error}).") from None


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise DataError(f"{file}: {(error.strerror or str(error)).lower()}.") from None


def _check_partition(pair: Pair, n: int, train: int) -> None:
    """Check that every realisation uses each of the n rows once, with the size that the catalogue gives."""
    whole = np.sort(np.hstack(pair), axis=1)
    if pair[0].shape[1] != train or not np.array_equal(whole, np.tile(np.arange(n), (len(whole), 1))):
        raise DataError(f"a realisation is not a split of the {n} rows into {train} and {n - train}.")


def _check_first_ten(pair: Pair, finder: RowFinder, known: str | None) -> None:
    """Check realisations 1 to 10 against the known ones, as far as there are ten."""
    first = pair[0][:10]
    if known and len(first) == 10 and finder.digest(first) != known:
        raise DataError("realisations 1 to 10 are not those of the benchmark: their training parts hold other rows.")
