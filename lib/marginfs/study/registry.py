"""Names used in config/papers/*.yaml, and the functions behind them, loaded only when somebody calls them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Annotated, Any, get_args, get_origin

from marginfs.errors import ConfigError
from marginfs.lookup import look_up
from marginfs.study.options import Option, check_name, options_of
from marginfs.study.reach import defines
from marginfs.types import NameOf, PathTo

SELECTORS: Mapping[str, str] = {
    "all_features": "marginfs.selectors.all_features:all_features",
    "ao_efs": "marginfs.selectors.ao_efs:ao_efs",
    "backward_elimination": "marginfs.selectors.backward_elimination:backward_elimination",
    "correlation": "marginfs.selectors.correlation:correlation",
    "estimator": "marginfs.selectors.any_estimator:any_estimator",
    "full_fs": "marginfs.selectors.full_fs:full_fs",
    "gaussian_svm": "marginfs.selectors.gaussian_svm:gaussian_svm",
    "gmkl": "marginfs.selectors.gmkl:gmkl",
    "hard_margin_svm": "marginfs.selectors.hard_margin_svm:hard_margin_svm",
    "kernel_elimination": "marginfs.selectors.margin_elimination:kernel_elimination",
    "margin_sharing_ao": "marginfs.selectors.margin_sharing_ao:margin_sharing_ao",
    "mfe": "marginfs.selectors.margin_elimination:mfe",
    "mutual_information": "marginfs.selectors.mutual_information:mutual_information",
    "random_ranking": "marginfs.selectors.random_ranking:random_ranking",
    "relief": "marginfs.selectors.relief:relief",
    "rfe_fixed": "marginfs.selectors.margin_elimination:rfe_fixed",
    "sfm": "marginfs.selectors.zero_norm:sfm",
    "simple_ao": "marginfs.selectors.simple_ao:simple_ao",
    "soft_sfm": "marginfs.selectors.soft_zero_norm:soft_sfm",
    "soft_weston": "marginfs.selectors.soft_zero_norm:soft_weston",
    "svm_rfe": "marginfs.selectors.svm_rfe:svm_rfe",
    "weston": "marginfs.selectors.zero_norm:weston",
}
"""Selector -> its function."""

EVALUATIONS: Mapping[str, str] = {
    "class_images": "marginfs.evaluation.class_images:class_images",
    "common_curve": "marginfs.evaluation.common_curve:common_curve",
    "hyperplane": "marginfs.evaluation.hyperplane:hyperplane",
    "kernel_machine": "marginfs.evaluation.kernel_machine:kernel_machine",
    "margin_curves": "marginfs.evaluation.margin_curves:margin_curves",
    "ranking_curve": "marginfs.evaluation.ranking_curve:ranking_curve",
    "relearned_machine": "marginfs.evaluation.relearned_machine:relearned_machine",
    "stop_estimate": "marginfs.evaluation.stop_estimate:stop_estimate",
    "top_features": "marginfs.evaluation.top_features:top_features",
    "tuned_curve": "marginfs.evaluation.tuned_curve:tuned_curve",
    "validation_phase": "marginfs.evaluation.validation_phase:validation_phase",
}
"""Evaluation -> its function."""


def path_of(name: str, table: Mapping[str, str], where: str, kind: str) -> str:
    """Find the function that a configuration names.

    Parameters
    ----------
    name : str
        A key of the table, or "package.module:function" for one of the user's own.
    table : mapping
        SELECTORS or EVALUATIONS.
    where : str
        The key of the configuration that holds the name.
    kind : str
        "selector" or "evaluation".

    Returns
    -------
    str
        As "module:function"; ConfigError where there is none.
    """
    path = loadable(name, table, where, kind)
    method = look_up(path)
    if not callable(method) or len(inspect.signature(method).parameters) < 2:
        raise ConfigError(f"{where} is {name!r}, which is no function of a {kind}; docs/architecture.md shows one")
    return path


def loadable(name: str, table: Mapping[str, str], where: str, kind: str) -> str:
    """Find what a configuration names, be it a function, a class or anything else.

    Parameters
    ----------
    name, table, where, kind : str, mapping, str, str
        As of `path_of`.

    Returns
    -------
    str
        As "module:name"; ConfigError where there is none.
    """
    if ":" not in str(name):
        check_name(name, table, where, kind)
        return table[name]
    try:
        look_up(name)
    except ModuleNotFoundError as error:
        raise ConfigError(f"{where} is {name!r}: {error}; is its folder on PYTHONPATH?") from None
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigError(f"{where} is {name!r}: {error}") from None
    return name


def entries_of(path: str, options: Mapping[str, Any]) -> list[str]:
    """List the entry points of a method for the hash of a job's source.

    Parameters
    ----------
    path : str
        The method, as "module:function".
    options : mapping
        What it is called with: an option that names a part of the method leads to that part alone.

    Returns
    -------
    list of str
        Functions and modules.
    """
    known = options_of(look_up(path)).values()
    tables = {option: _table(option) for option in known}
    parts = [table[options.get(option.name, option.default)] for option, table in tables.items() if table]
    parts += [options[option.name] for option in known if any(isinstance(e, PathTo) for e in _extras(option))]
    sweep = [f"{path}_sweep"] if defines(f"{path}_sweep") else []
    return [path, *sweep, *parts]


def _table(option: Option) -> Mapping[Any, str]:
    """The parts that an option chooses from."""
    return next((extra.table for extra in _extras(option) if isinstance(extra, NameOf)), {})


def _extras(option: Option) -> tuple[Any, ...]:
    """What the signature says of an option beside its type."""
    return get_args(option.type)[1:] if get_origin(option.type) is Annotated else ()
