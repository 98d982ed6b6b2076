"""What one table, figure or claim can refer to: the keys, values and metrics of the experiments that it names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from marginfs.errors import ConfigError
from marginfs.study.options import hint
from marginfs.study.protocol import Outline


@dataclass(frozen=True)
class Scope:
    """The experiments behind an artefact, by name.

    Attributes
    ----------
    experiments : mapping of str to Outline
        What each of them varies and measures.
    """

    experiments: Mapping[str, Outline]

    @classmethod
    def of(cls, names: Iterable[str], outlines: Mapping[str, Outline], where: str) -> Scope:
        """Look up the experiments that an artefact names.

        Parameters
        ----------
        names : iterable of str
            Their names.
        outlines : mapping of str to Outline
            All experiments of the paper.
        where : str
            The key that names them, for the message.

        Returns
        -------
        Scope
            What may be referred to; ConfigError where an experiment does not exist.
        """
        found = {}
        for name in names:
            if name not in outlines:
                raise ConfigError(f"{where}: no experiment is called '{name}'{hint(name, outlines)}")
            found[name] = outlines[name]
        return cls(found)

    def check_metric(self, name: str, where: str, *, derived: Iterable[str] = ()) -> None:
        """Raise ConfigError unless every experiment measures `name`.

        Parameters
        ----------
        name : str
            The metric.
        where : str
            The key that names it, for the message.
        derived : iterable of str
            Metrics that the artefact itself derives.
        """
        for experiment, outline in self.experiments.items():
            known = {*outline.metrics, *derived}
            if name not in known:
                raise ConfigError(f"{where}: experiment '{experiment}' has no metric '{name}'{hint(name, known)}")

    def check_key(self, key: str, where: str, *, also: Iterable[str] = ()) -> None:
        """Raise ConfigError unless every experiment has something called `key` to tell its numbers apart by.

        Parameters
        ----------
        key : str
            A key of the grids, `selector`, `step` or `experiment`.
        where : str
            The key that names it, for the message.
        also : iterable of str
            Further names that this place allows.
        """
        for outline in self.experiments.values():
            known = {"experiment", "selector", "step", *outline.keys, *also}
            if key not in known:
                raise ConfigError(f"{where}: nothing is called '{key}'{hint(key, known)}")

    def values(self, key: str) -> tuple[Any, ...] | None:
        """List what `key` can be in any of the experiments.

        Parameters
        ----------
        key : str
            A key that `check_key` allows.

        Returns
        -------
        tuple or None
            The values; None for steps, of which only the evaluation knows.
        """
        if key == "step":
            return None
        if key == "experiment":
            return tuple(self.experiments)
        outlines = self.experiments.values()
        lists = [outline.selectors if key == "selector" else outline.keys.get(key, ()) for outline in outlines]
        return tuple(dict.fromkeys(value for values in lists for value in values))

    def check_value(self, key: str, value: Any, where: str) -> None:
        """Raise ConfigError unless `key` takes the value `value` in one of the experiments.

        Parameters
        ----------
        key : str
            A key that `check_key` allows.
        value : Any
            What the artefact shows of it.
        where : str
            The key that names the value, for the message.
        """
        known = self.values(key)
        if known is None:
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise ConfigError(f"{where}: a step is a whole number from 0; found {value!r}")
        elif value not in known:
            raise ConfigError(f"{where}: '{key}' is never {value!r}{hint(str(value), map(str, known))}")

    def check_fixed(self, keys: Iterable[str], where: str, remedy: str = "at") -> None:
        """Raise ConfigError where a key varies that nothing shows or fixes: its values would be mixed in silence.

        Parameters
        ----------
        keys : iterable of str
            What the artefact goes by or fixes.
        where : str
            The artefact, for the message.
        remedy : str
            The key under which a value can be fixed.
        """
        told = set(keys)
        for name, outline in self.experiments.items():
            varying = {"selector": outline.selectors, **outline.keys}
            for key, values in varying.items():
                if len(values) > 1 and key not in told:
                    raise ConfigError(
                        f"{where}: experiment '{name}' varies '{key}', which is neither shown nor fixed; "
                        f"write {remedy}: {{{key}: {values[0]}}}"
                    )
        if len(self.experiments) > 1 and "experiment" not in told:
            raise ConfigError(f"{where}: the experiments {', '.join(self.experiments)} are told apart by no axis")
