"""A study file that somebody else made is dropped on the study page, and opened; one that is none is refused there."""

import pytest

from tests.studies.small_study import done, tiny

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


def test_a_study_file_is_taken_and_opened(page, server, tmp_path):
    theirs = done(tmp_path / "theirs.tourstudy", tiny(title="Of a stranger"))
    page.goto(server.url + "study/")
    page.wait_for_selector("#study-upload input", state="attached")
    page.set_input_files("#study-upload input", theirs)
    page.wait_for_function("() => document.getElementById('study-heading').textContent.includes('Of a stranger')")
    page.wait_for_url("**id=*")


@pytest.mark.long
def test_a_file_that_is_no_study_is_refused_in_a_sentence(page, server, tmp_path):
    page.goto(server.url + "study/")
    page.wait_for_selector("#study-upload input", state="attached")
    harm = tmp_path / "harm.tourstudy"
    harm.write_bytes(b"no study")
    page.set_input_files("#study-upload input", harm)
    page.wait_for_function(
        "() => document.getElementById('study-upload-note').textContent.includes('cannot be imported')"
    )
