// The view of the simulated camera: a sheet with a code, a picture, or the camera of this machine.

import { h, fillWith } from "/dom.js";
import { icon } from "/drawings.js";
import { qrCode } from "/qr.js";
import { change } from "/bedside/link.js";
import { words } from "/bedside/words.js";

/** The sheets of this room. The milk is no code of Rooster's. */
export const sheets = [
  { label: "bathroom", text: "ROOSTER-BATHROOMABCDEFGHIJKLMNOPQR" },
  { label: "kitchen", text: "ROOSTER-KITCHENABCDEFGHIJKLMNOPQRS" },
  { label: "milk", text: "MILK" },
];

const sideMax = 640;
const bytesMax = 180_000;
const ownMilliseconds = 400;

/** Returns a picture as a small JPEG in base64, and draws it into the canvas. */
async function packed(source, width, height, canvas) {
  const scale = Math.min(1, sideMax / Math.max(width, height));
  [canvas.width, canvas.height] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  canvas.getContext("2d").drawImage(source, 0, 0, canvas.width, canvas.height);
  for (const quality of [0.8, 0.5, 0.3]) {
    const blob = await new Promise((made) => canvas.toBlob(made, "image/jpeg", quality));
    if (blob.size > bytesMax) continue;
    let text = "";
    for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte);
    return btoa(text);
  }
  throw new Error(words.tooLarge);
}

export function cameraView({ act, refuse }) {
  const canvas = h("canvas", { class: "shown-picture", role: "img", "aria-label": words.picture });
  const video = h("video", { class: "shown-picture", autoplay: true, playsinline: true });
  video.muted = true;
  let stream = null;
  let camera = null;

  const empty = () => act({ show: "" });
  const sheetButton = (sheet, isShown) => {
    const button = h("button", {
      type: "button", class: "paper", key: sheet.label, "aria-pressed": String(isShown),
      "aria-label": isShown ? `${sheet.label}: ${words.takeAway}` : words.show(sheet.label),
    }, h("strong", null, sheet.label), h("span", { "aria-hidden": "true" }, qrCode(sheet.text, sheet.label)));
    drag(button, (isOverZone) => (isOverZone === isShown ? null : isShown ? empty() : showSheet(sheet)), () => (isShown ? empty() : showSheet(sheet)));
    return button;
  };

  function showSheet(sheet) {
    stopOwn();
    act({ show: sheet.text });
  }

  /** Lets an element be dragged. A press without a move is a click. */
  function drag(element, dropped, clicked) {
    let from = null;
    let hasMoved = false;
    element.onpointerdown = (event) => {
      if (event.button !== 0 || event.pointerType === "touch") return;
      [from, hasMoved] = [{ x: event.clientX, y: event.clientY }, false];
      element.setPointerCapture(event.pointerId);
    };
    element.onpointermove = (event) => {
      if (!from) return;
      const [x, y] = [event.clientX - from.x, event.clientY - from.y];
      hasMoved ||= Math.hypot(x, y) > 6;
      if (hasMoved) element.style.setProperty("translate", `${x}px ${y}px`);
    };
    element.onpointerup = (event) => {
      if (!from) return;
      from = null;
      element.style.removeProperty("translate");
      if (!hasMoved) return;
      const { left, right, top, bottom } = zone.getBoundingClientRect();
      dropped(event.clientX > left && event.clientX < right && event.clientY > top && event.clientY < bottom);
    };
    element.onpointercancel = () => { from = null; element.style.removeProperty("translate"); };
    element.onclick = () => { if (!hasMoved) clicked(); hasMoved = false; };
  }

  // Pictures

  async function showFile(file) {
    if (!file) return;
    stopOwn();
    try {
      const picture = await createImageBitmap(file);
      const content = await packed(picture, picture.width, picture.height, canvas);
      act({ picture: content });
    } catch {
      refuse(words.tooLarge);
    }
  }

  async function startOwn() {
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { width: 640, height: 480 } });
    } catch {
      return refuse(words.noOwn);
    }
    const own = stream;
    video.srcObject = stream;
    update(camera);
    while (stream === own) {
      if (video.videoWidth) {
        try {
          await change({ picture: await packed(video, video.videoWidth, video.videoHeight, canvas) });
        } catch (reason) {
          if (reason.name !== "noConnection") refuse(reason.message);
        }
      }
      await new Promise((later) => setTimeout(later, ownMilliseconds));
    }
  }

  function stopOwn() {
    stream?.getTracks().forEach((track) => track.stop());
    stream = null;
    video.srcObject = null;
  }

  // Elements

  const zone = h("div", { class: "zone" });
  const wall = h("div", { class: "wall-sheets" });
  const input = h("input", { type: "file", accept: "image/*", class: "unseen", tabindex: "-1",
    "aria-label": words.picture, onchange: () => { showFile(input.files[0]); input.value = ""; } });
  const own = h("div", { class: "zone-tools" });
  const element = h("div", { class: "camera-view", role: "group", "aria-label": words.camera }, wall,
    h("p", { class: "small quiet" }, words.sheets), zone, own);

  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    showFile(event.dataTransfer?.files[0]);
  });

  let drawn = "";
  function update(report) {
    camera = report;
    const text = camera?.codes[0];
    const shown = camera?.picture || stream ? null : sheets.find((sheet) => sheet.text === text);
    const key = JSON.stringify([Boolean(camera), shown?.label, camera?.picture, Boolean(stream), text]);
    if (key === drawn) return;
    drawn = key;
    const focused = document.activeElement?.closest?.(".paper")?.key;
    wall.replaceChildren(...sheets.filter((sheet) => sheet !== shown).map((sheet) => sheetButton(sheet, false)));
    zone.replaceChildren(...(stream ? [video]
      : shown ? [sheetButton(shown, true)]
      : camera?.picture ? [canvas, h("button", { type: "button", class: "pill away", onclick: empty }, icon("close"), words.takeAway)]
      : text ? [h("bdi", { class: "small" }, text), h("button", { type: "button", class: "pill away", onclick: empty }, icon("close"), words.takeAway)]
      : [h("span", { class: "small quiet" }, words.empty)]));
    fillWith(own, [
      h("button", { type: "button", key: "file", class: "pill", onclick: () => input.click() }, icon("plus"), words.picture), input,
      h("button", { type: "button", key: "own", class: "pill", "aria-pressed": String(Boolean(stream)),
        onclick: () => { if (stream) { stopOwn(); empty(); } else startOwn(); } },
        icon("camera"), stream ? words.ownOff : words.own),
    ]);
    if (focused) [...element.querySelectorAll(".paper")].find((paper) => paper.key === focused)?.focus();
  }

  update(null);
  return { element, update };
}
