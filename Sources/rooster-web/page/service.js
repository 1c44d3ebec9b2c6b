// The service: its requests by their names, and the state that it reports.
//
// A phone stops a page without telling it, and takes its connections away. So the stream of events lives only while
// the page is seen. It is opened again when the page comes back, when nothing was heard for 20 s (the service sends a
// comment every 15 s), and when the timer shows that the phone has slept. Each new stream begins with the status, and
// all else is read again. The stream is read with fetch, because EventSource hides comments and refusals.

import requests from "./requests.js";

/** A refusal of the service, or a failure on the way to it (`name` noConnection, `status` 0). */
export class Problem extends Error {
  constructor(status, body, retrySeconds) {
    super(body.detail ?? `HTTP ${status}`);
    Object.assign(this, body, { status, name: body.name ?? "unknown", detail: body.detail ?? `HTTP ${status}`, errors: body.errors ?? [], retrySeconds });
  }
}

/** The address of a request, with the fields of its path and of its query. */
export function addressOf(name, values = {}) {
  const [, template, ...fields] = requests[name];
  const path = template.replace(/\{(\w+)\}/g, (_, field) => encodeURIComponent(values[field]));
  const search = fields.filter((field) => values[field] !== undefined && values[field] !== null)
    .map((field) => `${field}=${encodeURIComponent(values[field])}`).join("&");
  return `/api/1${path && `/${path}`}${search && `?${search}`}`;
}

/** Sends a request by its name and returns its response; a picture or a sound as a blob. `options` has the fields of
 *  the path and of the query by their names, and `body` (a file as it is), `ifMatch` (a revision, or "*") and `key`. A
 *  change has a key in any case: if the connection breaks, it is sent once more, and done once. */
export async function ask(name, options = {}) {
  const [method] = requests[name];
  const { body, ifMatch, key, query, ...given } = options;
  const headers = {};
  const isFile = body instanceof Blob;
  if (body !== undefined) headers["Content-Type"] = isFile ? "application/octet-stream" : "application/json";
  if (ifMatch) headers["If-Match"] = ifMatch === "*" ? "*" : `"${ifMatch}"`;
  if (method !== "GET") headers["Idempotency-Key"] = key ?? newKey();
  const sent = body === undefined || isFile ? body : JSON.stringify(body);
  const init = { method, headers, body: sent, cache: "no-store" };
  const address = addressOf(name, { ...given, ...query });
  let response, answer;
  for (let attempt = 0; answer === undefined; attempt++) {
    try {
      response = await within(slow.has(name) ? 120_000 : 15_000, (signal) => fetch(address, { ...init, signal }));
      const isContent = response.ok && !/json/.test(response.headers.get("Content-Type") ?? "");
      answer = isContent ? await response.blob() : parse(await response.text());
    } catch (error) {
      if (attempt) throw new Problem(0, { name: "noConnection", detail: String(error) });
    }
  }
  if (response.ok && answer) return answer;
  const problem = new Problem(response.status, answer ?? {}, Number(response.headers.get("Retry-After")) || undefined);
  if (problem.name === "unpaired") set({ connection: "unpaired" });
  throw problem;
}

/** The requests that wait for the owner or for devices. */
const slow = new Set(["doctor", "trySpeakers", "enrol", "testCode", "import", "addSound"]);

