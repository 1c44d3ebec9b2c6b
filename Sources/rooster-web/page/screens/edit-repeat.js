// The days of an alarm: the dots, and the rule behind them. The service reads rules; this only writes the common ones
// and shows which of them it is.

import { choice, dateLine, stepper } from "../controls.js";
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

/** All working days, as the day of a rule such as "last weekday of the month". */
const workdays = "MO,TU,WE,TH,FR";

/** The form of a rule that this page can change: { kind, interval, days, monthDay, place, day, month, until, count,
 *  weekStart }. */
export function formOf(rule, start) {
  if (!rule) return { kind: "once" };
  const parts = Object.fromEntries(rule.split(";").map((part) => part.split("=")));
  const { FREQ, INTERVAL = "1", BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS, UNTIL, COUNT, WKST, ...others } = parts;
  const all = { interval: Number(INTERVAL), until: UNTIL, count: COUNT && Number(COUNT), weekStart: WKST };
  const own = { kind: "own", rule };
  if (Object.keys(others).length) return own;
  const [, place = BYSETPOS, day = BYSETPOS && BYDAY === workdays ? BYDAY : undefined] = (!BYSETPOS && /^(-?\d)([A-Z]{2})$/.exec(BYDAY ?? "")) || [];
  if (BYSETPOS && !day) return own;
  const monthDay = /^-?\d+$/.test(BYMONTHDAY ?? "") && !BYDAY && Number(BYMONTHDAY);
  const month = /^\d+$/.test(BYMONTH ?? "") && Number(BYMONTH);
  if (FREQ === "DAILY" && !BYDAY && !BYMONTHDAY && !BYMONTH) return { kind: "daily", ...all };
  if (FREQ === "WEEKLY" && !BYMONTHDAY && !BYMONTH && !place && (BYDAY || start)) {
    return { kind: "weekly", ...all, days: BYDAY ? BYDAY.split(",").map((one) => weekdays.find((name) => daysOf[name] === one)) : [weekdayOf(start)] };
  }
  if (FREQ === "MONTHLY" && monthDay && !BYMONTH) return { kind: "monthly", ...all, monthDay };
  if (FREQ === "MONTHLY" && day && !BYMONTHDAY && !BYMONTH) return { kind: "monthlyDay", ...all, place, day };
  if (FREQ === "YEARLY" && month && monthDay > 0) return { kind: "yearly", ...all, month, monthDay };
  if (FREQ === "YEARLY" && month && day && !BYMONTHDAY) return { kind: "yearlyDay", ...all, month, place, day };
  return own;
}

/** The request that undoes one of an alarm's skips, and leaves the others: its name and its fields. */
export function unskipping({ alarm, revision }, entry) {
  const skip = alarm.skip.filter((one) => one !== entry);
  // The request for all skips needs fewer rights.
  return skip.length ? ["edit", { body: { skip }, ifMatch: revision }] : ["unskip", { ifMatch: revision }];
}

const weekdayOf = (date) => weekdays[(new Date(`${date.slice(0, 10)}T00:00:00Z`).getUTCDay() + 6) % 7];

function ruleOf({ kind, interval = 1, days, monthDay, place, day, month, rule, until, count, weekStart }) {
  if (kind === "once") return null;
  if (kind === "own") return rule;
  const which = day === workdays ? `BYDAY=${day};BYSETPOS=${place}` : `BYDAY=${place}${day}`;
  const [frequency, by] = {
    daily: ["DAILY"],
    weekly: ["WEEKLY", `BYDAY=${weekdays.filter((name) => days?.includes(name)).map((name) => daysOf[name]).join(",")}`],
    monthly: ["MONTHLY", `BYMONTHDAY=${monthDay}`],
    monthlyDay: ["MONTHLY", which],
    yearly: ["YEARLY", `BYMONTH=${month};BYMONTHDAY=${monthDay}`],
    yearlyDay: ["YEARLY", `BYMONTH=${month};${which}`],
  }[kind];
  return [`FREQ=${frequency}`, interval > 1 && `INTERVAL=${interval}`, by, until && `UNTIL=${until}`,
    count && `COUNT=${count}`, weekStart && `WKST=${weekStart}`].filter(Boolean).join(";");
}

function write(form, wanted) {
  form.ownsRule = wanted.kind === "own";
  form.set({ repeat: ruleOf(wanted), ...(wanted.kind === "once" ? { start: null } : { date: null }) });
}

const shownForm = (form) => (form.ownsRule && form.value("repeat")
  ? { kind: "own", rule: form.value("repeat") }
  : formOf(form.value("repeat"), form.value("start")));

