rule prepare:
    """Obtain one data set from the first source that has it, verify it, and make numbers of it."""
    output:
        data="results/data/{data}.npz",
        provenance="results/data/{data}.json",
    log:
        "results/logs/prepare/{data}.log",
    conda:
        "../envs/data.yaml"
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        catalogue=lambda wildcards: study.catalogue[wildcards.data],
        choices=lambda wildcards: study.data_choices[wildcards.data],
        mirror=study.mirror,
        missing_data=study.missing_data,
        attempt=lambda wildcards, output: attempt(output.provenance),
        source=source_hash(["marginfs.data.jobs"]),
    script:
        "../workflow_scripts/prepare.py"


rule simulate:
    """Make one of the data sets that paper D draws once by scikit-learn."""
    output:
        data="results/data/{simulated}.npz",
        provenance="results/data/{simulated}.json",
    log:
        "results/logs/prepare/{simulated}.log",
    conda:
        "../envs/data.yaml"
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        call=lambda wildcards: PLANAS[wildcards.simulated],
        source=source_hash(["marginfs.data.jobs"]),
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
    conda:
        "../envs/data.yaml"
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        options=lambda wildcards: table_options(study.own_data[wildcards.own]),
        source=source_hash(["marginfs.data.jobs"]),
    script:
        "../workflow_scripts/prepare_own.py"


rule data_card:
    """Size, classes, source and content hash of every data set of a run."""
    input:
        data=lambda wildcards: expand("results/data/{data}.npz", data=data_sets_of(wildcards.fidelity, study.selected)),
        provenance=lambda wildcards: expand(
            "results/data/{data}.json", data=data_sets_of(wildcards.fidelity, study.selected)
        ),
    output:
        csv="results/{fidelity}/data_card.csv",
        markdown="results/{fidelity}/data_card.md",
    log:
        "results/{fidelity}/logs/data_card.log",
    localrule: True
    conda:
        "../envs/data.yaml"
    params:
        source=source_hash(["marginfs.data.card"]),
    script:
        "../workflow_scripts/data_card.py"
