"""Publish a full run's numbers: the tidy tables, the curves, the claims, what tuning chose and their provenance."""

from pathlib import Path

from marginfs.results.keep import forget
from marginfs.results.publish import Offer, publish
from marginfs.study.process import job
from marginfs.study.publication import Published

with job(snakemake):
    files = {name: Published(*file) for name, file in snakemake.params.publication.items()}
    offer = Offer(
        files={name: file.path for name, file in files.items() if file.offered},
        behind={name: file.experiments for name, file in files.items()},
        claims=next(iter(snakemake.input.claims), None),
        tests=snakemake.params.tests,
        provenance=snakemake.input.provenance,
    )
    folder = Path(snakemake.output[0]).parent
    for sentence in publish(offer, folder):
        print(f"marginfs: {sentence}")
    for sentence in forget(snakemake.params.tuned, folder.parent):
        print(f"marginfs: {sentence}")
