"""Sixty questions that users ask: each is answered in a document within two clicks of the index."""

import re
from functools import cache

from tests.tables import each_row
from tests.test_docs import _LINK, ROOT

DOCS = ROOT / "docs"
#: A question, the document that answers it, and words of the answer.
QUESTIONS = [
    ("How do I install it?", "first-steps", "pipx install ."),
    ("Which versions of Python does it need?", "first-steps", "Python 3.11 to 3.13"),
    ("How do I stop it?", "first-steps", "Press Ctrl-C in the terminal to stop it"),
    ("Does it run on Windows or a Mac?", "systems", "Nothing has been run on macOS, Windows"),
    ("Which browsers were tested?", "systems", "The tests drive Chromium on Linux"),
    ("How do I use another port?", "command-line", "`--port P`"),
    ("How do I keep the browser closed?", "command-line", "`--no-open`"),
    ("Where are my runs saved?", "library", "`runs/*.tourscope`"),
    ("How do I delete a run, and get it back?", "library", "Undo restores an entry"),
    ("How do I compare earlier runs?", "library", "up to twelve runs"),
    ("What is a climber?", "first-steps", "*climbers* each take a random tour"),
    ("What is a gap?", "watch", "A gap compares a tour with the proven optimum"),
    ("What is a local optimum?", "first-steps", "*local optimum* that no move shortens"),
    ("Which keys are there?", "watch", "one move back or forward"),
    ("What do red and green edges mean?", "watch", "Dashed red edges are removed, green ones added"),
    ("Does the same seed give the same run?", "watch", "The same seed gives the same run"),
    ("How do I show a run to an audience?", "watch", "fills the screen for a projector"),
    ("How do I link to one moment?", "watch", "copies the address of exactly what you see"),
    ("How do I save a picture for a paper?", "watch", "**PDF**, **TikZ**"),
    ("How do I make a video?", "embedding", "climb.mp4"),
    ("How do I put a run on my site?", "embedding", "may show runs in a frame"),
    ("Which algorithm should I take?", "choosing", "the shortest tour within seconds"),
    ("How many cities can it solve?", "choosing", "most cities"),
    ("How do I get a proof that a tour is optimal?", "choosing", "a proof that a tour is the shortest"),
    ("How far can a tour be above the optimum?", "lower-bound", "at most 2 % above the optimum"),
    ("Which algorithms take directed distances?", "choosing", "accept directed distances"),
    ("Which files can I open?", "instances", "TSPLIB 95, `TYPE: TSP`"),
    ("Can I paste a table?", "instances", "**Paste a table**"),
    ("How are latitudes and longitudes measured?", "instances", "great circles on a sphere"),
    ("Why are all my distances 0 or 1?", "instances", "In the unit square all of them are 0 or 1"),
    ("How do I find a path instead of a round trip?", "instances", "`--start` and `--end`"),
    ("How do I say that an edge is missing?", "instances", "A file can mark missing edges in two ways"),
    ("How do I write a file that LKH reads?", "instances", "`tourscope data export NAME FILE.tsp`"),
    ("Why does my file not open?", "command-line", "`tourscope data check FILE` says what is wrong"),
    ("How do I visit the largest cities of a country?", "places", "tourscope run places:japan:100 two-opt"),
    ("How do I get the route into a navigator?", "places", "--gpx tour.gpx"),
    ("How do I draw a picture as one line?", "art", "tourscope data picture portrait.png"),
    ("How do I race two algorithms?", "race", "press **Start**: four algorithms"),
    ("Is a race fair?", "race", "**Lanes take turns.**"),
    ("Which algorithm is better, and is it chance?", "studies", "whether the difference is more than chance"),
    ("How many seeds does a study need?", "studies-statistics", "says how many seeds you need"),
    ("What do p and A12 mean?", "studies-statistics", "A12 (A. Vargha and H. D. Delaney, 2000) is the probability"),
    ("How do I resume a study?", "studies", "To resume a stopped study, repeat its command"),
    ("How do I get the results into a spreadsheet?", "studies", "`--csv FILE`"),
    ("How do I find better parameters?", "tuning", "tourscope study --tune ant-colony-system"),
    ("How do I reuse tuned parameters?", "tuning", "--preset mine.tourpreset"),
    ("How do I solve my coordinates from Python?", "python-api", "ts.solve(berlin_paris_rome"),
    ("Where does result.tour count from?", "python-api", "array of cities, counted from 0"),
    ("How do I draw a run in a notebook?", "python-api", "ts.view(ts.run("),
    ("Which options does a run have?", "command-line", "Every parameter of the algorithm is an option"),
    ("What does the exit status mean?", "command-line", "`130` that you pressed Ctrl+C"),
    ("How do I set up a GPU?", "gpu", "Install the extra with the same number"),
    ("How do I use several GPUs?", "gpu", "`--gpus all`"),
    ("How do I run on a cluster?", "cluster", "ray start --head"),
    ("How do I let a class in?", "class", "tourscope --share"),
    ("How do I run it behind a proxy?", "operating", "proxy_pass http://127.0.0.1:8050"),
    ("How do I back it up?", "operating", "tourscope data backup"),
    (
        "What does the server store of its visitors?",
        "visitors",
        "server does not save visitors' names or addresses",
    ),
    ("How do I write my own algorithm?", "your-solver", "tourscope check --template my_solver.py"),
    ("Will a later release read my files?", "formats", "**reads** all from version 1 on"),
]


@cache
def within_two_clicks() -> set[str]:
    """The documents within two clicks of the index."""
    pages = {"index.md"}
    for _ in range(2):
        pages |= {target for page in pages for target, _ in _LINK.findall((DOCS / page).read_text()) if is_link(target)}
    return pages


def is_link(target: str) -> bool:
    return re.fullmatch(r"[\w-]+\.md", target) is not None


def test_there_are_sixty_questions():
    assert len({question for question, *_ in QUESTIONS}) == 60


@each_row(("question", "page", "answer"), QUESTIONS)
def test_document_near_the_index_has_the_answer(question, page, answer):
    assert f"{page}.md" in within_two_clicks(), question
    assert answer.lower() in " ".join((DOCS / f"{page}.md").read_text().split()).lower(), question
