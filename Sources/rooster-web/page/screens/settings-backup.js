// The backup: saved as a file of this phone, and put back after an account of what that does.

import { notice, problem } from "../controls.js";
import { fillWith, h, own } from "../dom.js";
import { icon } from "../drawings.js";
import texts from "../words-settings.js";

export default function backup(app, body, _, { confirm }) {
  const { service, store: { state }, words } = app;
  const text = texts.settings;
  let asking = null, refusal = null, said = null, file = null, name = "", outcome = null, here = null;

  async function save() {
    if (asking) return;
    [asking, refusal, said] = ["export", null, null];
    draw();
    try {
      const kept = await service.ask("export");
      const address = URL.createObjectURL(new Blob([JSON.stringify(kept, null, 1)], { type: "application/json" }));
      const link = h("a", { href: address, download: `rooster-${service.local().slice(0, 10)}.json` });
      document.body.append(link);
      link.click();
      link.remove();
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
      said = text.exported(link.download);
      app.say(said);
    } catch (error) {
      refusal = { at: "export", text: words.refusal(error) };
    }
    asking = null;
    draw();
  }

  async function choose(input) {
    const [chosen] = input.files;
    input.value = "";
    if (!chosen) return;
    [file, outcome, refusal, name] = [null, null, null, chosen.name];
    try {
      file = JSON.parse(await chosen.text());
      if (typeof file !== "object" || !String(file?.format).startsWith("rooster/")) throw 0;
      here = await service.ask("export").catch(() => null);
    } catch {
      file = null;
      refusal = { at: "file", text: text.noBackup };
    }
    draw();
    body.querySelector(".account, .problem")?.scrollIntoView({ block: "center" });
  }

  const counts = ({ alarms, calendars, codes, settings }) =>
    text.counts({ alarms: alarms?.length ?? 0, calendars: Object.keys(calendars ?? {}).length,
      codes: codes?.length ?? 0, settings: Boolean(settings) });

  async function restore(replaces) {
    if (asking) return;
    [asking, refusal, outcome] = ["file", null, null];
    draw();
    const sent = file;
    try {
      outcome = await service.ask("import", { body: sent, ...(replaces ? { backup: true } : {}) });
      file = null;
      app.say(text.restored(words.plural(outcome.alarms, "alarm")));
      service.read();
    } catch (error) {
      refusal = { at: "file", text: words.refusal(error), errors: error.errors?.map(({ pointer, detail }) => placed(pointer, detail)) };
      // Mistakes of the file are listed on the page.
      if (replaces && !error.errors?.length) throw error;
    } finally {
      asking = null;
      draw();
    }
    setTimeout(() => body.querySelector(".notice, .account")?.scrollIntoView({ block: "nearest" }));
  }

  /** A mistake in the file, with the name of its alarm. */
  function placed(pointer, detail) {
    const number = /^(?:#\/)?alarms[/[](\d+)/.exec(pointer)?.[1];
    const alarm = number && (file ?? shownFile)?.alarms?.[number];
    const rest = pointer.replace(/^(#\/)?alarms[/[]\d+\]?[/.]?/, "").replace(/^#\/?/, "");
    return h("li", null, alarm ? [own(alarm.label || alarm.id || words.unnamed), ": "] : "", rest && !detail.includes(rest) ? `${rest}: ` : "", detail);
  }
  let shownFile = null;

  function draw() {
    if (file) shownFile = file;
    fillWith(body, [
      h("p", { class: "quiet" }, text.exportMore),
      h("button", { type: "button", class: "button", "aria-disabled": asking === "export" ? "true" : null,
        onclick: save }, icon("disk"), asking === "export" ? words.home.asking : text.export),
      refusal?.at === "export" && problem(refusal.text), said && h("p", { class: "small quiet" }, said),
      h("h2", { class: "group" }, text.restore),
      h("label", { class: "button second file" }, icon("redo"), text.chooseFile,
        h("input", { type: "file", class: "unseen", accept: ".json,application/json",
          onchange: (event) => choose(event.target) })),
      refusal?.at === "file"
        && h("div", null,
          notice({ broken: true, title: refusal.errors ? text.refused : refusal.text,
            text: refusal.errors && !refusal.errors.length ? refusal.text : null }),
          refusal.errors?.length > 0 && h("ul", { class: "small mistakes" }, refusal.errors)),
      file && h("section", { class: "account" },
        h("p", null, h("strong", null, text.contains(name)), " ", counts(file), "."),
        h("div", { class: "card" },
          h("button",
            { type: "button", class: "line",
              onclick: () => confirm(text.replaceAsked,
                text.replaceMore(here
                  ? counts(here)
                  : text.counts({ alarms: state.alarms?.length ?? 0, calendars: 0, codes: 0, settings: true })),
                  text.replace, () => restore(true)) }, icon("redo"),
            h("span", { class: "grow" }, text.replace, h("span", { class: "second" }, text.replaceShort)), icon("forward", { class: "icon end turns" })),
          h("button", { type: "button", class: "line", "aria-disabled": asking === "file" ? "true" : null, onclick: () => restore(false) }, icon("plus"),
            h("span", { class: "grow" }, asking === "file" ? words.home.asking : text.add, h("span", { class: "second" }, text.addMore))))),
      outcome && h("section", { class: "account", role: "status" },
        h("p", null, h("strong", null, text.restored(words.plural(outcome.alarms, "alarm")))),
        outcome.codes.length > 0 && h("p", null, text.newCodes(outcome.codes.join(", "))),
        outcome.setAside.length > 0
          && [h("h3", { class: "group" }, text.setAside),
            h("ul", { class: "small mistakes" },
              outcome.setAside.filter(({ path }) =>
                !outcome.setAside.some((one) => one.path.startsWith(`${path}.`))).map(({ path, message }) =>
                  placed(path, message)))]),
    ]);
  }

  draw();
  return {};
}
