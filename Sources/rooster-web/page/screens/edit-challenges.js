// The challenges of an alarm, in their order.

import { sheet, stepper } from "../controls.js";
import { fillWith, h, own } from "../dom.js";
import { icon, toggle } from "../drawings.js";
import words from "../words-screens.js";

/** The list of challenges. `short`: for a new alarm, with a button to take each out. */
export function challengeList(form, { short = false } = {}) {
  const { text } = form;
  const all = form.value("challenges") ?? [];
  const put = (challenges) => form.set({ challenges });
  const move = (index, by) => {
    const moved = [...all];
    moved.splice(index + by, 0, ...moved.splice(index, 1));
    put(moved);
  };
  const arrow = (index, by, name, isPossible) => h("button", {
    type: "button", class: "plain", "aria-label": text[name](text.taskShort(all[index])),
    "aria-disabled": isPossible ? null : "true", onclick: () => isPossible && move(index, by),
  }, icon(name));
  const rows = all.map((one, index) => h("div", { class: "line", key: `${index} ${one.kind}` },
    h("button",
      { type: "button", class: "line grow",
        onclick: () => change(form, one,
          (wanted) => put(wanted
            ? all.map((other, place) => (place === index ? wanted : other))
            : all.filter((_, place) => place !== index))) },
      icon(one.kind, { class: "icon accent" }),
      h("span", { class: "grow" },
        h("strong", null, short
          ? text.stopsWith[one.kind] ?? one.kind
          : `${index + 1}. ${words.kinds[one.kind] ?? one.kind}`),
          h("span", { class: "second" }, h("span", null, details(form, one))))),
    short
      ? h("button", { type: "button", class: "plain", "aria-label": text.remove(text.taskShort(one)),
        onclick: () => put(all.filter((_, place) => place !== index)) }, icon("close", { class: "icon small" }))
      : all.length > 1 && [arrow(index, -1, "up", index > 0), arrow(index, 1, "down", index < all.length - 1)]));
  const isFull = all.length >= (form.lists.capabilities?.limits.challenges.max ?? 10);
  return [
    !short && h("h2", { class: "group" }, text.toStop),
    h("div", { class: "card" }, rows,
      !isFull
        && h("button",
          { type: "button", class: "text line", onclick: () => add(form, (wanted) => put([...all, wanted])) },
          icon("plus"), text.addChallenge)),
    form.problemOf("challenges"), !short && form.warningOf("challenges"),
    (form.report?.replaced ?? []).map((one) => h("p", { class: "small quiet" }, words.sentence(one.text))),
  ];
}

/** What a challenge asks for: "bathroom or kitchen". */
function details(form, one) {
  const { text, lists } = form;
  const example = lists.capabilities?.limits.sumExamples?.[(one.level ?? 1) - 1];
  switch (one.kind) {
    case "qr": return words.or((one.codes ?? []).map(own));
    case "tag": return words.or((one.tags ?? []).map(own));
    case "math": return text.sums(one.count ?? 3, example);
    case "steps": return text.steps(one.count ?? 30);
    case "pattern": return text.presses(one.length ?? 5);
    case "roulette": return words.or((one.of ?? []).map((each) => text.taskShort(each)));
    default: return one.kind;
  }
}

const firsts = { qr: { codes: [] }, tag: { tags: [] }, math: { count: 3, level: 1 }, steps: { count: 30 }, pattern: { length: 5 }, roulette: { of: [] } };

/** Lets the owner choose a kind, and then what it asks for. `without`: kinds that are left out. */
function add(form, put, without = []) {
  const { text } = form;
  const kinds = (form.lists.capabilities?.challenges ?? ["math"]).filter((kind) => !without.includes(kind));
  sheet(text.addChallenge, (close) => h("div", null, h("h2", null, text.addChallenge), kinds.map((kind) => h("button", {
    type: "button", class: "line", onclick: () => {
      close();
      const first = { kind, ...structuredClone(firsts[kind] ?? {}) };
      // The only code is the one that is meant.
      const known = form.lists.codes.filter((code) => code.kind === kind);
      if (kind === "qr" && known.length === 1) first.codes = [known[0].label];
      if (kind === "tag" && known.length === 1) first.tags = [known[0].label];
      change(form, first, (wanted) => wanted && put(wanted), { isNew: true });
    },
  }, icon(kind, { class: "icon accent" }),
  h("span", { class: "grow" }, h("strong", null, words.kinds[kind]),
    h("span", { class: "second" }, text.aboutKind[kind]))))));
}

