import os
import sys
from dataclasses import asdict
from pathlib import Path

from snakemake.logging import logger

# The checkout, wherever the run's own folder is.
CHECKOUT = Path(str(workflow.current_basedir)).parent.resolve()
REFERENCE = CHECKOUT / "results" / "reference"
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
from marginfs.results.report.request import report_request
from marginfs.results.restore import orders_of
from marginfs.study.config import load_study
from marginfs.study.figure_specs import FigureSpec
from marginfs.study.job_sources import evaluation_source, selection_source, tuning_source
from marginfs.study.kernel_cache import close_cache, kernel_folder
from marginfs.study.my_selectors import where_they_run
from marginfs.study.own_study import check_tables, table_options
from marginfs.study.publication import claims_behind, publication, published_files
from marginfs.study.reach import source_hash
from marginfs.study.recovery import start_run
from marginfs.study.run_files import RunFiles
from marginfs.study.unit_files import TUNED, UnitFiles
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


units, files = UnitFiles(study), RunFiles(study)


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


def prepare_units(jobs, cores):
    """Compile what the unit jobs among `jobs` will call."""
    compile_kernels((units.experiment(job.wildcards) for job in jobs if job.rule.name in UNIT_RULES), cores)


def plan_of(wildcards):
    """Params function: what the units of an experiment are, and the names of the data sets among the inputs."""
    names = study.data_files(wildcards.paper, wildcards.experiment, wildcards.run)
    return {**asdict(units.experiment(wildcards).plan), "files": list(names)}


def resource_of(name):
    """Resources function: what the jobs of an experiment need; a job that is tried again gets more."""
    return lambda wildcards, attempt: attempt * getattr(units.experiment(wildcards).resources, name)


def spec_of(kind):
    """Params function: the specification of one table or figure."""
    return lambda wildcards: study.papers[wildcards.paper].protocol[kind][wildcards.number]


def drawer_of(wildcards):
    """module:name of what draws a figure."""
    return FigureSpec.from_config(spec_of("figures")(wildcards), wildcards.number).drawer


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
    defaults = {choice: spec.value for choice, spec in entry_of(wildcards).choices.items()}
    return {**defaults, **split_variant(wildcards.data)[1]}


def call_of(wildcards):
    """Params function: the call that draws a simulated data set."""
    name, options = split_variant(wildcards.simulated)
    return SIMULATED[name].call(options)


def data_to_restore(wildcards):
    """Input function: what there is of the data sets of experiments that are published, or have kept scores."""
    kept = [order for order in tuned_orders(study, study.selected) if has_scores(order, REFERENCE)]
    names = {name for order in [*orders_of(study, REFERENCE), *kept] for name in order.data}
    return [f"results/data/{name}.json" for name in sorted(names)]


def report_inputs(run, papers):
    """Input function's value: everything that a report of `papers` reads, the published full runs among it."""
    return files.reported(run, papers) + published_files(REFERENCE, papers)


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
