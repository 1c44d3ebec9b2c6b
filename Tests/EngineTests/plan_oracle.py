"""The days and the rings of alarms, by BEHAVIOUR, section 1: the part of agenda_oracle.py without a clock.

It shares nothing with the engine. It tries days one by one and uses zoneinfo. All instants are whole seconds UTC.
"""
import calendar
import datetime as dt
import functools
import zoneinfo

WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
UNITS = {"m": 60, "h": 3600, "d": 86400}
DAY, NEVER = dt.timedelta(1), 1 << 60
# The number of days to try before the search gives up.
DAYS_MAX = 3100


# ---- 1.3: the days of a rule ----

@functools.cache
def parsed(rule):
    parts = dict(part.split("=") for part in rule.split(";"))
    days = [(int(x[:-2] or 0), ["MO", "TU", "WE", "TH", "FR", "SA", "SU"].index(x[-2:]))
            for x in parts["BYDAY"].split(",")] if "BYDAY" in parts else []
    return (parts["FREQ"], int(parts.get("INTERVAL", 1)), int(parts.get("COUNT", 0)), days,
            [int(x) for x in parts["BYMONTHDAY"].split(",")] if "BYMONTHDAY" in parts else [])


def is_rule_day(rule, origin, day):
    """Returns True if a rule that counts from `origin` has that day. The phase also holds before the origin (1.6)."""
    freq, interval, _, weekdays, month_days = parsed(rule)
    size = calendar.monthrange(day.year, day.month)[1]
    if freq == "DAILY":
        return (day - origin).days % interval == 0
    if freq == "WEEKLY":
        weeks = (day - day.weekday() * DAY - (origin - origin.weekday() * DAY)).days // 7
        return weeks % interval == 0 and day.weekday() in ([w for _, w in weekdays] or [origin.weekday()])
    if freq == "YEARLY":
        return (day.year - origin.year) % interval == 0 and day.month == origin.month and day.day == min(origin.day, size)
    if ((day.year - origin.year) * 12 + day.month - origin.month) % interval:
        return False
    if weekdays:
        nth, last = (day.day + 6) // 7, -((size - day.day) // 7 + 1)
        return any(w == day.weekday() and ordinal in (0, nth, last) for ordinal, w in weekdays)
    # In a shorter month the 31st is the last day.
    return any(day.day == min(n, size) if n > 0 else day.day == size + 1 + n for n in month_days or [origin.day])


@functools.lru_cache(100_000)
def rule_day(rule, origin, first, is_start):
    """Returns the rule's first day on or after `first`, within ten years."""
    count = parsed(rule)[2]
    if count:
        day, counted = origin, []
        while len(counted) < count:
            if is_rule_day(rule, origin, day):
                counted.append(day)
            day += DAY
        return next((day for day in counted if day >= first), None)
    day = max(first, origin) if is_start else first
    return next((d for d in (day + n * DAY for n in range(3660)) if is_rule_day(rule, origin, d)), None)


# ---- 1.4: local times ----

zone_named = functools.cache(zoneinfo.ZoneInfo)


def local_day(at, zone):
    return dt.datetime.fromtimestamp(at, zone_named(zone)).date()


@functools.lru_cache(100_000)
def instant(day, clock_time, zone, fold=0):
    """Returns a local time's instant. In a gap fold 0 means the offset before the gap."""
    hour, minute = map(int, clock_time.split(":"))
    return int(dt.datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone_named(zone), fold=fold).timestamp())


@functools.lru_cache(100_000)
def is_left_out(day, zone):
    return local_day(instant(day, "12:00", zone), zone) != day


def is_in(day, runs):
    return any(first <= str(day) <= last for first, last in ((run.split("/")[0], run.split("/")[-1]) for run in runs or []))


class Anchor:
    def __init__(self, day, at, second=False):
        # `at`: the ring at the time of fixing. `second`: True for the second of two equal local times in one night.
        self.day, self.at, self.second = day, at, second
        # `handled_at`: the ring that used up the anchor, on its day or later.
        self.handled_at, self.by_step_forward = None, False


class Alarm:
    def __init__(self, id):
        self.id, self.fields, self.enabled, self.revision = id, {}, True, 0
        self.cursor, self.anchor = 0, None
        self.doubtful, self.saved_up = False, None       # saved under an untrusted clock, and the uptime then
        self.noticed = {}                                # the lead of the last notice of each ring
        self.postponed = None                            # the ring that was put off, and its new time
        self.rang, self.misses, self.switched_off_by, self.memo = set(), [], None, []

    window = property(lambda self: max(self.fields.get("late", 3600), 2))
    early = property(lambda self: self.fields.get("early") or 0)
    leads = property(lambda self: [int(n[:-1]) * UNITS[n[-1]] for n in self.fields.get("notices") or []])
    is_one_time = property(lambda self: "time" in self.fields and "repeat" not in self.fields)
    is_over_some_day = property(lambda self: self.is_one_time and all(
        rule == "off" for rule in self.fields.get("weekly", {}).values()))

    @property
    def needs_anchor(self):                              # 1.6
        if self.is_one_time or "time" not in self.fields:
            return self.is_one_time and "date" not in self.fields
        freq, interval, count, weekdays, month_days = parsed(self.fields["repeat"])
        return "start" not in self.fields and bool(interval > 1 or count or freq != "DAILY" and not (weekdays or month_days))

    def leaves_anchor_out(self):                         # by the owner, not by a calendar
        f, day = self.fields, self.anchor.day
        return is_in(day, f.get("skip")) or is_in(day, f.get("pause")) or f.get("dates", {}).get(str(day)) == "off"

    def base_day(self, first, anchor):
        """Returns the base's first day on or after `first`."""
        f = self.fields
        if "time" not in f or (self.is_one_time or self.needs_anchor) and not anchor:
            return None
        if self.is_one_time:
            return anchor.day if anchor.day >= first and not anchor.handled_at else None
        start = dt.date.fromisoformat(f["start"]) if "start" in f else None
        origin = start or (anchor.day if self.needs_anchor else dt.date(2001, 1, 1))
        # If a step forward has replaced the anchor's day, no day before it counts.
        return rule_day(f["repeat"], origin, first, bool(start or self.needs_anchor and anchor.by_step_forward))


