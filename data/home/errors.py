"""The error of an unusable data folder or backup."""


class HomeRefused(RuntimeError):
    """An unusable data folder or backup; the message is one sentence for the user."""
