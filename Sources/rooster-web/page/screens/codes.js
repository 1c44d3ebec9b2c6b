// The codes and tags that end a ring: which there are, what uses them, a new one, and a test of one. `do` of the address
// chooses the step: enrol, test or print; `label` and `kind` are those of the code.

import { notice, problem, sheet } from "../controls.js";
import { fillWith, h, own, svg } from "../dom.js";
import { icon, mark, ramp } from "../drawings.js";
import "../words-screens.js";

export default (app, parameters) => ({ enrol: scan, test: scan, print }[parameters.do] ?? list)(app, parameters);

const address = (step, fields = {}) => `codes?${new URLSearchParams({ do: step, ...fields })}`;
const symbol = ({ kind, symbology }) => (kind === "tag" ? "tag" : symbology && symbology !== "qr" ? "barcode" : "code");
/** The reasons of a refusal. `nameOf` gives the name of an alarm whose id a pointer has. */
const refusal = (words, error, nameOf) => (error.errors.length
  ? error.errors.map(({ pointer, detail }) => h("span", { class: "reason" }, nameOf ? [nameOf(decodeURIComponent(pointer.slice(2))), " ", detail] : words.sentence(detail), ".")) : words.refusal(error));

function page(title, { back, close, backTo = "codes" }, ...children) {
  return h("main", { class: "page codes", id: "main" },
    h("div", { class: "head" }, h("a", { class: "plain ink first", href: `#/${backTo}`, "aria-label": close ?? back }, icon(close ? "close" : "back", { class: "icon turns" })),
      h("h1", { class: "grow" }, title)), ...children);
}

// The list

function list(app) {
  const { service, words } = app;
  const text = words.codes;
  const region = h("div");
  const element = page(text.title, { back: words.back, backTo: app.has("bedside") ? "bedside" : "" }, h("p", { class: "quiet about" }, text.about), region);
  element.classList.add("has-title");
  let codes = null, kinds = null, failure = null, record = app.store.state.record;

  async function read() {
    try {
      const [known, abilities] = await Promise.all([service.ask("codes"), service.ask("capabilities")]);
      [codes, kinds, failure] = [known.codes, abilities.enrol ?? [], null];
    } catch (error) {
      failure = words.refusal(error);
    }
    draw();
  }

  const nameOf = (id) => own(app.store.state.alarms?.find(({ alarm }) => alarm.id === id)?.alarm.label || words.unnamed);
  const ends = ({ alarms }) => (alarms.length ? text.ends(words.or(alarms.map(nameOf), text.and)) : text.endsNothing);
  const way = (picture, title, more, step, fields) => h("a", { class: "line", href: `#/${address(step, fields)}` },
    icon(picture, { class: "icon accent" }), h("span", { class: "grow" }, h("strong", null, title), h("span", { class: "second" }, more)), icon("forward", { class: "icon end turns" }));

  function draw() {
    if (failure && !codes) return fillWith(region, [notice({ title: failure, broken: true }), h("button", { type: "button", class: "button second", onclick: read }, words.tryAgain)]);
    if (!codes) return;
    const [camera, reader] = ["qr", "tag"].map((kind) => kinds.includes(kind));
    fillWith(region, [
      codes.length > 0 ? h("ul", { class: "card", key: "codes" }, codes.map((code) => h("li", { key: code.label }, h("button", { type: "button", class: "line", onclick: () => open(code) },
        h("span", { class: "picture" }, icon(symbol(code))),
        h("span", { class: "grow" }, h("strong", { class: "two-lines" }, own(code.label)), h("span", { class: "second" }, h("span", null, ends(code))), h("span", { class: "second print-of" }, code.fingerprint)),
        icon("forward", { class: "icon end turns" })))))
        : h("p", { class: "card line none", key: "none" }, text.none),
      (camera || reader) && h("div", { class: "card", key: "ways" },
        camera && way("print", text.print, text.printMore, "print"),
        camera && way("aim", text.show, text.showMore, "enrol"),
        reader && way("tag", text.hold, text.holdMore, "enrol", { kind: "tag" })),
      !camera && h("p", { class: "small quiet", key: "camera" }, text.noCamera),
      codes.length > 0 && (camera || reader) && h("div", { class: "card", key: "try" }, way("search", text.try, text.tryMore, "test")),
    ]);
  }

  function open(code) {
    const body = h("div");
    let step = "", refused = null;
    const forget = async () => {
      step = "asking";
      fill();
      try {
        await service.ask("forgetCode", { label: code.label });
        app.say(text.forgotten);
        return close(), read();
      } catch (error) {
        [step, refused] = ["", [refusal(words, error, nameOf), error.errors.length > 0 && h("span", { class: "reason" }, text.forgetFirst)]];
        read();
      }
      fill();
    };
    const fill = () => fillWith(body, [
      h("h2", null, own(code.label)),
      h("p", { class: "quiet small" }, text.kinds[symbol(code)], " · ", h("span", { class: "print-of" }, code.fingerprint), code.enrolled && [" · ", text.since(words.date(code.enrolled, service.local()).split(", ")[1])]),
      h("h3", { class: "group" }, code.alarms.length ? text.endsTitle : text.notUsed),
      code.alarms.map((id) => h("a", { class: "line", href: `#/alarm/${encodeURIComponent(id)}`, onclick: () => close() }, icon("alarms"), h("span", { class: "grow two-lines" }, nameOf(id)), icon("forward", { class: "icon end turns" }))),
      h("a", { class: "line", href: `#/${address("test", { label: code.label, kind: code.kind })}`, onclick: () => close() }, icon("search", { class: "icon accent" }), h("span", { class: "grow" }, text.tryThis, h("span", { class: "second" }, text.tryMore)), icon("forward", { class: "icon end turns" })),
      h("a", { class: "line", href: `#/${address("enrol", { label: code.label, kind: code.kind })}`, onclick: () => close() }, icon("redo", { class: "icon accent" }), h("span", { class: "grow" }, text.replace[code.kind] ?? text.replace.qr, h("span", { class: "second" }, text.replaceMore)), icon("forward", { class: "icon end turns" })),
      step ? h("div", { key: "sure" }, h("p", { class: "strong sure" }, text.forgetAsked(own(code.label))), h("div", { class: "pair" },
        h("button", { type: "button", class: "button second", onclick: () => { step = ""; fill(); } }, words.edit.keep),
        h("button", { type: "button", class: "button refused wrong", onclick: forget, "aria-disabled": step === "asking" ? "true" : null }, step === "asking" ? words.home.asking : text.forgetIt)))
        : h("button", { type: "button", class: "line wrong", key: "forget", onclick: () => { [step, refused] = ["sure", null]; fill(); body.querySelector(".pair .button").focus(); } }, icon("delete"), h("span", { class: "grow" }, text.forget)),
      problem(refused),
      code.kind === "qr" && h("p", { class: "small quiet" }, text.notKept),
    ]);
    fill();
    const { close } = sheet(code.label, () => body);
  }

  read();
  return {
    element, title: text.title,
    update(state) {
      if (state.record !== record) {
        record = state.record;
        if (!/^(sum|step|level|client)/.test(record?.name ?? "")) read();
      }
      draw();
    },
  };
}

