/* The dialog of a tour's places, which a page fetches when it is opened first (`assets/watch/export.js`). */
import "./dialog.js";
