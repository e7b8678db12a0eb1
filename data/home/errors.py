"""The error of a data folder, or of its backup, that cannot be used."""


class HomeRefused(RuntimeError):
    """A data folder or a backup that cannot be used; the message is one sentence for the user."""
