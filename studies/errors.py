"""Errors of studies, whose messages are sentences for the user."""


class InvalidStudy(ValueError):
    """The file is not a study, damaged, of another version, or of another study."""


class StudyLocked(RuntimeError):
    """Another process has locked the study."""


class MissingPackage(RuntimeError):
    """An optional package is not installed."""
