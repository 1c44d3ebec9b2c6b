// Phones and scripts: who may use Rooster over HTTP, an invitation for another phone, and tokens for scripts.

import { choice, problem } from "../controls.js";
import { fillWith, h, own } from "../dom.js";
import { icon } from "../drawings.js";
import { qrCode } from "../qr.js";
import texts from "../words-settings.js";

export default function phones(app, body, _, { confirm }) {
  const { service, words } = app;
  const text = texts.settings;
  let clients = null, mine = null, refusal = null, asking = false, isScriptOpen = false;
  let invitation = null, paired = null, token = null, scriptName = "", may = "look";
  let timer, isOver = false, known = new Set();

  async function load() {
    try {
      const [list, hello] = await Promise.all([service.ask("clients"), mine ? { client: mine } : service.ask("hello")]);
      clients = list.clients;
      mine = hello.client ?? null;
    } catch (error) {
      if (error.name !== "noConnection" || !clients) refusal = { at: "list", text: words.refusal(error) };
    }
    if (!isOver) draw();
  }

  async function act(at, send) {
    if (asking) return;
    [asking, refusal] = [at, null];
    draw();
    try {
      await send();
    } catch (error) {
      refusal = { at, text: words.refusal(error) };
    }
    asking = false;
    draw();
  }

  // The invitation

  const invite = () => act("invite", async () => {
    known = new Set(clients?.map(({ id }) => id));
    const { secret, seconds } = await service.ask("invite");
    paired = null;
    invitation = { address: `${location.origin}/#pair=${secret}`, endsAt: performance.now() + seconds * 1000 };
    clearInterval(timer);
    timer = setInterval(tick, 1000);
  });

  /** Counts down, and looks whether the phone has come. */
  async function tick() {
    const left = secondsLeft();
    if (left <= 0) clearInterval(timer);
    if (left % 3 === 0 || left <= 0) await load();
    const added = clients?.find(({ id, kind }) => kind === "page" && !known.has(id));
    if (invitation && added) {
      clearInterval(timer);
      [invitation, paired] = [null, added.name];
      app.say(text.invited(paired));
    }
    if (!isOver) draw();
  }
  const secondsLeft = () => Math.ceil((invitation.endsAt - performance.now()) / 1000);

  // Tokens

  const makeToken = (event) => {
    event.preventDefault();
    act("token", async () => {
      const made = await service.ask("addToken", { body: { name: scriptName.trim(), may } });
      token = made.token;
      [scriptName, isScriptOpen] = ["", false];
      await load();
    });
  };

  /** A text to copy. Over HTTP a page has no clipboard, but may copy what is selected. */
  const copyable = (label, value) => h("div", { class: "field-of" }, h("p", { class: "small quiet" }, label), h("code", { class: "copy", dir: "ltr" }, value),
    h("button", {
      type: "button", class: "text", onclick: (event) => {
        getSelection().selectAllChildren(event.currentTarget.previousSibling);
        if (!document.execCommand("copy")) return;
        event.currentTarget.textContent = text.copied;
        app.say(text.copied);
      },
    }, text.copy));

  const forget = (client) => {
    const isMine = client.id === mine?.id;
    confirm(isMine ? text.forgetThis : text.forgetAsked(client.name), isMine ? text.forgetThisMore : text.forgetMore, text.forget, async () => {
      await service.ask("forgetClient", { client: client.id });
      app.say(text.forgotten);
      if (isMine) service.connect();
      else await load();
    });
  };

  function row(client) {
    const { id, name, kind, may: rights, day } = client;
    const today = service.local();
    const isMine = id === mine?.id;
    const seen = day === today.slice(0, 10) ? text.today : `${words.date(day, today)}`;
    return h("div", { class: "line", key: id }, icon(kind === "page" ? "phone" : "script"),
      h("span", { class: "grow" }, own(name),
        h("span", { class: "second" },
          [isMine ? text.phonesMine : text.kindsOf[kind] ?? kind,
            rights !== "change" || kind !== "page" ? text.may[rights] ?? rights : null,
            text.lastDayOf(seen)].filter(Boolean).join(", "))),
      h("button", { type: "button", class: "plain ink", onclick: () => forget(client) }, text.forget, h("span", { class: "unseen" }, " ", own(name))));
  }

  const refused = (at) => refusal?.at === at && problem(refusal.text);
  const isOnlyHere = /^(localhost|127\..*|\[::1\])$/.test(location.hostname);

  function invitationOf() {
    if (paired) return [h("p", { class: "line strong", role: "status" }, icon("check"), own(text.invited(paired)))];
    if (!invitation) return [];
    const left = secondsLeft();
    if (left <= 0) return [h("p", { class: "quiet" }, text.inviteOver)];
    return [
      h("p", null, text.inviteMore(words.span(left))), isOnlyHere && h("p", { class: "problem" }, text.inviteHome),
      invitation.picture ??= qrCode(invitation.address, text.code) ?? h("span"), copyable(text.address, invitation.address),
    ];
  }

  function draw() {
    const list = clients ? [...clients].sort((a, b) => (b.id === mine?.id) - (a.id === mine?.id)) : [];
    fillWith(body, [
      refused("list"),
      list.length > 0 && h("div", { class: "card" }, list.map(row)),
      h("div", { key: "invitation" }, invitationOf(), refused("invite"),
        h("button", { type: "button", class: "button second", "aria-disabled": asking === "invite" ? "true" : null,
          onclick: invite }, icon("phone"),
          asking === "invite" ? words.home.asking : invitation ? text.inviteAgain : text.invite)),
      h("h2", { class: "group", key: "scripts" }, text.kindsOf.script), h("p", { class: "small quiet", key: "about" }, text.scriptMore),
      token && h("div", { class: "card", key: "token" }, h("div", null, copyable(text.token, token), h("p", { class: "small quiet" }, text.tokenMore),
        h("button", { type: "button", class: "button second", onclick: () => { token = null; draw(); } }, text.done))),
      isScriptOpen && h("form", { key: "form", onsubmit: makeToken },
        h("div", { class: "card" },
          h("label", { class: "line" }, h("span", null, text.scriptName),
            h("input", { value: scriptName, maxlength: 40, autocomplete: "off",
              oninput: (event) => { scriptName = event.target.value; } })),
          h("div", { class: "line" }, h("span", { class: "grow" }, text.rights),
            choice(may, Object.entries(text.mayForms), (one) => { may = one; }, { "aria-label": text.rights }))),
        refused("token"), h("button", { class: "button", "aria-disabled": asking === "token" ? "true" : null },
          asking === "token" ? words.home.asking : text.makeToken)),
      !isScriptOpen
        && !token
        && h("button", { type: "button", class: "text", key: "open",
          onclick: () => { isScriptOpen = true; draw(); body.querySelector("form input").focus(); } }, icon("plus"),
          text.script),
    ]);
  }

  load();
  return {
    leave() {
      isOver = true;
      clearInterval(timer);
    },
  };
}
