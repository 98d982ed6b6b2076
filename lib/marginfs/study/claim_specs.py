"""Claims of a paper as typed objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from marginfs.errors import ConfigError
from marginfs.study.protocol import Outline
from marginfs.study.scope import Scope

SIDE_KEYS = ("factor", "best", "by", "rank", "value")
"""What a side says beside the keys and values of its measures."""


@dataclass(frozen=True)
class Side:
    """One side of a comparison.

    Attributes
    ----------
    where : mapping
        Key -> value of the measures on this side; over a list of values the mean is taken.
    factor : float
        What they are multiplied by.
    best : tuple of str
        Keys whose values are those of the best point: that with the lowest mean of `by` over all splits.
    by : str
        The metric at step 0 that tells which point is best.
    rank : int
        Which point is meant: the best, the second best and so on.
    value : float or None
        A constant instead of measures.
    """

    where: Mapping[str, Any]
    factor: float = 1.0
    best: tuple[str, ...] = ()
    by: str = "least_cost"
    rank: int = 1
    value: float | None = None

    @classmethod
    def from_config(cls, mapping: Mapping[str, Any]) -> Side:
        """Build the side that a claims file describes.

        Parameters
        ----------
        mapping : mapping
            Keys and values, and what `SIDE_KEYS` lists among them.

        Returns
        -------
        Side
            The side.
        """
        own = {key: mapping[key] for key in SIDE_KEYS if key in mapping}
        own["best"] = tuple(mapping.get("best", ()))
        return cls({key: mapping[key] for key in mapping if key not in SIDE_KEYS}, **own)


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper that can be tested: the metric of `lower` is below that of `higher`.

    Attributes
    ----------
    id : str
        Its name.
    source : str
        Where the paper says it.
    statement : str
        What it says, in other words.
    experiments : tuple of str
        The experiments that test it; of several, each side names its own, and their splits have nothing in common.
    metric : str
        What is compared.
    lower : Side
        The side that is said to be lower.
    higher : Side
        The side that is said to be higher.
    at : mapping
        Key -> the values at each of which the claim is tested, or "all".
    over : tuple of str
        Keys over whose values the mean is taken before the test.
    some : bool
        Whether the claim asks for one of its points only.
    relative : bool
        Whether all measures of an experiment are divided by the mean of the higher side there, without its factor, so
        that experiments of different levels count alike in a mean over them.
    kind : {"test", "law"}
        A paired test over the common splits, or lower <= higher on every single split.
    overlap : float
        Test size over training size where the splits share data (the variance of the mean is then
        s^2 (1/k + overlap), Nadeau and Bengio's correction); 0 for splits that share none.
    tolerance : float
        By how much a law may be missed, relative to the higher side.
    """

    id: str
    source: str
    statement: str
    experiments: tuple[str, ...]
    metric: str
    lower: Side
    higher: Side
    at: Mapping[str, Any] = field(default_factory=dict)
    over: tuple[str, ...] = ()
    some: bool = False
    relative: bool = False
    kind: Literal["test", "law"] = "test"
    overlap: float = 0.0
    tolerance: float = 1e-9

    @classmethod
    def from_config(cls, mapping: Mapping[str, Any], where: str) -> Claim:
        """Build the claim that a claims file describes.

        Parameters
        ----------
        mapping : mapping
            What stands in the file, of the shape that its schema asks for.
        where : str
            The file, for messages.

        Returns
        -------
        Claim
            The claim; ConfigError where both its sides are the same.
        """
        named = mapping["experiment"]
        made = {
            **{key: value for key, value in mapping.items() if key != "experiment"},
            **{key: Side.from_config(mapping[key]) for key in ("lower", "higher")},
            "experiments": (named,) if isinstance(named, str) else tuple(named),
            "over": tuple(mapping.get("over", ())),
        }
        claim = cls(**made)
        if claim.lower == claim.higher:
            raise ConfigError(f"{where}: {claim.id}: both sides are the same, so that nothing is compared")
        return claim

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both sides.

        Returns
        -------
        tuple of Side
            The lower and the higher one.
        """
        return self.lower, self.higher

    @property
    def metrics(self) -> set[str]:
        """List what must have been measured.

        Returns
        -------
        set of str
            The metric that is compared, and those that tell the best points.
        """
        return {self.metric, *(side.by for side in self.sides if side.best)}

    @property
    def along_steps(self) -> bool:
        """Tell whether the claim is about curves.

        Returns
        -------
        bool
            Whether it says at which step it is tested, or takes the mean over steps.
        """
        return "step" in (*self.at, *self.over) or any("step" in side.where for side in self.sides)

    def check(self, outlines: Mapping[str, Outline], where: str) -> None:
        """Raise ConfigError where the claim refers to something that its experiment does not have.

        Parameters
        ----------
        outlines : mapping of str to Outline
            All experiments of the paper.
        where : str
            The file, for messages.
        """
        where = f"{where}: {self.id}"
        scope = Scope.of(self.experiments, outlines, f"{where}.experiment")
        scope.check_metric(self.metric, f"{where}.metric")
        for key in self.over:
            scope.check_key(key, f"{where}.over")
        for key, values in self.at.items():
            scope.check_key(key, f"{where}.at")
            if values == "all":
                continue
            if isinstance(values, str) or not isinstance(values, Sequence):
                raise ConfigError(f"{where}.at.{key} is {values!r}; write a list of values, or all")
            for value in values:
                scope.check_value(key, value, f"{where}.at.{key}")
        for name, side in (("lower", self.lower), ("higher", self.higher)):
            if side.value is None:
                self._check_side(side, outlines, f"{where}.{name}", name)

    def _check_side(self, side: Side, outlines: Mapping[str, Outline], where: str, name: str) -> None:
        own = side.where.get("experiment")
        scope = Scope.of([own] if own else self.experiments, outlines, f"{where}.experiment")
        if side.best:
            scope.check_metric(side.by, f"{where}.by")
        for key, value in side.where.items():
            scope.check_key(key, where)
            for one in value if isinstance(value, list) else [value]:
                scope.check_value(key, one, f"{where}.{key}")
        for key in side.best:
            scope.check_key(key, f"{where}.best")
        scope.check_fixed([*self.at, *side.where, *side.best, *self.over], where, remedy=name)
