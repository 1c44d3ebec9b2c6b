// The drawings of the virtual bedside. All of them are in the coordinates of the room, which is 897 wide and 615 high.

import { svg } from "/dom.js";

export const roomBox = [0, 0, 897, 615];
export const deviceBox = [280, 30, 360, 460];

/** Puts an element over a drawing. */
export function place(element, [x, y, width, height], box = roomBox) {
  const share = (part, whole) => `${(100 * part) / whole}%`;
  element.style.setProperty("left", share(x - box[0], box[2]));
  element.style.setProperty("top", share(y - box[1], box[3]));
  if (width) element.style.setProperty("width", share(width, box[2]));
  if (height) element.style.setProperty("height", share(height, box[3]));
  return element;
}

const path = (d, props) => svg("path", { d, ...props });
const stops = (id, along, colours) =>
  svg("linearGradient", { id, x1: 0, y1: 0, x2: along === "x" ? 1 : 0, y2: along === "x" ? 0 : 1 },
    ...colours.map((_, index) => svg("stop", { offset: index / (colours.length - 1) })));

/** The colours of the sky, from above to the horizon, and of the hills, from the given hour on. */
const skies = [
  [0, "#0a0c1e", "#10142c", "#191c38", "#07070f"], [5, "#151d3e", "#3b3360", "#7a4a4e", "#120d1c"],
  [6.5, "#1d2a56", "#574a72", "#d9793f", "#1a1228"], [8, "#5b8fc4", "#9dbfd9", "#f3d9a8", "#3d4a34"],
  [10, "#5da0dc", "#8fc1e8", "#cfe4f0", "#4e6a3e"], [17, "#5c86bd", "#b9a6a6", "#f0b070", "#3a4030"],
  [19, "#242a58", "#6b4468", "#d06a40", "#1a1226"], [20.5, "#0d1026", "#191c3a", "#2b2448", "#0a0812"],
];

/** The wall, the window, the table, the bedside lamp, and the cable. */
export function backdrop() {
  const sky = stops("sky", "y", [1, 2, 3]);
  const hills = path("M48 158c22-8 40 8 62 2s40-14 66 2v30a68 68 0 0 1-128 0Z");
  const stars = svg("g", { fill: "#fff" }, ...[[88, 96], [133, 82], [144, 112], [70, 74], [102, 64]].map(([cx, cy]) => svg("circle", { cx, cy, r: 1.6 })));
  const glow = svg("ellipse", { class: "glow", cx: 221, cy: 330, rx: 260, ry: 250, fill: "url(#glow)" });
  const shade = path("M200 298h42q6 0 8 6l8 66q1 9-8 9h-58q-9 0-8-9l8-66q2-6 8-6Z", { class: "shade" });
  // The plug is in the socket, or lies on the table.
  const plug = svg("g", { class: "plug" },
    ...[["in", 71, 340, "M86 372v34c0 46 30 78 110 78 56 0 60-10 120-16"],
      ["out", 36, 508, "M66 524c60 20 90-30 130-36 56-8 60-14 120-20"]]
    .map(([name, x, y, d]) => svg("g", { class: name }, svg("rect", { x, y, width: 30, height: 32, rx: 9, fill: "#17130e" }),
      path(d, { fill: "none", stroke: "#0d0b09", "stroke-width": 9, "stroke-linecap": "round" }))));
  const beam = path("M516 214L722 168V366L516 262Z", { class: "beam", fill: "url(#beam)" });
  const drawing = svg("svg", { class: "backdrop", viewBox: roomBox.join(" "), "aria-hidden": "true", preserveAspectRatio: "xMidYMid slice" },
    svg("defs", null, sky, svg("radialGradient", { id: "glow" }, svg("stop", { offset: 0 }), svg("stop", { offset: 1 })),
      svg("linearGradient", { id: "beam" }, svg("stop", { offset: 0 }), svg("stop", { offset: 1 })),
      svg("clipPath", { id: "pane" }, path("M44 108a68 68 0 0 1 136 0v64a68 68 0 0 1-136 0Z"))),
    svg("rect", { class: "wall", width: 897, height: 615 }), glow,
    svg("g", { "clip-path": "url(#pane)" }, svg("rect", { x: 40, y: 36, width: 144, height: 210, fill: "url(#sky)" }), stars, hills),
    path("M44 108a68 68 0 0 1 136 0v64a68 68 0 0 1-136 0ZM112 42v194M44 140h136", { fill: "none", stroke: "#0d0b09", "stroke-width": 8 }),
    path("M0 460h897v143H0Z", { class: "table" }), path("M0 603h897v12H0Z", { class: "edge" }),
    svg("ellipse", { cx: 437, cy: 474, rx: 178, ry: 10, fill: "#000", opacity: 0.45 }),
    path("M221 379v92", { class: "stem", fill: "none", "stroke-width": 9 }), svg("ellipse", { class: "lamp-foot", cx: 221, cy: 473, rx: 34, ry: 9 }), shade,
    svg("rect", { x: 57, y: 326, width: 58, height: 58, rx: 12, fill: "#e8ddcb" }), svg("circle", { cx: 86, cy: 355, r: 20, fill: "#c9bca6" }), plug, beam);

  /** Shows the hour in the window. */
  const setHour = (hour) => {
    const [, ...colours] = skies.findLast(([from]) => hour >= from);
    [...sky.children].forEach((stop, index) => stop.setAttribute("stop-color", colours[index]));
    hills.setAttribute("fill", colours[3]);
    stars.setAttribute("opacity", hour < 6.5 || hour >= 19.5 ? 0.9 : 0);
  };
  return { drawing, setHour, plug };
}

