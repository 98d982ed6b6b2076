from marginfs.study.unit_jobs import columns


rule evaluate:
    """Measure what every selector found on a chunk of units, on the test data of their splits."""
    input:
        selections=by_selector(rules.select.output.selections),
        data=data_of,
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
        selectors=lambda wildcards: list(experiment_of(wildcards).selectors),
        evaluation=lambda wildcards: asdict(experiment_of(wildcards).evaluation),
        source=lambda wildcards: evaluation_source(experiment_of(wildcards)),
    script:
        "../workflow_scripts/evaluate.py"


rule gather:
    """One file of measures per experiment, and one of what it took to get them."""
    input:
        measures=by_chunk(rules.evaluate.output.measures),
        selections=by_chunk(rules.select.output.selections),
        selected=by_chunk(rules.select.output.provenance),
        evaluated=by_chunk(rules.evaluate.output.provenance),
        tuned=by_chunk(f"{TUNED}.provenance.json", tuned=True),
    output:
        measures="results/{run}/evaluations/{paper}/{experiment}.csv",
        provenance="results/{run}/evaluations/{paper}/{experiment}.provenance.json",
    log:
        "results/{run}/logs/gather/{paper}/{experiment}.log",
    localrule: True
    conda:
        "../envs/units.yaml"
    params:
        columns=lambda wildcards: columns(experiment_of(wildcards).plan),
        points=lambda wildcards: len(experiment_of(wildcards).plan.points()),
        source=lambda wildcards: source_hash(["marginfs.results.gather"]),
    script:
        "../workflow_scripts/gather.py"
