// Calendars of days: their list, and the page of one. What makes a day a member, the service knows.

import { dateLine, problem } from "../controls.js";
import { fillWith, h, own } from "../dom.js";
import { icon } from "../drawings.js";
import texts from "../words-settings.js";

const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

export default (app, body, parameters, tools) => (parameters.calendar || parameters.new ? page : list)(app, body, parameters, tools);

function list(app, body) {
  const { service, words } = app;
  const text = texts.settings;

  const about = ({ weekdays: days = [], from, until, off = [], on = [] }) => [
    days.length === 7
      ? words.edit.repeatForms["daily/1"]
      : weekdays.filter((day) => days.includes(day)).map((day) => words.weekdayOf(day).slice(0, 3)).join(" ")
        || text.noDays,
    from && `${text.from.toLowerCase()} ${words.date(from)} ${from.slice(0, 4)}`,
    until && `${text.until.toLowerCase()} ${words.date(until)} ${until.slice(0, 4)}`,
    text.exceptions(off.length, on.length),
  ].filter(Boolean).join(", ");

  async function load() {
    let calendars, refusal;
    try {
      ({ calendars } = await service.ask("calendars"));
    } catch (error) {
      refusal = error;
    }
    fillWith(body, [
      refusal && problem(words.refusal(refusal)),
      calendars?.length === 0 && h("p", { class: "quiet" }, text.calendarsNone),
      calendars?.length > 0
        && h("div", { class: "card" },
          calendars.map(({ name, calendar }) =>
            h("a", { class: "line", key: name, href: `#/settings/calendars?calendar=${encodeURIComponent(name)}` },
              icon("calendar"),
              h("span", { class: "grow" }, own(name), h("span", { class: "second" }, about(calendar))), icon("forward", { class: "icon end turns" })))),
      h("p", null, h("a", { class: "text", href: "#/settings/calendars?new=1" }, icon("plus"), text.newCalendar)),
    ]);
  }
  load();
  return {};
}

