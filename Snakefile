from snakemake.utils import min_version

min_version("9.10")


configfile: "config/config.yaml"


include: "rules/common.smk"
include: "rules/data.smk"
include: "rules/select.smk"
include: "rules/evaluate.smk"
include: "rules/tables.smk"
include: "rules/figures.smk"
include: "rules/report.smk"


onstart:
    prepare_units(workflow.dag.needrun_jobs(), workflow.resource_settings.cores or 1)


rule all:
    default_target: True
    input:
        f"results/{study.fidelity}/summary.md",
        artefacts(study.fidelity, study.selected),
    localrule: True


for paper in study.papers:

    rule:
        name:
            paper
        input:
            artefacts(study.fidelity, [paper]),
        localrule: True
