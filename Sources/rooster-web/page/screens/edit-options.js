// All that an alarm can be beside its time, days and challenges.

import { choice, dateLine, sheet, slider, stepper } from "../controls.js";
import { h, own } from "../dom.js";
import { icon, layerSign, ramp, toggle } from "../drawings.js";
import words from "../words-screens.js";
import { challengeList } from "./edit-challenges.js";
import { orderedWeekdays, repeatLines, unskipping } from "./edit-repeat.js";

const minutes = (...list) => list.map((count) => count * 60);
const ramps = [0, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600];
const bars = 24;

let showsAllTimes = false;

export function options(form) {
  const { text } = form;
  return [
    h("div", { class: "card" }, repeatLines(form), calendarLine(form)),
    otherTimes(form), challengeList(form), sound(form), unanswered(form), snooze(form), after(form), before(form),
    h("h2", { class: "group" }, text.late),
    h("div", { class: "card" },
      steps(form, text.lateLabel, "late", 3600,
        { values: [0, ...minutes(5, 10, 15, 30, 60, 120, 180, 360, 720)],
          text: (seconds) => (seconds ? text.lateBy(words.length(seconds)) : text.notLate) })),
    names(form), form.isNew ? [] : actions(form),
  ];
}

const group = (title, ...lines) => [h("h2", { class: "group" }, title), h("div", { class: "card" }, ...lines)];
const line = (label, control, more) => h("div", { class: "line" }, h("span", { class: "grow" }, label, more && h("span", { class: "second" }, more)), control);
const field = (label, control) => h("label", { class: "line" }, h("span", { class: "grow" }, label), control);

/** A line with a stepper for a member, such as "late" or "ring/rounds". */
function steps(form, label, path, first, more) {
  const [member, inner] = path.split("/");
  const value = inner ? form.value(member)?.[inner] : form.value(member);
  const set = (next) => form.set({ [member]: inner ? { ...form.value(member), [inner]: next } : next });
  return [line(label, stepper(label, value === undefined ? first : value,
    { ...more, change: set, describedby: `problem-${path}` })), form.problemOf(path), inner && form.warningOf(path)];
}

/** A line with a switch for a member. */
function flag(form, label, path, more) {
  const [member, inner] = path.split("/");
  const value = Boolean(inner ? form.value(member)?.[inner] : form.value(member));
  return [line(label,
    toggle(value ? "on" : "off",
      { label, onclick: () => form.set({ [member]: inner ? { ...form.value(member), [inner]: !value } : !value }) }),
      more), form.problemOf(path)];
}

function calendarLine(form) {
  const names = form.lists.calendars.map(({ name }) => name);
  const value = form.value("days") ?? "";
  if (!names.length && !value) return null;
  return [field(form.text.onlyOn,
    choice(value,
      [["", form.text.anyDay], ...[...new Set([...names, ...(value ? [value] : [])])].map((name) => [name, name])],
      (days) => form.set({ days: days || null }))), form.problemOf("days")];
}

// Other times

function otherTimes(form) {
  const { text, app } = form;
  const [weekly, dates] = [form.value("weekly") ?? {}, form.value("dates") ?? {}];
  const today = app.service.local();
  const entries = [
    ...orderedWeekdays().filter((day) => weekly[day]).map((day) =>
      ({ layer: "weekly", day, title: text.everyWeekday(words.weekdayOf(day)), time: weekly[day] })),
    ...Object.keys(dates).filter((date) => date >= today.slice(0, 10)).sort().map((date) =>
      ({ layer: "date", day: date, title: words.date(date, today, { short: true }), time: dates[date] })),
  ];
  const put = (layer, day, time) => {
    const [name, all] = layer === "weekly" ? ["weekly", { ...weekly }] : ["dates", { ...dates }];
    if (time === null) delete all[day];
    else all[day] = time;
    form.set({ [name]: all });
  };
  const shown = showsAllTimes ? entries : entries.slice(0, 6);
  return [
    h("h2", { class: "group" }, text.otherTimes),
    h("div", { class: "card" },
      shown.map(({ layer, day, title, time }) =>
        h("button", { type: "button", class: "line", key: day,
          onclick: () => otherTime(form, put, { layer, day, time }) },
          h("span", { class: layer }, layerSign(layer)), h("span", { class: `grow strong ${layer}` }, title),
          h("span", { class: "quiet" }, time === "off" ? text.offThen : words.time(time, app.store.state)),
          icon("forward", { class: "icon end turns" }))),
      entries.length > shown.length
        && h("button", { type: "button", class: "line", onclick: () => { showsAllTimes = true; form.draw(); } },
          text.allTimes(entries.length)),
      h("button", { type: "button", class: "text line", onclick: () => otherTime(form, put) }, icon("plus"), text.anotherTime)),
    form.problemOf("weekly"), form.problemOf("dates"), form.warningOf("weekly"), form.warningOf("dates"),
  ];
}

