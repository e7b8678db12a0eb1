"""Videos and stills in the same dialog, decoded again: the requested number and size of pictures, with the page's
contents."""

import base64
import io
import re

import numpy as np
import pytest
from chromium import MODULES
from PIL import Image
from serving import PATIENCE
from visiting import visiting
from watching import DRAWN, link, open_form, open_save_menu, start_run, wait_state

from runs.races.spec import RaceSpec

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
av = pytest.importorskip("av")

READY = "() => document.getElementById('video')?.open && !document.getElementById('video-make').disabled"
#: A picture of a scene as the dialog's painter makes it, as PNG in base64.
STILL = """async ([scene, size, theme, seconds, share]) => {
    const { colour, inTheme } = window.TourScope;
    const made = (await import(document.querySelector('script[type=module]').src.replace('watch.js', 'video.js')));
    const { makePainter, SIZES } = made['video/frame.js'];
    const { run } = window.TourScope;
    const { climbScene } = window.TourScope;
    const head = `${run.instance.name} \u00b7 ${run.units().title}`;
    const of = await climbScene(scene, { name: '', head });
    const { canvas, paint } = makePainter(of, SIZES[size], theme, seconds, { colour, inTheme });
    paint(share);
    return canvas.toDataURL().split(',')[1];
}"""


#: Whether an element is seen as a whole, above the bar with Start.
SEEN = """id => {
    const { top, bottom } = document.getElementById(id).getBoundingClientRect();
    return top >= 0 && bottom <= document.querySelector('.launch').getBoundingClientRect().top + 1;
}"""
#: The first and the last picture of a colony's scene, dark and small.
FIELDS = """async view => {
    const { colour, inTheme, fieldScene, run } = window.TourScope;
    const made = (await import(document.querySelector('script[type=module]').src.replace('watch.js', 'video.js')));
    const { makePainter, SIZES } = made['video/frame.js'];
    const of = fieldScene(view, { name: '', head: `${run.instance.name} \u00b7 ${run.units().title}` });
    await of.prepare(1200, () => {});
    const { canvas, paint } = makePainter(of, SIZES['1280x720'], 'dark', 5, { colour, inTheme });
    return [0, 1].map((share) => {
        paint(share);
        return canvas.toDataURL().split(',')[1];
    });
}"""
#: The colours of the lanes of a race in the light theme, red, green and blue of each.
COLOURS = """() => {
    const { race, inTheme, colour } = window.TourScope;
    const parts = (hue) => [1, 3, 5].map((at) => parseInt(hue.slice(at, at + 2), 16));
    return race.lanes.map(({ view }) => inTheme('light', () => parts(colour(view.colour))));
}"""


def choose(page, **options: str) -> None:
    for name, value in options.items():
        page.select_option(f"#video-{name}", value)


def save_video(page) -> tuple[str, bytes]:
    """Press Save in the dialog; return the name and contents of the file."""
    with page.expect_download() as download:
        page.click("#video-make")
    return download.value.suggested_filename, download.value.path().read_bytes()


def dialog(page, button: str = "#save-video"):
    """Open the dialog for the contents of the page."""
    open_save_menu(page)
    page.click(button)
    page.wait_for_function(READY)


def close(page) -> None:
    page.get_by_role("button", name="Close").and_(page.locator("#video *")).click()
    page.wait_for_function("() => !document.getElementById('video').open")


def frames(file: bytes) -> tuple[list[np.ndarray], float]:
    """The pictures of a video, (height, width, 3) of bytes each, and the frame rate."""
    with av.open(io.BytesIO(file)) as video:
        return [frame.to_ndarray(format="rgb24") for frame in video.decode(video=0)], float(
            video.streams.video[0].average_rate
        )


def read_still(page, climb: int, size: str, theme: str, seconds: int, share: float) -> np.ndarray:
    png = base64.b64decode(page.evaluate(STILL, [climb, size, theme, seconds, share]))
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def difference(a: np.ndarray, b: np.ndarray) -> float:
    """The share of pixels that differ clearly: compression and conversion to YUV change each one slightly."""
    assert a.shape == b.shape
    return float((np.abs(a.astype(int) - b.astype(int)).max(axis=2) > 72).mean())


def stand_at(page, climb: int) -> None:
    page.evaluate("climb => window.TourScope.player.playClimb(climb, false)", climb)
    page.wait_for_function(
        "climb => window.TourScope.player.state.climb === climb && !window.TourScope.player.isLoading()", arg=climb
    )


