"""Test the sentences of a paper that can be tested."""

from pathlib import Path

import pandas as pd

from marginfs.files import write_frame
from marginfs.results.claims import check_claims
from marginfs.study.claim_specs import Claim
from marginfs.study.process import job

with job(snakemake):
    claims = [Claim.from_config(claim, snakemake.wildcards.paper) for claim in snakemake.params.claims]
    metrics = {metric for claim in claims for metric in claim.metrics}
    files: dict[str, list[pd.DataFrame]] = {}
    for path in map(Path, snakemake.input.measures):
        files.setdefault(path.stem, []).append(pd.read_csv(path).query("metric in @metrics"))
    evaluations = {name: pd.concat(parts, ignore_index=True) for name, parts in files.items()}
    write_frame(snakemake.output.csv, check_claims(claims, evaluations))
