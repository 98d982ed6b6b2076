REPORT_TEMPLATES = sorted(map(str, (CHECKOUT / "lib/marginfs/results/report/templates").iterdir()))


rule provenance:
    """What one paper's results were made with: commit, versions, configuration, time and memory."""
    input:
        files.provenances,
    output:
        "results/{run}/provenance/{paper}.json",
    log:
        "results/{run}/logs/provenance/{paper}.log",
    localrule: True
    conda:
        "../envs/report.yaml"
    params:
        study=lambda wildcards: study.made_with(wildcards.paper, wildcards.run),
    script:
        "../workflow_scripts/provenance.py"


rule report:
    """The page that a reviewer reads first."""
    input:
        lambda wildcards: report_inputs(wildcards.run, study.selected),
        templates=REPORT_TEMPLATES,
        data_card=rules.data_card.output.csv,
    output:
        report(
            "results/{run}/report.html",
            caption="captions/report.rst",
            category="Overview",
            labels={"report": "all papers", "run": "{run}"},
        ),
    log:
        "results/{run}/logs/report.log",
    localrule: True
    conda:
        "../envs/report.yaml"
    params:
        request=lambda wildcards: report_request(study, wildcards.run, study.selected, REFERENCE),
        source=lambda wildcards: source_hash(["marginfs.results.report.write"]),
    script:
        "../workflow_scripts/report.py"


rule paper_report:
    """The same page for one paper or data set."""
    input:
        lambda wildcards: report_inputs(wildcards.run, [wildcards.paper]),
        templates=REPORT_TEMPLATES,
    output:
        report(
            "results/{run}/reports/{paper}.html",
            caption="captions/report.rst",
            category="Overview",
            labels={"report": "{paper}", "run": "{run}"},
        ),
    log:
        "results/{run}/logs/reports/{paper}.log",
    localrule: True
    conda:
        "../envs/report.yaml"
    params:
        request=lambda wildcards: report_request(study, wildcards.run, [wildcards.paper], REFERENCE),
        source=lambda wildcards: source_hash(["marginfs.results.report.write"]),
    script:
        "../workflow_scripts/report.py"


rule reference:
    """Publish a full run's numbers: what it has most trials of replaces what stands in results/reference/."""
    input:
        files=lambda wildcards: [file.path for file in publication(study, wildcards.paper).values() if file.offered],
        claims=lambda wildcards: [f"results/paper/claims/{key}.csv" for key in study.published([wildcards.paper])],
        provenance="results/paper/provenance/{paper}.json",
    output:
        update("results/reference/{paper}/provenance.json"),
    log:
        "results/paper/logs/reference/{paper}.log",
    localrule: True
    conda:
        "../envs/report.yaml"
    params:
        publication=lambda wildcards: {name: tuple(file) for name, file in publication(study, wildcards.paper).items()},
        tests=lambda wildcards: claims_behind(study, wildcards.paper),
        tuned=lambda wildcards: tuned_orders(study, [wildcards.paper]),
    script:
        "../workflow_scripts/reference.py"


rule keep:
    """Keep what tuning has found so far, beside what is published; runs no job, and may be called while others run."""
    log:
        "results/paper/logs/keep.log",
    localrule: True
    conda:
        "../envs/units.yaml"
    params:
        run=study.run,
        reference=str(REFERENCE),
        orders=lambda wildcards: tuned_orders(study, study.selected),
    script:
        "../workflow_scripts/keep.py"


rule restore:
    """Go on from what is published or kept: evaluations, what tuning chose and found, as a full run has them."""
    input:
        data_to_restore,
    log:
        "results/paper/logs/restore.log",
    localrule: True
    conda:
        "../envs/units.yaml"
    params:
        run=study.run,
        reference=str(REFERENCE),
        orders=lambda wildcards: orders_of(study, REFERENCE),
        tuned=lambda wildcards: tuned_orders(study, study.selected),
    script:
        "../workflow_scripts/restore.py"


rule verify:
    """Compare every result with its seal, and remove what is damaged."""
    log:
        "results/logs/verify.log",
    localrule: True
    conda:
        "../envs/units.yaml"
    script:
        "../workflow_scripts/verify.py"


rule reference_pages:
    """A page for every published full run, and one that lists them, for readers of the repository."""
    input:
        published_files(REFERENCE, study.papers),
        templates=REPORT_TEMPLATES,
    output:
        update("results/reference/README.md"),
    log:
        "results/logs/reference_pages.log",
    localrule: True
    conda:
        "../envs/report.yaml"
    params:
        papers={key: study.papers[key].protocol for key in study.published(study.papers)},
        claims={key: study.papers[key].claims for key in study.published(study.papers)},
        comparisons={key: study.papers[key].protocol for key in study.comparisons},
        source=lambda wildcards: source_hash(["marginfs.results.report.reference_pages"]),
    script:
        "../workflow_scripts/reference_pages.py"
