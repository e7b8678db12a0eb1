"""Ids of the Watch page and of shared parts that Python mentions more than once, such as those of callbacks.

An id that only the scripts in `assets/` use besides stands in its layout. A test compares scripts and layouts.
"""

from components.types import Name, PatternId

# the page itself
PAGE = "page"  # has data-units for the scripts
URL = "url"  # dcc.Location
ADDRESS = "address"  # store: {"search", "at"}, the query to read on the server, and its time

# stores
RUN = "run"  # {"run": id} of the current run, or None
MAIN = "main"  # below the header: target of the page's first link, to skip to the content
STAGE = "stage"  # panel with the tour or the lanes
LESSON = "lesson"  # on Watch and Race, empty unless the address has a lesson; filled by `assets/lesson/`
THEME = "theme"  # "light" or "dark", stored in the browser
STATUS = "status"  # {"devices", "spare", "runs"} as last sent by the server; set by scripts on each change
ADOPTED = "adopted"  # {kind: id} of the run, race or study file uploaded last; set by scripts
PERMALINK = "permalink"  # {"algorithm", "params"} requested by the address bar
HINT_WORDS = "hint-words"  # sentences of `HINT` for "many", "one" and "none", and the "parameter" with the number
CHOICE = "choice"  # {"value"}, a value of the instance menu chosen in the dialog of instances; set by scripts
FILE = "file"  # {"contents", "filename", "at"} of the file uploaded last; set by scripts
TABLE = "table"  # {"filename", "columns", "rows", "guess", "kind"} of a table whose columns are to be chosen, or None
WEIGHED = "weighed"  # parameters on which time and memory of a run depend
VARIANTS_HERE = "variants-here"  # {"algorithm", "options", "missing", "words"} of the variant field, or None
PROGRESS = "progress"  # progress of the run (`components.watch.panels`); set by scripts, as are the next two
ROWS = "rows"  # climbers that have finished since the last update
PICTURE = "picture"  # the newest pheromone picture
WRONG = "wrong-field"  # id in the browser of the element whose value was refused by Start, or None

# header
DEVICE_CHIP = "device-chip"
THEME_TOGGLE = "theme-toggle"
RECENT_OPEN = "recent-open"
RECENT_LIST = "recent-entries"

# setup panel
INSTANCE = "instance"
LACKING = "lacking"  # values stored by the browser that the menu of instances lacks
INSTANCE_NOTE = "instance-note"
INSTANCE_REFINE = "instance-refine"
PATH_START = "path-start"
PATH_END = "path-end"
PATH_TAKE = "path-take"
FIXED_EDGES = "fixed-edges"
FIXED_TAKE = "fixed-take"
UPLOAD = "upload"
UPLOAD_NOTE = "upload-note"
ALGORITHM = "algorithm"
ALGORITHM_NOTE = "algorithm-note"
WHICH = "which"  # the recommendation of an algorithm
WHICH_ASK = "which-ask"
WHICH_PROOF = "which-proof"
WHICH_SENTENCE = "which-sentence"
WHICH_TAKE = "which-take"
WHICH_QUESTION = "which-question"  # store: instance, seconds and proof, while the panel is open
WHICH_ANSWER = "which-answer"  # store: the recommended algorithm
FORM = "form"
SEED = "seed"
SEED_DICE = "seed-dice"
SECONDS = "budget-seconds"
SECONDS_SLIDER = "budget-seconds-slider"
DEVICE = "device"
DEVICE_NOTE = "device-note"
THREADS = "threads"
START = "start"
PAUSE = "run-pause"
RESUME = "run-resume"
STEP = "run-step"
CANCEL = "run-cancel"
NEEDS = "needs-note"  # memory needed by the form's run, and memory available
START_NOTE = "start-note"

# the instances, a dialog
INSTANCES_SEARCH = "instances-search"
INSTANCES_SIZE = "instances-size"
INSTANCES_KIND = "instances-kind"
INSTANCES_SOURCE = "instances-source"
INSTANCES_SORT = "instances-sort"
INSTANCES_UPLOAD_NOTE = "instances-upload-note"
GENERATOR_CLASS = "generator-class"
GENERATOR_N = "generator-n"
GENERATOR_SEED = "generator-seed"
GENERATOR_DICE = "generator-dice"
PLACES_REGION = "places-region"
PLACES_N = "places-n"

