// The nights that are over: how many rings got their owner up, how long each took, and all of one ring on request.

import { choice, notice, problem, sheet } from "../controls.js";
import { fillWith, h, own } from "../dom.js";
import { icon, numerals } from "../drawings.js";
import "../words-screens.js";

const periods = [7, 28, 91, 4000];
/** A bar is full after this time. */
const fullSeconds = 2400;
const rowsAtOnce = 30;
const bad = new Set(["missed", "unanswered", "emergency"]);

const seconds = (ring, until = ring.end) => Math.max(0, (Date.parse(until) - Date.parse(ring.fired ?? ring.at)) / 1000);
/** The local time of an instant, by the offset from UTC that the service gave for the end of the ring. */
function localOf(ring, instant) {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(ring.endLocal) ?? [null, "+", 0, 0];
  return new Date(Date.parse(instant) + (sign === "-" ? -1 : 1) * (hours * 60 + Number(minutes)) * 60_000).toISOString().slice(0, 19);
}
const dayOf = (local) => local.slice(0, 10);
const daysBefore = (day, count) => new Date(Date.parse(`${day}T00:00:00Z`) - count * 86_400_000).toISOString().slice(0, 10);

export default function (app) {
  const { service, words, store: { state } } = app;
  const text = words.nights;
  const head = h("div", { class: "head" });
  const region = h("div");
  const element = h("main", { class: "page nights", id: "main" }, head, region);
  let days = 28, filter = "", past = null, failure = null, shown = rowsAtOnce, record = state.record, number = 0;
  let clearing = "", refused = null, due;
  /** The next longer period that has more rings, or null. */
  let wider = null;
  /** The alarms of all rings seen so far, also of deleted ones: labels by id. */
  const labels = new Map();
  const categories = new Set();

  async function read() {
    const mine = ++number;
    const [kind, id] = [filter[0], filter.slice(2)];
    const fields = { alarm: kind === "a" ? id : null, category: kind === "c" ? id : null };
    try {
      const answer = await service.ask("history", { days, ...fields });
      if (mine !== number) return;
      [past, failure] = [answer, null];
      for (const ring of answer.history) {
        labels.set(ring.alarm, ring.label);
        if (ring.category) categories.add(ring.category);
      }
    } catch (error) {
      if (mine !== number) return;
      failure = words.refusal(error);
    }
    draw();
    if (!failure && !wider) findOlder(mine, fields);
  }

  /** Looks for rings that are older than the period shown. */
  async function findOlder(mine, fields) {
    for (const period of periods.filter((one) => one > days)) {
      const answer = await service.ask("history", { days: period, ...fields }).catch(() => null);
      if (mine !== number || !answer) return;
      if (answer.history.length <= past.history.length) continue;
      wider = period;
      return draw();
    }
  }

  const nameOf = (ring) => own(ring.label || words.unnamed);
  const length = (count) => (count < 60 ? words.length(Math.round(count)) : words.length(Math.round(count / 60) * 60));
  const dayName = (day, today) =>
    (day === today
      ? text.today
      : day === daysBefore(today, 1)
      ? text.yesterday
      : words.date(day, today, { short: true }).replace(words.monthName(day), (month) => month.slice(0, 3)));

  /** What became of a ring: a first and a second line. */
  function outcome(ring) {
    const took = length(seconds(ring));
    const snoozes = ring.snoozes ? words.plural(ring.snoozes, text.snooze) : text.noSnooze;
    switch (ring.ended) {
      case "dismissed": return [took, snoozes];
      case "missed": return [text.ended.missed, text.reasons[ring.reason]];
      case "unanswered": case "emergency": return [text.ended[ring.ended], text.after(took)];
      case "postponed": return [text.ended.postponed, ring.postponedToLocal && text.to(words.time(ring.postponedToLocal, state))];
      default: return [text.ended[ring.ended] ?? words.sentence(ring.ended), ring.fired && text.after(took)];
    }
  }

  const share = (count) => `${Math.max(3, Math.min(100, (100 * count) / fullSeconds))}%`;
  const style = (ring, today) =>
    `${bad.has(ring.ended) ? " bad" : dayOf(ring.local) === today ? " now" : ""}${ring.fired ? "" : " hollow"}${ring.unheard ? " unheard" : ""}`;

  // The strip of nights

  function strip(rings, today) {
    const columns = Array.from({ length: days }, (_, index) => daysBefore(today, days - 1 - index));
    const byDay = new Map();
    for (const ring of rings) byDay.set(dayOf(ring.local), [...(byDay.get(dayOf(ring.local)) ?? []), ring]);
    // A narrow column has room for three: the worst, and then the longest.
    const most = (list) => [...list].sort((a, b) => bad.has(b.ended) - bad.has(a.ended)
      || seconds(b) - seconds(a)).slice(0, days > 28 ? 1 : 3).sort((a, b) => a.at.localeCompare(b.at));
    return chart(columns.map((day) =>
      h("span", null,
        byDay.has(day)
          ? most(byDay.get(day)).map((ring) =>
            h("i", { class: style(ring, today), style: { height: share(ring.fired ? seconds(ring) : 0) } }))
          : h("b"))),
      [[15, "37.5%"], [30, "75%"]].map(([count, height]) => [`${count} min`, height]), [columns[0], columns[days >> 1], today]);
  }

  function weeks(groups) {
    return chart(groups.map((week) =>
      h("span", null,
        h("i", { style: { height: `${Math.max(3, (100 * week.dismissed) / Math.max(1, week.rings))}%` } }))),
      [["50 %", "50%"], ["100 %", "100%"]], [groups[0].name, groups[groups.length - 1].name]);
  }

  const chart = (columns, lines, dates) => h("div", { class: "strip-of-nights", "aria-hidden": "true", key: "chart" },
    h("div", { class: `columns${columns.length > 40 ? " many" : ""}` },
      lines.map(([label, height]) => h("em", { style: { bottom: height } }, h("span", null, label))), columns),
    h("p", { class: "dates" }, dates.map((day) => h("span", null, shortDate(day)))));
  const shortDate = (day) => `${Number(day.slice(8, 10))} ${words.monthName(day).slice(0, 3)}`;

  // A ring

  function row(ring, today) {
    const [first, second] = outcome(ring);
    const notches = [...(ring.snoozedAt ?? []),
      ...ring.challenges.map(({ done }) => done).filter(Boolean)].map((instant) =>
        seconds(ring, instant)).filter((one) => one > 20 && one < Math.min(fullSeconds, seconds(ring)) - 20);
    return h("li", { key: `${ring.alarm} ${ring.at} ${ring.ended}` }, h("button", { type: "button", class: "line", onclick: () => open(ring) },
      h("span", { class: "when" }, h("strong", null, dayName(dayOf(ring.local), today)),
        h("span", { class: "small quiet two-lines" }, words.time(ring.local, state), " ", nameOf(ring))),
      h("span", { class: `took${style(ring, today)}`, "aria-hidden": "true" },
        h("i", { style: { width: ring.fired ? share(seconds(ring)) : "100%" } }),
        notches.map((one) => h("b", { style: { left: share(one) } }))),
      h("span", { class: "became" }, h("strong", { class: bad.has(ring.ended) ? "wrong" : null }, first),
        second && h("span", { class: "small quiet" }, second),
        ring.unheard && h("span", { class: "small wrong" }, text.unheard))));
  }

  /** All of a ring in words, and on request what Rooster recorded about it. */
  function open(ring) {
    const body = h("div");
    const time = (local) => words.time(local, state);
    const at = (instant) => time(localOf(ring, instant));
    const by = (origin, client) => (client ? [" ", text.by, " ", own(client)] : origin ? ` ${text.by} ${text.origins[origin] ?? origin}` : null);
    const steps = [];
    const add = (instant, picture, ...what) => instant && steps.push({ instant, picture, what });
    add(ring.inBed, "bed", text.inBed);
    add(ring.at, "clock", text.due, ring.lateSeconds > 0 && `, ${text.late(length(ring.lateSeconds))}`,
      ring.earlySeconds > 0 && `, ${text.early(length(ring.earlySeconds))}`);
    if (ring.fired && Math.abs(Date.parse(ring.fired) - Date.parse(ring.at)) > 1500) add(ring.fired, "alarms", text.began);
    for (const instant of ring.snoozedAt ?? []) add(instant, "moon", text.snoozed);
    for (const { kind, done, replacedBy } of ring.challenges) {
      add(done, replacedBy?.kind ?? kind, words.kinds[replacedBy?.kind ?? kind] ?? text.challenge,
        replacedBy && ` ${text.inPlaceOf(words.kinds[kind] ?? text.challenge)}`);
    }
    add(ring.end, bad.has(ring.ended) ? "cross" : "check", text.became[ring.ended] ?? words.sentence(ring.ended), by(ring.by, ring.client),
      ring.postponedToLocal && ` ${text.to(time(ring.postponedToLocal))}`);
    add(ring.doneAt, "check", text.doneLater, by(ring.doneBy, ring.doneClient));
    steps.sort((a, b) => Date.parse(a.instant) - Date.parse(b.instant));
    const more = [
      ring.reason && text.because[ring.reason],
      ring.firstMissed && text.series(words.date(localOf(ring, ring.firstMissed), service.local())),
      ring.snoozes > (ring.snoozedAt?.length ?? 0) && words.plural(ring.snoozes, text.snooze),
      !ring.with
        && ring.fired
        && ring.challenges.some(({ done }) => !done)
        && text.notDone(ring.challenges.filter(({ done }) => !done).map(({ kind }) => words.kinds[kind]
          ?? text.challenge).join(", ")),
      ring.checks > 0 && text.checks(ring.checks, ring.failedChecks),
      ring.with && text.with(own(labels.get(ring.with) || words.unnamed)),
      ring.unheard && text.unheardLong, ring.shaken && text.shaken,
      ring.inBedSeconds && text.slept(length(ring.inBedSeconds)),
    ].filter(Boolean);
    let events = null, asking = false, trouble = null;
    const recorded = async () => {
      asking = true;
      fill();
      try {
        const all = (await service.ask("history", { alarm: ring.alarm, since: daysBefore(dayOf(ring.local), 1), events: true })).events ?? [];
        events = all.filter((event) => event.ring && Date.parse(event.ring) === Date.parse(ring.at));
      } catch (error) {
        trouble = words.refusal(error);
      }
      asking = false;
      fill();
    };
    const fill = () => fillWith(body, [
      h("p", { class: "quiet" }, words.date(ring.local, service.local())),
      h("h2", null, nameOf(ring), " ", time(ring.local)),
      ring.note && h("p", { class: "quiet" }, own(ring.note)),
      h("ol", { class: "steps-of-ring" },
        steps.map((step, index) => h("li", { class: "line" }, h("span", { class: "quiet" }, at(step.instant)),
          icon(step.picture, { class: `icon${step.picture === "cross" ? " wrong" : ""}` }),
          h("span", { class: "grow" }, step.what,
            index === steps.length - 1
              && ring.fired
              && h("span", { class: "second" }, text.after(length(seconds(ring)))))))),
      more.map((line) => h("p", { class: "small quiet about" }, line)),
      events
        ? [h("h3", { class: "group" }, text.recorded),
          events.length
            ? h("ul", { class: "events" },
              events.map((event) => h("li", { class: "small" }, h("span", { class: "quiet" }, time(event.local)),
                h("span", null, event.text))))
            : h("p", { class: "quiet" }, text.nothingRecorded)]
        : h("button", { type: "button", class: "text", onclick: recorded, "aria-disabled": asking ? "true" : null },
          asking ? words.home.asking : text.showRecorded),
      problem(trouble),
      h("button", { type: "button", class: "button second", onclick: () => close() }, words.close),
    ]);
    fill();
    const { close } = sheet(`${ring.label || words.unnamed} ${time(ring.local)}`, () => body);
  }

  // The screen

  const change = (what) => {
    what();
    [shown, wider] = [rowsAtOnce, null];
    draw();
    read();
  };

  function filters() {
    const alarms = new Map(labels);
    const groups = new Set(categories);
    for (const { alarm } of state.alarms ?? []) {
      alarms.set(alarm.id, alarm.label);
      if (alarm.category) groups.add(alarm.category);
    }
    if (alarms.size < 2 && !filter) return null;
    const options = (kind, pairs) =>
      [...pairs].sort((a, b) => a[1].localeCompare(b[1])).map(([id, label]) =>
        h("option", { value: `${kind}:${id}` }, label || words.unnamed));
    return h("label", { class: "line which-alarms", key: "filter" }, h("span", { class: "grow quiet" }, text.of),
      h("select", { value: filter, onchange: (event) => change(() => (filter = event.target.value)) },
        h("option", { value: "" }, text.all),
        groups.size > 0 && h("optgroup", { label: text.categories }, options("c", [...groups].map((name) => [name, name]))),
        h("optgroup", { label: text.alarms }, options("a", alarms))), icon("down", { class: "icon small" }));
  }

  function summary() {
    if (past.success === null || past.success === undefined) return h("p", { class: "quiet about", key: "success" },
      filter ? text.noSuccessOf : text.noSuccess);
    const percent = String(Math.floor(past.success * 100 + 1e-9));
    return h("div", { class: "success", key: "success" },
      h("p", { class: "percent" }, numerals(percent, { label: `${percent} %` }), h("span", { class: "lead", "aria-hidden": "true" }, "%")),
      h("p", { class: "strong" }, text.gotUp(past.successRings)));
  }

  async function clear() {
    clearing = "asking";
    draw();
    try {
      await service.ask("clearHistory");
      app.say(text.cleared);
      refused = null;
    } catch (error) {
      refused = words.refusal(error);
    }
    clearing = "";
    labels.clear();
    categories.clear();
    draw();
    read();
  }

  const clearPart = () => (clearing
    ? h("div", { key: "clearing" }, h("p", { class: "strong sure" }, text.clearAsked), h("div", { class: "pair" },
      h("button", { type: "button", class: "button second", onclick: () => { clearing = ""; draw(); } }, words.edit.keep),
      h("button", { type: "button", class: "button refused wrong", onclick: clear,
        "aria-disabled": clearing === "asking" ? "true" : null },
        clearing === "asking" ? words.home.asking : text.clearIt)))
    : h("button", { type: "button", class: "line wrong", key: "clear",
      onclick: () => { [clearing, refused] = ["sure", null]; draw(); region.querySelector(".pair .button").focus(); } },
      icon("delete"), h("span", { class: "grow" }, text.clear)));

  function each() {
    const groups = (past.successes ?? []).filter(({ group }) => group === "alarm" || group === "category");
    if (groups.length < 2) return null;
    return h("section", { key: "each" }, h("h2", { class: "group" }, text.each),
      h("ul", { class: "card" },
        groups.map((one) => h("li", { class: "line", key: `${one.group} ${one.alarm ?? one.name}` },
          h("span", { class: "grow" }, h("strong", null, own(one.name || words.unnamed)),
            one.group === "category" && h("span", { class: "second" }, text.category)),
          h("span", { class: "became" }, h("strong", null, text.share(one.dismissed, one.rings)),
            h("span", { class: "small quiet" }, text.quick(one.inTenMinutes)))))));
  }

  function draw() {
    const today = state.status ? dayOf(service.local()) : null;
    fillWith(head, [h("h1", { class: "grow" }, text.title),
      h("label", { class: "row quiet" }, h("span", { class: "unseen" }, text.period),
        choice(days, periods.map((count) => [count, text.periods[count]]),
          (value) => change(() => (days = Number(value)))), icon("down", { class: "icon small" }))]);
    if (failure && !past) return fillWith(region,
      [notice({ title: failure, broken: true }),
        h("button", { type: "button", class: "button second", onclick: read }, words.tryAgain)]);
    if (!past || !today) return;
    const rings = [...past.history].reverse();
    const byWeek = (past.successes ?? []).filter(({ group }) => group === "week");
    fillWith(region, [
      problem(failure),
      h("div", { class: "over", key: "over" }, rings.length > 0 && summary(), filters(),
        rings.length > 0
          && (days < 100 ? [h("p", { class: "small quiet" }, text.strip), strip(rings, today)] : byWeek.length > 1
            && [h("p", { class: "small quiet" }, text.weeks), weeks(byWeek)])),
      h("div", { class: "all", key: "all" },
        rings.length
          ? h("ul", { class: "rings", key: "rings" }, rings.slice(0, shown).map((ring) => row(ring, today)))
          : h("p", { class: "quiet about", key: "none" }, filter || wider ? text.noneThen : text.none),
        rings.length > shown
          ? h("button", { type: "button", class: "text", key: "more", onclick: () => { shown += rowsAtOnce; draw(); } },
            icon("down"), text.older)
          : wider
            && h("button", { type: "button", class: "text", key: "wider",
              onclick: () => {
                const kept = shown;
                const period = wider;
                change(() => (days = period));
                shown = Math.max(kept, rings.length + rowsAtOnce);
              } }, icon("down"), text.older),
        each(), rings.length > 0 && h("div", { class: "card", key: "clear" }, h("div", null, clearPart())), problem(refused)),
    ]);
  }

  read();
  return {
    element, title: text.title, leave: () => clearTimeout(due),
    update() {
      if (state.record !== record) {
        record = state.record;
        clearTimeout(due);
        if (!/^(sum|step|level|client)/.test(record?.name ?? "")) due = setTimeout(read, 500);
      }
      draw();
    },
  };
}
