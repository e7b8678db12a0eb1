"""Translations match the English documents: the same parts, formulas, code, numbers and links, and none is outdated."""

import hashlib
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from components.learn.reading import parse_lesson
from components.shell import markdown
from components.shell.facts import thin_commas
from components.shell.numbers import THIN
from tests.tables import each_row
from tests.test_docs import anchors

DOCS = Path(__file__).resolve().parent.parent / "docs"
TRANSLATED = [path.relative_to(DOCS).as_posix() for path in sorted(DOCS.glob("[a-z][a-z]/**/*.md"))]
LESSONS = [path for path in TRANSLATED if "/lessons/" in path]
ALGORITHMS = [path for path in TRANSLATED if "/algorithms/" in path]
#: The last line of a translation: a definition of a link, which is shown nowhere.
_MARK = re.compile(r"^\[//\]: # \(translated from ([0-9a-f]{12})\)\n\Z", re.MULTILINE)
_FENCE = re.compile(r"^```(.*?)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_BLOCK = re.compile(r"^\$\$\n(.*?)^\$\$$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
_WORDS = re.compile(r"\\text\{[^}]*\}|\s")


def english_path(path: str) -> Path:
    return DOCS / path.split("/", 1)[1]


def section_pairs(path: str) -> list[tuple[str, str]]:
    """Pairs of matching parts of a translation and the English document: the introduction and each section."""
    written = _MARK.sub("", (DOCS / path).read_text("utf-8"))
    mine, theirs = (re.split(r"^## ", text, flags=re.MULTILINE) for text in (written, english_path(path).read_text()))
    assert len(mine) == len(theirs), f"{path}: {len(mine) - 1} sections instead of {len(theirs) - 1}"
    return list(zip(mine, theirs, strict=True))


def plain(text: str) -> str:
    """A text without its code, formulas and addresses."""
    text = _BLOCK.sub("", _FENCE.sub("", text))
    return re.sub(r"`[^`\n]*`|\$[^$\n]*\$|\]\([^)]*\)|^(?: {4}.*|[a-z]+: .*)$", "", text, flags=re.MULTILINE)


def numbers(text: str, *, english: bool) -> list[str]:
    """The numbers of a text, as Python writes them, sorted."""
    thousands, point = (",", ".") if english else (THIN, ",")
    found = re.findall(rf"\d{{1,3}}(?:{thousands}\d{{3}})+(?:[.,]\d+)?|\d+(?:[.,]\d+)*", text)
    return sorted(number.replace(thousands, "").replace(point, ".") for number in found)


def code(text: str) -> Iterator[str]:
    """The code blocks of a text, without their words: one line each of labels or symbols."""
    for kind, body in _FENCE.findall(text):
        if kind == "pseudo":
            yield "\n".join(re.match(r"[a-z0-9-]+: *", line)[0] for line in body.splitlines())  # type: ignore[index]
        elif kind == "`":  # an example, which has blocks of its own
            yield str(body.count("\n"))
        else:
            yield re.sub(r'("label": )"[^"]*"', r"\1", body)
    yield from (re.sub(r"[^\W\d_]{2,}.*", "", line) for line in re.findall(r"^ {4}\S.*$", _FENCE.sub("", text), re.M))


def targets(text: str, path: Path) -> list[tuple[str, int]]:
    """The link targets in a text: a path in the repository, and the position of the heading in its document."""
    found = []
    for target, anchor in _LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            found.append((target, -1))
            continue
        leads = (path.parent / target).resolve() if target else path
        place = headings(leads).index(anchor) if anchor else -1
        name = posixpath.relpath(leads, DOCS)
        found.append((re.sub(r"^[a-z]{2}/", "", name), place))
    return sorted(found)


def headings(path: Path) -> list[str]:
    """The anchors of a document's headings, in order."""
    found = re.findall(r"^#+ (.*)$", _FENCE.sub("", path.read_text("utf-8")), re.MULTILINE)
    result = [markdown.make_slug(heading).removeprefix(markdown.ANCHOR) for heading in found]
    assert set(result) == set(anchors(path))
    return result


def rows(text: str) -> list[int]:
    """The number of cells in each row of each table."""
    return [line.count("|") for line in plain(text).splitlines() if line.startswith("|")]


def test_all_lessons_and_algorithms_are_translated():
    languages = {path.split("/", 1)[0] for path in TRANSLATED}
    assert languages
    for kind in ("lessons", "algorithms"):
        names = {path.name for path in (DOCS / kind).glob("*.md")}
        for language in languages:
            assert {path.name for path in (DOCS / language / kind).glob("*.md")} == names


@each_row("path", TRANSLATED)
def test_no_translation_is_stale(path):
    digest = hashlib.sha256(english_path(path).read_bytes()).hexdigest()[:12]
    marked = _MARK.search((DOCS / path).read_text("utf-8"))
    assert marked, f"docs/{path} lacks its last line: [//]: # (translated from {digest})"
    assert marked[1] == digest, (
        f"docs/{english_path(path).relative_to(DOCS)} has changed since docs/{path} was translated: "
        f"bring the translation up to date, then write {digest} in its last line"
    )


@each_row("path", TRANSLATED)
def test_headings_answers_and_tables_match_in_number(path):
    for mine, theirs in section_pairs(path):
        for each in (r"^#+ ", r"^- ", r"^- \[x\] ", r"^- \[ \] ", r"^  > ", r"^\d\. ", r"^mark: .*$"):
            found = [re.findall(each, _FENCE.sub("", text), re.MULTILINE) for text in (mine, theirs)]
            assert found[0] == found[1], f"{path}, {mine.splitlines()[0]}"
        assert rows(mine) == rows(theirs), f"{path}, {mine.splitlines()[0]}"
        assert mine.strip().count("\n\n") == theirs.strip().count("\n\n"), f"{path}, {mine.splitlines()[0]}"


@each_row("path", TRANSLATED)
def test_formulas_and_code_are_the_same(path):
    for mine, theirs in section_pairs(path):
        blocks = [[_WORDS.sub("", each) for each in _BLOCK.findall(text)] for text in (mine, theirs)]
        assert blocks[0] == blocks[1], path
        assert list(code(mine)) == list(code(theirs)), path
        for quoted in (r"`([^`\n]+)`", r"(?<![$\w])\$([^$\n]+)\$(?!\$)"):
            found = [sorted(re.findall(quoted, _BLOCK.sub("", _FENCE.sub("", text)))) for text in (mine, theirs)]
            assert found[0] == found[1], f"{path}, {mine.splitlines()[0]}"


@each_row("path", TRANSLATED)
def test_numbers_are_the_same(path):
    for mine, theirs in section_pairs(path):
        if mine.startswith("Quellen"):  # titles of others, which are not translated
            continue
        tables = [[line for line in plain(text).splitlines() if line.startswith("|")] for text in (mine, theirs)]
        for row, other in zip(*tables, strict=True):
            assert numbers(row, english=False) == numbers(other, english=True), f"{path}: {row}"
        found = set(numbers(plain(mine), english=False)) ^ set(numbers(plain(theirs), english=True))
        assert not found, f"{path}, {mine.splitlines()[0]}"


@each_row("path", TRANSLATED)
def test_links_lead_to_the_same_places(path):
    for mine, theirs in section_pairs(path):
        assert targets(mine, DOCS / path) == targets(theirs, english_path(path)), path


@each_row("path", LESSONS)
def test_lessons_differ_only_in_words(path):
    name = Path(path).stem
    mine, theirs = (parse_lesson(name, file.read_text("utf-8")) for file in (DOCS / path, english_path(path)))
    assert (mine.minutes, mine.algorithms, mine.pages()) == (theirs.minutes, theirs.algorithms, theirs.pages())
    assert [step.kind for step in mine.steps] == [step.kind for step in theirs.steps]
    assert [step.marked for step in mine.steps] == [step.marked for step in theirs.steps]
    for step, other in zip(mine.steps, theirs.steps, strict=True):
        assert [answer.right for answer in step.answers] == [answer.right for answer in other.answers]
        assert [bool(answer.feedback) for answer in step.answers] == [bool(answer.feedback) for answer in other.answers]
        assert bool(step.outcome) == bool(other.outcome)
        assert step.title != other.title


def test_thousands_are_grouped_and_decimals_are_not():
    assert thin_commas("10,000 of 1,234,567 at 0,001") == f"10{THIN}000 of 1{THIN}234{THIN}567 at 0,001"


@each_row("path", ALGORITHMS)
def test_drawer_finds_its_contents(path):
    """Sections by position, lines by label, diagrams by variant; the idea's section is the first one in bold."""
    mine, theirs = ((DOCS / path).read_text("utf-8"), english_path(path).read_text("utf-8"))
    assert markdown.list_labels(mine) == markdown.list_labels(theirs)
    _, idea, *others = section_pairs(path)
    for part, other in (idea, others[2]):
        items = [re.findall(r"^- (\*\*|`[\w-]+`(?:, `[\w-]+`)*)(?=.*:)", text, re.MULTILINE) for text in (part, other)]
        assert items[0] == items[1], path
    assert not re.search(r"^- \*\*", mine[: mine.index(idea[0])], re.MULTILINE)
    answer = re.sub(r"`[^`]*`|\([^()]*\)(?=[^\[])", "", re.sub(r"\]\([^)]*\)", "]", idea[0].strip().split("\n\n")[1]))
    assert len(re.findall(r"[.!?](?:\s|$)", answer)) == 3, f"three sentences: {answer}"
