"""Errors that a user can mend. Scripts and the Snakefile print their message alone, without a traceback."""


class MarginfsError(Exception):
    """One sentence that names the key or file, what was found and what to write instead."""


class ConfigError(MarginfsError):
    """A configuration file says something that the workflow cannot do."""


class DataError(MarginfsError):
    """A data set is missing, corrupt, or not what the method needs."""


class MissingDataError(DataError):
    """A data set could not be obtained; what does not need it goes on."""


class NotSeparableError(DataError):
    """A method that needs linearly separable training data was given other data."""


class DamagedFileError(MarginfsError):
    """A file between two jobs is not what the first one wrote."""
