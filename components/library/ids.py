"""Ids used only on the library page, and by the scripts `assets/library/*.js`."""

# stores
COMPARE = "library-compare"  # {"keys"} of the runs compared on this page, or None; set by scripts
SHADE = "library-shade"  # "light" or "dark": the page's current theme

# the list
HEAD = "library-head"
SEARCH = "library-search"
COUNT = "library-count"
LIST = "library-list"
TABLE = "library-table"
BODY = "library-body"
ALL = "library-all"  # checkbox of all listed entries
MORE = "library-more"
BEFORE = "library-before"  # link to the entries before the listed ones, if any
AFTER = "library-after"  # link to the next entries, once no more fit in the list
EMPTY = "library-empty"  # shown instead of an empty list
NOTHING = "library-nothing"  # shown while the library is empty
SORT = "library-sort"  # menu of orders, on a narrow screen
TURN = "library-turn"  # reverses the order

# the filters
FACETS = "library-facets"
LANES = "library-lanes"
FILTERS = "library-filters"
UPLOAD = "library-upload"
UPLOAD_NOTE = "library-upload-note"
TRASH = "library-trash"

# the selection
BAR = "library-bar"
PICKED = "library-picked"
SELECT_ALL = "library-all-of-them"
COMPARE_BUTTON = "library-compare-button"
TAG_BUTTON = "library-tag-button"
SAVE_BUTTON = "library-save-button"
DELETE_BUTTON = "library-delete-button"
NONE_BUTTON = "library-none-button"
WHY = "library-why"  # why the selected entries cannot be compared
TAGGING = "library-tagging"
TAG_FIELD = "library-tag-field"
TAG_ADD = "library-tag-add"
TAGS_HERE = "library-tags-here"
TAGS_KNOWN = "library-tags-known"
TOAST = "library-toast"

# the comparison
COMPARISON = "library-comparison"
COMPARISON_CLOSE = "library-comparison-close"
CHART = "library-chart"
CHART_LOG = "library-chart-log"
LEGEND = "library-legend"
COMPARED = "library-compared"  # the table by instance
COMPARED_DATA = "library-compared-data"
