"""A race in a real browser: four lanes from one button, one clock, and every export."""

import json
import re
import zipfile

import pytest
from PIL import Image
from playwright.sync_api import expect
from serving import PATIENCE
from visiting import visiting
from watching import Held, drawn_twice, open_save_menu, wait_until_settled

from runs.races.spec import RaceSpec
from tests.clock import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
expect.set_options(timeout=PATIENCE)

OVER = "() => TourScope.race.state === 'over' && TourScope.race.lanes.every((lane) => lane.over && lane.film.at.length)"
#: Whether so many pictures were seen in every panel, none of whose lanes is over: turns or not, all move at once.
MOVE = """count => {
    if (TourScope.race.lanes.some((lane) => lane.over)) throw new Error("a lane is over, and some have hardly moved");
    return TourScope.racePanels.stats().every(({ frames }) => frames >= count);
}"""
SETTLED = "() => !TourScope.racePlayer.state.live && !TourScope.racePlayer.state.playing"
#: What a lane shows at the player's moment, and what it should.
SHOWN = """() => {
    const { clock } = TourScope.racePlayer.state;
    return TourScope.race.lanes.map((lane) => {
        const element = document.querySelector(`.lane[data-lane="${lane.number}"]`);
        const digits = element.querySelector('.lane-length').textContent.replace(/\\D/g, '');
        const { best } = lane.moment(clock);
        return [digits, best ? String(best.length) : ''];
    });
}"""
#: Whether the table has the lengths that the lanes show, the least first.
SORTED = f"""() => {{
    const rows = [...document.querySelectorAll('#race-table tr')].map((row) => row.children[2].textContent);
    const told = rows.filter((text) => text !== '–').map((text) => Number(text.replace(/\\D/g, '')));
    const wanted = ({SHOWN})().map(([shown]) => shown).filter(Boolean).map(Number).sort((a, b) => a - b);
    return rows.length === 4 && JSON.stringify(told) === JSON.stringify(wanted);
}}"""
#: Whether the form of a lane is longer than its window, which scrolls.
OVERFLOWS = """() => {
    const body = document.querySelector('#item-form .sheet-body');
    return body.scrollHeight > body.clientHeight + 100;
}"""
#: Pixels of a lane's canvas that are not empty.
INK = """() => [...document.querySelectorAll('.lane:not([hidden]) canvas')].map((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let k = 3; k < data.length; k += 4) count += data[k] > 0;
    return count;
})"""


#: Names of lanes, in their panels and in the table, that are cut, or that lie over what stands beside them.
CUT = """() => [...document.querySelectorAll('.lane:not([hidden]) .lane-title, #race-table th')].filter((name) => {
    const words = document.createRange();
    words.selectNodeContents(name);
    const { right, bottom } = words.getBoundingClientRect();
    const box = name.getBoundingClientRect();
    const next = (name.closest('tr') ? name.nextElementSibling : name.parentElement.querySelector('.lane-length'));
    const beside = next.getBoundingClientRect();
    const over = right > beside.left + 1 && beside.left > box.left && beside.top < box.bottom - 4;
    return getComputedStyle(name).whiteSpace === 'nowrap' || right > box.right + 1 || bottom > box.bottom + 1 || over;
}).map((name) => name.textContent)"""
#: The heights of the lanes' maps, of those that stand side by side.
BESIDE = """() => [...document.querySelectorAll('.lane:not([hidden]) .lane-canvas')].reduce((rows, canvas) => {
    const { bottom, height } = canvas.getBoundingClientRect();
    (rows[Math.round(bottom)] ||= []).push(Math.round(height));
    return rows;
}, {})"""


def start(page, lanes: int, seconds: float = 1) -> None:
    page.get_by_label("Time budget", exact=True).fill(str(seconds))
    page.get_by_role("button", name="Start the race").click()
    page.wait_for_function("lanes => TourScope.race.lanes.length === lanes", arg=lanes)


