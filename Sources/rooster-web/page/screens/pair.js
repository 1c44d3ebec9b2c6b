// Pairing: this browser becomes known to the device, by presses of its buttons or by an invitation.

import { notice } from "../controls.js";
import { fillWith, h, own } from "../dom.js";
import { icon, mark, nightLine, ramp } from "../drawings.js";
import words from "../words.js";
import more from "../words-ringing.js";
import { shapes } from "./ringing-views.js";

const texts = more.pair;
const pollEvery = 700;

/** The name of this phone in the list of phones, until its owner changes it here. */
function suggestedName() {
  const platform = navigator.userAgentData?.platform ?? (/iPhone|iPad|Android|Mac|Windows|Linux/.exec(navigator.userAgent) ?? [])[0];
  return texts.phoneName(platform);
}

export default function pair(app, { secret }) {
  const { service } = app;
  const element = h("main", { class: "page pairing", id: "main" });
  /** start, asking, pressing, failed, claiming, done or away, and what belongs to it. */
  let view = { name: "start" };
  let ways = ["presses", "invitation"];
  let name = suggestedName();
  let timer = null;

  function show(next) {
    view = next;
    render();
    const heading = element.querySelector("h1");
    heading?.focus({ preventScroll: true });
  }

  async function begin() {
    show({ name: "asking" });
    try {
      const { pairing, presses, seconds } = await service.ask("pair", { body: { name: name.trim() || suggestedName() } });
      show({ name: "pressing", pairing, presses, seconds, of: seconds, pressed: 0 });
      app.say(`${texts.todo}: ${presses.join(", ")}`);
      timer = setTimeout(look, pollEvery);
    } catch (problem) {
      refuse(problem);
    }
  }

  function refuse({ name: code, retrySeconds, detail }) {
    if (code === "noConnection") show({ name: "away" });
    else if (code === "noButtons") {
      ways = ways.filter((way) => way !== "presses");
      show({ name: "start" });
    } else if (code === "ringing") show({ name: "failed", title: texts.ringing, text: texts.ringingMore });
    else show({ name: "failed", title: code === "pairLater" ? texts.notYet : texts.failed,
      text: code === "pairLater" ? texts.notYetMore : `${words.sentence(detail)}.`,
      until: retrySeconds && performance.now() + retrySeconds * 1000 });
  }

  /** Asks what became of the presses. */
  async function look() {
    if (view.name !== "pressing") return;
    try {
      const { state, pressed, seconds, reason, code } = await service.ask("pairing", { pairing: view.pairing });
      if (view.name !== "pressing") return;
      if (state === "paired") return paired();
      if (state === "waiting") {
        view = { ...view, pressed, seconds, lost: false };
        render();
      } else if (code === "ringing") refuse({ name: "ringing" });
      else show({ name: "failed", title: state === "expired" ? texts.expired : texts.failed,
        text: state === "expired" ? texts.expiredMore : reason ? `${words.sentence(reason)}.` : "" });
    } catch (problem) {
      // The next try may get through: the presses count on the device.
      if (problem.name !== "noConnection") return refuse(problem);
      if (!view.lost) app.say(texts.noConnection, true);
      view = { ...view, lost: true };
      render();
    }
    timer = setTimeout(look, pollEvery);
  }

  async function claim() {
    show({ name: "claiming" });
    try {
      await service.ask("claim", { body: { secret, name } });
      paired();
    } catch (problem) {
      if (problem.name === "noConnection") show({ name: "away" });
      else if (problem.name === "noInvitation") show({ name: "failed", title: texts.badSecret, text: texts.badSecretMore });
      else show({ name: "failed", title: texts.failed, text: words.refusal(problem) });
    }
  }

  function paired() {
    show({ name: "done" });
    // The address keeps this screen until its owner goes on.
    app.go("pair", { replaces: true });
    service.paired();
    app.say(texts.done);
    count();
  }

  function count() {
    service.ask("clients").then(({ clients }) => {
      if (view.name === "done") view.count = clients.filter(({ kind }) => kind === "page").length;
      render();
    }).catch(() => {});
  }

  const button = (text, onclick, second = false) => h("button", { type: "button", key: text, class: `button${second ? " second" : ""}`, onclick }, text);

  const lineTo = (label, value) =>
    h("a", { class: "line", href: "#/settings/phones" }, h("span", { class: "grow" }, label),
      h("span", { class: "quiet" }, value), icon("forward", { class: "icon end turns" }));

  const byCode = () => h("div", { key: "code", class: "line" }, icon("phone"), h("span", { class: "grow" },
    h("strong", null, texts.another), h("span", { class: "quiet small" }, texts.anotherMore)));

  const views = {
    start: () => {
      const hasButtons = ways.includes("presses");
      return [
        h("div", { key: "scene", class: "scene" }, mark("awake")),
        h("h1", { class: "todo", tabindex: "-1" }, hasButtons ? texts.welcome : texts.noButtons),
        h("p", { key: "more", class: "quiet" }, hasButtons ? texts.welcomeMore : texts.noButtonsMore),
        hasButtons && h("div", { key: "name", class: "card" },
          h("label", { class: "line" }, h("span", null, texts.called),
            h("input", { value: name, maxlength: 60, autocomplete: "off",
              oninput: (event) => { name = event.target.value; } }))),
        hasButtons && h("div", { key: "other", class: "card" }, byCode()),
        hasButtons && h("div", { key: "foot", class: "pair-foot" }, button(texts.begin, begin)),
      ];
    },
    asking: () => [h("h1", { class: "todo", tabindex: "-1" }, words.main.name), h("p", { class: "quiet" }, more.ringing.asking)],
    pressing: () => {
      const { presses, pressed = 0, seconds, of } = view;
      const isOne = new Set(presses).size === 1;
      return [
        h("h1", { class: "todo", tabindex: "-1" }, isOne ? texts.todoCount(presses.length) : texts.todo),
        h("p", { class: "quiet" }, texts.why),
        view.lost && h("div", { key: "lost" }, notice({ broken: true, title: texts.noConnection, text: texts.noConnectionMore, picture: "wifi" })),
        shapes(presses, pressed),
        ramp(50, Math.round((50 * seconds) / of), { height: 10 }),
        h("p", { class: "row" }, h("span", { class: "grow strong" }, texts.waiting(presses.length - pressed)),
          h("span", { class: "quiet" }, texts.left(seconds))),
        h("div", { class: "card" },
          h("div", { class: "line" }, icon("warning"),
            h("span", { class: "grow" }, h("strong", null, texts.wrongEnds),
              h("span", { class: "quiet small" }, texts.wrongEndsMore))), byCode()),
        h("div", { class: "pair-foot" }, button(words.cancel, () => show({ name: "start" }), true)),
      ];
    },
    failed: () => {
      const wait = view.until ? Math.ceil((view.until - performance.now()) / 1000) : 0;
      return [
        h("h1", { class: "todo", tabindex: "-1" }, view.title), h("p", { class: "quiet", role: "alert" }, view.text),
        wait > 0 && h("p", { class: "strong" }, texts.later(words.span(wait))),
        h("div", { class: "card" }, byCode()),
        h("div", { class: "pair-foot" }, ways.includes("presses") && wait <= 0 && button(texts.newOrder, begin)),
      ];
    },
    claiming: () => [h("h1", { class: "todo", tabindex: "-1" }, texts.claiming)],
    away: () => [
      h("h1", { class: "todo", tabindex: "-1" }, texts.noConnection), notice({ title: texts.noConnectionMore, picture: "wifi" }),
      h("div", { class: "pair-foot" }, button(words.tryAgain, secret ? claim : start)),
    ],
    done: () => [
      h("div", { key: "scene", class: "scene on-line" }, mark("crowing"), nightLine(null)),
      h("h1", { class: "todo", tabindex: "-1" }, texts.done), h("p", { class: "quiet" }, texts.doneMore),
      view.count > 0 && h("div", { key: "phones", class: "card" }, name && lineTo(texts.called, own(name)), lineTo(texts.all, view.count)),
      h("p", { class: "quiet small" }, texts.phoneSilent),
      h("div", { class: "pair-foot" },
        h("a", { class: "button", href: "#/", onclick: (event) => { event.preventDefault(); app.go("", { replaces: true }); } }, texts.go)),
    ],
  };

  function render() {
    element.dataset.view = view.name;
    fillWith(element, [h("p", { key: "title", class: "pair-title strong" }, texts.title), ...views[view.name]()]);
  }

  async function start() {
    show({ name: "asking" });
    try {
      const hello = await service.ask("hello");
      ways = hello.ways;
      if (!hello.client) return show({ name: "start" });
      name = hello.client.name;
      show({ name: "done" });
      count();
    } catch {
      show({ name: "away" });
    }
  }

  const clock = setInterval(() => ["pressing", "failed"].includes(view.name) && tick(), 1000);
  function tick() {
    if (view.name === "pressing" && view.seconds > 0) view.seconds -= 1;
    render();
  }
  if (secret) claim();
  else start();

  return {
    element, title: texts.title,
    leave() {
      clearTimeout(timer);
      clearInterval(clock);
    },
  };
}
