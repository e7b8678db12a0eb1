"""Every id that only the study page has, once; the scripts `assets/study/*.js` use the same ids."""

from functools import partial

from components.shell.ids import item_button

# stores
ENTRIES = "studies-entries"  # [{"label", "stages"}, ...] that Start will compare, as in a study's JSON
OPEN = "studies-open"  # {"study": id} of the study that is shown, or None
SHOWN = "studies-shown"  # {"study": id, "version"}: changes whenever the charts have new results to show
EDITED = "studies-edited"  # the entry in the form, or None; see `several.form_state`
LATER = "studies-later"  # SHOWN, once the first chart is drawn: the charts below it wait for that
ADOPTED = "studies-adopted"  # {"study": id} of the study file that was uploaded last; the scripts set it
SHADE = "studies-shade"  # "light" or "dark": the page's current theme

# header
RECENT = "recent-studies"
RECENT_OPEN = "recent-studies-open"
RECENT_LIST = "recent-studies-list"
UPLOAD = "studies-upload"
UPLOAD_NOTE = "studies-upload-note"

# setup
INSTANCES = "studies-instances"
INSTANCES_NOTE = "studies-instances-note"
LIST = "studies-entry-list"
ADD = "studies-add"
SEEDS = "studies-seeds"
FIRST_SEED = "studies-first-seed"
LIMIT = "studies-limit"  # "seconds" or "iterations"
AMOUNT = "studies-amount"
THREADS = "studies-threads"
TITLE = "studies-title"
COST = "studies-cost"
START = "studies-start"
NOTE = "studies-note"

# the form of one entry, a dialog
FORM = "studies-form"
FORM_TITLE = "studies-form-title"
FORM_CLOSE = "studies-form-close"
FORM_NOTE = "studies-form-note"
FIRST = "studies-first"  # the algorithm that makes the start tour, "" for none
LABEL = "studies-label"
OVER = "studies-over"  # the parameter that the entry varies, "nothing" for none
OVER_ROW = "studies-over-row"
OVER_VALUES = "studies-over-values"
USE = "studies-use"

# the page without an open study
EMPTY = "studies-empty"
EMPTY_NOTE = "studies-empty-note"
EXAMPLE = "studies-example"
HERE = "studies-here"

# the progress of the open study
RESULTS = "studies-results"
HEADING = "studies-heading"
STATE = "studies-state"
PROGRESS = "studies-progress"
POLL = "studies-poll"
CANCEL = "studies-cancel"
RESUME = "studies-resume"
COMMAND_NOTE = "studies-command-note"
SAVES = "studies-saves"
MATRIX = "studies-matrix"
MATRIX_NOTE = "studies-matrix-note"

# charts
CHOSEN = "studies-chosen"  # the instance whose runs the charts show, by its number as text; "all" for all
AXIS = "studies-axis"  # "seconds", "iterations" or "evaluations"
AXIS_NOTE = "studies-axis-note"
LEGEND = "studies-legend"
MEASURE = "studies-measure"  # "gap_percent" or "length"
LOG = "studies-log"
ANYTIME = "studies-anytime"
ANYTIME_SAYS = "studies-anytime-says"
TARGET = "studies-target"  # "all", or a gap in per cent
ECDF = "studies-ecdf"
ECDF_SAYS = "studies-ecdf-says"
BUDGET = "studies-budget"
BUDGET_SAYS = "studies-budget-says"
MARK = "studies-mark"  # the slider's position on the axis, None at its end
SWEEP = "studies-sweep"
SWEEP_PANEL = "studies-sweep-panel"
SWEEP_TITLE = "studies-sweep-title"
SWEEP_SAYS = "studies-sweep-says"
SPREAD = "studies-spread"
SPREAD_SAYS = "studies-spread-says"
TIMES = "studies-times"
QUANTITY = "studies-quantity"  # the stopping quantity of climbers against accuracy
ACCURACY = "studies-accuracy"
ACCURACY_SAYS = "studies-accuracy-says"
ACCURACIES = "studies-accuracies"

# comparisons
WORDS = "studies-words"
COMPARED = "studies-compared"
RANKS_SAY = "studies-ranks-say"
RANKS = "studies-ranks"


#: The pattern-matching id of a button of an entry: "edit", "clone" or "remove", and its number.
entry = partial(item_button, "entry")


def store(component_id: str) -> str:
    """The id of the store that holds a table or a chart."""
    return f"{component_id}-data"
