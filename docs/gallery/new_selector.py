"""A selector of your own in a published experiment: table 1 of Rakotomamonjy (2003), with a row that is not in it.

In the workflow this is one entry of config.yaml (`my_selectors`); here the same units run from Python.
"""

import sys
from itertools import product
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from marginfs.study.config import load_study
from marginfs.study.unit_jobs import evaluate, select

CONFIG = Path(__file__).parents[2] / "config"
entry = {"method": "sklearn.linear_model:LogisticRegression", "label": "L1 logistic (new)"}
entry |= {"l1_ratio": 1.0, "solver": "liblinear"}
study = load_study({"my_selectors": {"lasso": entry}, "fidelity": "smoke"}, CONFIG)
experiment = study.experiment("rakotomamonjy2003", "linear_toy", "quick")
wanted = ["corr", "grad_w2", "grad_r2w2", "lasso"]

units = 6 * len(experiment.plan.points())
found = {n: list(select(experiment.plan, experiment.selectors[n], 0, units, {})) for n in wanted}
rows = list(evaluate(experiment.plan, experiment.evaluation, found, 0, units, {}))
errors = {key: [row[-1] for row in rows if (row[0], row[2]) == key] for key in product(wanted, (10, 30, 50))}

figure, axis = plt.subplots(figsize=(6.5, 4), layout="constrained")
labels = study.papers["rakotomamonjy2003"].protocol["tables"]["1"]["rows"]["labels"]
for place, name in enumerate(wanted):
    means = [100 * np.mean(errors[name, size]) for size in (10, 30, 50)]
    axis.bar(np.arange(3) + 0.2 * (place - 1.5), means, width=0.18, label=labels[name])
    print(f"{labels[name]:20}", *(f"{mean:6.1f} %" for mean in means))
axis.set_xticks(range(3), ["n = 10", "n = 30", "n = 50"])
axis.set(ylabel="Test error (%) on the two best of 202 features", title="Linear toy problem, six draws of each size")
figure.legend(loc="outside lower center", ncols=4)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).with_suffix(".png"), dpi=120)
