import os
import sys
from dataclasses import asdict
from pathlib import Path

from snakemake.logging import logger

# The checkout, wherever the run's own folder is.
CHECKOUT = Path(str(workflow.current_basedir)).parent.resolve()
sys.path.insert(0, str((CHECKOUT / "lib").resolve()))

from marginfs.study.process import UNIT_RULES, environment, explain

os.environ.update(environment())

from marginfs.data.dataset import load_provenance
from marginfs.data.generators.simulated_sets import SIMULATED
from marginfs.data.parsers.formats import PARSERS
from marginfs.data.variants import split_variant, variant_pattern
from marginfs.errors import MarginfsError
from marginfs.results.figures.math_text import check_math
from marginfs.results.keep import has_scores, tuned_orders
from marginfs.results.report.closing import closing_text
from marginfs.results.restore import orders_of
from marginfs.study.artefacts import experiments_of
from marginfs.study.claim_specs import Claim
from marginfs.study.comparison_study import EXPERIMENT
from marginfs.study.config import load_study
from marginfs.study.figure_specs import FigureSpec
from marginfs.study.job_sources import evaluation_source, selection_source, tuning_source
from marginfs.study.kernel_cache import close_cache, kernel_folder
from marginfs.study.my_selectors import where_they_run
from marginfs.study.own_study import check_tables, table_options
from marginfs.study.publication import SCORES, claims_behind, publication
from marginfs.study.reach import source_hash
from marginfs.study.recovery import start_run
from marginfs.study.runs import run_name
from marginfs.study.table_specs import TIMING_METRIC
from marginfs.study.warm_up import compile_kernels

try:
    study = load_study(config, CHECKOUT / "config")
    if workflow.is_main_process:
        check_tables(study.own_data)
        for key, paper in study.papers.items():
            check_math(paper.protocol.get("figures", {}), f"config/papers/{key}.yaml")
        for line in where_they_run(study.placed, study.selected):
            print(f"marginfs: {line}", file=sys.stderr)
        alive = start_run(Path.cwd())
except (MarginfsError, OSError) as error:
    sys.exit(f"marginfs: {explain(error)}")


wildcard_constraints:
    run=r"(smoke|quick|paper)(\+[^/]+)?",
    paper="|".join(study.papers),
    experiment="[a-z0-9_]+",
    selector="[a-z0-9_]+",
    own="|".join(study.own_data) or "none",
    comparison="|".join(study.comparisons) or "none",
    number="[a-z0-9_.]+",
    start="[0-9]+",
    stop="[0-9]+",


def experiment_of(wildcards):
    return study.experiment(wildcards.paper, wildcards.experiment, wildcards.run)


def selector_of(wildcards):
    return experiment_of(wildcards).selectors[wildcards.selector]


def data_files_of(wildcards):
    return study.data_files(wildcards.paper, wildcards.experiment, wildcards.run)


def data_of(wildcards):
    """Input function: the prepared data sets that an experiment reads."""
    return [f"results/data/{file}.npz" for file in data_files_of(wildcards).values()]


def experiments_named(papers):
    """(paper, experiment) of every experiment of `papers`."""
    return [(paper, name) for paper in papers for name in study.papers[paper].protocol["experiments"]]


def data_sets_of(run, papers):
    """The file of every data set that `papers` read."""
    return sorted({file for pair in experiments_named(papers) for file in study.data_files(*pair, run).values()})


def prepare_units(jobs, cores):
    """Compile what the unit jobs among `jobs` will call."""
    units = [job.wildcards for job in jobs if job.rule.name in UNIT_RULES]
    compile_kernels(map(experiment_of, units), cores)


def plan_of(wildcards):
    """Params function: what the units of an experiment are, and the names of the data sets among the inputs."""
    return {**asdict(experiment_of(wildcards).plan), "files": list(data_files_of(wildcards))}


def resource_of(name):
    """Resources function: what the jobs of an experiment need; a job that is tried again gets more."""
    return lambda wildcards, attempt: attempt * getattr(experiment_of(wildcards).resources, name)


def home_of(wildcards, selector):
    """The wildcards of a selector's files: those of the experiment that ran it."""
    name = experiment_of(wildcards).shared.get(selector)
    home = {"experiment": name, "run": study.home(wildcards.paper, name, wildcards.run)} if name else {}
    return {**wildcards, **home, "selector": selector}


def by_selector(pattern):
    """Input function: the files of `pattern`, one per selector of an experiment."""
    return lambda wildcards: [
        path for name in experiment_of(wildcards).selectors for path in expand(pattern, **home_of(wildcards, name))
    ]


