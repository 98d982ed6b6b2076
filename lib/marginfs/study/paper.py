"""One paper's protocol, as its files give it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from marginfs.study.experiments import experiment_from, sharing_experiment
from marginfs.study.options import check_name
from marginfs.study.protocol import Experiment


@dataclass(frozen=True)
class Paper:
    """One paper's protocol.

    Attributes
    ----------
    key : str
        The paper's key, or the name of the user's own data.
    protocol : mapping
        config/papers/<key>.yaml.
    claims : list of mapping
        config/claims/<key>.yaml.
    where : str
        The file, or the key of config.yaml, that the protocol comes from.
    """

    key: str
    protocol: Mapping[str, Any]
    claims: list[Mapping[str, Any]]
    where: str

    @property
    def defaults(self) -> dict[str, Any]:
        """Choice -> its default value."""
        return {name: choice["value"] for name, choice in self.protocol.get("choices", {}).items()}

    def artefacts(self, kind: str) -> list[str]:
        """List the ids of the paper's tables or figures.

        Parameters
        ----------
        kind : {"tables", "figures"}
            Which.

        Returns
        -------
        list of str
            Their ids.
        """
        return list(self.protocol.get(kind, {}))

    def experiment(self, name: str, fidelity: str, seed: int, choices: Mapping[str, Any]) -> Experiment:
        """Make one of its experiments.

        Parameters
        ----------
        name : str
            Name of the experiment.
        fidelity : str
            One of the fidelities.
        seed : int
            The master seed.
        choices : mapping
            Choice -> its value.

        Returns
        -------
        Experiment
            With every value resolved.
        """
        spec, where = self.protocol["experiments"][name], f"{self.where}: experiments.{name}"
        if "shares" in spec:
            other = spec["shares"]["experiment"]
            running = [key for key, entry in self.protocol["experiments"].items() if "shares" not in entry]
            check_name(other, running, f"{where}.shares.experiment", "experiment")
            base = self.experiment(other, fidelity, seed, choices)
            return sharing_experiment(spec, base, fidelity=fidelity, choices=choices, where=where)
        return experiment_from(
            spec, paper=self.key, name=name, seed=seed, fidelity=fidelity, choices=choices, where=where
        )
