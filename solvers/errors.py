"""The few errors that a run can end with, each told in one sentence that says what to do."""


class InvalidParams(ValueError):
    """A parameter out of its range, unknown, or in conflict with another.

    Parameters
    ----------
    name : str
        The parameter's name.
    value : object
        What was given.
    allowed : str
        The range or the choices, in words.
    sentence : str, optional
        What is told instead of "`name` is `value`, but must be `allowed`."
    """

    def __init__(self, name: str, value: object, allowed: str, sentence: str = "") -> None:
        super().__init__(sentence or f"{name} is {value!r:.80}, but must be {allowed}.")
        self.name = name
        self.value = value
        self.allowed = allowed


class DeviceUnavailable(RuntimeError):
    """The device that was asked for is missing, or the algorithm has no variant for it."""


class InstanceTooLarge(ValueError):
    """The instance needs more memory or time than the algorithm can have."""


class RunFailed(RuntimeError):
    """A run ended by a fault of the program or the machine; the traceback is in the log."""