class Plan:
    """The inputs of a plan (calendars, zones), and the rings that follow from them."""

    def __init__(self):
        self.calendars, self.machine, self.settings = {}, "UTC", None

    def zone(self, alarm):
        return alarm.fields.get("zone") or self.settings or self.machine

    # ---- 1.2: layers; the first match wins ----

    def ring_on(self, alarm, day, is_base, second=False, days_off=True):
        f, own = alarm.fields, alarm.fields.get("dates", {}).get(str(day))
        if days_off and is_in(day, f.get("skip")):
            return None
        rule, is_base = own, is_base and own is None
        if own is None:
            if days_off and is_in(day, f.get("pause")) or not self.counts(f.get("days"), day):
                return None
            rule = f.get("weekly", {}).get(WEEKDAYS[day.weekday()])
            if rule is None:
                rule = f["time"] if is_base else "off"
        if rule == "off" or is_left_out(day, self.zone(alarm)):
            return None
        return instant(day, rule, self.zone(alarm), int(second and rule == f.get("time") and own is None))

    def counts(self, name, day):
        c = self.calendars.get(name)
        return c is None or is_in(day, c.get("on")) or (
            WEEKDAYS[day.weekday()] in c.get("weekdays", WEEKDAYS) and not is_in(day, c.get("off")))

    def after(self, alarm, at, days_off=True, anchor=None):
        """Returns the first ring strictly after an instant: 1.5."""
        is_plain = days_off and anchor is None
        for start, found in alarm.memo if is_plain else []:
            if start <= at < found:
                return found
        f, anchor = alarm.fields, anchor or alarm.anchor
        named = sorted(day for day, rule in f.get("dates", {}).items() if rule != "off")
        weekly = [WEEKDAYS.index(name) for name, rule in f.get("weekly", {}).items() if rule != "off"]
        day, best, best_day = local_day(at, self.zone(alarm)) - DAY, NEVER, None
        for _ in range(DAYS_MAX):
            base = alarm.base_day(day, anchor)
            days = [dt.date.fromisoformat(name) for name in named if name >= str(day)][:1]
            days += [day + (w - day.weekday()) % 7 * DAY for w in weekly] + ([base] if base else [])
            # A gap at midnight may reverse the order of two days' rings.
            if not days or best_day and min(days) > best_day + DAY:
                break
            day = min(days)
            ring = self.ring_on(alarm, day, day == base, bool(anchor and anchor.second and day == anchor.day), days_off)
            if ring is not None and at < ring < best:
                best, best_day = ring, day
            day += DAY
        if is_plain:
            alarm.memo = [(at, best)] + alarm.memo[:2]
        return best

    def next(self, alarm, at, **how):
        """Returns the first of these rings that has not rung yet."""
        ring = self.after(alarm, at, **how)
        while ring in alarm.rang:
            ring = self.after(alarm, ring, **how)
        return ring

    def last_before(self, alarm, start, end):
        ring, last = self.next(alarm, start), None
        while ring < end:
            ring, last = self.next(alarm, ring), ring
        return last

    def rule_has_day_left(self, alarm, at):
        bare = Alarm(alarm.id)
        bare.fields = {k: v for k, v in alarm.fields.items() if k not in ("weekly", "dates", "skip", "pause")}
        bare.anchor, bare.rang = alarm.anchor, alarm.rang
        return self.next(bare, at) < NEVER

    def is_spent(self, alarm, at):
        """Returns True if a one-time alarm has no later ring. Days off are ignored, since the owner may undo them."""
        later = Anchor(alarm.anchor.day, alarm.anchor.at, alarm.anchor.second) if alarm.anchor else None
        if later and (alarm.anchor.handled_at or at >= later.at):
            later.handled_at = at
        return alarm.is_over_some_day and self.next(alarm, max(alarm.cursor, at), days_off=False, anchor=later) == NEVER

    # ---- 1.6: fixing an anchor ----

    def fixed(self, alarm, at):
        """Returns an anchor on the first day whose ring is after an instant and has not rung."""
        zone, today = self.zone(alarm), local_day(at, self.zone(alarm))
        if alarm.is_one_time and "date" in alarm.fields:
            day, time = dt.date.fromisoformat(alarm.fields["date"]), alarm.fields["time"]
            first, second = (instant(day, time, zone, fold) for fold in (0, 1))
            is_second = day == today and first <= at < second == self.ring_on(alarm, day, True, True)
            return Anchor(day, second if is_second else first, is_second)
        for day in (today + n * DAY for n in range(-1, DAYS_MAX)) if alarm.needs_anchor else ():
            if alarm.is_one_time or is_rule_day(alarm.fields["repeat"], day, day):
                # If the first of two equal local times is over, the alarm rings at the second.
                first, second = (self.ring_on(alarm, day, True, fold) for fold in (False, True))
                for ring in (first, second) if alarm.is_one_time and day == today and first and first <= at else (first,):
                    if ring is not None and ring > at and ring not in alarm.rang:
                        return Anchor(day, ring, ring != first)
        return None
