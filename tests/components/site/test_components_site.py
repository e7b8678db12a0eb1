"""A site: its pages load nothing from other hosts, and its folder is replaced completely or not at all."""

import json
import os
import re
from pathlib import Path

import pytest

from components.learn.exercise import parse_exercise
from components.site import lessons
from components.site.__main__ import main
from components.site.build import MARKER, FolderTaken, build, write
from components.site.lessons import LESSONS, bundled_lessons, lesson_data, list_changed_params
from runs.language import LANGUAGES
from tests.assets.node import evaluate
from tests.saved.releases import RELEASES, unpack
from tests.tables import each_row

pytestmark = pytest.mark.slow

#: Solves the runs of a lesson's page, and tells of each the climbs, the frames of its parts and the tour of a climb.
SOLVED = """async ({ solve, record, arraysOf, makeMap, frames, restoreFrames, decodeClimb }, data, climber) => {
  const told = [];
  for (const run of Object.values(data.runs)) {
    const instance = data.instances[run.instance];
    const climbs = await solve(makeMap({ values: instance.values, arrays: arraysOf(instance) }), run, () => {});
    const { embedded, bytes } = await record(instance, run, climbs);
    const load = async (name) => {
      const [from, size] = embedded.parts[name];
      const inflate = new DecompressionStream("deflate");
      const part = new Blob([bytes.subarray(from, from + size)]).stream().pipeThrough(inflate);
      return frames.split(restoreFrames(await new Response(part).arrayBuffer()));
    };
    const head = await load("head");
    const climb = decodeClimb((await load(`climbs/${climber}`))[0]);
    const lengths = climbs.map(({ length }) => length);
    const kinds = head.map(({ kind, values }) => [kind, values.length ?? null]);
    told.push([lengths, kinds, embedded.run, [...climb.seek(climb.count)], [...climbs[climber].order]]);
  }
  return told;
}"""
MODULES = (
    "assets/site/record.js", "assets/common/map/map.js", "assets/common/frames.js", "assets/embed/planes.js",
    "assets/watch/climbs/climb.js",
)  # fmt: skip


@pytest.fixture(scope="module", params=LANGUAGES)
def site(request):
    return build([], request.param)


def collect_html(site: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in site.items() if name.endswith(".html")}


def page_data(html: str) -> dict:
    return json.loads(re.search(r'id="site-data">(.*?)</script>', html, re.DOTALL)[1])


def test_site_is_small_and_uses_common_file_types(site):
    assert {Path(name).suffix for name in site} == {".html", ".js", ".css"}
    assert {f"{name}.html" for name in (*LESSONS, "index", "beat")} <= site.keys()
    assert sum(len(text.encode()) for text in site.values()) < 5e6


def test_pages_reference_nothing_outside_the_folder(site):
    for name, html in collect_html(site).items():
        named = re.findall(r'(?:src|href)="([^"]*)"', html)
        assert {each.partition("#")[0] for each in named if not each.startswith("data:")} <= site.keys(), name
        assert all(
            f'id="{each.partition("#")[2]}"' in site["index.html"] for each in named if "#" in each and each[0] == "i"
        )
    assert not re.findall(r"url\((?!\"data:)", site["site.css"])
    assert not re.search(r"import\.meta|\bfetch\(|@import", site["site.js"] + site["player.js"] + site["site.css"])


def test_pages_allow_only_local_scripts_and_styles(site):
    for name, html in collect_html(site).items():
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]
        assert "default-src 'none'; script-src 'self'; style-src 'self';" in policy
        markup = html.partition('<script type="application/json"')[0]
        assert not re.search(r'\son[a-z]+="|\sstyle="|<style|javascript:', markup), name
        assert len(re.findall("<script", markup)) == len(re.findall(r'<script (?:defer )?src="\w+\.js">', markup)) == 3


def test_pages_are_in_their_language():
    german, english = (collect_html(build([], name)) for name in ("de", "en"))
    for name, html in german.items():
        assert html.startswith('<!DOCTYPE html>\n<html lang="de"')
        assert re.search("<h1[^>]*>(.*?)</h1>", html)[1] != re.search("<h1[^>]*>(.*?)</h1>", english[name])[1]


def test_lesson_has_fields_for_changed_parameters():
    fields = [[param.name for param in list_changed_params(lesson)] for lesson in bundled_lessons()]
    assert fields == [[], ["climbers"], ["cooling"]]
    for number, name in enumerate(LESSONS):
        html = build([], "en")[f"{name}.html"]
        assert re.findall(r'<input type="number" name="(\w+)"', html) == [*fields[number], "seed"]


