"""What every other reading of a paper changes in its tables."""

from marginfs.files import write_frame, write_text
from marginfs.results.readings import compare_readings, read_cells, read_readings, readings_markdown
from marginfs.study.process import job

with job(snakemake):
    cells = read_readings(snakemake.input)
    table = compare_readings(cells.pop("", read_cells([])), cells)
    write_frame(snakemake.output.csv, table)
    page = readings_markdown(table, snakemake.wildcards.paper, snakemake.params.fidelity)
    write_text(snakemake.output.markdown, page)
