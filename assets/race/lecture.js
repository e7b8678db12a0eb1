/* The state that a lecture on this page shares: the open race, and its player. */
import { lecture } from "../common/loading/lecture.js";
import { racePlayer } from "./player.js";
import { race } from "./state.js";

/** Return the open race, as in the address; empty if there is none. */
const formatRace = () => (race.id ? `${race.compared ? "runs" : "id"}=${race.id}` : "");

lecture.setStage({ race, player: racePlayer, named: formatRace, isReady: () => true });
