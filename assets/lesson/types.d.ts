// Types of lessons, as made by `components/learn/view.py`.

interface LessonAnswer {
  html: string;
  right: boolean;
  /** HTML; may be empty after a question. */
  feedback: string;
}

interface LessonStep {
  kind: "question" | "run" | "look" | "change" | "check";
  /** The kind in words. */
  label: string;
  title: string;
  html: string;
  /** HTML of the outcome of a run or a change; may be empty. */
  outcome: string;
  /** The page that shows the step, and the path of that page. */
  page: "watch" | "race";
  path: string;
  answers: LessonAnswer[];
  run: { page: "watch" | "race" | "study"; path: string; query: string } | null;
  /** Parts of the page to mark. */
  marked: string[];
  /** Reference of the instance whose cities the worksheet shows with this step. */
  map: object | null;
}

interface Lesson {
  id: string;
  title: string;
  minutes: number;
  afterwards: string;
  steps: LessonStep[];
  /** Address of all lessons. */
  all: string;
  /** The next lesson, if there is one. */
  next: { title: string; address: string } | null;
}
