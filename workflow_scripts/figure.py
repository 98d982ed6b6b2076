"""One figure of a paper, and the curves in it as a table."""

import pandas as pd

from marginfs.figures import build_curves, draw, save
from marginfs.files import write_text
from marginfs.job import logged

with logged(snakemake.log[0]):
    spec = snakemake.params.spec
    curves = build_curves(spec, pd.read_csv(snakemake.input.evaluation))
    names = f"{snakemake.wildcards.paper}, figure {snakemake.wildcards.number}"
    runs = f"{snakemake.wildcards.fidelity}: {curves['trials'].max()} trials"
    save(
        draw(spec, curves, f"{names}: {spec['title']}\n({runs}; bars: standard error)"),
        snakemake.output.pdf,
        snakemake.output.png,
    )
    write_text(snakemake.output.csv, curves.to_csv(index=False, lineterminator="\n"))
