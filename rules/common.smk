import os
import sys
from dataclasses import asdict
from pathlib import Path

# Scripts find marginfs in this checkout, whatever environment they run in.
LIB = str(Path(workflow.basedir, "lib").resolve())
sys.path.insert(0, LIB)
os.environ.update(PYTHONPATH=LIB)

from marginfs.artefacts import experiments_of
from marginfs.config import load_study
from marginfs.data.dataset import load_provenance
from marginfs.data.generators import PLANAS
from marginfs.errors import MarginfsError
from marginfs.job import environment
from marginfs.own_study import table_options
from marginfs.registry import EVALUATIONS, SELECTORS
from marginfs.provenance import source_hash
from marginfs.warm_up import compile_kernels

os.environ.update(environment())

try:
    study = load_study(config, Path(workflow.basedir, "config"))
except MarginfsError as error:
    sys.exit(f"marginfs: {error}")


wildcard_constraints:
    fidelity="smoke|quick|paper",
    paper="|".join(study.papers),
    experiment="[a-z0-9_]+",
    selector="[a-z0-9_]+",
    data="|".join(study.catalogue),
    simulated="|".join(PLANAS),
    own="|".join(study.own_data) or "none",
    number="[a-z0-9_.]+",
    start="[0-9]+",
    stop="[0-9]+",


def experiment_of(wildcards):
    return study.experiment(wildcards.paper, wildcards.experiment, wildcards.fidelity)


def data_of(wildcards):
    """Input function: the prepared data sets that an experiment reads."""
    names = study.data_sets(wildcards.paper, wildcards.experiment, wildcards.fidelity)
    return [f"results/data/{name}.npz" for name in names]


def data_sets_of(fidelity, papers):
    """Every data set that `papers` read."""
    return sorted(
        {
            name
            for paper in papers
            for experiment in study.papers[paper].protocol["experiments"]
            for name in study.data_sets(paper, experiment, fidelity)
        }
    )


def prepare_units(jobs, cores):
    """Try and compile what the selection and evaluation jobs among `jobs` will call."""
    units = (job.wildcards for job in jobs if job.rule.name in ("select", "evaluate"))
    try:
        compile_kernels(map(experiment_of, units), cores)
    except MarginfsError as error:
        sys.exit(f"marginfs: {error}")


def plan_of(wildcards):
    """Params function: what the units of an experiment are."""
    return asdict(experiment_of(wildcards).plan)


def selector_of(wildcards):
    """Params function: the selector of a job."""
    return asdict(experiment_of(wildcards).selectors[wildcards.selector])


def by_selector(pattern):
    """Input function: the files of `pattern`, one per selector of an experiment."""
    return lambda wildcards: expand(pattern, **wildcards, selector=experiment_of(wildcards).selectors)


def by_chunk(pattern):
    """Input function: the files of `pattern`, one per chunk of an experiment and, where it has one, per selector."""

    def files(wildcards):
        experiment = experiment_of(wildcards)
        return [
            path
            for start, stop in experiment.chunks(study.chunk_size)
            for path in expand(pattern, **wildcards, selector=experiment.selectors, start=start, stop=stop)
        ]

    return files


def spec_of(kind):
    """Params function: the specification of one table or figure."""
    return lambda wildcards: study.papers[wildcards.paper].protocol[kind][wildcards.number]


def evaluations_of(kind):
    """Input function: the gathered evaluations that one table or figure shows."""
    return lambda wildcards: [
        "results/{fidelity}/evaluations/{paper}/{experiment}.csv".format(**wildcards, experiment=experiment)
        for experiment in experiments_of(spec_of(kind)(wildcards))
    ]


def artefacts(fidelity, papers):
    """Every table, figure and list of claims of `papers`."""
    folder = f"results/{fidelity}"
    files = []
    for paper in papers:
        tables, figures = (study.papers[paper].artefacts(kind) for kind in ("tables", "figures"))
        files += [f"{folder}/tables/{paper}/table_{number}.csv" for number in tables]
        files += [f"{folder}/figures/{paper}/figure_{number}.pdf" for number in figures]
        if paper in study.own_data:
            files.append(f"{folder}/tables/{paper}/ranking.csv")
        else:
            files.append(f"{folder}/claims/{paper}.csv")
    return files


def attempt(provenance):
    """Params function's value that changes, and so makes the job run again, while a data set is missing."""
    path = Path(provenance)
    missing = path.exists() and load_provenance(path).status == "missing"
    return path.stat().st_mtime if missing else None
