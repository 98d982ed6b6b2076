"""scikit-learn's make_classification as planas2021 uses it: a large draw of which the first rows are kept."""

from __future__ import annotations

import numpy as np

from marginfs.types import FloatArray, IntArray


def make_classification(
    *,
    n_samples: int,
    n_features: int,
    n_informative: int,
    random_state: int,
    n_redundant: int = 2,
    n_repeated: int = 0,
    n_classes: int = 2,
    n_clusters_per_class: int = 2,
    flip_y: float = 0.01,
    class_sep: float = 1.0,
    rows: int | None = None,
) -> tuple[FloatArray, IntArray]:
    """Draw Gaussian clusters on the vertices of a hypercube and keep the first rows.

    All options but `rows` are scikit-learn's, with its defaults. Importing scikit-learn takes longer than most unit
    jobs, so the draw is made by a job of its own.

    Parameters
    ----------
    n_samples : int
        Points drawn; another number gives another draw, not a longer one.
    n_features : int
        Number of columns; those that are neither informative, redundant nor repeated are noise.
    n_informative : int
        Columns in which the clusters lie.
    random_state : int
        The seed.
    n_redundant : int
        Columns that are linear combinations of informative ones.
    n_repeated : int
        Columns that are copies.
    n_classes : int
        Number of classes.
    n_clusters_per_class : int
        Number of clusters of each class.
    flip_y : float
        Share of the points whose label is drawn at random.
    class_sep : float
        Half the side of the hypercube.
    rows : int, optional
        How many of the points to keep; all of them if left out.

    Returns
    -------
    X : ndarray of shape (rows, n_features)
        The points, columns in random order.
    y : ndarray of int
        Labels 0, 1, 2, ...
    """
    from sklearn import datasets

    X, y = datasets.make_classification(
        n_samples=n_samples,
        n_features=n_features,
        n_informative=n_informative,
        n_redundant=n_redundant,
        n_repeated=n_repeated,
        n_classes=n_classes,
        n_clusters_per_class=n_clusters_per_class,
        flip_y=flip_y,
        class_sep=class_sep,
        random_state=random_state,
    )
    return X[:rows], y[:rows].astype(np.int64)
