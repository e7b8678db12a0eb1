/* Registers the functions of the dialog of instances for Dash. */
import { register } from "../common/callbacks.js";
import "./openers.js";
import "./columns.js";
import { instances } from "./dialog.js";
import "./own_instances.js";
import { generator } from "./generator.js";
import { places } from "./places.js";

register("instances", {
  filter: instances.filter,
  generate: generator.show,
  places: places.show,
  rollSeed: () => Math.floor(Math.random() * 1e6),
});
