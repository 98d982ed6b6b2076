rule figure:
    """One figure of a paper, and the curves in it as a table."""
    input:
        evaluations=evaluations_of("figures"),
    output:
        pdf="results/{fidelity}/figures/{paper}/figure_{number}.pdf",
        png="results/{fidelity}/figures/{paper}/figure_{number}.png",
        csv="results/{fidelity}/figures/{paper}/figure_{number}.csv",
    log:
        "results/{fidelity}/logs/figures/{paper}/figure_{number}.log",
    conda:
        "../envs/report.yaml"
    params:
        spec=spec_of("figures"),
        trials=lambda wildcards: study.papers[wildcards.paper].protocol.get("trials"),
        source=source_hash(["marginfs.figures"]),
    script:
        "../workflow_scripts/figure.py"
