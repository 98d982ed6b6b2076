"""Go on from what is published."""

from pathlib import Path

from marginfs.data.dataset import load_provenance
from marginfs.results.keep import restore_scores
from marginfs.results.restore import restore
from marginfs.study.process import job
from marginfs.study.publication import check_full_run

with job(snakemake):
    params = snakemake.params
    check_full_run(params.run, "restored")
    missing = {path.stem for path in map(Path, snakemake.input) if load_provenance(path).status == "missing"}
    for sentence in restore_scores(params.tuned, params.reference, missing):
        print(f"marginfs: {sentence}")
    for sentence in restore(params.orders, params.reference, missing):
        print(f"marginfs: {sentence}")
