"""Figures: one drawer a file, and one table of styles."""
