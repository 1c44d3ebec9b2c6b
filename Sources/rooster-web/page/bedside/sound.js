// The sound of the simulated speaker, in the browser: two notes at the level that the service reports.

let context = null;
let gain = null;
let timer = null;
let level = null;

const notes = [880, 1174.7];
const seconds = 0.24;

/** Starts the sound. Browsers allow it only after a click. */
export function hear() {
  context ??= new AudioContext();
  context.resume();
  gain ??= context.createGain();
  gain.connect(context.destination);
  gain.gain.value = 0;
  timer ??= setInterval(play, 1000);
}

export function hush() {
  clearInterval(timer);
  timer = null;
  gain?.disconnect();
}

export const isHeard = () => timer !== null;

/** Sets the level in decibels; null for silence. */
export function setLevel(decibels) {
  level = decibels;
  if (timer) gain.gain.setTargetAtTime(decibels === null ? 0 : 0.5 * 10 ** (decibels / 20), context.currentTime, 0.05);
}

function play() {
  if (level === null) return;
  [0, 1, 0, 1].forEach((note, index) => {
    const [tone, shape] = [context.createOscillator(), context.createGain()];
    const start = context.currentTime + index * seconds * 0.75;
    tone.type = "triangle";
    tone.frequency.value = notes[note];
    shape.gain.setValueAtTime(0, start);
    shape.gain.linearRampToValueAtTime(1, start + 0.02);
    shape.gain.exponentialRampToValueAtTime(0.001, start + seconds);
    tone.connect(shape).connect(gain);
    tone.start(start);
    tone.stop(start + seconds);
  });
}
