"""Errors of studies; each message is a sentence for the user."""


class InvalidStudy(ValueError):
    """Unusable study file: not a study file, damaged, of another version, or of another study."""


class StudyLocked(RuntimeError):
    """Another process has locked the study."""


class MissingPackage(RuntimeError):
    """An optional package is not installed."""
