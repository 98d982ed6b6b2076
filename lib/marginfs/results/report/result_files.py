"""Where the results of one paper are: in the folder of a run, or among the reference runs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from marginfs.results.pieces import PROVENANCE


@dataclass(frozen=True)
class ResultFiles:
    """The files of one paper; any of them may be missing.

    Attributes
    ----------
    tables, figures : Path
        The folders of table_<id>.csv and figure_<id>.png.
    claims, provenance : Path
        The files.
    """

    tables: Path
    figures: Path
    claims: Path
    provenance: Path

    @classmethod
    def of_run(cls, folder: str | Path, paper: str) -> ResultFiles:
        """Find the results of a paper in the folder of a run.

        Parameters
        ----------
        folder : path
            results/<run>.
        paper : str
            The paper's key.

        Returns
        -------
        ResultFiles
            Where they are.
        """
        root = Path(folder)
        return cls(
            root / "tables" / paper,
            root / "figures" / paper,
            root / "claims" / f"{paper}.csv",
            root / "provenance" / f"{paper}.json",
        )

    @classmethod
    def of_reference(cls, folder: str | Path, paper: str) -> ResultFiles:
        """Find the published results of a paper's full run.

        Parameters
        ----------
        folder : path
            results/reference.
        paper : str
            The paper's key.

        Returns
        -------
        ResultFiles
            Where they are.
        """
        root = Path(folder) / paper
        return cls(root, root, root / "claims.csv", root / PROVENANCE)

    @property
    def exist(self) -> bool:
        """Whether the paper's results were completed."""
        return self.provenance.exists()

    def table(self, number: str) -> pd.DataFrame | None:
        """Read the cells of a table.

        Parameters
        ----------
        number : str
            Its number.

        Returns
        -------
        pandas.DataFrame or None
            None where the table was not made.
        """
        path = self.tables / f"table_{number}.csv"
        return pd.read_csv(path, dtype={"row": str, "column": str}) if path.exists() else None

    def figure(self, number: str) -> Path | None:
        """Find the picture of a figure.

        Parameters
        ----------
        number : str
            Its number.

        Returns
        -------
        Path or None
            None where the figure was not made.
        """
        path = self.figures / f"figure_{number}.png"
        return path if path.exists() else None

    def claim_points(self) -> pd.DataFrame | None:
        """Read the points at which claims were tested.

        Returns
        -------
        pandas.DataFrame or None
            None where no claim was tested.
        """
        return pd.read_csv(self.claims, dtype={"at": str}).fillna({"at": ""}) if self.claims.exists() else None

    def record(self) -> dict[str, Any]:
        """Read what the results were made with.

        Returns
        -------
        dict
            The provenance; empty where there is none.
        """
        return dict(json.loads(self.provenance.read_text(encoding="utf-8"))) if self.exist else {}
