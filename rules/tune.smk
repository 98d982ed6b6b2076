rule tune:
    """Try a selector's options on inner splits of the training parts."""
    input:
        data=data_of,
    output:
        trials="results/{run}/tuning/{paper}/{experiment}/{selector}/{start}-{stop}.jsonl",
        provenance="results/{run}/tuning/{paper}/{experiment}/{selector}/{start}-{stop}.provenance.json",
    log:
        "results/{run}/logs/tune/{paper}/{experiment}/{selector}/{start}-{stop}.log",
    conda:
        "../envs/units.yaml"
    resources:
        mem_mb=resource_of("mem_mb"),
        runtime=resource_of("runtime"),
    params:
        plan=plan_of,
        selector=lambda wildcards: asdict(selector_of(wildcards)),
        evaluation=lambda wildcards: asdict(experiment_of(wildcards).evaluation),
        source=lambda wildcards: tuning_source(experiment_of(wildcards), wildcards.selector),
    script:
        "../workflow_scripts/tune.py"


rule choose:
    """Choose the options of every unit of a chunk: the best mean score, ties by the stated rule."""
    input:
        trials=tuning_files(rules.tune.output.trials),
        provenance=tuning_files(rules.tune.output.provenance),
    output:
        tuned="results/{run}/tuned/{paper}/{experiment}/{selector}/{start}-{stop}.jsonl",
        provenance="results/{run}/tuned/{paper}/{experiment}/{selector}/{start}-{stop}.provenance.json",
    log:
        "results/{run}/logs/choose/{paper}/{experiment}/{selector}/{start}-{stop}.log",
    localrule: True
    conda:
        "../envs/units.yaml"
    params:
        tuning=lambda wildcards: asdict(selector_of(wildcards).tuning),
        source=lambda wildcards: source_hash(["marginfs.study.tuning:choose", "marginfs.study.protocol:Tuning"]),
    script:
        "../workflow_scripts/choose.py"
