"""Data: where it comes from, how it is verified, prepared and split, and the simulated problems of the papers.

In the order of the way that data takes:

catalogue
    What config/datasets.yaml says of each data set.
sources, parsers
    The files of a source, from wherever they are, and the text records in them.
table, canonical
    Numbers and labels of a source, and the hash by which all sources must agree.
preparation
    From such a table, or a user's own, to a data set.
dataset, variants, card
    The prepared file, its name, and the list of all that a run used.
generators
    Simulated problems.
splits, normalise, load
    What a unit job does with a data set or generator; these and the generators need numpy alone.
data_jobs
    What the rules of rules/data.smk call.
"""
