"""A study's file in place of the service of studies."""

from types import SimpleNamespace

import pytest

from runs.study_jobs.snapshots import read
from studies.file.reader import StudyReader


@pytest.fixture
def studies(path):
    snapshot, opened = read(path), []

    def reader(study):
        opened.append(study)
        return StudyReader(path)

    return SimpleNamespace(snapshot=lambda study: snapshot, reader=reader, opened=opened)