def clock(page, condition: str, **values: float) -> float:
    """The player's time in seconds, once it satisfies the condition."""
    page.wait_for_function(
        f"({{ {', '.join(values)} }}) => (({{ clock, playing }}) => {condition})(TourScope.racePlayer.state)",
        arg=values,
    )
    return page.evaluate("() => TourScope.racePlayer.state.clock")


def seek(page, seconds: float) -> None:
    page.evaluate("seconds => TourScope.racePlayer.seek(seconds)", seconds)
    page.wait_for_function("seconds => Math.abs(TourScope.racePlayer.state.clock - seconds) < 1e-9", arg=seconds)
    page.wait_for_function(f"() => ({SHOWN})().every(([shown, wanted]) => shown === wanted)")


@pytest.fixture(scope="module")
def finished_race(context, server):
    """A page of a finished race that a new visitor started, for tests that do not change the race."""
    with visiting(context, server) as page:
        page.goto(f"{server.url}race/")
        for name in ("A, 2-opt", "B, Ant System", "C, Simulated annealing", "D, Nearest neighbour, then 2-opt"):
            expect(page.get_by_role("group", name=f"Lane {name}", exact=True)).to_be_visible()
        page.wait_for_function(f"() => ({INK})().length === 4 && ({INK})().every((ink) => ink > 500)")
        start(page, lanes=4)
        page.wait_for_function(OVER)
        page.wait_for_function(SETTLED)
        yield page


@pytest.fixture(scope="module")
def race_url(finished_race):
    """The address of the finished race."""
    return finished_race.url


def open_race(page, address):
    page.goto(address)
    page.wait_for_function(OVER)
    page.wait_for_function(SETTLED)
    page.wait_for_function("() => TourScope.racePlayer.state.clock > 0.4")
    return page


@pytest.mark.alone
@pytest.mark.long
def test_all_lanes_move_at_once(page, server):
    page.emulate_media(reduced_motion="no-preference")
    page.goto(server.url + "race/")
    page.wait_for_function("() => TourScope.race.instance")
    start(page, lanes=4, seconds=5)
    page.wait_for_function("() => TourScope.race.lanes.every((lane) => lane.known > 0.3)")
    page.evaluate(
        "() => [TourScope.racePlayer.stats(), ...TourScope.racePanels.stats()].forEach((each) => each.reset())"
    )
    page.wait_for_function(MOVE, arg=16)  # where nothing else is at work, that is in less than a second
    page.wait_for_function(OVER)


def test_lanes_share_one_second_and_differences_of_two_are_drawn(finished_race):
    page, whole = finished_race, finished_race.evaluate("() => TourScope.racePlayer.duration()")
    expect(page.get_by_text("One seed", exact=False).first).to_be_visible()
    expect(page.locator(".lane[data-place=first]")).to_have_count(1)
    before = None
    for share in (1, 0.02, 0.002, 1):
        seek(page, share * whole)
        visible = page.evaluate(SHOWN)
        assert all(length for length, _ in visible) or share < 0.1
        assert visible != before
        before = visible
        page.wait_for_function(SORTED)
    scrub = page.get_by_role("slider", name="Time in the race")
    scrub.fill("0")
    clock(page, "clock === 0")
    expect(scrub).to_have_attribute("aria-valuetext", re.compile("^0 s of "))
    scrub.fill("1000")
    clock(page, "Math.abs(clock - whole) < 0.01", whole=whole)

    page.locator("body").click(position={"x": 700, "y": 20})
    page.keyboard.press("Home")
    clock(page, "clock === 0")
    page.keyboard.press("Shift+ArrowRight")
    one = clock(page, "clock > 0")
    page.keyboard.press("ArrowLeft")
    clock(page, "clock < one", one=one)
    page.keyboard.press("Space")
    clock(page, "playing")
    page.keyboard.press("Space")
    clock(page, "!playing")
    page.keyboard.press("End")
    clock(page, "clock > 0.4")
    differ = page.get_by_label("Where tours differ")
    for state in (True, False):
        page.keyboard.press("d")
        expect(differ).to_be_checked(checked=state)
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_contain_text("follow the race live")
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()

    seek(page, page.evaluate("() => TourScope.racePlayer.duration()"))  # where every lane has a tour
    page.get_by_text("Where tours differ").click()
    page.get_by_label("Second lane").select_option("C")
    sentence = page.get_by_text(re.compile("only in A, .* only in C"))
    both, first, second = (int(number) for number in re.findall(r"(\d+) (?:edge|only)", sentence.text_content()))
    assert both + first == 200
    assert first == second
    edges = page.evaluate(
        "() => [TourScope.raceDiffer.edges(0), TourScope.raceDiffer.edges(1)].map((each) => each && each.only.length)"
    )
    assert edges == [2 * first, None]
    expect(page.get_by_text("in both tours")).to_be_visible()
    expect(page.get_by_text("best tour so far")).to_be_hidden()
    page.get_by_label("Second lane").select_option("A")
    expect(page.get_by_text("Choose two lanes.")).to_be_visible()
    page.get_by_text("Where tours differ").click()
    expect(page.get_by_text("best tour so far")).to_be_visible()


