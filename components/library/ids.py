"""Every id that the library's page alone has, once; the scripts `assets/catalogue*.js` use the same words."""

# stores
ASK = "catalogue-ask"  # what the page wants to see (see `catalogue_query.asked`) and "at"; the scripts set it
PAGE = "catalogue-page"  # {"at", "entries", "total", "facets", "trash"}: what was found
DO = "catalogue-do"  # {"do", "keys", ..., "at"}: what somebody did (see `catalogue_actions`); the scripts set it
DONE = "catalogue-done"  # {"at", "do", and what `catalogue_actions.Told` has}: what came of it
COMPARE = "catalogue-compare"  # {"keys"} of the runs that are compared on this page, or None; the scripts set it
WANTED = "catalogue-wanted"  # {"keys"} of entries whose pictures are wanted; the scripts set it
PICTURES = "catalogue-pictures"  # {key: flat positions of its best tour, or None}
SHADE = "catalogue-shade"  # "light" or "dark", as the page is just now
EXPORT = "catalogue-export"  # dcc.Download

# the list
HEAD = "catalogue-head"
SEARCH = "catalogue-search"
COUNT = "catalogue-count"
TABLE = "catalogue-table"
BODY = "catalogue-body"
ALL = "catalogue-all"  # the checkbox of all that are listed
MORE = "catalogue-more"
BEFORE = "catalogue-before"  # leads to the entries before those that are listed, where there are any
AFTER = "catalogue-after"  # leads to those behind them, where no more are listed at once
EMPTY = "catalogue-empty"  # what stands in the place of a list without entries
NOTHING = "catalogue-nothing"  # where there is nothing at all yet
SORT = "catalogue-sort"  # the choice of an order, for a narrow screen
TURN = "catalogue-turn"  # the other way round

# the filters
FACETS = "catalogue-facets"
LANES = "catalogue-lanes"
FILTERS = "catalogue-filters"
ADOPTED = "catalogue-adopted"  # {"run" | "race" | "study": id} of the file that came last; the scripts set it
UPLOAD = "catalogue-upload"
UPLOAD_NOTE = "catalogue-upload-note"
TRASH = "catalogue-trash"

# what is selected
BAR = "catalogue-bar"
PICKED = "catalogue-picked"
ALL_OF_THEM = "catalogue-all-of-them"
COMPARE_BUTTON = "catalogue-compare-button"
TAG_BUTTON = "catalogue-tag-button"
SAVE_BUTTON = "catalogue-save-button"
DELETE_BUTTON = "catalogue-delete-button"
NONE_BUTTON = "catalogue-none-button"
WHY = "catalogue-why"  # why what is selected cannot be compared
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
