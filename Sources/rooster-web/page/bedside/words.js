// The texts of the virtual bedside.

const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;

export const words = {
  title: "The virtual bedside",
  phone: "Rooster's page, as a phone shows it",
  phoneName: "Phone of the demo",
  device: "The device on the night table",
  noToken: "This page needs a token",
  noTokenMore:
    "Start 'scripts/demo' and open the address that it prints. Beside a simulated service of your own, "
    + "run 'rooster token add bedside --may change', and open this page with #token= and that token behind its address.",

  // What happens, and what to do
  starting: ["Rooster is starting", "In a moment this is a bedside: a phone and an alarm clock."],
  soon: (seconds) => [`It rings in ${count(seconds, "second", "seconds")}`, "The phone only sets it: the device on the night table rings."],
  rings: ["It rings, softly at first", "Press the round button: it snoozes. Half asleep you will find it."],
  resting: (seconds) => [`Silent for ${count(seconds, "second", "seconds")}`, "The ring had no answer. It rings again by itself."],
  snoozed: (seconds) => [`Snoozed for ${count(seconds, "second", "seconds")}`, "It rings again by itself, and goes on from where it was."],
  ringsAgain: ["It rings again", "Press the long button to stop it. It wants to see first that you are up."],
  showCode: ["Only a code stops it", "It hangs in the bathroom, so you must get up. Drag it before the camera."],
  dark: ["It is too dark for the camera", "The sheet is in place: turn on the light."],
  wrongCode: ["That is another code", "Only the sheets \"bathroom\" and \"kitchen\" end this alarm."],
  standing: ["The code was in view already", "Take the sheet away, and show it again."],
  noCamera: ["The camera is gone", "Plug it in again. After a while Rooster asks for sums in its place."],
  otherChallenge: ["It rings until its challenge is done", "The phone says what to do. Steps, keys and the tag are here beside it."],
  buzzer: ["The buzzer takes over", "No speaker is left. Plug one in again, and it rings there."],
  unheard: ["No speaker is left", "Plug one in again. It rings on as soon as it can."],
  over: ["It is over: you are up", "Set an alarm of your own on the phone, and turn the clock to it."],
  next: (time) => [`The next ring is at ${time}`, "Turn the clock to it, or let it run faster."],
  nothing: ["Nothing is set", "Set an alarm on the phone."],
  cut: ["The power is cut", "It comes back in some seconds, and what rang rings on."],
  away: ["The device does not answer", "Has the demo ended? Start it again."],

  // The clock
  clock: "The device's clock",
  speed: (times) => `${times}×`,
  speedLong: (times) => (times === 1 ? "The clock runs as usual" : `The clock runs ${times} times as fast`),
  minutes: "+10 min",
  hours: "+8 h",
  toRing: "To the next ring",

  // The device
  snooze: "snooze",
  stop: "stop",
  both: "Hold both",
  bothLong: "Hold both buttons: after a minute, the emergency exit ends the ring",
  noSound: "silent",
  buzzerName: "Buzzer",
  decibels: (level) => `${level < 0 ? "−" : ""}${Math.abs(Math.round(level))} dB`,
  lamp: { off: "Lamp: off", on: "Lamp: on", blinking: "Lamp: it blinks" },
  hear: "Hear it",
  hush: "Mute it",

  // The room
  lightOn: "Turn on the light",
  lightOff: "Turn off the light",
  pull: "Pull the plug",
  powerBack: "Power comes back",
  sheets: "Drag one before the camera",
  camera: "Before the camera",
  empty: "Drop a sheet or a picture here",
  show: (label) => `Show the code "${label}" to the camera`,
  takeAway: "Take it away",
  picture: "A picture",
  own: "Use my own camera",
  ownOff: "Turn off my camera",
  noOwn: "The browser gives no camera",
  tooLarge: "This picture cannot be read",
  shown: "In view",
  tag: "Hold the tag to the beak",
  keypad: "Keypad",
  erase: "Erase",
  enter: "Enter",
  step: "One step",
  plugs: "Plugs and faults",
  cameraPlug: "Camera",
  clockSet: "Clock is set",
  disk: "Disk takes writes",
  refused: (reason) => `Refused: ${reason}`,
};
