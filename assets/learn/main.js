/* The lessons' page: all that it loads. */
import "./list.js";
import "./sheet.js";
import { start } from "../common/start.js";

start();
