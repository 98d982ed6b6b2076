rule select:
    """Run one selector on a chunk of units."""
    input:
        data=data_of,
    output:
        selections="results/{fidelity}/selections/{paper}/{experiment}/{selector}/{start}-{stop}.jsonl",
        provenance="results/{fidelity}/selections/{paper}/{experiment}/{selector}/{start}-{stop}.provenance.json",
    log:
        "results/{fidelity}/logs/select/{paper}/{experiment}/{selector}/{start}-{stop}.log",
    conda:
        "../envs/units.yaml"
    resources:
        mem_mb=1000,
        runtime=120,
    params:
        job=lambda wildcards: job_of(wildcards).as_params(),
        source=lambda wildcards: source_hash(["marginfs.engine", SELECTORS[job_of(wildcards).method]]),
    script:
        "../workflow_scripts/select.py"
