/* The dialog of the 1-trees that prove a bound, fetched when a page first opens it (`assets/watch/bound/offer.js`). */
import "./dialog.js";
