"""What one paper's results were made with."""

from marginfs.files import write_json
from marginfs.results.gather import total
from marginfs.study.process import logged
from marginfs.study.provenance import commit, versions

with logged(snakemake.log[0]):
    write_json(
        snakemake.output[0],
        {
            "commit": commit(snakemake.scriptdir),
            "versions": versions(),
            "study": snakemake.params.study,
            "work": total(snakemake.input),
        },
    )
