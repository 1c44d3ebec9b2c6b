// Settings: of this phone, of the device, and what new alarms get. Calendars, sounds, phones and the backup have
// modules of their own.

import { choice, problem, sheet } from "../controls.js";
import { fillWith, h, own } from "../dom.js";
import { icon, toggle } from "../drawings.js";
import texts from "../words-settings.js";
import "../words-screens.js";

const others = { calendars: "settings-calendars", phones: "settings-phones", sounds: "settings-sounds", backup: "settings-backup" };
const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const minutes = (...list) => list.map((one) => one * 60);
const locks = minutes(0, 10, 15, 30, 60, 120, 240, 480, 600, 720, 1440);
const snoozes = minutes(1, 2, 3, 5, 7, 9, 10, 15, 20, 30, 45, 60, 90, 120, 240, 1440);

export default function settings(app, parameters) {
  const { words } = app;
  const text = texts.settings;
  const { id } = parameters;
  const title = id ? text.pages[id] ?? text.title : text.title;
  const head = h("header", { class: "head" },
    h("a", { class: "plain first", "aria-label": words.back, href: id ? "#/settings" : "#/bedside" }, icon("back", { class: "icon turns" })),
    h("h1", { class: "grow" }, title));
  const body = h("div");
  const element = h("main", { class: `page settings ${id ?? ""}`, id: "main" }, head, body);
  let part = null, isOver = false;
  const begin = (make) => {
    if (isOver) return;
    part = make(app, body, parameters, { confirm: confirmation(app), kept, conflict: conflict(app) });
    part.update?.(app.store.state);
  };
  if (id in others) {
    import(`./${others[id]}.js`).then((module) => begin(module.default), () => fillWith(body, [h("p", null, words.main.noScreen)]));
  } else begin({ device, defaults }[id] ?? overview);
  return {
    element, title,
    update: (state) => part?.update?.(state),
    leave() {
      isOver = true;
      part?.leave?.();
    },
  };
}

/** What a screen was about to change when it was left, so that a step back loses nothing. */
const kept = new Map();

/** Asks before something that cannot be taken back. `send` may throw its refusal, which is shown. */
const confirmation = ({ words }) => (question, more, label, send) => sheet(question, (close) => {
  const refused = h("div", { role: "alert" });
  return h("div", null, h("h2", null, question), more && h("p", null, more), refused,
    h("button", {
      type: "button", class: "button", onclick: async (event) => {
        event.target.setAttribute("aria-disabled", "true");
        try {
          await send();
          close();
        } catch (error) {
          event.target.removeAttribute("aria-disabled");
          fillWith(refused, [problem(words.refusal(error))]);
        }
      },
    }, label),
    h("button", { type: "button", class: "button second", autofocus: true, onclick: close }, words.cancel));
});

/** Shows what this phone would set beside what another client has set meanwhile. `rows`: pairs of values by their names. */
const conflict = ({ words }) => (title, rows, takeNow, saveOver) => sheet(title, (close) => h("div", { class: "conflict" },
  h("h2", null, title), h("p", { class: "quiet" }, words.edit.conflictMore),
  h("table", null,
    h("thead", null, h("tr", null, h("th", { scope: "col" }, h("span", { class: "unseen" }, words.edit.field)),
      h("th", { scope: "col" }, words.edit.yours), h("th", { scope: "col" }, words.edit.now))),
    h("tbody", null,
      rows.map(([name, ...values]) =>
        h("tr", null, h("th", { scope: "row" }, name),
          values.map((one) => h("td", null, own(words.edit.valueOf(one)))))))),
  h("button", { type: "button", class: "button", onclick: () => { close(); takeNow(); } }, words.edit.takeNow),
  h("button", { type: "button", class: "button second", onclick: () => { close(); saveOver(); } }, words.edit.saveOver)));

const line = (label, more, control, id) =>
  h("div", { class: "line" }, h("span", { class: "grow", id }, label, more && h("span", { class: "second" }, more)),
    control);
const link = (href, picture, label, more) =>
  h("a", { class: "line", href }, icon(picture),
    h("span", { class: "grow" }, label, more && h("span", { class: "second" }, more)),
    icon("forward", { class: "icon end turns" }));

// The first page

