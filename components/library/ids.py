"""Every id that only the library page has, once; the scripts `assets/library/*.js` use the same ids."""

# stores
COMPARE = "catalogue-compare"  # {"keys"} of the runs that are compared on this page, or None; the scripts set it
SHADE = "catalogue-shade"  # "light" or "dark": the page's current theme

# the list
HEAD = "catalogue-head"
SEARCH = "catalogue-search"
COUNT = "catalogue-count"
TABLE = "catalogue-table"
BODY = "catalogue-body"
ALL = "catalogue-all"  # the checkbox of all that are listed
MORE = "catalogue-more"
BEFORE = "catalogue-before"  # link to the entries before the listed ones, where there are any
AFTER = "catalogue-after"  # link to the entries after them, once no more fit in the list
EMPTY = "catalogue-empty"  # shown in place of a list without entries
NOTHING = "catalogue-nothing"  # shown while the library is empty
SORT = "catalogue-sort"  # the choice of an order, for a narrow screen
TURN = "catalogue-turn"  # reverses the order

# the filters
FACETS = "catalogue-facets"
LANES = "catalogue-lanes"
FILTERS = "catalogue-filters"
UPLOAD = "catalogue-upload"
UPLOAD_NOTE = "catalogue-upload-note"
TRASH = "catalogue-trash"

# the selection
BAR = "catalogue-bar"
PICKED = "catalogue-picked"
ALL_OF_THEM = "catalogue-all-of-them"
COMPARE_BUTTON = "catalogue-compare-button"
TAG_BUTTON = "catalogue-tag-button"
SAVE_BUTTON = "catalogue-save-button"
DELETE_BUTTON = "catalogue-delete-button"
NONE_BUTTON = "catalogue-none-button"
WHY = "catalogue-why"  # why the selected entries cannot be compared
TAGGING = "catalogue-tagging"
TAG_FIELD = "catalogue-tag-field"
TAG_ADD = "catalogue-tag-add"
TAGS_HERE = "catalogue-tags-here"
TAGS_KNOWN = "catalogue-tags-known"
TOAST = "catalogue-toast"

# the comparison
COMPARISON = "catalogue-comparison"
COMPARISON_CLOSE = "catalogue-comparison-close"
CHART = "catalogue-chart"
CHART_SAYS = "catalogue-chart-says"
CHART_LOG = "catalogue-chart-log"
LEGEND = "catalogue-legend"
COMPARED = "catalogue-compared"  # the table by instance
COMPARED_DATA = "catalogue-compared-data"
