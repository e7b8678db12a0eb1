/* The dialog that shows what proves a bound, fetched when first opened (`assets/watch/bound/bound_button.js`). */
import "./dialog.js";
