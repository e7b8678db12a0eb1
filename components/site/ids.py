"""Ids used only on the pages of a site, and by the scripts `assets/site/*.js`."""

DATA = "site-data"  # the page's data as JSON
FORM = "site-form"  # parameters of a lesson's run
PROGRESS = "site-progress"
NOTE = "site-note"  # why a run failed
PLAYER = "site-player"  # the element of the embedded player
CLIMBS = "site-climbs"  # table of a run's climbs
CITIES = "site-cities"  # menu of numbers of cities
NEW = "site-new"  # button for other cities
