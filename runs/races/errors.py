"""Errors of races."""


class NoSuchRace(LookupError):
    """There is no such race."""

    def __init__(self) -> None:
        super().__init__("There is no such race.")
