"""A class that no single feature tells: AO-EFS finds the two that do together, where filters see nothing."""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from marginfs import AOEFS, Correlation

# The class is inside or outside a circle in the first two of ten features.
rng = np.random.default_rng(0)
X = rng.standard_normal((200, 10))
y = np.where(X[:, 0] ** 2 + X[:, 1] ** 2 < 1.5, "inside", "outside")

embedded = AOEFS(2, mu=5.0).fit(X, y)
linear = Correlation(2).fit(X, y)
print("AO-EFS:", embedded.get_support(indices=True), " correlation:", linear.get_support(indices=True))

figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.8), layout="constrained")
for axis, model, title in ((left, embedded, "AO-EFS: weight"), (middle, linear, "Correlation: |r|")):
    axis.bar(range(1, 11), model.scores_, color=np.where(model.support_, "#cc3311", "#4477aa"))
    axis.set(xlabel="Feature", title=title)
grid = np.stack(np.meshgrid(np.linspace(-3, 3, 80), np.linspace(-3, 3, 80)), axis=-1).reshape(-1, 2)
first, second = embedded.get_support(indices=True)
points = np.zeros((len(grid), 10))
points[:, [first, second]] = grid
surface = embedded.decision_function(points).reshape(80, 80)
right.contourf(surface, levels=[-10, 0, 10], extent=(-3, 3, -3, 3), colors=["#cfe0f0", "#f6d5cd"])
for label, colour in (("inside", "#4477aa"), ("outside", "#cc3311")):
    right.scatter(X[y == label, first], X[y == label, second], s=9, color=colour, label=label)
right.set(
    xlabel=f"Feature {first + 1}",
    ylabel=f"Feature {second + 1}",
    title="The machine, other features at 0",
    xlim=(-3, 3),
)
right.legend(loc="upper right", fontsize=8)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).with_suffix(".png"), dpi=120)
