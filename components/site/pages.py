"""A site's documents."""

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from components.learn.collection import ORDER
from components.learn.lesson import Lesson
from components.shell import ids as page_ids
from components.shell.texts import common, learn, watch
from components.shell.texts import site as text
from components.site.lessons import MAXIMUMS, list_changed_params
from runs.language import current_language
from runs.translation import translate
from solvers import SOLVERS
from solvers.core.params import Param

#: Numbers of random cities on offer, besides the bundled instance.
_SIZES = (15, 10, 25)
#: Scripts and sheets come from the folder; pictures and fonts are inside the sheet; nothing else is loaded.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; font-src data:; "
    "base-uri 'none'; form-action 'none'"
)
_DOCUMENT = Path(__file__).with_name("page.html").read_text("utf-8")
_INSTALL = """<p>{}</p><pre tabindex="0"><code>pipx install .
tourscope</code></pre>"""
_MAP = '<canvas id="tour" class="site-map" role="img" aria-label="{label}"></canvas>'


def document(title: str, body: str, data: dict[str, Any], icon: str, here: str = "") -> str:
    """Return a page.

    Parameters
    ----------
    title : str
        Unescaped title.
    body : str
        Body as HTML.
    data : dict
        ``SiteData`` of `assets/site/types.d.ts`.
    icon : str
        Address of the icon.
    here : str
        File name of the page, if the header links to it.
    """
    links = {
        "index.html": text("nav.start"),
        "index.html#lessons": text("nav.lessons"),
        "beat.html": watch("hand.open"),
    }
    current = ' aria-current="page"'
    nav = "".join(f'<a href="{to}"{current if to == here else ""}>{escape(name)}</a>' for to, name in links.items())
    return _DOCUMENT.format(
        language=current_language(), policy=_POLICY, title=escape(title), icon=escape(icon), page=data["page"],
        pages=escape(common("header.pages")), nav=nav, toggle=page_ids.THEME_TOGGLE,
        theme=escape(common("header.theme")), body=body,
        # an escaped character in strings: the same to JSON, but cannot end the element
        data=json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c"),
    )  # fmt: skip


def home(lessons: Sequence[Lesson], runs: Sequence[tuple[str, str]]) -> str:
    """Return the start page's body, with links to runs as pairs of file and title."""
    listed = sum(solver.listed for solver in SOLVERS)
    cards = [
        _card(f"{lesson.id}.html", lesson.title, lesson.afterwards, lesson.id, _minutes(lesson)) for lesson in lessons
    ]
    cards.append(_card("beat.html", watch("hand.open"), text("beat.about"), "beat", ""))
    played = "".join(f'<li><a href="{escape(file)}">{escape(title)}</a></li>' for file, title in runs)
    parts = [
        _section("lessons", text("nav.lessons"), f'<ul class="site-cards">{"".join(cards)}</ul>'),
        _section("runs", text("home.runs"), f'<ul class="site-played">{played}</ul>') if runs else "",
        _section(
            "install", text("home.more"), _INSTALL.format(text("home.install", algorithms=listed, lessons=len(ORDER)))
        ),
    ]
    return f"""<main>
<section class="site-hero">
<div class="site-words">
<h1>{escape(text("home.title"))}</h1>
<p>{escape(text("home.about"))}</p>
<p class="site-ways"><a class="button primary" href="{lessons[0].id}.html">{escape(text("home.lesson"))}</a>
<a class="button" href="beat.html">{escape(watch("hand.open"))}</a></p>
</div>
<figure class="site-figure">
<div class="site-canvas">{_canvas()}</div>
<figcaption>
<button id="player-play" type="button" class="button round primary">{_icon("play")}</button>
<span class="site-length"><b id="hud-length"></b> <span id="hud-gap"></span></span>
<span id="hud-where"></span>
</figcaption>
</figure>
</section>
{"".join(parts)}
</main>"""


def _section(name: str, title: str, body: str) -> str:
    return f'<section id="{name}" class="site-section site-{name}"><h2>{escape(title)}</h2>{body}</section>\n'


def _icon(name: str) -> str:
    return f'<span class="icon icon-{name}" aria-hidden="true"></span>'


