/* The dialog "Draw your own", fetched when it is first opened (`assets/instances/openers.js`). */
import { draw } from "./dialog.js";

export const open = draw.open;
