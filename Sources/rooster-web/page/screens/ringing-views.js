// The views of the ringing screen: each is made of what the service reports, and returns the parts of the screen by
// their places. `exit` says that it leads to the emergency exit.

import { keypad } from "../controls.js";
import { h, own, svg } from "../dom.js";
import { icon, layerSign, mark, numerals, ramp, weightOf, weights } from "../drawings.js";
import words from "../words.js";
import more from "../words-ringing.js";

const texts = more.ringing;
/** No other control is shown for this long where the last one was, because a finger may be on its way. */
export const calm = 1000;

/** Whether it is silent, and rings again at its time. */
export const pauses = ({ state }) => state === "snoozed" || state === "resting";
const nameOf = ({ label }) => own(label || words.unnamed);

/** Returns the views by their names. `ring` has what was typed, held and asked for, and the requests. */
export default function views(app, ring) {
  const { service, store } = app;
  let hinted = { hint: null, since: 0 };

  function lostNotice({ lostAt, status, trouble }) {
    const [first] = status.sessions;
    const time = words.time(lostAt, store.state);
    return h("div", { key: "lost", class: "notice broken" }, icon("wifi"), h("span", { class: "grow" },
      h("strong", null, texts.lost), trouble ? texts.lostStopped : first && !pauses(first) ? texts.lostRings(nameOf(first), time) : texts.lostMore(time)),
    h("button", { type: "button", class: "text", onclick: service.connect }, texts.tryNow));
  }

  /** The line at the top: what rings since when, or the time while more room is needed. */
  function topLine(state, session, { small = false, more: second } = {}) {
    const late = session.lateSeconds > 59 ? `, ${texts.late(words.span(session.lateSeconds))}` : "";
    return [
      h("a", { href: "#/", class: "ring-mark", "aria-label": words.back },
        second ? icon("back", { class: "icon turns" }) : mark(pauses(session) ? "asleep" : "crowing")),
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
      onclick: () => !reason && ring.snooze(session),
    }, h("strong", null, texts.snooze),
    h("span", null, reason ?? (ring.asking === "snooze" ? texts.asking
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
        foot: [button("stop", texts.endTest, () => ring.send("stop"))] };
    }
    if (asked) return { ...taskView(state, session, asked), name: asked.kind ?? "nothing" };
    return {
      name: "ringing", exit: true, top: topLine(state, session), head: [waits(state), clock(state)],
      body: [todo(session.snoozesMax === 0 ? texts.getUpOnly : texts.getUp), pills(session),
        button("up", texts.upKinds[session.challenges.find(({ done }) => !done)?.kind] ?? texts.up, () => ring.stop(session), true), noteOf(session)],
      foot: [snoozePane(state, session)],
    };
  }

  const noteOf = ({ note }) => note && h("p", { key: "note", class: "quiet" }, own(note));
  const todo = (text, props) => h("h1", { key: "todo", class: "todo", tabindex: "-1", ...props }, text);
  const button = (key, text, onclick, second = false) =>
    h("button", { key, type: "button", class: `button${second ? " second" : ""}`,
      "aria-disabled": ring.asking ? "true" : null, onclick },
      ring.asking && key === ring.asking ? texts.asking : text);

  /** What is asked, by its kind. `session` is that of the ring, or the unlocking of an alarm. */
  function taskView(state, session, asked) {
    const isRing = Boolean(session.at), rings = isRing && !pauses(session);
    const line = isRing ? topLine(state, session, { small: ["math", "steps", "pattern"].includes(asked.kind) }) : [];
    return { exit: isRing, top: line, ...stepOf(state, session, asked, isRing, rings) };
  }

  function stepOf(state, session, asked, isRing, rings) {
    const waiting = isRing && waits(state);
    const open = session.challenges?.find(({ done }) => !done)?.kind;
    const instead = open
      && asked.kind
      && open !== asked.kind
      && open !== "roulette"
      && h("p", { key: "instead", class: "quiet" }, texts.inPlace(texts.kinds[open] ?? open));
    const snooze = rings ? [snoozePane(state, session)]
      : isRing ? [h("p", { key: "again", class: "quiet" }, `${texts.again} ${words.time(session.untilLocal, state)}`)] : [];
    switch (asked.kind) {
      case "qr": {
        const labels = asked.labels?.length ? texts.showCode(words.or(asked.labels.map(own))) : texts.showAnyCode;
        return { head: [waiting, rings && clock(state), pills(session)], body: [todo(labels), instead, hint(state)], foot: snooze };
      }
      case "tag": {
        const labels = asked.labels?.length ? texts.showTag(words.or(asked.labels.map(own))) : texts.showAnyTag;
        return { head: [waiting, rings && clock(state), pills(session)],
          body: [todo(labels), instead,
            asked.wrong && h("p", { key: "wrong", class: "pill-notice", role: "status" }, icon("cross"),
              texts.wrongTag)], foot: snooze };
      }
      case "math": return sumView(state, session, asked, waiting, instead);
      case "steps": {
        const done = asked.total - asked.left;
        return {
          head: [waiting, pills(session)],
          body:
            [todo([numerals(String(asked.left), { weight: 14, label: String(asked.left) }),
              h("span", null, texts.stepsToGo)], { class: "todo steps" }), instead,
              asked.total && ramp(Math.min(asked.total, 24), Math.round((done / asked.total) * Math.min(asked.total, 24)), { height: 16 }),
              h("p", { key: "walk" }, texts.walk(done, asked.total))],
          foot: snooze,
        };
      }
      case "pattern":
        return {
          head: [waiting, pills(session)],
          body: [todo(texts.press), instead, shapes(asked.buttons ?? [], asked.pressed ?? 0), bigShapes((asked.buttons ?? [])[asked.pressed ?? 0]),
            asked.wrong && h("p", { key: "wrong", class: "problem", role: "status" }, texts.wrongPress),
            h("p", { key: "walk", class: "quiet" }, texts.pressMore)],
          foot: rings ? [chip(session)] : [],
        };
      default:
        return { head: [waiting, rings && clock(state), pills(session)],
          body: [todo(asked.kind ? texts.unknownTask : texts.nothing),
            !asked.kind && h("p", { key: "walk", class: "quiet" }, texts.nothingMore)], foot: snooze };
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
      onclick: () => !session.snoozeRefused && ring.snooze(session),
    }, session.snoozeRefused ? texts.snoozeClosed : ring.asking === "snooze" ? texts.asking : texts.shortSnooze(leftOf(session)));
  }

  function sumView(state, session, asked, waiting, instead) {
    const locked = asked.lockedOutSeconds;
    const share = asked.limitSeconds ? Math.max(0, Math.min(1, asked.secondsLeft / asked.limitSeconds)) : 1;
    const ok = h("button", { type: "button", class: "key ok", "aria-disabled": locked || ring.asking ? "true" : null,
      onclick: () => ring.answer(asked) }, texts.ok);
    return {
      head: [waiting, session.at && ramp(34, level(state) * 3, { height: 10 })],
      body: [
        h("div", { key: "sums", class: "row" }, h("h1", { class: "grow", tabindex: "-1" }, texts.sumsLeft(asked.left)),
          session.at && !pauses(session) && chip(session)),
        instead,
        h("p", { key: "sum", class: "sum" }, numerals(asked.sum.replaceAll("-", "−").replaceAll("*", "×"), { weight: weights.rest, label: asked.sum })),
        h("p", { key: "answer", class: `answer${ring.draft.said && !ring.draft.digits ? " wrong" : ""}` }, numerals("=", { weight: weights.rest }),
          locked ? h("span", { class: "wrong lead" }, texts.wait(locked))
            : ring.draft.digits
              ? numerals(ring.draft.digits,
                { weight: weights.rest, label: `${texts.answer}: ${ring.draft.digits}`, class: "numerals typed" })
              : h("span", { class: "caret" })),
        h("p", { key: "limit", class: "limit", style: { "--share": `${share * 100}%` } }),
        h("p", { key: "said", class: "small" }, ring.draft.said ? [icon("warning", { class: "icon small wrong" }), ring.draft.said]
          : asked.secondsLeft !== null && h("span", { class: "quiet" }, texts.anotherSum(asked.secondsLeft))),
      ],
      foot: [h("div", { key: "pad", class: locked ? "pad shut" : "pad" }, keypad((key) => !locked && ring.press(key), ok))],
    };
  }

  function pauseView(state, session) {
    const resting = session.state === "resting";
    const kind = session.challenges.find(({ done }) => !done)?.kind;
    const [hour, minute] = words.timeParts(session.untilLocal, state);
    return {
      name: "pause",
      exit: true,
      top: topLine(state, session,
        { more: resting
          ? `${texts.resting}. ${texts.round(session.round, session.rounds)}`
          : texts.snoozed(leftOf(session), session.snoozesMax) }),
      body: [
        h("div", { key: "scene", class: "scene" }, mark("asleep")),
        h("h1", { key: "todo", class: "lead", tabindex: "-1" }, texts.again),
        h("time", { key: "until", class: "ring-clock base" },
          numerals(`${hour}:${minute}`, { weight: weights.snoozed, label: words.time(session.untilLocal, state) })),
        h("p", { key: "in", class: "strong" }, words.until(session.secondsLeft ?? service.secondsUntil(session.until))),
        !resting && h("p", { key: "on", class: "quiet" }, texts.goesOn),
      ],
      foot: [button("stop", texts.upKinds[kind] ?? texts.up, () => ring.stop(session))],
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
      foot: asks ? [button("awake", texts.awake, () => ring.awake(session))] : [],
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
      top:
        [h("button", { type: "button", class: "plain", "aria-label": words.back,
          onclick: () => { ring.release(); ring.exit.open = false; ring.render(); } },
          icon("back", { class: "icon turns" })), clock(state, true)],
      body: [
        todo(ring.exit.held ? texts.holding : texts.exitTitle), h("p", { key: "more", class: "quiet" }, ring.exit.held ? texts.holdingMore : texts.exitMore),
        h("div", { key: "ring", class: "exit-ring" }, seconds(60 - left), numerals(String(left), { weight: 14, label: texts.secondsLeft(left) })),
        h("p", { key: "history" }, texts.exitHistory),
      ],
      foot: [h("button", {
        key: "hold", type: "button", class: "button exit", "aria-pressed": String(ring.exit.held),
        onpointerdown: () => ring.hold(session), oncontextmenu: (event) => event.preventDefault(),
        onkeydown: (event) => { if ([" ", "Enter"].includes(event.key) && !event.repeat) ring.hold(session); }, onblur: ring.release,
      }, icon("hand"), texts.hold)],
    };
  }

  function overView(state) {
    if (!ring.over?.ended) return { name: "over", head: [], body: [] };
    const { session, ended } = ring.over;
    const [next] = state.status.next;
    const isGood = ["dismissed", "done", "unlocked"].includes(ended);
    const after = ring.over.fired && Date.parse(ring.over.end) - Date.parse(ring.over.fired);
    const calmNow = performance.now() - ring.over.since < calm;
    return {
      name: "over", head: [],
      body: [
        h("div", { key: "scene", class: "scene" }, mark(isGood ? "crowing" : "awake")),
        todo(texts.over[ended] ?? texts.over.other),
        h("p", { key: "ended" }, ended === "unlocked" ? texts.unlocked(nameOf(session))
          : ring.over.endLocal
            && texts.ended(nameOf(session), words.time(ring.over.endLocal, state),
              after > 60_000 && texts.minutes(after / 1000), ring.over.snoozes)),
        noteOf(session),
        next && h("p", { key: "next", class: "quiet" }, texts.next(nameOf(next), words.within(words.day(next.local, service.local())))),
        next
          && h("div", { key: "then", class: "row ring-next" },
            h("time", { class: `at ${next.layer}` },
              numerals(words.timeParts(next.local, state).slice(0, 2).join(":"),
                { label: words.time(next.local, state) })),
            h("p", null, next.layer !== "base" && h("span", { class: `strong ${next.layer}` }, layerSign(next.layer),
              next.layer === "weekly" ? words.home.ownTime(words.weekday(next.local)) : words.layers[next.layer]),
              h("span", { class: "quiet small" }, words.until(service.secondsUntil(next.at))))),
      ],
      foot: [!calmNow
        && h("a",
          { key: "home", class: "button second",
            href: ended === "unlocked" ? `#/alarm/${encodeURIComponent(session.alarm)}` : "#/" }, words.close),
        h("p", { key: "closes", class: "quiet small" }, texts.closes)],
    };
  }

  return { lost: lostNotice, session: sessionView, unlocking: unlockView, exit: exitView, over: overView };
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
