"""Every id that only the race page has, once; the scripts `assets/race/*.js` use the same ids."""

from functools import partial

from components.shell.ids import item_button

# stores
LANES = "race-lanes"  # [{"stages", "device"}, ...]: the lanes of the race that Start will begin, as in a race's JSON
VIEWS = "race-views"  # what scripts show of those lanes; see `lanes.views`
# {"race": id, "runs", "lanes": views, "instance", "seconds", "seed", "state", "alone"} of the race that is shown
RACE = "race"
EDITED = "race-edited"  # the lane in the form, or None; see `several.form_state`
ADOPTED = "race-adopted"  # {"race": id} of the race file that was uploaded last; the scripts set it

# header
RECENT = "recent-races"
RECENT_OPEN = "recent-races-open"
RECENT_LIST = "recent-races-list"
UPLOAD = "race-upload"
UPLOAD_NOTE = "race-upload-note"

# setup
LIST = "race-lane-list"
ADD = "race-add"
SECONDS = "race-seconds"
SECONDS_SLIDER = "race-seconds-slider"
SEED = "race-seed"
SEED_DICE = "race-seed-dice"
FAIR = "race-fair"
START = "race-start"
PAUSE = "race-pause"
RESUME = "race-resume"
CANCEL = "race-cancel"
NOTE = "race-note"
STATE = "race-state"
PROGRESS = "race-progress"

# the form of one lane, a dialog
FORM = "race-form"
FORM_TITLE = "race-form-title"
FORM_CLOSE = "race-form-close"
FORM_NOTE = "race-form-note"
FIRST = "race-first"  # the algorithm that makes the start tour, "" for none
USE = "race-use"

# lanes and player
PANELS = "race-panels"
ENDING = "race-ending"  # how the race ended
PLAYER = "race-player"
HOME = "race-home"
BACK = "race-back"
PLAY = "race-play"
FORWARD = "race-forward"
END = "race-end"
SCRUB = "race-scrub"
CLOCK = "race-clock"
SPEED = "race-speed"
LIVE = "race-live"

# numbers
CHART = "race-chart"  # a canvas; traces: one line per lane
HERE = "race-here"  # the line at the moment that is shown
CHART_X = "race-chart-x"  # "seconds", "iterations" or "evaluations"
CHART_Y = "race-chart-y"  # "gap" or "length"
CHART_LOG = "race-chart-log"
CHART_SAYS = "race-chart-says"
TABLE = "race-table"
TABLE_LENGTH = "race-table-length"
DIFFER = "race-differ"
DIFFER_A = "race-differ-a"
DIFFER_B = "race-differ-b"
DIFFER_SAYS = "race-differ-says"

# save
SAVE_PNG = "race-save-png"
SAVE_SVG = "race-save-svg"
SAVE_GIF = "race-save-gif"
SAVE_VIDEO = "race-save-video"
SAVE_CSV = "race-save-csv"
SAVE_FILE = "race-save-file"

#: The pattern-matching id of a button of a lane: "edit", "clone" or "remove", and its number.
lane = partial(item_button, "lane")