@pytest.mark.alone
@pytest.mark.long
def test_scrub_step_takes_less_than_a_tenth_of_a_second(page, race_url):
    """The time beyond that of two frames without a step, so that other load on the machine does not count."""
    open_race(page, race_url)
    times = page.evaluate(
        """async () => {
            const took = [[], []];
            TourScope.racePlayer.seek(0);
            for (let k = 0; k < 80; k += 1) {
                const began = performance.now();
                if (k % 2) TourScope.racePlayer.step(25);
                await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
                took[k % 2].push(performance.now() - began);
            }
            return took.map((some) => some.sort((a, b) => a - b)[20]);
        }"""
    )
    without, stepping = times
    assert stepping < max(100, 3 * without), times


@pytest.mark.long
def test_chart_uses_seconds_if_lanes_count_different_things(finished_race):
    page = finished_race
    page.wait_for_function("() => TourScope.findGraph('race-chart')")
    lines = page.evaluate(
        "() => TourScope.findGraph('race-chart').data.map(({ name, x, line }) => [name, x.length, line.color])"
    )
    assert [name for name, *_ in lines] == [
        "A 2-opt", "B Ant System", "C Simulated annealing", "D Nearest neighbour, then 2-opt",
    ]  # fmt: skip
    assert len({colour for *_, colour in lines}) == 4
    expect(page.get_by_role("radio", name="Iterations")).to_be_disabled()
    assert "optimal" in page.text_content("#race-chart-sentence")
    page.get_by_label("Numbers").get_by_text("Length", exact=True).click()
    page.wait_for_function("() => TourScope.findGraph('race-chart').data[1].y.at(-1) > 20000")


@pytest.mark.long
def test_everything_can_be_saved(page, race_url, tmp_path, server):
    open_race(page, race_url)
    stored = {}
    open_save_menu(page)
    for kind in ("PNG", "SVG", "GIF", "CSV", "Race file"):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=kind, exact=True).click()
        stored[kind] = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(stored[kind])
    assert Image.open(stored["PNG"]).width == 1920
    titles = ("2-opt", "Simulated annealing", "Seconds", "seed", "best tour so far")
    assert all(title in stored["SVG"].read_text() for title in titles)
    assert Image.open(stored["GIF"]).n_frames > 20
    assert Image.open(stored["GIF"]).width == 960
    head, *rows = stored["CSV"].read_text().splitlines()
    assert head.startswith("lane,algorithm,seconds")
    assert {row[0] for row in rows} == set("ABCD")
    with zipfile.ZipFile(stored["Race file"]) as packed:
        assert len(packed.namelist()) == 5
        spec = json.loads(packed.read("race.json"))["spec"]
    page.set_input_files("#recent-upload input", stored["Race file"])
    page.wait_for_function("id => TourScope.race.id && TourScope.race.id !== id", arg=race_url.rpartition("id=")[2])
    page.wait_for_function(OVER)
    assert page.evaluate("() => TourScope.race.lanes.length") == len(spec["lanes"]) == 4