def by_chunk(pattern, chunks="chunks", tuned=False):
    """Input function: the files of `pattern`, one per chunk of an experiment and, where it has one, per selector."""

    def files(wildcards):
        experiment = experiment_of(wildcards)
        wanted = [name for name, selector in experiment.selectors.items() if selector.tuning or not tuned]
        places = [home_of(wildcards, name) for name in wanted] if "{selector}" in pattern else [wildcards]
        return [
            path
            for start, stop in getattr(experiment, chunks)(study.chunk_size)
            for place in places
            for path in expand(pattern, **place, start=start, stop=stop)
        ]

    return files


TUNED = "results/{run}/tuned/{paper}/{experiment}/{selector}/{start}-{stop}"


def tuned_of(wildcards):
    """Input function: what tuning chose for a chunk of units, where its selector is tuned."""
    return expand(f"{TUNED}.jsonl", **wildcards) if selector_of(wildcards).tuning else []


def tuning_files(pattern):
    """Input function: the files of `pattern` with the trials of tuning behind a chunk of units."""

    def files(wildcards):
        units = int(wildcards.start), int(wildcards.stop)
        chunks = experiment_of(wildcards).tuning_chunks(wildcards.selector, *units, study.chunk_size)
        names = {key: value for key, value in wildcards.items() if key not in ("start", "stop")}
        return [path for start, stop in chunks for path in expand(pattern, **names, start=start, stop=stop)]

    return files


def spec_of(kind):
    """Params function: the specification of one table or figure."""
    return lambda wildcards: study.papers[wildcards.paper].protocol[kind][wildcards.number]


def gathered(wildcards, experiments, folder="evaluations"):
    """The gathered measures of `experiments`, in the run that has them."""
    return [
        f"results/{study.home(wildcards.paper, name, wildcards.run)}/{folder}/{wildcards.paper}/{name}.csv"
        for name in experiments
    ]


def evaluations_of(kind):
    """Input function: the gathered evaluations that one table or figure shows."""
    return lambda wildcards: gathered(wildcards, experiments_of(spec_of(kind)(wildcards)))


def tuned_experiments(run, papers):
    """Paper, name and home of every experiment of `papers` that is tuned and has trials."""
    found = [(paper, name, study.experiment(paper, name, run)) for paper, name in experiments_named(papers)]
    return [
        (paper, name, study.home(paper, name, run))
        for paper, name, experiment in found
        if experiment.is_tuned and experiment.trials
    ]


def tuned_evaluations(run, papers):
    """The gathered evaluations of these experiments."""
    return [f"results/{home}/evaluations/{paper}/{name}.csv" for paper, name, home in tuned_experiments(run, papers)]


def artefacts(run, papers):
    """Every table, figure and list of claims of `papers`."""
    folder = f"results/{run}"
    files = [f"{folder}/tables/my_selectors.csv"] if study.placed else []
    for paper in papers:
        tables, figures = (study.papers[paper].artefacts(kind) for kind in ("tables", "figures"))
        files += [f"{folder}/tables/{paper}/table_{number}.csv" for number in tables]
        files += [f"{folder}/figures/{paper}/figure_{number}.pdf" for number in figures]
        if paper in study.own_data:
            files.append(f"{folder}/tables/{paper}/ranking.csv")
        elif paper in study.comparisons:
            files.append(f"{folder}/tables/{paper}/comparison.csv")
        else:
            files.append(f"{folder}/claims/{paper}.csv")
    return files


def attempt(provenance):
    """Params function's value that changes, and so makes the job run again, while a data set is missing."""
    path = Path(provenance)
    missing = path.exists() and load_provenance(path).status == "missing"
    return path.stat().st_mtime if missing else None


def entry_of(wildcards):
    """What the catalogue says of a data set."""
    return study.catalogue[split_variant(wildcards.data)[0]]


def data_choices_of(wildcards):
    """Params function: the choices of a data set, those in its file's name above all."""
    name, options = split_variant(wildcards.data)
    defaults = {choice: spec.value for choice, spec in study.catalogue[name].choices.items()}
    return {**defaults, **options}


def call_of(wildcards):
    """Params function: the call that draws a simulated data set."""
    name, options = split_variant(wildcards.simulated)
    return SIMULATED[name].call(options)


def measures_of(wildcards):
    """Input function: the gathered evaluations, or timings, that one table shows."""
    spec = spec_of("tables")(wildcards)
    return gathered(wildcards, experiments_of(spec), "timings" if spec.get("kind") == "timing" else "evaluations")


