"""What one paper's results were made with."""

from marginfs.files import write_json
from marginfs.results.gather import total, trials_of
from marginfs.study.process import job
from marginfs.study.provenance import commit, versions

with job(snakemake):
    write_json(
        snakemake.output[0],
        {
            "commit": commit(snakemake.scriptdir),
            "versions": versions(),
            "study": snakemake.params.study,
            "trials": trials_of(snakemake.input),
            "work": total(snakemake.input),
        },
    )
