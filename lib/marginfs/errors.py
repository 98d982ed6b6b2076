"""Errors that a user can mend. Scripts and the Snakefile print their message alone, without a traceback."""


class MarginfsError(Exception):
    """One sentence that names the key or file, what was found and what to write instead."""


class ConfigError(MarginfsError):
    """A configuration file says something that the workflow cannot do."""


class DataError(MarginfsError):
    """A data set is missing, corrupt, or not what the method needs."""


class NotSeparableError(DataError):
    """A method that needs linearly separable training data was given other data."""