def claimed(wildcards):
    """Input function: the evaluations that a paper's claims compare, and the timings of those about CPU time."""
    claims = [Claim.from_config(claim, wildcards.paper) for claim in study.papers[wildcards.paper].claims]
    timed = {name for claim in claims if claim.metric == TIMING_METRIC for name in claim.experiments}
    named = {name for claim in claims for name in claim.experiments}
    return gathered(wildcards, sorted(named)) + gathered(wildcards, sorted(timed), "timings")


def drawer_of(wildcards):
    """module:name of what draws a figure."""
    return FigureSpec.from_config(spec_of("figures")(wildcards), wildcards.number).drawer


def offered(wildcards):
    """Input function: the tables, figures, curves and evaluations of a full run."""
    return [file.path for file in publication(study, wildcards.paper).values() if file.offered]


def claims_to_publish(paper):
    """The list of claims of a published paper."""
    return [f"results/paper/claims/{key}.csv" for key in study.published([paper])]


def compared(wildcards, folder="evaluations"):
    """Input function: the measures, or timings, behind a comparison."""
    home = study.home(wildcards.comparison, EXPERIMENT, wildcards.run)
    experiment = study.experiment(wildcards.comparison, EXPERIMENT, wildcards.run)
    wanted = folder == "evaluations" or experiment.timing
    return [f"results/{home}/{folder}/{wildcards.comparison}/{EXPERIMENT}.csv"] if wanted else []


def readings_of(wildcards):
    """Input function: the tables of a paper, but times, by default and in every other reading, one choice at a time."""
    runs = [run_name(wildcards.fidelity, reading) for reading in ("", *study.alternatives(wildcards.paper))]
    tables = study.papers[wildcards.paper].protocol.get("tables", {})
    numbers = [number for number, spec in tables.items() if spec.get("kind") != "timing"]
    return expand("results/{run}/tables/{paper}/table_{number}.csv", run=runs, number=numbers, paper=wildcards.paper)


def report_request(run, papers):
    """What a report of `papers` shows: the arguments of ReportRequest."""
    published = study.published(papers)
    return {
        "folder": f"results/{run}",
        "reference": str(CHECKOUT / "results" / "reference"),
        "run": run,
        "papers": {key: study.papers[key].protocol for key in published},
        "claims": {key: study.papers[key].claims for key in published},
        "comparisons": {key: study.papers[key].protocol for key in papers if key in study.comparisons},
        "own_data": {key: study.papers[key].protocol for key in papers if key in study.own_data},
        "sources": {
            paper: {name: list(study.data_files(paper, name, run).values()) for _, name in experiments_named([paper])}
            for paper in papers
        },
        "reading": study.changes(run),
        "tuned": tuned_experiments(run, papers),
    }


def data_to_restore(wildcards):
    """Input function: what there is of the data sets of experiments that are published, or have kept scores."""
    kept = [order for order in tuned_orders(study, study.selected) if has_scores(order, REFERENCE)]
    names = {name for order in [*orders_of(study, REFERENCE), *kept] for name in order.data}
    return [f"results/data/{name}.json" for name in sorted(names)]


def published_files(papers):
    """The files of the published full runs of `papers`, as far as there are any; kept scores are not among them."""
    folder = CHECKOUT / "results" / "reference"
    kinds = ("csv", "png", "json")
    paths = [path for paper in papers for kind in kinds for path in sorted((folder / paper).glob(f"*.{kind}"))]
    return [str(path) for path in paths if not path.name.startswith(SCORES.format(""))]


def report_inputs(run, papers):
    """Input function's value: everything that a report of `papers` reads, the published full runs among it."""
    data = [f"results/data/{name}.json" for name in data_sets_of(run, papers)]
    provenance = [f"results/{run}/provenance/{paper}.json" for paper in papers]
    return artefacts(run, papers) + provenance + data + tuned_evaluations(run, papers) + published_files(papers)


def conclude(jobs, failed):
    """Say where to look when a run has ended; after a failure, write the reports of what there is."""
    reports = [job for job in jobs if job.rule.name in ("report", "paper_report")]
    if failed:
        from marginfs.results.report.write import write_report

        for job in reports:
            if not Path(job.log[0]).exists():
                write_report(job.params.request, job.output[0])
    data = sorted({path for job in reports for path in job.input if path.startswith("results/data/")})
    text = closing_text([job.output[0] for job in reports], data, failed)
    if text:
        logger.info(text, extra={"closing": True})