const slotCount = 9;

/** The device: the mark made real. Its comb is the lamp, its eye the camera, its slots the level of the sound. */
export function device() {
  const comb = [[379, 126, 152], [419, 98, 126], [460, 73, 118], [501, 60, 137]].map(([x, top, bottom]) => path(`M${x} ${top}V${bottom}`));
  const slots = Array.from({ length: slotCount }, (_, index) =>
    path(`M${344.5 + index * 23.5} ${358}V${344 - index * 6.2}`));
  const name = svg("text", { class: "output", x: 338, y: 251 });
  const level = svg("text", { class: "level", x: 338, y: 274 });
  const lamp = svg("text", { class: "lamp-text", x: 530, y: 106 });
  const drawing = svg("svg", { class: "device-drawing", viewBox: deviceBox.join(" "), "aria-hidden": "true" },
    svg("g", { class: "comb" }, ...comb), lamp,
    svg("g", { class: "body" },
      path("M307 301V456q0 14 14 14H567q14 0 14-14V301a137 145 0 0 0-274 0Z", { fill: "#e8ddcb" }),
      path("M560 236q21 30 21 65V456q0 14-14 14H533q24-90 27-234Z", { fill: "#d9ccb6" }),
      path("M593 266L649 300L593 334Z", { class: "beak" }), path("M605 358V380", { class: "wattle" }),
      svg("circle", { cx: 501, cy: 239, r: 37, fill: "#191614" }), svg("circle", { cx: 501, cy: 239, r: 27, fill: "#2b2724" }),
      svg("circle", { cx: 501, cy: 239, r: 16, fill: "#0a0908" }), svg("circle", { class: "pupil", cx: 493, cy: 230, r: 5.5 }),
      name, level, svg("g", { class: "slots" }, ...slots),
      svg("text", { class: "under", x: 371, y: 460, "text-anchor": "middle" }), svg("text", { class: "under", x: 486, y: 460, "text-anchor": "middle" })));
  const [snooze, stop] = drawing.querySelectorAll(".under");

  /** Shows the speaker, and its level in decibels; null for silence. */
  const setLevel = (output, decibels, words) => {
    name.textContent = output;
    level.textContent = words;
    const lit = decibels === null ? 0 : 1 + ((slotCount - 1) * (Math.max(-40, Math.min(0, decibels)) + 40)) / 40;
    slots.forEach((slot, index) => slot.classList.toggle("lit", index < Math.round(lit)));
  };
  const setLamp = (isLit) => drawing.classList.toggle("shines", isLit);
  return { drawing, setLevel, setLamp, setTexts: (below, above, text) => { snooze.textContent = below; stop.textContent = above; lamp.textContent = text; } };
}

/** Footprints of the mat. */
export const footprints = () => svg("svg", { class: "prints", viewBox: "0 0 60 66", "aria-hidden": "true" },
  path("M9 2c7-1 10 6 11 14s0 14-5 15-8-4-10-12S3 3 9 2ZM13 38q5-1 7 3t-1 9-9 0 0-10ZM48 10c6 1 7 7 6 15s-4 14-9 14-7-5-6-13 3-17 9-16ZM41 46q6 0 7 5t-3 8-8-2 1-10Z", { fill: "currentColor" }));

/** The tag on its ring. */
export const tagDrawing = () => svg("svg", { class: "tag-drawing", viewBox: "0 0 110 60", "aria-hidden": "true" },
  svg("circle", { cx: 24, cy: 26, r: 20, fill: "none", stroke: "#b5a78e", "stroke-width": 5 }),
  svg("g", { transform: "rotate(24 75 36)" }, svg("rect", { x: 46, y: 18, width: 58, height: 36, rx: 15, fill: "#79b6ff" }),
    svg("circle", { cx: 60, cy: 36, r: 5.5, fill: "#101a28" }),
    path("M78 30q5 6 0 12M86 26q9 10 0 20", { fill: "none", stroke: "#101a28", "stroke-width": 3.4, "stroke-linecap": "round" })));
