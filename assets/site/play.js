/* A saved run in the embedded player. */
import { data } from "./data.js";
import { player } from "./player.js";

if (data.page === "play")
  player.show(
    data.embedded,
    Uint8Array.from(window.atob(data.bytes), (letter) => letter.charCodeAt(0)),
  );
