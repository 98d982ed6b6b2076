from snakemake.utils import min_version

min_version("9.10")


include: "rules/common.smk"
include: "rules/data.smk"
include: "rules/tune.smk"
include: "rules/select.smk"
include: "rules/evaluate.smk"
include: "rules/tables.smk"
include: "rules/figures.smk"
include: "rules/report.smk"
include: "rules/readings.smk"
include: "rules/projection.smk"


onstart:
    prepare_units(workflow.dag.needrun_jobs(), workflow.resource_settings.cores or 1)


onsuccess:
    close_cache(kernel_folder())
    conclude(workflow.dag.jobs, failed=False)


onerror:
    close_cache(kernel_folder())
    conclude(workflow.dag.jobs, failed=True)


rule all:
    default_target: True
    input:
        f"results/{study.run}/report.html",
        files.artefacts(study.run, study.selected),
    localrule: True


for paper in study.papers:

    rule:
        name:
            paper
        input:
            f"results/{study.run}/reports/{paper}.html",
            files.artefacts(study.run, [paper]),
        localrule: True
