"""Files read by other programs: containers, workflows, settings of the editor and git, the citation."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from runs.web.options import parse_options
from tests.tables import each_row

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
TARGETS = set(re.findall(r"^([\w-]+(?: [\w-]+)*):(?!=)", (ROOT / "Makefile").read_text(), re.MULTILINE))
MAKE = {name for names in TARGETS for name in names.split()}
CONTAINERS = ("Containerfile", "Containerfile.cuda")
WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text())
HADOLINT = shutil.which("hadolint", path=str(Path(sys.executable).parent))


def instructions(name: str) -> list[tuple[str, str]]:
    """The instructions of a container file, each with its arguments."""
    joined = (ROOT / name).read_text().replace("\\\n", "")
    lines = [line for line in joined.splitlines() if line and not line.startswith("#")]
    return [(word, " ".join(rest.split())) for word, _, rest in (line.partition(" ") for line in lines)]


@pytest.mark.skipif(HADOLINT is None, reason="hadolint is not installed")
@each_row("name", CONTAINERS)
def test_a_linter_finds_nothing_in_container_files(name):
    done = subprocess.run([HADOLINT, "--no-color", name], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert not done.stdout


@each_row("name", CONTAINERS)
def test_container_serves_as_documented(name, monkeypatch):
    values = instructions(name)
    command = json.loads(next(rest for word, rest in values if word == "ENTRYPOINT"))
    monkeypatch.setattr(sys, "argv", command)
    options = parse_options()
    assert (options.share, options.host, options.open) == (True, "0.0.0.0", None)
    assert ("EXPOSE", str(options.port)) in values
    assert f":{options.port}/healthz" in next(rest for word, rest in values if word == "HEALTHCHECK")
    variables = dict(pair.split("=", 1) for word, rest in values if word == "ENV" for pair in rest.split())
    assert ("VOLUME", variables["TOURSCOPE_HOME"]) in values
    users = [rest for word, rest in values if word == "USER"]
    assert users == ["1000"], "not as root"
    for image in (rest.split()[0] for word, rest in values if word == "FROM"):
        assert fits(re.fullmatch(r"python:(3\.\d+)-slim-\w+", image)[1])


def fits(python: str) -> bool:
    """Whether the project supports a Python version."""
    low, high = re.fullmatch(r">=3\.(\d+),<3\.(\d+)", PROJECT["requires-python"]).groups()
    return int(low) <= int(python.split(".")[1]) < int(high)


def test_the_extra_for_cuda_exists():
    extra = next(rest for word, rest in instructions("Containerfile.cuda") if word == "ARG").partition("=")[2]
    assert extra in PROJECT["optional-dependencies"]


@pytest.mark.parametrize(
    ("schema", "file"), [("github-workflows", ".github/workflows/test.yml"), ("citation-file-format", "CITATION.cff")]
)
def test_files_follow_their_schemas(schema, file):
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", file]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_workflows_call_the_two_commands_on_three_systems():
    jobs = WORKFLOW["jobs"]
    systems = {job["runs-on"].partition("-")[0]: job for job in jobs.values() if "setup-python" in json.dumps(job)}
    assert set(systems) == {"ubuntu", "macos", "windows"}
    for system in ("ubuntu", "macos"):
        sentence = json.dumps(systems[system])
        assert "make test" in sentence
        assert "make run" in sentence
        assert {*re.findall(r"make ([a-z][\w-]*)", sentence)} <= MAKE
    windows = "\n".join(step.get("run", "") for step in systems["windows"]["steps"])
    guide = (ROOT / "CONTRIBUTING.md").read_text().split("On Windows, or without make", 1)[1].split("```")[1]
    for line in filter(None, guide.strip().splitlines()):
        assert line.replace("\\", "/") in windows.replace("\\", "/"), line
    for version in re.findall(r'"python(?:-version)?": (?:\[([^\]]+)\]|"(3[^"]+)")', json.dumps(WORKFLOW)):
        assert all(map(fits, re.findall(r"3\.\d+", "".join(version))))
    for script in re.findall(r"\.github/[\w.]+\.sh", json.dumps(WORKFLOW)):
        assert (ROOT / script).stat().st_mode & 0o111, script


def test_devcontainer_installs_everything():
    values = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text())
    result = values["postCreateCommand"].removeprefix("make ").split()
    assert {name.replace(".venv", "$(VENV)") for name in result} <= set(
        re.findall(r"^(\$\(VENV\)/[\w.]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    )
    assert fits(re.search(r":(3\.\d+)", values["image"])[1])


def test_pre_commit_hooks_exist():
    [repository] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    entries = " ".join(hook["entry"] for hook in repository["hooks"])
    assert repository["repo"] == "local"
    for name in re.findall(r"tests/\w+\.py", entries):
        assert (ROOT / name).is_file(), name
    needed = (ROOT / "requirements-dev.txt").read_text() + (ROOT / "package.json").read_text()
    for tool in ("ruff", "pytest", "biome"):
        assert tool in entries
        assert tool in needed


def test_citation_matches_this_release():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert (cited["title"], cited["version"], cited["license"]) == ("TourScope", PROJECT["version"], PROJECT["license"])
    newest = re.search(r"^## (\S+) - (\S+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest.groups() == (cited["version"], cited["date-released"])
    assert f"Copyright (c) 2026 {cited['authors'][0]['name']}" in (ROOT / "LICENSE").read_text()
