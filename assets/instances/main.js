/* The dialog of instances and the dialog of a table's columns: functions for Dash. */
import { context, register, unchanged } from "../common/callbacks.js";
import "./openers.js";
import { table } from "./columns.js";
import { instances } from "./dialog.js";
import "./own_instances.js";
import { generator } from "./generator.js";
import { places } from "./places.js";

register("instances", {
  filter: instances.filter,
  generate: generator.show,
  places: places.show,
  rollSeed: () => Math.floor(Math.random() * 1e6),
  /** @param {AskedTable | null} shown */
  showTable(shown) {
    if (!shown) {
      table.close();
      instances.close();
      return context().outputs_list.map(unchanged);
    }
    table.ask(shown);
    const options = shown.columns.map(({ name }, k) => ({ label: name, value: String(k) }));
    return [options, options, ...shown.guess.map(String), shown.kind, ""];
  },
  markColumns: table.mark,
});
