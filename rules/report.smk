rule provenance:
    """What one paper's results were made with: commit, versions, configuration, time and memory."""
    input:
        lambda wildcards: [
            path.replace(".csv", ".provenance.json")
            for path in gathered(wildcards, study.papers[wildcards.paper].protocol["experiments"])
        ],
    output:
        "results/{run}/provenance/{paper}.json",
    log:
        "results/{run}/logs/provenance/{paper}.log",
    localrule: True
    conda:
        "../envs/report.yaml"
    params:
        study=lambda wildcards: {
            "fidelity": wildcards.run.partition("+")[0],
            "seed": study.seed_of(wildcards.run),
            "choices": study.choices_made(wildcards.paper, wildcards.run),
            "trials": study.trials.get(wildcards.paper, {}),
        },
    script:
        "../workflow_scripts/provenance.py"


rule summary:
    """The page that a reviewer reads first."""
    input:
        artefacts=lambda wildcards: artefacts(wildcards.run, study.selected),
        provenance=expand(rules.provenance.output, paper=study.selected, allow_missing=True),
        data_card=rules.data_card.output.markdown,
        data=lambda wildcards: expand("results/data/{data}.json", data=data_sets_of(wildcards.run, study.selected)),
        tuned=lambda wildcards: tuned_evaluations(wildcards.run, study.selected),
    output:
        "results/{run}/summary.md",
    log:
        "results/{run}/logs/summary.log",
    conda:
        "../envs/report.yaml"
    params:
        papers={key: study.papers[key].protocol for key in study.selected if key not in study.own_data},
        claims={key: study.papers[key].claims for key in study.selected},
        own_data={key: study.papers[key].protocol for key in study.selected if key in study.own_data},
        reading=lambda wildcards: study.changes(wildcards.run),
        source=source_hash(["marginfs.results.summary"]),
    script:
        "../workflow_scripts/summary.py"


rule reference:
    """Publish a full run's numbers: copy the tables and curves of `paper` fidelity to results/reference/."""
    input:
        artefacts=to_publish,
        tuned=lambda wildcards: tuned_evaluations("paper", [wildcards.paper]),
        claims="results/paper/claims/{paper}.csv",
        provenance="results/paper/provenance/{paper}.json",
    output:
        update("results/reference/{paper}/provenance.json"),
    log:
        "results/paper/logs/reference/{paper}.log",
    conda:
        "../envs/report.yaml"
    script:
        "../workflow_scripts/reference.py"


rule verify:
    """Compare every result with its seal, and remove what is damaged."""
    log:
        "results/logs/verify.log",
    localrule: True
    conda:
        "../envs/units.yaml"
    script:
        "../workflow_scripts/verify.py"
