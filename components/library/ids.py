"""Ids of the library page, as `components.shell.ids`."""

# stores
COMPARE = "library-compare"  # {"keys"} of the runs compared on this page, or None; set by scripts
SHADE = "library-shade"  # "light" or "dark": the page's current theme

# the list
SEARCH = "library-search"
SORT = "library-sort"  # menu of orders, on a narrow screen

# the selection
TAG_FIELD = "library-tag-field"
TAGS_KNOWN = "library-tags-known"

# the comparison
CHART = "library-chart"
CHART_LOG = "library-chart-log"
LEGEND = "library-legend"
COMPARED_DATA = "library-compared-data"
