// Types of lessons: what `components/learn/view.py` makes of them.

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
  /** HTML of what a run or a change brings about; may be empty. */
  outcome: string;
  /** The page on which it is shown, and the path of that. */
  page: "watch" | "race";
  path: string;
  answers: LessonAnswer[];
  run: { page: "watch" | "race" | "study"; path: string; query: string } | null;
  /** Parts of the page that are marked. */
  marked: string[];
}

interface Lesson {
  id: string;
  title: string;
  minutes: number;
  afterwards: string;
  steps: LessonStep[];
  /** The lesson after it, if there is one. */
  next: { title: string; address: string } | null;
}
