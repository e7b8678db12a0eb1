"""Ids used only on the race page, and by the scripts `assets/race/*.js`."""

from functools import partial

from components.shell.ids import item_button

# stores
LANES = "race-lanes"  # [{"stages", "device"}, ...]: the lanes that Start will race, as in a race's JSON
VIEWS = "race-views"  # lanes as shown by scripts; see `lanes.describe_lanes`
# {"race": id, "runs", "lanes": views, "instance", "seconds", "seed", "state", "alone"} of the current race
RACE = "race"
EDITED = "race-edited"  # the lane in the form, or None; see `several.form_state`
ADOPTED = "race-adopted"  # {"race": id} of the race file uploaded last; set by scripts

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
FIRST = "race-first"  # algorithm of the start tour, "" for none
USE = "race-use"

# lanes and player
PANELS = "race-panels"
ENDING = "race-ending"  # result of the race
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
HERE = "race-here"  # line at the current time
CHART_X = "race-chart-x"  # "seconds", "iterations" or "evaluations"
CHART_Y = "race-chart-y"  # "gap" or "length"
CHART_LOG = "race-chart-log"
CHART_SENTENCE = "race-chart-sentence"
TABLE = "race-table"
TABLE_LENGTH = "race-table-length"
DIFFER = "race-differ"
DIFFER_A = "race-differ-a"
DIFFER_B = "race-differ-b"
DIFFER_SENTENCE = "race-differ-sentence"

# save
SAVE_PNG = "race-save-png"
SAVE_SVG = "race-save-svg"
SAVE_GIF = "race-save-gif"
SAVE_VIDEO = "race-save-video"
SAVE_CSV = "race-save-csv"
SAVE_FILE = "race-save-file"

#: Pattern-matching id of a lane's button: "edit", "clone" or "remove", and the lane's number.
lane = partial(item_button, "lane")
