"""Go on from what is published."""

from pathlib import Path

from marginfs.data.dataset import load_provenance
from marginfs.errors import ConfigError
from marginfs.results.restore import restore
from marginfs.study.process import job
from marginfs.study.publication import RUN

with job(snakemake):
    params = snakemake.params
    if params.run != RUN:
        raise ConfigError(
            f"full runs are restored, and this is the run '{params.run}'; add --config fidelity=paper, with no choices"
        )
    missing = {path.stem for path in map(Path, snakemake.input) if load_provenance(path).status == "missing"}
    for sentence in restore(params.orders, params.reference, missing):
        print(f"marginfs: {sentence}")
