"""The error of an unusable data folder or backup."""


class HomeRefused(RuntimeError):
    """A data folder or backup is unusable; the message is a sentence for the user."""
