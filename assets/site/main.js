/* All pages of a site; each module begins where the document is its own. */
import "./theme.js";
import "./home.js";
import "./lesson.js";
import "./beat.js";
import "./play.js";