@pytest.mark.long
def test_finished_runs_are_compared_afterwards(page, race_url, server):
    open_race(page, race_url)
    runs = page.evaluate("() => TourScope.race.lanes.map(({ run }) => run)")
    page.goto(f"{server.url}race/?runs={runs[2]},{runs[0]}")
    page.wait_for_function("() => TourScope.race.lanes.length === 2")
    page.wait_for_function(OVER)
    page.wait_for_function(SETTLED)
    for name in ("A, Simulated annealing", "B, 2-opt"):
        expect(page.get_by_role("group", name=f"Lane {name}", exact=True)).to_be_visible()
    expect(page.get_by_role("group", name="Lane C")).to_have_count(0)
    sentence = page.get_by_text("Finished runs, side by side.")
    expect(sentence).to_contain_text("Different: start tours")
    assert "seeds" not in sentence.text_content()
    assert page.url.endswith(f"?runs={runs[2]},{runs[0]}")
    seek(page, 0.5)
    open_save_menu(page)
    expect(page.get_by_role("button", name="Race file")).to_be_disabled()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="GIF", exact=True).click()
    assert Image.open(waiting.value.path()).n_frames > 5
    page.goto(f"{server.url}race/?runs={runs[0]},{'a' * 12}")
    expect(page.get_by_text("not on this server")).to_be_visible()


@pytest.mark.long
def test_instance_tour_and_race_files_are_uploaded_to_the_race(page, server):
    page.goto(server.url + "race/")
    page.wait_for_function("() => window.TourScope && TourScope.race && TourScope.race.instance")
    table = {"name": "five.csv", "mimeType": "text/csv", "buffer": b"x,y\n1,2\n3,9\n5,1\n7,8\n2,2\n"}
    page.set_input_files("#upload input", table)
    page.wait_for_selector("#columns[open]")
    page.click("#table-use")
    page.wait_for_function("() => TourScope.race.instance.values.n === 5")
    page.wait_for_function("() => !document.getElementById('columns').open")
    tour = {"name": "a.tour", "mimeType": "text/plain", "buffer": b"TYPE : TOUR\nTOUR_SECTION\n1\n2\n3\n-1\n"}
    page.set_input_files("#upload input", tour)
    expect(page.get_by_label("Setup").get_by_text("This is a tour")).to_be_visible()
    page.click("#instances-open")
    page.locator("#instances .card", has_text="berlin52").first.click()
    page.wait_for_function("() => TourScope.race.instance.values.name === 'berlin52'")
    harm = {"name": "harm.tourrace", "mimeType": "application/zip", "buffer": b"no race"}
    page.set_input_files("#recent-upload input", harm)
    page.wait_for_function(
        "() => document.getElementById('recent-upload-note').textContent.includes('cannot be imported')"
    )


@pytest.mark.long
def test_start_tour_cannot_be_chosen_while_another_form_loads(page, server):
    page.goto(server.url + "race/?instance=berlin52")
    page.wait_for_function("() => TourScope.race.instance?.values.name === 'berlin52'")
    page.get_by_role("button", name="Remove lane B, Ant System").click()
    page.get_by_role("button", name="Duplicate lane A").click()
    dialog = page.get_by_role("dialog", name="Duplicate")
    dialog.get_by_role("spinbutton").first.wait_for()
    held = Held(page, "_dash-update-component", lambda request: "start-tour.options" in request.post_data)
    page.evaluate("() => dash_clientside.set_props('algorithm', { value: 'ant-colony-system' })")
    dialog.get_by_label("Ants").first.wait_for()
    held.wait()
    expect(dialog.get_by_label("Start from")).to_be_disabled()
    held.let_go()
    expect(dialog.get_by_label("Start from")).to_be_enabled()
    expect(dialog.get_by_label("Start from")).to_have_value("nothing")


