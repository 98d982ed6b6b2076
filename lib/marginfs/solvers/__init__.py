"""Optimisation problems, each solved to a stated tolerance."""