/** Asks for the time of a weekday or of a date. */
function otherTime(form, put, entry) {
  const { text } = form;
  const day = choice(entry?.layer === "weekly" ? entry.day : "date",
    [["date", text.aDate], ...orderedWeekdays().map((one) => [one, text.everyWeekday(words.weekdayOf(one))])],
    () => (dates.hidden = day.value !== "date"), { disabled: Boolean(entry) });
  const today = form.app.service.local().slice(0, 10);
  const dates = dateLine(text.date, entry?.layer === "date" ? entry.day : "", { empty: text.noDate, today, min: today });
  const date = dates.lastChild;
  const time = h("input", { type: "time", value: entry && entry.time !== "off" ? entry.time : form.value("time") ?? "" });
  const wrong = h("p", { class: "problem", role: "alert" });
  sheet(text.anotherTime, (close) => {
    const take = (value) => {
      const key = day.value === "date" ? date.value : day.value;
      if (!key || value === "") return void (wrong.textContent = key ? text.noTime : text.noDate);
      close();
      put(day.value === "date" ? "date" : "weekly", key, value);
    };
    return h("form", { onsubmit: (event) => { event.preventDefault(); take(time.value); } },
      h("h2", null, entry ? (entry.layer === "weekly" ? text.everyWeekday(words.weekdayOf(entry.day)) : words.date(entry.day)) : text.anotherTime),
      !entry && field(text.day, day), !entry && dates, field(text.time, time), wrong,
      h("button", { class: "button" }, text.ringThen),
      h("button", { type: "button", class: "button second", onclick: () => take("off") }, text.offThenLong),
      entry && h("button", { type: "button", class: "text", onclick: () => { close(); put(entry.layer, entry.day, null); } }, icon("undo"), text.backToRule));
  });
}

// Sound

const decibels = (volume) => 20 * Math.log10(Math.max(volume, 0.001));

function sound(form) {
  const { text, app, lists } = form;
  const { state } = app.store;
  const ring = form.value("ring") ?? {};
  const put = (members) => form.set({ ring: { ...ring, ...members } });
  const { volume = 0.8, ramp: seconds = 30 } = ring;
  const top = Math.max(0, Math.min(1, (decibels(volume) + 40) / 40));
  const full = Math.ceil(bars / 1.3);
  const heights = Array.from({ length: bars }, (_, index) => Math.max(0.02, seconds ? Math.min(1, (index + 1) / full) * top : top));
  const sounds = lists.sounds.filter(({ problem }) => !problem).map(({ id, name }) => [id, name]);
  if (ring.sound && !sounds.some(([id]) => id === ring.sound)) sounds.push([ring.sound, ring.sound]);
  if (lists.capabilities?.shaker && ring.sound !== "none") sounds.push(["none", text.noSound]);
  const length = lists.sounds.find(({ id }) => id === ring.sound)?.seconds;
  const test = state.status?.sessions.find((one) => one.test);
  const isSilent = ring.sound === "none";
  const index = ramps.findLastIndex((one) => one <= seconds);
  return [
    h("h2", { class: "group" }, text.sound),
    h("div", { class: "card" },
      field(h("span", null, text.sound, length && h("span", { class: "second" }, text.loop(Math.round(length)))),
        choice(ring.sound ?? "chimes01", sounds, (id) => put({ sound: id }))),
      !isSilent && h("div", { class: "volume" },
        h("p", null, text.rises(seconds && words.length(seconds), volume)),
        h("div", { class: "curve", "aria-hidden": "true" }, ramp(bars, seconds ? full : bars, { heights, height: 112, width: 320 }),
          seconds > 0 && h("p", { class: "least quiet" }, h("span", null, text.due), h("span", null, words.length(seconds)))),
        slider(text.volume, Math.round(volume * 100),
          { min: 5, max: 100, step: 5, text: (percent) => `${percent} %`,
            change: (percent) => put({ volume: percent / 100 }) }),
        form.problemOf("ring/volume"), form.warningOf("ring/volume"),
        slider(text.risesFor, index,
          { min: 0, max: ramps.length - 1, text: () => (seconds ? words.length(seconds) : text.atOnce),
            change: (place) => put({ ramp: ramps[place] }) }),
        form.problemOf("ring/ramp")),
      lists.capabilities?.shaker && flag(form, text.shake, "ring/shake"),
      h("button", {
        type: "button", class: "line", onclick: () => (test ? form.act("stop", {}, text.testOver) : form.act("testRing", { body: { ring } }, text.testSoon)),
      }, icon(test ? "stop" : "speaker", { class: "icon accent" }),
      h("strong", { class: "grow base" }, test ? text.endTest : text.hear),
      !test && h("span", { class: "quiet" }, text.inSeconds(8)))),
    form.actRefusal && h("p", { class: "problem", role: "alert" }, form.actRefusal), form.problemOf("ring/sound"), form.warningOf("ring/sound"),
  ];
}