def test_scripts_see_the_numbers_of_the_first_lessons(site):
    lessons_seen = [page_data(site[f"{name}.html"]) for name in LESSONS[:2]]
    first, second = (evaluate(MODULES, SOLVED, data, 2) for data in lessons_seen)
    [[lengths, kinds, run, walked, order]] = first
    assert min(lengths) == 7596
    assert (run["climbers"], run["held"], run["last"]) == (100, 100, 99)
    assert kinds[2:] == [["tour", 7596], ["started", None], ["finished", 7596]]
    assert walked == order
    assert sorted(second[0][0]) == [8101, 8204, 8269, 8352, 8482]


def test_run_that_the_scripts_cannot_solve_is_in_no_site_lesson(monkeypatch):
    stage = {"algorithm": "simulated-annealing", "params": {"finish": "best", "schedule": "linear"}}
    spec = {"v": 2, "instance": {"name": "berlin52"}, "stages": [stage], "budget": {"seconds": 1}, "device": "cpu"}
    with pytest.raises(ValueError, match="schedule"):
        lessons._run(parse_exercise(json.dumps(spec)).spec)


def test_lessons_link_to_each_other():
    [first, second, _] = bundled_lessons()
    told = lesson_data(first, second)["lesson"]
    assert (told["all"], told["next"]["address"]) == ("index.html#lessons", f"{second.id}.html")


def test_saved_run_has_a_page(tmp_path, capsys):
    run = unpack(RELEASES[0], "runs/two-opt-cpu.tourscope", tmp_path / "mine.tourscope")
    assert main([str(tmp_path / "site"), "--run", str(run)]) == 0
    page = (tmp_path / "site" / "run-1.html").read_text()
    data = page_data(page)
    assert data["page"] == "play"
    assert data["embedded"]["run"]["held"] > 0
    assert 'href="run-1.html"' in (tmp_path / "site" / "index.html").read_text()
    assert "3 lessons, Beat 2-opt and one saved run; " in capsys.readouterr().out
    assert main([str(tmp_path / "site")]) == 0
    assert "3 lessons, Beat 2-opt and 0 saved runs (--run adds one); " in capsys.readouterr().out


@each_row("run", ["abcdefghijkl", "../../etc/passwd", "gone.tourscope"])
def test_missing_run_is_refused_with_a_message(tmp_path, capsys, run):
    assert main([str(tmp_path / "site"), "--run", run]) == 2
    assert capsys.readouterr().err.startswith(f"There is no run {run}: ")
    assert not (tmp_path / "site").exists()


def test_folder_with_other_files_is_left_alone(tmp_path, capsys):
    (tmp_path / "notes.txt").write_text("mine")
    assert main([str(tmp_path)]) == 2
    assert re.fullmatch(r".* contains other files, such as notes\.txt: .*\.\n", capsys.readouterr().err)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_file_is_not_a_folder(tmp_path, capsys):
    (tmp_path / "site").write_text("mine")
    assert main([str(tmp_path / "site")]) == 2
    assert "is a file: name a folder." in capsys.readouterr().err


def test_earlier_site_is_replaced_completely(tmp_path):
    target = tmp_path / "deep" / "site"
    write(target, {"index.html": "one", "run-1.html": "gone"})
    write(target, {"index.html": "two"})
    assert {path.name for path in target.iterdir()} == {"index.html", MARKER}
    assert (target / "index.html").read_text() == "two"
    assert [path.name for path in target.parent.iterdir()] == ["site"]
    (target / "mine.html").write_text("added by hand")
    with pytest.raises(FolderTaken, match=r"mine\.html"):
        write(target, {"index.html": "three"})
    assert (target / "index.html").read_text() == "two"


@each_row("marker", ["[]", "{}", "no json", '{"files": 3}'])
def test_foreign_marker_is_ignored(tmp_path, marker):
    (tmp_path / MARKER).write_text(marker)
    with pytest.raises(FolderTaken):
        write(tmp_path, {})


@each_row("failing", ["write", "rename"])
def test_failed_write_keeps_the_earlier_site(tmp_path, monkeypatch, failing):
    target = tmp_path / "site"
    write(target, {"index.html": "one"})
    rename = os.rename

    def fail(source, to):
        if Path(to) == target and ".old" not in str(source):
            raise OSError("the disk is full")
        rename(source, to)

    if failing == "rename":
        monkeypatch.setattr(os, "rename", fail)
        files = {"index.html": "two"}
    else:
        files = {"index.html": "two", "no/such/folder.html": ""}
    with pytest.raises(OSError, match=r"full|No such file"):
        write(target, files)
    assert (target / "index.html").read_text() == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
