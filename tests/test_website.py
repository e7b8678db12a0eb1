"""The documentation site lists every document and shows the same contents as the application."""

import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

from components.shell import markdown
from solvers import SOLVERS
from website import contents, lesson_pages, reference

ROOT = Path(__file__).resolve().parent.parent
INDEX = (markdown.DOCS / "index.md").read_text("utf-8")


def test_every_document_is_in_the_list():
    found = contents.parse_sections(INDEX)
    assert list(found) == ["Tutorials", "How-to guides", "Algorithms", "Reference", "Explanation"]
    assert contents.find_unlisted(found, markdown.DOCS) == [], "add a line to docs/index.md"
    assert found["Algorithms"] == [(each.title, f"algorithms/{each.name}.md") for each in SOLVERS]


def test_unlisted_document_is_found(tmp_path):
    for name in ("index.md", "listed.md", "forgotten.md"):
        (tmp_path / name).touch()
    assert contents.find_unlisted({"A": [("Listed", "listed.md")]}, tmp_path) == ["forgotten.md"]


def test_the_navigation_follows_the_list():
    created_items = contents.build_navigation(
        {"A": [("One", "1.md")], "B": []}, [("L", "l.md")], {"B": [("Two", "2.md")], "C": []}
    )
    assert created_items[1:] == [
        {"A": [{"One": "1.md"}, {"The lessons": [{"L": "l.md"}]}]},
        {"B": [{"Two": "2.md"}]},
        {"C": []},
    ]


def test_lessons_are_pages_with_folded_answers():
    for lesson in lesson_pages.load_lessons():
        page = lesson_pages.format_lesson(lesson)
        assert page.startswith(f"# {lesson.title}\n")
        assert "[x]" not in page
        assert page.count('??? note "The answer"') == sum(step.kind in ("question", "check") for step in lesson.steps)
        for step in lesson.steps:
            assert f"## {step.title}" in page
            assert step.exercise is None or step.exercise.query in page


def test_reference_has_every_parameter_with_its_default():
    page = reference.format_parameters()
    for solver in SOLVERS:
        part = page.split(f"`{solver.name}`: ", 1)[1].split("\n## ")[0]
        for param in solver.params.schema():
            assert f"| `{param.name}`" in part
            assert param.kind in ("bool", "tour") or f"`{param.default}`" in part


def words(html: str) -> str:
    """The text of some HTML without spaces and the site's own marks."""
    plain = unescape(re.sub(r"<[^>]+>", "", html)).replace("¶", "")
    return re.sub(r"\s+|\\[()\[\]]", "", plain)


@pytest.mark.long
def test_site_is_built_strictly_and_matches_the_application(tmp_path):
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--config-file", "website/mkdocs.yml"]
    done = subprocess.run([*command, "--site-dir", str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for path in markdown.DOCS.rglob("*.md"):
        name = path.relative_to(markdown.DOCS).as_posix()
        if not name.startswith(("lessons/", "de/")):
            page = (tmp_path / name).with_suffix(".html").read_text("utf-8")
            visible = re.search(r"<article[^>]*>(.*?)</article>", page, re.DOTALL)[1]
            ours = markdown.document(name)
            assert words(visible) == words(ours.title + ours.html), name
            assert visible.count('arithmatex"') == ours.html.count('class="math'), name
    pages = [path.read_text("utf-8") for path in tmp_path.rglob("*.html")]
    assert len(pages) > 60
    for page in pages:  # nothing is loaded from elsewhere
        assert not re.search(r'<(?:script|img|iframe)[^>]* src="?(?:https?:)?//|<link[^>]*stylesheet[^>]*//', page)
    assert list((tmp_path / "vendor" / "katex-fonts").glob("*.woff2"))
