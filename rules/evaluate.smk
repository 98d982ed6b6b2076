rule evaluate:
    """Measure what every selector found on a chunk of units, on the test data of their splits."""
    input:
        selections=by_selector(rules.select.output.selections),
        data=data_of,
    output:
        measures="results/{fidelity}/measures/{paper}/{experiment}/{start}-{stop}.csv",
        provenance="results/{fidelity}/measures/{paper}/{experiment}/{start}-{stop}.provenance.json",
    log:
        "results/{fidelity}/logs/evaluate/{paper}/{experiment}/{start}-{stop}.log",
    conda:
        "../envs/units.yaml"
    resources:
        mem_mb=1000,
        runtime=120,
    params:
        plan=plan_of,
        selectors=lambda wildcards: list(experiment_of(wildcards).selectors),
        evaluation=lambda wildcards: experiment_of(wildcards).evaluation,
        source=lambda wildcards: source_hash(
            ["marginfs.engine", EVALUATIONS[experiment_of(wildcards).evaluation["method"]]]
        ),
    script:
        "../workflow_scripts/evaluate.py"


rule gather:
    """One file of measures per experiment, and one of what it took to get them."""
    input:
        measures=by_chunk(rules.evaluate.output.measures),
        selected=by_chunk(rules.select.output.provenance),
        evaluated=by_chunk(rules.evaluate.output.provenance),
    output:
        measures="results/{fidelity}/evaluations/{paper}/{experiment}.csv",
        provenance="results/{fidelity}/evaluations/{paper}/{experiment}.provenance.json",
    log:
        "results/{fidelity}/logs/gather/{paper}/{experiment}.log",
    localrule: True
    conda:
        "../envs/units.yaml"
    params:
        source=source_hash(["marginfs.gather"]),
    script:
        "../workflow_scripts/gather.py"
