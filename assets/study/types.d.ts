// Types of studies: what the server says of one.

/** What is shown until the page's own callbacks have answered (`components/study/first_view.py`). */
interface FirstView {
  heading: string;
  state: string;
  /** Classes of the results. */
  style: string;
  /** As `components/study/matrix.py` makes it; null where the study cannot be read. */
  matrix: any;
  matrix_note: string;
}

/** The results that are shown; the version is empty before the server has sent one. */
interface ShownStudy {
  study: string;
  version: string;
}
