/* The dialog of what proves a bound, fetched when a page first opens it (`assets/watch/bound/offer.js`). */
import "./dialog.js";
