"""Markdown documents: their HTML, and that users' texts cannot run scripts."""

import pytest

from components.shell import markdown
from components.shell.markdown import DOCS, NoSuchDocument, render
from tests.tables import each_row


def html(text: str, folder: str = "algorithms") -> str:
    return render(text, "/below/", folder).html


def test_document_has_a_title_an_introduction_and_sections():
    page = render("# The title\n\nFirst.\n\n## One `x`\n\n1\n\n### Deeper\n\n2\n\n## Two\n\n3\n", level=2)
    assert (page.title, page.introduction) == ("The title", "<p>First.</p>\n")
    assert [(each.title, each.anchor) for each in page.sections] == [("One x", "doc-one-x"), ("Two", "doc-two")]
    assert '<h3 id="doc-one-x">' in page.sections[0].html
    assert '<h4 id="doc-deeper">' in page.sections[0].html
    assert "Deeper" not in page.sections[1].html


@each_row(
    "text",
    [
        "<script>alert(1)</script>",
        "a <img src=x onerror=alert(1)> b",
        "[x](javascript:alert(1))",
        "[x](<java\nscript:alert(1)>)",
        "![x](javascript:alert(1))",
        "[x](data:text/html,<script>alert(1)</script>)",
        '[x](https://a.b/"onclick="alert(1))',
        "$</span><script>alert(1)</script>$",
        "```pseudo\na: <script>alert(1)</script>\n```",
        "```pseudo\n<script>alert(1)</script>\n```",
        '```"><script>alert(1)</script>\nx\n```',
        '[x](a.md#"onclick="alert(1))',
    ],
)
def test_untrusted_text_runs_nothing(text):
    visible = html(text)
    assert not any(
        bad in visible.lower() for bad in ("<script", "<img src=x", 'href="j', 'href="d', 'src="j', '"onclick')
    )


def test_links_between_documents_stay_in_the_application():
    assert 'href="/below/docs/algorithms/two-opt.md#doc-idea" data-doc="algorithms/two-opt.md"' in html(
        "[x](two-opt.md#idea)"
    )
    assert 'href="/below/docs/gpu.md" data-doc="gpu.md"' in html("[x](../gpu.md)")
    assert 'href="#doc-idea"' in html("[x](#idea)")
    assert 'src="/below/docs/pictures/a.png"' in html("![x](../pictures/a.png)")
    assert 'target="_blank" rel="noopener noreferrer"' in html("[x](https://example.org)")


@each_row("path", ["../../README.md", "../../benchmarks/results/x.json", "/etc/passwd"])
def test_link_to_no_document_is_removed(path):
    assert "href" not in html(f"[x]({path})")


def test_formulas_are_tex_and_money_is_not():
    assert html("$a_1 < b$") == '<p><span class="math inline">a_1 &lt; b</span></p>\n'
    assert '<div class="math block">' in html("$$\nx\n$$")
    assert "math" not in html("from $5 to $6")


def test_pseudo_code_has_aligned_labelled_lines():
    text = "```pseudo\nstart: T ← 1\ngo:      T ← 2\n```"
    assert html(text) == (
        '<ol class="pseudo">\n<li data-line="start" style="--indent:0"><code>T ← 1</code></li>\n'
        '<li data-line="go" style="--indent:2"><code>T ← 2</code></li>\n</ol>\n'
    )
    assert markdown.list_labels(text) == ["start", "go"]
    with pytest.raises(ValueError, match="No label"):
        markdown.list_labels("```pseudo\nNo label\n```")


@each_row("path", ["nothing.md", "../README.md", "pictures/watch-light.png", "", "algorithms"])
def test_only_documents_are_read(path):
    with pytest.raises(NoSuchDocument):
        markdown.document(path)


@each_row("path", sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")))
def test_every_document_is_shown(path):
    page = markdown.document(path)
    assert page.title
    assert markdown.document(path).sections is page.sections, "it is kept"
