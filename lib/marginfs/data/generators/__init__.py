"""Simulated problems, one a file: those that unit jobs draw, and those that a job of their own draws once.

problems: the table of the former. simulated_sets: the table of the latter.
"""
