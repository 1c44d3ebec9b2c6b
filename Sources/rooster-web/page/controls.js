// The controls that several screens share. Home needs none of them, so they are loaded with the first screen that does.

import { h } from "./dom.js";
import { icon, numerals } from "./drawings.js";
import words from "./words.js";

/** Shows a sheet over the screen. `build` gets the function that closes it, and returns its content. A way out is Escape,
 *  a press beside the sheet, and whatever the content has. Focus goes back to where it was. On wide windows it stands
 *  beside the element `near`. */
export function sheet(label, build, { onclose, near } = {}) {
  const before = document.activeElement;
  const dialog = h("dialog", { class: "sheet", "aria-label": label });
  const close = () => dialog.close();
  dialog.append(build(close));
  // Going back leaves the sheet with its screen.
  addEventListener("hashchange", close);
  dialog.addEventListener("close", () => {
    removeEventListener("hashchange", close);
    dialog.remove();
    onclose?.();
    // The browser has given focus back already, unless the element was another one then.
    if (document.activeElement === document.body && before?.isConnected) before.focus();
  });
  dialog.addEventListener("click", (event) => event.target === dialog && close());
  document.body.append(dialog);
  dialog.showModal();
  // A sheet is read from its heading.
  const title = dialog.querySelector("h2");
  if (title && !dialog.querySelector("[autofocus]")) {
    title.tabIndex = -1;
    title.focus();
  }
  if (near && innerWidth >= 900) {
    const [place, size] = [near.getBoundingClientRect(), dialog.getBoundingClientRect()];
    const left = place.right + 8 + size.width < innerWidth ? place.right + 8 : place.left - 8 - size.width;
    const top = Math.max(16, Math.min(place.top, innerHeight - size.height - 16));
    dialog.style.setProperty("margin", `${top}px auto auto ${Math.max(16, left)}px`);
    dialog.style.setProperty("max-height", `${innerHeight - top - 16}px`);
  }
  return { element: dialog, close };
}

/** A pad of digits. `press` gets a digit or "erase"; `extra` is the key at the lower right. */
export function keypad(press, extra) {
  const key = (digit) => h("button", { type: "button", class: "key", "aria-label": digit, onclick: () => press(digit) }, numerals(digit, { weight: 9 }));
  return h("div", { class: "keypad" },
    ...["1", "2", "3", "4", "5", "6", "7", "8", "9"].map(key),
    h("button", { type: "button", class: "key bare", "aria-label": words.controls.erase, onclick: () => press("erase") }, icon("erase")),
    key("0"), extra ?? h("span"));
}

/** A value between two buttons. `values` is the list of what it can be, or { min, max, step }; `text` says a value. */
export function stepper(label, value, { values, min, max, step = 1, text = String, change, describedby }) {
  const index = values?.indexOf(value) ?? -1;
  const neighbour = (direction) => {
    if (!values) return value + direction * step < min || value + direction * step > max ? undefined : value + direction * step;
    if (index >= 0) return values[index + direction];
    // A value that another client has set stands between two of the list.
    return direction > 0 ? values.find((one) => one === null || one > value) : values.findLast((one) => one !== null && one < value);
  };
  const set = (direction) => {
    const next = neighbour(direction);
    if (next !== undefined) change(next);
  };
  const button = (direction, name) => h("button", {
    type: "button", class: "plain", tabindex: "-1", "aria-label": `${label}: ${words.controls[name]}`,
    "aria-disabled": neighbour(direction) === undefined ? "true" : null, onclick: () => set(direction),
  }, icon(name));
  const keys = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 };
  return h("div", { class: "stepper" }, button(-1, "minus"),
    h("output", {
      role: "spinbutton", tabindex: "0", "aria-label": label, "aria-valuetext": text(value), "aria-valuenow": value ?? "", "aria-describedby": describedby,
      onkeydown: (event) => {
        if (!(event.key in keys)) return;
        event.preventDefault();
        set(keys[event.key]);
      },
    }, text(value)),
    button(1, "plus"));
}

/** A slider with its value in words. */
export function slider(label, value, { min, max, step = 1, text = String, change, describedby }) {
  const share = `${(100 * (value - min)) / (max - min)}%`;
  return h("label", { class: "slider" },
    h("span", { class: "row" }, h("span", { class: "quiet" }, label), h("span", { class: "strong" }, text(value))),
    h("input", {
      type: "range", min, max, step, value: String(value), "aria-valuetext": text(value), "aria-describedby": describedby, style: { "--share": share },
      oninput: (event) => change(Number(event.target.value)),
    }));
}

/** A list of choices: pairs of a value and its text. `change` gets the value as a text. */
export const choice = (value, pairs, change, props) =>
  h("select", { value: String(value), onchange: (event) => change(event.target.value), ...props },
    pairs.map(([one, label]) => h("option", { value: one }, label)));

/** A line with a date in words. While it has the focus, it shows the browser's own field. `empty`: the text without a
 *  date. `today`: a date far from it has its year. The other properties are those of the field. */
export function dateLine(label, value, { empty, today, oninput, ...more }) {
  const say = (date) => (date ? words.date(date, today) : empty);
  return h("label", { class: "line date-line" }, h("span", { class: "grow" }, label),
    h("span", { class: "in-words", "aria-hidden": "true" }, say(value)),
    h("input", {
      type: "date", "aria-label": label, value: value ?? "", ...more,
      // A press anywhere opens the picker, as on a list of choices.
      onclick: ({ currentTarget: field }) => {
        try {
          field.showPicker();
        } catch {
          // The browser has no picker of its own.
        }
      },
      oninput: (event) => {
        event.currentTarget.previousSibling.textContent = say(event.currentTarget.value);
        oninput?.(event);
      },
    }));
}

/** A refusal or a warning beside its field. */
export const problem = (text, id) => text && h("p", { class: "problem", id, role: "alert" }, text);

/** A notice: broken ones on their own ground. `more` leads on. */
export function notice({ title, text, broken = false, href, onclick, picture }) {
  return h(href ? "a" : onclick ? "button" : "div", { class: `notice${broken ? " broken" : ""}`, href, onclick, type: onclick && "button" },
    icon(picture ?? (broken ? "cross" : "warning")), h("span", { class: "grow" }, h("strong", null, title), text));
}
