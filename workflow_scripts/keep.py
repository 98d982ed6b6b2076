"""Keep what tuning has found so far."""

from marginfs.results.keep import keep
from marginfs.study.process import job
from marginfs.study.provenance import commit
from marginfs.study.publication import check_full_run

with job(snakemake):
    params = snakemake.params
    check_full_run(params.run, "kept")
    for sentence in keep(params.orders, params.reference, commit(snakemake.scriptdir)):
        print(f"marginfs: {sentence}")
