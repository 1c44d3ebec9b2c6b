// The virtual bedside: a phone with Rooster's page, and beside it the simulated device, which acts as the real one.
// It shows only what the service reports, several times a second.

import { h, fillWith } from "/dom.js";
import { icon, mark, numerals, toggle, weights } from "/drawings.js";
import { guide } from "/bedside/guide.js";
import { ask, change, findToken, pairPhone } from "/bedside/link.js";
import { backdrop, device, deviceBox, footprints, place, tagDrawing } from "/bedside/room.js";
import { hear, hush, isHeard, setLevel } from "/bedside/sound.js";
import { cameraView, sheets } from "/bedside/view.js";
import { words } from "/bedside/words.js";
import times from "/words.js";

const tag = "04a2b3c4d5e6f7";
const holdMilliseconds = 600_000;
const pollMilliseconds = 250;
const delaySeconds = 20;

/** `isCut`: the power was cut, and the service has not been seen since. `isAway`: it does not answer. */
const state = { bedside: null, status: null, at: 0, isCut: false, isAway: false, isReady: false, problem: "", digits: "", holdsBoth: false };

// Requests

let last = Promise.resolve();

/** Changes the hardware, after the changes before it. */
function act(body) {
  last = last.then(() => change(body)).then(() => { state.problem = ""; }, (reason) => {
    if (reason.name !== "noConnection" && reason.name !== "noService") refuse(words.refused(reason.message));
  }).then(read);
  return last;
}

function refuse(text) {
  state.problem = text;
  update();
}

async function read() {
  try {
    const [bedside, { status }] = await Promise.all([ask("GET", "/bedside"), ask("GET", "/status")]);
    // An answer from before the end does not bring the power back.
    if (state.isCut && state.isAway) restore(state.bedside);
    Object.assign(state, { bedside, status, at: performance.now(), isCut: state.isCut && !state.isAway, isAway: false });
  } catch {
    state.isAway = true;
  }
  update();
}

/** Gives the room the state that it had before the power was cut: the light, the sheet and the plugs stay. */
function restore({ camera, cards, disk, trusted, speed }) {
  const isChanged = camera && camera.state !== "ok";
  act({ speed, disk, trusted, camera: isChanged ? camera.state : undefined, show: camera?.codes.length && !camera.picture ? camera.codes[0] : undefined });
  for (const { id, plugged } of cards) if (!plugged) act({ card: { id, plugged } });
}

async function follow() {
  await read();
  setTimeout(follow, document.hidden ? 2000 : pollMilliseconds);
}

/** Sets an alarm that rings soon, unless there is one, with the codes that end it. */
async function setUp() {
  const [{ alarms }, { codes }] = await Promise.all([ask("GET", "/alarms"), ask("GET", "/codes")]);
  if (alarms.length || codes.length || state.bedside.camera === undefined) return;
  await ask("PATCH", "/settings", { snooze: { min: 10 } }, { "If-Match": "*" });
  const known = sheets.slice(0, 2);
  for (const { label, text } of known) {
    const enrolled = ask("POST", "/codes", { label });
    await change({ show: text });
    await enrolled;
    await change({ show: "" });
  }
  await ask("POST", `/alarms?delaySeconds=${delaySeconds}`, {
    label: "Wake up", ring: { ramp: 20 }, snooze: { seconds: 10, max: 3 }, challenges: [{ kind: "qr", codes: known.map(({ label }) => label) }],
  });
}

// The head: what happens, and the clock

const told = { mark: h("div", { class: "told-mark" }), head: h("h1"), hint: h("p", { class: "quiet" }), problem: h("p", { class: "problem", role: "alert" }) };
const clock = { day: h("span", { class: "quiet" }), time: h("time"),
  speeds: h("div", { class: "segments", role: "group", "aria-label": words.clock }),
  jumps: h("div", { class: "segments" }) };
