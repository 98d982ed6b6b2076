"""A project with one more paper, which uses everything that a protocol can say."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import yaml

from conftest import Project

HERE = Path(__file__).parent
TOY = ("--config", "fidelity=smoke", "papers=toy2026", "mirror=mirror")


def add_toy_paper(project: Project) -> Project:
    """Add the paper, its published numbers and claims, and a data set of three classes."""
    config = project.folder / "config"
    shutil.copy(HERE / "toy_paper" / "toy2026.yaml", config / "papers" / "toy2026.yaml")
    shutil.copy(HERE / "toy_paper" / "published.csv", config / "published" / "toy2026.csv")
    shutil.copy(HERE / "toy_paper" / "claims.yaml", config / "claims" / "toy2026.yaml")
    entry = {
        "title": "Shapes",
        "citation": "drawn in the tests",
        "licence": "none",
        "papers": ["toy2026"],
        "shape": [60, 6],
        "classes": {"circle": 20, "square": 20, "star": 20},
        "names": "x{}",
        "sha256": None,
        "sources": [{"mirror": "shapes.csv"}],
    }
    catalogue = yaml.safe_load((config / "datasets.yaml").read_text())
    catalogue["datasets"]["shapes"] = entry
    (config / "datasets.yaml").write_text(yaml.safe_dump(catalogue, sort_keys=False))
    rng = np.random.default_rng(3)
    labels = np.arange(60) % 3
    X = rng.standard_normal((60, 6)).round(6)
    X[:, 0] += 5.0 * (labels == 0)
    X[:, 1] += 5.0 * (labels == 1)
    names = list(entry["classes"])
    (project.folder / "mirror").mkdir()
    lines = [",".join([*(f"{value:.6f}" for value in row), names[label]]) for row, label in zip(X, labels, strict=True)]
    (project.folder / "mirror" / "shapes.csv").write_text("\n".join(lines) + "\n")
    return project
