// The owner's own sounds: which there are, how they sound, a new one from a file of this phone.

import { problem } from "../controls.js";
import { fillWith, h, own } from "../dom.js";
import { icon } from "../drawings.js";
import texts from "../words-settings.js";

const bytesMax = 16 * 1024 * 1024;

export default function sounds(app, body, _, { confirm }) {
  const { service, words } = app;
  const text = texts.settings;
  let list = null, refusal = null, asking = false, playing = null;

  async function load() {
    try {
      list = (await service.ask("sounds")).sounds.filter(({ id }) => id.includes("."));
    } catch (error) {
      refusal = words.refusal(error);
    }
    draw();
  }

  async function add(input) {
    const [file] = input.files;
    input.value = "";
    if (!file || asking) return;
    [asking, refusal] = [true, null];
    draw();
    try {
      if (file.size > bytesMax) refusal = text.soundTooLarge;
      else {
        const { warnings = [] } = await service.ask("addSound", { sound: file.name, body: file });
        app.say(text.soundAdded(file.name));
        if (warnings.length) refusal = warnings.map(({ message }) => `${words.sentence(message)}.`).join(" ");
      }
    } catch (error) {
      refusal = error.errors.length ? error.errors.map(({ detail }) => `${words.sentence(detail)}.`).join(" ") : words.refusal(error);
    }
    asking = false;
    await load();
  }

  function silence() {
    if (!playing) return;
    playing.player.pause();
    URL.revokeObjectURL(playing.player.src);
    playing = null;
  }

  async function play(id) {
    const wasPlaying = playing?.id === id;
    silence();
    refusal = null;
    if (!wasPlaying) {
      try {
        const player = new Audio(URL.createObjectURL(await service.ask("sound", { sound: id })));
        playing = { id, player };
        player.addEventListener("ended", () => { silence(); draw(); });
        await player.play();
      } catch (error) {
        silence();
        refusal = error.errors ? words.refusal(error) : text.soundMute;
      }
    }
    draw();
  }

  const remove = (id) => confirm(text.removeSoundAsked(id), text.removeSoundMore, text.delete, async () => {
    silence();
    await service.ask("removeSound", { sound: id });
    app.say(text.deleted);
    await load();
  });

  function draw() {
    fillWith(body, [
      h("p", { class: "quiet" }, text.soundsAbout),
      list?.length > 0 && h("ul", { class: "card" }, list.map(({ id, name, seconds, problem: reason }) => h("li", { class: "line", key: id },
        h("button", { type: "button", class: "plain", "aria-label": playing?.id === id ? text.silence(name) : text.hear(name), onclick: () => play(id), disabled: Boolean(reason) }, icon(playing?.id === id ? "stop" : "play")),
        h("span", { class: "grow two-lines" }, own(name), h("span", { class: "second" }, reason ? `${words.sentence(reason)}.` : text.soundLength(Math.round(seconds)))),
        h("button", { type: "button", class: "plain", "aria-label": text.removeSound(name), onclick: () => remove(id) }, icon("delete"))))),
      list?.length === 0 && h("p", { class: "quiet" }, text.soundsNone),
      problem(refusal),
      h("label", { class: "button second file" }, icon("plus"), asking ? words.home.asking : text.addSound,
        h("input", { type: "file", class: "unseen", accept: "audio/*,.wav,.flac,.ogg,.mp3", onchange: (event) => add(event.target) })),
    ]);
  }

  load();
  return { leave: silence };
}
