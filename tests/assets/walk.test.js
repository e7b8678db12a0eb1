/* The walk along climbs, action by action, without a clock or a page. */
import assert from "node:assert/strict";
import test from "node:test";
import { START, reduce } from "../../assets/watch/player/walk.js";

const CLIMB = { climber: 0, count: 10, whole: true };
const RATE = { speed: 5, stride: 1 };

/** What comes of actions, one after the other. */
const after = (...actions) => actions.reduce((walk, [action, values]) => reduce(walk, action, values), START);
const fetched = (position) => ["fetch", { target: { climber: 0, position, isPending: false } }];
const shown = (position = 0, climb = CLIMB) => [fetched(position), ["show", { climb, clock: Math.min(position, 10) }]];
const PLAYED = [["open", { playing: true }], ...shown()];

test("each action leads to a named state", () => {
  const modes = (...actions) => after(...actions).mode;
  assert.deepEqual(
    [
      modes(),
      modes(fetched(0)),
      modes(...PLAYED),
      modes(...PLAYED, ["pause", { clock: 3 }]),
      modes(...PLAYED, ["tick", { seconds: 9, ...RATE }]),
      modes(...PLAYED, ["follow"]),
      modes(...PLAYED, ["follow"], ["stopFollowing"]),
      modes(...PLAYED, ["leave"]),
      modes(...PLAYED, ["leave"], ["reset"]),
      modes(...PLAYED, ["leave"], ["enter", { playing: true }]),
      modes(...PLAYED, fetched(0), ["fail"]),
    ],
    [
      ...["standing", "fetching", "walking", "standing", "resting", "live", "standing"],
      ...["away", "away", "walking", "standing"],
    ],
  );
});

test("time moves a climb on to its end, where it rests", () => {
  const walk = after(...PLAYED, ["tick", { seconds: 1, ...RATE }]);
  assert.deepEqual([walk.mode, walk.clock], ["walking", 5]);
  const end = reduce(walk, "tick", { seconds: 2, ...RATE });
  assert.deepEqual([end.mode, end.clock, end.rest], ["resting", 10, 1.2]);
  assert.equal(reduce(end, "tick", { seconds: 1.2, ...RATE }).rest, 0);
  assert.equal(reduce(walk, "tick", { seconds: 2, speed: 60, stride: 1 }).rest, 0.5, "a fast one rests less");
});

test("a climb that goes on, or that is left for another, does not rest at its end", () => {
  const open = { ...CLIMB, whole: false };
  const late = ["tick", { seconds: 9, ...RATE }];
  assert.deepEqual(after(["open", { playing: true }], ...shown(0, open), late).mode, "walking");
  const left = after(...PLAYED, fetched(0), late);
  assert.deepEqual([left.mode, left.clock], ["fetching", 10]);
});

test("the end of a climb that is wanted moves on with it, until a person goes elsewhere", () => {
  const open = { ...CLIMB, whole: false };
  const longer = ["extend", { climb: { ...open, count: 25 } }];
  assert.equal(after(...shown(Infinity, open), longer).clock, 25);
  assert.equal(after(...shown(3, open), longer).clock, 3);
  assert.equal(after(...shown(Infinity, open), ["seek", { clock: 4 }], longer).clock, 4);
});

test("a pause while a climb is fetched has it arrive paused, and playing has it arrive played", () => {
  assert.equal(
    after(...PLAYED, fetched(0), ["pause", { clock: 2 }], ["show", { climb: CLIMB, clock: 0 }]).playing,
    false,
  );
  const played = after(fetched(0), ["play", { clock: 0 }], ["show", { climb: CLIMB, clock: 0 }]);
  assert.deepEqual([played.mode, played.playing, played.target], ["walking", true, null]);
});

test("nobody waits for the end of the run any more once a person goes elsewhere or plays", () => {
  const waits = ["fetch", { target: { climber: 0, position: Infinity, isPending: false }, awaitsEnd: true }];
  assert.equal(after(waits).awaitsEnd, true);
  for (const action of [fetched(0), ["seek", { clock: 1 }], ["play", { clock: 0 }], ["open", { playing: false }]])
    assert.equal(after(waits, action).awaitsEnd, false, action[0]);
});

test("no action changes the walk that it is given", () => {
  const walk = Object.freeze(after(...PLAYED));
  for (const [action, values] of [["tick", { seconds: 1, ...RATE }], ["leave"], fetched(2), ["seek", { clock: 1 }]])
    assert.notEqual(reduce(walk, action, values), walk);
  assert.equal(walk.mode, "walking");
});
