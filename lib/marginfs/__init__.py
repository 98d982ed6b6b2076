"""SVM feature selection: the methods of five papers as scikit-learn estimators, over plain functions on numpy arrays.

The estimators named here load when they are asked for. The functions under them import neither scikit-learn nor pandas,
so that a workflow job starts in about half a second.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from marginfs.estimators.elimination_by_margin import MFE
    from marginfs.estimators.filters import Correlation, MutualInformation, Relief
    from marginfs.estimators.rfe import SVMRFE
    from marginfs.estimators.rfe_cv import SVMRFECV
    from marginfs.estimators.sparse_hyperplanes import SupportFeatureMachine, ZeroNormSVM
    from marginfs.estimators.weighted_kernels import AOEFS, GMKL, FullFS

__version__ = "0.2.0"
__all__ = [
    "AOEFS",
    "GMKL",
    "MFE",
    "SVMRFE",
    "SVMRFECV",
    "Correlation",
    "FullFS",
    "MutualInformation",
    "Relief",
    "SupportFeatureMachine",
    "ZeroNormSVM",
]

_MODULES = {
    "AOEFS": "weighted_kernels",
    "Correlation": "filters",
    "FullFS": "weighted_kernels",
    "GMKL": "weighted_kernels",
    "MFE": "elimination_by_margin",
    "MutualInformation": "filters",
    "Relief": "filters",
    "SVMRFE": "rfe",
    "SVMRFECV": "rfe_cv",
    "SupportFeatureMachine": "sparse_hyperplanes",
    "ZeroNormSVM": "sparse_hyperplanes",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'marginfs' has no attribute {name!r}")
    try:
        module = importlib.import_module(f"marginfs.estimators.{_MODULES[name]}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "sklearn":
            raise
        raise ImportError(f"marginfs.{name} is a scikit-learn estimator: pip install 'marginfs[sklearn]'") from None
    return getattr(module, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
