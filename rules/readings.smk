rule compare_readings:
    """What every other reading of a paper changes in its tables."""
    input:
        files.readings,
    output:
        csv="results/{fidelity}/readings/{paper}.csv",
        markdown="results/{fidelity}/readings/{paper}.md",
    log:
        "results/{fidelity}/logs/readings/{paper}.log",
    wildcard_constraints:
        fidelity="smoke|quick|paper",
    localrule: True
    conda:
        "../envs/report.yaml"
    params:
        fidelity=lambda wildcards: wildcards.fidelity,
        source=lambda wildcards: source_hash(["marginfs.results.readings"]),
    script:
        "../workflow_scripts/readings.py"


rule readings:
    """One table per paper: how many cells each other reading matches, and which it changes."""
    input:
        expand(
            "results/{fidelity}/readings/{paper}.md",
            fidelity=study.fidelity,
            paper=[paper for paper in study.published(study.selected) if study.alternatives(paper)],
        ),
    localrule: True