const top = h("header", { class: "told-bar" },
  h("div", { class: "told-head" }, told.mark,
    h("div", { class: "told" }, h("p", { class: "small quiet" }, words.title), told.head, told.hint, told.problem)),
  h("div", { class: "clock" }, h("div", { class: "now" }, clock.day, clock.time), clock.speeds, clock.jumps));

/** The seconds until the next ring, by the device's clock; null if there is none. */
function secondsUntilNext() {
  const next = state.status?.next[0];
  if (!next) return null;
  const passed = ((performance.now() - state.at) / 1000) * state.bedside.speed;
  return Math.max(0, Math.ceil((Date.parse(next.at) - Date.parse(state.status.now)) / 1000 - passed));
}

const days = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "long", timeZone: "UTC" });

function updateHead() {
  const next = secondsUntilNext();
  const [look, [head, hint]] = guide({ ...state, next });
  fillWith(told.mark, [mark(look)]);
  for (const [element, text] of [[told.head, head], [told.hint, hint], [told.problem, state.problem]]) {
    if (element.textContent !== text) element.textContent = text;
  }
  // The seconds would be read out one by one.
  told.head.setAttribute("aria-live", /\d/.test(head) ? "off" : "polite");
  const { bedside } = state;
  if (!bedside) return;
  const local = bedside.local.slice(0, 19);
  clock.day.textContent = days.format(new Date(`${local}Z`));
  const [hour, minute, half] = times.timeParts(local, state);
  fillWith(clock.time, [
    numerals(`${hour}:${minute}`, { weight: weights.small, label: times.time(local, state) }), half && ` ${half}`,
  ]);
  const button = (text, label, onclick, isPressed) => h("button", { type: "button", key: text, "aria-label": label, "aria-pressed": isPressed, onclick }, text);
  fillWith(clock.speeds, [1, 60, 600].map((speed) =>
    button(words.speed(speed), words.speedLong(speed), () => act({ speed }), String(bedside.speed === speed))));
  fillWith(clock.jumps, [
    button(words.minutes, null, () => act({ by: 600 })), button(words.hours, null, () => act({ by: 28_800 })),
    next > 60 && !state.status.sessions.length && button(words.toRing, null, () => act({ by: next - 5 })),
  ]);
}

// The phone

const frame = h("iframe", { title: words.phone });
const phone = h("section", { class: "phone", "aria-label": words.phone }, h("div", { class: "shell" }, frame));

// The device

const scene = backdrop();
const machine = device();

/** A button of the device: it is down as long as the pointer or the key is. */
function heldButton(name, label, box) {
  let isDown = false;
  const set = (down) => {
    if (down === isDown) return;
    isDown = down;
    element.classList.toggle("down", down);
    act(down ? { press: name, holdMilliseconds } : { release: name });
  };
  const isKey = (event) => event.key === " " || event.key === "Enter";
  const element = place(h("button", {
    type: "button", class: `held ${name}`, "aria-label": label,
    onpointerdown: (event) => { if (event.button === 0) { element.setPointerCapture(event.pointerId); set(true); } },
    onpointerup: () => set(false), onpointercancel: () => set(false), onlostpointercapture: () => set(false), onblur: () => set(false),
    onkeydown: (event) => { if (isKey(event)) { event.preventDefault(); if (!event.repeat) set(true); } },
    onkeyup: (event) => { if (isKey(event)) set(false); },
    // Some assistive technology only clicks.
    onclick: (event) => { if (event.detail === 0 && !isDown) act({ press: name }); },
  }), box, deviceBox);
  return element;
}

const pill = (className, onclick) => h("button", { type: "button", class: `pill ${className}`, onclick });
const sound = pill("hear", () => { if (isHeard()) hush(); else hear(); update(); });
const both = pill("both", () => {
  state.holdsBoth = !state.holdsBoth;
  act(state.holdsBoth ? { press: "both", holdMilliseconds } : { release: "both" });
});
const light = pill("light", () => act({ camera: state.bedside.camera.state === "dark" ? "ok" : "dark" }));
const power = pill("power", () => {
  state.holdsBoth = false;
  state.isCut = true;
  act({ power: "cut" }).then(() => { state.isCut &&= !state.problem; });
});
const touch = pill("touch", () => act({ tag }));
const step = pill("step", () => act({ steps: 1 }));
const view = cameraView({ act, refuse });

