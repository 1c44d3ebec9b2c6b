// All texts of the page, and the words for times. Each screen has an object of its name. A function gets the names of
// alarms as elements, because each may have its own direction of writing.

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
  within: (day) => day.replace(/^(To|This)/, (begin) => begin.toLowerCase()),

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
    notices: "What is wrong",
    search: "Search alarms",
    alarms: "Alarms",
    allAlarms: "All alarms",
    allOn: "All on",
    allOffShort: "All off",
    allOff: "All alarms are off",
    allOffMore: "None of them rings until you switch them on.",
    noRing: "No ring to come",
    noRingMore: "No alarm is on that has a day to ring.",
    noRingToCome: "No ring to come",
    off: "Off",
    noneFound: "No alarm has this in its name.",
    earliest: (time) => `From ${time} on, if you are awake by then`,
    ready: "Ready.",
    parts: (count) => `All ${count} parts are in order`,
    more: (count) => `and ${count} more`,
    locked: "Locked until it has rung",
    ownTime: (weekday) => `${weekday}’s own time`,
    skipped: (day) => `Skipped ${day}`,
    pausedUntil: (date) => `Paused until ${date}`,
    pausedFrom: (date) => `Paused from ${date}`,
    postponed: "Put off once",
    notDone: (day) => `Not done ${day}`,
    switched: { on: (name) => `${name} is on`, off: (name) => `${name} is off` },
    causes: {
      replaced: ({ replacement }) => (replacement ? `${replacement} takes the speaker’s place` : "Another speaker takes its place"),
      silent: () => "No speaker can be heard",
      unready: () => "No speaker can be heard",
      buzzerOnly: () => "Only the buzzer is heard",
      cameraBroken: () => "The camera gives no pictures",
      cameraPulledOut: () => "The camera is gone: plug it in",
      diskRefuses: () => "Nothing can be kept now",
      diskHangs: () => "Nothing can be kept now",
      clockUnknown: () => "The clock is not set",
    },
    partOf: { warning: (part) => `${part}: not as it should be`, broken: (part) => `${part}: broken` },
    past: {
      missed: (name, day, time) => [name, ` was missed ${day} at ${time}`],
      unanswered: (name, day, time) => [name, ` rang ${day} at ${time}, and nobody answered`],
      emergency: (name, day, time) => [name, ` was ended ${day} by the emergency way out`],
    },
    pastMore: {
      tooLate: "Rooster was off then, or the clock was set past it.",
      tooManyRings: "Too many alarms were due at once.",
      unanswered: "It gave up after its last round.",
      emergency: "Its challenges were not done.",
      missed: "It did not ring.",
    },
    nothing: "Nothing is set",
    nothingMore: "No alarm is going to ring.",
    example: { label: "Work", time: "07:00", repeat: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", ring: { ramp: 30 }, snooze: { max: 3 } },
    exampleTitle: "A good one to begin with",
    exampleRings: "Rings softly, then louder for half a minute.",
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
    lostMore: "Rooster rings all the same. What you see below is what it said last.",
    lostRinging: (time, name) => [`At ${time} `, name, " was ringing. It rings on: go to it."],
    lostNext: (time) => `At ${time} the next ring was`,
    sameNetwork: "Is this phone on the same Wi-Fi?",
    lampOn: "Is Rooster’s lamp on?",
    trying: (seconds) => `Trying again in ${seconds} s`,
    tryingNow: "Trying now",
    tryNow: "Try now",
  },

  edit: {
    title: "New alarm",
    titleEdit: "Alarm",
    time: "Time",
    keypad: "Keypad",
    wheel: "Wheel",
    usual: "Usual times",
    usualTimes: ["06:30", "07:00", "07:30", "08:00"],
    allOptions: "All options",
    fewer: "Fewer",
    save: "Save",
    saved: "Saved",
    on: "On",
    off: "Off",
    locked: "Locked",
    gone: "This alarm is gone. Somebody has deleted it.",
    noTime: "Set a time",
    noTimeMore: "Type it, or choose one below.",
    noRing: "No ring to come",
    isOff: "It is off",
    refused: "This cannot be saved yet",
    refusedMore: "See below.",
    then: (day, time) => `then ${day}, ${time}`,
    partOfDay: (hour) => (hour < 5 ? "at night" : hour < 12 ? "in the morning" : hour < 17 ? "in the afternoon" : hour < 22 ? "in the evening" : "at night"),
    lockedFirst: (time) => (time ? `${time} would be later` : "That would be easier"),
    lockedMore: (name) => [name, " is locked until it has rung."],
    lockTitle: "Earlier, louder or harder is fine",
    lockText: "For anything else, do its challenges now: then it can be changed until it has rung.",
    unlock: (tasks) => `Unlock with ${tasks}`,
    discard: "Discard what you changed?",
    goOn: "Go on",
    discardIt: "Discard it",
    conflict: "Somebody else has changed this alarm",
    conflictMore: "Nothing of yours is saved yet. Which one shall it be?",
    field: "Field",
    yours: "Yours",
    now: "Now",
    takeNow: "Take what is now",
    saveOver: "Save yours over it",
    fields: {
      label: "Name", enabled: "On", time: "Time", date: "Date", start: "Counts from", repeat: "Repeats", zone: "Time zone", days: "Calendar", weekly: "Weekdays’ times", dates: "Dates’ times",
      ring: "Sound", escalate: "If nobody answers", snooze: "Snooze", challenges: "Challenges", check: "Wake-up check", late: "Late", postpone: "May be put off", early: "Early", light: "Sunrise",
      notices: "Notices", note: "Note", category: "Category", skip: "Skipped", pause: "Paused",
    },
    parts: { volume: "Volume", ramp: "Rises for", for: "Rings for", rounds: "Rounds", rest: "Rests for", seconds: "Snooze", max: "Snoozes", after: "Check after", within: "Check waits" },
    /** The name of a part of a member, such as a date of `dates`. */
    partOf(name, part) {
      return this.parts[part] ?? (part[4] === "-" ? part : name === "weekly" ? `${part[0].toUpperCase()}${part.slice(1)}` : `${this.fields[name] ?? name}`);
    },
    /** A value of a member or of a part of one. */
    valueOf(name, value) {
      if (value === null && name === "max") return this.times(null);
      if (value === null || value === undefined || value === "" || value.length === 0) return "–";
      if (typeof value === "boolean") return value ? "yes" : "no";
      if (name === "volume") return `${Math.round(value * 100)} %`;
      if (name === "challenges") return value.map((one) => this.taskShort(one)).join(", ");
      if (name === "max" || name === "rounds") return String(value);
      if (typeof value === "number") return length(value);
      return typeof value === "object" ? JSON.stringify(value).replace(/["{}[\]]/g, "").replace(/([,:])/g, "$1 ") : String(value);
    },

    days: "Days",
    noDay: "No day pressed: once",
    offThen: "off",
    offOn: (weekday) => `Off on ${weekday}s`,
    ownTime: (weekday) => `${weekday} has its own time`,
    ownTimes: (count) => `${count} days have their own times`,
    repeats: "Repeats",
    repeatForms: {
      once: "Once", "daily/1": "Every day", "daily/2": "Every 2 days", "weekly/1": "Every week", "weekly/2": "Every 2 weeks", "weekly/4": "Every 4 weeks", "monthly/1": "Every month, by date", "monthlyDay/1": "Every month, by weekday",
      "monthly/3": "Every 3 months", "monthly/6": "Every 6 months", yearly: "Every year", own: "A rule of your own",
    },
    every: "Every",
    intervals: { daily: (n) => plural(n, "day"), weekly: (n) => plural(n, "week"), monthly: (n) => plural(n, "month"), monthlyDay: (n) => plural(n, "month"), yearly: (n) => plural(n, "year") },
    monthDay: "On the",
    ordinal: (n) => `${n}${[11, 12, 13].includes(n) ? "th" : ["th", "st", "nd", "rd"][n % 10] ?? "th"}`,
    lastDay: "last day",
    month: "Of",
    months,
    which: "On the",
    places: [["1", "first"], ["2", "second"], ["3", "third"], ["4", "fourth"], ["-1", "last"]],
    weekday: "Weekday",
    rule: "Rule of a calendar (RFC 5545)",
    onDate: "On",
    start: "Counts from",
    onlyOn: "Only on days of",
    anyDay: "no calendar",

    otherTimes: "Other times",
    everyWeekday: (weekday) => `${weekday}s`,
    anotherTime: "Another weekday or date",
    allTimes: (count) => `All ${count}`,
    aDate: "A date",
    day: "Day",
    date: "Date",
    noDate: "Choose a date",
    ringThen: "Ring at this time",
    offThenLong: "No ring then",
    backToRule: "Back to the rule",

    toStop: "To stop it",
    stopsWith: { qr: "Stops with a code", math: "Stops with sums", steps: "Stops with steps", pattern: "Stops with a pattern", tag: "Stops with a tag", roulette: "Stops with one of several" },
    addChallenge: "Add a challenge",
    addIt: "Add",
    takeIt: "Done",
    remove: (what) => `Remove ${what}`,
    up: (what) => `Move ${what} up`,
    down: (what) => `Move ${what} down`,
    sums: (count, example) => (example ? `${count}, like ${example}` : String(count)),
    steps: (count) => `${count} steps`,
    presses: (count) => `${count} presses`,
    taskShort: ({ kind, count }) => ({ qr: "the code", tag: "the tag", math: plural(count ?? 3, "sum"), steps: `${count ?? 30} steps`, pattern: "the pattern", roulette: "one of several" })[kind] ?? kind,
    aboutKind: {
      qr: "Show a code from another room to the camera", math: "Solve them in your head", steps: "Walk on the mat", pattern: "Press the buttons as the lamp shows", tag: "Hold a tag to the reader",
      roulette: "One of several, drawn for each ring",
    },
    noneKnown: { qr: "Rooster knows no code yet.", tag: "Rooster knows no tag yet." },
    toCodes: "Codes and tags",
    anyCode: "Any one of these ends it:",
    anyTag: "Any one of these ends it:",
    howMany: "How many",
    level: "Level",
    levels: ["easy", "middle", "hard"],
    like: (example) => `Like ${example}`,
    timeForEach: "Time for each",
    roulette: "One of these, drawn for each ring. Two at least.",
    unknownKind: "This page does not know this challenge. It stays as it is.",
    incomplete: { qr: "Choose a code.", tag: "Choose a tag.", roulette: "Add two at least." },

    sound: "Sound",
    noSound: "No sound, it only shakes",
    loop: (seconds) => `${seconds} s, in a loop`,
    rises: (time, volume) => {
      const top = volume >= 1 ? "full" : `${Math.round(volume * 100)} %`;
      return time ? `From a whisper to ${top} in ${time}` : volume >= 1 ? "Full at once" : `At ${top} at once`;
    },
    due: "due",
    volume: "Volume",
    risesFor: "Rises for",
    atOnce: "at once",
    shake: "Shakes the bed",
    hear: "Hear it on Rooster",
    inSeconds: (seconds) => `in ${seconds} s`,
    testSoon: "Rooster plays it in 8 seconds",
    endTest: "End the test ring",
    testOver: "The test ring is over",

    unanswered: "If nobody answers",
    afterward: "After",
    then_: "Then",
    sameSound: "the same sound",
    beep: "a piercing beep",
    addStep: "Add something louder",
    removeStep: "Remove this",
    roundLength: "Rings for",
    rounds: "Gives up after",
    roundCount: (count) => plural(count, "round"),
    rest: "Rests for",

    snooze: "Snooze",
    each: "Each",
    atMost: "At most",
    times: (count) => (count === null ? "without limit" : count === 0 ? "never" : plural(count, "time")),

    afterwards: "After that",
    check: "Wake-up check",
    checkMore: "Asks once more whether you are awake",
    checkAfter: "Asks after",
    checkWithin: "Waits for",
    mayPutOff: "May be put off",
    mayPutOffMore: "Without its challenges",

    before: "Before it",
    light: "Sunrise",
    early: "Earlier, if you move",
    none: "none",
    notices: "Notices ahead",
    noticeTime: (time) => `${Number(time.slice(0, -1))} ${{ m: "min", h: "h", d: time === "1d" ? "day" : "days", s: "s" }[time.at(-1)] ?? ""}`,
    zone: "Time zone",
    deviceZone: "that of Rooster",

    late: "If it could not ring in time",
    lateLabel: "Still rings up to",
    lateBy: (time) => `${time} late`,
    notLate: "never late",

    label: "Name",
    note: "Note",
    category: "Category",

    skip: (day) => `Skip ${day}`,
    skipped: "Skipped",
    unskip: (date) => `Ring on ${date} after all`,
    unskipped: "It rings after all",
    pause: "Pause for some days",
    pauseMore: "It does not ring from the first to the last of these days. Dates with their own time still ring.",
    from: "From",
    until: "Until",
    pauseIt: "Pause it",
    isPaused: "It is paused",
    endPause: "End the pause",
    pauseEnded: "The pause is over",
    done: (day) => `It was done ${day}`,
    isDone: "Done",
    delete: "Delete this alarm",
    deleteAsked: (name) => ["Delete ", name, "?"],
    keep: "Keep",
    deleteIt: "Delete",
    deleted: "Deleted",
  },

  calendar: {
    title: "Calendar",
    before: "The month before",
    next: "The month after",
    all: "All",
    alarms: "Alarms",
    off: "off",
    marks: { date: "off", weekday: "off", skip: "skip", pause: "pause" },
    more: (time, count) => (count > 1 ? `${time}+` : time),
    different: (month) => `Different in ${month}`,
    insteadOf: (time) => `instead of ${time}`,
    insteadOfLong: (time) => `Instead of ${time}`,
    daily: (names) => ["Alarms that ring every day are not drawn: ", ...names],
    another: "Another time",
    offThen: "Off on this date",
    back: "Back to the rule",
    ringAt: "Ring at a time",
    ringThen: "Ring at this time",
    time: "Time",
    afterAll: "Ring after all",
    noRing: "No ring on this day",
    newAlarm: "New alarm on this day",
    openAlarm: "This alarm",
    saved: "Saved",
    reasons: {
      off: "The alarm is off", skip: "Skipped", date: "Off on this date", pause: "Paused", weekday: (weekday) => `Off on ${weekday}s`, calendar: (name) => ["Not a day of ", name],
    },
    past: { dismissed: "Ended", missed: "Missed", unanswered: "Nobody answered", emergency: "Emergency way out", postponed: "Put off", done: "Done", cancelled: "Cancelled" },
    pastTime: (how, time) => `${how} at ${time}`,
    layerOf: { base: "as set", weekly: "weekday’s own time", date: "this date only" },
  },

  codes: {
    title: "Codes and tags",
    about: "Hang them where you have to get up for them. Rooster keeps a fingerprint of each, never what it says.",
    and: "and",
    ends: (names) => ["ends ", ...names],
    endsNothing: "ends nothing yet",
    endsTitle: "Ends these alarms",
    notUsed: "No alarm asks for it yet",
    tryThis: "Try it out",
    none: "Rooster knows no code yet.",
    noCamera: "No camera is set up, so Rooster reads no codes.",
    print: "Print a new code",
    printMore: "A sheet to hang up",
    show: "Show a code to the camera",
    showMore: "Any QR code from another room",
    hold: "Hold a tag to the reader",
    holdMore: "A card or a key ring, no phone",
    try: "Try one out",
    tryMore: "Is it read from where it hangs?",
    kinds: { code: "QR code", barcode: "Barcode", tag: "Tag" },
    since: (date) => `known since ${date}`,
    replace: { qr: "Use another code in its place", tag: "Use another tag in its place" },
    replaceMore: "The alarms keep its name",
    forget: "Forget it",
    forgetAsked: (name) => ["Forget ", name, "? It ends no ring from then on."],
    forgetIt: "Forget",
    forgetFirst: "First give it another code or another challenge.",
    forgotten: "It is forgotten",
    notKept: "It cannot be printed again: what it says is not kept.",
    name: "Where does it hang?",
    nameMore: "Any code of a bottle or a box does, if it stays in that room.",
    nameMoreTag: "A phone is no tag: its number changes each time.",
    names: ["bathroom", "kitchen", "hall"],
    tagNames: ["key ring", "bathroom", "front door"],
    next: ["Show it now", "Hold it there now"],
    newOne: ["New code", "New tag"],
    starting: "The camera is starting",
    noPictures: "The camera gives no pictures",
    noConnection: "No connection",
    showNow: "Show the code",
    showAny: "Show a code, or hold a tag to the reader",
    showNowMore: "Hold it so that it fills the corners.",
    holdNow: "Hold the tag to the reader",
    holdNowMore: "Leave it there for a second.",
    hints: {
      dark: ["Too dark", "Turn on a light."],
      several: ["Several codes are in view", "Show one alone."],
      small: ["Come nearer", "The code is small. Then hold it still for a second."],
      blurred: ["Not sharp", "Hold it still, or further away."],
      still: ["Hold it still", "It is being read."],
      standing: ["Take the code away", "Then show it again."],
      wrong: ["This is another code", "Show the right one."],
    },
    size: "Size",
    light: "Light",
    sharpness: "Sharpness",
    dark: "too dark",
    enough: "enough",
    blurred: "blurred",
    sharp: "sharp",
    seen: "What the camera sees",
    seeing: "You are seeing what Rooster’s camera sees.",
    aMinute: "After a minute it gives up.",
    known: (name) => [name, " is known now"],
    fingerprint: (print) => `Fingerprint ${print}`,
    another: "It is the only one, and the emergency way out is off. Enrol a second one, in case this one is lost.",
    enrolSecond: "Enrol a second one too",
    useIt: "No alarm asks for it yet. Choose it on the page of an alarm, under “To stop it”.",
    is: (name) => ["This is ", name],
    isMore: "It is read.",
    other: (name, wanted) => ["This is ", name, ", not ", wanted],
    unknown: { qr: "Rooster does not know this code", tag: "Rooster does not know this tag" },
    tryAnother: "Try another",
    enrolIt: "Enrol it",
    done: "Done",
    notSeen: { qr: "No code was seen", tag: "No tag was held to the reader" },
    notSeenMore: "A minute is over.",
    refused: "That did not work",
    busy: "Another try is going on",
    takeOver: "Begin here instead",
    otherName: "Choose another name",
    makeSheet: "Make a sheet",
    sheetOf: (label) => `A sheet with a new code for ${label}`,
    sheetReady: "The sheet is ready",
    purpose: "Hang it where you have to get up for it, and show it to Rooster’s camera.",
    whoever: "Whoever has this sheet can end the ring.",
    lamp: "Hang it near a lamp: in the dark the camera sees nothing.",
    thenShow: "Then show it to the camera once, so that Rooster knows it.",
    eachOther: "Each sheet has another code. Rooster keeps none of them, so this one is gone when you leave.",
    printIt: "Print",
    showIt: "Show it to the camera",
  },


  nights: {
    title: "Nights",
    period: "How far back",
    periods: { 7: "7 days", 28: "28 days", 91: "3 months", 4000: "All nights" },
    percent: "% got you up",
    ofRings: (count) => (count === 1 ? "of one ring with challenges" : `of the ${count} rings with challenges`),
    noSuccess: "No ring with challenges is over yet.",
    noSuccessOf: "No ring with challenges in these days.",
    of: "Rings of",
    all: "all alarms",
    alarms: "Alarms",
    categories: "Categories",
    category: "Category",
    strip: "From the first sound to the last challenge",
    weeks: "The share that got you up, week by week",
    none: "No ring is over yet. Each will stand here.",
    noneThen: "No ring in these days.",
    older: "Older nights",
    today: "Today",
    yesterday: "Yesterday",
    snooze: "snooze",
    noSnooze: "no snooze",
    after: (time) => `after ${time}`,
    to: (time) => `to ${time}`,
    unheard: "Nobody heard it",
    unheardLong: "Neither a speaker nor the buzzer played it.",
    ended: { missed: "Missed", unanswered: "Unanswered", emergency: "Emergency", postponed: "Put off", done: "Done before", cancelled: "Cancelled" },
    reasons: { tooLate: "too late", tooManyRings: "too many at once" },
    because: { tooLate: "Rooster was off then, or the clock was set past it.", tooManyRings: "Too many alarms were due at once." },
    became: { dismissed: "Ended", missed: "Missed", unanswered: "Gave up: nobody answered", emergency: "Emergency way out", postponed: "Put off", done: "Done before it rang", cancelled: "Cancelled" },
    by: "by",
    origins: { button: "a button", page: "the page", "command line": "the command line", "home assistant": "Home Assistant", keypad: "the keypad", camera: "the camera", steps: "the steps", "tag reader": "the tag reader" },
    inBed: "In bed",
    due: "Due",
    late: (time) => `${time} late`,
    early: (time) => `${time} early, because you moved`,
    began: "It began to ring",
    snoozed: "Snoozed",
    challenge: "A challenge",
    inPlaceOf: (kind) => `in place of: ${kind}`,
    doneLater: "Reported as done",
    series: (date) => `Missed each time since ${date}.`,
    notDone: (kinds) => `Not done: ${kinds}.`,
    checks: (count, failed) => `${plural(count, "wake-up check")}${failed ? `, ${failed} not answered` : ", answered"}.`,
    with: (name) => ["The challenges of ", name, " ended it as well."],
    shaken: "The bed was shaken.",
    slept: (time) => `${time} in bed.`,
    showRecorded: "What Rooster recorded",
    recorded: "What Rooster recorded",
    nothingRecorded: "Nothing unusual.",
    each: "How each did",
    share: (count, all) => `${count} of ${all}`,
    quick: (count) => `${count} within 10 min`,
    clear: "Clear the history",
    clearAsked: "Clear all rings that are over? Those of the last 24 hours stay. It cannot be undone.",
    clearIt: "Clear",
    cleared: "The history is cleared",
  },
};
