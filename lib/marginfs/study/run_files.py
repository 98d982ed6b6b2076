"""What a whole run makes, and what stands behind its tables, figures, claims and reports: files by their names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from marginfs.study.artefacts import experiments_of
from marginfs.study.claim_specs import Claim
from marginfs.study.comparison_study import EXPERIMENT
from marginfs.study.runs import run_name
from marginfs.study.study import Study
from marginfs.study.table_specs import TIMING_METRIC
from marginfs.study.unit_files import Wildcards


@dataclass(frozen=True)
class RunFiles:
    """The files of a run; methods that take wildcards are input functions of Snakemake's rules.

    Attributes
    ----------
    study : Study
        The configuration.
    """

    study: Study

    def experiments(self, papers: Iterable[str]) -> list[tuple[str, str]]:
        """List the experiments of papers.

        Parameters
        ----------
        papers : iterable of str
            Keys.

        Returns
        -------
        list of (str, str)
            Paper and experiment.
        """
        return [(paper, name) for paper in papers for name in self.study.papers[paper].protocol["experiments"]]

    def data_sets(self, run: str, papers: Iterable[str]) -> list[str]:
        """Name the data sets that papers read.

        Parameters
        ----------
        run : str
            Name of the run.
        papers : iterable of str
            Keys.

        Returns
        -------
        list of str
            Names of their files.
        """
        read = [self.study.data_files(paper, name, run) for paper, name in self.experiments(papers)]
        return sorted({file for files in read for file in files.values()})

    def tuned_experiments(self, run: str, papers: Iterable[str]) -> list[tuple[str, str, str]]:
        """List what is tuned and has trials.

        Parameters
        ----------
        run : str
            Name of the run.
        papers : iterable of str
            Keys.

        Returns
        -------
        list of (str, str, str)
            Paper, experiment, and the run that has its results.
        """
        found = [(paper, name, self.study.experiment(paper, name, run)) for paper, name in self.experiments(papers)]
        return [
            (paper, name, self.study.home(paper, name, run))
            for paper, name, experiment in found
            if experiment.is_tuned and experiment.trials
        ]

    def artefacts(self, run: str, papers: Iterable[str]) -> list[str]:
        """Every table, figure and list of claims.

        Parameters
        ----------
        run : str
            Name of the run.
        papers : iterable of str
            Keys.

        Returns
        -------
        list of str
            The files.
        """
        folder = f"results/{run}"
        files = [f"{folder}/tables/my_selectors.csv"] if self.study.placed else []
        for key in papers:
            paper = self.study.papers[key]
            files += [f"{folder}/tables/{key}/table_{number}.csv" for number in paper.artefacts("tables")]
            files += [f"{folder}/figures/{key}/figure_{number}.pdf" for number in paper.artefacts("figures")]
            if key in self.study.own_data:
                files.append(f"{folder}/tables/{key}/ranking.csv")
            elif key in self.study.comparisons:
                files.append(f"{folder}/tables/{key}/comparison.csv")
            else:
                files.append(f"{folder}/claims/{key}.csv")
        return files

    def reported(self, run: str, papers: Iterable[str]) -> list[str]:
        """Everything of a run that a report shows.

        Parameters
        ----------
        run : str
            Name of the run.
        papers : iterable of str
            Keys.

        Returns
        -------
        list of str
            The files.
        """
        papers = list(papers)
        data = [f"results/data/{name}.json" for name in self.data_sets(run, papers)]
        provenance = [f"results/{run}/provenance/{paper}.json" for paper in papers]
        tuned = [
            f"results/{home}/evaluations/{paper}/{name}.csv"
            for paper, name, home in self.tuned_experiments(run, papers)
        ]
        return self.artefacts(run, papers) + provenance + data + tuned

    def provenances(self, wildcards: Wildcards) -> list[str]:  # numpydoc ignore=PR01
        """What the evaluations of a paper took."""
        paper = wildcards.paper
        made = self._gathered("evaluations", paper, self.study.papers[paper].protocol["experiments"], wildcards.run)
        return [path.replace(".csv", ".provenance.json") for path in made]

    def table(self, wildcards: Wildcards) -> list[str]:  # numpydoc ignore=PR01
        """The evaluations, or CPU times, that a table shows."""
        spec = self.study.papers[wildcards.paper].protocol["tables"][wildcards.number]
        folder = "timings" if spec.get("kind") == "timing" else "evaluations"
        return self._gathered(folder, wildcards.paper, experiments_of(spec), wildcards.run)

    def figure(self, wildcards: Wildcards) -> list[str]:  # numpydoc ignore=PR01
        """The evaluations that a figure shows."""
        spec = self.study.papers[wildcards.paper].protocol["figures"][wildcards.number]
        return self._gathered("evaluations", wildcards.paper, experiments_of(spec), wildcards.run)

    def claims(self, wildcards: Wildcards) -> list[str]:  # numpydoc ignore=PR01
        """The evaluations that a paper's claims compare, and the times of those about CPU time."""
        paper, run = wildcards.paper, wildcards.run
        claims = [Claim.from_config(claim, paper) for claim in self.study.papers[paper].claims]
        named = sorted({name for claim in claims for name in claim.experiments})
        timed = sorted({name for claim in claims if claim.metric == TIMING_METRIC for name in claim.experiments})
        return self._gathered("evaluations", paper, named, run) + self._gathered("timings", paper, timed, run)

    def readings(self, wildcards: Wildcards) -> list[str]:  # numpydoc ignore=PR01
        """A paper's tables, but times, by default and in every other reading, one choice at a time."""
        paper = wildcards.paper
        runs = [run_name(wildcards.fidelity, reading) for reading in ("", *self.study.alternatives(paper))]
        tables = self.study.papers[paper].protocol.get("tables", {})
        numbers = [number for number, spec in tables.items() if spec.get("kind") != "timing"]
        return [f"results/{run}/tables/{paper}/table_{number}.csv" for run in runs for number in numbers]

    def compared(self, wildcards: Wildcards) -> list[str]:  # numpydoc ignore=PR01
        """The evaluations behind a comparison."""
        return self._gathered("evaluations", wildcards.comparison, [EXPERIMENT], wildcards.run)

    def compared_times(self, wildcards: Wildcards) -> list[str]:  # numpydoc ignore=PR01
        """The CPU times behind a comparison, where it measures them."""
        timing = self.study.experiment(wildcards.comparison, EXPERIMENT, wildcards.run).timing
        return self._gathered("timings", wildcards.comparison, [EXPERIMENT] if timing else [], wildcards.run)

    def _gathered(self, folder: str, paper: str, experiments: Iterable[str], run: str) -> list[str]:
        """What is gathered of experiments, in the run that has them."""
        return [f"results/{self.study.home(paper, name, run)}/{folder}/{paper}/{name}.csv" for name in experiments]
