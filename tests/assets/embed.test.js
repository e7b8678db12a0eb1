/* A run by itself has the words of its own algorithm. */
import "./page.js";
import assert from "node:assert/strict";
import test from "node:test";

/** As much of an element as the layout needs: its name, attributes and what is in it. */
class Made {
  attributes = {};
  children = [];

  constructor(tag) {
    this.tag = tag;
  }

  setAttribute(name, value) {
    this.attributes[name] = value;
  }

  append(...more) {
    this.children.push(...more);
  }
}
globalThis.document.createElement = (tag) => new Made(tag);
const { layout } = await import("../../assets/embed/layout.js");

const all = (one) => [one, ...(one?.children || []).flatMap(all)];
const words = (one) => (typeof one === "string" ? one : (one.textContent ?? one.children.map(words).join("")));

/** What the legend is of, and the names of the sliders. */
function said(units) {
  const parts = all(layout({ views: [], ...units }, "{}", "", true));
  const legend = parts.find((each) => each?.attributes?.id === "legend");
  const sliders = parts.filter((each) => each?.tag === "label" && each.attributes.for?.startsWith("player-"));
  return [
    legend.attributes.class,
    words(parts.find((each) => each?.attributes?.id === "legend-move")),
    ...sliders.map(words),
  ];
}

test("an ant's iterations add edges, 2-opt's climbs move", () => {
  const ants = { iteration: "iteration", step: "edge" };
  assert.deepEqual(said(ants), ["legend building", "edges are added one by one", "Iteration", "Edge", "Speed"]);
  const climbs = { iteration: "climber", step: "move" };
  assert.deepEqual(said(climbs), ["legend", "2 edges removed", "Climb", "Move", "Speed"]);
});

test("the optimal tour is offered only where one is known", () => {
  const hasSwitch = (optimal) =>
    all(layout({ iteration: "climber", step: "move", views: [] }, "{}", "", optimal)).some(
      (each) => each?.attributes?.id === "show-optimal",
    );
  assert.deepEqual([true, false].map(hasSwitch), [true, false]);
});
