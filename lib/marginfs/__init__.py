"""SVM feature selection: solvers, criteria and searches as plain functions on numpy arrays.

The core imports neither scikit-learn nor pandas, so that a workflow job starts in about half a second.
"""

__version__ = "0.1.0"
