"""Ids used only on the race page, and by the scripts `assets/race/*.js`."""

from functools import partial

from components.shell.ids import item_button

# stores
LANES = "race-lanes"  # [{"stages", "device"}, ...]: the lanes that Start will race, as in a race's JSON
VIEWS = "race-views"  # lanes as shown by scripts; see `lanes.describe_lanes`
# {"race": id, "runs", "lanes": views, "instance", "seconds", "seed", "state", "alone"} of the current race
RACE = "race"

# setup
FAIR = "race-fair"

# lanes and player
PANELS = "race-panels"
ENDING = "race-ending"  # result of the race
SCRUB = "race-scrub"
CLOCK = "race-clock"

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
SAVE_FILE = "save-file"

#: Pattern-matching id of a lane's button: "edit", "clone" or "remove", and the lane's number.
lane = partial(item_button, "lane")
