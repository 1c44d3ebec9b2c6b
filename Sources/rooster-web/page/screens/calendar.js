// The month: what the service plans, what became of the days that are over, and the exceptions of single dates.

import { sheet } from "../controls.js";
import { fillWith, h, own } from "../dom.js";
import { icon, layerSign, numerals, weights } from "../drawings.js";
import "../words-screens.js";
import { orderedWeekdays, unskipping, weekdays } from "./edit-repeat.js";

/** What was shown last, for the next time. */
const kept = { alarm: null, month: null };
const ringsMax = 1000;

const addDays = (date, days) => new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
const dayOf = (local) => local.slice(0, 10);

export default function calendar(app) {
  const { service, store: { state }, words } = app;
  const text = words.calendar;
  const today = () => dayOf(service.local());
  const wide = matchMedia("(min-width: 80rem)");

  let month = kept.month;
  let plan = null, problem = null, turn = 0, focused = null;
  const nameOf = (label) => own(label || words.unnamed);
  const labelOf = (label) => label || words.unnamed;
  const time = (one) => words.time(one, state);
  const alarmOf = (id) => state.alarms.find(({ alarm }) => alarm.id === id)?.alarm;
  /** Whose clock the times of an alarm are by, if not that of the device. */
  const clockOf = (id) => {
    const zone = alarmOf(id)?.zone;
    return zone && zone !== state.status.zone ? words.clockOf(zone) : "";
  };
  const spokenTime = (one) => [time(one.local), words.within(clockOf(one.alarm))].filter(Boolean).join(" ");
  /** A time for the narrow cells of a phone. */
  const shortTime = (one) => time(one).replace(/ (.)m$/, "$1");

  /** The dates of the weeks that the month touches. */
  function dates() {
    const first = `${month}-01`;
    const ahead = orderedWeekdays().indexOf(weekdays[(new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7]);
    const start = addDays(first, -ahead);
    const all = [];
    for (let index = 0; index < 42 && !(index > 7 && index % 7 === 0 && !addDays(start, index).startsWith(month)); index++) all.push(addDays(start, index));
    return all;
  }

  function turnTo(by) {
    const first = new Date(`${month}-01T00:00:00Z`);
    first.setUTCMonth(first.getUTCMonth() + by);
    month = kept.month = first.toISOString().slice(0, 7);
    plan = null;
    draw();
    read();
  }

  /** Reads the plan of the weeks shown. It has at most 1000 rings, so it may take several requests. */
  async function read() {
    const number = ++turn;
    const all = dates();
    // A day begins and ends elsewhere at most 14 hours apart from UTC.
    let from = `${addDays(all[0], -1)}T00:00:00Z`;
    const until = `${addDays(all.at(-1), 2)}T00:00:00Z`;
    const now = new Date(service.now()).toISOString().slice(0, 19) + "Z";
    const past = all[0] < today() ? service.ask("history", { since: all[0] }) : { history: [] };
    if (from < now) from = now;
    const [rings, leftOut] = [new Map(), new Map()];
    try {
      for (let count = 0; count < 20 && from < until; count++) {
        const part = await service.ask("plan", { from, until });
        for (const ring of part.rings) rings.set(`${ring.alarm} ${ring.at}`, ring);
        for (const day of part.leftOut) leftOut.set(`${day.alarm} ${day.date}`, day);
        const full = [part.rings, part.leftOut].filter((list) => list.length >= ringsMax);
        if (!full.length) break;
        from = full.map((list) => list.at(-1).at ?? `${list.at(-1).date}T00:00:00Z`).sort()[0];
      }
      const { history } = await past;
      if (number !== turn) return;
      plan = { rings: [...rings.values()], leftOut: [...leftOut.values()], history };
      problem = null;
    } catch (error) {
      if (number !== turn) return;
      problem = words.refusal(error);
    }
    draw();
  }

  // Days

  const isShown = (alarm) => !kept.alarm || alarm === kept.alarm;

  /** Alarms that ring on every day that is to come would hide all others. */
  function dailyAlarms() {
    if (kept.alarm || !plan) return new Set();
    const ahead = dates().filter((date) => date > today()).length;
    const counts = new Map();
    for (const ring of plan.rings) if (dayOf(ring.local) > today()) counts.set(ring.alarm, (counts.get(ring.alarm) ?? new Set()).add(dayOf(ring.local)));
    return new Set([...counts].filter(([, days]) => ahead > 7 && days.size >= ahead).map(([alarm]) => alarm));
  }

  function byDay(daily) {
    const days = new Map(dates().map((date) => [date, { rings: [], leftOut: [], past: [] }]));
    for (const ring of plan?.rings ?? []) if (isShown(ring.alarm) && !daily.has(ring.alarm)) days.get(dayOf(ring.local))?.rings.push(ring);
    for (const day of plan?.leftOut ?? []) if (isShown(day.alarm) && day.reason in text.marks && !daily.has(day.alarm)) days.get(day.date)?.leftOut.push(day);
    for (const past of plan?.history ?? []) if (isShown(past.alarm)) days.get(dayOf(past.local))?.past.push(past);
    return days;
  }

  function cell(date, { rings, leftOut, past }) {
    const [first] = rings;
    const [left] = leftOut;
    const [over] = past;
    const mark = first ? first.layer : left ? `out ${left.reason}` : over ? `over ${over.ended}` : "";
    const below = first ? shortTime(first.local) : left ? text.marks[left.reason] : over ? shortTime(over.local) : "";
    const others = rings.length + (rings.length ? 0 : past.length) - 1;
    const spoken = [
      words.date(date), ...rings.map((ring) => `${kept.alarm ? "" : `${labelOf(ring.label)} `}${spokenTime(ring)}, ${text.layerOf[ring.layer]}`),
      ...leftOut.map((day) => `${kept.alarm ? "" : `${labelOf(day.label)} `}${text.marks[day.reason]}`),
      ...past.map((one) => `${labelOf(one.label)} ${spokenTime(one)}: ${text.past[one.ended] ?? one.ended}`),
    ].join("; ");
    const lines = wide.matches
      && [...rings.map((ring) => [ring.local, ring.label, ring.layer]),
        ...leftOut.map((day) => [day.instead?.local ?? "", day.label,
          `out ${day.reason === "date" ? "date" : day.reason === "weekday" ? "weekly" : "quiet"}`]),
        ...past.map((one) => [one.local, one.label, `over ${one.ended}`])].sort();
    return h("td", { "aria-selected": String(date === focused), class: date.startsWith(month) ? null : "other" },
      h("button", {
        type: "button", class: `day ${mark}`, "aria-label": spoken,
        tabindex: date === (focused ?? today()) || (!focused && !dates().includes(today()) && date === `${month}-01`)
          ? 0
          : -1,
        "data-date": date, "aria-current": date === today() ? "date" : null, onclick: (event) => open(date, event.currentTarget),
      }, h("span", { class: "number" }, String(Number(date.slice(8)))),
      wide.matches
        ? lines.slice(0, 4).map(([at, label, how]) =>
          h("span", { class: `entry ${how}` }, h("span", { class: "strong" }, at && time(at)), " ", nameOf(label)))
        : h("span", { class: "least below" }, below, others > 0 && h("span", { class: "quiet" }, text.more(others))),
      wide.matches && lines.length > 4 && h("span", { class: "entry quiet" }, words.home.more(lines.length - 4))));
  }

  function move(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[event.key];
    const date = event.target.dataset?.date;
    if (!by || !date) return;
    event.preventDefault();
    focused = addDays(date, getComputedStyle(element).direction === "rtl" && Math.abs(by) === 1 ? -by : by);
    if (!focused.startsWith(month)) {
      const to = focused > date ? 1 : -1;
      turnTo(to);
    } else draw();
    element.querySelector(`[data-date="${focused}"]`)?.focus();
  }

  // The sheet of a day

  function open(date, near) {
    focused = date;
    draw();
    let alarm = kept.alarm;
    const body = h("div", { class: "day-sheet" });
    let refusal = null, asking = false, asksTime = false;
    /** The alarm with the revision that the owner sees here. */
    let seen = null;

    const change = async (send) => {
      if (asking) return;
      [asking, refusal] = [true, null];
      fill();
      try {
        await send();
        await service.readAlarms();
        app.say(text.saved);
        close();
        read();
      } catch (error) {
        refusal = error.name === "changedMeanwhile" ? words.edit.conflict : words.refusal(error);
        await Promise.all([service.readAlarms(), read()]);
        [asking, seen] = [false, null];
        fill();
      }
    };
    const put = (value) => change(() => service.ask("edit", { alarm, body: { dates: { [date]: value } }, ifMatch: seen.revision }));
    const line = (picture, label, onclick, { color = "date", more } = {}) =>
      h("button", { type: "button", class: "line", onclick }, h("span", { class: color }, icon(picture)),
        h("span", { class: "grow" }, label), more && h("span", { class: "quiet" }, more));

    /** Undoes the skip that this date is part of. */
    function afterAll(report) {
      const entry = report.alarm.skip?.find((one) => one.slice(0, 10) <= date && date <= one.slice(-10));
      if (!entry) return null;
      const [from, until] = entry.split("/");
      const send = () => {
        const [name, fields] = unskipping(report, entry);
        return service.ask(name, { alarm, ...fields });
      };
      const label = until ? words.edit.unskip(words.date(from, today()), words.date(until, today())) : text.afterAll;
      return line("undo", label, () => change(send), { color: "base" });
    }

    function fillAll() {
      const { rings, leftOut, past } = byDay(new Set()).get(date) ?? { rings: [], leftOut: [], past: [] };
      const choose = (one, at, layer, said) => h("button", { type: "button", class: "line", onclick: () => { alarm = one.alarm; fill(); } },
        h("span", { class: `at ${layer}` }, at && numerals(at, { weight: weights.small })),
        h("span", { class: "grow" }, h("span", { class: "two-lines" }, nameOf(one.label)),
          said && h("span", { class: "second" }, said)), icon("forward", { class: "icon end turns" }));
      fillWith(body, [
        h("h2", { class: "title" }, words.date(date, today())),
        !rings.length && !leftOut.length && !past.length && h("p", { class: "quiet" }, text.noRing),
        past.map((one) => h("p", { class: "line" },
          h("span", { class: "at quiet" }, numerals(time(one.local).split(" ")[0], { weight: weights.small, label: time(one.local) })),
          h("span", { class: "grow" }, nameOf(one.label),
            h("span", { class: "second" }, text.pastTime(text.past[one.ended] ?? one.ended, time(one.endLocal))),
            clockOf(one.alarm) && h("span", { class: "second" }, clockOf(one.alarm))))),
        rings.map((ring) => choose(ring, time(ring.local).split(" ")[0], ring.layer,
          [ring.layer !== "base" && words.layers[ring.layer], clockOf(ring.alarm)].filter(Boolean).join(". "))),
        leftOut.map((day) => choose(day, null, "", text.marks[day.reason])),
        date >= today() && h("a", { class: "text line", href: `#/new?date=${date}`, onclick: () => close() }, icon("plus"), text.newAlarm),
      ]);
    }

    function fill() {
      if (!alarm) return fillAll();
      const report = state.alarms.find((one) => one.alarm.id === alarm);
      if (report && seen?.alarm !== alarm) seen = { alarm, revision: report.revision };
      const label = report?.alarm.label ?? "";
      const ring = plan?.rings.find((one) => one.alarm === alarm && dayOf(one.local) === date);
      const left = plan?.leftOut.find((one) => one.alarm === alarm && one.date === date);
      const over = (plan?.history ?? []).filter((one) => one.alarm === alarm && dayOf(one.local) === date);
      const isPast = date < today();
      const instead = ring?.insteadOf ?? left?.instead;
      const hasEntry = report && date in report.alarm.dates;
      const [hour, minute, half] = ring ? words.timeParts(ring.local, state) : [];
      const reason = left && text.reasons[left.reason];
      const present = ring?.local.slice(11, 16) ?? instead?.local.slice(11, 16) ?? report?.alarm.time ?? "07:00";
      const input = h("input", { type: "time", value: present, "aria-label": text.time });
      fillWith(body, [
        h("p", { class: "quiet" }, nameOf(label)),
        h("h2", { class: "title" }, words.date(date, today())),
        ring
          ? h("div", { class: "row day-time" },
            h("span", { class: `at ${ring.layer}` },
              numerals(`${hour}:${minute}`, { label: time(ring.local), weight: 10 })), half,
            h("p", null, h("span", { class: `row strong ${ring.layer}` }, layerSign(ring.layer),
              words.layers[ring.layer]),
              ring.insteadOf && h("span", { class: "quiet" }, text.insteadOfLong(time(ring.insteadOf.local)))))
          : over.length
            ? over.map((one) => h("p", null, h("strong", null, time(one.local)), " ",
              h("span", { class: "quiet" }, text.pastTime(text.past[one.ended] ?? one.ended, time(one.endLocal)))))
          : h("p", { class: "strong" },
            typeof reason === "function"
              ? reason(left.reason === "calendar" ? own(report?.alarm.days ?? "") : words.weekday(date))
              : reason ?? text.noRing,
            instead && h("span", { class: "quiet" }, h("br"), text.insteadOfLong(time(instead.local)))),
        clockOf(alarm) && h("p", { class: "small quiet" }, clockOf(alarm)),
        refusal && h("p", { class: "problem", role: "alert" }, refusal),
        !isPast && report && [
          asksTime
            ? h("form",
              { class: "line", key: "time",
                onsubmit: (event) => {
                  event.preventDefault();
                  const { value } = event.target.elements[0];
                  if (value) put(value);
                } }, input, h("button", { class: "button" }, asking ? words.home.asking : text.ringThen))
            : line("clock", ring ? text.another : text.ringAt, () => { asksTime = true; fill(); body.querySelector("input")?.focus(); }),
          left?.reason === "skip" && afterAll(report),
          ring && line("cross", text.offThen, () => put("off")),
          hasEntry && line("undo", text.back, () => put(null), { color: "base", more: instead && time(instead.local) }),
          h("a", { class: "line", href: `#/alarm/${encodeURIComponent(alarm)}`, onclick: () => close() },
            h("span", { class: "quiet" }, icon("alarms")), h("span", { class: "grow" }, text.openAlarm),
            icon("forward", { class: "icon end turns" })),
        ],
      ]);
    }
    fill();
    const { close } = sheet(words.date(date), () => body, { near });
  }

  // The screen

  const head = h("header", { class: "head month" });
  const chips = h("div", { class: "chips", role: "group", "aria-label": text.alarms });
  const table = h("table", { class: "month-table", role: "grid", onkeydown: move });
  const below = h("div");
  const element = h("main", { class: "page calendar", id: "main" }, head, chips, table, below);

  function different() {
    const all = [
      ...(plan?.rings ?? []).filter((ring) => ring.layer === "date").map((ring) =>
        ({ ...ring, date: dayOf(ring.local), said: time(ring.local), instead: ring.insteadOf })),
      ...(plan?.leftOut ?? []).filter((day) => day.reason === "date" || day.reason === "skip").map((day) => ({ ...day, said: text.marks[day.reason] })),
    ].filter((one) => isShown(one.alarm) && one.date.startsWith(month)).sort((a, b) => a.date.localeCompare(b.date));
    if (!all.length) return [];
    return [h("h2", { class: "group" }, text.different(words.monthName(`${month}-01`))),
      h("ul", { class: "different" }, all.map((one) => h("li", null, h("button", {
        type: "button", class: "line",
        onclick: (event) => {
          const before = kept.alarm;
          kept.alarm = one.alarm;
          open(one.date, event.currentTarget);
          kept.alarm = before;
          draw();
        },
      }, h("span", { class: `which strong ${one.reason === "skip" ? "quiet" : "date"}` },
        `${words.weekday(one.date).slice(0, 3)} ${Number(one.date.slice(8))}`),
        h("span", { class: "grow" }, one.said, !kept.alarm && [" ", h("span", { class: "quiet" }, nameOf(one.label))]),
      one.instead && h("span", { class: "quiet small" }, text.insteadOf(time(one.instead.local)))))))];
  }

  function draw() {
    if (!state.status || !state.alarms) return;
    const daily = dailyAlarms();
    const days = byDay(daily);
    const legend = h("p", { class: "legend small" },
      ["base", "weekly", "date"].map((layer) =>
        h("span", { class: `row ${layer}` }, layerSign(layer), words.layers[layer])));
    fillWith(head, [
      h("h1", { class: "grow" }, words.month(`${month}-01`)),
      h("button", { type: "button", class: "plain ink", "aria-label": text.before, onclick: () => turnTo(-1) }, icon("back", { class: "icon turns" })),
      h("button", { type: "button", class: "plain ink", "aria-label": text.next, onclick: () => turnTo(1) }, icon("forward", { class: "icon turns" })),
      wide.matches && legend,
    ]);
    const sorted = [...state.alarms].sort((a, b) => (a.next?.at ?? "9").localeCompare(b.next?.at ?? "9")).slice(0, 30);
    const chip = (id, label) =>
      h("button", { type: "button", class: "chip", key: id ?? "", "aria-pressed": String(kept.alarm === id),
        onclick: () => { kept.alarm = id; draw(); } }, label);
    if (kept.alarm && !state.alarms.some(({ alarm }) => alarm.id === kept.alarm)) kept.alarm = null;
    fillWith(chips, [chip(null, text.all), sorted.map(({ alarm }) => chip(alarm.id, nameOf(alarm.label)))]);
    const all = dates();
    const weeks = Array.from({ length: all.length / 7 }, (_, index) => all.slice(index * 7, index * 7 + 7));
    table.style.setProperty("--weeks", weeks.length);
    fillWith(table, [
      h("caption", { class: "unseen" }, words.month(`${month}-01`)),
      h("thead", null,
        h("tr", null,
          orderedWeekdays().map((day) =>
            h("th", { scope: "col", abbr: words.weekdayOf(day) },
              words.weekdayOf(day).slice(0, wide.matches ? 9 : 2))))),
      h("tbody", { "aria-busy": String(!plan && !problem) }, weeks.map((week) => h("tr", null, week.map((date) => cell(date, days.get(date)))))),
    ]);
    const names = [...daily].map((id) => nameOf(alarmOf(id)?.label));
    fillWith(below, [
      problem && [h("p", { class: "problem", role: "alert" }, problem), h("button", { type: "button", class: "text", onclick: read }, words.tryAgain)],
      names.length > 0 && h("p", { class: "quiet small daily" }, text.daily(words.or(names, "and"))),
      [...new Set(plan?.rings.map(({ alarm }) => alarm))].filter((id) => isShown(id) && clockOf(id))
        .map((id) => h("p", { class: "quiet small" }, nameOf(alarmOf(id).label), ": ", words.within(clockOf(id)))),
      !wide.matches && legend, different(),
    ]);
  }

  let seen = null;
  function update() {
    if (!state.status || !state.alarms) return;
    month ??= today().slice(0, 7);
    // A page that stays open goes on with the day.
    const now = `${today()} ${month}`;
    if (seen?.alarms !== state.alarms || seen?.now !== now) {
      seen = { alarms: state.alarms, now };
      read();
      draw();
    }
  }
  wide.addEventListener("change", draw);
  return { element, title: text.title, update, leave: () => wide.removeEventListener("change", draw) };
}
