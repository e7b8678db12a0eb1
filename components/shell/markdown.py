"""Renders Markdown as HTML: documents of ``docs/``, and similar texts from elsewhere.

Follows CommonMark, with tables, formulas (``$...$`` and ``$$`` blocks, as on code forges) and pseudo-code. Raw HTML is
shown as text, and addresses that could run a script are not linked (`markdown_it` ensures both), so that a stranger's
text is safe to show. Formulas stay TeX, which `assets/common/how/formulas.js` typesets.

A folder of ``docs/`` named by a language holds documents in that language, at the same paths.
"""

import posixpath
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.anchors import anchors_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin

from runs.language import DEFAULT, LANGUAGES, current_language

#: Folder of the documents.
DOCS = Path(__file__).resolve().parents[2] / "docs"
#: Prefix of heading ids, so that they differ from the ids of all other elements of a page.
ANCHOR = "doc-"
_LABELLED = re.compile(r"([a-z][a-z0-9-]*):[ ]?(.*)")
#: Lines that mark the generated parts of a document.
_COMMENT = re.compile(r"^<!--.*-->\n", re.MULTILINE)
_WITH_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Section:
    """A second-level heading and its text.

    Attributes
    ----------
    title : str
    anchor : str
        Id of the heading in `html`.
    html : str
        Text with its heading.
    """

    title: str
    anchor: str
    html: str


@dataclass(frozen=True, slots=True)
class Document:
    """A Markdown text as HTML.

    Attributes
    ----------
    title : str
        First first-level heading; empty if there is none.
    introduction : str
        Text above the first section, without the title.
    sections : tuple of Section
    language : str
        Language of the text.
    """

    title: str
    introduction: str
    sections: tuple[Section, ...]
    language: str = DEFAULT

    @property
    def html(self) -> str:
        """HTML of the document without its title."""
        return self.introduction + "".join(section.html for section in self.sections)


class NoSuchDocument(LookupError):
    """There is no such document."""


def render(text: str, base_path: str = "/", folder: str = "", level: int = 1) -> Document:
    """Render Markdown as HTML.

    Parameters
    ----------
    text : str
    base_path : str
        Path under which the application is served, with a trailing slash.
    folder : str
        Folder below ``docs/`` to which relative links refer, such as ``algorithms``.
    level : int
        Heading level of a ``#`` on the page; a ``##`` is one level below.
    """
    parser, env = _make_parser(), {"base": base_path, "folder": folder}
    tokens = parser.parse(text, env)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.meta["depth"] = int(token.tag[1])
            token.tag = f"h{min(6, int(token.tag[1]) + level - 1)}"
    parts = _split_parts(tokens)
    title = ""
    if parts[0][:1] and parts[0][0].type == "heading_open" and parts[0][0].meta["depth"] == 1:
        title, parts[0] = _extract_text(parts[0][1]), parts[0][3:]

    def html(part: Sequence[Token]) -> str:
        return parser.renderer.render(part, parser.options, env)

    sections = [Section(_extract_text(part[1]), str(part[0].attrs["id"]), html(part)) for part in parts[1:]]
    return Document(title, html(parts[0]), tuple(sections))


def document(path: str, base_path: str = "/", level: int = 1) -> Document:
    """Render a document of ``docs/`` by path, such as ``algorithms/two-opt.md``; cached until its file changes.

    The document is in the language of the request if available, else in English.

    Raises
    ------
    NoSuchDocument
        If there is no such document.
    """
    path = localised_path(DEFAULT, posixpath.normpath(path))
    for name in dict.fromkeys((current_language(), DEFAULT)):
        candidate = localised_path(name, path)
        file = (DOCS / candidate).resolve()
        if file.suffix == ".md" and file.is_relative_to(DOCS) and file.is_file():
            return _load_document(candidate, name, file.stat().st_mtime_ns, base_path, level)
    raise NoSuchDocument(path)


def localised_path(name: str, path: str) -> str:
    """Return the path below ``docs/`` of the same document in a language, given any language's path."""
    folder, _, remainder = path.partition("/")
    plain = remainder if folder in LANGUAGES else path
    return plain if name == DEFAULT else f"{name}/{plain}"


@lru_cache(maxsize=256)
def _load_document(path: str, name: str, _changed: int, base_path: str, level: int) -> Document:
    text = _COMMENT.sub("", (DOCS / path).read_text("utf-8"))
    document = render(text, base_path, posixpath.dirname(path), level)
    return replace(document, language=name)


def list_labels(text: str) -> list[str]:
    """Return the labels of all lines of pseudo-code in a Markdown text, in order."""
    fences = [token.content for token in _make_parser().parse(text, {"base": "/", "folder": ""}) if _is_pseudo(token)]
    return [label for fence in fences for label, _ in _split_lines(fence)]


