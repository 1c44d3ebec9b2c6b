// The days of an alarm: the dots, and the rule behind them. The service reads rules; this only writes the common ones
// and shows which of them it is.

import { choice, stepper } from "../controls.js";
import { h } from "../dom.js";
import words from "../words-screens.js";

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
/** The names of weekdays in rules. */
export const daysOf = { mon: "MO", tue: "TU", wed: "WE", thu: "TH", fri: "FR", sat: "SA", sun: "SU" };

/** The weekdays in the order of the phone's calendar. */
export function orderedWeekdays() {
  let first = 1;
  try {
    const locale = new Intl.Locale(navigator.language);
    first = (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
  } catch {
    // Monday.
  }
  return [...weekdays.slice(first - 1), ...weekdays.slice(0, first - 1)];
}

/** The form of a rule that this page can change: { kind, interval, days, monthDay, place, day, month }. */
export function formOf(rule) {
  if (!rule) return { kind: "once" };
  const parts = Object.fromEntries(rule.split(";").map((part) => part.split("=")));
  const { FREQ, INTERVAL = "1", BYDAY, BYMONTHDAY, BYMONTH, ...others } = parts;
  const interval = Number(INTERVAL);
  const own = { kind: "own", rule };
  if (Object.keys(others).some((name) => name !== "WKST")) return own;
  if (FREQ === "DAILY" && !BYDAY && !BYMONTHDAY && !BYMONTH) return { kind: "daily", interval };
  if (FREQ === "WEEKLY" && BYDAY && !BYMONTHDAY && !BYMONTH) return { kind: "weekly", interval, days: BYDAY.split(",").map((day) => weekdays.find((name) => daysOf[name] === day)) };
  if (FREQ === "MONTHLY" && /^-?\d+$/.test(BYMONTHDAY ?? "") && !BYDAY && !BYMONTH) return { kind: "monthly", interval, monthDay: Number(BYMONTHDAY) };
  const [, place, day] = /^(-?\d)([A-Z]{2})$/.exec(BYDAY ?? "") ?? [];
  if (FREQ === "MONTHLY" && place && !BYMONTHDAY && !BYMONTH) return { kind: "monthlyDay", interval, place, day };
  if (FREQ === "YEARLY" && /^\d+$/.test(BYMONTH ?? "") && /^\d+$/.test(BYMONTHDAY ?? "") && !BYDAY) return { kind: "yearly", interval, month: Number(BYMONTH), monthDay: Number(BYMONTHDAY) };
  return own;
}

function ruleOf({ kind, interval = 1, days, monthDay, place, day, month, rule }) {
  const every = interval > 1 ? `;INTERVAL=${interval}` : "";
  return {
    once: null, own: rule, daily: `FREQ=DAILY${every}`, weekly: `FREQ=WEEKLY${every};BYDAY=${weekdays.filter((name) => days?.includes(name)).map((name) => daysOf[name]).join(",")}`,
    monthly: `FREQ=MONTHLY${every};BYMONTHDAY=${monthDay}`, monthlyDay: `FREQ=MONTHLY${every};BYDAY=${place}${day}`, yearly: `FREQ=YEARLY${every};BYMONTH=${month};BYMONTHDAY=${monthDay}`,
  }[kind];
}

const write = (form, wanted) => form.set({ repeat: ruleOf(wanted), ...(wanted.kind === "once" ? { start: null } : { date: null }) });

/** The seven dots of the week, and their words. Other rules have words only. */
export function dayDots(form) {
  const { text } = form;
  const is = formOf(form.value("repeat"));
  const weekly = form.value("weekly") ?? {};
  const pressed = is.kind === "daily" && is.interval === 1 ? weekdays : is.days ?? [];
  const press = (day) => {
    const days = pressed.includes(day) ? pressed.filter((one) => one !== day) : [...pressed, day];
    write(form, days.length ? { kind: "weekly", interval: is.kind === "weekly" ? is.interval : 1, days } : { kind: "once" });
  };
  const dot = (day) => {
    const other = weekly[day];
    const name = words.weekdayOf(day);
    return h("button", {
      type: "button", class: `dot${other ? (other === "off" ? " is-off" : " is-own") : ""}`, "aria-pressed": String(pressed.includes(day)),
      "aria-label": other ? `${name}, ${other === "off" ? text.offThen : other}` : name, onclick: () => press(day),
    }, h("span", null, name.slice(0, 2)));
  };
  const others = weekdays.filter((day) => weekly[day]);
  const note = others.length === 1 ? h("span", { class: "weekly" }, text[weekly[others[0]] === "off" ? "offOn" : "ownTime"](words.weekdayOf(others[0]))) : others.length ? h("span", { class: "weekly" }, text.ownTimes(others.length)) : form.isNew && h("span", { class: "quiet" }, text.noDay);
  const showsDots = ["once", "weekly"].includes(is.kind) || (is.kind === "daily" && is.interval === 1);
  return [
    showsDots && h("div", { class: "dots", role: "group", "aria-label": text.days }, orderedWeekdays().map(dot)),
    h("p", { class: "under days" }, h("strong", null, form.days ?? form.report?.days ?? ""), note),
    form.problemOf("repeat"),
  ];
}

/** The line "Repeats", and what the chosen form needs. */
export function repeatLines(form) {
  const { text } = form;
  const is = formOf(form.value("repeat"));
  const today = form.app.service.local();
  const [month, monthDay] = [Number(today.slice(5, 7)), Number(today.slice(8, 10))];
  const begins = {
    once: { kind: "once" }, "daily/1": { kind: "daily", interval: 1 }, "daily/2": { kind: "daily", interval: 2 }, "weekly/1": { kind: "weekly", interval: 1 }, "weekly/2": { kind: "weekly", interval: 2 }, "weekly/4": { kind: "weekly", interval: 4 },
    "monthly/1": { kind: "monthly", interval: 1 }, "monthlyDay/1": { kind: "monthlyDay", interval: 1 }, "monthly/3": { kind: "monthly", interval: 3 }, "monthly/6": { kind: "monthly", interval: 6 },
    yearly: { kind: "yearly" }, own: { kind: "own" },
  };
  const name = is.kind in begins ? is.kind : `${is.kind}/${is.interval}` in begins ? `${is.kind}/${is.interval}` : `${is.kind}/1`;
  const choose = (wanted) => {
    const day = weekdays[(new Date(`${today.slice(0, 10)}T00:00:00Z`).getUTCDay() + 6) % 7];
    write(form, { days: [day], monthDay, month, place: "1", day: daysOf[day], rule: form.value("repeat") ?? "FREQ=DAILY;INTERVAL=3", ...is, interval: 1, ...begins[wanted] });
  };
  const line = (label, control) => h("label", { class: "line" }, h("span", { class: "grow" }, label), control);
  const steps = (label, value, set, more) => h("div", { class: "line" }, h("span", { class: "grow" }, label), stepper(label, value, { min: 1, step: 1, change: set, ...more }));
  const counts = is.kind === "own" || is.interval > 1;
  return [
    line(text.repeats, choice(name, Object.keys(begins).map((one) => [one, text.repeatForms[one]]), choose)),
    (is.interval > 1 || ["monthly", "monthlyDay", "yearly"].includes(is.kind)) && steps(text.every, is.interval, (interval) => write(form, { ...is, interval }), { max: 100, text: (count) => text.intervals[is.kind](count) }),
    ["monthly", "yearly"].includes(is.kind) && steps(text.monthDay, is.monthDay, (day) => write(form, { ...is, monthDay: day }), { max: 31, text: (day) => (day < 0 ? text.lastDay : text.ordinal(day)) }),
    is.kind === "yearly" && line(text.month, choice(is.month, text.months.map((label, index) => [index + 1, label]), (month) => write(form, { ...is, month: Number(month) }))),
    is.kind === "monthlyDay" && line(text.which, choice(is.place, text.places, (place) => write(form, { ...is, place }))),
    is.kind === "monthlyDay" && line(text.weekday, choice(is.day, weekdays.map((day) => [daysOf[day], words.weekdayOf(day)]), (day) => write(form, { ...is, day }))),
    is.kind === "own" && line(text.rule, h("input", { value: is.rule, autocapitalize: "characters", spellcheck: "false", onchange: (event) => form.set({ repeat: event.target.value.trim().toUpperCase() || null }) })),
    is.kind === "once" && line(text.onDate, h("input", { type: "date", value: form.value("date") ?? "", onchange: (event) => form.set({ date: event.target.value || null }) })),
    form.problemOf("date"),
    counts && line(text.start, h("input", { type: "date", value: form.value("start") ?? "", onchange: (event) => form.set({ start: event.target.value || null }) })),
    form.problemOf("start"),
  ];
}
