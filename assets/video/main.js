/* Videos and sheets of moments, fetched when a page first needs them (`assets/common/video/opener.js`). */
import "./dialog.js";
