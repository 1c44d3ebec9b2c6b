// Starts the page, and decides which screen is shown: that of the address behind `#/`, or the ringing screen while
// something rings. Going back from there leaves a strip on every screen that leads to it again.
//
// A screen is a module in screens/ with `export default function (app, parameters)`. It returns
// `{ element, title, update?(state), leave?() }`. `update` is called at once, after each change of the state, and with
// the clock: each second while something is open or soon rings, and else each minute.

import { fillWith, h, own } from "./dom.js";
import { icon, mark } from "./drawings.js";
import home from "./screens/home.js";
import * as service from "./service.js";
import words from "./words.js";

/** The module of each address. The first view needs only that of Home. */
const screens = { "": home, new: "edit", alarm: "edit", calendar: "calendar", codes: "codes", bedside: "bedside",
  settings: "settings", nights: "nights", ringing: "ringing", pair: "pair" };
/** The screens that the dock leads to, and on wide windows the header: address and icon. */
const tabs = [["", "alarms"], ["calendar", "calendar"], ["nights", "nights"], ["bedside", "bedside"], ["codes", "code"], ["settings", "settings"]]
  .filter(([address]) => address in screens);
/** The screens that stand beside Home on wide windows. */
const besideHome = new Set(["", "new", "alarm", "calendar"]);

const { state } = service;
const app = { service, store: { state, subscribe: service.subscribe, set: service.set }, words, go, say,
  has: (name) => name in screens, theme: { choose: chooseTheme, chosen: chosenTheme, chooseHours, hours: nightHours } };

const strip = h("div", { class: "strip", role: "region", "aria-label": words.main.name, hidden: true });
const bar = h("header", { class: "top-bar" });
const panes = h("div", { class: "panes" });
const dock = h("nav", { class: "dock", "aria-label": words.main.screens });
const spoken = { alert: h("div", { class: "unseen", role: "alert" }), status: h("div", { class: "unseen", role: "status" }) };
const wide = matchMedia("(min-width: 56.25rem)");

/** The screens that are shown: `main`, and beside it `home` on wide windows. Each with its `name` and `pane`. */
const shown = {};
let turn = 0;

/** Goes to another screen. `replaces`: going back does not lead to the present one. */
function go(address, { replaces = false } = {}) {
  if (replaces) history.replaceState(null, "", `#/${address}`);
  else location.hash = `#/${address}`;
  if (!replaces) return;
  wanted = route();
  show();
}

/** Tells a screen reader. `urgent` interrupts it. What was said is soon out of date, so it does not stay. */
function say(text, urgent = false) {
  const place = spoken[urgent ? "alert" : "status"];
  if (place.textContent === text) return;
  place.textContent = text;
  clearTimeout(place.timer);
  place.timer = setTimeout(() => { place.textContent = ""; }, 8000);
}

function route() {
  // The invitation of a paired phone, or of the device. It leaves the address at once.
  const [, secret] = /^#pair=(.+)/.exec(location.hash) ?? [];
  if (secret) {
    history.replaceState(null, "", "#/pair");
    return { name: "pair", secret };
  }
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, id] = path.split("/").map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  return { ...Object.fromEntries(new URLSearchParams(query ?? "")), name, id };
}

let wanted = route();

let styled;
/** Whether a screen could not be loaded. A browser may not ask for its module twice, so the page is loaded again. */
let isMissing = false, wasLost = false;

/** Loads the module of a screen, and with the first one the styles of all but Home. */
async function load(name) {
  styled ??= new Promise((end, fail) => {
    document.head.append(h("link", { rel: "stylesheet", href: "/screens.css", onload: end, onerror: fail }));
  });
  const [{ default: screen }] = await Promise.all([import(`./screens/${name}.js`), styled]).catch((error) => {
    styled = null;
    throw error;
  });
  return screen;
}

/** Whether there is nothing to show: the service has not answered since the page was opened. Home says so. */
const isUnanswered = () => state.connection === "lost" && !state.status;