function overview(app, body) {
  const { service, store: { state }, words, theme } = app;
  const text = texts.settings;
  let asking = false, refusal = null, version = "";
  service.ask("hello").then((hello) => { version = `${hello.name} ${hello.version}${hello.simulated ? `, ${text.simulated}` : ""}`; update(); }, () => {});

  async function master(on) {
    if (asking) return;
    [asking, refusal] = [true, null];
    update();
    try {
      await service.ask("configure", { body: { enabled: on }, ifMatch: "*" });
      await service.readAlarms();
      app.say(on ? words.home.allOn : words.home.allOff);
    } catch (error) {
      refusal = words.refusal(error);
      service.read();
    }
    asking = false;
    update();
  }

  const hour = (index, label) => h("input", {
    type: "time", "aria-label": label, value: theme.hours()[index], onchange: ({ target }) => {
      if (target.value) theme.chooseHours(...theme.hours().map((one, place) => (place === index ? target.value : one)));
    },
  });

  function update() {
    const { enabled } = state.status ?? {};
    fillWith(body, [
      state.status && h("div", { class: "card" }, h("div", null,
        line(words.home.allAlarms, enabled ? text.allMore : words.home.allOffMore,
          toggle(enabled ? "on" : "off", { label: words.home.allAlarms, asking, onclick: () => master(!enabled) })),
          problem(refusal))),
      h("h2", { class: "group", id: "colours" }, text.colours),
      h("div", { class: "chips wraps", role: "group", "aria-labelledby": "colours" }, Object.entries(text.themes).map(([name, label]) =>
        h("button", { type: "button", class: "chip", "aria-pressed": String(theme.chosen() === name), onclick: () => theme.choose(name) }, label))),
      theme.chosen() === "night"
        && h("div", { class: "card" }, line(text.nightFrom, null, hour(0, text.nightFrom)),
          line(text.nightUntil, null, hour(1, text.nightUntil))),
      h("h2", { class: "group" }, text.ofRooster),
      h("div", { class: "card" },
        link("#/settings/device", "clock", text.pages.device, text.deviceMore), link("#/settings/defaults", "alarms", text.pages.defaults, text.defaultsMore),
        link("#/settings/calendars", "calendar", text.pages.calendars, text.calendarsMore),
        link("#/settings/sounds", "speaker", text.pages.sounds, text.soundsMore),
        app.has("codes") && link("#/codes", "code", texts.bedside.codes),
        link("#/settings/phones", "phone", text.pages.phones, text.phonesMore),
        link("#/settings/backup", "disk", text.pages.backup, text.backupMore)),
      h("p", { class: "small quiet version" }, version),
    ]);
  }
  return { update };
}

// The settings of the device