@cache
def _make_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    dollarmath_plugin(parser, allow_space=False, allow_digits=False, double_inline=True)
    anchors_plugin(parser, max_level=4, slug_func=make_slug)
    parser.core.ruler.push("links", _resolve)
    parser.core.ruler.push("corners", _leave_corners)
    rules: dict[str, Callable[..., str]] = {
        "fence": lambda tokens, at, *rest: (
            render_pseudo(tokens[at].content)
            if _is_pseudo(tokens[at])
            else _render_code(tokens[at].content, tokens[at].info)
        ),
        "code_block": lambda tokens, at, *rest: _render_code(tokens[at].content),
        "table_open": lambda *_: '<div class="doc-table" tabindex="0"><table>\n',
        "table_close": lambda *_: "</table></div>\n",
    }
    parser.renderer.rules = {**parser.renderer.rules, **rules}  # type: ignore[attr-defined]
    return parser


def make_slug(heading: str) -> str:
    """Return a heading's id as on code forges, with the prefix `ANCHOR`."""
    return ANCHOR + re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-")


def _split_parts(tokens: Sequence[Token]) -> list[list[Token]]:
    """Split tokens into those above the first second-level heading, and each section's."""
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.type == "heading_open" and token.meta["depth"] == 2:
            parts.append([])
        parts[-1].append(token)
    return parts


def _extract_text(inline: Token) -> str:
    return "".join(child.content for child in inline.children or [])


def _is_pseudo(token: Token) -> bool:
    return token.type == "fence" and token.info.strip() == "pseudo"


def _split_lines(content: str) -> list[tuple[str, str]]:
    """Split pseudo-code into lines with label and text, without common indentation.

    Raises
    ------
    ValueError
        If a line has no label.
    """
    matches = [_LABELLED.fullmatch(line) for line in content.splitlines() if line.strip()]
    if None in matches:
        raise ValueError(content)
    # labels are padded, so that the lines are aligned on a code forge too
    texts = [" " * len(each[1]) + each[2] for each in matches if each]
    return list(zip([each[1] for each in matches if each], textwrap.dedent("\n".join(texts)).split("\n"), strict=True))


def render_pseudo(content: str) -> str:
    """Render pseudo-code as HTML, each line with its label."""
    try:
        lines = _split_lines(content)
    except ValueError:  # a user's own text, shown unchanged
        return _render_code(content)
    html_lines = "".join(_render_line(label, text.lstrip(), len(text) - len(text.lstrip())) for label, text in lines)
    return f'<ol class="pseudo">\n{html_lines}</ol>\n'


def _render_code(content: str, info: str = "") -> str:
    """Render code, which can be scrolled, even by keyboard, if it is too wide."""
    language = info.split()[:1]
    named = f' class="language-{escape(language[0])}"' if language else ""
    return f'<pre tabindex="0"><code{named}>{escape(content)}</code></pre>\n'


def _leave_corners(state: StateCore) -> None:
    """Turn empty header cells into data cells, as the corner above row names is not a heading."""
    tokens = state.tokens
    for at, token in enumerate(tokens):
        if token.type == "th_open" and not tokens[at + 1].content.strip():
            token.tag = tokens[at + 2].tag = "td"


def _render_line(label: str, text: str, indent: int) -> str:
    return f'<li data-line="{label}" style="--indent:{indent}"><code>{escape(text)}</code></li>\n'


def _resolve(state: StateCore) -> None:
    """Point relative links to documents in the application, and remove links to other files."""
    for token in state.tokens:
        for child in token.children or []:
            if child.type == "link_open":
                _resolve_link(child, state.env)
            elif child.type == "image" and not _WITH_SCHEME.match(str(child.attrs["src"])):
                child.attrs["src"] = _make_address(str(child.attrs["src"]), state.env)


def _resolve_link(token: Token, env: Mapping[str, str]) -> None:
    href = str(token.attrs["href"])
    if _WITH_SCHEME.match(href):
        token.attrs.update(target="_blank", rel="noopener noreferrer")
        return
    path, _, anchor = href.partition("#")
    anchor = f"#{ANCHOR}{anchor}" if anchor else ""
    if not path:
        token.attrs["href"] = anchor
    elif path.endswith(".md") and not _resolve_below(path, env).startswith(".."):
        token.attrs["href"] = _make_address(path, env) + anchor
        token.attrs["data-doc"] = _resolve_below(path, env)
    else:
        del token.attrs["href"]


def _resolve_below(path: str, env: Mapping[str, str]) -> str:
    """Return a relative link's target below ``docs/``; all languages share a document's address."""
    return localised_path(DEFAULT, posixpath.normpath(posixpath.join(env["folder"], path)))


def _make_address(path: str, env: Mapping[str, str]) -> str:
    return f"{env['base']}docs/{_resolve_below(path, env)}"
