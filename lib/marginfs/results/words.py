"""Numbers in sentences."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Say how many there are.

    Parameters
    ----------
    number : int
        How many.
    noun : str
        Of what, in the singular.

    Returns
    -------
    str
        For example "1 trial" or "2 trials".
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"