// If nobody answers

function unanswered(form) {
  const { text, lists } = form;
  // Without this member, an alarm has the usual step.
  const all = form.value("escalate") ?? [{ after: 300, sound: "square520" }];
  const put = (escalate) => form.set({ escalate });
  const change = (index, members) => put(all.map((one, place) => (place === index ? { ...one, ...members } : one)));
  const sounds = (chosen) =>
    [["", text.sameSound],
      ...lists.sounds.filter(({ problem, id }) => !problem || id === chosen).map(({ id, name }) => [id, name]),
      ...(chosen && !lists.sounds.some(({ id }) => id === chosen) ? [[chosen, text.beep]] : [])];
  return [
    h("h2", { class: "group" }, text.unanswered),
    h("div", { class: "card" },
      all.map((one, index) => h("div", { class: "step", key: `step ${index}` },
        line(text.afterward, stepper(text.afterward, one.after ?? 300,
          { values: [30, ...minutes(1, 2, 3, 5, 10, 15, 20, 30, 45, 60)], text: words.length,
            change: (after) => change(index, { after }) })),
        field(text.then_, choice(one.sound ?? "", sounds(one.sound), (sound) => change(index, { sound: sound || null }))),
        lists.capabilities?.shaker
          && line(text.shake,
            toggle(one.shaker ? "on" : "off",
              { label: text.shake, onclick: () => change(index, { shaker: !one.shaker }) })),
        h("button", { type: "button", class: "text", onclick: () => put(all.filter((_, place) => place !== index)) },
          icon("close", { class: "icon small" }), text.removeStep))),
      all.length < 3
        && h("button",
          { type: "button", class: "text line",
            onclick: () =>
              put([...all, { after: Math.min(43_200, (all.at(-1)?.after ?? 0) + 300), sound: "square520" }]) },
              icon("plus"), text.addStep),
      steps(form, text.roundLength, "ring/for", 1800, { values: minutes(1, 2, 5, 10, 15, 20, 30, 45, 60, 120, 240, 720), text: words.length }),
      steps(form, text.rounds, "ring/rounds", 3, { min: 1, max: 12, text: text.roundCount }),
      (form.value("ring")?.rounds ?? 3) > 1 && steps(form, text.rest, "ring/rest", 300, { values: minutes(1, 2, 3, 5, 10, 15, 20, 30), text: words.length })),
    form.problemOf("escalate"), form.warningOf("escalate"),
  ];
}

function snooze(form) {
  const { text, lists } = form;
  const { snoozeSecondsMin: min = 60, snoozeSecondsMax: max = 3600 } = lists.capabilities ?? {};
  return [group(form.text.snooze,
    steps(form, text.each, "snooze/seconds", 540,
      { values: minutes(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 45,
        60).filter((one) => one >= min && one <= max), text: words.length }),
    steps(form, text.atMost, "snooze/max", 3, { values: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, null], text: text.times })), form.warningOf("snooze")];
}

function after(form) {
  const { text } = form;
  const check = form.value("check");
  const hasChallenges = (form.value("challenges") ?? []).length > 0;
  return [group(text.afterwards,
    line(text.check,
      toggle(check ? "on" : "off",
        { label: text.check, onclick: () => form.set({ check: check ? null : { after: 300, within: 180 } }) }),
        text.checkMore),
    check && [
      line(text.checkAfter, stepper(text.checkAfter, check.after ?? 300,
        { values: minutes(1, 2, 3, 5, 10, 15, 20, 30, 45, 60), text: words.length,
          change: (value) => form.set({ check: { ...check, after: value } }) })),
      line(text.checkWithin, stepper(text.checkWithin, check.within ?? 180,
        { values: [30, ...minutes(1, 2, 3, 5, 10)], text: words.length,
          change: (value) => form.set({ check: { ...check, within: value } }) })),
    ],
    hasChallenges && flag(form, text.mayPutOff, "postpone", text.mayPutOffMore)), form.problemOf("check")];
}

const noticeTimes = ["10m", "30m", "1h", "12h", "24h", "2d", "7d"];

