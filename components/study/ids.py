"""Ids of the study page, as `components.shell.ids`."""

from functools import partial

from components.shell.ids import item_button
from components.types import Name, PatternId

# stores
ENTRIES = "study-entries"  # [{"label", "stages"}, ...] that Start will compare, as in a study's JSON
OPEN = "study-open"  # {"study": id} of the current study, or None
SHOWN = "study-shown"  # {"study": id, "version"}: changes whenever the charts have new results to show
LATER = "study-later"  # SHOWN, once the first chart is drawn; the charts below wait for this
SHADE = "study-shade"  # "light" or "dark": the page's current theme

# the open study
FINDING = "study-finding"  # its description, in a sentence or two

# setup
INSTANCES = "study-instances"
SEEDS = "study-seeds"
SEEDS_NOTE = "study-seeds-note"
FIRST_SEED = "study-first-seed"
LIMIT = "study-limit"  # "seconds" or "iterations"
AMOUNT = "study-amount"
TITLE = "study-title"
COST = "study-cost"

# switches the setup to a tuning study
KIND = "study-kind"  # "compare" or "tune"
TUNE = "study-tune"  # the fields of a tuning study
TUNE_ENTRY = "study-tune-entry"  # number of the tuned entry, as text
TUNE_ROWS = "study-tune-rows"  # a row for each parameter
TUNE_GIVEN = "study-tune-given"  # {"algorithm", "vary"}: ranges in the address, or None
TUNE_SHOWN = "study-tune-shown"  # algorithm whose parameters are listed
TUNE_NOTE = "study-tune-note"
TRIALS = "study-trials"
TRAIN_SEEDS = "study-train-seeds"
TEST_INSTANCES = "study-test-instances"
PRUNER = "study-pruner"
SAMPLER_SEED = "study-sampler-seed"
BATCH = "study-batch"

# trials of the open study
TUNING = "study-tuning"
TUNING_SENTENCE = "study-tuning-sentence"
BEST = "study-best"  # smallest mean gap against the number of trials
TRIED = "study-tried"  # the table of the best trials
MATTERS = "study-matters"  # the table of importances
PRESET_NAME = "study-preset-name"
PRESET_SAVE = "study-preset-save"
PRESET_NOTE = "study-preset-note"
PRESETS = "study-presets"  # the user's own presets of the tuned algorithm

# the form of one entry, a dialog
LABEL = "study-label"
OVER = "study-over"  # parameter varied by the entry, "nothing" for none
OVER_ROW = "study-over-row"
OVER_VALUES = "study-over-values"

# the page without an open study
EMPTY_NOTE = "study-empty-note"
EXAMPLE = "study-example"
EXAMPLE_LOCAL = "study-example-local"
HERE = "study-here"

# the progress of the open study
RESULTS = "study-results"
HEADING = "study-heading"
STATE = "study-state"
PROGRESS = "study-progress"
POLL = "study-poll"
CANCEL = "study-cancel"
RESUME = "study-resume"
COMMAND_NOTE = "study-command-note"
SAVES = "study-saves"
MATRIX = "study-matrix"
MATRIX_NOTE = "study-matrix-note"

# charts
CHOSEN = "study-chosen"  # number of the instance whose runs the charts show, as text; "all" for all
AXIS = "study-axis"  # "seconds", "iterations" or "evaluations"
AXIS_NOTE = "study-axis-note"
LEGEND = "study-legend"
MEASURE = "study-measure"  # "gap_percent" or "length"
LOG = "study-log"
ANYTIME = "study-anytime"
TARGET = "study-target"  # "all", or a gap in per cent
ECDF = "study-ecdf"
BUDGET = "study-budget"
BUDGET_SENTENCE = "study-budget-sentence"
MARK = "study-mark"  # position of the slider on the axis, None at its end
SWEEP = "study-sweep"
SWEEP_PANEL = "study-sweep-panel"
SWEEP_TITLE = "study-sweep-title"
RATES = "study-rates"  # time and throughput
RATES_QUANTITY = "study-rates-quantity"  # one of `studies.stats.rates.QUANTITIES`
RATES_OVER = "study-rates-over"  # "cities", "threads" or the name of a parameter
RATES_AGAINST = "study-rates-against"  # number of the entry against which speed-ups are measured, as text
RATES_LOG_X = "study-rates-log-x"
RATES_LOG_Y = "study-rates-log-y"
BACKBONE = "study-backbone"  # frequency of each edge in the runs' best tours, on the map
BACKBONE_ENTRY = "study-backbone-entry"  # number of the entry whose runs are counted, as text; "all" for all
BACKBONE_ON = "study-backbone-on"  # whether it is requested
BACKBONE_PANEL = "study-backbone-panel"
DISTANCE = "study-distance"  # gap against distance from the best tour
WALK = "study-walk"  # the autocorrelation of a random walk
LANDSCAPE_ON = "study-landscape-on"  # whether both are requested
LANDSCAPE_PANEL = "study-landscape-panel"
SPREAD = "study-spread"
TIMES = "study-times"
QUANTITY = "study-quantity"  # the stopping quantity of climbers against accuracy
ACCURACY = "study-accuracy"
ACCURACY_TITLE = "study-accuracy-title"
ACCURACIES = "study-accuracies"

# comparisons
WORDS = "study-words"
VERDICTS = "study-verdicts"
COMPARED = "study-compared"
RANKS_SAY = "study-ranks-say"
RANKS = "study-ranks"


def varied_id(name: Name, part: str) -> PatternId:
    """Return the pattern-matching id of a part of a tuned parameter's row: "on" or "values"."""
    return {"type": f"tune-{part}", "name": name}


#: Pattern-matching id of a saved preset's button: "delete", and the preset's id.
kept_preset = partial(item_button, "kept-preset")
#: Pattern-matching id of an entry's button: "edit", "clone" or "remove", and the entry's number.
entry = partial(item_button, "entry")


def store(component_id: str) -> str:
    """Return the id of a table's or chart's store."""
    return f"{component_id}-data"


def sentence_id(chart: str) -> str:
    """Return the id of a chart's description."""
    return f"{chart}-sentence"
