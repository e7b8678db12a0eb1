/* The dialog of instances and the columns of a table: what Dash calls. */
import { context, register, unchanged } from "../common/callbacks.js";
import { table } from "./columns.js";
import { library } from "./dialog.js";
import { generator } from "./generator.js";

register("instances", {
  filter: (...wanted) => library.filter(...wanted),
  know: (options) => library.know(options.map((option) => option.value)),
  generate: (...asked) => generator.show(...asked),
  rollSeed: () => Math.floor(Math.random() * 1e6),
  showTable(shown) {
    if (!shown) {
      table.close();
      library.close();
      return context().outputs_list.map(unchanged);
    }
    table.ask(shown);
    const options = shown.columns.map(({ name }, k) => ({ label: name, value: String(k) }));
    return [options, options, ...shown.guess.map(String), shown.kind, ""];
  },
  markColumns: (x, y, kind) => table.mark(x, y, kind),
});
