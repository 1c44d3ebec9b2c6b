// The ringing screen: what the sleeper has to do, snooze, and the emergency exit. It shows what the service
// reports and changes nothing by itself: leaving it leaves the ring as it is.

import { fillWith, h } from "../dom.js";
import { icon } from "../drawings.js";
import words from "../words.js";
import more from "../words-ringing.js";
import views, { calm, pauses } from "./ringing-views.js";

const texts = more.ringing;
/** The emergency exit is held by a request at least every few seconds. */
const holdEvery = 2000;
const closesAfter = 20_000;

export default function ringing(app) {
  const { service, store } = app;
  const top = h("header", { class: "ring-top" });
  const head = h("div", { class: "ring-head" });
  const body = h("div", { class: "ring-body" });
  const foot = h("div", { class: "ring-foot" });
  // The last one to be reached by keyboard, although it stands at the top.
  const way = h("div", { class: "ring-way" });
  const element = h("main", { class: "ringing", id: "main" }, top, head, body, foot, way);

  /** The session that was shown last, for the time when it is over. */
  let last = null;
  /** What the views show and call. `draft`: the digits of the answer, and the number of the sum they are for.
   *  `asking`: the request that waits for its answer. `exit`: the emergency exit. `over`: what came of the ring,
   *  and since when. */
  const ring = {
    draft: { digits: "", sum: null, said: null },
    asking: null,
    exit: { open: false, held: false, timer: 0, none: false },
    over: null,
    answer, hold, press, release, render, send,
    snooze: (session) => send("snooze", { body: meant(session) }),
    stop: (session) => send("stop", { body: meant(session) }),
    awake: (session) => send("awake", { body: meant(session) }),
  };
  const show = views(app, ring);
  let refusal = null;
  /** What was shown and said last, and until when its controls rest. */
  let shown = {}, said = null, calmUntil = 0;

  function render() {
    update(store.state);
  }

  /** Sends a request about the ring that is shown. Its outcome arrives with the next status. */
  async function send(name, options = {}) {
    if (ring.asking) return null;
    ring.asking = name;
    refusal = null;
    render();
    try {
      return await service.ask(name, options);
    } catch (error) {
      if (["anotherRings", "nothingRings", "nothingAsked"].includes(error.name)) service.read();
      else if (error.name === "lockedOut") ring.draft = { digits: "", sum: ring.draft.sum, said: texts.wrongOften };
      // What is asked is shown anyway.
      else if (!["challengesOpen", "challengeOpen", "validating"].includes(error.name)) {
        refusal = words.refusal(error);
        app.say(refusal, true);
      }
      return null;
    } finally {
      ring.asking = null;
      render();
    }
  }

  /** The condition that the ring is the one that is shown. */
  const meant = ({ alarm, at, test }) => (test || !at ? {} : { ifRing: { alarm, at } });

  // Sums

  function press(key) {
    if (key === "erase") ring.draft.digits = ring.draft.digits.slice(0, -1);
    else if (ring.draft.digits.length < 9) ring.draft.digits += key;
    ring.draft.said = null;
    render();
  }

  async function answer(asked) {
    if (!ring.draft.digits || asked.lockedOutSeconds) return;
    const sent = ring.draft.digits;
    const outcome = await send("answer", { body: { number: Number(ring.draft.digits), to: asked.sumNumber } });
    if (!outcome) return;
    const said = outcome.late ? texts.lateSum : outcome.correct ? null : outcome.asked?.lockedOutSeconds ? texts.wrongOften : texts.wrong;
    const { digits, sum } = ring.draft;
    ring.draft = { digits: digits.startsWith(sent) ? digits.slice(sent.length) : digits, sum, said };
    if (said) app.say(said, true);
    render();
  }

  function typed(event) {
    const asked = askedNow();
    if (asked?.kind !== "math" || ring.exit.open || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^\d$/.test(event.key)) press(event.key);
    else if (event.key === "Backspace") press("erase");
    else if (event.key === "Enter" && !event.target.closest?.("button, a")) answer(asked);
    else return;
    event.preventDefault();
  }

  // The emergency exit

  function hold(session) {
    if (ring.exit.held) return;
    ring.exit.held = true;
    const tell = async () => {
      try {
        await service.ask("emergency", { body: meant(session) });
      } catch (error) {
        release();
        ring.exit.none = error.name === "noEmergencyExit";
        if (["nothingRings", "anotherRings"].includes(error.name)) ring.exit.open = false;
        else refusal = words.refusal(error);
        if (ring.exit.none) ring.exit.open = false;
        render();
      }
    };
    ring.exit.timer = setInterval(tell, holdEvery);
    tell();
    render();
  }

  function release() {
    if (!ring.exit.held) return;
    ring.exit.held = false;
    clearInterval(ring.exit.timer);
    service.ask("emergency", { body: { hold: false } }).catch(() => {});
    // The button may lose the focus because it is just being removed.
    queueMicrotask(render);
  }

  const hidden = () => document.hidden && release();
  // The focus may have left the button while the key was down.
  const keyUp = ({ key }) => [" ", "Enter"].includes(key) && release();
  addEventListener("keyup", keyUp);
  addEventListener("keydown", typed);
  addEventListener("pointerup", release);
  addEventListener("pointercancel", release);
  addEventListener("blur", release);
  document.addEventListener("visibilitychange", hidden);

  // What is shown

  const sessionNow = () => store.state.status?.sessions.find(({ state }) => state !== "waiting") ?? store.state.status?.sessions[0];
  const unlockingNow = (session) => (!session || (pauses(session) && !session.asked) ? store.state.status?.unlocking : null);
  const askedNow = () => (unlockingNow(sessionNow()) ?? sessionNow())?.asked;

  function update(state) {
    const { status } = state;
    if (!status) return;
    const session = sessionNow();
    const unlocking = unlockingNow(session);
    const lost = state.connection === "lost";
    if (session || unlocking) {
      const before = last;
      last = unlocking ? { ...unlocking, unlocking: true } : session;
      ring.over = null;
      const begins = session && !unlocking && before?.at !== session.at && !pauses(session);
      if (begins && !session.test) app.say(texts.begins(session.label || words.unnamed), true);
    } else if (!ring.over && last && !lost) finish(last);
    else if (!last) return app.go("", { replaces: true });
    const asked = unlocking ? unlocking.asked : session?.asked;
    if (asked?.sumNumber !== ring.draft.sum) ring.draft = { digits: "", sum: asked?.sumNumber, said: ring.draft.said };
    if (!session || session.state === "checking") ring.exit.open = false;
    const view = ring.exit.open && session ? show.exit(state, session)
      : ring.over || !last ? show.over(state) : unlocking ? show.unlocking(state, unlocking) : session ? show.session(state, session) : show.over(state);
    const now = { view: view.name, ring: session && `${session.alarm} ${session.at}`, lost };
    if (shown.ring && ((now.ring && now.ring !== shown.ring) || (now.view === "pause" && shown.view !== "pause" && shown.view !== "exit"))) {
      calmUntil = performance.now() + calm;
      setTimeout(render, calm);
    }
    const rests = performance.now() < calmUntil;
    const hadFocus = element.contains(document.activeElement);
    element.dataset.view = view.name;
    fillWith(top, view.top ?? []);
    fillWith(head, [lost && show.lost(state), ...view.head ?? []]);
    fillWith(body, [...view.body.filter((one) => one?.key !== "up" || !rests), refusal && h("p", { key: "refusal", class: "problem" }, refusal)]);
    fillWith(foot, rests ? [] : view.foot ?? []);
    fillWith(way, view.exit && !ring.exit.none ? [h("button", { type: "button", class: "text", onclick: openExit }, icon("exit"), texts.emergency)] : []);
    // What had the focus may be gone.
    if (!element.contains(document.activeElement) && (hadFocus || now.view !== shown.view)) element.querySelector("h1")?.focus({ preventScroll: true });
    if (lost && !shown.lost) app.say(texts.lost, true);
    shown = now;
    tell(state, session, asked);
  }

  /** Tells a screen reader how far it is. */
  function tell(state, session, asked) {
    const text = ring.exit.held ? [45, 30, 15, 5].includes(session?.emergencySeconds) && texts.secondsLeft(session.emergencySeconds)
      : asked?.kind === "math" ? texts.sumsLeft(asked.left)
      : asked?.kind === "steps" ? asked.left % 5 === 0 && `${asked.left} ${texts.stepsToGo}`
      : session && pauses(session) && !asked && `${texts.again} ${words.time(session.untilLocal, state)}`;
    if (!text || text === said) return;
    said = text;
    app.say(text);
  }

  function openExit() {
    ring.exit.open = true;
    refusal = null;
    render();
  }

  // When it is over

  const isUnlocked = ({ alarm }) => store.state.status.unlocked.some((one) => one.alarm === alarm);

  async function finish(session) {
    ring.over = { since: performance.now(), session, ended: session.unlocking ? (isUnlocked(session) ? "unlocked" : "notUnlocked") : null, next: null };
    const mine = ring.over;
    setTimeout(() => ring.over === mine && element.isConnected && app.go("", { replaces: true }), closesAfter);
    setTimeout(render, calm);
    if (session.test) return app.go("", { replaces: true });
    if (session.unlocking) return undefined;
    try {
      const { history } = await service.ask("history", { days: 1 });
      const past = history.findLast(({ alarm, at }) => alarm === session.alarm && at === session.at);
      Object.assign(mine, past ?? { ended: "other" });
    } catch {
      mine.ended = "other";
    }
    app.say(texts.over[mine.ended] ?? texts.over.other);
    return render();
  }

  return {
    element, title: texts.title, update,
    leave() {
      release();
      removeEventListener("keydown", typed);
      removeEventListener("keyup", keyUp);
      removeEventListener("pointerup", release);
      removeEventListener("pointercancel", release);
      removeEventListener("blur", release);
      document.removeEventListener("visibilitychange", hidden);
    },
  };
}
