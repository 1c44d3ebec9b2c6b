// The ringing screen: what the sleeper has to do, snooze, and the emergency way out. It shows what the service reports
// and changes nothing by itself: leaving it leaves the ring as it is.

import { keypad } from "../controls.js";
import { fillWith, h, own, svg } from "../dom.js";
import { icon, layerSign, mark, numerals, ramp, weightOf, weights } from "../drawings.js";
import words from "../words.js";
import more from "../words-ringing.js";

const texts = more.ringing;
/** The emergency way out is held by a request at least every few seconds. */
const holdEvery = 2000;
/** No other control is shown for this long where the last one was, because a finger may be on its way. */
const calm = 1000;
const closesAfter = 20_000;

/** It is silent, and rings again at its time. */
const pauses = ({ state }) => state === "snoozed" || state === "resting";
const nameOf = ({ label }) => own(label || words.unnamed);

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
  /** What came of it: { ended, … }, and since when. */
  let over = null;
  /** The digits of the answer, and the number of the sum they are for. */
  let draft = { digits: "", sum: null, said: null };
  let asking = null, refusal = null;
  let exit = { open: false, held: false, timer: 0, none: false };
  let hinted = { hint: null, since: 0 };
  /** What was shown and said last, and until when its controls rest. */
  let shown = {}, said = null, calmUntil = 0;

  const render = () => update(store.state);

  /** Sends a request about the ring that is shown. Its outcome arrives with the next status. */
  async function send(name, options = {}) {
    if (asking) return null;
    asking = name;
    refusal = null;
    render();
    try {
      return await service.ask(name, options);
    } catch (error) {
      if (["anotherRings", "nothingRings", "nothingAsked"].includes(error.name)) service.read();
      else if (error.name === "lockedOut") draft = { digits: "", sum: draft.sum, said: texts.wrongOften };
      // What is asked is shown anyway.
      else if (!["challengesOpen", "challengeOpen", "validating"].includes(error.name)) {
        refusal = words.refusal(error);
        app.say(refusal, true);
      }
      return null;
    } finally {
      asking = null;
      render();
    }
  }

  const meant = ({ alarm, at, test }) => (test || !at ? {} : { ifRing: { alarm, at } });

  // Sums

  function press(key) {
    if (key === "erase") draft.digits = draft.digits.slice(0, -1);
    else if (draft.digits.length < 9) draft.digits += key;
    draft.said = null;
    render();
  }

  async function answer(asked) {
    if (!draft.digits || asked.lockedOutSeconds) return;
    const outcome = await send("answer", { body: { number: Number(draft.digits), to: asked.sumNumber } });
    if (!outcome) return;
    const said = outcome.late ? texts.lateSum : outcome.correct ? null : outcome.asked?.lockedOutSeconds ? texts.wrongOften : texts.wrong;
    draft = { digits: "", sum: draft.sum, said };
    if (said) app.say(said, true);
    render();
  }

  function typed(event) {
    const asked = askedNow();
    if (asked?.kind !== "math" || exit.open || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^\d$/.test(event.key)) press(event.key);
    else if (event.key === "Backspace") press("erase");
    else if (event.key === "Enter" && !event.target.closest?.("button, a")) answer(asked);
    else return;
    event.preventDefault();
  }

  // The emergency way out

  function hold(session) {
    if (exit.held) return;
    exit.held = true;
    const tell = async () => {
      try {
        await service.ask("emergency", { body: meant(session) });
      } catch (error) {
        release();
        exit.none = error.name === "noEmergencyExit";
        if (["nothingRings", "anotherRings"].includes(error.name)) exit.open = false;
        else refusal = words.refusal(error);
        if (exit.none) exit.open = false;
        render();
      }
    };
    exit.timer = setInterval(tell, holdEvery);
    tell();
    render();
  }

  function release() {
    if (!exit.held) return;
    exit.held = false;
    clearInterval(exit.timer);
    service.ask("emergency", { body: { hold: false } }).catch(() => {});
    render();
  }

  const hidden = () => document.hidden && release();
  addEventListener("keydown", typed);
  addEventListener("pointerup", release);
  addEventListener("pointercancel", release);
  addEventListener("blur", release);
  document.addEventListener("visibilitychange", hidden);

  // What is shown

  const sessionNow = () => store.state.status?.sessions.find(({ state }) => state !== "waiting") ?? store.state.status?.sessions[0];
  const askedNow = () => (store.state.status?.unlocking ?? sessionNow())?.asked;

  function update(state) {
    const { status } = state;
    if (!status) return;
    const session = sessionNow();
    const unlocking = session ? null : status.unlocking;
    const lost = state.connection === "lost";
    if (session || unlocking) {
      const before = last;
      last = session ?? { ...unlocking, unlocking: true };
      over = null;
      const begins = session && before?.at !== session.at && !pauses(session);
      if (begins && !session.test) app.say(texts.begins(session.label || words.unnamed), true);
    } else if (!over && last && !lost) finish(last);
    else if (!last) return app.go("", { replaces: true });
    const asked = unlocking ? unlocking.asked : session?.asked;
    if (asked?.sumNumber !== draft.sum) draft = { digits: "", sum: asked?.sumNumber, said: draft.said };
    if (!session || session.state === "checking") exit.open = false;
    const view = exit.open && session ? exitView(state, session)
      : over ? overView(state) : unlocking ? unlockView(state, unlocking) : session ? sessionView(state, session) : overView(state);
    const now = { view: view.name, ring: session && `${session.alarm} ${session.at}`, lost };
    if (shown.ring && ((now.ring && now.ring !== shown.ring) || (now.view === "pause" && shown.view !== "pause" && shown.view !== "exit"))) {
      calmUntil = performance.now() + calm;
      setTimeout(render, calm);
    }
    const rests = performance.now() < calmUntil;
    const hadFocus = element.contains(document.activeElement);
    element.dataset.view = view.name;
    fillWith(top, view.top ?? []);
    fillWith(head, [lost && lostNotice(state), ...view.head ?? []]);
    fillWith(body, [...view.body.filter((one) => one?.key !== "up" || !rests), refusal && h("p", { key: "refusal", class: "problem" }, refusal)]);
    fillWith(foot, rests ? [] : view.foot ?? []);
    fillWith(way, view.exit && !exit.none ? [h("button", { type: "button", class: "text", onclick: openExit }, icon("exit"), texts.emergency)] : []);
    // What had the focus may be gone.
    if (!element.contains(document.activeElement) && (hadFocus || now.view !== shown.view)) element.querySelector("h1")?.focus({ preventScroll: true });
    if (lost && !shown.lost) app.say(texts.lost, true);
    shown = now;
    tell(state, session, asked);
  }

  /** Tells a screen reader how far it is. */
  function tell(state, session, asked) {
    const text = exit.held ? [45, 30, 15, 5].includes(session?.emergencySeconds) && texts.secondsLeft(session.emergencySeconds)
      : asked?.kind === "math" ? texts.sumsLeft(asked.left)
      : asked?.kind === "steps" ? asked.left % 5 === 0 && `${asked.left} ${texts.stepsToGo}`
      : session && pauses(session) && !asked && `${texts.again} ${words.time(session.untilLocal, state)}`;
    if (!text || text === said) return;
    said = text;
    app.say(text);
  }

  function openExit() {
    exit.open = true;
    refusal = null;
    render();
  }

  function lostNotice({ lostAt, status }) {
    const [first] = status.sessions;
    const time = words.time(lostAt, store.state);
    return h("div", { key: "lost", class: "notice broken" }, icon("wifi"), h("span", { class: "grow" },
      h("strong", null, texts.lost), first && !pauses(first) ? texts.lostRings(nameOf(first), time) : texts.lostMore(time)),
    h("button", { type: "button", class: "text", onclick: service.connect }, texts.tryNow));
  }

  /** The line at the top: what rings since when, or the time while more room is needed. */
  function topLine(state, session, { small = false, more: second } = {}) {
    const late = session.lateSeconds > 59 ? `, ${texts.late(words.span(session.lateSeconds))}` : "";
    return [
      h("a", { href: "#/", class: "ring-mark", "aria-label": words.back }, second ? icon("back", { class: "icon turns" }) : mark(pauses(session) ? "asleep" : "crowing")),
      small ? clock(state, true)
        : h("p", { class: "grow" }, h("strong", null, session.test ? texts.test : nameOf(session)),
          h("span", { class: "quiet small" }, second ?? (session.local ? texts.since(words.time(session.local, state)) + late : ""))),
    ];
  }

  function waits({ status }) {
    const waiting = status.sessions.filter((one) => one.state === "waiting").length;
    return waiting > 0 && h("p", { key: "waiting", class: "quiet small" }, texts.waiting(waiting));
  }

  function clock(state, small = false) {
    const [hour, minute] = words.timeParts(service.local(), state);
    const weight = state.connection === "lost" ? weights.unknown : state.level === null ? weights.rest : weightOf(state.level);
    return h("time", { key: "clock", class: small ? "grow" : "ring-clock" },
      numerals(`${hour}:${minute}`, { weight: small ? weights.small : weight, room: 10, label: words.time(service.local(), state) }));
  }

  function pills({ challenges = [], asked }) {
    if (challenges.length < 2 && !asked) return false;
    const at = challenges.findIndex(({ done }) => !done);
    return h("ol", { key: "pills", class: "pills" }, challenges.map(({ kind, done }, index) =>
      h("li", { class: index === at && asked ? "now" : null, "aria-current": index === at && asked ? "step" : null },
        icon(done ? "done" : kind, { class: "icon small" }), words.kinds[kind] ?? kind ?? "?")));
  }

  const level = (state) => Math.max(0, Math.min(12, Math.round(((state.level ?? -40) + 42) / 3.5)));

  function snoozePane(state, session) {
    const reason = session.snoozeRefused === "noSnoozeLeft" ? (session.snoozesMax ? texts.noneLeft : texts.noneAllowed)
      : session.snoozeRefused ? texts.closedWhile[session.asked?.kind] ?? texts.closedWhile.other : null;
    return h("button", {
      key: "snooze", type: "button", class: "snooze-pane", "aria-disabled": reason ? "true" : null,
      onclick: () => !reason && send("snooze", { body: meant(session) }),
    }, h("strong", null, texts.snooze),
    h("span", null, reason ?? (asking === "snooze" ? texts.asking
      : state.connection === "lost" ? texts.lostSnooze
      : [session.snoozeSeconds && words.length(session.snoozeSeconds), h("br"), texts.left(leftOf(session), session.snoozesMax)])),
    ramp(12, reason ? 0 : level(state), { height: 60 }));
  }

  function sessionView(state, session) {
    const { asked } = session;
    if (session.check && session.state === "checking") return checkView(state, session);
    if (pauses(session) && !asked) return pauseView(state, session);
    if (session.test) {
      return { name: "test", top: topLine(state, session), head: [clock(state)], body: [todo(texts.testMore), ramp(12, level(state), { height: 60 })],
        foot: [button("stop", texts.endTest, () => send("stop"))] };
    }
    if (asked) return { ...taskView(state, session, asked), name: asked.kind ?? "nothing" };
    return {
      name: "ringing", exit: true, top: topLine(state, session), head: [waits(state), clock(state)],
      body: [todo(session.snoozesMax === 0 ? texts.getUpOnly : texts.getUp), pills(session),
        button("up", texts.upKinds[session.challenges.find(({ done }) => !done)?.kind] ?? texts.up, () => send("stop", { body: meant(session) }), true), noteOf(session)],
      foot: [snoozePane(state, session)],
    };
  }

  const noteOf = ({ note }) => note && h("p", { key: "note", class: "quiet" }, own(note));
  const todo = (text, props) => h("h1", { key: "todo", class: "todo", tabindex: "-1", ...props }, text);
  const button = (key, text, onclick, second = false) =>
    h("button", { key, type: "button", class: `button${second ? " second" : ""}`, "aria-disabled": asking ? "true" : null, onclick }, asking && key === asking ? texts.asking : text);

  /** What is asked, by its kind. `session` is that of the ring, or the unlocking of an alarm. */
  function taskView(state, session, asked) {
    const isRing = Boolean(session.at), rings = isRing && !pauses(session);
    const line = isRing ? topLine(state, session, { small: ["math", "steps", "pattern"].includes(asked.kind) }) : [];
    return { exit: isRing, top: line, ...stepOf(state, session, asked, isRing, rings) };
  }

  function stepOf(state, session, asked, isRing, rings) {
    const waiting = isRing && waits(state);
    const open = session.challenges?.find(({ done }) => !done)?.kind;
    const instead = open && asked.kind && open !== asked.kind && open !== "roulette" && h("p", { key: "instead", class: "quiet" }, texts.inPlace(texts.kinds[open] ?? open));
    const snooze = rings ? [snoozePane(state, session)]
      : isRing ? [h("p", { key: "again", class: "quiet" }, `${texts.again} ${words.time(session.untilLocal, state)}`)] : [];
    switch (asked.kind) {
      case "qr": {
        const labels = asked.labels?.length ? texts.showCode(words.or(asked.labels.map(own))) : texts.showAnyCode;
        return { head: [waiting, rings && clock(state), pills(session)], body: [todo(labels), instead, hint(state)], foot: snooze };
      }
      case "tag": {
        const labels = asked.labels?.length ? texts.showTag(words.or(asked.labels.map(own))) : texts.showAnyTag;
        return { head: [waiting, rings && clock(state), pills(session)], body: [todo(labels), instead, asked.wrong && h("p", { key: "wrong", class: "pill-notice", role: "status" }, icon("cross"), texts.wrongTag)], foot: snooze };
      }
      case "math": return sumView(state, session, asked, waiting, instead);
      case "steps": {
        const done = asked.total - asked.left;
        return {
          head: [waiting, pills(session)],
          body: [todo([numerals(String(asked.left), { weight: 14, label: String(asked.left) }), h("span", null, texts.stepsToGo)], { class: "todo steps" }), instead,
            asked.total && ramp(Math.min(asked.total, 24), Math.round((done / asked.total) * Math.min(asked.total, 24)), { height: 16 }),
            h("p", { key: "walk" }, texts.walk(done, asked.total))],
          foot: snooze,
        };
      }
      case "pattern":
        return {
          head: [waiting, pills(session)],
          body: [todo(texts.press), instead, shapes(asked.buttons ?? [], asked.pressed ?? 0), bigShapes((asked.buttons ?? [])[asked.pressed ?? 0]),
            asked.wrong && h("p", { key: "wrong", class: "problem", role: "status" }, texts.wrongPress), h("p", { key: "walk", class: "quiet" }, texts.pressMore)],
          foot: rings ? [chip(session)] : [],
        };
      default:
        return { head: [waiting, rings && clock(state), pills(session)], body: [todo(asked.kind ? texts.unknownTask : texts.nothing), !asked.kind && h("p", { key: "walk", class: "quiet" }, texts.nothingMore)], foot: snooze };
    }
  }

  /** The hint of the camera that holds, once it has held for a moment. */
  function hint(state) {
    const { camera } = state.status;
    const now = !camera ? null : camera.problem ? "problem" : camera.removeAndShowAgain ? "standing" : camera.hint ?? null;
    if (now !== hinted.hint) hinted = { hint: now, since: performance.now() };
    else if (now && performance.now() - hinted.since > 700) app.say(texts.hints[now] ?? "");
    return now && texts.hints[now] && h("p", { key: "hint", class: "pill-notice" }, icon(texts.hintIcons[now] ?? "aim"), texts.hints[now]);
  }

  /** The snoozes that are left; null if there is no limit. */
  const leftOf = ({ snoozesMax, snoozes }) => (snoozesMax === null || snoozesMax === undefined ? null : snoozesMax - snoozes);

  function chip(session) {
    return h("button", {
      key: "chip", type: "button", class: "chip", "aria-disabled": session.snoozeRefused ? "true" : null,
      onclick: () => !session.snoozeRefused && send("snooze", { body: meant(session) }),
    }, session.snoozeRefused ? texts.snoozeClosed : asking === "snooze" ? texts.asking : texts.shortSnooze(leftOf(session)));
  }

  function sumView(state, session, asked, waiting, instead) {
    const locked = asked.lockedOutSeconds;
    const share = asked.limitSeconds ? Math.max(0, Math.min(1, asked.secondsLeft / asked.limitSeconds)) : 1;
    const ok = h("button", { type: "button", class: "key ok", "aria-disabled": locked || asking ? "true" : null, onclick: () => answer(asked) }, texts.ok);
    return {
      head: [waiting, session.at && ramp(34, level(state) * 3, { height: 10 })],
      body: [
        h("div", { key: "sums", class: "row" }, h("h1", { class: "grow", tabindex: "-1" }, texts.sumsLeft(asked.left)), session.at && !pauses(session) && chip(session)),
        instead,
        h("p", { key: "sum", class: "sum" }, numerals(asked.sum.replaceAll("-", "−").replaceAll("*", "×"), { weight: weights.rest, label: asked.sum })),
        h("p", { key: "answer", class: `answer${draft.said && !draft.digits ? " wrong" : ""}` }, numerals("=", { weight: weights.rest }),
          locked ? h("span", { class: "wrong lead" }, texts.wait(locked))
            : draft.digits ? numerals(draft.digits, { weight: weights.rest, label: `${texts.answer}: ${draft.digits}`, class: "numerals typed" }) : h("span", { class: "caret" })),
        h("p", { key: "limit", class: "limit", style: { "--share": `${share * 100}%` } }),
        h("p", { key: "said", class: "small" }, draft.said ? [icon("warning", { class: "icon small wrong" }), draft.said]
          : asked.secondsLeft !== null && h("span", { class: "quiet" }, texts.anotherSum(asked.secondsLeft))),
      ],
      foot: [h("div", { key: "pad", class: locked ? "pad shut" : "pad" }, keypad((key) => !locked && press(key), ok))],
    };
  }

  function pauseView(state, session) {
    const resting = session.state === "resting";
    const kind = session.challenges.find(({ done }) => !done)?.kind;
    const [hour, minute] = words.timeParts(session.untilLocal, state);
    return {
      name: "pause",
      exit: true,
      top: topLine(state, session, { more: resting ? `${texts.resting}. ${texts.round(session.round, session.rounds)}` : texts.snoozed(leftOf(session), session.snoozesMax) }),
      body: [
        h("div", { key: "scene", class: "scene" }, mark("asleep")),
        h("h1", { key: "todo", class: "lead", tabindex: "-1" }, texts.again),
        h("time", { key: "until", class: "ring-clock base" }, numerals(`${hour}:${minute}`, { weight: weights.snoozed, label: words.time(session.untilLocal, state) })),
        h("p", { key: "in", class: "strong" }, words.until(session.secondsLeft ?? service.secondsUntil(session.until))),
        !resting && h("p", { key: "on", class: "quiet" }, texts.goesOn),
      ],
      foot: [button("stop", texts.upKinds[kind] ?? texts.up, () => send("stop", { body: meant(session) }))],
    };
  }

  function checkView(state, session) {
    const { check } = session;
    const asks = check.secondsToAsk <= 0;
    return {
      name: "check",
      top: topLine(state, session, { more: session.local && texts.since(words.time(session.local, state)) }),
      body: [h("div", { key: "scene", class: "scene" }, mark(asks ? "crowing" : "awake")),
        todo(asks ? texts.check : texts.checkSoon(words.time(check.asksLocal, state))),
        h("p", { key: "more", class: "quiet" }, asks ? texts.checkUntil(words.time(session.untilLocal, state)) : texts.checkMore)],
      foot: asks ? [button("awake", texts.awake, () => send("awake", { body: meant(session) }))] : [],
    };
  }

  function unlockView(state, unlocking) {
    const view = taskView(state, { ...unlocking, challenges: unlocking.challenges ?? [] }, unlocking.asked);
    const line = [h("a", { href: "#/", class: "plain", "aria-label": words.back }, icon("back", { class: "icon turns" })),
      h("p", { class: "grow" }, h("strong", null, texts.unlock(nameOf(unlocking))), h("span", { class: "quiet small" }, texts.unlockMore))];
    return { ...view, name: unlocking.asked?.kind ?? "nothing", top: line };
  }

  function exitView(state, session) {
    const left = session.emergencySeconds ?? 60;
    return {
      name: "exit",
      top: [h("button", { type: "button", class: "plain", "aria-label": words.back, onclick: () => { release(); exit.open = false; render(); } }, icon("back", { class: "icon turns" })), clock(state, true)],
      body: [
        todo(exit.held ? texts.holding : texts.exitTitle), h("p", { key: "more", class: "quiet" }, exit.held ? texts.holdingMore : texts.exitMore),
        h("div", { key: "ring", class: "exit-ring" }, seconds(60 - left), numerals(String(left), { weight: 14, label: texts.secondsLeft(left) })),
        h("p", { key: "history" }, texts.exitHistory),
      ],
      foot: [h("button", {
        key: "hold", type: "button", class: "button exit", "aria-pressed": String(exit.held),
        onpointerdown: () => hold(session), oncontextmenu: (event) => event.preventDefault(),
        onkeydown: (event) => { if ([" ", "Enter"].includes(event.key) && !event.repeat) hold(session); }, onkeyup: release,
      }, icon("hand"), texts.hold)],
    };
  }

  // When it is over

  async function finish(session) {
    over = { since: performance.now(), session, ended: session.unlocking ? "unlocked" : null, next: null };
    const mine = over;
    setTimeout(() => over === mine && element.isConnected && app.go("", { replaces: true }), closesAfter);
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

  function overView(state) {
    if (!over?.ended) return { name: "over", head: [], body: [] };
    const { session, ended } = over;
    const [next] = state.status.next;
    const isGood = ["dismissed", "done", "unlocked"].includes(ended);
    const after = over.fired && Date.parse(over.end) - Date.parse(over.fired);
    const calmNow = performance.now() - over.since < calm;
    return {
      name: "over", head: [],
      body: [
        h("div", { key: "scene", class: "scene" }, mark(isGood ? "crowing" : "awake")),
        todo(texts.over[ended] ?? texts.over.other),
        h("p", { key: "ended" }, ended === "unlocked" ? texts.unlocked(nameOf(session))
          : over.endLocal && texts.ended(nameOf(session), words.time(over.endLocal, state), after > 60_000 && texts.minutes(after / 1000), over.snoozes)),
        noteOf(session),
        next && h("p", { key: "next", class: "quiet" }, texts.next(nameOf(next), words.within(words.day(next.local, service.local())))),
        next && h("div", { key: "then", class: "row ring-next" }, h("time", { class: `at ${next.layer}` }, numerals(words.timeParts(next.local, state).slice(0, 2).join(":"), { label: words.time(next.local, state) })),
          h("p", null, next.layer !== "base" && h("span", { class: `strong ${next.layer}` }, layerSign(next.layer), next.layer === "weekly" ? words.home.ownTime(words.weekday(next.local)) : words.layers[next.layer]),
            h("span", { class: "quiet small" }, words.until(service.secondsUntil(next.at))))),
      ],
      foot: [!calmNow && h("a", { key: "home", class: "button second", href: ended === "unlocked" ? `#/alarm/${encodeURIComponent(session.alarm)}` : "#/" }, words.close),
        h("p", { key: "closes", class: "quiet small" }, texts.closes)],
    };
  }

  return {
    element, title: texts.title, update,
    leave() {
      release();
      removeEventListener("keydown", typed);
      removeEventListener("pointerup", release);
      removeEventListener("pointercancel", release);
      removeEventListener("blur", release);
      document.removeEventListener("visibilitychange", hidden);
    },
  };
}

/** The buttons of a pattern, as discs and bars: those that were pressed, the next one, and the others. */
export const shapes = (buttons, pressed) =>
  h("ol", { key: "shapes", class: "shapes" }, buttons.map((name, index) =>
    h("li", { class: `${name}${index < pressed ? " done" : index === pressed ? " now" : ""}`, "aria-current": index === pressed ? "step" : null },
      h("span", { class: "shape" }, index < pressed && icon("tick")), texts.button[name] ?? name)));

/** The buttons of the device, large: the next one to press is lit. */
const bigShapes = (next) =>
  h("div", { key: "big", class: "big-shapes", "aria-hidden": "true" }, ["snooze", "stop"].map((name) =>
    h("p", { class: `${name}${name === next ? " now" : ""}` }, h("span", { class: "shape" }), texts.button[name])));

/** A minute as a ring of bars, one for each second. */
const seconds = (done) =>
  svg("svg", { viewBox: "0 0 120 120", "aria-hidden": "true" }, Array.from({ length: 60 }, (_, index) =>
    svg("path", { class: index < done ? "lit" : null, d: `M60 ${14 - (index * 10) / 59}V18`, transform: `rotate(${index * 6} 60 60)` })));
