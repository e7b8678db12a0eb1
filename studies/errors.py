"""What a study can be refused for, each told in one sentence."""


class InvalidStudy(ValueError):
    """A study file that cannot be used: it is none, damaged, of another version, or of another study."""


class StudyTaken(RuntimeError):
    """Another process works on the study."""


class MissingPackage(RuntimeError):
    """An optional package is needed that is not installed."""
