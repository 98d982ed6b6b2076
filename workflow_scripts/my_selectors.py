"""Where the user's own selectors ran, and why not elsewhere."""

import pandas as pd

from marginfs.files import write_frame
from marginfs.study.process import job

with job(snakemake):
    write_frame(snakemake.output.csv, pd.DataFrame(snakemake.params.placed))
