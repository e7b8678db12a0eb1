/* Videos and sheets of moments of what a page shows, which it fetches with the first (`assets/common/video/opener.js`). */
import "./dialog.js";
