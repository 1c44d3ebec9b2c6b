// The drawings: numerals, the mark, icons, the night line, ramps and switches. docs of the design: each is made of
// strokes, in the colour of the text around it. All but numerals and switches are hidden from screen readers.

import { h, svg } from "./dom.js";

const picture = (box, props, ...children) => svg("svg", { viewBox: box, "aria-hidden": "true", ...props }, ...children);
const round = { fill: "none", stroke: "currentColor", "stroke-linecap": "round", "stroke-linejoin": "round" };

// Numerals

const digits = {
  0: "M0 28A28 28 0 0 1 56 28V72A28 28 0 0 1 0 72Z",
  1: "M8 19L31 0V100",
  2: "M0 28A28 28 0 1 1 48.8 46.7L.8 100H56",
  3: "M3 0H52L25 40A30 30 0 1 1-2 83",
  4: "M43 100V0L-1 71H58",
  5: "M50 0H9L5.2 47.2A30.5 30.5 0 1 1-.4 84.8",
  6: "M37.3 0L3.8 58A28 28 0 1 0 52.2 58A28 28 0 0 0 3.8 58",
  7: "M0 0H56L19 100",
  8: "M28 0A23.5 23.5 0 0 1 28 47A23.5 23.5 0 0 1 28 0ZM28 47A26.5 26.5 0 0 1 28 100A26.5 26.5 0 0 1 28 47Z",
  9: "M18.7 100L52.2 42A28 28 0 1 0 3.8 42A28 28 0 0 0 52.2 42",
  ":": "M5 30v.01M5 72v.01",
  "−": "M4 56H52",
  "–": "M4 56H52",
  "+": "M4 56H52M28 32V80",
  "×": "M8 36L48 76M48 36L8 76",
  "=": "M4 44H52M4 68H52",
};
const advance = (character) => (character === ":" ? 40 : character === " " ? 36 : 86);

/** The weight of numerals: how loud it is, in decibels. */
export const weightOf = (decibels) => 8.6 + 11.4 * (1 + Math.min(0, Math.max(-40, decibels)) / 40);
export const weights = { unknown: 2.6, snoozed: 5.4, rest: 8.6, small: 11 };

/** Draws a text of digits. `label` is its text for screen readers; without one the drawing is hidden from them. `room` is
 *  half the heaviest stroke: with one of its own, nothing moves when the weight changes. */
export function numerals(text, { weight = weights.rest, room = Math.max(weight, 9) / 2, label, ...props } = {}) {
  let place = 0;
  const strokes = [...text].map((character) => {
    const stroke = digits[character] && svg("path", {
      d: digits[character],
      transform: `translate(${place} 0)`,
      "stroke-width": character === ":" ? weight * 1.25 : null,
    });
    place += advance(character);
    return stroke;
  });
  const width = place - 30;
  return picture(`${-room} ${-room} ${width + 2 * room} ${100 + 2 * room}`, {
    class: "numerals", preserveAspectRatio: "xMinYMid", ...(label ? { role: "img", "aria-label": label, "aria-hidden": null } : {}), ...props,
  }, svg("g", { ...round, "stroke-width": weight }, ...strokes));
}

// The mark

const combs = { asleep: [0, 0, 0, 0], lost: [0, 0, 0, 0], awake: [1.4, 3.2, 6.4, 12.2], crowing: [3.4, 7.4, 12.4, 18.4] };

/** Draws the rooster: asleep (nothing to ring, or snoozed), awake, crowing (it rings) or lost (no connection). */
export function mark(state, props) {
  const crows = state === "crowing";
  const comb = combs[state].map((height, index) => `M${[10.4, 17.2, 24, 30.8][index]} ${[17.2, 13.2, 13.2, 17.2][index]}v${-height || ".01"}`);
  const beaks = crows ? ["M37.4 25.6L46.6 26L37.4 31.4Z", "M37.4 34.2L44.6 37.6L37.4 38.6Z"] : ["M37.4 27.8L45 32.2L37.4 36.6Z"];
  const eye = { asleep: "M23.4 30.8q2.9 2.8 5.8 0", lost: "M24.4 29l4 4M28.4 29l-4 4" }[state];
  return picture("2 -8 47 60", { class: `mark ${state}`, ...props },
    svg("path", { ...round, "stroke-width": 4.6, d: `${comb.join("")}${crows ? "M39 45v2.6" : "M39 43.2v3"}` }),
    svg("path", { d: "M8.4 50V32a12.6 12.6 0 0 1 25.2 0v18Z", ...round, fill: "currentColor", "stroke-width": 1.6 }),
    ...beaks.map((d) => svg("path", { class: "beak", d, ...round, fill: "currentColor", "stroke-width": 1.6 })),
    eye ? svg("path", { class: "eye line", d: eye, ...round, "stroke-width": 2.2 }) : svg("circle", { class: "eye", cx: 26.4, cy: 31, r: 2.7 }));
}

// Icons: 24 × 24, strokes of 2

