/* The form of an algorithm: its sliders, hints, presets and variants, and refused values. */
import { context, register, setProps, unchanged } from "./callbacks.js";
import { byId, closest } from "./dom.js";
import { format } from "./format.js";

const LOG_STEPS = 200;
const REST = 250; // milliseconds without a change until a parameter is reported
let weighing = 0; // timer until parameters are reported
let lastReported = ""; // the parameters last reported

/**
 * How a slider's positions map to numbers.
 * @typedef {{ low: number, high: number, step: number, log: boolean, whole: boolean }} Scale
 */
/** @typedef {{ type: string, name: string }} ParameterId */

/** @param {ParameterId} id */
const findField = (id) => byId(JSON.stringify(id, Object.keys(id).sort()));

/**
 * Return the number in a field, formatted for the page; empty if it is invalid.
 * @param {unknown} value
 * @param {ParameterId} id
 */
function parseCount(value, id) {
  const field = findField(id);
  const frame = field?.closest(".ranged");
  if (!frame || typeof value !== "number" || !Number.isInteger(value)) return "";
  const { low, high } = readScale(frame);
  return value >= low && value <= high ? format.integer(value) : "";
}

/**
 * Set a parameter of the form, including its slider.
 * @param {ParameterId} id
 * @param {any} value
 */
function setParameter(id, value) {
  setProps(id, { value });
  const field = findField(id);
  const frame = field?.closest(".ranged");
  if (frame) findSlider(frame).value = String(sliderPosition(value, readScale(frame)));
}

/** @param {HTMLElement} frame */
const findSlider = (frame) => /** @type {HTMLInputElement} */ (frame.querySelector(".slider"));

/**
 * Return the scale of a slider, stored in the frame around it and its number.
 * @param {HTMLElement} frame
 * @returns {Scale}
 */
function readScale(frame) {
  const { low, high, step, scale, kind } = frame.dataset;
  return { low: Number(low), high: Number(high), step: Number(step) || 0, log: scale === "log", whole: kind === "int" };
}

/**
 * @param {number} position of the slider
 * @param {Scale} scale
 */
function numberAt(position, { low, high, step, log, whole }) {
  if (!log) return whole ? Math.round(position) : Number(position.toPrecision(12));
  const exact = low * (high / low) ** (position / LOG_STEPS);
  const unit = 10 ** (Math.floor(Math.log10(exact)) - 1);
  const smallest = whole ? Math.max(1, step) : step;
  const fine = Math.max(unit, smallest);
  return Math.min(high, Math.max(low, Number((Math.round(exact / fine) * fine).toPrecision(12))));
}

/**
 * @param {number} number
 * @param {Scale} scale
 */
function sliderPosition(number, { low, high, log }) {
  const inside = Math.min(high, Math.max(low, number));
  return log ? (LOG_STEPS * Math.log(inside / low)) / Math.log(high / low) : inside;
}

/** @param {ParameterId[]} ids */
const variantIndex = (ids) => ids.findIndex((id) => id.name === "variant");

