"""Where data come from: a mirror folder, the cache, an address, an archive, a package, scikit-learn.

obtain: the sources of a data set in turn, until one is good. source_files: the files of one source. The others: one
kind of place or file each.
"""