def test_video_of_a_climb_is_chosen_cancelled_and_saved(climb):
    best = climb.evaluate("() => window.TourScope.run.best.climber")
    other = 1 if best != 1 else 2
    stand_at(climb, other)
    dialog(climb)
    offered = climb.eval_on_selector_all("#video-what option", "all => all.map(({ text }) => text)")
    assert offered == [f"shown: climber {other + 1}", f"best: climber {best + 1}"]
    assert climb.inner_text("#video-of").endswith(f"shown: climber {other + 1}")
    climb.select_option("#video-what", "1")
    climb.wait_for_function(f"() => document.getElementById('video-of').textContent.endsWith('climber {best + 1}')")

    choose(climb, format="webm", size="1920x1080", seconds="40", fps="60")
    saved = []
    climb.on("download", lambda download: saved.append(download.suggested_filename))
    climb.click("#video-make")
    climb.click("#video-cancel")
    climb.wait_for_function("() => document.getElementById('video-sentence').textContent.startsWith('Cancelled')")
    climb.wait_for_function(READY)
    assert climb.evaluate("() => document.activeElement.id") == "video-make"
    assert saved == []

    choose(climb, size="1280x720", theme="light", seconds="5", fps="24")
    name, file = save_video(climb)
    close(climb)
    assert name == f"burma14-two-opt-climb-{best + 1}.webm"
    shows_climb(climb, file, best, "1280x720", "light")


def shows_climb(page, file: bytes, climb: int, size: str, theme: str) -> None:
    """Compare the pictures of a video of five seconds with those of the page's painter."""
    pictures, rate = frames(file)
    assert rate == pytest.approx(24, rel=0.01)
    assert len(pictures) == 5 * 24
    assert pictures[0].shape == (*map(int, reversed(size.split("x"))), 3)
    first, last = (read_still(page, climb, size, theme, 5, share) for share in (0, 1))
    apart = difference(first, last)
    assert apart > 0.005
    assert difference(pictures[0], first) < apart / 5
    assert difference(pictures[-1], last) < apart / 5
    assert difference(pictures[-1], pictures[-20]) < 1e-4  # what stands does not flicker


@pytest.mark.long
@pytest.mark.parametrize(("format", "size", "theme"), [("mp4", "1080x1080", "dark"), ("webm", "1920x1080", "dark")])
def test_video_has_the_requested_pictures(climb, format, size, theme):
    stand_at(climb, 1)
    dialog(climb)
    formats = climb.eval_on_selector_all("#video-format option", "all => all.map(({ value }) => value)")
    if format not in formats:
        assert "H.264" in climb.inner_text("#video-note")
        close(climb)
        pytest.skip("this Chromium has no H.264 encoder")
    choose(climb, format=format, size=size, theme=theme, seconds="5", fps="24")
    name, file = save_video(climb)
    close(climb)
    assert name == f"burma14-two-opt-climb-2.{format}"
    shows_climb(climb, file, 1, size, theme)


@pytest.mark.long
def test_race_video_ends_with_the_end_of_each_lane(page, server):
    lanes = [{"stages": [{"algorithm": name}]} for name in ("greedy", "two-opt")]
    race = {"v": 1, "instance": {"name": "burma14"}, "lanes": lanes, "budget": {"seconds": 1.0}}
    page.goto(f"{server.url}race/?{RaceSpec.from_json(race).to_query()}")
    page.wait_for_selector("#start:enabled")
    page.click("#start")
    page.wait_for_function("() => window.TourScope.race.state === 'over'")
    page.wait_for_function("() => window.TourScope.race.lanes.every((lane) => lane.film.end > 0)")
    dialog(page, "#save-video")
    choose(page, format="webm", size="1280x720", theme="light", seconds="5", fps="24")
    name, file = save_video(page)
    close(page)
    assert name == "burma14-race.webm"
    pictures, _ = frames(file)
    assert len(pictures) == 5 * 24
    assert pictures[0].shape == (720, 1280, 3)
    colours = page.evaluate(COLOURS)
    last = pictures[-1].astype(int)
    for colour, half in zip(colours, np.array_split(last[160:], 2, axis=1), strict=True):  # below the names
        in_colour = np.abs(half - np.array(colour)).max(axis=2) < 60
        assert in_colour.sum() > 300, "the tour of a lane, in its colour, in its half"
    assert difference(pictures[0], pictures[-1]) > 0.001


