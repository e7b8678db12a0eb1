/* The menu of downloads, disabled until there is something to save. */
import { context, register } from "../callbacks.js";
import { emit } from "../events.js";

register("save", {
  /**
   * Return whether each button is disabled; while runs are compared, there is no file to save.
   * @param {{ compared?: string } | null} shown
   */
  wait(shown) {
    /** @type {{ id: string }[]} */
    const outputs = context().outputs_list;
    return outputs.map(({ id }) => !shown || (Boolean(shown.compared) && id === "save-file"));
  },
  press() {
    const kind = (context().triggered_id || "").replace("save-", "");
    if (kind) emit("save", kind);
  },
});
