"""Ids of the Watch page and of shared parts. The scripts in `assets/` use the same ids; a test compares them."""

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
NODES = "nodes"  # opens the list of a cluster's nodes, drawn by scripts
NODES_LIST = "nodes-list"
KERNELS = "kernels"
LEAD = "lead"  # lets the host of a shared server lead; used by the script of a lecture
LECTURE = "lecture"  # row of a lecture, on a shared server; filled by its script
THEME_TOGGLE = "theme-toggle"
RECENT = "recent"
RECENT_OPEN = "recent-open"
RECENT_LIST = "recent-entries"
RECENT_UPLOAD = "recent-upload"
RECENT_UPLOAD_NOTE = "recent-upload-note"

# guide for the first minute
GUIDE = "guide"
GUIDE_CLOSE = "guide-close"

# presenting what a page shows
PRESENT = "present"
PRESENT_LEAVE = "present-leave"
COPY_LINK = "copy-link"
SAVE_MENU = "save-menu"
TO_SETTINGS = "to-settings"
TO_STAGE = "to-stage"
COPY_LINK_SENTENCE = "copy-link-sentence"

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
INSTANCE_PICTURE = "instance-picture"
UPLOAD = "upload"
UPLOAD_NOTE = "upload-note"
ALGORITHM = "algorithm"
ALGORITHM_NOTE = "algorithm-note"
HOW = "how-open"  # opens the drawer "How it works" for the algorithm in the form
HOW_HELP = "how-help"  # the same in the header: for the current algorithm, or a list of all
WHICH = "which"  # the recommendation of an algorithm
WHICH_ASK = "which-ask"
WHICH_PROOF = "which-proof"
WHICH_SENTENCE = "which-sentence"
WHICH_TAKE = "which-take"
WHICH_QUESTION = "which-question"  # store: instance, seconds and proof, while the panel is open
WHICH_ANSWER = "which-answer"  # store: the recommended algorithm
FORM = "form"
VARIANTS_OPEN = "variants-open"  # in an algorithm's form with its table of variants
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
RUN_STATE = "run-state"
RUN_PROGRESS = "run-progress"
RUN_DEVICE = "run-device"  # variant and device of the run

# the instances, a dialog
INSTANCES = "instances"
INSTANCES_OPEN = "instances-open"
PICTURE_OPEN = "picture-open"
DRAW_OPEN = "draw-open"
INSTANCES_CLOSE = "instances-close"
INSTANCES_SEARCH = "instances-search"
INSTANCES_SIZE = "instances-size"
INSTANCES_KIND = "instances-kind"
INSTANCES_SOURCE = "instances-source"
INSTANCES_SORT = "instances-sort"
INSTANCES_COUNT = "instances-count"
INSTANCES_CARDS = "instances-cards"
INSTANCES_PART = "instances-part"  # part shown on a narrow screen
INSTANCES_UPLOAD = "instances-upload"
INSTANCES_UPLOAD_NOTE = "instances-upload-note"
GENERATOR = "generator"
GENERATOR_CLASS = "generator-class"
GENERATOR_N = "generator-n"
GENERATOR_SEED = "generator-seed"
GENERATOR_DICE = "generator-dice"
GENERATOR_NOTE = "generator-note"
GENERATOR_USE = "generator-use"
PLACES = "places"
PLACES_REGION = "places-region"
PLACES_N = "places-n"
PLACES_NOTE = "places-note"
PLACES_USE = "places-use"

# the columns of a table, a dialog
COLUMNS = "columns"
COLUMNS_CLOSE = "columns-close"
COLUMNS_FACTS = "columns-facts"
COLUMNS_SAMPLE = "columns-sample"
TABLE_X = "table-x"
TABLE_Y = "table-y"
TABLE_KIND = "table-kind"
TABLE_NOTE = "table-note"
TABLE_USE = "table-use"

# the variants of an algorithm, a dialog
VARIANTS = "variants"
VARIANTS_CLOSE = "variants-close"
VARIANTS_TITLE = "variants-title"
VARIANTS_TABLE = "variants-table"
VARIANTS_ALGORITHM = (
    "variants-algorithm"  # algorithm whose variants are compared; set by `assets/common/variants/variants.js`
)

# the tour
HUD_RUN = "hud-run"
HUD_LENGTH = "hud-length"
HUD_UNIT = "hud-unit"
HUD_GAP = "hud-gap"
HUD_WHERE = "hud-where"
PROVE = "prove"  # offer to prove the optimum, beside the gap
BOUND = "bound"  # offer to compute a lower bound, beside the gap
BOUND_START = "bound-start"
BOUND_WHY = "bound-why"  # opens the dialog of what proves it
BOUND_LENGTH = "bound-length"
BOUND_SENTENCE = "bound-sentence"
BOUND_ANNOUNCEMENT = "bound-announcement"  # message to screen readers once it is proven
PROVE_START = "prove-start"
PROVE_SENTENCE = "prove-sentence"
PROVE_RUN = "prove-run"  # link to the run that proves it
PROVE_ANNOUNCEMENT = "prove-announcement"  # message to screen readers once it is proven
ENDING = "ending"  # result of the run
ENDING_SENTENCE = "ending-sentence"
HINT = "hint"  # shown instead of the length until there is a run
TOUR = "tour"  # the canvas of the map
EXPLAIN = "explain"  # explanation of the current step
PREDICT = "predict"  # question about the next step, and the verdict
PREDICT_ON = "predict-on"
PREDICT_SENTENCE = "predict-sentence"
PREDICT_AT = "predict-at"
PREDICT_YES = "predict-yes"
PREDICT_NO = "predict-no"
PREDICT_SCORE = "predict-score"
PREDICT_SKIP = "predict-skip"
PREDICT_CLASS = "predict-class"  # asks the class; for the host of a shared server
PREDICT_RESET = "predict-reset"
HAND = "hand"  # a tour drawn by a person
HAND_OPEN = "hand-open"
HAND_SENTENCE = "hand-sentence"
HAND_AT = "hand-at"
HAND_NOTE = "hand-note"
HAND_SMALLER = "hand-smaller"  # instances that can be drawn by hand
HAND_UNDO = "hand-undo"
HAND_AGAIN = "hand-again"
HAND_RACE = "hand-race"
HAND_IMPROVE = "hand-improve"
HAND_COMPARE = "hand-compare"
HAND_LEAVE = "hand-leave"
LEGEND = "legend"
LEGEND_CANDIDATES = "legend-candidates"
LEGEND_MOVE = "legend-move"
LEGEND_ENTERING = "legend-entering"
SHOW_OPTIMAL = "show-optimal"
SHOW_SHARED = "show-shared"
SHOW_MOATS = "show-moats"
LEGEND_SHARED = "legend-shared"  # number of displayed edges that are in the optimal tour
LEGEND_MISSING = "legend-missing"
TOUR_SHARED = "tour-shared"  # the same for the best tour

