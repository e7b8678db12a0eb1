/* The dialog "Picture", which a page fetches when it is opened first (`assets/instances/openers.js`). */
import { picture } from "./dialog.js";

export const open = picture.open;
