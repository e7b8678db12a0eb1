/* The progress of a run, as stored by each page. */
/**
 * Return the progress before any report; `bests` holds columns with the iterations, evaluations, seconds and length of
 * each improvement.
 * @returns {Course}
 */
const makeCourse = () => ({ elapsed: 0, iterations: 0, evaluations: 0, bests: [[], [], [], []] });

/**
 * Process the columns of a `progress` frame; `each` is called with every row: [iterations, evaluations, seconds].
 * @param {Course} course
 * @param {Record<"iteration" | "evaluations" | "elapsed" | "best", ArrayLike<number>>} columns
 * @param {(row: number[]) => void} each
 */
function addRows(course, { iteration, evaluations, elapsed, best }, each = () => {}) {
  const { bests } = course;
  for (let k = 0; k < iteration.length; k += 1) {
    /** @type {[number, number, number]} */
    const at = [iteration[k], evaluations[k], elapsed[k]];
    each(at);
    const last = bests[3].length ? bests[3][bests[3].length - 1] : Infinity;
    if (best[k] < last) [...at, best[k]].forEach((value, column) => bests[column].push(value));
    [course.iterations, course.evaluations, course.elapsed] = at;
  }
}

export const course = { makeCourse, addRows };
