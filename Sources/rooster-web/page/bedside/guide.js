// What happens at the bedside, and what to do: the two sentences of the head.

import { words } from "/bedside/words.js";
import times from "/words.js";

const seen = { hasRung: false, hasSnoozed: false };

/** Returns the state of the mark and the sentences. `next` is the number of seconds until the next ring, or null. */
export function guide({ bedside, status, next, isCut, isAway, isReady }) {
  if (isCut) return ["lost", words.cut];
  if (isAway) return ["lost", words.away];
  if (!status || !isReady) return ["asleep", words.starting];
  const session = status.sessions[0];
  if (session) return ringing(session, bedside, status);
  if (next === null) return seen.hasRung ? ["awake", words.over] : ["asleep", words.nothing];
  return ["awake", next <= 120 ? words.soon(next) : words.next(times.time(status.next[0].local, { status }))];
}

function ringing(session, bedside, status) {
  seen.hasRung = true;
  if (session.state === "resting") return ["asleep", words.resting(session.secondsLeft ?? 0)];
  if (session.state === "snoozed") {
    seen.hasSnoozed = true;
    return ["asleep", words.snoozed(session.secondsLeft ?? 0)];
  }
  if (bedside.output === "buzzer") return ["crowing", words.buzzer];
  if (!bedside.output && bedside.cards.length && !bedside.cards.some((card) => card.plugged)) return ["crowing", words.unheard];
  const isCode = session.asked?.kind === "qr";
  const shown = bedside.camera?.codes.length || bedside.camera?.picture;
  if (isCode && bedside.camera.state === "unplugged") return ["crowing", words.noCamera];
  if (isCode && shown) {
    const hint = { dark: words.dark, wrong: words.wrongCode, standing: words.standing }[status.camera?.hint];
    if (hint) return ["crowing", hint];
  }
  if (session.asked && !isCode) return ["crowing", words.otherChallenge];
  if (!seen.hasSnoozed && session.snoozes === 0 && session.state === "ringing") return ["crowing", words.rings];
  if (session.state === "ringing" && !session.asked) return ["crowing", words.ringsAgain];
  return ["crowing", isCode ? words.showCode : words.ringsAgain];
}
