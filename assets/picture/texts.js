/* The texts of the dialog "Picture". */
import catalogue from "../texts/picture.json" with { type: "json" };
import { reader } from "../common/texts.js";

export const text = reader(catalogue);
