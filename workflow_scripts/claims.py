"""Test the sentences of a paper that can be tested."""

from pathlib import Path

import pandas as pd

from marginfs.claims import check_claims
from marginfs.files import write_frame
from marginfs.job import logged

with logged(snakemake.log[0]):
    evaluations = {Path(path).stem: pd.read_csv(path) for path in snakemake.input.evaluations}
    table = check_claims(snakemake.params.claims, evaluations)
    write_frame(snakemake.output.csv, table)
