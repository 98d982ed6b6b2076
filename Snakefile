from snakemake.utils import min_version

min_version("9.10")


configfile: "config/config.yaml"


include: "rules/common.smk"
include: "rules/select.smk"
include: "rules/evaluate.smk"
include: "rules/tables.smk"
include: "rules/figures.smk"
include: "rules/report.smk"


localrules:
    all,


rule all:
    default_target: True
    input:
        f"results/{study.fidelity}/summary.md",
        [artefacts(paper, study.fidelity) for paper in study.selected],


for paper in study.papers:

    rule:
        name:
            paper
        input:
            artefacts(paper, study.fidelity),
        localrule: True
