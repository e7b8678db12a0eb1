"""Errors of studies."""


class NoSuchStudy(LookupError):
    """There is no such study."""

    def __init__(self) -> None:
        super().__init__("There is no such study.")
