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
        plan=plan_of,
        selector=selector_of,
        source=lambda wildcards: source_hash(["marginfs.engine", SELECTORS[selector_of(wildcards)["method"]]]),
    script:
        "../workflow_scripts/select.py"
