"""Optimisers: linear programs, the SVM dual and the problems around it."""