/** A key for a change that may be sent several times. `crypto.randomUUID` is missing over HTTP. */
export const newKey = (bytes = 12) => [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** A random id (UUID version 4), as the service gives to alarms. */
export const newUUID = () => newKey(16).toUpperCase()
  .replace(/^(.{8})(.{4}).(.{3}).(.{3})/, (_, a, b, c, d) => `${a}-${b}-4${c}-${"89AB"[Math.floor(Math.random() * 4)]}${d}-`);

async function within(milliseconds, send) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), milliseconds);
  try {
    return await send(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// The state

/** `connection`: starting, open, lost or unpaired. `status` and `alarms`: what was reported last. `level`: the
 *  loudness of the ring. `lostAt`: the device's local time at which the connection was lost. `retryAt`: the uptime of
 *  the next attempt. `trouble`: the web server is there, and the service is not. `record`: the last fact. */
export const state = { connection: "starting", status: null, alarms: null, level: null, lostAt: null, retryAt: null, record: null, trouble: false };
const listeners = new Set();

/** Calls a function after each change of the state. Returns the function that ends this. */
export function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function set(changes) {
  Object.assign(state, changes);
  for (const listener of [...listeners]) listener(state, changes);
}

// The clock of the device

let clock = { uptime: 0, instant: 0, wall: 0 };

function setClock(status) {
  clock = { uptime: performance.now(), instant: Date.parse(status.now), wall: Date.parse(`${status.local.slice(0, 19)}Z`) };
}

/** The present instant, in milliseconds, by the clock of the device. */
export const now = () => clock.instant + performance.now() - clock.uptime;
/** The present local time of the device, as in `local` but without an offset. */
export const local = () => new Date(clock.wall + performance.now() - clock.uptime).toISOString().slice(0, 19);
/** The seconds until an instant. */
export const secondsUntil = (at) => (Date.parse(at) - now()) / 1000;

// The stream

let stream = null;
let heardAt = 0;
let failures = 0;
let failedAt = null;
let lastRecord = null;
let version = null;
/** The uptime and the phone's time of the last tick. */
let ticked = { uptime: performance.now(), wall: Date.now() };
let retry, closing, reading;

/** Begins to follow the service. */
export function start() {
  document.addEventListener("visibilitychange", () => (document.hidden ? hide() : connect()));
  addEventListener("pageshow", (event) => event.persisted && connect());
  addEventListener("online", () => connect());
  addEventListener("pagehide", disconnect);
  setInterval(tick, 2000);
  connect();
}

function hide() {
  closing = setTimeout(disconnect, 5000);
}

function disconnect() {
  stream?.abort();
  stream = null;
  clearTimeout(retry);
}

function tick() {
  const [uptime, wall] = [performance.now(), Date.now()];
  const [gap, wallGap] = [uptime - ticked.uptime, wall - ticked.wall];
  ticked = { uptime, wall };
  if (document.hidden) return;
  // The uptime of a phone may stand still while it sleeps, and with it the clock. If the phone's clock was set instead,
  // reading everything again does no harm.
  const hasSlept = gap > 7000 || Math.abs(wallGap - gap) > 2000;
  if (hasSlept || (stream && uptime - heardAt > 20_000)) connect();
  // A status that is old may have another offset from UTC, or a simulated clock another speed.
  else if (state.status && uptime - clock.uptime > (state.status.simulated ? 30_000 : 3_600_000)) read();
}

/** Opens a new stream, now. */
export function connect() {
  clearTimeout(closing);
  disconnect();
  if (state.connection === "unpaired") return;
  failedAt ??= performance.now();
  setTimeout(noticeLoss, 2050);
  heardAt = performance.now();
  const controller = (stream = new AbortController());
  follow(controller).catch((error) => error).then((error) => {
    if (stream !== controller) return;
    stream = null;
    if (error?.name === "unpaired") return set({ connection: "unpaired" });
    if (error === "bye") return;
    // The web server answers, and the service behind it does not.
    if ((error?.status >= 500) !== Boolean(state.trouble)) set({ trouble: error?.status >= 500 });
    failedAt ??= performance.now();
    setTimeout(noticeLoss, 2050);
    const wait = Math.min(8000, 1000 * 2 ** failures++);
    retry = setTimeout(connect, wait);
    if (state.connection === "lost") set({ retryAt: performance.now() + wait });
  });
}

function noticeLoss() {
  if (failedAt === null || document.hidden || performance.now() - failedAt < 2000 || ["lost", "unpaired"].includes(state.connection)) return;
  set({ connection: "lost", lostAt: state.status && local(), level: null, retryAt: null });
}

async function follow(controller) {
  const headers = lastRecord ? { "Last-Event-ID": lastRecord } : {};
  const response = await fetch(addressOf("follow", { topics: "status,records,level" }), { headers, signal: controller.signal, cache: "no-store" });
  if (!response.ok) throw new Problem(response.status, parse(await response.text()) ?? {});
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done || stream !== controller) return null;
    heardAt = performance.now();
    text += decoder.decode(value, { stream: true });
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) if (receive(event) === "bye") return "bye";
  }
}

function receive(text) {
  const fields = {};
  for (const line of text.split("\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).trimStart();
  }
  if (fields.event === "bye") return "bye";
  const data = parse(fields.data ?? "");
  if (fields.event === "status") {
    const begins = failedAt !== null;
    setClock(data);
    [failedAt, failures] = [null, 0];
    set({ status: data, connection: "open", ...(begins ? { lostAt: null, retryAt: null, trouble: false } : {}) });
    if (begins) {
      readAlarms();
      // The first view has few requests.
      version ? checkVersion() : setTimeout(checkVersion, 3000);
    }
  } else if (fields.event === "record") {
    lastRecord = fields.id;
    set({ record: data });
    if (!/^(sum|step|level|client)/.test(data.name)) readSoon();
  } else if (fields.event === "level") set({ level: data.decibels ?? null });
  else if (fields.event === "resync") readSoon();
  return null;
}

function readSoon() {
  clearTimeout(reading);
  reading = setTimeout(readAlarms, 60);
}

/** Reads the alarms again. */
export async function readAlarms() {
  try {
    set({ alarms: (await ask("alarms")).alarms });
  } catch (error) {
    // A lost connection shows itself, and the next one reads them.
    if (error.name !== "noConnection" && state.connection === "open") setTimeout(readSoon, 1000);
  }
}

/** Reads status and alarms again, for instance after a refusal that says that the state is another one. */
export async function read() {
  try {
    const { status } = await ask("status");
    setClock(status);
    set({ status });
  } catch {
    return;
  }
  await readAlarms();
}

/** Another version has another page. */
async function checkVersion() {
  try {
    const hello = await ask("hello");
    if (version && hello.version !== version) location.reload();
    version = hello.version;
  } catch {
    // The next connection asks again.
  }
}

/** Follows again after this browser was paired. */
export function paired() {
  set({ connection: "starting" });
  connect();
}
