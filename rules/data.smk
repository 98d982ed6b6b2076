rule prepare:
    """Obtain one data set from the first source that has it, verify it, and make numbers of it."""
    output:
        data="results/data/{data}.npz",
        provenance="results/data/{data}.json",
    log:
        "results/logs/prepare/{data}.log",
    wildcard_constraints:
        data=variant_pattern(study.catalogue),
    localrule: True
    conda:
        "../envs/data.yaml"
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        recipe=lambda wildcards: entry_of(wildcards).recipe,
        choices=data_choices_of,
        mirror=study.mirror,
        missing_data=study.missing_data,
        attempt=lambda wildcards: attempt(rules.prepare.output.provenance.format(**wildcards)),
        source=lambda wildcards: source_hash(
            ["marginfs.data.data_jobs:prepare_data_set", *(PARSERS[name] for name in entry_of(wildcards).formats())]
        ),
    script:
        "../workflow_scripts/prepare.py"


rule simulate:
    """Make one of the data sets that planas2021 draws once by scikit-learn."""
    output:
        data="results/data/{simulated}.npz",
        provenance="results/data/{simulated}.json",
    log:
        "results/logs/prepare/{simulated}.log",
    wildcard_constraints:
        simulated=variant_pattern(SIMULATED),
    localrule: True
    conda:
        "../envs/data.yaml"
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        title=lambda wildcards: SIMULATED[split_variant(wildcards.simulated)[0]].title,
        call=call_of,
        source=lambda wildcards: source_hash(["marginfs.data.data_jobs:simulate_data_set"]),
    script:
        "../workflow_scripts/simulate.py"


rule prepare_own:
    """Read a table of the user's own."""
    input:
        lambda wildcards: study.own_data[wildcards.own]["path"],
    output:
        data="results/data/{own}.npz",
        provenance="results/data/{own}.json",
    log:
        "results/logs/prepare/{own}.log",
    localrule: True
    conda:
        "../envs/data.yaml"
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        options=lambda wildcards: table_options(study.own_data[wildcards.own]),
        source=lambda wildcards: source_hash(["marginfs.data.data_jobs:prepare_own_table"]),
    script:
        "../workflow_scripts/prepare_own.py"


rule data_card:
    """Size, classes, source and content hash of every data set of a run."""
    input:
        data=lambda wildcards: expand("results/data/{data}.npz", data=files.data_sets(wildcards.run, study.selected)),
        provenance=lambda wildcards: expand(
            "results/data/{data}.json", data=files.data_sets(wildcards.run, study.selected)
        ),
    output:
        csv="results/{run}/data_card.csv",
        markdown="results/{run}/data_card.md",
    log:
        "results/{run}/logs/data_card.log",
    localrule: True
    conda:
        "../envs/data.yaml"
    params:
        source=lambda wildcards: source_hash(["marginfs.data.data_jobs:write_data_card"]),
    script:
        "../workflow_scripts/data_card.py"
