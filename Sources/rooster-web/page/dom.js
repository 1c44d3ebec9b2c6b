// Makes elements, and changes those that are shown into others without losing focus, scroll or a half-typed text.
// Texts become text nodes only: no text of an alarm can become markup.

const vectors = "http://www.w3.org/2000/svg";

/** Creates an element. A property that is a function, or one of `live`, is set on the element itself; `style` is an
 *  object; every other one becomes an attribute. False, null and undefined leave it out, but an `aria-` one may be
 *  false. `key` names the element among its siblings. */
export const h = (tag, props, ...children) => fill(document.createElement(tag), props, children);
/** Creates an element of a drawing. */
export const svg = (tag, props, ...children) => fill(document.createElementNS(vectors, tag), props, children);

const live = new Set(["value", "checked", "disabled", "indeterminate"]);

function fill(element, props, children) {
  element.live = {};
  for (const [name, value] of Object.entries(props ?? {})) {
    const isSpoken = name.startsWith("aria-");
    if (name === "key") element.key = value;
    else if (value === undefined || value === null || (value === false && !isSpoken)) continue;
    else if (typeof value === "function" || live.has(name)) element.live[name] = value;
    else if (name === "style") for (const [rule, text] of Object.entries(value)) element.style.setProperty(rule, text);
    else element.setAttribute(name, value === true && !isSpoken ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child || child === 0));
  // A list of choices has a value only once it has the choices.
  Object.assign(element, element.live);
  return element;
}

/** A text of its owner, such as a label: its direction is its own. */
export const own = (text) => h("bdi", null, text);

/** Changes an element that is shown into another, and returns the one that is shown. */
export function morph(shown, wanted) {
  if (shown === wanted) return shown;
  if (shown.nodeType !== wanted.nodeType || shown.nodeName !== wanted.nodeName || shown.key !== wanted.key) {
    shown.replaceWith(wanted);
    return wanted;
  }
  if (shown.nodeType === Node.TEXT_NODE) {
    if (shown.data !== wanted.data) shown.data = wanted.data;
    return shown;
  }
  for (const { name } of [...shown.attributes]) if (!wanted.hasAttribute(name) && name !== "open" && name !== "style") shown.removeAttribute(name);
  for (const { name, value } of wanted.attributes) if (name !== "style" && shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  if (shown.style.cssText !== wanted.style.cssText) shown.style.cssText = wanted.style.cssText;
  fillWith(shown, [...wanted.childNodes]);
  const [old, now] = [shown.live ?? {}, wanted.live ?? {}];
  for (const name of Object.keys(old)) if (!(name in now)) shown[name] = typeof old[name] === "function" ? null : "";
  for (const [name, value] of Object.entries(now)) {
    if (shown[name] !== value && !(name === "value" && shown === document.activeElement && shown.nodeName !== "SELECT")) shown[name] = value;
  }
  shown.live = now;
  return shown;
}

/** Makes the children of an element those that are wanted: each is changed into the one of its key, or the next of its
 *  kind. */
export function fillWith(parent, wanted) {
  const byKey = new Map();
  for (const child of parent.childNodes) if (child.key !== undefined) byKey.set(child.key, child);
  let place = parent.firstChild;
  for (let child of wanted.flat(Infinity)) {
    if (!child) continue;
    if (!child.nodeType) child = document.createTextNode(child);
    let match = child.key === undefined ? place : byKey.get(child.key);
    while (match && match.key !== child.key) match = match.nextSibling;
    match = match && match.nodeName === child.nodeName ? morph(match, child) : child;
    if (match === place) place = place.nextSibling;
    else parent.insertBefore(match, place);
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

/** Returns a function that makes an element again only if its key or what it shows has changed. */
export function memo(make) {
  const kept = new Map();
  return (key, ...shown) => {
    const text = JSON.stringify(shown);
    const old = kept.get(key);
    if (old?.text === text) return old.element;
    const element = make(...shown);
    element.key = key;
    // The element that is in the page stays there, and takes the new form.
    const result = old?.element.isConnected ? morph(old.element, element) : element;
    kept.set(key, { text, element: result });
    return result;
  };
}