/** The settings as they are kept, and the changes of this phone by their paths, such as "snooze/min". */
function device(app, body, _, { confirm, conflict }) {
  const { service, store: { state }, words } = app;
  const text = texts.settings;
  // Changes that were left come back with the settings that they are based on.
  let { base = null, revision = null, changes = {} } = kept.get("device") ?? {};
  let refusal = null, asking = false, seen;
  const zones = Intl.supportedValuesOf?.("timeZone") ?? [];

  const at = (object, path) => path.split("/").reduce((value, name) => value?.[name], object);
  const value = (path) => (path in changes ? changes[path] : at(base, path) ?? null);
  const isTouched = () => Object.keys(changes).length > 0;
  function set(path, wanted) {
    if (wanted === (at(base, path) ?? null)) delete changes[path];
    else changes[path] = wanted;
    draw();
  }

  async function load() {
    try {
      const now = await service.ask("settings");
      for (const path of Object.keys(changes)) if (!differ(changes[path], at(now.settings, path))) delete changes[path];
      // If another client has changed what is changed here, the old revision makes Save show both.
      const isOther = base && Object.keys(changes).some((path) => differ(at(base, path), at(now.settings, path)));
      if (!isOther) ({ settings: base, revision } = now);
      refusal = null;
    } catch (error) {
      refusal = error;
    }
    draw();
  }
  const differ = (a, b) => JSON.stringify(a ?? null) !== JSON.stringify(b ?? null);

  async function save(over) {
    if (asking || !isTouched()) return;
    asking = true;
    refusal = null;
    draw();
    const wanted = {};
    for (const [path, one] of Object.entries(changes)) {
      const [first, second] = path.split("/");
      if (second) (wanted[first] ??= {})[second] = one;
      else wanted[first] = one;
    }
    try {
      ({ settings: base, revision } = await service.ask("configure", { body: wanted, ifMatch: over ?? revision }));
      changes = {};
      app.say(words.edit.saved);
    } catch (error) {
      if (error.name === "changedMeanwhile") compare(error.present);
      else refusal = error;
    }
    asking = false;
    draw();
    body.querySelector(".problem")?.scrollIntoView({ block: "center" });
  }

  function compare(present) {
    const now = present?.settings ?? {};
    const names = [...Object.keys(changes),
      ...Object.keys(text.fields).filter((path) => !(path in changes)
        && JSON.stringify(at(base, path)) !== JSON.stringify(at(now, path)))];
    const rows = names.map((path) => [nameOf(path), shown(path, path in changes ? changes[path] : at(base, path)), shown(path, at(now, path))]);
    conflict(text.conflict, rows, () => { changes = {}; load(); }, () => save(present?.revision ?? "*"));
  }
  const nameOf = (path) => text.fields[path] ?? words.weekdayOf(path.split("/")[1] ?? "-") ?? path;
  const shown = (path, one) => (typeof one === "number" && path !== "hours" ? words.length(one) : one);

  const reset = () => confirm(text.resetAsked, text.resetMore, text.reset, async () => {
    ({ settings: base, revision } = await service.ask("resetSettings", { ifMatch: revision }));
    changes = {};
    draw();
    app.say(words.edit.saved);
  });

  // The fields

  const problemOf = (path) =>
    (refusal?.errors ?? []).filter(({ pointer }) => pointer.slice(2) === path).map(({ detail }) =>
      problem(`${words.sentence(detail)}.`, `problem-${path}`));
  const isPlaced = () => refusal.errors.length > 0
    && refusal.errors.every(({ pointer }) => pointer.slice(2) in text.fields || pointer.startsWith("#/bedtime/"));
  const described = (path) => (problemOf(path).length ? `problem-${path}` : null);
  const field = (path, more, control) => h("div", null, line(text.fields[path], more, control), problemOf(path));
  const lengths = (path, list, more) => {
    const present = value(path);
    const all = [...new Set([...list, present])].sort((a, b) => a - b);
    return field(path, more, choice(present, all.map((one) => [one, one ? words.length(one) : text.never]),
      (one) => set(path, Number(one)), { "aria-label": text.fields[path], "aria-describedby": described(path) }));
  };
  const time = (path, label, given) =>
    h("input", { type: "time", "aria-label": label, "aria-describedby": described(path),
      value: value(path) && value(path) !== "off" ? value(path) : "",
      onchange: (event) => set(path, event.target.value || given) });

  function draw() {
    if (!base) return fillWith(body, [refusal && problem(words.refusal(refusal))]);
    kept.set("device", { changes, base, revision });
    const isTested = value("preflight") !== "off";
    const zoneList = [["", text.machineZone(state.status?.zone)],
      ...(zones.includes(value("zone")) || !value("zone")
        ? zones
        : [value("zone"), ...zones]).map((zone) => [zone, zone.replaceAll("_", " ")])];
    fillWith(body, [
      h("div", { class: "card" },
        field("zone", null, choice(value("zone") ?? "", zoneList, (zone) => set("zone", zone || null),
          { "aria-label": text.fields.zone, "aria-describedby": described("zone") })),
        field("hours", null, choice(value("hours") ?? 24, [[24, "19:30"], [12, "7:30 pm"]],
          (hours) => set("hours", Number(hours)), { "aria-label": text.fields.hours }))),
      h("h2", { class: "group" }, text.rules),
      h("div", { class: "card" },
        lengths("lock", locks, text.lockMore),
        field("emergency", text.emergencyMore,
          toggle(value("emergency") === false ? "off" : "on",
            { label: text.fields.emergency, onclick: () => set("emergency", value("emergency") === false) })),
        lengths("snooze/min", snoozes), lengths("snooze/max", snoozes)),
      h("h2", { class: "group" }, text.evening),
      h("div", { class: "card" },
        field("preflight", text.preflightMore,
          toggle(isTested ? "on" : "off",
            { label: text.fields.preflight,
              onclick: () => set("preflight",
                isTested ? "off" : base.preflight === "off" ? "21:00" : base.preflight) })),
        isTested && line(text.testAt, null, time("preflight", text.testAt, base.preflight)),
        field("bedtimeChime", text.chimeMore,
          toggle(value("bedtimeChime") ? "on" : "off",
            { label: text.fields.bedtimeChime, onclick: () => set("bedtimeChime", !value("bedtimeChime")) }))),
      h("h2", { class: "group" }, text.bedtime), h("p", { class: "small quiet" }, text.bedtimeMore),
      h("div", { class: "card" }, weekdays.map((day) => {
        const path = `bedtime/${day}`;
        const isSet = value(path) && value(path) !== "off";
        return h("div", { key: day }, line(words.weekdayOf(day), null, [time(path, words.weekdayOf(day), null),
          isSet
            ? h("button", { type: "button", class: "plain", "aria-label": text.noBedtime(words.weekdayOf(day)),
              onclick: () => set(path, null) }, icon("close"))
            : h("span", { class: "plain", "aria-hidden": "true" })]), problemOf(path));
      })),
      h("p", null,
        h("button",
          { type: "button", class: "text",
            onclick: () => weekdays.forEach((day) => set(`bedtime/${day}`, value("bedtime/mon"))) }, text.everyDay)),
      h("p", null, h("button", { type: "button", class: "text wrong", onclick: reset }, icon("undo"), text.reset)),
      (isTouched() || asking) && h("div", { class: "foot" },
        refusal && !isPlaced() && problem(words.refusal(refusal)),
        h("div", { class: "pair" }, h("button", { type: "button", class: "button second", onclick: () => { changes = {}; load(); } }, words.edit.discardIt),
          h("button", { type: "button", class: "button", "aria-disabled": asking ? "true" : null,
            onclick: () => save() }, asking ? words.home.asking : words.edit.save))),
    ]);
  }

  load();
  return {
    update: ({ record }) => {
      // Another client may have changed them.
      if (record && record !== seen && /settings|restored|import/.test(record.name) && !isTouched() && !asking) load();
      seen = record;
    },
  };
}

