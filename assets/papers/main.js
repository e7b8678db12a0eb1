/* The papers' page: loads all its modules. */
import "../common/saving/export.js";
import "./papers.js";
import { byId } from "../common/dom.js";
import { defer } from "../common/defer.js";
import { loadPlotly } from "../common/charts/graph.js";
import { start } from "../common/start.js";

start();
defer(() => byId("papers-entries"), loadPlotly);