/** Asks for the name of a code, and then calls `go` with it. */
function naming(app, go, { label = "", isTag = false, submit }) {
  const text = app.words.codes;
  const input = h("input", { id: "label", autocomplete: "off", maxlength: 100, value: label });
  const form = h("form", { class: "naming" },
    h("label", { class: "group", for: "label" }, text.name), h("div", { class: "card" }, input),
    h("div", { class: "chips wraps" }, (isTag ? text.tagNames : text.names).map((name) => h("button", { type: "button", class: "chip", onclick: () => { input.value = name; input.focus(); } }, name))),
    h("p", { class: "small quiet about" }, isTag ? text.nameMoreTag : text.nameMore),
    h("div", { class: "foot" }, h("button", { class: "button" }, submit)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (input.value.trim()) go(input.value.trim());
    else input.focus();
  });
  // The page's heading has the focus of a new screen.
  setTimeout(() => input.focus());
  return form;
}

// Enrolment, and a test of a code

const pollMilliseconds = 700;

function scan(app, { do: task, label = "", kind = "qr" }) {
  const { service, words } = app;
  const text = words.codes;
  const isTest = task === "test";
  const isTag = kind === "tag";
  const region = h("div");
  const title = h("span");
  const element = page(title, { close: words.cancel }, region);
  element.classList.add("aiming");
  let run = 0, isWaiting = false, view = null, outcome = null, refused = null, limits = { codeSizePercentMin: 12, sharpnessMin: 20 }, spoken = "";
  service.ask("capabilities").then((known) => (limits = { ...limits, ...known.limits })).catch(() => {});

  async function start(name = label) {
    const number = ++run;
    [label, isWaiting, view, outcome, refused] = [name, true, null, null, null];
    draw();
    if (!isTag) look(number);
    try {
      const done = await service.ask(isTest ? "testCode" : "enrol", { body: isTest ? {} : { label, kind } });
      if (number === run) outcome = done;
    } catch (error) {
      if (number === run) refused = error;
    }
    if (number !== run) return;
    isWaiting = false;
    draw();
    app.say(region.querySelector(".todo")?.textContent ?? "", Boolean(refused));
    region.querySelector(".button")?.focus({ preventScroll: true });
  }

  /** Follows what the camera sees, as long as this run waits. */
  async function look(number) {
    while (number === run && isWaiting) {
      const answer = await service.ask("preview").catch(() => null);
      if (number !== run || !isWaiting) return;
      if (answer) view = answer.view;
      draw();
      await new Promise((done) => setTimeout(done, pollMilliseconds));
    }
  }

  /** Another client's scan ends, so that this one can begin. */
  const takeOver = async () => {
    await service.ask("cancelScan").catch(() => {});
    start();
  };

  function hint() {
    if (app.store.state.connection === "lost") return [text.noConnection];
    if (isTag) return [text.holdNow, text.holdNowMore];
    if (view?.problem) return [text.noPictures, `${words.sentence(view.problem)}.`];
    if (!view?.frame) return [text.starting];
    return text.hints[view.hint] ?? [isTest ? text.showAny : text.showNow, text.showNowMore];
  }

  const bar = (name, share, said, isBad) => h("div", { class: `gauge${isBad ? " bad" : ""}` }, h("span", null, name),
    h("span", { class: "bars" }, ramp(16, Math.max(0, Math.min(16, Math.round(share * 8))), { height: 20, width: 170, heights: Array.from({ length: 16 }, (_, index) => 0.5 + index / 30) })), h("span", null, said));

  function aim() {
    const [todo, more] = hint();
    if (todo !== spoken) app.say((spoken = todo));
    const frame = view?.frame;
    const [code] = frame?.codes ?? [];
    const size = code?.sizePercent;
    return [
      isTag ? h("div", { class: "view tag-view" }, icon("tag")) : h("div", { class: "view" },
        view?.picture ? h("img", { src: `data:image/jpeg;base64,${view.picture}`, alt: text.seen })
          : code && h("span", { class: "code-in-view", style: { "inline-size": `${Math.min(100, size)}%` } }, icon("code")),
        svg("svg", { class: "corners", viewBox: "0 0 100 100", "aria-hidden": "true" }, svg("path", { d: "M2 22V14A12 12 0 0 1 14 2h8M78 2h8a12 12 0 0 1 12 12v8M98 78v8a12 12 0 0 1-12 12h-8M22 98h-8A12 12 0 0 1 2 86v-8" }))),
      h("h2", { class: "todo" }, todo), more && h("p", { class: "quiet" }, more),
      !isTag && h("div", { class: "gauges" },
        bar(text.size, size ? size / limits.codeSizePercentMin : 0, size ? `${size} %` : "–", size !== undefined && size < limits.codeSizePercentMin),
        bar(text.light, frame ? (frame.dark ? Math.min(0.8, frame.light / 64) : Math.max(1.25, frame.light / 64)) : 0, frame ? (frame.dark ? text.dark : text.enough) : "–", frame?.dark),
        bar(text.sharpness, frame && !frame.dark ? frame.sharpness / limits.sharpnessMin : 0, frame && !frame.dark ? (frame.sharpness < limits.sharpnessMin ? text.blurred : text.sharp) : "–", frame && !frame.dark && frame.sharpness < limits.sharpnessMin)),
      h("p", { class: "small quiet" }, view?.picture ? text.seeing : "", " ", text.aMinute),
      h("div", { class: "foot" }, h("a", { class: "button second", href: "#/codes" }, words.cancel)),
    ];
  }

  function found() {
    const name = outcome.code?.label ?? outcome.label;
    const print = outcome.code?.fingerprint ?? outcome.fingerprint;
    const isOther = isTest && label && name !== label;
    const kindFound = outcome.code?.kind ?? outcome.kind;
    const said = !isTest ? text.known(own(name)) : !name ? text.unknown[kindFound] ?? text.unknown.qr : isOther ? text.other(own(name), own(label)) : text.is(own(name));
    const button = (href, words_, isSecond) => h("a", { class: `button${isSecond ? " second" : ""}`, href: `#/${href}` }, words_);
    return [
      h("div", { class: "result" }, mark(!isTest ? "crowing" : name && !isOther ? "awake" : "asleep"), h("h2", { class: "todo" }, said), h("p", { class: "quiet print-of" }, text.fingerprint(print)),
        !isTest && outcome.another && h("p", { class: "quiet" }, text.another),
        !isTest && !outcome.code.alarms.length && h("p", { class: "quiet" }, text.useIt),
        isTest && name && !isOther && h("p", { class: "quiet" }, text.isMore)),
      h("div", { class: "foot stack" },
        !isTest && outcome.another && h("button", { type: "button", class: "button", onclick: () => { [outcome, label] = [null, ""]; draw(); } }, text.enrolSecond),
        isTest && h("button", { type: "button", class: "button", onclick: () => start() }, text.tryAnother),
        isTest && !name && button(address("enrol", { kind: kindFound }), text.enrolIt, true),
        button("codes", text.done, !isTest ? outcome.another : true)),
    ];
  }

  function failed() {
    const isSeen = refused.name === "noCodeSeen";
    const isBusy = refused.name === "scanning";
    return [
      h("div", { class: "result" }, mark("asleep"), h("h2", { class: "todo" }, isSeen ? text.notSeen[isTag ? "tag" : "qr"] : isBusy ? text.busy : text.refused),
        h("p", { class: "quiet" }, isSeen ? !isTag && view?.hint && text.hints[view.hint]?.join(". ") || text.notSeenMore : refusal(words, refused))),
      h("div", { class: "foot stack" },
        isBusy ? h("button", { type: "button", class: "button", onclick: takeOver }, text.takeOver) : h("button", { type: "button", class: "button", onclick: () => start() }, words.tryAgain),
        !isTest && (refused.errors.length > 0 || refused.name === "enrolledAlready") && h("button", { type: "button", class: "button second", onclick: () => { refused = null; draw(); } }, text.otherName),
        h("a", { class: "button second", href: "#/codes" }, words.back)),
    ];
  }

  let drawn = null;
  function draw() {
    fillWith(title, isTest ? (label ? [text.tryThis, ": ", own(label)] : [text.try]) : !label ? [text.newOne[isTag ? 1 : 0]] : [text.newOne[isTag ? 1 : 0], ": ", own(label)]);
    const stage = isWaiting ? "aim" : outcome ? "found" : refused ? "failed" : "name";
    if (stage === "name") {
      // What is typed stays.
      if (drawn !== stage) region.replaceChildren(naming(app, start, { label, isTag, submit: text.next[isTag ? 1 : 0] }));
    } else {
      if (drawn === "name" || drawn !== stage) region.replaceChildren();
      fillWith(region, { aim, found, failed }[stage]());
    }
    drawn = stage;
  }

  // A page that is closed sends no more than this.
  const close = () => isWaiting && fetch(service.addressOf("cancelScan"), { method: "POST", keepalive: true, headers: { "Idempotency-Key": service.newKey() } }).catch(() => {});
  addEventListener("pagehide", close);
  if (isTest || label) start();
  else draw();
  return {
    element, title: isTest ? text.try : text.newOne[isTag ? 1 : 0],
    update: () => isWaiting && draw(),
    leave() {
      removeEventListener("pagehide", close);
      run++;
      if (isWaiting) service.ask("cancelScan").catch(() => {});
    },
  };
}