/** The seven dots of the week, and their words. Other rules have words only. */
export function dayDots(form) {
  const { text } = form;
  const is = shownForm(form);
  const weekly = form.value("weekly") ?? {};
  const pressed = is.kind === "daily" && is.interval === 1 ? weekdays : is.days ?? [];
  const press = (day) => {
    const days = pressed.includes(day) ? pressed.filter((one) => one !== day) : [...pressed, day];
    write(form, days.length ? { ...is, kind: "weekly", days } : { kind: "once" });
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
  const note = others.length === 1
    ? h("span", { class: "weekly" },
      text[weekly[others[0]] === "off" ? "offOn" : "ownTime"](words.weekdayOf(others[0])))
    : others.length
    ? h("span", { class: "weekly" }, text.ownTimes(others.length))
    : form.isNew && pressed.length > 0 && h("span", { class: "quiet" }, text.noDay);
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
  const is = shownForm(form);
  const today = form.app.service.local();
  const [month, monthDay] = [Number(today.slice(5, 7)), Number(today.slice(8, 10))];
  const names = ["once", "daily/1", "daily/2", "weekly/1", "weekly/2", "weekly/4", "monthly/1", "monthlyDay/1",
    "monthly/3", "monthly/6", "yearly", "yearlyDay", "own"];
  const every = ["daily", "weekly"].includes(is.kind) && `${is.kind}/${is.interval}`;
  if (every && !names.includes(every)) names.splice(names.indexOf(is.kind === "daily" ? "weekly/1" : "monthly/1"), 0, every);
  const name = [is.kind, `${is.kind}/${is.interval}`, `${is.kind}/1`].find((one) => names.includes(one));
  const choose = (wanted) => {
    const [kind, interval = 1] = wanted.split("/");
    write(form, { days: [weekdayOf(today)], monthDay, month, place: "1", day: daysOf[weekdayOf(today)],
      rule: form.value("repeat") ?? "FREQ=DAILY;INTERVAL=3", ...is, interval: Number(interval), kind });
  };
  const set = (members) => write(form, { ...is, ...members });
  const line = (label, control) => h("label", { class: "line" }, h("span", { class: "grow" }, label), control);
  const steps = (label, value, change, more) => h("div", { class: "line" }, h("span", { class: "grow" }, label),
    stepper(label, value, { min: 1, step: 1, change, ...more }));
  const repeats = !["once", "own"].includes(is.kind);
  const hasDay = is.kind === "monthlyDay" || is.kind === "yearlyDay";
  const date = (label, value, change, more) =>
    dateLine(label, value, { empty: text.noDate, today, onchange: (event) => change(event.target.value || null), ...more });
  // Without a date, an alarm rings once at the next such time.
  const next = form.outcome?.next?.local;
  return [
    line(text.repeats, choice(name, names.map((one) => [one, text.repeatForms[one] ?? `${text.every} ${text.intervals[is.kind](is.interval)}`]), choose)),
    repeats
      && (is.interval > 1 || is.kind.startsWith("month") || is.kind.startsWith("year"))
      && steps(text.every, is.interval, (interval) => set({ interval }),
        { max: 100, text: (count) => text.intervals[is.kind](count) }),
    ["monthly", "yearly"].includes(is.kind) && steps(text.monthDay, is.monthDay, (day) => set({ monthDay: day }), {
      values: [...Array.from({ length: 31 }, (_, index) => index + 1), ...(is.kind === "monthly" ? [-1] : [])],
      text: (day) => (day < 0 ? text.lastDay : text.ordinal(day)),
    }),
    hasDay && line(text.which, choice(is.place, text.places, (place) => set({ place }))),
    hasDay
      && line(text.weekday,
        choice(is.day, [...weekdays.map((day) => [daysOf[day], words.weekdayOf(day)]), [workdays, text.workday]],
          (day) => set({ day }))),
    is.kind.startsWith("year")
      && line(text.month, choice(is.month, text.months.map((label, index) => [index + 1, label]),
        (one) => set({ month: Number(one) }))),
    is.kind === "own"
      && line(text.rule,
        h("input", { value: is.rule, autocapitalize: "characters", spellcheck: "false",
          onchange: (event) => form.set({ repeat: event.target.value.trim().toUpperCase() || null }) })),
    is.kind === "once"
      && date(text.onDate, form.value("date"), (value) => form.set({ date: value }), next && { empty: words.date(next, today) }),
    form.problemOf("date"),
    (is.kind === "own" || is.interval > 1 || form.value("start")) && date(text.start, form.value("start"), (start) => form.set({ start }), { empty: text.noStart }),
    form.problemOf("start"),
    repeats && line(text.ends, choice(is.until ? "until" : is.count ? "count" : "", text.endForms, (end) => set({
      until: end === "until" ? `${Number(today.slice(0, 4)) + 1}${today.slice(5, 10).replace("-", "")}` : undefined,
      count: end === "count" ? 10 : undefined,
    }))),
    is.until && date(text.lastDate, is.until.replace(/^(\d{4})(\d\d)(\d\d).*/, "$1-$2-$3"),
      (until) => set({ until: until?.replaceAll("-", "") }), { min: today.slice(0, 10) }),
    is.count && steps(text.endsAfter, is.count, (count) => set({ count }), { max: 1000, text: text.times }),
  ];
}
