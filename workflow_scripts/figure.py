"""One figure of a paper, and the curves in it as a table."""

from marginfs.figures import build_curves, caption, draw, save
from marginfs.files import write_frame
from marginfs.job import logged
from marginfs.tables import read_evaluations

with logged(snakemake.log[0]):
    spec, names = snakemake.params.spec, snakemake.wildcards
    curves = build_curves(spec, read_evaluations(snakemake.input.evaluations))
    text = caption(spec, names.number, names.paper, names.fidelity, curves, snakemake.params.trials)
    save(draw(spec, curves, text), snakemake.output.pdf, snakemake.output.png)
    write_frame(snakemake.output.csv, curves)