const icons = {
  alarms: "M4 19v-2M9 19v-5M14 19v-8M19 19V5",
  calendar: "M4 9h16M8 3v4M16 3v4M7 5h10a3 3 0 0 1 3 3v9a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3V8a3 3 0 0 1 3-3",
  nights: "M4 20v-6M8 20v-3M12 20V6M16 20v-8M20 20v-4",
  bedside: "M5 21v-9a7 7 0 0 1 14 0v9ZM9 18v-2M12 18v-4M15 10v.01",
  code: "M4 4h6v6H4ZM14 4h6v6h-6ZM4 14h6v6H4ZM14 14h2v2M20 14v.01M20 18v2h-2M15 20v.01",
  qr: "M4 4h6v6H4ZM14 4h6v6h-6ZM4 14h6v6H4ZM14 14h2v2M20 14v.01M20 18v2h-2M15 20v.01",
  math: "M3 7h6M6 4v6M15 5l5 5M20 5l-5 5M4 20L9 14M14 16h6M14 20h6",
  steps: "M8 3c2 0 3 2 3 5s-1 4-3 4-3-1-3-4 1-5 3-5ZM6 15h4v2a2 2 0 0 1-4 0ZM16 7c2 0 3 2 3 5s-1 4-3 4-3-1-3-4 1-5 3-5ZM14 19h4v1a2 2 0 0 1-4 0Z",
  pattern: "M7 7a5 5 0 0 1 0 10 5 5 0 0 1 0-10ZM16 12h5",
  tag: "M4 4h7l9 9-7 7-9-9ZM8 8v.01",
  roulette: "M4 8h13l-3-3M20 16H7l3 3",
  lock: "M6 11h12v9H6ZM9 11V8a3 3 0 0 1 6 0v3",
  skip: "M6 6l8 6-8 6ZM19 6v12",
  pause: "M8 5v14M16 5v14",
  speaker: "M4 10v4h3l5 4V6L7 10ZM16 9a4 4 0 0 1 0 6M19 6a8 8 0 0 1 0 12",
  camera: "M5 7h3l2-3h4l2 3h3a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1ZM12 10a3 3 0 0 1 0 6 3 3 0 0 1 0-6",
  buttons: "M7 9a3 3 0 0 1 0 6 3 3 0 0 1 0-6ZM15 12h5M3 5h18v14H3Z",
  keypad: "M6 5v.01M12 5v.01M18 5v.01M6 11v.01M12 11v.01M18 11v.01M6 17v.01M12 17v.01M18 17v.01",
  lamp: "M9 18h6M10 21h4M9 15c0-2-3-3-3-6a6 6 0 0 1 12 0c0 3-3 4-3 6Z",
  disk: "M5 4h11l3 3v13H5ZM8 4v5h7V4M8 20v-6h8v6",
  clock: "M12 3a9 9 0 0 1 0 18 9 9 0 0 1 0-18ZM12 7v5l3 2",
  print: "M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7Z",
  search: "M10 4a6 6 0 0 1 0 12 6 6 0 0 1 0-12ZM15 15l5 5",
  script: "M4 4h16v16H4ZM8 9l3 3-3 3M13 15h3",
  barcode: "M4 5v14M8 5v14M11 5v14M15 5v14M17 5v14M20 5v14",
  aim: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5M12 12v.01",
  settings: "M4 8h5M15 8h5M12 5a3 3 0 0 1 0 6 3 3 0 0 1 0-6M4 17h9M19 17h1M16 14a3 3 0 0 1 0 6 3 3 0 0 1 0-6",
  moon: "M20 14A8.5 8.5 0 0 1 10 4a8.5 8.5 0 1 0 10 10Z",
  plus: "M12 4v16M4 12h16",
  minus: "M5 12h14",
  close: "M5 5l14 14M19 5L5 19",
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  up: "M6 15l6-6 6 6",
  down: "M6 9l6 6 6-6",
  check: "M12 3a9 9 0 0 1 0 18 9 9 0 0 1 0-18ZM8 12l3 3 5-6",
  cross: "M12 3a9 9 0 0 1 0 18 9 9 0 0 1 0-18ZM9 9l6 6M15 9l-6 6",
  warning: "M12 3a9 9 0 0 1 0 18 9 9 0 0 1 0-18ZM12 8v5M12 16v.01",
  unknown: "M12 3a9 9 0 0 1 0 18 9 9 0 0 1 0-18ZM10 10a2 2 0 1 1 2 3M12 16v.01",
  undo: "M8 5L4 9l4 4M4 9h11a5 5 0 0 1 0 10h-4",
  redo: "M19 12a7 7 0 1 1-2-5M19 3v5h-5",
  erase: "M8 6h11a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H8l-5-6ZM11 10l4 4M15 10l-4 4",
  delete: "M5 7h14M10 4h4M7 7l1 13h8l1-13M10 11v5M14 11v5",
  play: "M8 5l11 7-11 7Z",
  stop: "M6 6h12v12H6Z",
  wifi: "M3 9a13 13 0 0 1 18 0M6 13a9 9 0 0 1 12 0M9 16a5 5 0 0 1 6 0M12 20v.01M20 4L4 20",
  plug: "M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0ZM12 17v2a2 2 0 0 0 2 2h3",
  hand: "M7 12V7a1.5 1.5 0 0 1 3 0v4V5a1.5 1.5 0 0 1 3 0v6V6a1.5 1.5 0 0 1 3 0v6-3a1.5 1.5 0 0 1 3 0v5a7 7 0 0 1-7 7c-4 0-5-3-8-7a1.6 1.6 0 0 1 2.500-2L7 14",
  tick: "M5 12l5 5L19 7",
  done: "M5 12l5 5L19 7",
  exit: "M10 4h8a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-8M3 12h11M10 8l4 4-4 4",
  phone: "M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1ZM12 18v.01",
  shaker: "M9 8h6v8H9ZM5 9v6M19 9v6M2 11v2M22 11v2",
  sun: "M12 8a4 4 0 0 1 0 8 4 4 0 0 1 0-8ZM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4",
  bed: "M3 18v-7M3 16h18v2M21 16v-3a3 3 0 0 0-3-3h-8v6M6 10a1.5 1.5 0 0 1 0 3 1.5 1.5 0 0 1 0-3",
};

