"""Errors that can end a run. Each message is a sentence that also says what to do."""


class InvalidParams(ValueError):
    """A parameter is out of range, unknown, or conflicts with another.

    Parameters
    ----------
    name : str
        The parameter's name.
    value : object
        The invalid value.
    allowed : str
        The range or the choices, in words.
    sentence : str, optional
        The message, instead of "`name` is `value`, but must be `allowed`."
    """

    def __init__(self, name: str, value: object, allowed: str, sentence: str = "") -> None:
        super().__init__(sentence or f"{name} is {value!r:.80}, but must be {allowed}.")
        self.name = name
        self.value = value
        self.allowed = allowed


class DeviceUnavailable(RuntimeError):
    """The requested device is missing, or the algorithm has no variant for it."""


class InstanceTooLarge(ValueError):
    """The instance needs more memory or time than is available."""


class NoPicture(ValueError):
    """There is no picture of this kind of the instance."""


class RunFailed(RuntimeError):
    """A fault of the program or the machine ended the run; the log has the traceback."""