register("form", {
  // Start waits until the address is known and has filled the form: see `components/shell/start_button.py`.
  holdStart(search) {
    const waits = typeof search !== "string";
    if (!waits) delete document.documentElement.dataset.address;
    return waits;
  },
  /**
   * @param {{ parameter: string | null, many?: string, one?: string, none: string } | null} hint
   * @param {any[]} values
   * @param {ParameterId[] | null} ids
   */
  hint(hint, values, ids) {
    const at = (ids || []).findIndex((id) => id.name === hint?.parameter);
    const count = !ids || at < 0 ? "" : parseCount(values[at], ids[at]);
    if (!hint || !count) return hint?.none || "";
    return (values[at] === 1 && hint.one) || hint.many?.replace("{number}", count);
  },
  // The enabled variants change with the device and the instance; the chosen variant stays.
  moveVariants(here) {
    if (!here || !byId(`{"algorithm":"${here.algorithm}","type":"variant-missing"}`)) return;
    setProps({ type: "parameter", name: "variant" }, { options: here.options });
    setProps({ type: "variant-missing", algorithm: here.algorithm }, { children: here.missing });
    setProps({ type: "variant-words", algorithm: here.algorithm }, { data: here.words });
  },
  /**
   * Report the parameters that determine a run's duration once they stop changing, so that the server can estimate the
   * time.
   * @param {any[]} values
   * @param {ParameterId[]} ids
   */
  weigh(values, ids) {
    const data = { variant: "auto", ...Object.fromEntries(ids.map(({ name }, k) => [name, values[k]])) };
    window.clearTimeout(weighing);
    weighing = window.setTimeout(() => {
      if (JSON.stringify(data) === lastReported) return;
      lastReported = JSON.stringify(data);
      setProps("weighed", { data });
    }, REST);
  },
  /**
   * Return the request for a recommended algorithm, while the panel is open.
   * @param {number | undefined} clicks of the button that opens and closes the panel
   * @param {string} instance
   * @param {number | null} seconds
   * @param {boolean} proof
   */
  ask(clicks, instance, seconds, proof) {
    const isOpen = (clicks || 0) % 2 === 1;
    byId("which-ask")?.setAttribute("aria-expanded", String(isOpen));
    return [!isOpen, isOpen ? { instance, seconds: seconds ?? null, proof } : unchanged()];
  },
  /**
   * @param {number | undefined} clicks
   * @param {string | null} algorithm
   */
  take: (clicks, algorithm) => (clicks && algorithm) || unchanged(),
  /**
   * Set all parameters except the variant from a preset; equal values are not touched.
   * @param {string[]} chosen
   * @param {Record<string, Record<string, any>>[]} params of each preset, by name
   * @param {any[]} values
   * @param {ParameterId[]} ids
   */
  usePreset(chosen, params, values, ids) {
    const preset = params.length && params[0][chosen[0]];
    if (!preset) return;
    ids.forEach((id, k) => {
      if (id.name in preset && preset[id.name] !== values[k]) setParameter(id, preset[id.name]);
    });
  },
  /**
   * @param {any[]} values
   * @param {ParameterId[]} ids
   * @param {Record<string, Record<string, any>>[]} params
   */
  namePreset(values, ids, params) {
    /** @param {Record<string, any>} preset */
    const matchesForm = (preset) => ids.every((id, k) => !(id.name in preset) || preset[id.name] === values[k]);
    return params.map((presets) => Object.keys(presets).find((name) => matchesForm(presets[name])) || "custom");
  },
  /**
   * Return the key idea of the chosen variant, or why it cannot run.
   * @param {any[]} values
   * @param {Record<string, string>[]} report_ one entry if the form has variants
   * @param {ParameterId[]} ids
   */
  sayVariant: (values, report_, ids) => report_.map((sentences) => sentences[values[variantIndex(ids)]] || ""),
  // Clear the note beside Start when one value changes. An address sets several at once, and its note stays.
  outdate: () => (context().triggered.length === 1 ? "" : unchanged()),
  markWrong(id) {
    for (const marked of document.querySelectorAll("[aria-invalid]")) marked.removeAttribute("aria-invalid");
    const field = id && byId(id);
    if (!field) return;
    const fold = field.closest("details.more");
    if (fold) fold.open = true;
    field.setAttribute("aria-invalid", "true");
    field.scrollIntoView({ block: "nearest" });
    field.focus({ preventScroll: true });
  },
  /** @param {unknown} edited the lane or entry in the dialog; empty to close it */
  openItem(edited) {
    const dialog = byId("item-form");
    if (!edited) dialog.close();
    else if (!dialog.open) dialog.showModal();
  },
  closeItem: () => byId("item-form").close(),
});

/** @param {HTMLElement} frame */
const findNumber = (frame) => /** @type {HTMLInputElement} */ (frame.querySelector(".number"));

/**
 * Set the value of a number field.
 * @param {HTMLElement} frame
 * @param {number} value
 */
function setNumber(frame, value) {
  const { id } = findNumber(frame);
  setProps(id.startsWith("{") ? JSON.parse(id) : id, { value });
}

/**
 * Return the next or previous number on a scale: about a hundredth of the slider away, or one step where the scale has
 * steps.
 * @param {number} value
 * @param {1 | -1} by
 * @param {Scale} scale
 */
function nextNumber(value, by, scale) {
  const { low, high, step, log, whole } = scale;
  const inside = Math.min(high, Math.max(low, value));
  if (!log) {
    const stepSize = step || (whole ? Math.max(1, Math.round((high - low) / 100)) : (high - low) / 100);
    return Math.min(high, Math.max(low, Number((inside + by * stepSize).toPrecision(12))));
  }
  for (let notches = 2; notches <= LOG_STEPS; notches += 2) {
    const next = numberAt(Math.min(LOG_STEPS, Math.max(0, sliderPosition(inside, scale) + by * notches)), scale);
    if ((next - inside) * by > 0) return next;
  }
  return by > 0 ? high : low;
}

/** @type {Record<string, 1 | -1>} */
const ARROWS = { ArrowUp: 1, ArrowDown: -1 };

document.addEventListener("input", (event) => {
  const frame = closest(event, ".ranged");
  if (!frame) return;
  const { value } = findNumber(frame);
  const slider = findSlider(frame);
  if (event.target === slider) setNumber(frame, numberAt(Number(slider.value), readScale(frame)));
  else if (value !== "") slider.value = String(sliderPosition(Number(value), readScale(frame)));
});

// A number and its slider are a single tab stop: arrow keys in the number field move the slider.
document.addEventListener("keydown", (event) => {
  const frame = closest(event, ".ranged");
  const by = ARROWS[event.key];
  if (!frame || !by || event.target !== findNumber(frame) || event.ctrlKey || event.metaKey || event.altKey) return;
  const { value } = findNumber(frame);
  if (value === "") return;
  event.preventDefault();
  const scale = readScale(frame);
  const next = nextNumber(Number(value), by, scale);
  setNumber(frame, next);
  findSlider(frame).value = String(sliderPosition(next, scale));
});

/**
 * Unmark a refused field once it changes.
 * @param {Event} event
 */
function changed(event) {
  const marked = closest(event, ".field")?.querySelector("[aria-invalid]");
  if (marked) marked.removeAttribute("aria-invalid");
  if (event.type === "input" && closest(event, ".settings") && byId("start-note")?.textContent)
    setProps("start-note", { children: "" });
}

for (const name of ["input", "change", "click"]) document.addEventListener(name, changed);
