"""The rung, missed and next rings by the table of cursors and anchors (BEHAVIOUR, 1.15, 1.17 and 2.0 to 2.3).

Reads one JSON object per line, an event of a history. Prints a line for each: the rung and the missed rings, the
notices, and every alarm's state. `{"event": "history"}` starts a new history. Each row of the table is one function, in the table's order.
"""
import datetime as dt
import json
import sys

sys.dont_write_bytecode = True
from plan_oracle import DAY, NEVER, Alarm, Plan, local_day, zone_named

WHEN = ("time", "date", "start", "repeat", "weekly", "dates", "days", "zone")
HOURS_3 = 3 * 3600
NOTICES_KEPT = 64


def merged(old, new):
    if not isinstance(new, dict):
        return new
    result = {**(old if isinstance(old, dict) else {})}
    for key, value in new.items():
        result[key] = merged(result.get(key), value)
        if value is None:
            del result[key]
    return result


class Box(Plan):
    def __init__(self):
        super().__init__()
        self.alarms, self.sessions = {}, {}
        self.master, self.trusted = True, False
        self.now = self.up = self.ahead = self.offset = 0
        self.set_back_from = self.set_back_to = None
        self.rung, self.missed, self.noticed, self.revisions = [], [], [], 0
        self.rang_at = {}                                # the times to which rings were put off

    # ==== the table of 2.0 ====

    def fix_anew(self, alarm, at):
        if not (alarm.needs_anchor and alarm.anchor and alarm.leaves_anchor_out()):
            alarm.anchor, alarm.memo = self.fixed(alarm, at) or alarm.anchor, []

    def new_or_switched_on_or_when_changed(self, alarm, rule_changed):
        alarm.rang.discard(alarm.postponed and alarm.postponed[0])
        alarm.cursor, alarm.memo, alarm.switched_off_by, alarm.postponed = self.now, [], None, None
        alarm.doubtful, alarm.saved_up = not self.trusted, self.up
        goes_on = "repeat" in alarm.fields and alarm.anchor and not rule_changed and alarm.needs_anchor
        if not (goes_on and self.rule_has_day_left(alarm, self.now)):
            alarm.anchor = self.fixed(alarm, self.now)

    def days_off_changed(self, alarm):
        alarm.cursor = max(alarm.cursor, self.now)

    def mark_handled(self, alarm, at):
        alarm.cursor = max(alarm.cursor, at)
        if alarm.anchor and at >= alarm.anchor.at and not alarm.anchor.handled_at:
            alarm.anchor.handled_at, alarm.memo = at, []

    def rings(self, alarm, at):
        self.mark_handled(alarm, at)
        alarm.rang.add(at)
        alarm.saved_up = self.up - (self.now - at)
        self.sessions[alarm.id, at] = alarm.revision
        self.rung.append((at, alarm.id))

    def is_missed(self, alarm, first, last, postponed=None):
        alarm.postponed = None if postponed else alarm.postponed
        miss = dict(first=first, last=last, window=alarm.window, revision=alarm.revision, postponed=postponed)
        alarm.misses.append(miss)
        self.missed.append((alarm.id, first, last))
        self.mark_handled(alarm, last)
        if not alarm.postponed and self.is_spent(alarm, last):
            alarm.enabled, alarm.switched_off_by = False, miss

    def what_they_depend_on_changes(self, alarms, change, is_zone=False, is_master=False):
        """Handles a master switch that is turned on, a changed calendar or a changed zone."""
        def start(alarm):
            return max(alarm.cursor, self.now - alarm.window if is_zone else self.now)

        had_ring = {alarm.id: self.next(alarm, start(alarm)) < NEVER for alarm in alarms}
        change()
        for alarm in alarms:
            alarm.memo = []
            if not is_zone:
                alarm.cursor = start(alarm)
            takes_last = alarm.needs_anchor and not is_master and had_ring[alarm.id] and self.next(alarm, start(alarm)) == NEVER
            if alarm.enabled and (not (alarm.anchor and alarm.anchor.handled_at) or takes_last):
                self.fix_anew(alarm, start(alarm))

    def is_set_forward(self, before):
        for alarm in self.alarms.values():
            anchor, edge = alarm.anchor, self.now - alarm.window
            # The alarm existed when the clock was set back. It does not miss times that the clock had shown before.
            was_there = self.set_back_to is not None and alarm.cursor <= self.set_back_to
            if alarm.enabled and (self.trusted or was_there) and anchor and not anchor.handled_at and before < anchor.at < edge:
                self.fix_anew(alarm, self.now)
                alarm.anchor.by_step_forward = alarm.anchor is not anchor
            if alarm.enabled and was_there:
                known = min(self.set_back_from, edge)
                if self.next(alarm, alarm.cursor) < known:
                    alarm.cursor = known - 1

    def is_set_back(self, before):
        self.set_back_from, self.set_back_to = max(before, self.set_back_from or before), self.now
        for alarm in self.alarms.values():
            taken = [m for m in alarm.misses if max(m["first"], m["last"]) >= self.now - m["window"]]
            alarm.misses = [m for m in alarm.misses if m not in taken]
            taken = [m for m in taken if m["revision"] == alarm.revision]
            alarm.cursor = min([alarm.cursor, self.now] + [m["first"] - 1 for m in taken])
            if before - self.now > HOURS_3:
                kept = alarm.postponed and alarm.postponed[0]
                alarm.rang = {at for at in alarm.rang if at <= self.now or at == kept}
            for miss in taken:
                alarm.postponed = miss["postponed"] or alarm.postponed
                if alarm.anchor and alarm.anchor.handled_at == miss["last"]:
                    alarm.anchor.handled_at = None
                if alarm.switched_off_by is miss:
                    alarm.enabled, alarm.switched_off_by = True, None
            alarm.memo, anchor = [], alarm.anchor
            tomorrow = local_day(self.now, self.zone(alarm)) + DAY
            if anchor and not anchor.handled_at and (anchor.by_step_forward or anchor.day > tomorrow):
                self.fix_anew(alarm, max(alarm.cursor, self.now - alarm.window))

    def doubtful_times_move(self):
        for alarm in self.alarms.values():
            if alarm.doubtful:
                elapsed = alarm.window if alarm.saved_up is None else self.up - alarm.saved_up
                alarm.cursor, alarm.memo = self.now - elapsed, []
                if alarm.anchor and not alarm.anchor.handled_at:
                    self.fix_anew(alarm, alarm.cursor)

    # ---- 2.1, 2.3: the clock ----

    def look(self, wall, up, newest):
        """Reads the clock. An untrusted clock never goes behind the newest record."""
        expected, self.up = self.now + up - self.up, up
        if wall - up != self.offset:
            self.offset, self.ahead = wall - up, 0 if self.trusted else max(0, newest - wall)
        self.now = wall + self.ahead
        if self.now < expected:
            self.is_set_back(expected)
        elif self.now > expected:
            self.is_set_forward(expected)
        if self.now != expected and not self.trusted:
            self.doubtful_times_move()

    def start(self, wall, up, newest, trusted, zone):
        self.trusted, self.up, self.offset = trusted, up, wall - up
        self.ahead = 0 if trusted else max(0, newest - wall)
        self.now = wall + self.ahead
        for alarm in self.alarms.values():
            alarm.saved_up = None
        if trusted:
            self.is_trusted(newest)
        self.zone_moves(zone, self.settings)

    def trust(self, trusted):
        was, self.trusted = self.trusted, trusted
        if trusted and not was:
            before, self.now, self.ahead = self.now, self.now - self.ahead, 0
            self.is_trusted(before)

    def is_trusted(self, before):
        if self.now < before:
            self.is_set_back(before)
        if abs(self.now - before) >= 60:
            self.doubtful_times_move()
        for alarm in self.alarms.values():
            alarm.doubtful = False

    # ---- 2.0, 2.2: due, late, missed ----

    def ring_what_is_due(self):
        for alarm in self.alarms.values():
            while self.master and alarm.enabled:
                edge = self.now - alarm.window
                at, ring = self.coming(alarm, alarm.cursor if self.trusted else max(alarm.cursor, edge - 1))
                if at > self.now:
                    break
                if at != ring:
                    postponed, alarm.postponed = alarm.postponed, None
                    if (alarm.id, ring) not in self.sessions:
                        self.is_missed(alarm, at, ring, postponed) if at < edge else self.rings(alarm, ring)
                elif (alarm.id, ring) in self.sessions:
                    self.mark_handled(alarm, ring)
                elif ring < edge:
                    self.is_missed(alarm, ring, self.last_before(alarm, ring - 1, edge))
                else:
                    self.rings(alarm, ring)

    # ---- 1.17: early rings ----

    def somebody_moves(self):
        for alarm in self.alarms.values():
            while self.trusted and self.master and alarm.enabled:
                at, ring = self.coming(alarm, max(alarm.cursor, self.now))
                if at - alarm.early > self.now:
                    break
                if at != ring:
                    alarm.postponed = None
                if (alarm.id, ring) not in self.sessions:
                    self.rings(alarm, ring)
                elif at == ring:
                    self.mark_handled(alarm, ring)

    # ---- 1.15: notices ----

    def notices(self, alarm):
        """Yields the ring and the lead of each notice that was not given, of the rings to come until the first such."""
        leads, ring, first = alarm.leads, self.next_of(alarm), NEVER
        while leads and ring < NEVER and ring - max(leads) <= max(first, self.now):
            given = alarm.noticed.get(ring, NEVER)
            for lead in leads:
                if lead < given:
                    first = min(first, ring - lead)
                    yield ring, lead
            ring = self.coming(alarm, ring)[0]

    def give_notices(self):
        for alarm in self.alarms.values():
            due = [(ring, lead) for ring, lead in self.notices(alarm) if ring - lead <= self.now]
            for ring in sorted({ring for ring, _ in due}):
                lead = min(l for r, l in due if r == ring)
                alarm.noticed.pop(ring, None)
                alarm.noticed[ring] = lead
                alarm.noticed = dict(list(alarm.noticed.items())[-NOTICES_KEPT:])
                self.noticed.append((ring, alarm.id, lead))

    def process(self):
        self.ring_what_is_due()
        self.give_notices()

    # ---- 1.16: postponed rings ----

    def coming(self, alarm, at):
        """Returns the time and the planned time of the next ring: one that was put off comes first."""
        planned, (ring, until) = self.next(alarm, at), alarm.postponed or (NEVER, NEVER)
        return (until, ring) if at < until <= planned else (planned, planned)

    def postpone(self, alarm, e):
        open_rings = [ring for id, ring in self.sessions if id == alarm.id]
        due, ring = self.coming(alarm, max(alarm.cursor, self.now))
        if open_rings:
            ring = open_rings[0]
            due = self.rang_at.get((alarm.id, ring), ring)
            del self.sessions[alarm.id, ring]
        start = max(due, self.now)
        until = start + e["seconds"] if "seconds" in e else later_day(start, due, e["days"], self.zone(alarm))
        self.leave_out(alarm, ring)
        alarm.postponed = ring, until
        self.rang_at[alarm.id, ring] = until

    def leave_out(self, alarm, ring):
        cursor = alarm.cursor
        alarm.rang.add(ring)
        self.mark_handled(alarm, ring)
        alarm.cursor, alarm.memo = cursor, []

    # ---- 1.18: rings that are done ahead of time ----

    def is_done_ahead(self, alarm, ring):
        assert ring == self.coming(alarm, max(alarm.cursor, self.now))[1]
        if alarm.postponed and alarm.postponed[0] == ring:
            alarm.postponed = None
        self.leave_out(alarm, ring)
        if not alarm.postponed and self.is_spent(alarm, ring):
            alarm.enabled = False

    def next_of(self, alarm):
        return self.coming(alarm, max(alarm.cursor, self.now))[0] if self.master and alarm.enabled else NEVER

    def time_passes(self, wall, up):
        end = self.now + up - self.up
        while True:
            rings = [self.next_of(alarm) for alarm in self.alarms.values()]
            notices = [ring - lead for alarm in self.alarms.values() for ring, lead in self.notices(alarm)]
            then = min(rings + notices, default=NEVER)
            self.up, self.now = self.up + min(then, end) - self.now, min(then, end)
            self.process()
            if then >= end:
                break

    # ---- events ----

    def zone_moves(self, machine, settings):
        now, then = self.settings or self.machine, settings or machine
        moved = [a for a in self.alarms.values() if now != then and "zone" not in a.fields]

        def change():
            self.machine, self.settings = machine, settings
        self.what_they_depend_on_changes(moved, change, is_zone=True)

    def without_past_days(self, alarm, f):
        """Returns the fields without the entries that a save removes: 1.8."""
        limit = str(local_day(self.now, self.zone(alarm)) - 31 * DAY) if self.trusted else ""
        kept = {key: [run for run in f.get(key) or [] if run.split("/")[-1] >= limit] for key in ("skip", "pause")}
        return {**f, **kept, "dates": {day: rule for day, rule in f.get("dates", {}).items() if day >= limit}}

    def switch(self, alarm, on):
        was_enabled, alarm.enabled = alarm.enabled, on
        alarm.fields, alarm.memo = self.without_past_days(alarm, alarm.fields), []
        if on and not was_enabled:
            self.new_or_switched_on_or_when_changed(alarm, False)
        elif not on:
            alarm.switched_off_by = None

    def save(self, id, changes):
        is_new = id not in self.alarms
        alarm = self.alarms.setdefault(id, Alarm(id))
        old, was_enabled = ({}, False) if is_new else (alarm.fields, alarm.enabled)
        alarm.fields, alarm.memo = merged(old, changes), []
        old, alarm.fields = self.without_past_days(alarm, old), self.without_past_days(alarm, alarm.fields)
        alarm.enabled = alarm.fields.pop("enabled", alarm.enabled)
        changed = {key for key in WHEN if (old.get(key) or None) != (alarm.fields.get(key) or None)}
        if changed or is_new:
            self.revisions += 1
            alarm.revision = self.revisions
        if is_new or changed or alarm.enabled and not was_enabled:
            self.new_or_switched_on_or_when_changed(alarm, bool({"repeat", "start"} & changed))
        elif any((old.get(key) or []) != (alarm.fields.get(key) or []) for key in ("skip", "pause")):
            self.days_off_changed(alarm)

    def do(self, e):
        alarm = self.alarms.get(e.get("id"))
        match e["event"]:
            case "trust": self.trust(e["trusted"])
            case "zone": self.zone_moves(e["zone"], self.settings)
            case "settings": self.zone_moves(self.machine, e["zone"])
            case "master":
                alarms = list(self.alarms.values()) if e["on"] and not self.master else []
                self.what_they_depend_on_changes(alarms, lambda: setattr(self, "master", e["on"]), is_master=True)
            case "calendar" if self.calendars.get(e["name"]) != e["calendar"]:
                users = [a for a in self.alarms.values() if a.fields.get("days") == e["name"]]
                self.what_they_depend_on_changes(users, lambda: self.calendars.update({e["name"]: e["calendar"]}))
            case "save": self.save(e["id"], e["alarm"])
            case "postpone": self.postpone(alarm, e)
            case "done": self.is_done_ahead(alarm, e["ring"])
            case "move": self.somebody_moves()
            case "delete": self.alarms.pop(e["id"], None)
            case "switch" if alarm: self.switch(alarm, e["on"])

    def handle(self, e):
        self.rung, self.missed, self.noticed = [], [], []
        match e["event"]:
            case "start": self.start(e["wall"], e["up"], e["newest"], e["trusted"], e["zone"])
            case "pass": self.time_passes(e["wall"], e["up"])
            case _: self.look(e["wall"], e["up"], e["newest"])
        self.process()
        self.do(e)
        self.process()
        for id, at in e.get("ended", []):
            revision, alarm = self.sessions.pop((id, at), None), self.alarms.get(id)
            if alarm and not alarm.postponed and revision == alarm.revision and self.is_spent(alarm, min(at, self.now)):
                alarm.enabled = False
        return self.told()

    def told(self):
        words = [f"rang {id} {shown(at)}" for at, id in sorted(self.rung)]
        words += [f"missed {id} {shown(first)} to {shown(last)}" for id, first, last in sorted(self.missed)]
        words += [f"noticed {id} {shown(ring)} by {lead}" for ring, id, lead in sorted(self.noticed, key=lambda n: (n[0], n[1], -n[2]))]
        for id, alarm in sorted(self.alarms.items()):
            anchor = f" from {alarm.anchor.day}" if alarm.anchor and alarm.needs_anchor else ""
            words.append(f"{id} next {shown(self.next_of(alarm))}{anchor}" if alarm.enabled else f"{id} off")
        return "; ".join(words) or "nothing"


def later_day(start, due, days, zone):
    zone = zone_named(zone)
    day = dt.datetime.fromtimestamp(start, zone).date() + days * DAY
    return int(dt.datetime.combine(day, dt.datetime.fromtimestamp(due, zone).time(), zone).timestamp())


def shown(at):
    return "never" if at == NEVER else dt.datetime.fromtimestamp(at, dt.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


box = Box()
for line in sys.stdin:
    event = json.loads(line)
    if event["event"] == "history":
        box = Box()
    else:
        print(box.handle(event))
