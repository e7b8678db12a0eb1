"""The pages in other languages: every text is translated with its values, read late, and only the needed one is
sent.
"""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import fastapi
import pytest
from starlette.testclient import TestClient

from components.shell import assets, bundle, catalogues, numbers, texts
from runs.language import DEFAULT, LANGUAGES, current_language, per_language, use_language
from runs.web.languages import COOKIE, Languages, parse_preferences
from tests.assets.node import evaluate
from tests.tables import each_row

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "assets" / "texts"
CATALOGUES = sorted(path.stem for path in FOLDER.glob("*.json"))
OTHERS = [name for name in LANGUAGES if name != DEFAULT]


def read_texts(name: str, page: str) -> dict[str, str]:
    return json.loads((FOLDER / name / f"{page}.json").read_text("utf-8"))


def names(sentence: str) -> set[str]:
    return {*texts.NAME.findall(sentence)}


@each_row("page", CATALOGUES)
@each_row("name", OTHERS)
def test_every_text_is_translated(name, page):
    """Missing texts are printed as lines for the catalogue, in English: add the translations there."""
    english, there = catalogues.load_texts(page), read_texts(name, page)
    missing = {key: sentence for key, sentence in english.items() if key not in there}
    written = json.dumps(missing, indent=2, ensure_ascii=False)
    assert not missing, f"assets/texts/{name}/{page}.json lacks:\n{written}"
    assert sorted({*there} - {*english}) == [], "English has these no more"
    assert list(there) == sorted(there)


@each_row("page", CATALOGUES)
@each_row("name", OTHERS)
def test_translation_has_the_values_of_its_text(name, page):
    english = catalogues.load_texts(page)
    for key, sentence in read_texts(name, page).items():
        assert sentence == sentence.strip() != "", f"{key}: {sentence!r}"
        assert not re.search(r"[{}]", texts.NAME.sub("", sentence)), f"{key}: {sentence!r}"
        allowed = names(english[key]) | ({"count"} if key.endswith(".one") else set())
        assert names(sentence) <= allowed, f"{key}: {sentence!r}"
        assert key.endswith(".one") or names(sentence) == names(english[key]), f"{key}: {sentence!r}"
        assert sorted(re.findall(r"</?[a-z]+>", sentence)) == sorted(re.findall(r"</?[a-z]+>", english[key])), key


@pytest.mark.parametrize("name", OTHERS)
def test_language_has_no_other_catalogues(name):
    extra = {path.stem for path in (FOLDER / name).glob("*.json")} - {*CATALOGUES, "said"}
    assert extra == set()


def test_no_text_is_read_while_a_module_is_imported():
    """A constant would stay in English; `runs.language.per_language` makes constants of texts."""
    assert [line for path in sorted((ROOT / "components").rglob("*.py")) for line in _read_early(path)] == []


