"""Data: where it comes from, how it is verified, prepared and split, and the simulated problems of the papers.

What a unit job imports (generators, splits, scaling, dataset) needs numpy alone; fetching and parsing need more.
"""
