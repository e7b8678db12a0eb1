"""Every id that only the study page has, once; the scripts `assets/study/*.js` use the same ids."""

from functools import partial
from typing import Any

from components.shell.ids import item_button

# stores
ENTRIES = "study-entries"  # [{"label", "stages"}, ...] that Start will compare, as in a study's JSON
OPEN = "study-open"  # {"study": id} of the study that is shown, or None
SHOWN = "study-shown"  # {"study": id, "version"}: changes whenever the charts have new results to show
EDITED = "study-edited"  # the entry in the form, or None; see `several.form_state`
LATER = "study-later"  # SHOWN, once the first chart is drawn: the charts below it wait for that
ADOPTED = "study-adopted"  # {"study": id} of the study file that was uploaded last; the scripts set it
SHADE = "study-shade"  # "light" or "dark": the page's current theme

# the open study
FINDING = "study-finding"  # what it shows, in a sentence or two

# header
RECENT = "recent-studies"
RECENT_OPEN = "recent-studies-open"
RECENT_LIST = "recent-studies-list"
UPLOAD = "study-upload"
UPLOAD_NOTE = "study-upload-note"

# setup
INSTANCES = "study-instances"
INSTANCES_NOTE = "study-instances-note"
LIST = "study-entry-list"
ADD = "study-add"
SEEDS = "study-seeds"
SEEDS_NOTE = "study-seeds-note"
FIRST_SEED = "study-first-seed"
LIMIT = "study-limit"  # "seconds" or "iterations"
AMOUNT = "study-amount"
THREADS = "study-threads"
TITLE = "study-title"
COST = "study-cost"
START = "study-start"
NOTE = "study-note"

# what makes the setup that of a tuning
KIND = "study-kind"  # "compare" or "tune"
TUNE = "study-tune"  # the fields of a tuning
TUNE_ENTRY = "study-tune-entry"  # the entry that is tuned, by its number as text
TUNE_ROWS = "study-tune-rows"  # a row for each parameter
TUNE_GIVEN = "study-tune-given"  # {"algorithm", "vary"}: the ranges of an address, or None
TUNE_SHOWN = "study-tune-shown"  # the algorithm whose parameters the rows are
TUNE_NOTE = "study-tune-note"
TRIALS = "study-trials"
TRAIN_SEEDS = "study-train-seeds"
TEST_INSTANCES = "study-test-instances"
PRUNER = "study-pruner"
SAMPLER_SEED = "study-sampler-seed"
BATCH = "study-batch"

# the trials of the open study
TUNING = "study-tuning"
TUNING_SAYS = "study-tuning-says"
BEST = "study-best"  # the least mean gap against the number of trials
BEST_SAYS = "study-best-says"
TRIED = "study-tried"  # the table of the best trials
MATTERS = "study-matters"  # the table of importances
PRESET_NAME = "study-preset-name"
PRESET_SAVE = "study-preset-save"
PRESET_NOTE = "study-preset-note"
PRESETS = "study-presets"  # the user's own presets of the tuned algorithm

# the form of one entry, a dialog
FORM = "study-form"
FORM_TITLE = "study-form-title"
FORM_CLOSE = "study-form-close"
FORM_NOTE = "study-form-note"
FIRST = "study-first"  # the algorithm that makes the start tour, "" for none
LABEL = "study-label"
OVER = "study-over"  # the parameter that the entry varies, "nothing" for none
OVER_ROW = "study-over-row"
OVER_VALUES = "study-over-values"
USE = "study-use"

# the page without an open study
EMPTY = "study-empty"
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
CHOSEN = "study-chosen"  # the instance whose runs the charts show, by its number as text; "all" for all
AXIS = "study-axis"  # "seconds", "iterations" or "evaluations"
AXIS_NOTE = "study-axis-note"
LEGEND = "study-legend"
MEASURE = "study-measure"  # "gap_percent" or "length"
LOG = "study-log"
ANYTIME = "study-anytime"
ANYTIME_SAYS = "study-anytime-says"
TARGET = "study-target"  # "all", or a gap in per cent
ECDF = "study-ecdf"
ECDF_SAYS = "study-ecdf-says"
BUDGET = "study-budget"
BUDGET_SAYS = "study-budget-says"
MARK = "study-mark"  # the slider's position on the axis, None at its end
SWEEP = "study-sweep"
SWEEP_PANEL = "study-sweep-panel"
SWEEP_TITLE = "study-sweep-title"
SWEEP_SAYS = "study-sweep-says"
RATES = "study-rates"  # time and throughput
RATES_SAYS = "study-rates-says"
RATES_QUANTITY = "study-rates-quantity"  # one of `studies.stats.rates.QUANTITIES`
RATES_OVER = "study-rates-over"  # "cities", "threads" or the name of a parameter
RATES_AGAINST = "study-rates-against"  # the entry that speed-ups are against, by its number as text
RATES_LOG_X = "study-rates-log-x"
RATES_LOG_Y = "study-rates-log-y"
BACKBONE = "study-backbone"  # how often each edge occurs in the runs' best tours, on the map
BACKBONE_SAYS = "study-backbone-says"
BACKBONE_ENTRY = "study-backbone-entry"  # the entry whose runs are counted, by its number as text; "all" for all
BACKBONE_ON = "study-backbone-on"  # whether it is asked for
BACKBONE_PANEL = "study-backbone-panel"
DISTANCE = "study-distance"  # gap against distance from the best tour
DISTANCE_SAYS = "study-distance-says"
WALK = "study-walk"  # the autocorrelation of a random walk
WALK_SAYS = "study-walk-says"
LANDSCAPE_ON = "study-landscape-on"  # whether both are asked for
LANDSCAPE_PANEL = "study-landscape-panel"
SPREAD = "study-spread"
SPREAD_SAYS = "study-spread-says"
TIMES = "study-times"
QUANTITY = "study-quantity"  # the stopping quantity of climbers against accuracy
ACCURACY = "study-accuracy"
ACCURACY_SAYS = "study-accuracy-says"
ACCURACIES = "study-accuracies"

# comparisons
WORDS = "study-words"
VERDICTS = "study-verdicts"
COMPARED = "study-compared"
RANKS_SAY = "study-ranks-say"
RANKS = "study-ranks"


def varied(name: Any, part: str) -> dict[str, Any]:
    """The pattern-matching id of a part of a parameter's row in a tuning: "on" or "values"."""
    return {"type": f"tune-{part}", "name": name}


#: The pattern-matching id of a button of a kept preset: "delete", and its id.
kept_preset = partial(item_button, "kept-preset")
#: The pattern-matching id of a button of an entry: "edit", "clone" or "remove", and its number.
entry = partial(item_button, "entry")


def store(component_id: str) -> str:
    """The id of the store that holds a table or a chart."""
    return f"{component_id}-data"
