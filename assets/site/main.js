/* The script of all pages of the site; each module starts only if the document is its own page. */
import "./theme.js";
import "./home.js";
import "./lesson.js";
import "./beat.js";
import "./play.js";