/** Draws an icon. One that this version does not know has a question mark. */
export const icon = (name, props) =>
  picture("0 0 24 24", { class: "icon", ...props }, svg("path", { d: icons[name] ?? icons.unknown, ...round, "stroke-width": 2 }));

/** The sign of a layer of an alarm: three lines, of which its own is lit. */
export const layerSign = (layer) =>
  picture("0 0 24 20", { class: `layers ${layer}` }, ...["date", "weekly", "base"].map((name, index) =>
    svg("path", { class: name === layer ? "lit" : null, d: `M2 ${3 + index * 7}h20`, ...round, "stroke-width": 3.4 })));

// Lines and ramps

/** The heights of n bars that rise in even steps of decibels, as shares of the last. */
const rise = (n, least = 0.3) => Array.from({ length: n }, (_, index) => least + ((1 - least) * index) / Math.max(1, n - 1));

/** Draws a ramp of n bars, of which the first `lit` are lit; the next one in part. `heights` are shares. */
export function ramp(n, lit, { height = 60, width = 100, heights = rise(n, 0.15), ...props } = {}) {
  const step = width / n;
  const thick = step * 0.62;
  return picture(`0 0 ${width} ${height}`, { class: "ramp", preserveAspectRatio: "none", ...props },
    ...heights.map((share, index) => {
      const tall = Math.max(thick, share * height);
      return svg("rect", {
        class: index < lit ? "lit" : null, x: index * step + (step - thick) / 2, y: height - tall, width: thick, height: tall, rx: thick / 2,
      });
    }));
}

/** Draws what is left until a ring: ten minutes a dot, an hour a stroke, the last hour rises. `seconds` null: nothing
 *  rings. `gap`: the part of which nothing is known. */
export function nightLine(seconds, { gap = false, ...props } = {}) {
  const slots = 55;
  const rising = seconds === null ? 0 : 6;
  const left = seconds === null ? slots : Math.min(slots, Math.ceil(seconds / 600));
  const children = [];
  for (let slot = 0; slot < slots; slot++) {
    const before = slots - slot;
    const x = 2.6 + slot * 6.35;
    if (before <= rising) {
      const tall = 12 + (rising - before) * 5;
      // In the last hour the bars fill.
      const waits = seconds < 3600 && before <= left;
      children.push(svg("path", { class: waits ? "bar dim" : "bar", d: `M${x} ${40 - 2.2}v${4.4 - tall}`, ...round, "stroke-width": 4 }));
    } else if (before <= left && !(gap && before <= 24 && before > 15)) {
      const hour = (before - rising) % 6 === 0 && before > rising;
      children.push(hour && !gap
        ? svg("path", { class: "hour", d: `M${x} 37.6v-5`, ...round, "stroke-width": 4 })
        : svg("circle", { class: "dot", cx: x, cy: 37.8, r: 2 }));
    }
  }
  return picture("0 0 348 42", { class: "night-line", ...props }, ...children);
}

// Switches

/** A switch. `state`: on, off, paused or locked; `asking`: the service has not answered yet; `isDraft`: its state is not
 *  saved yet. */
export function toggle(state, { label, asking = false, isDraft = false, describedby, onclick }) {
  const sign = { on: "M13 8v10", paused: "M10.5 9v8M15.5 9v8", locked: "M8.6 12.4h8.8v6.4H8.6ZM10.4 12.4v-2a2.6 2.6 0 0 1 5.2 0v2" }[state];
  return h("button", {
    type: "button", class: `switch ${state}${asking ? " asking" : ""}${isDraft ? " draft" : ""}`, role: "switch", "aria-checked": String(state !== "off"),
    "aria-label": label, "aria-describedby": describedby, "aria-disabled": state === "locked" ? "true" : null, onclick,
  }, h("span", null, picture("0 0 26 26", { class: "knob" },
    svg("circle", { cx: 13, cy: 13, r: 11 }), sign && svg("path", { d: sign, ...round, "stroke-width": 2.4 }))));
}
