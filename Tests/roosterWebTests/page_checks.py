"""What holds for every screen: axe finds nothing, each control has a name and room for a finger, nothing is cut off."""

import glob
import os

from page_fixture import expect

AXE_VERSION = "4.12.1"


def axe_source():
    """The text of axe, or None. `scripts/setup --tests` installs it."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    for path in glob.glob(f"{cache}/rooster/axe-*/axe_playwright_python/axe.min.js"):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if f"axe v{AXE_VERSION}" in text[:100]:
            return text
    return None


def axe(phone):
    """Returns what axe finds on a screen."""
    source = axe_source()
    if not source:
        return []
    if not phone.script("return Boolean(window.axe)"):
        phone.cdp("Runtime.evaluate", expression=source)
    found = phone.driver.execute_async_script("""
        const done = arguments[0];
        axe.run(document, {resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
                // Targets have their own check, which knows what scrolls.
                rules: {"target-size": {enabled: false}}})
            .then((result) => done(result.violations.map(({id, nodes}) => [id, nodes.slice(0, 3).map((node) =>
                `${node.html.slice(0, 110)} (${(node.any[0] ?? node.all[0] ?? node.none[0])?.message.slice(0, 150)})`)])), (error) => done([["" + error, []]]));
    """)
    return [f"axe {name}: {'; '.join(nodes)}" for name, nodes in found]


# Finds elements that are too wide, too small, cut off, or covered for good.
LOOK = r"""
const [width, finger] = arguments;
const wrong = [];
const say = (element, text) => wrong.push(`${text}: ${element.outerHTML.replace(/<path[^>]*>/g, "").slice(0, 130)}`);
const top = document.querySelector("dialog[open]") ?? document.body;
const isShown = (element) => element.checkVisibility({opacityProperty: true, visibilityProperty: true}) && !element.closest("[inert], .unseen, [hidden]")
    && element.getBoundingClientRect().width > 1;
