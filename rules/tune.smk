rule tune:
    """Try a selector's options on inner splits of the training parts."""
    input:
        data=units.data,
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
        selector=lambda wildcards: asdict(units.selector(wildcards)),
        evaluation=lambda wildcards: asdict(units.experiment(wildcards).evaluation),
        source=lambda wildcards: tuning_source(units.experiment(wildcards), wildcards.selector),
    script:
        "../workflow_scripts/tune.py"


rule choose:
    """Choose the options of every unit of a chunk: the best mean score, ties by the stated rule."""
    input:
        trials=units.trials(rules.tune.output.trials),
        provenance=units.trials(rules.tune.output.provenance),
    output:
        tuned="results/{run}/tuned/{paper}/{experiment}/{selector}/{start}-{stop}.jsonl",
        provenance="results/{run}/tuned/{paper}/{experiment}/{selector}/{start}-{stop}.provenance.json",
    log:
        "results/{run}/logs/choose/{paper}/{experiment}/{selector}/{start}-{stop}.log",
    localrule: True
    conda:
        "../envs/units.yaml"
    params:
        tuning=lambda wildcards: asdict(units.selector(wildcards).tuning),
        source=lambda wildcards: source_hash(["marginfs.study.tuning:choose", "marginfs.study.protocol:Tuning"]),
    script:
        "../workflow_scripts/choose.py"
