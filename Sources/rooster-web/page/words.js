// The texts of the frame and of Home, and the words for times. Other screens have theirs in files of their own, with an
// object for each screen. A function gets the names of alarms as elements, because each may have its own direction.

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

/** A date without a zone, from the text of a date or of a local time. */
const civil = (text) => new Date(`${text.slice(0, 10)}T00:00:00Z`);
const daysBetween = (from, to) => Math.round((civil(to) - civil(from)) / 86_400_000);

const length = (seconds) => {
  const parts = [[Math.floor(seconds / 3600), "h"], [Math.floor((seconds % 3600) / 60), "min"], [seconds % 60, "s"]];
  return parts.filter(([count]) => count).map(([count, unit]) => `${count} ${unit}`).join(" ") || "0 s";
};
const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
const sentence = (text) => (text ? text[0].toUpperCase() + text.slice(1) : "");

export default {
  plural,
  sentence,
  unnamed: "Alarm",

  // Times

  /** Whether the owner reads times with am and pm. */
  halfDays: (state) => state?.status?.hours === 12,

  /** The time of day of a local time or of "07:45". */
  time(text, state) {
    if (!text) return "";
    const [hour, minute, half] = this.timeParts(text, state);
    return `${hour}:${minute}${half && ` ${half}`}`;
  },

  /** Hour, minute, and "am" or "pm" where the owner reads times so. */
  timeParts(text, state) {
    const [hour, minute] = (text.includes("T") ? text.slice(11, 16) : text).split(":");
    if (!this.halfDays(state)) return [hour, minute, ""];
    return [String(hour % 12 || 12), minute, hour < 12 ? "am" : "pm"];
  },

  weekday: (text) => days[civil(text).getUTCDay()],
  /** The name of "mon". */
  weekdayOf: (short) => days.find((name) => name.toLowerCase().startsWith(short)),
  month: (text) => `${months[civil(text).getUTCMonth()]} ${text.slice(0, 4)}`,
  monthName: (text) => months[civil(text).getUTCMonth()],

  /** "Wednesday, 9 December", with the year if it is far from today. */
  date(text, today, { short = false } = {}) {
    const day = civil(text);
    const year = today && Math.abs(daysBetween(today, text)) > 300 ? ` ${text.slice(0, 4)}` : "";
    const [weekday, month] = [days[day.getUTCDay()], months[day.getUTCMonth()]];
    return short ? `${weekday.slice(0, 3)} ${day.getUTCDate()} ${month}${year}` : `${weekday}, ${day.getUTCDate()} ${month}${year}`;
  },

  /** The day of a local time: "Tomorrow, Thursday". */
  day(text, today) {
    const ahead = daysBetween(today, text);
    if (ahead === 0) return text.slice(11, 13) >= "17" && today.slice(11, 13) < "17" ? "This evening" : "Today";
    if (ahead === 1) return `Tomorrow, ${this.weekday(text)}`;
    if (ahead > 1 && ahead < 7) return this.weekday(text);
    return this.date(text, today);
  },

  /** The day as the heading of a list: "Tomorrow". */
  dayShort(text, today) {
    return ["Today", "Tomorrow"][daysBetween(today, text)] ?? this.day(text, today);
  },

  /** A day within a sentence: "tomorrow, Thursday". */
  within: (day) => day.replace(/^(To|This|By)/, (begin) => begin.toLowerCase()),

  /** The time until something: "9 h 12 min". A minute that has begun counts. */
  span(seconds) {
    seconds = Math.max(0, Math.ceil(seconds));
    if (seconds < 60) return `${seconds} s`;
    if (seconds < 300) return `${Math.floor(seconds / 60)} min${seconds % 60 ? ` ${seconds % 60} s` : ""}`;
    const minutes = Math.ceil(seconds / 60);
    if (minutes < 60) return `${minutes} min`;
    const hours = Math.floor(minutes / 60);
    if (hours < 48) return `${hours} h${minutes % 60 ? ` ${minutes % 60} min` : ""}`;
    return `${plural(Math.floor(hours / 24), "day")}${hours % 24 ? ` ${hours % 24} h` : ""}`;
  },
  until(seconds) {
    return seconds < 1 ? "now" : `in ${this.span(seconds)}`;
  },

  /** A length that its owner has set: "9 min". */
  length,
  months,

  /** The clock of the device: "Wed 22:33". */
  now(local, state, long = false) {
    return long ? `${this.date(local, local, { short: true })}, ${this.time(local, state)}` : `${this.weekday(local).slice(0, 3)} ${this.time(local, state)}`;
  },

  /** "a, b or c", as parts. */
  or: (items, word = "or") => items.flatMap((item, index) => (index === 0 ? [item] : [index === items.length - 1 ? ` ${word} ` : ", ", item])),

  // Refusals

  /** The text of a refusal, as a sentence. */
  refusal(problem) {
    return problem.name === "noConnection"
      ? "Rooster did not answer, so this may not be done."
      : `${sentence(problem.detail)}${/[.!?]$/.test(problem.detail) ? "" : "."}`;
  },
  clockOf: (zone) => `By the clock of ${zone.split("/").at(-1).replaceAll("_", " ")}`,
  tryAgain: "Try again",
  close: "Close",
  back: "Back",
  cancel: "Cancel",

  layers: { base: "Usual time", weekly: "Only on this weekday", date: "Only on this date" },
  kinds: { qr: "Code", math: "Sums", steps: "Steps", pattern: "Pattern", tag: "Tag", roulette: "Roulette" },
  parts: {
    speaker: "Speaker", camera: "Camera", codes: "Codes", buttons: "Buttons", keypad: "Keypad", steps: "Step mat", tags: "Tag reader", lamps: "Lamps",
    shaker: "Shaker", disk: "Disk", clock: "Clock", alarms: "Alarms", rooster: "Rooster",
  },

  controls: { erase: "Delete the last digit", minus: "less", plus: "more" },

  main: {
    name: "Rooster",
    screens: "Screens",
    skip: "Skip to the content",
    tabs: { "": "Alarms", calendar: "Calendar", nights: "Nights", bedside: "Bedside", codes: "Codes", settings: "Settings" },
    night: "Red colours for the night",
    show: "Show",
    reload: "Reload",
    noScreen: "This screen could not be loaded. Is there a connection?",
    noSuchScreen: "There is no such screen.",
    unpaired: "This browser is not paired. Type 'rooster pair' on the device, and open the address that it shows.",
    lost: (time) => (time ? `No connection since ${time}` : "No connection"),
    session: {
      ringing: (name) => [name, " rings"],
      snoozed: (name, time) => [name, ` rings again at ${time}`],
      resting: (name, time) => [name, ` rings again at ${time}`],
      checking: (name) => [name, ": are you awake?"],
      unlocking: (name) => [name, " is being unlocked"],
    },
  },

  home: {
    newAlarm: "New alarm",
    notices: "What is wrong",
    search: "Search alarms",
    alarms: "Alarms",
    allAlarms: "All alarms",
    allOn: "Your alarms ring again",
    allOff: "All alarms are off",
    allOffMore: "No alarm rings until you switch them on again.",
    noRing: "No alarm is going to ring",
    noneOn: (count) => (count === 1 ? "Your alarm is off." : "Each of your alarms is off."),
    noDayLeft: "The alarms that are on have no day left.",
    noRingToCome: "No ring to come",
    off: "Off",
    noneFound: "No alarm has this in its name.",
    earliest: (time) => `If you move, it may ring from ${time} on`,
    ready: "Ready.",
    parts: "All parts are in order",
    noFault: "No fault is known",
    more: (count) => `and ${count} more`,
    locked: "Locked until it has rung",
    ownTime: (weekday) => `${weekday}’s own time`,
    skipped: (day) => `Skipped ${day}`,
    pausedUntil: (date) => `Paused until ${date}`,
    pausedFrom: (date) => `Paused from ${date}`,
    postponed: "This ring was put off",
    notDone: (day) => `Not done ${day}`,
    switched: { on: (name) => `${name} is on`, off: (name) => `${name} is off` },
    causes: {
      replaced: ({ replacement }) => (replacement ? `${replacement} takes the speaker’s place` : "Another speaker takes its place"),
      silent: () => "No speaker can be heard",
      unready: () => "No speaker can be heard",
      buzzerOnly: () => "Only the buzzer is heard",
      cameraBroken: () => "The camera gives no pictures",
      cameraPulledOut: () => "The camera is gone: plug it in",
      diskRefuses: () => "Nothing can be saved now",
      diskHangs: () => "Nothing can be saved now",
      clockUnknown: () => "The clock is not set",
    },
    partOf: { warning: (part) => `${part}: not as it should be`, broken: (part) => `${part}: broken` },
    past: {
      missed: (name, day, time) => [name, ` was missed ${day} at ${time}`],
      unanswered: (name, day, time) => [name, ` rang ${day} at ${time}, and nobody answered`],
      emergency: (name, day, time) => [name, ` was ended ${day} by the emergency exit`],
    },
    pastMore: {
      tooLate: "Rooster was off then, or its clock was set forward.",
      tooManyRings: "Too many alarms were due at once.",
      unanswered: "It gave up after its last round.",
      emergency: "Its challenges were not done.",
      missed: "It did not ring.",
    },
    nothing: "Nothing is set",
    nothingMore: "There is no alarm yet.",
    example: { label: "Work", time: "07:00", repeat: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", ring: { ramp: 30 },
      snooze: { max: 3 }, challenges: [{ kind: "math", count: 3 }] },
    exampleTitle: "A good one to begin with",
    exampleRings: "It rings softly, then louder for half a minute.",
    exampleSums: "It stops when you have solved three sums.",
    exampleCode: (label) => ["It stops when you show the code ", label, " to the camera."],
    exampleSnooze: "You can snooze it three times.",
    setIt: "Set this alarm",
    changeIt: "Change it first",
    asking: "Asking…",
    before: "Before the first morning",
    hangUp: "Hang up a code in the bathroom",
    hear: "Hear how loud it is",
    hearSoon: "It rings in 3 seconds",
    lostStopped: "Rooster’s service does not answer: it is starting, or has stopped. Until it is back, it may not ring.",
    lostMore: "Rooster rings all the same.",
    lostBelow: "What you see below is what it said last.",
    lostRinging: (time, name) => [`At ${time} `, name, " was ringing. It rings on: go to it."],
    lostNext: (time) => `At ${time} the next ring was`,
    sameNetwork: "Is this phone on the same Wi-Fi?",
    lampOn: "Is Rooster’s lamp on?",
    trying: (seconds) => `Trying again in ${seconds} s`,
    tryingNow: "Trying now",
    tryNow: "Try now",
  },
};
