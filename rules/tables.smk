rule table:
    """One table of a paper: reproduced numbers beside the published ones, with a verdict on each."""
    input:
        evaluations=evaluations_of("tables"),
        published="config/published/{paper}.csv",
    output:
        csv="results/{fidelity}/tables/{paper}/table_{number}.csv",
        markdown="results/{fidelity}/tables/{paper}/table_{number}.md",
        latex="results/{fidelity}/tables/{paper}/table_{number}.tex",
    log:
        "results/{fidelity}/logs/tables/{paper}/table_{number}.log",
    conda:
        "../envs/report.yaml"
    params:
        spec=spec_of("tables"),
        trials=lambda wildcards: study.papers[wildcards.paper].protocol["trials"],
        source=source_hash(["marginfs.tables"]),
    script:
        "../workflow_scripts/table.py"


rule ranking:
    """The features of the user's own data in order of merit."""
    input:
        evaluation="results/{fidelity}/evaluations/{own}/ranking.csv",
        data="results/data/{own}.npz",
    output:
        csv="results/{fidelity}/tables/{own}/ranking.csv",
        markdown="results/{fidelity}/tables/{own}/ranking.md",
    log:
        "results/{fidelity}/logs/tables/{own}/ranking.log",
    conda:
        "../envs/report.yaml"
    params:
        source=source_hash(["marginfs.rankings"]),
    script:
        "../workflow_scripts/ranking.py"


rule claims:
    """Test the sentences of a paper that can be tested."""
    input:
        evaluations=lambda wildcards: sorted(
            {
                f"results/{wildcards.fidelity}/evaluations/{wildcards.paper}/{claim['experiment']}.csv"
                for claim in study.papers[wildcards.paper].claims
            }
        ),
    output:
        csv="results/{fidelity}/claims/{paper}.csv",
    log:
        "results/{fidelity}/logs/claims/{paper}.log",
    conda:
        "../envs/report.yaml"
    params:
        claims=lambda wildcards: study.papers[wildcards.paper].claims,
        source=source_hash(["marginfs.claims"]),
    script:
        "../workflow_scripts/claims.py"
