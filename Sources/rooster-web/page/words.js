// All texts of the page, and the words for times. Each screen has an object of its name. A function gets the names of
// alarms as elements, because each may have its own direction of writing.

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

/** A date without a zone, from the text of a date or of a local time. */
const civil = (text) => new Date(`${text.slice(0, 10)}T00:00:00Z`);
const daysBetween = (from, to) => Math.round((civil(to) - civil(from)) / 86_400_000);

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

  /** "Wednesday, 9 December", with the year if it is another than today's. */
  date(text, today, { short = false } = {}) {
    const day = civil(text);
    const year = today && text.slice(0, 4) !== today.slice(0, 4) ? ` ${text.slice(0, 4)}` : "";
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
  length(seconds) {
    const parts = [[Math.floor(seconds / 3600), "h"], [Math.floor((seconds % 3600) / 60), "min"], [seconds % 60, "s"]];
    return parts.filter(([count]) => count).map(([count, unit]) => `${count} ${unit}`).join(" ") || "0 s";
  },

  /** The clock of the device: "Wed 22:33". */
  now(local, state, long = false) {
    return long ? `${this.date(local, local, { short: true })}, ${this.time(local, state)}` : `${this.weekday(local).slice(0, 3)} ${this.time(local, state)}`;
  },

  /** "a, b or c", as parts. */
  or: (items, word = "or") => items.flatMap((item, index) => (index === 0 ? [item] : [index === items.length - 1 ? ` ${word} ` : ", ", item])),

  // Refusals

  /** The text of a refusal, as a sentence. */
  refusal(problem) {
    return problem.name === "noConnection" ? "Rooster did not answer. Nothing is known to have changed." : `${sentence(problem.detail)}${/[.!?]$/.test(problem.detail) ? "" : "."}`;
  },
  tryAgain: "Try again",
  close: "Close",
  back: "Back",
  cancel: "Cancel",

  layers: { base: "As set", weekly: "Weekday’s own", date: "This date only" },
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
  },
};
