// Home: the next ring, what is wrong, and the alarms.

import { fillWith, h, memo, own } from "../dom.js";
import { icon, layerSign, mark, nightLine, numerals, toggle, weights } from "../drawings.js";

/** From this many alarms on, there is a field to search them. */
const searchFrom = 30;

export default function home(app, { beside = false }) {
  const { service, store: { state }, words } = app;
  const text = words.home;
  const nameOf = (one) => own(one.label || words.unnamed);
  /** Times of an alarm are in its zone. */
  const isElsewhere = (zone) => zone && zone !== state.status.zone;
  const time = (local, props) => {
    const [hour, minute, half] = words.timeParts(local, state);
    return h("time", { datetime: local.slice(0, 16) },
      numerals(`${hour}:${minute}`, { label: `${hour}:${minute} ${half}`.trim(), ...props }),
      half && h("span", { class: "half" }, half));
  };

  const head = h("header", { class: "head top" });
  const hero = h("section", { class: "hero" });
  const notices = h("section", { class: "notices", "aria-label": text.notices });
  const master = h("div", { class: "head master" });
  const search = h("input", { type: "search", placeholder: text.search, "aria-label": text.search, hidden: true, oninput: () => list() });
  const groups = h("div", { class: "groups" });
  const list_ = h("section", { class: "list" }, master, search, groups);
  const mini = h("div", { class: "mini", "aria-hidden": "true" });
  const add = h("a", { class: "button add", href: "#/new" }, icon("plus"), text.newAlarm);
  const element = h(beside ? "section" : "main",
    { class: "page home", id: beside ? "home" : "main", "aria-label": beside ? text.alarms : null }, mini, head, hero,
    notices, list_, add);
  const seen = new IntersectionObserver(([entry]) => mini.classList.toggle("shown", !entry.isIntersecting), { rootMargin: "-60px 0px 0px" });
  seen.observe(hero);

  // Changes that the service has not answered yet, and refusals, by alarm ("" for the master switch).
  const asked = new Map();
  const refused = new Map();
  let shownList = [];

  async function change(key, send, said) {
    if (asked.has(key)) return;
    asked.set(key, true);
    refused.delete(key);
    update();
    try {
      await send();
      await service.readAlarms();
      app.say(said);
    } catch (problem) {
      refused.set(key, words.refusal(problem));
      if (problem.name !== "noConnection") service.read();
    }
    asked.delete(key);
    update();
  }

  // The next ring

  function heroOf(today) {
    const [next] = state.status.next;
    if (!state.status.enabled) {
      return [h("h2", { class: "todo" }, text.allOff), h("p", { class: "quiet" }, text.allOffMore),
        h("div", { class: "night asleep" }, mark("asleep"), nightLine(null))];
    }
    const noneOn = !state.alarms.some(({ alarm }) => alarm.enabled);
    if (!next) return [h("h2", { class: "todo" }, text.noRing),
      h("p", { class: "quiet" }, noneOn ? text.noneOn(state.alarms.length) : text.noDayLeft),
      h("div", { class: "night asleep" }, mark("asleep"), nightLine(null))];
    const seconds = service.secondsUntil(next.at);
    const { challenges = [], zone } = state.alarms?.find(({ alarm }) => alarm.id === next.alarm)?.alarm ?? {};
    return [
      h("h2", { class: "lead" }, words.day(next.local, today)),
      h("p", { class: `numbers ${next.layer}` }, time(next.local)),
      h("p", { class: "head under" }, h("span", { class: "lead grow" }, words.until(seconds)), h("span", { class: "row quiet whose" },
        challenges.map(({ kind }) =>
          [icon(kind, { class: "icon small" }), h("span", { class: "unseen" }, words.kinds[kind])]),
          h("span", { class: "clip" }, nameOf(next)))),
      isElsewhere(zone) && h("p", { class: "small quiet" }, words.clockOf(zone)),
      next.earliestLocal && h("p", { class: "small quiet" }, text.earliest(words.time(next.earliestLocal, state))),
      nightLine(seconds),
    ];
  }

  function miniOf(today) {
    const [next] = state.status.next;
    if (!next) return [];
    const [hour, minute] = words.timeParts(next.local, state);
    return [mark("awake"), h("span", { class: next.layer }, numerals(`${hour}:${minute}`, { weight: weights.small })),
      `${words.within(words.dayShort(next.local, today))}, ${words.until(service.secondsUntil(next.at))}`];
  }

  // What is wrong

  function noticesOf(today) {
    const { health, recentProblems, warnings, trusted, clock } = state.status;
    const worst = health.filter(({ grade, causes, part }) => grade !== "ok"
      && !(part === "alarms" && causes.every(({ code }) => code === "noRing" || code === "allOff")));
    const bedside = app.has("bedside") ? "#/bedside" : null;
    const all = [
      ...worst.map((part) => {
        const title = text.causes[part.causes[0]?.code]?.(part.causes[0]);
        return { broken: part.grade === "broken", title: title ?? words.sentence(part.text),
          text: title && title.toLowerCase() !== part.text.toLowerCase()
            ? words.sentence(part.text)
            : text.partOf[part.grade](words.parts[part.part] ?? part.part), href: bedside };
      }),
      ...(trusted || worst.some(({ part }) => part === "clock")
        ? []
        : [{ broken: true, title: text.causes.clockUnknown(), text: words.sentence(clock), href: bedside }]),
      ...recentProblems.map((past) => ({
        title: text.past[past.ended]?.(nameOf(past), words.within(words.dayShort(past.local, today)), words.time(past.local, state)) ?? nameOf(past),
        text: text.pastMore[past.reason ?? past.ended], href: app.has("nights") ? "#/nights" : null,
      })),
      ...warnings.map((warning) => ({ title: words.sentence(warning), href: bedside })),
    ].sort((a, b) => Boolean(b.broken) - Boolean(a.broken));
    if (!all.length) {
      return [h(bedside ? "a" : "p", { class: "line ready", href: bedside }, icon("check"),
        h("span", { class: "grow" }, h("span", { class: "strong" }, text.ready), " ",
          h("span", { class: "quiet" }, health.some(({ part }) => part === "speaker") ? text.parts : text.noFault)), bedside && icon("forward", { class: "icon end turns" }))];
    }
    const shown = all.slice(0, 2).map(({ broken, title, text: more, href }) =>
      h(href ? "a" : "div", { class: `notice${broken ? " broken" : ""}`, href }, icon(broken ? "cross" : "warning"),
        h("span", { class: "grow" }, h("strong", null, title), more)));
    if (all.length > 2) shown.push(h(bedside ? "a" : "p", { class: "line", href: bedside },
      h("span", { class: "grow quiet" }, text.more(all.length - 2)),
      bedside && icon("forward", { class: "icon end turns" })));
    return shown;
  }

  // The alarms

  const row = memo((report, line, extras, isQuiet, how, asking, problem) => {
    const { alarm, next } = report;
    const name = alarm.label || words.unnamed;
    const at = next?.local ?? alarm.time ?? Object.values(alarm.dates).find((one) => one !== "off") ?? Object.values(alarm.weekly).find((one) => one !== "off");
    return h("li", { class: `row-of-alarm${isQuiet ? " is-quiet" : ""}` },
      h("a", { href: `#/alarm/${encodeURIComponent(alarm.id)}` },
        h("span", { class: `at ${next?.layer ?? "base"}` }, at && time(at, { weight: weights.small })),
        h("span", { class: "about" }, h("strong", { class: "two-lines" }, own(name)),
          line && h("span", { class: `second ${line.layer ?? ""}` }, line.layer && layerSign(line.layer), line.text),
          extras.map(([picture, extra]) => h("span", { class: "second" }, icon(picture, { class: "icon small" }), extra)))),
      toggle(how, {
        label: name, asking,
        onclick: () => (how === "locked"
          ? app.go(`alarm/${encodeURIComponent(alarm.id)}`)
          : change(alarm.id,
            () => service.ask("enable", { alarm: alarm.id, body: { on: !alarm.enabled }, ifMatch: "*" }),
            text.switched[alarm.enabled ? "off" : "on"](name))),
      }),
      problem && h("p", { class: "problem", role: "alert" }, problem));
  });

  function rowOf(report, today, isOn) {
    const { alarm, next, locked, unmet, days, openRing } = report;
    const day = today.slice(0, 10);
    const isAhead = (dates) => (dates ?? []).filter((one) => one.slice(-10) >= day);
    const [skipped] = isAhead(alarm.skip).sort();
    const [paused] = isAhead(alarm.pause).sort();
    const isPaused = alarm.enabled && paused && paused.slice(0, 10) <= day;
    const line = unmet[0] ? { text: words.sentence(unmet[0].message) }
      : locked ? { text: text.locked }
      : next?.layer === "weekly" ? { layer: "weekly", text: text.ownTime(words.weekday(next.local)) }
      : next?.layer === "date" ? { layer: "date", text: words.layers.date } : !isPaused && { text: days };
    const extras = [];
    if (skipped) extras.push(["skip", text.skipped(words.within(words.dayShort(skipped.slice(0, 10), today)))]);
    if (paused) extras.push(["pause",
      isPaused
        ? text.pausedUntil(words.date(paused.slice(-10), today).split(", ")[1])
        : text.pausedFrom(words.date(paused.slice(0, 10), today).split(", ")[1])]);
    if (isElsewhere(alarm.zone)) extras.push(["clock", words.clockOf(alarm.zone)]);
    if (next?.postponedFrom) extras.push(["clock", text.postponed]);
    if (openRing) extras.push(["warning", text.notDone(words.within(words.dayShort(openRing.local, today)))]);
    const how = !alarm.enabled ? "off" : locked ? "locked" : isPaused ? "paused" : "on";
    return row(alarm.id, report, line, extras, !isOn || !alarm.enabled || Boolean(isPaused), how, asked.has(alarm.id), refused.get(alarm.id));
  }

  const sections = new Map();
  function section(key, title, rows) {
    if (!sections.has(key)) {
      const made = { title: h("h3", { class: "group" }), list: h("ul") };
      made.element = h("section", { key }, made.title, made.list);
      sections.set(key, made);
    }
    const { title: heading, list: items, element: group } = sections.get(key);
    if (heading.textContent !== title) heading.textContent = title;
    fillWith(items, rows);
    return group;
  }

  function list() {
    const today = service.local();
    const isOn = state.status.enabled;
    const sought = search.value.trim().toLowerCase();
    const found = state.alarms.filter(({ alarm }) => !sought || `${alarm.label} ${alarm.category} ${alarm.note}`.toLowerCase().includes(sought));
    const ahead = found.filter(({ next }) => next).sort((a, b) => a.next.at.localeCompare(b.next.at));
    const days = Map.groupBy ? Map.groupBy(ahead, ({ next }) => next.local.slice(0, 10)) : grouped(ahead);
    const rest = (isOff) => found.filter(({ next, alarm }) => !next && alarm.enabled !== isOff);
    fillWith(groups, [
      ...[...days].map(([day, reports]) => section(day, words.dayShort(day, today), reports.map((report) => rowOf(report, today, isOn)))),
      ...[[text.noRingToCome, false], [text.off, true]].map(([title, isOff]) => rest(isOff).length > 0
        && section(title, title, rest(isOff).map((report) => rowOf(report, today, isOn)))),
      !found.length && h("p", { class: "quiet" }, text.noneFound),
    ]);
  }

  function grouped(reports) {
    const days = new Map();
    for (const report of reports) days.set(report.next.local.slice(0, 10), [...(days.get(report.next.local.slice(0, 10)) ?? []), report]);
    return days;
  }

  // Nothing is set

  const sample = h("div");
  async function empty() {
    const [codes, abilities] = await Promise.all([service.ask("codes"), service.ask("capabilities")]).catch(() => [{ codes: [] }, { enrol: [] }]);
    const code = codes.codes.find(({ kind }) => kind === "qr");
    const draft = code ? { ...text.example, challenges: [{ kind: "qr", codes: [code.label] }] } : text.example;
    const outcome = await service.ask("validate", { body: { changes: draft } }).catch(() => null);
    let key = service.newKey();
    let asking = false, problem = null;
    const set = async () => {
      asking = true;
      draw();
      try {
        await service.ask("add", { body: draft, key });
        await service.readAlarms();
      } catch (error) {
        problem = words.refusal(error);
        // The answer to a key is kept. If it got lost, the same key asks for it again.
        if (error.name !== "noConnection") key = service.newKey();
      }
      asking = false;
      draw();
    };
    const hear = () => change("", () => service.ask("testRing", { body: { delaySeconds: 3 } }), text.hearSoon);
    const draw = () => fillWith(sample, [
      h("h3", { class: "group" }, text.exampleTitle),
      h("div", { class: "card sample" }, h("div", null,
        h("div", { class: "row" }, h("span", { class: "at base" }, time(draft.time, { weight: 10 })),
          h("span", null, h("strong", null, draft.label), h("br"),
            h("span", { class: "quiet small" }, outcome?.days ?? ""))),
        h("p", null, text.exampleRings, " ", code ? text.exampleCode(own(code.label)) : text.exampleSums, " ", text.exampleSnooze),
        problem && h("p", { class: "problem", role: "alert" }, problem),
        h("div", { class: "pair" },
          h("button", { type: "button", class: "button", "aria-disabled": asking ? "true" : null, onclick: set }, asking ? text.asking : text.setIt),
          h("a", { class: "button second", href: `#/new?example=${code ? encodeURIComponent(code.label) : ""}` }, text.changeIt)))),
      h("h3", { class: "group" }, text.before),
      h("ul", { class: "todo-list" },
        !codes.codes.length
          && abilities.enrol.length > 0
          && app.has("codes")
          && h("li", null, h("a", { class: "line", href: "#/codes" }, icon("code"),
            h("span", { class: "grow" }, text.hangUp), icon("forward", { class: "icon end turns" }))),
        h("li", null, h("button", { type: "button", class: "line", onclick: hear }, icon("speaker"),
          h("span", { class: "grow" }, text.hear), icon("forward", { class: "icon end turns" })))),
      refused.has("") && h("p", { class: "problem", role: "alert" }, refused.get("")),
    ]);
    draw();
  }

  // No connection

  function lost(today) {
    const [next] = state.status?.next ?? [];
    const session = state.status?.sessions.find(({ state: how }) => how !== "waiting");
    const ringing = session && session.state !== "snoozed";
    const seconds = state.retryAt && Math.max(0, Math.ceil((state.retryAt - performance.now()) / 1000));
    const since = words.time(state.lostAt, state);
    return [
      h("h2", { class: "todo" }, words.main.lost(since)),
      h("p", null, state.trouble || !ringing ? [state.trouble ? text.lostStopped : text.lostMore,
        next && !session && ` ${text.lostBelow}`] : text.lostRinging(since, nameOf(session))),
      next && !session && [
        h("p", { class: "quiet lost-next" }, text.lostNext(since)),
        h("p", { class: "numbers quiet" }, time(next.local, { weight: weights.unknown })),
        h("p", { class: "quiet" }, nameOf(next), `, ${words.within(words.day(next.local, state.lostAt))}`),
        nightLine(36_000, { gap: true, class: "night-line lost" }),
      ],
      !state.trouble && h("div", { class: "card" }, h("p", { class: "line" }, icon("wifi"), text.sameNetwork),
        h("p", { class: "line" }, icon("plug"), text.lampOn)),
      h("p", { class: "quiet again" }, seconds ? text.trying(seconds) : text.tryingNow),
      h("button", { type: "button", class: "button second", onclick: () => service.connect() }, icon("redo"), text.tryNow),
    ];
  }

  let drawn = "";
  function update() {
    const isLost = state.connection === "lost";
    const isEmpty = !isLost && state.alarms?.length === 0;
    const today = state.status ? service.local() : "";
    const hasRing = state.status?.enabled && state.status.next.length > 0;
    element.classList.toggle("is-lost", isLost);
    fillWith(head, [mark(isLost ? "lost" : hasRing ? "awake" : "asleep"), h("h1", { class: "grow" }, words.main.name),
      state.status && !isLost && h("span", { class: "quiet" }, words.now(today, state)), app.nightButton()]);
    const isKnown = state.status && state.alarms;
    for (const part of [notices, list_, mini, add]) part.hidden = isLost || !isKnown || isEmpty;
    if (isLost) return fillWith(hero, lost(today));
    if (!isKnown) return fillWith(hero, []);
    if (isEmpty) {
      if (drawn !== "empty") empty();
      drawn = "empty";
      return fillWith(hero, [h("h2", { class: "title" }, text.nothing), h("p", { class: "quiet" }, text.nothingMore),
        h("div", { class: "night asleep" }, mark("asleep"), nightLine(null)), sample]);
    }
    drawn = "";
    fillWith(hero, heroOf(today));
    fillWith(mini, miniOf(today));
    fillWith(notices, noticesOf(today));
    // A single alarm has its own switch.
    const hasMaster = state.alarms.length > 1 || !state.status.enabled;
    fillWith(master, [
      h("h2", { class: "grow h3", id: "alarms" }, text.alarms),
      hasMaster && h("span", { class: "small quiet", "aria-hidden": "true" }, text.allAlarms),
      hasMaster && toggle(state.status.enabled ? "on" : "off", {
        label: text.allAlarms, asking: asked.has(""),
        onclick: () => change("",
          () => service.ask("configure", { body: { enabled: !state.status.enabled }, ifMatch: "*" }),
          state.status.enabled ? text.allOff : text.allOn),
      }),
      refused.has("") && h("p", { class: "problem", role: "alert" }, refused.get("")),
    ]);
    search.hidden = state.alarms.length < searchFrom;
    const now = [state.alarms, today.slice(0, 10), state.status.enabled, state.status.hours, [...asked].join(), [...refused].join()];
    if (now.some((one, index) => one !== shownList[index])) {
      shownList = now;
      list();
    }
  }

  return { element, title: words.main.name, update, leave: () => seen.disconnect() };
}