@pytest.mark.long
@pytest.mark.parametrize("view", ["pheromone", "trails"])
def test_pheromone_video_covers_the_iterations(context, server, view):
    with visiting(context, server) as page:
        open_form(page, link(server, "burma14", "ant-system", iterations=20))
        page.click("#start")
        wait_state(page, "finished")
        page.evaluate("view => dash_clientside.set_props('view', { value: view })", view)
        page.wait_for_selector(f"#stage[data-view={view}]")
        dialog(page)
        choose(page, format="webm", size="1280x720", theme="dark", seconds="5", fps="24")
        name, file = save_video(page)
        close(page)
        assert name == f"burma14-ant-system-{view}.webm"
        pictures, _ = frames(file)
        assert len(pictures) == 5 * 24
        assert pictures[0].shape == (720, 1280, 3)
        assert difference(pictures[0], pictures[-1]) > 0.001
        first, last = (np.asarray(decoded) for decoded in painted_ends(page, view))
        apart = difference(first, last)
        assert difference(pictures[0], first) < apart / 4
        assert difference(pictures[-1], last) < apart / 4


def painted_ends(page, view: str) -> list[Image.Image]:
    """The first and last picture of a colony's scene by the dialog's painter."""
    return [Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGB") for picture in page.evaluate(FIELDS, view)]


@pytest.mark.long
def test_moments_form_one_picture(climb):
    stand_at(climb, 1)
    dialog(climb, "#save-moments")
    assert climb.input_value("#video-format") == "moments"
    choose(climb, size="1280x720", theme="dark", moments="6")
    name, file = save_video(climb)
    close(climb)
    assert name == "burma14-two-opt-climb-2-moments.png"
    picture = np.asarray(Image.open(io.BytesIO(file)).convert("RGB")).astype(int)
    assert picture.shape == (720, 1280, 3)
    assert picture[2, 2].sum() < 150  # the ground of the dark theme
    blue = (picture[..., 2] > 200) & (picture[..., 0] < 120)
    thirds = np.array_split(blue[80:], 3, axis=1)  # a tour in each of three columns and two rows
    assert all(half.any() for third in thirds for half in np.array_split(third, 2, axis=0))


@pytest.mark.long
def test_browser_without_encoder_names_what_is_missing(context, server):
    with visiting(context, server) as page:
        page.add_init_script("delete window.VideoEncoder")
        open_form(page, link(server, "burma14", climbers=2))
        start_run(page)
        wait_state(page, "finished")
        dialog(page)
        assert "cannot encode video" in page.inner_text("#video-note")
        values = page.eval_on_selector_all("#video-format option", "all => all.map(({ value }) => value)")
        assert values == ["gif", "moments"]
        choose(page, format="gif")
        name, file = save_video(page)
        assert re.fullmatch("burma14-two-opt-climb-[12].gif", name)  # the player goes on meanwhile
        assert file.startswith(b"GIF89a")


@pytest.mark.long
def test_newcomer_draws_twenty_cities_by_touch_solves_them_and_saves_a_video(chromium, server):
    """With 25 taps and without guessing: the next control is always on the screen."""
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    context = chromium.new_context(**phone)
    context.add_init_script(path=MODULES)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(server.url)
    page.wait_for_function(DRAWN)
    page.locator(".guide-draw").tap()
    page.wait_for_selector("#draw[open]")
    box = page.locator("#draw-board").bounding_box()
    for k in range(20):
        page.touchscreen.tap(*(box[at] + (0.1 + 0.2 * step) * box[size] for at, size, step in
                               (("x", "width", k % 5), ("y", "height", k // 5))))  # fmt: skip
    page.locator("#draw .button.primary").tap()
    wait_state(page, "finished")
    assert page.evaluate("() => window.TourScope.tour.map().n") == 20
    page.wait_for_function(SEEN, arg="tour")
    page.evaluate("climb => window.TourScope.player.playClimb(climb, false)",
                  page.evaluate("() => Number(window.TourScope.run.best.climber === 0)"))  # fmt: skip
    page.locator("#save-menu > summary").tap()
    page.wait_for_function(SEEN, arg="save-video")
    page.locator("#save-video").tap()
    page.wait_for_function(READY)
    best = page.evaluate("() => window.TourScope.run.number(window.TourScope.run.best.climber)")
    page.select_option("#video-what", label=f"best: climber {best}")
    page.wait_for_function("best => document.getElementById('video-of').textContent.endsWith(` ${best}`)", arg=best)
    assert page.input_value("#video-size") == "1280x720"
    choose(page, format="webm", seconds="5", fps="24")
    name, file = save_video(page)
    assert name == f"drawn-20-two-opt-climb-{best}.webm"
    pictures, _ = frames(file)
    assert len(pictures) == 5 * 24
    assert pictures[0].shape == (720, 1280, 3)
    context.close()
