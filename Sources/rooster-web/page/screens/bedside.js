// Bedside: the health of each part, what to do about a problem, and the tests of all parts, of the speakers and of a ring.

import { notice, problem } from "../controls.js";
import { fillWith, h, own } from "../dom.js";
import { icon, mark, ramp } from "../drawings.js";
import texts from "../words-settings.js";

const icons = { codes: "code", tags: "tag", lamps: "lamp", alarms: "alarms", rooster: "bedside" };
const signs = { ok: "check", warning: "warning", broken: "cross" };
const severity = { broken: 2, warning: 1 };
/** The delay of a test ring, in seconds. */
const delaySeconds = 3;
const bars = 16;

export default function bedside(app) {
  const { service, store: { state }, words } = app;
  const text = texts.bedside;

  // The request without a response, and the refusal of the last one.
  let asking = null, refusal = null, answer = null;
  // The last results of a full test. They have details that the status lacks.
  let tested = new Map(), triedRoutes = new Map(), testPending = false;

  async function act(name, request, fields, said) {
    if (asking) return;
    [asking, refusal, answer] = [name, null, null];
    update();
    try {
      const result = await service.ask(request, fields);
      answer = { name, text: said(result) };
      app.say(answer.text);
    } catch (error) {
      refusal = { name, text: words.refusal(error) };
      if (error.name !== "noConnection") service.read();
    }
    asking = null;
    update();
  }

  const tryAll = (loud) => act(loud ? "loud" : "all", "doctor", { body: { loud } }, ({ health, buzzer }) => {
    tested = new Map(health.map((part) => [part.part, part]));
    const count = health.filter(({ grade }) => grade !== "ok").length;
    return [count ? text.found(count) : text.allTried, buzzer === true ? text.buzzerHeard : buzzer === false ? text.noBuzzer : ""].join(" ").trim();
  });
  const trySpeakers = () => act("speakers", "trySpeakers", {}, ({ routes }) => {
    const good = routes.filter(({ health }) => health === "good").length;
    triedRoutes = new Map(routes.map((route) => [route.id, route]));
    return text.speakersTried(good, routes.length);
  });
  const testRing = () => act("ring", "testRing", { body: { delaySeconds } }, () => {
    testPending = true;
    setTimeout(() => { testPending = false; update(); }, (delaySeconds + 2) * 1000);
    return text.testSoon(delaySeconds);
  });
  const endTest = (session) => act("ring", "stop", { body: { ifRing: { alarm: session.alarm, at: session.at } } }, () => text.testOver);
  const goToBed = () => act("bed", "inBed", {}, () => text.goodNight);

  const button = (name, label, onclick, kind = "button") =>
    h("button", { type: "button", class: kind, "aria-disabled": asking === name ? "true" : null, onclick },
      asking === name ? text.trying : label);
  /** What came of a request, beside its button. */
  const outcome = (name) => [refusal?.name === name && problem(refusal.text), answer?.name === name && h("p", { class: "small quiet answer" }, answer.text)];

  // The parts

  /** The health of each part: that of the status, with the details of the last test where both agree. */
  function parts() {
    const shown = new Map(state.status.health.map((part) => [part.part, part]));
    for (const [name, part] of tested) {
      const now = shown.get(name);
      if (!now || (now.grade === part.grade && !now.text)) shown.set(name, part);
    }
    return [...shown.values()];
  }

  const nameOf = ({ part }) => words.parts[part] ?? words.sentence(part);
  const isKnownQuiet = ({ part, causes }) => part === "alarms" && causes.every(({ code }) => code === "noRing" || code === "allOff");

  const worstOf = (all) => all.filter((part) => severity[part.grade] && !isKnownQuiet(part)).sort((a, b) => severity[b.grade] - severity[a.grade])[0];

  function said(all, worst) {
    const isUntested = !all.some(({ part }) => part === "speaker");
    const title = worst ? words.home.causes[worst.causes[0]?.code]?.(worst.causes[0])
      ?? words.home.partOf[worst.grade](nameOf(worst))
        : isUntested
        ? text.untested
        : text.allWell;
    const isLost = state.connection === "lost";
    return [mark(isLost ? "lost" : worst?.grade === "broken" ? "asleep" : "awake"), h("div", { class: "grow" },
      isLost && h("p", { class: "as-of" }, text.asOf(words.time(state.lostAt, state))),
      h("h2", { class: worst?.grade === "broken" ? "lead wrong" : "lead" }, title),
      h("p", { class: "quiet" }, worst ? words.sentence(worst.text) : isUntested ? text.untestedMore : lastTest(all)),
      worst && advice(worst).map((one) => h("p", null, one)))];
  }

  function lastTest(all) {
    const at = all.map((part) => part.at).filter(Boolean).sort().at(-1);
    const ago = at && -service.secondsUntil(at);
    return at ? (ago < 60 ? text.triedNow : text.tried(words.span(ago))) : "";
  }

  /** What the owner can do, beside what the text of the service says. */
  const advice = ({ causes }) => causes.map(({ code }) => text.advice[code]).filter(Boolean);

  /** The worst part is explained at the top. */
  const row = (part, worst, { tag = "li", instead } = {}) => h(tag, { key: part.part, class: "line" }, icon(icons[part.part] ?? part.part),
    h("span", { class: "grow" }, nameOf(part),
      h("span", { class: "second" },
        instead
          ?? (part.part === worst?.part ? words.sentence(text.grades[part.grade]) : words.sentence(part.text)
            || text.well)),
      part.part !== worst?.part && advice(part).map((one) => h("span", { class: "second todo-next" }, one))),
    icon(signs[part.grade], { class: `icon sign ${part.grade}` }), h("span", { class: "unseen" }, gradeOf(part)));

  /** The grade in words, with its time if it may have changed since. */
  const gradeOf = ({ grade }) => {
    const name = text.grades[grade] ?? grade;
    return state.connection === "lost" ? `${name}, ${text.asOf(words.time(state.lostAt, state)).toLowerCase()}` : name;
  };

  function speakers(part, worst) {
    const { speaker } = state.status;
    const level = state.connection === "lost" ? null : state.level ?? speaker.decibels;
    const missing = [...new Set((part?.causes ?? []).flatMap((cause) => cause.missing ?? []))];
    const routes = [...missing.map((name) => ({ id: name, name, health: "missing" })),
      ...speaker.routes.map((route) => (route.health === "unknown" ? triedRoutes.get(route.id) ?? route : route))];
    return [
      part
        ? row(part, worst,
          { tag: "div", instead: speaker.output ? text.heardOn(nameOfRoute(speaker.output)) : undefined })
        : h("div", { class: "line" }, icon("speaker"),
          h("span", { class: "grow" }, words.parts.speaker, h("span", { class: "second" }, text.untried))),
      routes.length > 0 && h("ol", { class: "routes" }, routes.map((route, index) => {
        const plays = route.id === speaker.output;
        return h("li", { class: plays ? "plays" : route.health === "missing" ? "quiet" : null },
          h("span", { class: "quiet" }, index + 1), h("span", { class: "grow" }, own(route.name),
            h("span", { class: "second" },
              plays && level !== null
                ? text.decibels(level)
                : route.reason
                ? words.sentence(route.reason)
                : text.routes[route.health] ?? route.health)),
          plays && ramp(bars, Math.round(bars * (1 + Math.max(-40, Math.min(0, level ?? -40)) / 40)), { width: 140, height: 22 }));
      })),
      speaker.output === "buzzer" && h("p", { class: "problem" }, words.home.causes.buzzerOnly()),
      h("div", null,
        h("button", { type: "button", class: "text", "aria-disabled": asking === "speakers" ? "true" : null,
          onclick: trySpeakers }, icon("speaker"), asking === "speakers" ? text.trying : text.trySpeakers),
        outcome("speakers")),
    ];
  }

  const nameOfRoute = (id) => state.status.speaker.routes.find((route) => route.id === id)?.name ?? (id === "buzzer" ? text.buzzer : id);

  // The screen

  const head = h("header", { class: "head" }, h("h1", { class: "grow" }, text.title),
    app.has("settings") && h("a", { class: "plain", href: "#/settings", "aria-label": words.main.tabs.settings }, icon("settings")));
  const region = (tag = "div", props) => h(tag, props);
  const [top, actions, warnings, sounds, list, night, links] = [region("div", { class: "said" }), region(), region(),
    region("section", { class: "card speakers", "aria-label": words.parts.speaker }), region("ul", { class: "card" }),
    region(), region("nav", { class: "card", "aria-label": text.more })];
  const element = h("main", { class: "page bedside", id: "main" }, head, top, actions, warnings, sounds, list, night, links);
  fillWith(links, [["codes", "code", text.codes], ["settings", "settings", words.main.tabs.settings],
    ["settings/phones", "phone", text.phones], ["settings/backup", "disk", text.backup]]
    .filter(([address]) => app.has(address.split("/")[0]))
    .map(([address, picture, label]) => h("a", { class: "line", href: `#/${address}` }, icon(picture),
      h("span", { class: "grow" }, label), icon("forward", { class: "icon end turns" }))));
  links.hidden = !links.firstChild;

  function update() {
    const { status } = state;
    for (const part of [actions, sounds, list, night]) part.hidden = !status;
    if (!status) return fillWith(top, [h("p", { class: "quiet" }, text.waiting)]);
    element.classList.toggle("is-old", state.connection === "lost");
    const all = parts();
    const test = status.sessions.find((session) => session.test);
    if (test && testPending) [testPending, answer] = [false, null];
    const worst = worstOf(all);
    fillWith(top, said(all, worst));
    fillWith(actions, [
      h("div", { class: "pair" }, button("all", text.tryAll, () => tryAll(false)),
        test
          ? button("ring", text.endTest, () => endTest(test), "button second")
          : button("ring", testPending ? text.testSoonShort : text.testRing, () => !testPending && testRing(),
            "button second")),
      outcome("all"), outcome("ring"),
    ]);
    fillWith(warnings, status.warnings.map((one) => notice({ title: words.sentence(one) })));
    fillWith(sounds, speakers(all.find(({ part }) => part === "speaker"), worst));
    const others = all.filter(({ part }) => part !== "speaker");
    // Broken parts come first.
    others.sort((a, b) => (severity[b.grade] ?? 0) - (severity[a.grade] ?? 0));
    fillWith(list, [...others.map((part) => row(part, worst)),
      !others.some(({ part }) => part === "clock")
        && !status.trusted
        && row({ part: "clock", grade: "warning", text: status.clock, causes: [{ code: "clockUnknown" }] })]);
    list.hidden = !list.firstChild;
    const { bedtime } = status;
    fillWith(night, [
      h("div", { class: "card" },
        h("button", { type: "button", class: "line", "aria-disabled": asking === "bed" ? "true" : null,
          onclick: goToBed }, icon("bed"), h("span", { class: "grow" }, asking === "bed" ? text.trying : text.toBed,
            h("span", { class: "second" },
              bedtime?.inBedLocal
                ? text.inBed(words.time(bedtime.inBedLocal, state))
                : bedtime?.nextLocal
                ? text.bedtime(words.within(words.dayShort(bedtime.nextLocal, service.local())),
                  words.time(bedtime.nextLocal, state))
                : text.toBedMore))),
        h("button", { type: "button", class: "line", "aria-disabled": asking === "loud" ? "true" : null,
          onclick: () => tryAll(true) }, icon("speaker"),
          h("span", { class: "grow" }, asking === "loud" ? text.trying : text.tryLoud,
            h("span", { class: "second" }, text.tryLoudMore)))),
      outcome("bed"), outcome("loud"),
    ]);
  }

  return { element, title: text.title, update };
}