@pytest.mark.long
def test_lanes_are_edited_by_keyboard_duplicated_removed_and_raced(page, server):
    page.goto(server.url + "race/?instance=berlin52")  # a short link: the lanes are those of a first visitor
    page.wait_for_function("() => TourScope.race.instance?.values.name === 'berlin52'")
    edit = page.locator('[id*=\'"lane":"0","type":"lane-edit"\']')
    edit.focus()
    page.keyboard.press("Enter")
    form = page.get_by_role("dialog")
    expect(form.get_by_role("combobox", name="Algorithm")).to_be_visible()
    page.click("#how-open")  # above the dialog of a lane
    page.wait_for_selector("#how:modal .pseudo")
    page.keyboard.press("Escape")
    page.wait_for_selector("#how", state="detached")
    expect(form.get_by_role("button", name="Save this lane")).to_be_enabled()
    page.keyboard.press("Control+Enter")
    expect(form).to_have_count(0)
    expect(edit).to_be_focused()
    removes = page.get_by_role("button", name=re.compile("^Remove lane"))
    remove = page.get_by_role("button", name="Remove lane B, Ant System")
    remove.focus()
    page.keyboard.press("Enter")
    expect(removes).to_have_count(3)
    expect(page.locator(".lanes-field :focus")).to_have_count(1)
    page.get_by_role("button", name="Remove lane B, Simulated annealing").click()
    expect(removes).to_have_count(2)
    expect(page.get_by_role("button", name="Remove lane A, 2-opt")).to_be_disabled()
    expect(page.get_by_role("button", name="Remove lane B, Nearest neighbour, then 2-opt")).to_be_disabled()
    page.get_by_role("button", name="Duplicate lane A").click()
    dialog = page.get_by_role("dialog", name="Duplicate")
    dialog.get_by_role("spinbutton").first.wait_for()
    dialog.get_by_label("Start from").select_option("greedy")
    page.set_viewport_size({"width": 1280, "height": 480})  # however long the form is, its button is seen
    page.evaluate("() => dash_clientside.set_props('algorithm', { value: 'ant-colony-system' })")
    expect(dialog.get_by_label("Start from")).to_have_value("nothing")  # another algorithm keeps nothing
    body = dialog.locator(".sheet-body")
    page.wait_for_function(OVERFLOWS)
    expect(dialog.get_by_role("button", name="Save this lane")).to_be_in_viewport(ratio=1)
    body.evaluate("body => body.scrollTo(0, body.scrollHeight)")
    expect(dialog.get_by_role("button", name="Save this lane")).to_be_in_viewport(ratio=1)
    page.evaluate("() => dash_clientside.set_props('algorithm', { value: 'two-opt' })")
    dialog.get_by_label("Climbers").first.wait_for()
    dialog.get_by_label("Start from").select_option("greedy")
    dialog.get_by_role("button", name="Save this lane").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("button", name=re.compile("^Remove lane B, .*, then 2-opt"))).to_be_enabled()
    start(page, lanes=3, seconds=0.3)
    page.wait_for_function(OVER)
    removes.last.click()
    expect(removes).to_have_count(2)
    drawn_twice(page)
    assert page.evaluate("() => TourScope.race.state") == "over", "who prepares the next race does not wake the last"
    expect(page.get_by_role("button", name="Start the race")).to_be_visible()


@pytest.mark.long
def test_a_race_can_be_paused_resumed_and_cancelled(page, server):
    page.goto(server.url + "race/")
    page.wait_for_function("() => TourScope.race.instance")
    start(page, lanes=4, seconds=60)
    page.wait_for_function("() => TourScope.race.lanes.every((lane) => lane.known > 0.2)")
    page.get_by_role("button", name="Pause the race").click()
    expect(page.get_by_text("Paused.")).to_be_visible()
    elapsed = "() => TourScope.race.lanes.map((lane) => lane.elapsed)"
    runs = page.evaluate("() => TourScope.race.lanes.map(({ run }) => run)")
    wait_until(lambda: all(page.request.get(f"{server.url}runs/{run}").json()["state"] == "paused" for run in runs))
    known = wait_until_settled(page, elapsed)
    page.get_by_role("button", name="Resume the race").click()
    page.wait_for_function("known => TourScope.race.lanes.some((lane, k) => lane.elapsed > known[k] + 0.2)", arg=known)
    page.get_by_role("button", name="Cancel the race").click()
    page.wait_for_function("() => TourScope.race.lanes.every((lane) => lane.state === 'cancelled')")
    expect(page.get_by_role("button", name="Start the race")).to_be_visible()


