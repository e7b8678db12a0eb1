/*
 * What scripts need of a browser, without one: elements that selectors find, a server's answers, and a clock that stands
 * until a test lets time pass. To be imported before the scripts.
 */
const FRAME = 16; // milliseconds between two pictures
const SIMPLE = /^([a-z]+)?((?:[#.][\w-]+|\[[\w-]+(?:=[\w-]+)?\])*)$/;

/** Timers and animation frames, in the order in which they are due. */
class Clock {
  constructor() {
    this.now = 0;
    this.made = 0;
    this.due = []; // [moment, number, work]
  }

  at(moment, work) {
    this.made += 1;
    this.due.push([moment, this.made, work]);
    return this.made;
  }

  /** Let nothing come of a timer, by its number. */
  clear(made) {
    this.due = this.due.filter(([, number]) => number !== made);
  }

  /** Let so many milliseconds pass; what was awaited goes on before the next work is due. */
  async pass(milliseconds) {
    const end = this.now + milliseconds;
    await settled();
    for (;;) {
      this.due.sort(([a, first], [b, second]) => a - b || first - second);
      if (!this.due.length || this.due[0][0] > end) break;
      const [moment, , work] = this.due.shift();
      this.now = Math.max(this.now, moment);
      work(this.now);
      await settled();
    }
    this.now = end;
  }
}

/** Resolves once every promise that can go on has. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** What listens to events. */
class Target {
  constructor() {
    this.listeners = new Map();
  }

  addEventListener(type, listener) {
    this.listeners.set(type, [...(this.listeners.get(type) || []), listener]);
  }

  /** Tell the listeners of an event; the event that they had. */
  fire(type, values = {}) {
    const event = { type, defaultPrevented: false, ...values };
    event.preventDefault = () => Object.assign(event, { defaultPrevented: true });
    for (const listener of this.listeners.get(type) || []) listener(event);
    return event;
  }
}

/** An element with a tag and attributes, within another. */
class Element {
  constructor(tag, attributes = {}, parent = null) {
    Object.assign(this, { tag, attributes, parent, dataset: {}, textContent: "" });
  }

  get id() {
    return this.attributes.id || "";
  }

  has(part) {
    if (part[0] === "#") return this.id === part.slice(1);
    if (part[0] === ".") return (this.attributes.class || "").split(" ").includes(part.slice(1));
    const [name, value] = part.slice(1, -1).split("=");
    return name in this.attributes && (value === undefined || this.attributes[name] === value);
  }

  /** Whether one of the selectors finds the element; they are simple ones, without spaces. */
  matches(selectors) {
    return selectors.split(", ").some((selector) => {
      const found = SIMPLE.exec(selector);
      if (!found) throw new SyntaxError(`too much of a selector: ${selector}`);
      const [, tag, rest] = found;
      return (!tag || tag === this.tag) && (rest.match(/[#.][\w-]+|\[.*?\]/g) || []).every((part) => this.has(part));
    });
  }

  setAttribute(name, value) {
    this.attributes[name] = value;
  }

  removeAttribute(name) {
    delete this.attributes[name];
  }

  getAttribute(name) {
    return this.attributes[name] ?? null;
  }

  closest(selectors) {
    return this.matches(selectors) ? this : (this.parent?.closest(selectors) ?? null);
  }
}

class HTMLInputElement extends Element {
  constructor(type, attributes = {}, parent = null) {
    super("input", { type, ...attributes }, parent);
    this.type = type;
  }
}

class HTMLButtonElement extends Element {
  constructor(type, attributes = {}, parent = null) {
    super("button", { type, ...attributes }, parent);
    this.type = type;
  }
}

const observers = new Set(); // those that are told of changes

/** Tells of changes when a test says so; until then whoever waits for an element finds it as time passes. */
class MutationObserver {
  constructor(tell) {
    this.tell = tell;
  }

  observe() {
    observers.add(this);
  }

  disconnect() {
    observers.delete(this);
  }
}

const clock = new Clock();
const elements = []; // of the page
const answers = new Map(); // of the server by their addresses: bytes, or a promise of them; null: there is no server
const asked = []; // addresses that were fetched, in order
const preferred = new Set(); // media queries that are true
const told = []; // properties that Dash was given: [id, properties]
const kept = new Map(); // in the session's storage

const find = (selector) => elements.find((element) => element.matches(selector)) || null;
const documents = Object.assign(new Target(), {
  hidden: false,
  activeElement: null,
  documentElement: { dataset: {} },
  getElementById: (id) => find(`#${id}`),
  querySelector: find,
  querySelectorAll: (selector) => elements.filter((element) => element.matches(selector)),
});
const windows = Object.assign(new Target(), {
  location: { origin: "http://tours.invalid", pathname: "/library/", href: "http://tours.invalid/library/" },
  setTimeout: (work, milliseconds = 0) => clock.at(clock.now + milliseconds, work),
  clearTimeout: (number) => clock.clear(number),
  requestAnimationFrame: (work) => clock.at(FRAME * (Math.floor(clock.now / FRAME) + 1), work),
  dash_clientside: { set_props: (id, props) => told.push([id, props]) },
  matchMedia: (query) => ({ matches: preferred.has(query) }),
  sessionStorage: {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, String(value)),
    removeItem: (key) => kept.delete(key),
  },
});

async function fetched(address) {
  asked.push(address);
  const answer = await answers.get(address);
  if (answer === null) throw new TypeError("Failed to fetch");
  const read = async () => answer;
  return { ok: answer !== undefined, arrayBuffer: read, json: read, text: async () => JSON.stringify(answer) };
}

const globals = {
  window: windows,
  document: documents,
  Element,
  HTMLButtonElement,
  HTMLInputElement,
  MutationObserver,
  fetch: fetched,
  performance: { now: () => clock.now },
};
for (const [name, value] of Object.entries(globals))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

export const page = {
  FRAME,
  answers,
  asked,
  changed: () => [...observers].forEach((each) => each.tell([])),
  document: documents,
  elements,
  kept,
  now: () => clock.now,
  observers,
  pass: (milliseconds) => clock.pass(milliseconds),
  preferred,
  told,
  window: windows,
};
