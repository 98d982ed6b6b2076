rule figure:
    """One figure of a paper, and the curves in it as a table."""
    input:
        evaluations=files.figure,
    output:
        pdf="results/{run}/figures/{paper}/figure_{number}.pdf",
        png=report(
            "results/{run}/figures/{paper}/figure_{number}.png",
            caption="captions/figure.rst",
            category="{paper}",
            subcategory="Figures",
            labels={"figure": "{number}", "run": "{run}"},
        ),
        csv="results/{run}/figures/{paper}/figure_{number}.csv",
    log:
        "results/{run}/logs/figures/{paper}/figure_{number}.log",
    localrule: True
    conda:
        "../envs/report.yaml"
    params:
        spec=spec_of("figures"),
        trials=lambda wildcards: study.papers[wildcards.paper].protocol.get("trials"),
        reading=lambda wildcards: study.changes(wildcards.run),
        source=lambda wildcards: source_hash(["marginfs.results.figures.page", drawer_of(wildcards)]),
    script:
        "../workflow_scripts/figure.py"