function page(app, body, { calendar: name }, { confirm, conflict, kept }) {
  const { service, words } = app;
  const text = texts.settings;
  const isNew = name === undefined;
  const key = `calendar ${name ?? ""}`;
  const empty = { weekdays: ["mon", "tue", "wed", "thu", "fri"], from: null, until: null, off: [], on: [] };
  // A draft that was left comes back with the calendar that it is based on.
  let { draft = null, given = "", base = null, revision } = kept.get(key) ?? {};
  let refusal = null, asking = false, seen = app.store.state.record;
  /** Whether the calendar is gone, and whether it is gone although this draft changes it. */
  let isGone = false, isDeleted = false;
  // The days that are about to be added.
  const adding = { off: {}, on: {} };

  async function load() {
    try {
      const { calendars } = await service.ask("calendars");
      const found = calendars.find((one) => one.name === name);
      const now = { ...empty, ...found?.calendar };
      if (draft && JSON.stringify(draft) === JSON.stringify(base)) draft = null;
      isDeleted = !isNew && !found && Boolean(draft);
      isGone = !isNew && !found && !draft;
      // If another client has changed the calendar, the old revision makes Save show both.
      if (!draft || !base) [base, revision] = [now, found?.revision];
      draft ??= { ...now };
    } catch (error) {
      refusal = error;
    }
    draw();
  }

  const isTouched = () => isNew ? given !== "" || JSON.stringify(draft) !== JSON.stringify(empty) : JSON.stringify(draft) !== JSON.stringify(base);
  function set(members) {
    Object.assign(draft, members);
    kept.set(key, { draft, given, base, revision });
    draw();
  }

  async function save(over) {
    if (asking) return;
    // Days that were typed but not added are meant too.
    for (const list of ["off", "on"]) if (adding[list].from) add(list);
    const wanted = isNew ? given.trim() : name;
    if (!wanted) {
      refusal = { errors: [{ pointer: "#/name", detail: text.onlyName }] };
      draw();
      return body.querySelector("input").focus();
    }
    asking = true;
    refusal = null;
    draw();
    try {
      if (isNew && (await service.ask("calendars")).calendars.some((one) => one.name === wanted)) throw {
        errors: [{ pointer: "#/name", detail: text.nameTaken }] };
      await service.ask("saveCalendar", { name: wanted, body: draft, ifMatch: over ?? (isDeleted ? "*" : revision ?? "*") });
      leaves();
      await service.readAlarms();
      app.say(words.edit.saved);
      return app.go("settings/calendars", { replaces: true });
    } catch (error) {
      if (error.name === "changedMeanwhile" && !error.present) await load();
      else if (error.name === "changedMeanwhile") compare(error.present);
      else refusal = error;
    }
    asking = false;
    draw();
    body.querySelector(".problem")?.scrollIntoView({ block: "center" });
  }

  function compare(present) {
    const now = present?.calendar ?? present ?? {};
    const names = { weekdays: text.days, from: text.firstDay, until: text.lastDay, off: text.off, on: text.on };
    const shown = (one) => (Array.isArray(one) ? one.join(", ") : one);
    conflict(text.calendarConflict,
      Object.entries(names).filter(([member]) =>
        JSON.stringify(draft[member]) !== JSON.stringify(now[member])).map(([member, label]) =>
          [label, shown(draft[member]), shown(now[member])]),
      () => { leaves(); draft = null; load(); }, () => save(present?.revision ?? "*"));
  }

  const leaves = () => kept.delete(key);
  const remove = () => confirm(text.deleteAsked(name), null, text.delete, async () => {
    await service.ask("deleteCalendar", { name, ifMatch: revision });
    leaves();
    app.say(text.deleted);
    app.go("settings/calendars", { replaces: true });
  });

  const problemOf = (path) =>
    (refusal?.errors ?? []).filter(({ pointer }) => pointer.slice(2).startsWith(path)).map(({ detail }) =>
      problem(`${words.sentence(detail)}${/[.]$/.test(detail) ? "" : "."}`));
  const isPlaced = () => (refusal.errors ?? []).length && refusal.errors.every(({ pointer }) => /^#\/(name|weekdays|from|until|off|on)/.test(pointer));

  function add(list) {
    const { from, until } = adding[list];
    if (!from) return;
    const one = until && until !== from ? `${from}/${until}` : from;
    adding[list] = {};
    set({ [list]: [...new Set([...(draft[list] ?? []), one])].sort() });
  }

  const date = (label, value, change, empty = words.edit.noDate) =>
    dateLine(label, value, { empty, today: service.local(), onchange: (event) => change(event.target.value || null) });
  const dayText = (day) => `${words.date(day, null, { short: true })} ${day.slice(0, 4)}`;

  const days = (list, more) => [
    h("h2", { class: "group" }, text[list]), more && h("p", { class: "small quiet" }, more),
    h("div", { class: "card" },
      (draft[list] ?? []).map((one) => {
        const shown = text.range(...one.split("/").map(dayText));
        return h("div", { class: "line", key: one }, h("span", { class: "grow" }, shown),
          h("button", { type: "button", class: "plain", "aria-label": text.removeDays(shown),
            onclick: () => set({ [list]: draft[list].filter((other) => other !== one) }) }, icon("close")));
      }),
      h("div", { key: "add" }, date(text.addFrom, adding[list].from, (day) => { adding[list].from = day; draw(); }),
        adding[list].from && date(text.until, adding[list].until, (day) => { adding[list].until = day; }),
        adding[list].from && h("button", { type: "button", class: "text", onclick: () => add(list) }, icon("plus"), text.addDays)),
      problemOf(list).length > 0 && h("div", { key: "problem" }, problemOf(list))),
  ];

  function draw() {
    if (isGone) return fillWith(body, [h("p", null, text.gone), h("a", { class: "text", href: "#/settings/calendars" }, text.pages.calendars)]);
    if (!draft) return fillWith(body, [refusal && problem(words.refusal(refusal))]);
    fillWith(body, [
      isDeleted && h("section", { class: "lock", role: "alert", key: "deleted" }, h("h2", null, text.deletedElsewhere), h("p", null, text.deletedMore)),
      isNew
        ? h("label", { class: "card field" },
          h("div", { class: "line" }, h("span", null, text.calendarName),
            h("input", { value: given, maxlength: 60, placeholder: text.calendarHint, autocomplete: "off",
              oninput: (event) => { given = event.target.value; set({}); } })))
        : h("h2", null, own(name)),
      problemOf("name"),
      h("h3", { class: "group" }, text.days),
      h("div", { class: "dots", role: "group", "aria-label": text.days }, weekdays.map((day) => {
        const isOn = (draft.weekdays ?? []).includes(day);
        return h("button", { type: "button", class: "dot", "aria-label": words.weekdayOf(day),
          "aria-pressed": String(isOn),
          onclick: () =>
            set({ weekdays: weekdays.filter((one) => (one === day ? !isOn : draft.weekdays.includes(one))) }) },
            h("span", null, words.weekdayOf(day)[0]));
      })),
      problemOf("weekdays"),
      h("div", { class: "card" }, date(text.firstDay, draft.from, (from) => set({ from }), text.noDate),
        date(text.lastDay, draft.until, (until) => set({ until }), text.noDate)),
      problemOf("from"), problemOf("until"),
      days("off", text.offMore), days("on"),
      !isNew && !isDeleted && h("p", null, h("button", { type: "button", class: "text wrong", onclick: remove }, icon("delete"), text.deleteCalendar)),
      (isTouched() || asking) && h("div", { class: "foot" }, refusal && !isPlaced() && problem(words.refusal(refusal)),
        h("div", { class: "pair" },
          h("button", { type: "button", class: "button second",
            onclick: () => { leaves(); app.go("settings/calendars", { replaces: true }); } }, words.edit.discardIt),
          h("button", { type: "button", class: "button", "aria-disabled": asking ? "true" : null,
            onclick: () => save() }, asking ? words.home.asking : isDeleted ? text.saveAgain : words.edit.save))),
    ]);
  }

  load();
  return {
    update: ({ record }) => {
      // Another client may have changed or deleted the calendar.
      if (record !== seen && /calendar|restored|import/.test(record?.name ?? "") && !asking) load();
      seen = record;
    },
  };
}
