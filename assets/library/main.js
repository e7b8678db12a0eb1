/* The library page: functions for Dash, and all modules of the page. */
import "../common/saving/export.js";
import "../common/upload.js";
import "./compare.js";
import "./facets.js";
import "./list_header.js";
import "./rename.js";
import "./rows.js";
import "./tags.js";
import "./toast.js";
import { register } from "../common/callbacks.js";
import { byId } from "../common/dom.js";
import { loadPlotly } from "../common/charts/graph.js";
import { hotkeys } from "../common/hotkeys.js";
import { defer } from "../common/defer.js";
import { start } from "../common/start.js";
import { studyTables } from "../common/charts/tables.js";
import { libraryKeys } from "./selection.js";

register("library", { table: (details) => studyTables.table("library-compared", details) });

hotkeys.listen("library-body", libraryKeys, [], () => null);
start();
defer(() => byId("page"), loadPlotly);
