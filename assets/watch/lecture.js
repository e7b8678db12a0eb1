/* The state that a lecture on this page shares: the open run, its view and its player. */
import { lecture } from "../common/loading/lecture.js";
import { openRun } from "./open.js";
import { player } from "./player/players.js";
import { classAnswers } from "./predict/class_answers.js";
import { run } from "./run.js";
import { tour } from "./tour/tour.js";
import { views } from "./views.js";

const LATEST = 5000; // milliseconds after which a lecture begins even without cities

lecture.setStage({
  letter: classAnswers.letter,
  openRun,
  player,
  run,
  views,
  isReady: () => tour.painted().cities > 0 || performance.now() > LATEST,
});
