from marginfs.study.unit_jobs import columns


rule evaluate:
    """Measure what every selector found on a chunk of units, on the test data of their splits."""
    input:
        selections=units.by_selector(rules.select.output.selections),
        data=units.data,
    output:
        measures="results/{run}/measures/{paper}/{experiment}/{start}-{stop}.csv",
        provenance="results/{run}/measures/{paper}/{experiment}/{start}-{stop}.provenance.json",
    log:
        "results/{run}/logs/evaluate/{paper}/{experiment}/{start}-{stop}.log",
    conda:
        "../envs/units.yaml"
    resources:
        mem_mb=resource_of("mem_mb"),
        runtime=resource_of("runtime"),
    params:
        plan=plan_of,
        selectors=lambda wildcards: list(units.experiment(wildcards).selectors),
        evaluation=lambda wildcards: asdict(units.experiment(wildcards).evaluation),
        source=lambda wildcards: evaluation_source(units.experiment(wildcards)),
    script:
        "../workflow_scripts/evaluate.py"


rule gather:
    """One file of measures per experiment, and one of what it took to get them."""
    input:
        measures=units.by_chunk(rules.evaluate.output.measures),
        selections=units.by_chunk(rules.select.output.selections),
        selected=units.by_chunk(rules.select.output.provenance),
        evaluated=units.by_chunk(rules.evaluate.output.provenance),
        tuned=units.by_chunk(f"{TUNED}.provenance.json", tuned=True),
    output:
        measures="results/{run}/evaluations/{paper}/{experiment}.csv",
        provenance="results/{run}/evaluations/{paper}/{experiment}.provenance.json",
    log:
        "results/{run}/logs/gather/{paper}/{experiment}.log",
    localrule: True
    conda:
        "../envs/units.yaml"
    params:
        columns=lambda wildcards: columns(units.experiment(wildcards).plan),
        points=lambda wildcards: len(units.experiment(wildcards).plan.points()),
        source=lambda wildcards: source_hash(["marginfs.results.gather"]),
    script:
        "../workflow_scripts/gather.py"