# views of a run, in place of the tour
VIEWS = "views"  # offered unless its class is "views none"
#: "tour"; for an ant colony "pheromone", "trails" or "ants"; for an exact algorithm "layers"; for a population
#: "population"; for tabu search "tabu".
VIEW = "view"
VIEW_SENTENCE = "view-sentence"
HEAT = "heat"
HEAT_CANVAS = "heat-canvas"
HEAT_BAR = "heat-bar"
HEAT_TICKS = "heat-ticks"
HEAT_HOVER = "heat-hover"
HEAT_LOG = "heat-log"
TRAILS = "trails"  # a canvas
TRAILS_BEST = "trails-best"
ANTS = "ants"  # a canvas; traces: lengths of the ants, then curves over the iterations
ANTS_CURVE = "ants-curve"  # "lengths", "trails", "time", "shortened" or "trials"
TABU = "tabu"  # a canvas
TABU_AT = "tabu-at"  # search and step, with the length of its tour
POPULATION = "population"  # a canvas; traces: lengths of one iteration's tours, then curves over the iterations
POPULATION_CURVE = "population-curve"  # "lengths" or "diversity"
LAYERS = "layers"  # a canvas; traces: states of the layers, those completed, then time against cities
FRONT_DONE = "front-done"
FRONT_SUBSETS = "front-subsets"
FRONT_STATES = "front-states"
FRONT_RATE = "front-rate"
FRONT_MEMORY = "front-memory"
FRONT_SECONDS = "front-seconds"

# the player
PLAYER = "player"
HOME = "player-home"
BACK = "player-back"
PLAY = "player-play"
FORWARD = "player-forward"
END = "player-end"
CLIMB_SCRUB = "player-climb"
CLIMB_NAME = "player-climb-name"
CLIMB_LABEL = "player-climb-label"
MOVE_SCRUB = "player-move"
MOVE_NAME = "player-move-name"
MOVE_LABEL = "player-move-label"
SPEED = "player-speed"
SPEED_LABEL = "player-speed-label"
LIVE = "player-live"

# numbers
WAITING = "waiting"  # over the map: reason why the page is waiting
WAITING_SENTENCE = "waiting-sentence"
TILE_BEST = "tile-best"
TILE_BEST_LABEL = "tile-best-label"
TILE_GAP = "tile-gap"
TILE_RATE = "tile-rate"
TILE_RATE_LABEL = "tile-rate-label"
# a canvas; traces: iterations' lengths, best so far, optimum, ghosts of climbs, this climb, here
CONVERGENCE = "convergence"
CONVERGENCE_X = "convergence-x"  # "climb", "iterations", "evaluations" or "seconds"
CLIMBERS = "climbers-place"  # filled with the AG Grid by a script
SHORTENED = "shortened"
CLIMBERS_NOTE = "climbers-note"

# climbers against accuracy, in place of the table
RESTARTS_PART = "restarts-part"  # "table" or "restarts"
RESTARTS = "restarts"
RESTARTS_MISSING = "restarts-missing"
RESTARTS_BARS = "restarts-bars"
RESTARTS_TICKS = "restarts-ticks"
RESTARTS_MARK_BEST = "restarts-mark-best"
RESTARTS_MARK_MEAN = "restarts-mark-mean"
RESTARTS_MARK_CLIMBER = "restarts-mark-climber"
RESTARTS_KEY_BEST = "restarts-key-best"
RESTARTS_KEY_MEAN = "restarts-key-mean"
RESTARTS_KEY_CLIMBER = "restarts-key-climber"
RESTARTS_ROWS = "restarts-rows"
RESTARTS_ALL = "restarts-all"

# save
SAVE_PNG = "save-png"
SAVE_SVG = "save-svg"
SAVE_GIF = "save-gif"
SAVE_VIDEO = "save-video"
SAVE_MOMENTS = "save-moments"
SAVE_PDF = "save-pdf"
SAVE_TIKZ = "save-tikz"
SAVE_PLACES = "save-places"
SAVE_PLOTTER = "save-plotter"
SAVE_HTML = "save-html"
SAVE_TOUR = "save-tour"
SAVE_CSV = "save-csv"
SAVE_JSON = "save-json"
SAVE_RUN = "save-run"


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
