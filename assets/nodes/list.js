/* The list of a cluster's nodes: the resources of each, and the work that runs there. */
import { element } from "../common/elements.js";
import { text } from "./texts.js";

/** @typedef {NonNullable<StatusValues["nodes"]>[number]} ClusterNode */

/** Return the resources of a node: "4 cores, 1 GPU: NVIDIA H100". @param {ClusterNode} node */
function describeResources({ cores, gpus, devices }) {
  const counts = [text("cores", { count: cores }), ...(gpus ? [text("gpus", { count: gpus })] : [])].join(", ");
  return devices.length ? `${counts}: ${[...new Set(devices)].join(", ")}` : counts;
}

/** Return the work of a node, one line for each item. @param {ClusterNode} node */
function describeWork({ alive, refusal, runs, study }) {
  if (!alive) return [text("lost")];
  if (refusal) return [text("refused")];
  return [...runs, ...(study ? [text("study", { count: study })] : [])];
}

/**
 * Return the lines of the list: each node's name, resources and work.
 * @param {readonly ClusterNode[]} nodes
 */
export const describeNodes = (nodes) =>
  nodes.map((node) => ({
    name: node.name,
    alive: node.alive,
    has: node.alive ? describeResources(node) : "",
    does: describeWork(node),
  }));

/**
 * Draw the list.
 * @param {HTMLElement} into
 * @param {readonly ClusterNode[]} nodes
 */
export function draw(into, nodes) {
  const items = describeNodes(nodes).map((line) =>
    element(
      "li",
      { class: line.alive ? "" : "lost" },
      element("b", line.name),
      line.has ? element("small", line.has) : null,
      ...line.does.map((what) => element("span", what)),
    ),
  );
  into.replaceChildren(element("ul.nodes-list", { "aria-label": text("title") }, ...items));
}
