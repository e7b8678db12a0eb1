/* The dialog of a tour's places, fetched when first opened (`assets/watch/export.js`). */
import "./dialog.js";
