// Home: the next ring, what is wrong, and the alarms.

import { h } from "../dom.js";

export default function home(app) {
  const element = h("main", { class: "page", id: "main" }, h("h1", null, app.words.main.name));
  return { element, title: app.words.main.name };
}