const wide = document.documentElement.scrollWidth;
if (wide > width) {
    const widest = [...document.body.querySelectorAll("*")].filter((one) => isShown(one) && one.getBoundingClientRect().right > width + 0.5 && !scroller(one));
    // What is pinned to the window follows its width.
    const pinned = (one) => one && one !== document.body && (getComputedStyle(one).position === "fixed" || pinned(one.parentElement));
    say(widest.findLast((one) => !pinned(one)) ?? widest.at(-1) ?? document.body, `it is ${wide} px wide`);
}
function scroller(element) {
    for (let one = element.parentElement; one && one !== document.body; one = one.parentElement) if (["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(one).overflowX)) return one;
    return null;
}
if (finger) for (const element of top.querySelectorAll("a[href], button, input, select, textarea, summary, [role=switch], [role=slider], [role=spinbutton]")) {
    if (!isShown(element) || element.type === "file") continue;
    // A label belongs to its control, and a spinbutton has a button at each side.
    const target = element.matches("input, select") ? element.closest("label") ?? element : element.matches("[role=spinbutton]") ? element.parentElement : element;
    const box = target.getBoundingClientRect();
    const inText = element.matches("p > a, p span > a, li > a") && getComputedStyle(element).display === "inline";
    // Seven days stand beside each other.
    const least = element.matches(".dot, .day") ? 38 : 43.5;
    if (!inText && (box.width < least || box.height < 43.5)) say(element, `only ${Math.round(box.width)} × ${Math.round(box.height)} px for a finger`);
}
for (const element of top.querySelectorAll("*")) {
    if (!isShown(element) || element.closest("svg") || element.matches("input, textarea, select, option")) continue;
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own) continue;
    // A label of its owner may be shortened where the whole of it is elsewhere.
    if (element.closest(".clip, .two-lines, .whose, .chip") || element.tagName === "BDI") continue;
    for (let one = element; one && one !== top; one = one.parentElement) {
        const {overflowX, overflowY} = getComputedStyle(one);
        if (getComputedStyle(one).textOverflow === "ellipsis" && one.querySelector("bdi")) break;
        if (["hidden", "clip"].includes(overflowX) && one.scrollWidth > one.clientWidth + 1) { say(element, "cut off"); break; }
        if (["hidden", "clip"].includes(overflowY) && one.scrollHeight > one.clientHeight + 1) { say(element, "cut off"); break; }
        if (["auto", "scroll"].includes(overflowX) || ["auto", "scroll"].includes(overflowY)) break;
    }
    const box = element.getBoundingClientRect();
    if (!scroller(element) && (box.right > width + 1 || box.left < -1) && box.bottom > 0) say(element, "beside the window");
    // A word that is broken in its middle.
    const range = document.createRange();
    for (const node of element.childNodes) {
        if (node.nodeType !== 3) continue;
        for (const {0: word, index} of node.data.matchAll(/[A-Za-z]{2,}/g)) {
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            const lines = new Set([...range.getClientRects()].filter((one) => one.width > 0).map((one) => Math.round(one.top)));
            if (lines.size > 1) say(element, `the word ${word} is broken`);
        }
    }
}
return [...new Set(wrong)].slice(0, 12);
"""


def look(phone, finger=True):
    return phone.script(LOOK, phone.width, finger)


def names(phone):
    """Controls without a name."""
    controls = {"button", "link", "switch", "textbox", "combobox", "slider", "spinbutton", "checkbox", "radio", "InputTime", "Date", "searchbox"}
    return [f"a {node.role} without a name: {phone.on(node, 'function () { return this.outerHTML.slice(0, 150); }')}"
            for node in phone.nodes() if node.role in controls and not node.name]


# The elements that Tab reaches, one after the other, as they are then shown.
FOCUS = r"""
const element = document.activeElement;
if (!element || element === document.body) return null;
const box = element.getBoundingClientRect();
const style = getComputedStyle(element);
const target = element.matches("input, select") && (element.closest("label, .time, .slider") ?? element) || element;
const ring = [element, target, element.parentElement, ...element.querySelectorAll("*")].find((one) => {
    const {outlineStyle, outlineWidth} = getComputedStyle(one);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
});
/** The brightness of a color by WCAG. */
const luminance = (color) => {
    const [red, green, blue] = color.match(/[\d.]+/g).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
let ground = ring?.parentElement;
while (ground && !/^rgb\(/.test(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
const shades = ring && ground && [getComputedStyle(ring).outlineColor, getComputedStyle(ground).backgroundColor].map(luminance).sort((a, b) => b - a);
const hit = document.elementFromPoint(Math.max(1, Math.min(innerWidth - 2, box.left + box.width / 2)), box.top + box.height / 2);
window.focusSeen ??= new WeakMap();
const isKnown = window.focusSeen.has(element);
window.focusSeen.set(element, 1);
let isFixed = false;
for (let one = element; one; one = one.parentElement) if (["fixed", "sticky"].includes(getComputedStyle(one).position) || one.tagName === "DIALOG") isFixed = true;
return {
    html: element.outerHTML.replace(/<path[^>]*>/g, "").slice(0, 110), isKnown, isFixed, top: box.top + scrollY, bottom: box.bottom + scrollY, left: box.left, seenTop: box.top, seenBottom: box.bottom,
    outlined: Boolean(ring), contrast: shades ? (shades[0] + 0.05) / (shades[1] + 0.05) : 21,
    isCovered: box.height > 0 && !(hit === element || element.contains(hit) || hit?.contains(element) || target.contains(hit)),
};
"""


def focus_order(phone, most=120):
    """Goes through a screen by Tab: each stop is seen, has an outline that stands out, and lies behind the one before."""
    wrong = []
    phone.script("window.focusSeen = new WeakMap(); document.activeElement?.blur(); scrollTo(0, 0)")
    before = None
    for _ in range(most):
        phone.key("Tab")
        stop = phone.script(FOCUS)
        if stop is None or stop["isKnown"]:
            # A time has three parts, each of which is a stop.
            if stop and before and stop["html"][:60] == before["html"][:60]:
                continue
            break
        if not stop["outlined"]:
            wrong.append(f"no outline at the focus: {stop['html']}")
        elif stop["contrast"] < 3:
            wrong.append(f"the outline of the focus has a contrast of {stop['contrast']:.1f}: {stop['html']}")
        if stop["isCovered"]:
            wrong.append(f"the focus is covered: {stop['html']}")
        # The emergency exit comes last, although it stands at the top.
        is_last = "Emerg" in stop["html"]
        if before and not is_last and not stop["isFixed"] and not before["isFixed"] and stop["bottom"] <= before["top"]:
            wrong.append(f"the focus goes up: {before['html']} → {stop['html']}")
        before = stop
    else:
        wrong.append("Tab comes to no end")
    return wrong


def check(phone, with_axe=True, with_focus=False):
    """All that a screen can be checked for by itself."""
    return (axe(phone) if with_axe else []) + names(phone) + look(phone) + (focus_order(phone) if with_focus else [])


def expect_narrow(phone, width):
    wrong = [line for line in phone.script(LOOK, width, False) if "px wide" in line or "beside" in line]
    expect(not wrong, f"{phone.address}: {wrong}")