/** Shows the sheet of a challenge. `put` gets it as it shall be, or null to take it out. */
function change(form, challenge, put, { isNew = false } = {}) {
  const { text, app } = form;
  const limits = form.lists.capabilities?.limits ?? {};
  let wanted = structuredClone(challenge);
  const body = h("div", { class: "fields" });
  const set = (members) => {
    wanted = { ...wanted, ...members };
    fill();
  };
  const steps = (name, label, first, limit, step, show) => h("div", { class: "line" }, h("span", { class: "grow" }, label),
    stepper(label, wanted[name] ?? first, { min: limit?.min ?? 1, max: limit?.max ?? 20, step, text: show, change: (value) => set({ [name]: value }) }));
  const labels = (name, kind) => {
    const known = form.lists.codes.filter((code) => code.kind === kind).map(({ label }) => label);
    // A code that was forgotten meanwhile can still be taken out.
    const all = [...new Set([...known, ...wanted[name]])];
    if (!all.length) return [h("p", { class: "quiet" }, text.noneKnown[kind]),
      app.has("codes") && h("a", { class: "text", href: "#/codes", onclick: () => dialog.close() }, text.toCodes)];
    return [h("p", { class: "quiet" }, text.anyOf),
      all.map((label) => h("div", { class: "line" }, h("span", { class: "grow" }, own(label)),
        toggle(wanted[name].includes(label) ? "on" : "off", {
          label, onclick: () => set({ [name]: wanted[name].includes(label) ? wanted[name].filter((one) => one !== label) : [...wanted[name], label] }),
        })))];
  };
  const fields = {
    qr: () => labels("codes", "qr"),
    tag: () => labels("tags", "tag"),
    math: () => [
      steps("count", text.howMany, 3, limits.sumCount, 1, String),
      h("div", { class: "line" }, h("span", { class: "grow" }, text.level),
        h("span", { class: "chips" },
          [1, 2, 3].map((level) => h("button",
            { type: "button", class: "chip", "aria-pressed": String((wanted.level ?? 1) === level),
              onclick: () => set({ level }) }, text.levels[level - 1])))),
      h("p", { class: "quiet small" }, text.like(limits.sumExamples?.[(wanted.level ?? 1) - 1] ?? "")),
      steps("limit", text.timeForEach, 60, limits.sumSeconds, 15, (seconds) => words.length(seconds)),
    ],
    steps: () => steps("count", text.howMany, 30, limits.steps, 10, String),
    pattern: () => steps("length", text.howMany, 5, limits.patternLength, 1, String),
    roulette: () => [
      h("p", { class: "quiet" }, text.roulette),
      wanted.of.map((one, index) => h("div", { class: "line" },
        h("button",
          { type: "button", class: "line grow",
            onclick: () => change(form, one,
              (other) =>
                set({ of: other
                  ? wanted.of.map((each, place) => (place === index ? other : each))
                  : wanted.of.filter((_, place) => place !== index) })) },
          icon(one.kind, { class: "icon accent" }),
          h("span", { class: "grow" }, words.kinds[one.kind],
            h("span", { class: "second" }, h("span", null, details(form, one))))))),
      h("button",
        { type: "button", class: "text line",
          onclick: () => add(form, (one) => set({ of: [...wanted.of, one] }), ["roulette"]) }, icon("plus"),
          text.addChallenge),
    ],
  }[challenge.kind] ?? (() => h("p", null, text.unknownKind));
  const isComplete = () => (wanted.codes ?? wanted.tags ?? ["x"]).length > 0 && (!wanted.of || wanted.of.length > 1);
  const fill = () => fillWith(body, [
    h("h2", null, words.kinds[challenge.kind] ?? challenge.kind), fields(),
    h("button", {
      type: "button", class: `button${isComplete() ? "" : " refused"}`, onclick: () => {
        if (!isComplete()) return app.say(text.incomplete[challenge.kind], true);
        dialog.close();
        put(wanted);
      },
    }, isNew ? text.addIt : text.takeIt),
    !isComplete() && h("p", { class: "small quiet" }, text.incomplete[challenge.kind]),
    !isNew && h("button", { type: "button", class: "text wrong", onclick: () => { dialog.close(); put(null); } },
      icon("delete"), text.remove(text.taskShort(challenge))),
  ]);
  const dialog = sheet(words.kinds[challenge.kind] ?? challenge.kind, () => body);
  fill();
}