const typed = h("output", { class: "typed" });
const keypad = h("div", { class: "room-pad", role: "group", "aria-label": words.keypad }, typed,
  ["7", "8", "9", "0", "4", "5", "6", "erase", "1", "2", "3", "enter"].map((key) => h("button", {
    type: "button", class: key === "enter" ? "enter" : null, "aria-label": words[key] ?? key, onclick: () => typeKey(key),
  }, key === "erase" ? icon("erase") : key === "enter" ? icon("undo") : numerals(key, { weight: weights.small }))));

function typeKey(key) {
  if (key === "enter") {
    if (state.digits) act({ key: Number(state.digits) });
    state.digits = "";
  } else {
    state.digits = key === "erase" ? state.digits.slice(0, -1) : (state.digits + key).slice(0, 9);
  }
  typed.textContent = state.digits;
}

addEventListener("keydown", (event) => {
  if (event.target.closest?.("input") || event.ctrlKey || event.metaKey || event.altKey || !has("keypad")) return;
  if (/^\d$/.test(event.key)) typeKey(event.key);
  else if (event.key === "Backspace") typeKey("erase");
  else if (event.key === "Enter" && state.digits && event.target === document.body) typeKey("enter");
});

const has = (input) => Boolean(state.bedside?.inputs.includes(input));
const switches = h("ul", { class: "plugs", "aria-label": words.plugs });
const deviceElement = place(h("div", { class: "device", role: "group", "aria-label": words.device },
  machine.drawing, heldButton("snooze", words.snooze, [340, 377, 62, 62]), heldButton("stop", words.stop, [424, 391, 124, 36]),
), deviceBox);
const tagElement = place(h("div", { class: "room-tag" }, tagDrawing(), touch), [420, 484, 250, 110]);
const mat = h("div", { class: "mat" }, footprints(), step);
const room = h("section", { class: "room", "aria-label": words.device },
  h("div", { class: "room-scene" }, scene.drawing, deviceElement,
    place(light, [100, 248]), place(power, [20, 410]), place(sound, [524, 122]), place(both, [292, 486]),
    place(view.element, [672, 30, 215]), tagElement, place(keypad, [672, 444, 206])),
  h("div", { class: "lower" }, mat, switches));

function setText(button, picture, text, label) {
  fillWith(button, [icon(picture), text]);
  if (label) button.setAttribute("aria-label", label);
}

