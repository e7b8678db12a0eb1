/* The dialog "Picture", fetched when a page first opens it (`assets/instances/openers.js`). */
import { picture } from "./dialog.js";

export const open = picture.open;