function before(form) {
  const { text, lists } = form;
  const notices = form.value("notices") ?? [];
  const all = [...new Set([...noticeTimes, ...notices])];
  return group(text.before,
    lists.capabilities?.sunrise
      && steps(form, text.light, "light", 0,
        { values: [0, ...minutes(5, 10, 15, 20, 30, 45, 60)],
          text: (seconds) => (seconds ? words.length(seconds) : text.none) }),
    lists.capabilities?.challenges.includes("steps")
      && [steps(form, text.early, "early", 0,
        { values: [0, ...minutes(5, 10, 15, 20, 25, 30)],
          text: (seconds) => (seconds ? words.length(seconds) : text.none) })],
    h("div", { class: "notice-times" }, h("p", null, text.notices),
      h("div", { class: "chips wraps", role: "group", "aria-label": text.notices }, all.map((one) => h("button", {
        type: "button", class: "chip", "aria-pressed": String(notices.includes(one)),
        onclick: () =>
          form.set({ notices: notices.includes(one) ? notices.filter((other) => other !== one) : [...notices, one] }),
      }, text.noticeTime(one)))), form.problemOf("notices")),
    field(text.zone,
      h("input", { class: "end", value: form.value("zone") ?? "", placeholder: text.deviceZone, spellcheck: "false",
        onchange: (event) => form.set({ zone: event.target.value.trim() || null }) })),
    form.problemOf("zone"));
}

function names(form) {
  const { text, app } = form;
  const categories = [...new Set((app.store.state.alarms ?? []).map(({ alarm }) => alarm.category).filter(Boolean))];
  const typed = (name) =>
    ({ "aria-label": text[name], placeholder: text[name], dir: "auto", value: form.value(name) ?? "",
      oninput: (event) => form.set({ [name]: event.target.value }) });
  return [
    group(text.label, h("input", { ...typed("label"), maxlength: 200, enterkeyhint: "done" }), form.problemOf("label"),
      h("textarea", { ...typed("note"), rows: 2 }), form.problemOf("note"),
      field(text.category, h("input", { ...typed("category"), class: "end", list: "categories", placeholder: text.none })), form.problemOf("category")),
    h("datalist", { id: "categories" }, categories.map((value) => h("option", { value }))),
    form.warningOf("label"),
  ];
}

// What is done at once, without Save

let asksDelete = false;

function actions(form) {
  const { text, app, report } = form;
  if (!report) return [];
  const { alarm, next, openRing } = report;
  const today = app.service.local();
  const ahead = (list) => (list ?? []).filter((one) => one.slice(-10) >= today.slice(0, 10)).sort();
  const paused = ahead(alarm.pause);
  const button = (picture, label, onclick, more) => h("button", { type: "button", class: "line", onclick, ...more },
    icon(picture), h("span", { class: "grow" }, label));
  return [
    h("div", { class: "card actions" },
      openRing && button("check", text.done(words.within(words.dayShort(openRing.local, today))), () => form.act("done", {}, text.isDone)),
      next && button("skip", text.skip(words.within(words.dayShort(next.local, today))),
        () => form.act("skip", { body: { ifRing: { alarm: alarm.id, at: next.at } } }, text.skipped)),
      ahead(alarm.skip).map((entry) => button("undo", text.unskip(...entry.split("/").map((date) => words.date(date, today))),
        () => form.act(...unskipping(report, entry), text.unskipped), { key: entry })),
      paused.length
        ? button("undo", text.endPause, () => form.act("pause", { body: { dates: [] } }, text.pauseEnded))
        : button("pause", text.pause, () => pause(form)),
      asksDelete
        ? h("div", { class: "line" }, h("span", { class: "grow" }, text.deleteAsked(own(alarm.label || words.unnamed))),
          h("button", { type: "button", class: "text", onclick: () => { asksDelete = false; form.draw(); } }, text.keep),
          h("button",
            { type: "button", class: "text wrong",
              onclick: async () => {
                asksDelete = false;
                if (await form.act("delete", { ifMatch: report.revision }, text.deleted)) {
                  form.isTouched = false;
                  app.go("", { replaces: true });
                }
              } }, text.deleteIt))
        : h("button", { type: "button", class: "line wrong", onclick: () => { asksDelete = true; form.draw(); } },
          icon("delete", { class: "icon wrong" }), text.delete)),
    form.actRefusal && h("p", { class: "problem", role: "alert" }, form.actRefusal),
  ];
}

function pause(form) {
  const { text, app } = form;
  const today = app.service.local().slice(0, 10);
  const line = (label, date) => dateLine(label, date, { empty: text.noDate, today, min: today, required: true });
  const [from, until] = [line(text.from, today), line(text.until, "")];
  sheet(text.pause, (close) => h("form", {
    onsubmit: async (event) => {
      event.preventDefault();
      close();
      await form.act("pause", { body: { dates: [`${from.lastChild.value}/${until.lastChild.value}`] } }, text.isPaused);
    },
  }, h("h2", null, text.pause), h("p", { class: "quiet" }, text.pauseMore), from, until,
  h("button", { class: "button" }, text.pauseIt)));
}
