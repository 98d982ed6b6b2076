rule provenance:
    """What one paper's results were made with: commit, versions, configuration, time and memory."""
    input:
        lambda wildcards: expand(
            "results/{fidelity}/evaluations/{paper}/{experiment}.provenance.json",
            experiment=study.papers[wildcards.paper].protocol["experiments"],
            allow_missing=True,
        ),
    output:
        "results/{fidelity}/provenance/{paper}.json",
    log:
        "results/{fidelity}/logs/provenance/{paper}.log",
    localrule: True
    conda:
        "../envs/report.yaml"
    params:
        study=lambda wildcards: {
            "fidelity": wildcards.fidelity,
            "seed": study.seed,
            "choices": dict(study.papers[wildcards.paper].choices),
        },
    script:
        "../workflow_scripts/provenance.py"


rule summary:
    """The page that a reviewer reads first."""
    input:
        artefacts=lambda wildcards: artefacts(wildcards.fidelity, study.selected),
        provenance=expand(rules.provenance.output, paper=study.selected, allow_missing=True),
        data_card=rules.data_card.output.markdown,
        data=lambda wildcards: expand("results/data/{data}.json", data=data_sets_of(wildcards.fidelity, study.selected)),
    output:
        "results/{fidelity}/summary.md",
    log:
        "results/{fidelity}/logs/summary.log",
    conda:
        "../envs/report.yaml"
    params:
        papers={key: study.papers[key].protocol for key in study.selected if key not in study.own_data},
        claims={key: study.papers[key].claims for key in study.selected},
        own_data={key: study.papers[key].protocol for key in study.selected if key in study.own_data},
        source=source_hash(["marginfs.report"]),
    script:
        "../workflow_scripts/summary.py"


rule reference:
    """Publish a full run's numbers: copy the tables and curves of `paper` fidelity to results/reference/."""
    input:
        artefacts=lambda wildcards: artefacts("paper", [wildcards.paper]),
        provenance="results/paper/provenance/{paper}.json",
    output:
        "results/reference/{paper}/provenance.json",
    log:
        "results/paper/logs/reference/{paper}.log",
    conda:
        "../envs/report.yaml"
    script:
        "../workflow_scripts/reference.py"
