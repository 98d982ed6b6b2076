rule evaluate:
    """Measure a chunk of selections on the test data of their splits."""
    input:
        selections=rules.select.output.selections,
        data=data_of,
    output:
        measures="results/{fidelity}/measures/{paper}/{experiment}/{selector}/{start}-{stop}.csv",
        provenance="results/{fidelity}/measures/{paper}/{experiment}/{selector}/{start}-{stop}.provenance.json",
    log:
        "results/{fidelity}/logs/evaluate/{paper}/{experiment}/{selector}/{start}-{stop}.log",
    conda:
        "../envs/units.yaml"
    resources:
        mem_mb=1000,
        runtime=120,
    params:
        job=lambda wildcards: job_of(wildcards).as_params(),
        source=lambda wildcards: source_hash(["marginfs.engine", EVALUATIONS[job_of(wildcards).evaluation["method"]]]),
    script:
        "../workflow_scripts/evaluate.py"


rule gather:
    """One file of measures per experiment, and one of what it took to get them."""
    input:
        measures=chunks_of(rules.evaluate.output.measures),
        provenance=chunks_of(rules.select.output.provenance, rules.evaluate.output.provenance),
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
