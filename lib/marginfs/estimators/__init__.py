"""The methods of the papers as scikit-learn estimators; the only room that imports scikit-learn when it is loaded."""