def _read_early(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text("utf-8"))
    readers = {
        name.asname or name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "components.shell.texts"
        for name in node.names
    }
    for node in _at_import(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in readers:
            yield f"{path.relative_to(ROOT)}:{node.lineno}"


def _at_import(node: ast.AST) -> Iterator[ast.AST]:
    """The code that runs on import of a module: everything except the bodies of functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            defaults = [*child.args.defaults, *filter(None, child.args.kw_defaults)]
            for each in [*defaults, *getattr(child, "decorator_list", [])]:
                yield each
                yield from _at_import(each)
        else:
            yield child
            yield from _at_import(child)


def test_text_is_in_the_language_of_the_request():
    constant = per_language(lambda: texts.common("header.pages"))
    assert (constant(), texts.common("header.pages")) == ("Pages", "Pages")
    with use_language("de"):
        assert (constant(), texts.common("header.pages")) == ("Seiten", "Seiten")
    assert constant() == "Pages"


@each_row("name", LANGUAGES)
def test_scripts_format_numbers_like_python(name, tmp_path):
    """In every language, a page's scripts are joined with the texts of that language."""
    values = [0, 0.5, 1, 2.345, 12.9, 999.4, 12_345.6, 1_240_000, 0.000123, 7200, 200_000, 7e8]
    kinds = ("percent", "si", "measure", "seconds", "span", "bytes")
    joined = tmp_path / "joined.mjs"
    joined.write_text(bundle.build_script("common/format.js", name))
    written = evaluate(
        str(joined),
        """(all, kinds, values) => {
          const { format } = all["common/format.js"];
          return kinds.map((kind) => values.map((value) => format[kind](value)));
        }""",
        kinds,
        values,
    )
    functions = (
        numbers.format_percent,
        numbers.format_si,
        numbers.format_measure,
        numbers.format_seconds,
        numbers.format_span,
        numbers.format_bytes,
    )
    with use_language(name):
        assert written == [[function(value) for value in values] for function in functions]
        assert numbers.format_fixed(0.6, 2) == {"en": "0.60", "de": "0,60"}[name]


def test_page_gets_only_one_language():
    english, german = (assets.joined_file(assets.script_name("watch", name)) for name in ("en", "de"))
    start = [
        json.dumps(catalogues.load_texts("watch", name)["guide.start"], ensure_ascii=False) for name in ("en", "de")
    ]
    assert [each in english for each in start] == [True, False]
    assert [each in german for each in start] == [False, True]
    assert assets.joined_file("watch.fr.js") is assets.joined_file("watch.de.css") is None


@each_row(
    ("accepted", "found"),
    [
        ("", []), ("de", ["de"]), ("de-AT,de;q=0.9,en;q=0.8", ["de", "de", "en"]), ("en;q=0.5, de", ["de", "en"]),
        ("de;q=0, en", ["en"]), ("de;q=x, en", ["en"]), ("*", ["*"]), ("fr;q=", ["fr"]),
    ],
)  # fmt: skip
def test_browser_language_preferences(accepted, found):
    assert parse_preferences(accepted) == found


@pytest.fixture(scope="module")
def languages_app():
    server = fastapi.FastAPI()

    @server.get("/below/page")
    def page() -> fastapi.Response:
        return fastapi.responses.HTMLResponse(current_language())

    @server.get("/below/data")
    def data() -> dict[str, str]:
        return {"language": current_language()}

    assets.add_route(server, "/below/")
    return Languages(server, "/below/")


@each_row(
    ("query", "cookie", "accepted", "spoken"),
    [
        ("", "", "", "en"), ("", "", "de-DE,en;q=0.5", "de"), ("", "", "fr,de;q=0.2", "de"), ("", "", "fr", "en"),
        ("", "en", "de", "en"), ("?lang=de", "en", "en", "de"), ("?a=b&lang=en", "de", "de", "en"),
        ("?lang=fr", "de", "", "de"), ("", "fr", "de", "de"),
    ],
)  # fmt: skip
def test_address_then_last_choice_then_browser(languages_app, query, cookie, accepted, spoken):
    headers = {"Accept-Language": accepted, "Cookie": f"{COOKIE}={cookie}"}
    answer = TestClient(languages_app).get(f"/below/page{query}", headers=headers)
    assert answer.text == spoken
    assert {"Accept-Language", "Cookie"} <= {*answer.headers["vary"].split(", ")}


def test_language_of_the_address_is_remembered(languages_app):
    client = TestClient(languages_app)
    folder = client.get("/below/page?lang=de").headers["set-cookie"]
    assert folder.startswith(f"{COOKIE}=de; Path=/below/; Max-Age=")
    assert client.get("/below/data").json() == {"language": "de"}
    assert "set-cookie" not in client.get("/below/page").headers
    assert "set-cookie" not in client.get("/below/data?lang=en").headers, "which is no page"
    assert "set-cookie" not in client.get("/below/page?lang=fr").headers


def test_permanently_cached_file_varies_only_by_name(languages_app):
    client = TestClient(languages_app)
    script = client.get(f"{assets.address('/below/')}/pages/learn.de.js", headers={"Accept-Language": "en"})
    assert "vary" not in script.headers
    assert catalogues.load_texts("learn", "de")["own.title"] in script.text
