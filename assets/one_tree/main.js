/* The dialog of the 1-trees that prove a bound, which a page fetches when it is opened first (`assets/watch/bound/offer.js`). */
import "./dialog.js";
