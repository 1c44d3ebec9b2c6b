// QR codes for short texts (ISO/IEC 18004): bytes in versions 1 to 5 with level L, which have a single block, and always
// with the first mask. For the address of an invitation, and for the papers of the simulated bedside.

import { svg } from "./dom.js";

/** Of each version: the number of codewords for data, and for their correction. */
const versions = [[19, 7], [34, 10], [55, 15], [80, 20], [108, 26]];

/** Returns the rows of a code, true where it is dark, or null if the text is too long. */
export function modules(text) {
  const bytes = [...new TextEncoder().encode(text)];
  const index = versions.findIndex(([data]) => bytes.length <= data - 2);
  if (index < 0) return null;
  const [dataCount, checkCount] = versions[index];
  const side = 21 + 4 * index;

  // Four bits say the kind, then comes the length.
  const put = (value, count) => value.toString(2).padStart(count, "0");
  let bits = put(4, 4) + put(bytes.length, 8);
  for (const byte of bytes) bits += put(byte, 8);
  bits = bits.padEnd(Math.min(bits.length + 4, dataCount * 8), "0");
  bits = bits.padEnd(Math.ceil(bits.length / 8) * 8, "0");
  const words = [];
  for (let at = 0; at < bits.length; at += 8) words.push(Number.parseInt(bits.slice(at, at + 8), 2));
  for (let pad = 0xec; words.length < dataCount; pad ^= 0xec ^ 0x11) words.push(pad);
  words.push(...remainder(words, checkCount));

  const rows = Array.from({ length: side }, () => Array(side).fill(null));
  const square = (x, y, reach, isDark) => {
    for (let down = -reach; down <= reach; down++) for (let right = -reach; right <= reach; right++) {
      if (rows[y + down]?.[x + right] !== undefined) rows[y + down][x + right] = isDark(Math.max(Math.abs(down), Math.abs(right)));
    }
  };
  for (let at = 0; at < side; at++) rows[6][at] = rows[at][6] = at % 2 === 0;
  for (const [x, y] of [[3, 3], [side - 4, 3], [3, side - 4]]) square(x, y, 4, (distance) => distance !== 2 && distance !== 4);
  if (index) square(side - 7, side - 7, 2, (distance) => distance !== 1);

  // Level and mask, twice: 01 000 with its check bits.
  const format = 0b111011111000100;
  for (let bit = 0; bit < 15; bit++) {
    const isDark = ((format >> bit) & 1) === 1;
    const near = bit < 6 ? bit : bit < 8 ? bit + 1 : 14 - bit;
    if (bit < 8) [rows[near][8], rows[8][side - 1 - bit]] = [isDark, isDark];
    else [rows[8][bit === 8 ? 7 : near], rows[side - 15 + bit][8]] = [isDark, isDark];
  }
  rows[side - 8][8] = true;

  // The bits go up and down in columns of two, from the right. The column of the timing pattern is left out.
  let next = 0;
  for (let right = side - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    const isUp = ((right + 1) & 2) === 0;
    for (let step = 0; step < side; step++) for (const x of [right, right - 1]) {
      const y = isUp ? side - 1 - step : step;
      if (rows[y][x] !== null) continue;
      const bit = (words[next >> 3] >> (7 - (next & 7))) & 1;
      next++;
      rows[y][x] = (bit === 1) !== ((x + y) % 2 === 0);
    }
  }
  return rows;
}

/** The check words of Reed and Solomon: the remainder by the generator, in the field of 256 elements. */
function remainder(words, count) {
  const times = (a, b) => {
    let product = 0;
    for (let bit = 7; bit >= 0; bit--) product = (product << 1) ^ (product & 128 ? 0x11d : 0) ^ (((b >> bit) & 1) * a);
    return product;
  };
  let generator = [1];
  for (let index = 0, root = 1; index < count; index++, root = times(root, 2)) {
    generator = [...generator, 0].map((one, place) => one ^ (place ? times(generator[place - 1], root) : 0));
  }
  const rest = [...words, ...Array(count).fill(0)];
  words.forEach((_, at) => {
    const factor = rest[at];
    generator.forEach((one, place) => { rest[at + place] ^= times(one, factor); });
  });
  return rest.slice(words.length);
}

/** Draws a code, black on white in every theme, with the margin that cameras need. Null if the text is too long. */
export function qrCode(text, label) {
  const rows = modules(text);
  if (!rows) return null;
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  const side = rows.length + 8;
  return svg("svg", { class: "qr", viewBox: `-4 -4 ${side} ${side}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
    svg("rect", { x: -4, y: -4, width: side, height: side, fill: "#fff" }), svg("path", { d: path, fill: "#000" }));
}