# the columns of a table, a dialog
TABLE_X = "table-x"
TABLE_Y = "table-y"
TABLE_KIND = "table-kind"
TABLE_NOTE = "table-note"
TABLE_USE = "table-use"

# the variants of an algorithm, a dialog
VARIANTS_TITLE = "variants-title"
VARIANTS_TABLE = "variants-table"
VARIANTS_ALGORITHM = (
    "variants-algorithm"  # algorithm whose variants are compared; set by `assets/common/variants/variants.js`
)

# the tour
HINT = "hint"  # shown instead of the length until there is a run
TOUR = "tour"  # the canvas of the map
HAND_SENTENCE = "hand-sentence"
HAND_AT = "hand-at"
HAND_UNDO = "hand-undo"
HAND_AGAIN = "hand-again"
HAND_RACE = "hand-race"
LEGEND = "legend"
SHOW_OPTIMAL = "show-optimal"
SHOW_SHARED = "show-shared"
SHOW_MOATS = "show-moats"

# views of a run, in place of the tour
VIEWS = "views"  # offered unless its class is "views none"
#: "tour"; for an ant colony "pheromone", "trails" or "ants"; for an exact algorithm "layers"; for a population
#: "population"; for tabu search "tabu".
VIEW = "view"
HEAT_LOG = "heat-log"
TRAILS_BEST = "trails-best"
ANTS = "ants"  # a canvas; traces: lengths of the ants, then curves over the iterations
ANTS_CURVE = "ants-curve"  # "lengths", "trails", "time", "shortened" or "trials"
POPULATION = "population"  # a canvas; traces: lengths of one iteration's tours, then curves over the iterations
POPULATION_CURVE = "population-curve"  # "lengths" or "diversity"
LAYERS = "layers"  # a canvas; traces: states of the layers, those completed, then time against cities

# the player
PLAYER = "player"
HOME = "player-home"
BACK = "player-back"
PLAY = "player-play"
FORWARD = "player-forward"
END = "player-end"
CLIMB_NAME = "player-climb-name"
MOVE_NAME = "player-move-name"
SPEED = "player-speed"
LIVE = "player-live"

# numbers
TILE_BEST = "tile-best"
TILE_GAP = "tile-gap"
TILE_RATE = "tile-rate"
TILE_RATE_LABEL = "tile-rate-label"
# a canvas; traces: iterations' lengths, best so far, optimum, ghosts of climbs, this climb, here
CONVERGENCE = "convergence"
CONVERGENCE_X = "convergence-x"  # "climb", "iterations", "evaluations" or "seconds"
CLIMBERS_NOTE = "climbers-note"

# climbers against accuracy, in place of the table
RESTARTS_PART = "restarts-part"  # "table" or "restarts"
RESTARTS = "restarts"

# save
SAVE_PNG = "save-png"
SAVE_SVG = "save-svg"
SAVE_GIF = "save-gif"
SAVE_VIDEO = "save-video"
SAVE_CSV = "save-csv"


def parameter(name: Name) -> PatternId:
    """Return the pattern-matching id of an algorithm parameter's control in the form."""
    return {"type": "parameter", "name": name}


def preset(algorithm: Name, part: str) -> PatternId:
    """Return the pattern-matching id of a part of an algorithm's preset menu: "menu" or "params"."""
    return {"type": f"preset-{part}", "algorithm": algorithm}


def variant(algorithm: Name, part: str) -> PatternId:
    """Return the pattern-matching id of a part of an algorithm's variant field: "note", "missing" or "words"."""
    return {"type": f"variant-{part}", "algorithm": algorithm}


def item_button(name: str, action: str, number: int | Name) -> PatternId:
    """Return the id of a lane's or entry's button: "edit", "clone" or "remove"; its number is text."""
    return {"type": f"{name}-{action}", name: str(number) if isinstance(number, int) else number}
