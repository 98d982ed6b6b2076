rule select:
    """Run one selector on a chunk of units, with the options that tuning chose where it is tuned."""
    input:
        data=units.data,
        tuned=units.tuned,
    output:
        selections="results/{run}/selections/{paper}/{experiment}/{selector}/{start}-{stop}.jsonl",
        provenance="results/{run}/selections/{paper}/{experiment}/{selector}/{start}-{stop}.provenance.json",
    log:
        "results/{run}/logs/select/{paper}/{experiment}/{selector}/{start}-{stop}.log",
    conda:
        "../envs/units.yaml"
    resources:
        mem_mb=resource_of("mem_mb"),
        runtime=resource_of("runtime"),
    params:
        plan=plan_of,
        selector=lambda wildcards: asdict(units.selector(wildcards)),
        source=lambda wildcards: selection_source(units.experiment(wildcards), wildcards.selector),
    script:
        "../workflow_scripts/select.py"


rule time:
    """Measure the CPU time of one selector on a chunk of units, on a core of its own."""
    input:
        data=units.data,
        tuned=units.tuned,
    output:
        measures="results/{run}/timings/{paper}/{experiment}/{selector}/{start}-{stop}.csv",
    log:
        "results/{run}/logs/time/{paper}/{experiment}/{selector}/{start}-{stop}.log",
    conda:
        "../envs/units.yaml"
    threads: 1
    resources:
        mem_mb=resource_of("mem_mb"),
        runtime=resource_of("runtime"),
    params:
        plan=plan_of,
        selector=lambda wildcards: asdict(units.selector(wildcards)),
        repeats=lambda wildcards: units.experiment(wildcards).timing.repeats,
        units=lambda wildcards: units.experiment(wildcards).timed_units,
        source=lambda wildcards: selection_source(units.experiment(wildcards), wildcards.selector),
    script:
        "../workflow_scripts/time_units.py"


rule gather_timings:
    """One file of CPU times per experiment; times differ from run to run, so they stand apart from all other results."""
    input:
        measures=units.by_chunk(rules.time.output.measures, "timed_chunks"),
    output:
        measures="results/{run}/timings/{paper}/{experiment}.csv",
    log:
        "results/{run}/logs/gather_timings/{paper}/{experiment}.log",
    localrule: True
    conda:
        "../envs/units.yaml"
    params:
        columns=lambda wildcards: columns(units.experiment(wildcards).plan),
        source=lambda wildcards: source_hash(["marginfs.results.gather:join_measures"]),
    script:
        "../workflow_scripts/gather_timings.py"
