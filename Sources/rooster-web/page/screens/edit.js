// A new alarm in three taps, and the page of an alarm. The draft is the members that differ from the alarm. The service
// judges it after each change: it says when it will ring, and what it refuses.

import { keypad, problem, sheet } from "../controls.js";
import { fillWith, h, own } from "../dom.js";
import { icon, mark, numerals, toggle, weights } from "../drawings.js";
import "../words-screens.js";
import { challengeList } from "./edit-challenges.js";
import { options } from "./edit-options.js";
import { daysOf, dayDots, weekdays } from "./edit-repeat.js";

const differ = (a, b) => JSON.stringify(a) !== JSON.stringify(b);
const isParted = (value) => value && typeof value === "object" && !Array.isArray(value);

/** Drafts of screens that were left, so that a step back loses nothing. Each has the key of its address. */
const drafts = new Map();

export default function edit(app, { id, example, time: givenTime, date: givenDate }) {
  const { service, store: { state }, words } = app;
  const text = words.edit;
  const isNew = id === undefined;
  const keyOf = (date) => JSON.stringify([id ?? null, example ?? null, date ?? null]);

  const form = {
    app, isNew, id, text,
    /** The alarm as it is kept, and its report. A new alarm gets them from the judgement. */
    base: null, report: null,
    /** Whether another client has deleted the alarm, while this draft changes it. */
    isDeleted: false,
    /** The id of a new alarm, and whether an attempt to add it has no answer. */
    newId: service.newUUID(), isUncertain: false,
    changes: {}, outcome: null, refusal: null, all: !isNew,
    lists: { sounds: [], codes: [], calendars: [], capabilities: null },
    value: (name) => (name in form.changes ? form.changes[name] : form.base?.[name]),
    /** Changes members of the draft. */
    set(members) {
      form.isTouched = true;
      Object.assign(form.changes, members);
      judgeSoon();
      draw();
    },
    /** The refusals and warnings of a field, such as "ring/volume". */
    problemOf: (path) => problem(errorsAt(path).map(({ detail }) => words.sentence(detail)).join(". "), `problem-${path}`),
    warningOf: (path) => (form.outcome?.warnings ?? []).filter((one) => at(one.path, path)).map((one) =>
      h("p", { class: "small quiet" }, words.sentence(one.message))),
    act, draw,
  };
  const at = (found, path) => found.replace(/[.[\]]+/g, "/").replace(/^#?\/|\/$/g, "").startsWith(path);
  const errorsAt = (path) => (form.refusal?.errors ?? []).filter(({ pointer }) => at(pointer, path));

  // The time, as it is typed

  let typed = "";
  const input = h("input", {
    type: "time", class: "over", "aria-label": text.time, "data-first": isNew && matchMedia("(pointer: fine)").matches,
    oninput: () => {
      typed = "";
      if (input.value) form.set({ time: input.value });
    },
    onkeydown: (event) => {
      // The field shows no half-typed time, so digits are read as those of the keypad.
      const isDigit = /^\d$/.test(event.key);
      if (event.ctrlKey || event.metaKey || event.altKey || (!isDigit && !["Enter", "Backspace"].includes(event.key))) return;
      event.preventDefault();
      if (event.key === "Enter") return void save();
      press(isDigit ? event.key : "erase");
    },
    onfocus: () => { typed = ""; },
  });
  let half = null;

  /** Sets a time that did not come from the field. The field takes it, although it may have the focus. */
  function setTime(time) {
    input.value = time ?? "";
    form.set({ time });
  }

  function press(key) {
    if (key === "erase" && !typed) return setTime(null);
    typed = key === "erase" ? typed.slice(0, -1) : typed.length < 4 ? typed + key : key;
    if (!typed) return setTime(null);
    const isHalf = words.halfDays(state);
    // "7" is 07, and "12" may go on.
    const length = Number(typed[0]) > (isHalf ? 1 : 2) || Number(typed.slice(0, 2)) > (isHalf ? 12 : 23) ? 1 : 2;
    let hour = Number(typed.slice(0, length));
    let minute = typed.slice(length).slice(0, 2);
    if (Number(minute[0]) > 5) minute = `0${minute[0]}`;
    if (isHalf) hour = (hour % 12) + (half === "pm" ? 12 : 0);
    setTime(`${String(hour).padStart(2, "0")}:${minute.padEnd(2, "0")}`);
  }

  function setHalf(wanted) {
    half = wanted;
    const time = form.value("time");
    if (!time) return draw();
    const hour = (Number(time.slice(0, 2)) % 12) + (half === "pm" ? 12 : 0);
    setTime(`${String(hour).padStart(2, "0")}${time.slice(2)}`);
  }

  // A desktop has a keyboard. Without the pad, Save covers nothing on its low windows.
  const isWide = matchMedia("(min-width: 56.25rem)").matches;
  let isPadShown = isNew && !isWide;

  function timeArea() {
    const time = form.value("time");
    const parts = time ? words.timeParts(time, state) : ["––", "––", half ?? ""];
    if (document.activeElement !== input && input.value !== (time ?? "")) input.value = time?.slice(0, 5) ?? "";
    const isRefused = errorsAt("time").length > 0;
    fillWith(timeBox, [
      h("span", { class: time && !isRefused ? "base big" : "quiet big" }, numerals(`${parts[0]}:${parts[1]}`, { weight: weights.rest })),
      input,
    ]);
    const isHalf = words.halfDays(state);
    fillWith(timeSide, [
      isHalf
        && ["am", "pm"].map((name) =>
          h("button", { type: "button", class: "chip", "aria-pressed": String((parts[2] || half) === name),
            onclick: () => setHalf(name) }, name)),
      (!isNew || isWide)
        && h("button", { type: "button", class: "plain", "aria-label": text.keypad, "aria-pressed": String(isPadShown),
          onclick: () => { isPadShown = !isPadShown; draw(); } }, icon("keypad")),
    ]);
  }

  const wheel = h("button", {
    type: "button", class: "key bare", onclick: () => {
      input.focus();
      try {
        input.showPicker();
      } catch {
        // The browser has no picker of its own.
      }
    },
  }, text.wheel);
  const pad = keypad(press, wheel);

  /** The times that alarms have most often. */
  function chips() {
    const counts = new Map();
    for (const { alarm } of state.alarms ?? []) if (alarm.time) counts.set(alarm.time, (counts.get(alarm.time) ?? 0) + 1);
    const times = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 4).map(([time]) => time);
    return (times.length ? times : text.usualTimes).sort().map((time) => h("button", {
      type: "button", class: "chip", "aria-pressed": String(form.value("time") === time), onclick: () => { typed = ""; setTime(time.slice(0, 5)); },
    }, words.time(time, state)));
  }

  // The judgement

  let timer, turn = 0, spoken;

  function judgeSoon() {
    clearTimeout(timer);
    timer = setTimeout(judge, 150);
  }

  const hasTime = () => Boolean(form.value("time") || Object.keys(form.value("dates") ?? {}).length || Object.keys(form.value("weekly") ?? {}).length);

  async function judge() {
    const number = ++turn;
    // Without a time there is nothing to judge, but the service still says what a new alarm gets.
    const changes = hasTime() ? patch() : { ...patch(), time: "07:00" };
    try {
      const outcome = await service.ask("validate", { body: { ...(isNew || form.isDeleted ? {} : { alarm: id }), changes } });
      if (number !== turn) return;
      form.outcome = hasTime() ? outcome : null;
      form.days = outcome.days;
      form.refusal = null;
      if (isNew) form.base = outcome.alarm;
    } catch (error) {
      if (number !== turn) return;
      form.refusal = error;
    }
    draw();
    clearTimeout(spoken);
    spoken = setTimeout(() => app.say(said.textContent), 700);
  }

  function saidContent() {
    const { outcome, refusal } = form;
    if (refusal) {
      const placed = refusal.name === "locked" && errorsAt("time").length > 0;
      const rest = refusal.errors.filter(({ pointer }) => pointer !== "#");
      const first = refusal.name === "locked"
        ? text.lockedFirst(placed && form.value("time") && words.time(form.value("time"), state))
        : rest.length
        ? text.refused
        : words.refusal(refusal);
      return [mark("awake"), h("p", null, h("strong", { class: "wrong" }, first), h("br"),
        refusal.name === "locked" ? text.lockedMore(own(form.base?.label || words.unnamed)) : rest.length ? text.refusedMore : "")];
    }
    if (!outcome) return [mark("asleep"), h("p", null, h("strong", null, text.noTime), h("br"), h("span", { class: "quiet" }, text.noTimeMore))];
    const { next, following } = outcome;
    if (!next) {
      const off = form.report?.alarm.enabled === false ? text.isOff : text.willBeOff;
      return [mark("asleep"), h("p", null, h("strong", null, form.value("enabled") === false ? off : text.noRing))];
    }
    const today = service.local();
    const seconds = service.secondsUntil(next.at);
    const far = seconds > 16 * 3600 && text.partOfDay(Number(next.local.slice(11, 13)));
    const isOther = following && following.local.slice(11, 16) !== next.local.slice(11, 16);
    return [mark("awake"), h("p", null,
      h("strong", null, `${words.day(next.local, today)}, ${words.time(next.local, state)}:`), h("br"), words.until(seconds),
      form.value("zone") && form.value("zone") !== state.status.zone && h("span", { class: "quiet" }, h("br"), words.clockOf(form.value("zone"))),
      far && h("span", { class: "weekly" }, `, ${far}`),
      isOther && h("span", { class: "small quiet" }, h("br"), text.then(words.within(words.day(following.local, today)), words.time(following.local, state))))];
  }

  // Saving

  /** What differs from the alarm as it is kept. A part that is gone is null: the service keeps what is not named. */
  function patch() {
    if (form.isDeleted) {
      const { id: _, ...content } = { ...form.base, ...form.changes };
      return content;
    }
    return isNew ? { ...form.changes } : difference(form.changes, form.base);
  }

  function difference(changes, base) {
    const all = {};
    for (const [name, value] of Object.entries(changes)) {
      const old = base?.[name];
      if (!isParted(value) || !isParted(old)) {
        if (differ(value, old)) all[name] = value;
        continue;
      }
      const parts =
        [...new Set([...Object.keys(value), ...Object.keys(old)])].filter((part) =>
          differ(value[part], old[part])).map((part) => [part, value[part] ?? null]);
      if (parts.length) all[name] = Object.fromEntries(parts);
    }
    return all;
  }

  const hasChanges = () => Boolean(form.isTouched) && Object.keys(patch()).length > 0;

  let asking = false;

  /** Adds the new alarm. If the answer to an earlier attempt got lost, it looks for the alarm and changes that. */
  async function add() {
    if (form.isUncertain) {
      const { alarm: found } = await service.ask("alarm", { alarm: form.newId }).catch((error) => {
        if (error.name !== "noSuchAlarm") throw error;
        return {};
      });
      if (found) {
        return service.ask("edit", { alarm: form.newId, body: difference(patch(), found.alarm), ifMatch: found.revision });
      }
    }
    form.isUncertain = true;
    return service.ask("add", { body: { ...patch(), id: form.newId } });
  }

  async function save({ over } = {}) {
    if (asking) return;
    if (!isNew && !form.isTouched) return back();
    if (!hasTime()) {
      app.say(text.noTime, true);
      return input.focus();
    }
    // The wheel of a phone may not have reported its last turn.
    if (input.value && input.value !== form.value("time")?.slice(0, 5) && document.activeElement === input) form.changes.time = input.value;
    asking = true;
    // A judgement that is still on its way would take the place of a refusal.
    clearTimeout(timer);
    turn++;
    draw();
    try {
      if (isNew || form.isDeleted) await add();
      else await service.ask("edit", { alarm: id, body: patch(), ifMatch: over ?? form.revision });
      drafts.delete(keyOf(givenDate));
      form.isTouched = false;
      await service.readAlarms();
      app.say(text.saved);
      return app.go("", { replaces: true });
    } catch (error) {
      asking = false;
      if (error.name === "changedMeanwhile") conflict(error.present);
      // The alarms as they are now say so.
      else if (error.name === "noSuchAlarm") await service.readAlarms();
      else form.refusal = error;
    }
    draw();
    element.querySelector(".problem:not(:empty)")?.scrollIntoView({ block: "center" });
  }

  /** Shows both versions after another client has changed the alarm. */
  function conflict(present) {
    const now = present?.alarm ?? present ?? {};
    const [mine, sent] = [{ ...form.base, ...form.changes }, patch()];
    const yours = (name, part) =>
      (!(name in sent) || (part && isParted(sent[name]) && !(part in sent[name]))
        ? text.unchanged
        : part
        ? text.valueOf(mine[name][part], part)
        : text.valueOf(mine[name], name));
    const rows = [...new Set([...Object.keys(form.changes), ...Object.keys(now)])].filter((name) => differ(mine[name], now[name])).flatMap((name) => {
      if (name === "repeat") return [[text.fields[name], name in sent ? form.days : text.unchanged, present?.days]];
      if (!isParted(mine[name]) || !isParted(now[name])) return [[text.fields[name] ?? name, yours(name), text.valueOf(now[name], name)]];
      return [...new Set([...Object.keys(mine[name]), ...Object.keys(now[name])])].filter((part) => differ(mine[name][part], now[name][part]))
        .map((part) => [text.partOf(name, part), yours(name, part), text.valueOf(now[name][part], part)]);
    });
    sheet(text.conflict, (close) => h("div", { class: "conflict" },
      h("h2", null, text.conflict), h("p", { class: "quiet" }, text.conflictMore),
      h("table", null,
        h("thead", null, h("tr", null, h("th", { scope: "col" }, h("span", { class: "unseen" }, text.field)),
          h("th", { scope: "col" }, text.yours), h("th", { scope: "col" }, text.now))),
        h("tbody", null,
          rows.map(([label, ...both]) =>
            h("tr", null, h("th", { scope: "row" }, label),
              both.map((one) => h("td", { class: one === text.unchanged ? "quiet" : null }, own(one))))))),
      h("button",
        { type: "button", class: "button",
          onclick: async () => {
            close();
            await service.readAlarms();
            drafts.delete(keyOf(givenDate));
            form.changes = {};
            form.isTouched = false;
            load();
            judge();
          } }, text.takeNow),
      h("button", { type: "button", class: "button second", onclick: () => { close(); save({ over: present?.revision ?? "*" }); } }, text.saveOver)));
  }

  /** Sends a change that is not part of the draft, such as a skip. */
  async function act(name, fields, said) {
    form.actRefusal = null;
    try {
      await service.ask(name, { alarm: id, ...fields });
      await service.readAlarms();
      app.say(said);
      return true;
    } catch (error) {
      form.actRefusal = words.refusal(error);
      service.read();
      return false;
    } finally {
      load();
      judgeSoon();
      draw();
    }
  }

  // The screen

  const head = h("header", { class: "head" });
  const timeBox = h("div", { class: "time" });
  const timeSide = h("div", { class: "time-side" });
  const said = h("div", { class: "said" });
  const lock = h("div");
  const quick = h("div");
  const dots = h("div");
  const rest = h("div");
  const foot = h("div", { class: "foot" });
  const element = h("main", { class: "page edit", id: "main" }, head, h("div", { class: "time-row" }, timeBox, timeSide), said, lock, quick, dots, rest, foot);

  function leaveAsked() {
    if (!form.isTouched) return back();
    sheet(text.discard, (close) => h("div", null, h("h2", null, text.discard),
      h("button", { type: "button", class: "button", onclick: () => close() }, text.goOn),
      h("button", { type: "button", class: "button second",
        onclick: () => { close(); drafts.delete(keyOf(givenDate)); form.isTouched = false; back(); } },
        text.discardIt)));
  }
  const back = () => app.go("", { replaces: true });

  function headContent() {
    const { base, report } = form;
    if (isNew) {
      return [
        h("button", { type: "button", class: "plain first", "aria-label": words.cancel, onclick: leaveAsked }, icon("close")),
        h("h1", { class: "grow centre" }, text.title),
        h("button", { type: "button", class: "plain ink", "aria-pressed": String(form.all),
          onclick: () => { form.all = !form.all; isPadShown = !form.all && !isWide; draw(); } },
          form.all ? text.fewer : text.allOptions),
      ];
    }
    const isOn = form.value("enabled") !== false;
    // Only Save makes it a fact.
    const isSwitched = report && isOn !== (report.alarm.enabled !== false);
    const how = report?.locked ? "locked" : isOn ? "on" : "off";
    return [
      h("button", { type: "button", class: "plain first", "aria-label": words.back, onclick: leaveAsked }, icon("back", { class: "icon turns" })),
      h("div", { class: "grow" }, h("h1", { class: "clip" }, own(base?.label || words.unnamed)),
        hasChanges() && h("p", { class: "small draft" }, text.unsaved)),
      report && h("span", { class: isSwitched ? "small draft" : "small quiet", id: "switched" }, isSwitched ? text.switched[isOn ? "on" : "off"] : text[how]),
      report && toggle(how, {
        label: base.label || words.unnamed, describedby: report.locked ? "lock" : "switched", isDraft: isSwitched,
        onclick: () => form.set({ enabled: !isOn }),
      }),
    ];
  }

  function deletedCard() {
    if (!form.isDeleted) return [];
    return [h("section", { class: "lock", role: "alert" }, h("h2", null, text.deletedElsewhere), h("p", null, text.deletedMore))];
  }

  /** Says that a draft that was left has come back. */
  function keptCard() {
    if (!form.keptAt || !form.isTouched) return [];
    const isToday = form.keptAt.slice(0, 10) === service.local().slice(0, 10);
    return [h("section", { class: "kept" },
      h("p", { class: "grow" }, text.keptFrom(isToday ? words.time(form.keptAt, state) : words.now(form.keptAt, state))),
      h("button", { type: "button", class: "text", onclick: discard }, text.discardKept))];
  }

  /** Gives up the draft, and shows the alarm as it is kept. */
  function discard() {
    drafts.delete(keyOf(givenDate));
    Object.assign(form, { changes: {}, isTouched: false, keptAt: null, refusal: null, outcome: null, newId: service.newUUID(), isUncertain: false });
    if (isNew) form.base = null;
    [typed, half] = ["", null];
    begin();
    draw();
  }

  function lockCard() {
    if (!form.report?.locked) return [];
    const tasks = (form.report.alarm.challenges ?? []).map((one) => text.taskShort(one));
    return [h("section", { class: "lock", id: "lock" }, h("h2", null, text.lockTitle), h("p", null, text.lockText),
      app.has("ringing")
        && h("button",
          { type: "button", class: "button", onclick: async () => (await act("unlock", {}, "")) && app.go("ringing") },
          text.unlock(words.or(tasks, "and").join(""))),
      form.actRefusal && problem(form.actRefusal))];
  }

  function draw() {
    fillWith(head, headContent());
    element.classList.toggle("is-gone", !isNew && !form.base);
    if (!isNew && !form.base) return fillWith(said, state.alarms ? [h("p", null, text.gone), h("a", { class: "text", href: "#/" }, words.main.tabs[""])] : []);
    timeArea();
    fillWith(said,
      [...saidContent(),
        ...(form.outcome?.warnings ?? []).filter((one) => !form.all
          || !one.path.match(/ring|challenges|snooze|late|early|light|check|escalate/)).map((one) =>
            h("p", { class: "small quiet warn" }, words.sentence(one.message)))]);
    fillWith(lock, [...deletedCard(), ...keptCard(), ...lockCard()]);
    fillWith(quick, [isNew && h("div", { class: "chips", role: "group", "aria-label": text.usual }, chips()), isPadShown && pad]);
    fillWith(dots, dayDots(form));
    fillWith(rest, form.all ? options(form) : challengeList(form, { short: true }));
    const isRefused = Boolean(form.refusal) || !hasTime();
    fillWith(foot, [
      form.refusal && form.refusal.errors.every(({ pointer }) => pointer === "#") && form.refusal.name !== "locked" && problem(words.refusal(form.refusal)),
      h("button",
        { type: "button", class: `button${isRefused || asking || (!isNew && !form.isTouched) ? " refused" : ""}`,
          onclick: () => save() }, asking ? words.home.asking : form.isDeleted ? text.saveAsNew : text.save)]);
  }

  /** Takes the alarm as it is kept now. Members of the draft stay. */
  function load() {
    const report = state.alarms?.find(({ alarm }) => alarm.id === id);
    form.report = report ?? null;
    form.isDeleted = Boolean(!isNew && !report && form.base && form.isTouched);
    if (form.isDeleted) return;
    // If another client has changed what this draft changes, the draft stays on its own revision, so that it is refused.
    const mine = form.base && report ? patch() : {};
    // A value that equals the draft may come from a Save whose answer got lost.
    const isOther = (name, part) => {
      const [old, wanted, now] = [form.base, form.changes, report.alarm].map((alarm) => (part ? alarm[name]?.[part] : alarm[name]));
      return differ(old, now) && differ(wanted, now);
    };
    const isAnyOther = (name) => (isParted(mine[name]) && isParted(form.base[name])
      ? Object.keys(mine[name]).some((part) => isOther(name, part))
      : isOther(name));
    if (!Object.keys(mine).some(isAnyOther)) {
      for (const name of Object.keys(mine).filter((one) => isParted(mine[one]) && isParted(report.alarm[one]))) {
        const all = { ...report.alarm[name] };
        for (const part of Object.keys(mine[name])) {
          if (part in form.changes[name]) all[part] = form.changes[name][part];
          else delete all[part];
        }
        form.changes[name] = all;
      }
      [form.base, form.revision] = [report?.alarm ?? null, report?.revision];
    }
    if (report && !form.outcome) form.outcome = { next: report.next, days: report.days };
  }

  async function loadLists() {
    const asked = { sounds: "sounds", codes: "codes", calendars: "calendars", capabilities: "capabilities" };
    await Promise.all(Object.keys(asked).map(async (name) => {
      const answer = await service.ask(name).catch(() => null);
      if (answer) form.lists[name] = name === "capabilities" ? answer : answer[name];
    }));
    draw();
  }

  function begin() {
    if (isNew) {
      const today = words.weekday(service.local());
      const isBeforeWorkday = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday"].includes(today);
      const last = state.alarms?.at(-1)?.alarm;
      form.changes = example !== undefined ? { ...words.home.example, ...(example && { challenges: [{ kind: "qr", codes: [example] }] }) } : {
        time: givenTime ?? null,
        ...(givenDate
          ? { date: givenDate }
          : isBeforeWorkday
          ? { repeat: `FREQ=WEEKLY;BYDAY=${weekdays.slice(0, 5).map((day) => daysOf[day]).join(",")}` }
          : {}),
        ...(last ? { challenges: last.challenges } : {}),
      };
    }
    const kept = drafts.get(keyOf(givenDate));
    if (kept) Object.assign(form, kept, { isTouched: true });
    load();
    loadLists();
    if (isNew || kept) judge();
    if (!isNew && form.base) judge();
  }

  let loaded = null;
  function update() {
    if (!state.status || !state.alarms) return;
    if (!loaded) begin();
    else if (!isNew && loaded !== state.alarms) {
      const wasDeleted = form.isDeleted;
      load();
      if (form.isDeleted !== wasDeleted) judge();
    }
    loaded = state.alarms;
    draw();
  }

  return {
    element, title: isNew ? text.title : text.titleEdit, update,
    leave() {
      clearTimeout(timer);
      clearTimeout(spoken);
      drafts.delete(keyOf(givenDate));
      if (!form.isTouched) return;
      const keptAt = form.keptAt ?? service.local();
      // A draft that was moved to another date no longer belongs to the date of its address.
      const { changes, base, revision, newId, isUncertain } = form;
      drafts.set(keyOf(givenDate && form.value("date")), { changes, keptAt, newId, isUncertain, ...(isNew ? {} : { base, revision }) });
    },
  };
}