// What new alarms get

function defaults(app, body) {
  const { service, store: { state }, words } = app;
  const text = texts.settings;
  let base = null, revision = null, refusal = null, from = "", sounds = [];
  const members = ["ring", "escalate", "snooze", "challenges", "check", "light"];

  async function load() {
    try {
      ({ settings: base, revision } = await service.ask("settings"));
      sounds = (await service.ask("sounds")).sounds;
    } catch (error) {
      refusal = words.refusal(error);
    }
    draw();
  }

  async function put(defaults) {
    refusal = null;
    try {
      ({ settings: base, revision } = await service.ask("configure", { body: { defaults }, ifMatch: revision }));
      from = "";
      app.say(words.edit.saved);
    } catch (error) {
      refusal = words.refusal(error);
      // What another client has set meanwhile is shown above the refusal.
      if (error.name === "changedMeanwhile") ({ settings: base, revision } = error.present);
    }
    draw();
  }

  function summary(now) {
    const { ring = {}, snooze = {}, challenges = [], check, light, escalate } = now;
    const sound = sounds.find(({ id }) => id === ring.sound)?.name ?? ring.sound;
    return [
      ["speaker", [own(sound ?? ""), h("span", { class: "second" }, words.edit.rises(ring.ramp ? words.length(ring.ramp) : "", ring.volume ?? 0.8))]],
      ["pattern", `${words.edit.snooze}: ${words.length(snooze.seconds ?? 540)}, ${words.edit.times(snooze.max === undefined ? 3 : snooze.max)}`],
      ["lock", challenges.length ? challenges.map(({ kind }) => words.kinds[kind] ?? kind).join(", ") : text.noChallenges],
      escalate?.length && ["warning", text.escalates], check && ["bed", words.edit.check], light && ["sun", `${words.edit.light}: ${words.length(light)}`],
    ].filter(Boolean).map(([picture, what]) => h("p", { class: "line" }, icon(picture), h("span", { class: "grow" }, what)));
  }

  function draw() {
    if (!base) return fillWith(body, [problem(refusal)]);
    const alarms = state.alarms ?? [];
    const chosen = alarms.find(({ alarm }) => alarm.id === from)?.alarm;
    const take = () => put(Object.fromEntries(members.map((name) => [name, chosen[name] ?? null])));
    fillWith(body, [
      h("p", { class: "quiet" }, base.defaults ? text.defaultsOwn : text.defaultsNone),
      base.defaults && h("div", { class: "card" }, summary(base.defaults)),
      problem(refusal),
      h("h2", { class: "group" }, text.takeFrom),
      alarms.length > 0
        && h("div", { class: "card" },
          line(text.takeThose, null,
            choice(from, [["", text.choose], ...alarms.map(({ alarm }) => [alarm.id, alarm.label || words.unnamed])],
              (one) => { from = one; draw(); }, { "aria-label": text.takeThose })),
          chosen && summary(chosen)),
      chosen && h("button", { type: "button", class: "button", onclick: take }, text.takeIt),
      !alarms.length && h("p", null, words.home.nothing),
      base.defaults && h("p", null, h("button", { type: "button", class: "text", onclick: () => put(null) }, icon("undo"), text.defaultsReset)),
    ]);
  }

  load();
  let shown;
  return { update: () => { if (shown !== state.alarms) { shown = state.alarms; draw(); } } };
}
