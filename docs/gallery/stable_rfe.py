"""How stable a ranking is: the same elimination on many subsamples of the points."""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.preprocessing import StandardScaler

from marginfs import MFE, SVMRFE, Correlation

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
names, X = X.columns, StandardScaler().fit_transform(X)
splits = list(StratifiedShuffleSplit(30, train_size=0.7, random_state=0).split(X, y))

figure, axes = plt.subplots(1, 3, figsize=(11, 5.5), layout="constrained", sharey=True)
for axis, selector in zip(axes, (SVMRFE(), MFE(), Correlation()), strict=True):
    places = np.array([selector.fit(X[train], y[train]).ranking_ for train, _ in splits])
    share = [(places <= 10).mean(axis=0)[k] for k in range(len(names))]
    axis.barh(range(len(names)), share, color="#4477aa")
    axis.set(title=type(selector).__name__, xlabel="Share of subsamples with\nthe feature in the top ten")
    sure = np.sum(np.array(share) > 0.9)
    print(f"{type(selector).__name__}: {sure} features are in the top ten of more than 90 % of the subsamples.")
axes[0].set_yticks(range(len(names)), names, fontsize=7.5)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).with_suffix(".png"), dpi=120)
