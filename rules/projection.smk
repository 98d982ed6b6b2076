rule sample:
    """Run a few units of an experiment to see what they take."""
    input:
        data=units.data,
    output:
        "results/{run}/projection/{paper}/{experiment}.json",
    log:
        "results/{run}/logs/sample/{paper}/{experiment}.log",
    conda:
        "../envs/units.yaml"
    resources:
        mem_mb=resource_of("mem_mb"),
        runtime=resource_of("runtime"),
    params:
        plan=plan_of,
        trials=lambda wildcards: units.experiment(wildcards).trials,
        selectors=lambda wildcards: [asdict(selector) for selector in units.experiment(wildcards).selectors.values()],
        evaluation=lambda wildcards: asdict(units.experiment(wildcards).evaluation),
        shared=lambda wildcards: list(units.experiment(wildcards).shared),
        source=lambda wildcards: evaluation_source(units.experiment(wildcards)),
    script:
        "../workflow_scripts/sample.py"


rule project:
    """What a run will take: units, core-hours and memory of every experiment."""
    input:
        lambda wildcards: [
            f"results/{wildcards.run}/projection/{paper}/{name}.json"
            for paper, name in files.experiments(study.selected)
        ],
    output:
        "results/{run}/projection.md",
    log:
        "results/{run}/logs/projection.log",
    localrule: True
    conda:
        "../envs/units.yaml"
    params:
        source=lambda wildcards: source_hash(["marginfs.results.projection"]),
    script:
        "../workflow_scripts/projection.py"


rule projection:
    """Say before a run starts what it will take."""
    input:
        f"results/{study.run}/projection.md",
    localrule: True
