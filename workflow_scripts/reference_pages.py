"""Pages of the published full runs, for readers of the repository."""

from pathlib import Path

from marginfs.files import write_text
from marginfs.results.report.reference_pages import reference_pages
from marginfs.study.process import job

with job(snakemake):
    params = snakemake.params
    folder = Path(snakemake.output[0]).parent
    for path, text in reference_pages(folder, params.papers, params.claims, params.comparisons).items():
        write_text(path, text)
