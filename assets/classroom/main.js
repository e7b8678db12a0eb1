/*
 * The page with the code for joining a class: keeps the number of visitors current, and reports when the code is
 * outdated.
 */
import "./runs.js";
import { byId } from "../common/dom.js";

const EVERY = 5000; // milliseconds

async function refresh() {
  const answer = await fetch("joined", { cache: "no-store" }).catch(() => null); // null: no server
  const outdated = byId("outdated");
  const joined = byId("joined");
  if (outdated) outdated.hidden = Boolean(answer?.ok);
  if (joined && answer?.ok) joined.textContent = (await answer.json()).says;
  window.setTimeout(refresh, EVERY);
}

if (byId("joined")) window.setTimeout(refresh, EVERY);
