"""Ids of the race page, as `components.shell.ids`."""

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
SCRUB = "race-scrub"

# numbers
CHART = "race-chart"  # a canvas; traces: one line per lane
CHART_X = "race-chart-x"  # "seconds", "iterations" or "evaluations"
CHART_Y = "race-chart-y"  # "gap" or "length"
CHART_LOG = "race-chart-log"
CHART_NOTE = "race-chart-note"
CHART_SENTENCE = "race-chart-sentence"
DIFFER = "race-differ"
DIFFER_A = "race-differ-a"
DIFFER_B = "race-differ-b"

#: Pattern-matching id of a lane's button: "edit", "clone" or "remove", and the lane's number.
lane = partial(item_button, "lane")
