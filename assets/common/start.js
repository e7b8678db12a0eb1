/* The beginning of a page: Dash, which calls what the page's modules have registered; then Plotly and the stream. */
import "./address.js";
import "./faults.js";
import "./focus.js";
import "./form.js";
import "./how/opener.js";
import "./kernels.js";
import "./language/choice.js";
import "./loading/lecture.js";
import "./loading/nodes.js";
import "./menus.js";
import "./theme.js";
import "./waiting.js";
import "./ways.js";
import { propOf, setProps } from "./callbacks.js";
import { byId, when } from "./dom.js";
import { on } from "./events.js";
import { stream } from "./stream.js";

/** What Dash is told of: not what runs where. @param {PageEvents["status"] | undefined} status */
const machines = (status) => [status?.devices, status?.nodes?.map(({ name, alive }) => [name, alive])];

/**
 * Tell Dash what the server says of its devices, if that is news: each time costs the page's callbacks on it a request.
 * @param {PageEvents["status"]} data
 */
function tell(data) {
  const known = propOf("status", "data");
  if (JSON.stringify(machines(known)) !== JSON.stringify(machines(data))) setProps("status", { data });
}

/** Start a page once all of its modules are loaded. */
function start() {
  new window.DashRenderer();
  on("status", (data) =>
    when(
      () => byId("page") && window.dash_clientside.set_props,
      () => tell(data),
    ),
  );
  when(
    () => byId("page"),
    () => stream.connect(),
  );
}

export { start };
