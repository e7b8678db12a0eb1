/* What the dialog of drawn cities works on. */

/** A city at whole coordinates; its id stays while it is moved. */
interface DrawnCity {
  id: number;
  x: number;
  y: number;
  name: string;
}

/** What is drawn: never changed, always replaced. */
interface Drawing {
  /** TSPLIB's edge weight type: of GEO, x and y are longitude and latitude in ten-thousandths of a degree. */
  kind: "EUC_2D" | "GEO";
  cities: readonly DrawnCity[];
}

/** How the server knows a drawing (`data/collection/drawing.py`). */
interface DrawnReference {
  drawn: number;
  cities: string;
  kind?: "EUC_2D" | "GEO";
  names?: string[];
}
