/* The dialog "Draw your own", which a page fetches when it is opened first (`assets/instances/openers.js`). */
import { draw } from "./dialog.js";

export const open = draw.open;