async function show() {
  const parameters = { ...wanted };
  if (state.connection === "unpaired" && parameters.name !== "pair") parameters.name = "pair";
  const number = ++turn;
  const isEmpty = isUnanswered() && parameters.name !== "pair";
  let make = isEmpty ? home : screens[parameters.name];
  if (typeof make === "string") {
    try {
      make = await load(make);
    } catch {
      isMissing = true;
      make = () => failed(words.main.noScreen);
    }
  }
  if (number !== turn) return;
  make ??= () => failed(parameters.name === "pair" ? words.main.unpaired : words.main.noSuchScreen);
  const splits = wide.matches && besideHome.has(parameters.name) && !isEmpty;
  if (splits && parameters.name === "") make = await load("calendar").catch(() => () => failed(words.main.noScreen));
  if (number !== turn) return;
  place("home", splits ? home : null, { name: "" });
  place("main", make, parameters);
  document.body.dataset.screen = parameters.name || "home";
  document.body.classList.toggle("split", splits);
  render();
  if (turn > 1) focusOn(shown.main.element);
}

/** Puts a screen into a pane, in the place of the one that is there. */
function place(pane, make, parameters) {
  const key = make && JSON.stringify(parameters);
  if (shown[pane]?.key === key && shown[pane]?.make === make) return;
  shown[pane]?.leave?.();
  shown[pane]?.element.remove();
  delete shown[pane];
  if (!make) return;
  const screen = make(app, { ...parameters, beside: pane === "home" || Boolean(shown.home) });
  shown[pane] = { ...screen, key, make };
  panes.append(screen.element);
  if (pane === "main") scrollTo(0, 0);
}

