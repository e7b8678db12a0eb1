/* The nodes of a cluster, below the devices in the header: loaded when first opened, then kept current. */
import { byId } from "../dom.js";
import { on } from "../events.js";
import { withPart } from "./with_part.js";

/** @type {StatusValues["nodes"]} */
let nodes;
/** @type {typeof import("../../nodes/list.js") | null} */
let list = null;

function redraw() {
  const panel = byId("nodes-list");
  if (list && panel && nodes) list.draw(panel, nodes);
}

const fetchNodes = () =>
  withPart("nodes", (modules) => {
    list = modules["nodes/list.js"];
    redraw();
  });

on("status", (status) => {
  nodes = status.nodes;
  redraw();
});

// This event does not bubble.
document.addEventListener(
  "toggle",
  ({ target }) => {
    if (target instanceof HTMLDetailsElement && target.id === "nodes" && target.open) fetchNodes();
  },
  true,
);
