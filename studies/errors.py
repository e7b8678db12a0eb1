"""Errors of studies, whose messages are sentences for the user."""


class InvalidStudy(ValueError):
    """The file is not a study, is damaged, or belongs to another version or another study."""


class StudyLocked(RuntimeError):
    """Another process has locked the study."""


class MissingPackage(RuntimeError):
    """An optional package is not installed."""
