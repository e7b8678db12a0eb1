/* Starts a page: Dash, which calls the modules' registered functions; then Plotly and the stream. */
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
import "./settings_links.js";
import { readProp, setProps } from "./callbacks.js";
import { byId, when } from "./dom.js";
import { on } from "./events.js";
import { stream } from "./stream.js";

/**
 * Return the part of the status that Dash needs: the devices, and each node's name and whether it is alive. @param
 * {PageEvents["status"] | undefined} status
 */
const machines = (status) => [status?.devices, status?.nodes?.map(({ name, alive }) => [name, alive])];

/**
 * Pass the status of devices to Dash if it has changed, since each change costs a request for every callback on it.
 * @param {PageEvents["status"]} data
 */
function passStatus(data) {
  const status = readProp("status", "data");
  if (JSON.stringify(machines(status)) !== JSON.stringify(machines(data))) setProps("status", { data });
}

/** Start a page once all of its modules are loaded. */
export function start() {
  new window.DashRenderer();
  on("status", (data) =>
    when(
      () => byId("page") && window.dash_clientside.set_props,
      () => passStatus(data),
    ),
  );
  when(
    () => byId("page"),
    () => stream.connect(),
  );
}
