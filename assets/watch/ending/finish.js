/* The end of a run: a sentence about its result and a mark, in the line above the tour. */
import { byId, setText } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { isBest, isOver, runSentence } from "./sentence.js";

function show() {
  setText("ending-sentence", runSentence());
  const ending = byId("ending");
  if (ending) ending.dataset.mark = !isOver() ? "none" : isBest() ? "best" : "open";
}

on(["log", "state", "opened", "closed", "proof", "bound"], show);