/** A new screen is read from its heading, and a form is ready for its first field. */
function focusOn(element) {
  const target = element.querySelector("[data-first]") ?? element.querySelector("h1");
  if (!target) return;
  if (target.tagName === "H1") target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

function failed(text) {
  const reload = h("button", { type: "button", class: "button second", onclick: () => location.reload() }, words.main.reload);
  return { element: h("main", { class: "page failed", id: "main" }, h("h1", null, words.main.name), h("p", null, text), reload), title: words.main.name };
}

// Rings

/** The ring that was shown last, so that its screen comes once for each begin. */
let covered = null;

function cover() {
  const [session] = state.status?.sessions ?? [];
  // A test ring was asked for on a screen, which stays.
  const rings = session && !session.test && !["snoozed", "resting", "waiting"].includes(session.state);
  const key = rings ? `${session.alarm} ${session.at} ${session.snoozes} ${session.round}` : null;
  if (key && key !== covered && "ringing" in screens && wanted.name !== "ringing") go("ringing");
  if (key) covered = key;
}

function stripContent() {
  const [session] = state.status?.sessions ?? [];
  const { main } = words;
  if (state.connection === "lost" && state.status && wanted.name !== "" && wanted.name !== "ringing") {
    return [mark("lost"), h("span", null, main.lost(words.time(state.lostAt, state)))];
  }
  if (!session && !state.status?.unlocking || wanted.name === "ringing" || !("ringing" in screens)) return null;
  const { label, state: how, untilLocal } = session ?? { ...state.status.unlocking, state: "unlocking" };
  return [
    mark(how === "snoozed" || how === "resting" ? "asleep" : "crowing"),
    h("span", null, main.session[how]?.(own(label || words.unnamed), words.time(untilLocal, state)) ?? main.session.ringing(own(label || words.unnamed))),
    h("a", { class: "button", href: "#/ringing" }, main.show),
  ];
}

// The frame around the screens

/** The links to the tabs. On wide windows Home has no tab for what stands `beside` it. */
function links(beside) {
  return tabs.filter(([address]) => !address || !beside?.has(address)).map(([address, picture]) => {
    const isShown = wanted.name === address || (!address && wanted.name === "calendar" && beside);
    return h("a", { key: address, href: `#/${address}`, "aria-current": isShown ? "page" : !address && beside?.has(wanted.name) ? "true" : null },
      icon(picture), h("span", null, words.main.tabs[address]));
  });
}

function render() {
  document.documentElement.dataset.theme = theme();
  const content = stripContent();
  strip.hidden = !content;
  fillWith(strip, content ?? []);
  strip.className = state.connection === "lost" ? "strip" : "strip rings";
  const isFramed = !["ringing", "pair"].includes(wanted.name) && state.connection !== "unpaired";
  dock.hidden = bar.hidden = !isFramed || !state.status;
  fillWith(dock, [h("div", null, links().slice(0, 4)), h("a", { class: "new", href: "#/new", "aria-label": words.home.newAlarm }, icon("plus"))]);
  const hasRing = state.status?.enabled && state.status.next.length > 0;
  fillWith(bar, [
    h("a", { class: "name", href: "#/" }, mark(state.connection === "lost" ? "lost" : hasRing ? "awake" : "asleep"), words.main.name),
    h("nav", { "aria-label": words.main.screens }, links(besideHome)),
    state.connection === "open" && h("span", { class: "quiet" }, words.now(service.local(), state, innerWidth > 1200)), nightButton(),
  ]);
  for (const screen of [shown.home, shown.main]) screen?.update?.(state);
  const title = shown.main?.title;
  document.title = title && title !== words.main.name ? `${title} · ${words.main.name}` : words.main.name;
}

/** The button for the red colours of the night. */
export const nightButton = () => h("button", {
  type: "button", class: "plain", "aria-label": words.main.night, "aria-pressed": String(theme() === "red"),
  onclick: () => {
    const isRed = theme() !== "red";
    if (chosenTheme() !== "night") return chooseTheme(isRed ? "red" : "auto");
    pressed = { isNight: isNight(), isRed };
    render();
  },
}, icon("moon"));
app.nightButton = nightButton;

// The theme

/** Storage may be refused. */
function stored(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keeps what the owner of this phone has chosen. If storage is refused, it holds until the page is closed. */
function keep(name, text) {
  picked[name] = text;
  try {
    localStorage.setItem(name, text);
  } catch {
    // It is in `picked`.
  }
  render();
}

const picked = {};
/** What the button for the red colours has chosen in place of the hours of the night, until these begin or end. */
let pressed = null;

function chosenTheme() {
  return picked.theme ?? stored("theme") ?? "auto";
}

function chooseTheme(name) {
  pressed = null;
  keep("theme", name);
}

/** When the colours of the theme `night` become red, and when they are those of the phone again. */
function nightHours() {
  return (picked.nightHours ?? stored("nightHours") ?? "22:00 07:00").split(" ");
}

function chooseHours(from, until) {
  pressed = null;
  keep("nightHours", `${from} ${until}`);
}

function isNight() {
  const [from, until] = nightHours();
  // The first colours must not wait for the clock of the device.
  const time = state.status ? service.local().slice(11, 16) : new Date().toTimeString().slice(0, 5);
  return from < until ? from <= time && time < until : from <= time || time < until;
}

function theme() {
  const chosen = chosenTheme();
  if (wanted.name === "ringing") return "dark";
  if (["dark", "light", "red"].includes(chosen)) return chosen;
  if (chosen === "night") {
    if (pressed?.isNight !== isNight()) pressed = null;
    if (pressed?.isRed ?? isNight()) return "red";
  }
  return matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}

// The clock

let timer, isDue = false;

function tick() {
  clearTimeout(timer);
  const { status, connection } = state;
  const isSoon = status && (status.sessions.length || status.unlocking || (status.next[0] && service.secondsUntil(status.next[0].at) < 300));
  // The ringing screen is there before the ring.
  if (isSoon) load("ringing").catch(() => {});
  const second = 1000 - (service.now() % 1000);
  const wait = isSoon || connection === "lost" ? second : 60_000 - (service.now() % 60_000);
  timer = setTimeout(() => {
    if (!document.hidden) render();
    tick();
  }, wait + 20);
}

let wasUnanswered = false;
service.subscribe(() => {
  if (state.connection === "open" && wasLost && isMissing) location.reload();
  wasLost = state.connection === "lost";
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => {
    isDue = false;
    cover();
    const isOther = (state.connection === "unpaired") !== (document.body.dataset.screen === "pair");
    if ((isOther || isUnanswered() !== wasUnanswered) && wanted.name !== "pair") show();
    wasUnanswered = isUnanswered();
    render();
    tick();
  });
});

addEventListener("hashchange", () => {
  wanted = route();
  show();
});
wide.addEventListener("change", show);
matchMedia("(prefers-color-scheme: light)").addEventListener("change", render);

document.body.replaceChildren(
  h("a", { class: "to-content", href: "#main", onclick: (event) => { event.preventDefault(); focusOn(shown.main.element); } }, words.main.skip),
  strip, bar, panes, dock, ...Object.values(spoken));
show();
service.start();
