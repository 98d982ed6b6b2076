"""One figure of a paper, and the curves in it as a table."""

from marginfs.files import write_frame
from marginfs.results.evaluations import read_evaluations
from marginfs.results.figures.drawers import drawer_of
from marginfs.results.figures.page import caption, save
from marginfs.study.figure_specs import FigureSpec
from marginfs.study.process import job
from marginfs.study.runs import split_run

with job(snakemake):
    names, params = snakemake.wildcards, snakemake.params
    spec = FigureSpec.from_config(params.spec, f"{names.paper}: figures.{names.number}")
    drawer = drawer_of(spec)
    frame = drawer.frame(spec, read_evaluations(snakemake.input.evaluations))
    text = caption(spec, names.number, names.paper, split_run(names.run)[0], frame, params.trials, params.reading)
    save(drawer.draw(spec, frame), text, snakemake.output.pdf, snakemake.output.png)
    write_frame(snakemake.output.csv, frame)