// A new code on a sheet

function print(app, { label = "" }) {
  const { service, words } = app;
  const text = words.codes;
  const region = h("div");
  const element = page(text.print, { back: words.back }, region);
  element.classList.add("printing");
  let picture = null;
  /** Gives the memory of the picture back. The code of a sheet that is not shown any more is gone. */
  const drop = () => picture && URL.revokeObjectURL(picture.src);

  async function make(name) {
    label = name;
    region.replaceChildren(h("p", { class: "quiet" }, words.home.asking));
    try {
      const sheet = await service.ask("codeSheet", { body: { label } });
      drop();
      picture = h("img", { class: "sheet-of-code", src: URL.createObjectURL(sheet), alt: text.sheetOf(label) });
      // Until then the paper would be empty.
      await picture.decode();
      region.replaceChildren(
        picture,
        h("p", null, text.lamp), h("p", { class: "quiet" }, text.thenShow, " ", text.whoever),
        h("p", { class: "small quiet" }, text.eachOther),
        h("div", { class: "foot stack" },
          typeof window.print === "function" && h("button", { type: "button", class: "button", onclick: () => window.print() }, icon("print"), text.printIt),
          h("a", { class: "button second", href: `#/${address("enrol", { label })}` }, icon("aim"), text.showIt)));
      app.say(text.sheetReady);
      region.querySelector(".button").focus({ preventScroll: true });
    } catch (error) {
      const form = naming(app, make, { label, submit: text.makeSheet });
      form.querySelector(".card").after(problem(refusal(words, error)));
      region.replaceChildren(form);
    }
  }

  if (label) make(label);
  else region.replaceChildren(naming(app, make, { submit: text.makeSheet }));
  return { element, title: text.print, leave: drop };
}
