rule table:
    """One table of a paper: reproduced numbers beside the published ones, with a verdict on each."""
    input:
        evaluations=files.table,
        published=f"{CHECKOUT}/config/published/{{paper}}.csv",
    output:
        csv=report(
            "results/{run}/tables/{paper}/table_{number}.csv",
            caption="captions/table.rst",
            category="{paper}",
            subcategory="Tables",
            labels={"table": "{number}", "run": "{run}"},
        ),
        markdown="results/{run}/tables/{paper}/table_{number}.md",
        latex="results/{run}/tables/{paper}/table_{number}.tex",
    log:
        "results/{run}/logs/tables/{paper}/table_{number}.log",
    localrule: True
    conda:
        "../envs/report.yaml"
    params:
        spec=spec_of("tables"),
        trials=lambda wildcards: study.papers[wildcards.paper].protocol["trials"],
        reading=lambda wildcards: study.changes(wildcards.run),
        source=lambda wildcards: source_hash(["marginfs.results.latex_tables", "marginfs.results.evaluations"]),
    script:
        "../workflow_scripts/table.py"


rule ranking:
    """The ranked features of the user's own data, and how good the selectors are."""
    input:
        evaluation="results/{run}/evaluations/{own}/ranking.csv",
        final="results/{run}/evaluations/{own}/final.csv",
        data="results/data/{own}.npz",
    output:
        csv="results/{run}/tables/{own}/ranking.csv",
        markdown="results/{run}/tables/{own}/ranking.md",
        summary="results/{run}/tables/{own}/summary.csv",
        summary_markdown="results/{run}/tables/{own}/summary.md",
        comparisons="results/{run}/tables/{own}/comparisons.csv",
    log:
        "results/{run}/logs/tables/{own}/ranking.log",
    localrule: True
    conda:
        "../envs/report.yaml"
    params:
        train=lambda wildcards: study.papers[wildcards.own].protocol["experiments"]["ranking"]["data"]["split"]["train"],
        source=lambda wildcards: source_hash(["marginfs.results.own_rankings", "marginfs.results.own_summary"]),
    script:
        "../workflow_scripts/ranking.py"


rule comparison:
    """Selectors compared over data sets: mean rank, error, stability and CPU time, and a paragraph about them."""
    input:
        evaluations=files.compared,
        timings=files.compared_times,
    output:
        csv=report(
            "results/{run}/tables/{comparison}/comparison.csv",
            caption="captions/comparison.rst",
            category="{comparison}",
            subcategory="Tables",
            labels={"table": "comparison", "run": "{run}"},
        ),
        markdown="results/{run}/tables/{comparison}/comparison.md",
        text="results/{run}/tables/{comparison}/comparison.txt",
    log:
        "results/{run}/logs/tables/{comparison}/comparison.log",
    localrule: True
    conda:
        "../envs/report.yaml"
    params:
        title=lambda wildcards: study.papers[wildcards.comparison].protocol["title"],
        shown=lambda wildcards: study.papers[wildcards.comparison].protocol["comparison"],
        source=lambda wildcards: source_hash(["marginfs.results.comparison_table", "marginfs.results.evaluations"]),
    script:
        "../workflow_scripts/comparison.py"


rule claims:
    """Test the sentences of a paper that can be tested."""
    input:
        measures=files.claims,
    output:
        csv=report(
            "results/{run}/claims/{paper}.csv",
            caption="captions/claims.rst",
            category="{paper}",
            subcategory="Claims",
            labels={"claims": "all", "run": "{run}"},
        ),
    log:
        "results/{run}/logs/claims/{paper}.log",
    localrule: True
    conda:
        "../envs/report.yaml"
    params:
        claims=lambda wildcards: study.papers[wildcards.paper].claims,
        source=lambda wildcards: source_hash(["marginfs.results.claims"]),
    script:
        "../workflow_scripts/claims.py"


rule my_selectors:
    """Where the user's own selectors ran, and why not elsewhere."""
    output:
        csv="results/{run}/tables/my_selectors.csv",
    log:
        "results/{run}/logs/tables/my_selectors.log",
    localrule: True
    conda:
        "../envs/report.yaml"
    params:
        placed=study.placed,
    script:
        "../workflow_scripts/my_selectors.py"
