// Types of studies: the server's responses about a study.

/** The data shown until the page's own callbacks have run (`components/study/first_view.py`). */
interface FirstView {
  heading: string;
  state: string;
  /** Classes of the results. */
  style: string;
  /** Made by `components/study/matrix.py`; null if the study cannot be read. */
  matrix: any;
  matrix_note: string;
}

/** The shown results; the version is empty before the server has sent one. */
interface ShownStudy {
  study: string;
  version: string;
}
