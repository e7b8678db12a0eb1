/* The lessons' page with all of its modules. */
import "../common/upload.js";
import "./list.js";
import "./sheet.js";
import { start } from "../common/start.js";

start();