@pytest.mark.long
def test_phone_shows_all_lanes_and_what_pauses_them_at_once_without_overflow(page, race_url):
    page.set_viewport_size({"width": 390, "height": 844})
    open_race(page, race_url)
    boxes = page.eval_on_selector_all(".lane", "all => all.map((each) => each.getBoundingClientRect().toJSON())")
    assert len({round(box["left"]) for box in boxes}) == 2
    start = page.locator(".launch").bounding_box()["y"]
    play = page.locator("#player-play").bounding_box()
    assert all(bottom < start for bottom in (*(box["bottom"] for box in boxes), play["y"] + play["height"]))
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.long
def test_preset_leaves_the_end_of_a_lane_to_the_budget(page, server):
    page.goto(server.url + "race/")
    page.click(".lane-card .lane-name")
    page.wait_for_selector("#item-form[open]")
    page.evaluate("() => dash_clientside.set_props('algorithm', { value: 'ant-colony-system' })")
    menu = page.locator('select[id*="preset-menu"][id*="ant-colony-system"]')
    menu.select_option("dorigo-gambardella")
    parameter = "name => document.getElementById(JSON.stringify({ name, type: 'parameter' }))?.value"
    page.wait_for_function(f"() => ({parameter})('ants') === '10'")
    page.wait_for_function(f"() => ({parameter})('iterations') === '1000000'")
    assert menu.input_value() == "dorigo-gambardella"
    page.get_by_role("button", name="Save this lane").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.wait_for_function("() => document.querySelector('.lane-name').textContent.startsWith('Ant Colony System')")
    assert "iterations" not in page.text_content(".lane-name small")


@pytest.mark.long
def test_long_lane_names_are_complete_and_maps_have_equal_size(context, server):
    chains = (
        "max-min-ant-system+simulated-annealing",
        "max-min-ant-system+two-opt",
        "nearest-neighbour+two-opt",
        "greedy",
    )
    lanes = [{"stages": [{"algorithm": name} for name in chain.split("+")]} for chain in chains]
    race = {"v": 1, "instance": {"name": "burma14"}, "lanes": lanes, "budget": {"seconds": 0.5}}
    with visiting(context, server) as page:
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(f"{server.url}race/?{RaceSpec.from_json(race).to_query()}")
        page.wait_for_selector("#start:enabled")
        page.click("#start")
        page.wait_for_function(
            "() => TourScope.race.state === 'over' && TourScope.race.lanes.every(({ over }) => over)"
        )
        page.wait_for_function("() => document.querySelectorAll('#race-table th').length === 4")
        expect(page.locator(".lane-length").first).to_have_text(re.compile("\u202fkm$"))  # cities of the globe
        expect(page.locator("#race-table-length")).to_have_text("length, km")
        assert page.evaluate(CUT) == []
        rows = page.evaluate(BESIDE)
        assert [len(row) for row in rows.values()] == [2, 2]
        assert all(len(set(row)) == 1 for row in rows.values())
        page.goto(f"{page.url}&present")
        page.wait_for_function("() => TourScope.race.lanes.length === 4 && TourScope.race.state === 'over'")
        page.wait_for_function("() => [...document.querySelectorAll('.lane-length')].every((each) => each.textContent)")
        for width, height in ((1280, 720), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_function("width => document.querySelector('#stage').clientWidth === width", arg=width)
            assert page.evaluate(CUT.replace(", #race-table th", "")) == []
        size = """width => {
            const { cityLook, map } = TourScope.racePanels;
            return cityLook({ ...map(), n: 4000 }, width, 200).size;
        }"""
        square, wide = (page.evaluate(size, width) for width in (800, 1600))
        assert square == wide  # dots have the room of the map, not of the empty canvas beside it