function updateDevice() {
  const { bedside, isCut, isAway } = state;
  const isOff = isCut || isAway || !bedside;
  room.classList.toggle("off", isOff);
  power.disabled = isOff;
  setText(power, "plug", isOff ? words.powerBack : words.pull);
  scene.plug.classList.toggle("pulled", isOff);
  if (!bedside) return;
  const camera = bedside.camera;
  const level = isOff ? null : bedside.decibels ?? null;
  const card = bedside.cards.find(({ id }) => id === bedside.output)?.name
    ?? (bedside.output === "buzzer" ? words.buzzerName : bedside.output
      ?? bedside.cards.find(({ plugged }) => plugged)?.name
      ?? "");
  const lamp = isOff ? null : bedside.lamps.find(({ lamp }) => lamp === "status");
  machine.setLevel(card, level, level === null ? words.noSound : words.decibels(level));
  machine.setTexts(words.snooze, words.stop, lamp ? words.lamp[lamp.light] : "");
  setLevel(level);
  room.classList.toggle("shakes", !isOff && Boolean(bedside.shaking));
  room.classList.toggle("dark", camera?.state === "dark");
  room.classList.toggle("sees", !isOff && Boolean(camera?.on) && camera.state !== "unplugged");
  scene.setHour(Number(bedside.local.slice(11, 13)) + Number(bedside.local.slice(14, 16)) / 60);
  setText(sound, "speaker", isHeard() ? words.hush : words.hear);
  sound.setAttribute("aria-pressed", String(isHeard()));
  setText(both, "buttons", words.both, words.bothLong);
  both.setAttribute("aria-pressed", String(state.holdsBoth));
  setText(light, "lamp", camera?.state === "dark" ? words.lightOn : words.lightOff);
  setText(touch, "tag", words.tag);
  setText(step, "steps", words.step);
  light.hidden = !camera || camera.state === "unplugged";
  both.hidden = !has("snooze") || !has("stop");
  for (const [element, isThere] of [[tagElement, has("tags")], [keypad, has("keypad")], [mat, has("steps")], [view.element, camera]]) element.hidden = !isThere;
  view.update(camera ?? null);

  const row = (picture, text, isOn, body) => h("li", { key: text }, icon(picture), h("span", null, text),
    toggle(isOn ? "on" : "off", { label: text, onclick: () => act(body) }));
  fillWith(switches, [
    ...bedside.cards.map(({ id, name, plugged }) => row("speaker", name, plugged, { card: { id, plugged: !plugged } })),
    camera && row("camera", words.cameraPlug, camera.state !== "unplugged", { camera: camera.state === "unplugged" ? "ok" : "unplugged" }),
    row("clock", words.clockSet, bedside.trusted, { trusted: !bedside.trusted }),
    row("disk", words.disk, bedside.disk === "ok", { disk: bedside.disk === "ok" ? "full" : "ok" }),
  ]);
}

// The lamp

const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
const flash = { count: null, from: 0, pulses: [] };
/** A flash is seen only if the lamp is dark before. */
const darkMilliseconds = 150;

/** Whether the lamp of these pulses, alternating on and off, is on after this time. Null after their end. */
function isOn(pulses, milliseconds) {
  let rest = milliseconds;
  for (const [index, length] of pulses.entries()) {
    if (rest < length) return index % 2 === 0;
    rest -= length;
  }
  return null;
}

function shine() {
  const lamp = state.isCut || state.isAway ? null : state.bedside?.lamps.find(({ lamp }) => lamp === "status");
  if (lamp && lamp.flashes !== flash.count) {
    if (flash.count !== null && lamp.flash) Object.assign(flash, { from: performance.now(), pulses: lamp.flash });
    flash.count = lamp.flashes;
  }
  const since = performance.now() - flash.from - darkMilliseconds;
  const flashes = since < 0 ? false : isOn(flash.pulses, since);
  const pulses = lamp?.pulses;
  const blinks = pulses && (isCalm.matches || isOn(pulses, performance.now() % pulses.reduce((sum, part) => sum + part, 0)));
  machine.setLamp(Boolean(lamp && flash.from && flashes !== null ? flashes : lamp?.light === "on" || blinks));
}

// The page

function update() {
  updateHead();
  updateDevice();
}

function fit() {
  const shell = phone.firstElementChild;
  const isWide = matchMedia("(min-width: 1100px)").matches;
  shell.style.setProperty("--scale", isWide ? String((shell.clientWidth - 24) / 390) : "1");
}

async function start() {
  if (!findToken()) {
    document.body.replaceChildren(h("main", { class: "page" }, h("h1", null, words.noToken), h("p", null, words.noTokenMore)));
    return;
  }
  document.body.replaceChildren(h("main", { class: "virtual" }, top, phone, room));
  addEventListener("resize", fit);
  fit();
  setInterval(shine, 50);
  await follow();
  try {
    await pairPhone(words.phoneName);
    frame.setAttribute("src", "/");
    await setUp();
  } catch (reason) {
    refuse(words.refused(reason.message));
  }
  state.isReady = true;
}

start();
