/* The dialog of what proves a bound, fetched when a page first opens it (`assets/watch/bound/bound_button.js`). */
import "./dialog.js";