def _minutes(lesson: Lesson) -> str:
    return learn("card.minutes", count=lesson.minutes)


def _card(file: str, title: str, about: str, picture: str, facts: str) -> str:
    picture = f'<span class="site-picture site-picture-{picture}" aria-hidden="true"></span>'
    title = f'<h3><a href="{file}">{escape(title)}</a></h3>'
    return f'<li class="site-card">{picture}{title}<p>{escape(about)}</p><p class="site-facts">{escape(facts)}</p></li>'


def _canvas() -> str:
    return _MAP.format(label=escape(watch("tour.map")))


def lesson(shown: Lesson) -> str:
    """Return a lesson's body: panel, form of its runs, and player."""
    fields = "".join(_field(param) for param in list_changed_params(shown))
    seed = _number("seed", watch("setup.seed"), 0, 2**53 - 1, "1")
    head = "".join(f"<th>{escape(text(f'climbs.{name}'))}</th>" for name in ("climber", "length", "moves"))
    return f"""<main class="site-columns">
<h1 class="visually-hidden">{escape(shown.title)}</h1>
<div class="site-side">
<section id="{page_ids.LESSON}" class="lesson panel" hidden></section>
<div id="site-climbs" class="panel site-climbs" tabindex="0" hidden><table><thead><tr>{head}</tr></thead>\
<tbody></tbody></table></div>
</div>
<div id="{page_ids.STAGE}" class="panel site-stage">
<form id="site-form" class="site-form">
{fields}{seed}
<button id="{page_ids.START}" type="submit" class="button start">\
{_icon("play")}<span>{escape(text("run.start"))}</span></button>
<p id="site-note" class="refusal" role="alert"></p>
</form>
<progress id="site-progress" max="1" aria-label="{escape(text("run.progress"))}" hidden></progress>
<div id="site-player" class="site-player"></div>
</div>
</main>"""


def _field(param: Param) -> str:
    high = MAXIMUMS.get(param.name, param.high)
    assert param.low is not None
    assert high is not None
    return _number(param.name, translate(param.label), param.low, high, "1" if param.kind == "int" else "any")


def _number(name: str, label: str, low: float, high: float, step: str) -> str:
    limits = f'min="{low}" max="{high}" step="{step}"'
    return (
        f'<label class="site-field"><span>{escape(label)}</span>'
        f'<input type="number" name="{name}" {limits} inputmode="decimal" required></label>'
    )


def beat() -> str:
    """Return Beat 2-opt's body."""
    options = "".join(f'<option value="{n}">{escape(common("instance.cities", count=n))}</option>' for n in _SIZES)
    buttons = "".join(
        f'<button id="{name}" type="button" class="button{style}">{escape(label)}</button>'
        for name, label, style in (
            (page_ids.HAND_RACE, watch("hand.race"), " primary"),
            (page_ids.HAND_UNDO, watch("hand.undo"), ""),
            (page_ids.HAND_AGAIN, watch("hand.again"), ""),
        )
    )
    return f"""<main class="site-columns">
<section class="panel site-side site-hand">
<h1>{escape(watch("hand.open"))}</h1>
<p>{escape(text("beat.about"))}</p>
<p class="site-choice"><label><span class="visually-hidden">{escape(text("beat.cities"))}</span>
<select id="site-cities">{options}<option value="0">berlin52</option></select></label>
<button id="site-new" type="button" class="button">{escape(text("beat.new"))}</button></p>
<div class="site-sentence">
<p id="{page_ids.HAND_SENTENCE}" aria-live="polite"></p>
<p id="{page_ids.HAND_AT}" class="hand-at" aria-live="polite"></p>
</div>
<p class="site-ways">{buttons}</p>
</section>
<div id="{page_ids.STAGE}" class="panel site-stage"><div class="site-canvas">{_canvas()}</div></div>
</main>"""


def run(title: str) -> str:
    """Return a saved run's body."""
    return f"""<main class="site-play"><h1 class="visually-hidden">{escape(title)}</h1>
<div class="panel site-stage"><div id="site-player" class="site-player"></div></div></main>"""
