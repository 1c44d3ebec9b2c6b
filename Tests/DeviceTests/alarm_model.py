"""A model of what the service keeps, and the requests that change it.

`Model` holds everything that must survive a power cut: alarms, calendars, settings, the session and the past rings.
Each request comes with the model after it, so a test knows what the service must have after any number of requests.
All times are seconds since 1970, and the device's zone is UTC.
"""

import copy
import datetime
import json
import uuid

# The label of the alarms that ring. All others begin in 2030.
RINGS = "Ring"
SNOOZES_MAX = 5
# The tolerance in seconds between the clocks of the host and the device.
SLACK = 2
SOUNDS = ["chimes01", "square520"]
WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


def text_of(time):
    """Returns an instant as requests and responses write it."""
    return datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def time_of(text):
    return datetime.datetime.fromisoformat(text).timestamp()


class Session:
    """A ring in progress. `until` has the earliest and the latest end of its snooze; None while it rings."""

    def __init__(self, alarm, at, snoozes=0, until=None):
        self.alarm, self.at, self.snoozes, self.until = alarm, at, snoozes, until

    def __str__(self):
        state = "rings" if self.until is None else f"is snoozed until {text_of(self.until[0])}"
        return f"the ring of {text_of(self.at)} {state} with {self.snoozes} snoozes used"


class Model:
    """The state that the service must have."""

    def __init__(self):
        self.alarms = {}
        self.calendars = {}
        self.settings = {}
        self.session = None
        # The number of further sessions. There must be none.
        self.other_sessions = 0
        # The snoozes of each past ring, by its alarm and its time.
        self.past = {}

    @staticmethod
    def read(ask):
        """Returns the present state of the service. `ask` sends a request and returns the response."""
        model = Model()
        model.alarms = {report["alarm"]["id"]: report["alarm"] for report in ask("alarms")["alarms"]}
        model.calendars = {report["name"]: report["calendar"] for report in ask("calendars")["calendars"]}
        model.settings = ask("settings")["settings"]
        for ring in ask("history")["history"]:
            model.past[ring["alarm"], time_of(ring["at"])] = ring["snoozes"]
        sessions = ask("status")["status"]["sessions"]
        model.other_sessions = len(sessions[1:])
        for session in sessions[:1]:
            until = time_of(session["until"]) if session["state"] == "snoozed" else None
            model.session = Session(session["alarm"], time_of(session["at"]), session["snoozes"],
                                    (until, until) if until else None)
        return model

    def after(self, change):
        """Returns the model after a change, which is a function of a model."""
        model = copy.deepcopy(self)
        change(model)
        return model

    def at(self, time):
        """Returns the model at a time: planned rings have begun, and snoozes are over."""
        model = copy.deepcopy(self)
        session = model.session
        if session and session.until and session.until[0] <= time:
            session.until = None
        planned = model.planned()
        if not session and planned and planned[1] <= time:
            model.session = Session(*planned)
        return model

    def planned(self):
        """Returns the id and the time of the alarm that is set to ring; None if there is none."""
        for alarm in self.alarms.values():
            if alarm["label"] == RINGS and alarm["enabled"]:
                return alarm["id"], time_of(f"{alarm['date']}T{alarm['time']}Z")
        return None

    def differences(self, expected):
        """Returns the differences of this state from the expected one, as texts."""
        texts = []
        for name in ("alarms", "calendars"):
            mine, others = getattr(self, name), getattr(expected, name)
            for key in sorted(mine.keys() | others.keys()):
                if mine.get(key) != others.get(key):
                    texts.append(f"{name} {key}: {shown(mine.get(key))}, expected: {shown(others.get(key))}")
        if self.settings != expected.settings:
            texts.append(f"settings: {shown(self.settings)}, expected: {shown(expected.settings)}")
        if self.past != expected.past:
            texts.append(f"past rings: {self.past}, expected: {expected.past}")
        if not same_session(self.session, expected.session):
            texts.append(f"session: {self.session}, expected: {expected.session}")
        if self.other_sessions:
            texts.append(f"{self.other_sessions} sessions too many")
        return texts


def shown(value):
    return json.dumps(value) if value is not None else "missing"


def same_session(mine, expected):
    if mine is None or expected is None:
        return mine is expected
    if (mine.alarm, mine.at, mine.snoozes) != (expected.alarm, expected.at, expected.snoozes):
        return False
    if mine.until is None or expected.until is None:
        return mine.until is expected.until
    return expected.until[0] - SLACK <= mine.until[0] <= expected.until[1] + SLACK


def closest(found, candidates, time):
    """Returns the number of the candidate that equals the service's state, and otherwise the fewest differences.

    A snooze may end and a ring may begin at the time of the comparison, so both sides of it are accepted.
    """
    fewest = None
    for number, candidate in enumerate(candidates):
        for side in (time - SLACK, time + SLACK):
            differences = found.differences(candidate.at(side))
            if not differences:
                return number, []
            if fewest is None or len(differences) < len(fewest):
                fewest = differences
    return None, fewest


# The requests. Each function returns a request and the change that it makes to the model.


def set_ring(dice, time):
    """Returns a request that sets an alarm for a time in whole seconds."""
    # The service writes no seconds that are zero.
    date, clock = text_of(time)[:10], text_of(time)[11:19].removesuffix(":00")
    alarm = new_alarm(dice) | {"label": RINGS, "date": date, "time": clock, "start": None, "repeat": None,
                               "snooze": {"seconds": 540, "max": SNOOZES_MAX}}
    alarm["ring"] |= {"volume": 1.0, "ramp": 0}
    return {"do": "add", "alarm": alarm}, lambda model: model.alarms.update({alarm["id"]: alarm})


def snooze(seconds, time):
    """Returns a request for a snooze at a time, which the device may carry out some seconds later."""
    def change(model):
        model.session.snoozes += 1
        model.session.until = (time + seconds, time + seconds + 10)
    return {"do": "snooze", "seconds": seconds}, change


def stop():
    def change(model):
        session, model.session = model.session, None
        model.past[session.alarm, session.at] = session.snoozes
        model.alarms[session.alarm]["enabled"] = False
    return {"do": "stop"}, change


def edits(dice, model):
    """Returns a random request that changes an alarm, a calendar or the settings."""
    quiet = sorted(key for key, alarm in model.alarms.items() if alarm["label"] != RINGS)
    over = sorted(key for key, alarm in model.alarms.items() if alarm["label"] == RINGS and not alarm["enabled"])
    if len(over) > 2 or len(quiet) > 12:
        return delete((over or quiet)[0])
    kinds = [add, configure, save_calendar] + [edit, edit, save, enable, skip, unskip, pause, delete_any] * bool(quiet)
    if model.calendars:
        kinds.append(delete_calendar)
    return dice.choice(kinds)(dice, model, quiet)


def new_alarm(dice):
    """Returns a random alarm with all members that the service returns."""
    return {
        "id": str(uuid.UUID(int=dice.getrandbits(128), version=4)).upper(), "label": word(dice), "enabled": True,
        "time": clock_time(dice), "date": None, "start": "2030-01-01", "repeat": "FREQ=DAILY", "zone": None,
        "days": None, "weekly": {}, "dates": {},
        "ring": {"sound": dice.choice(SOUNDS), "volume": dice.randint(3, 9) / 10, "ramp": 30, "for": 1800},
        "snooze": {"seconds": 540, "max": dice.randint(0, 5)}, "challenges": [], "late": 3600, "note": word(dice),
        "category": "",
    }


def word(dice):
    """Returns a label or note, some of which fill several sectors of the journal."""
    return "".join(dice.choice("abcdefgh") for _ in range(dice.choice([4, 4, 30, 200])))


def clock_time(dice):
    return f"{dice.randint(0, 23):02}:{dice.randint(0, 59):02}"


def date(dice):
    """Returns one of some dates, none of which follows another, so that the service joins none to a range."""
    return f"2030-{dice.randint(1, 12):02}-{dice.randint(1, 14) * 2:02}"


def add(dice, model, quiet):
    alarm = new_alarm(dice)
    return {"do": "add", "alarm": alarm}, lambda model: model.alarms.update({alarm["id"]: alarm})


def save(dice, model, quiet):
    key = dice.choice(quiet)
    alarm = new_alarm(dice) | {"id": key}
    return {"do": "save", "alarm": key, "content": alarm}, lambda model: model.alarms.update({key: alarm})


def edit(dice, model, quiet):
    key = dice.choice(quiet)
    changes = dice.choice([
        {"label": word(dice)},
        {"time": clock_time(dice)},
        {"weekly": {dice.choice(WEEKDAYS): clock_time(dice)}},
        {"ring": {"sound": dice.choice(SOUNDS), "volume": dice.randint(3, 9) / 10, "ramp": 60, "for": 900}},
        {"note": word(dice), "snooze": {"seconds": dice.randint(300, 900), "max": dice.randint(0, 5)}},
    ])
    return {"do": "edit", "alarm": key, "changes": changes}, lambda model: merge(model.alarms[key], changes)


def merge(object, changes):
    """Changes the given members of an object, at every depth."""
    for name, value in changes.items():
        if isinstance(value, dict):
            merge(object[name], value)
        else:
            object[name] = value


def enable(dice, model, quiet):
    key = dice.choice(quiet)
    value = not model.alarms[key]["enabled"]
    return {"do": "enable", "alarm": key, "on": value}, lambda model: model.alarms[key].update(enabled=value)


def skip(dice, model, quiet):
    on = [key for key in quiet if model.alarms[key]["enabled"]]
    if not on:  # An alarm that is off has no ring to skip.
        return unskip(dice, model, quiet)
    key, skipped = dice.choice(on), date(dice)

    def change(model):
        dates = set(model.alarms[key].get("skip", [])) | {skipped}
        model.alarms[key]["skip"] = sorted(dates)
    return {"do": "skip", "alarm": key, "date": skipped}, change


def unskip(dice, model, quiet):
    key = dice.choice(quiet)
    return {"do": "unskip", "alarm": key}, lambda model: model.alarms[key].pop("skip", None)


def pause(dice, model, quiet):
    key = dice.choice(quiet)
    first = date(dice)
    return ({"do": "pause", "alarm": key, "dates": [first, "2031-01-01/2031-02-01"]},
            lambda model: model.alarms[key].update(pause=[first, "2031-01-01/2031-02-01"]))


def delete_any(dice, model, quiet):
    return delete(dice.choice(quiet))


def delete(key):
    return {"do": "delete", "alarm": key}, lambda model: model.alarms.pop(key)


def save_calendar(dice, model, quiet):
    name = f"calendar {dice.randint(1, 4)}"
    calendar = {"weekdays": [day for day in WEEKDAYS if dice.random() < 0.5] or ["mon"], "from": "2030-01-01",
                "until": date(dice), "off": [], "on": ["2031-02-03"]}
    return ({"do": "saveCalendar", "name": name, "calendar": calendar},
            lambda model: model.calendars.update({name: calendar}))


def delete_calendar(dice, model, quiet):
    name = dice.choice(sorted(model.calendars))
    return {"do": "deleteCalendar", "name": name}, lambda model: model.calendars.pop(name)


def configure(dice, model, quiet):
    changes = {"lock": dice.randint(0, 86400), "preflight": clock_time(dice), "snooze": {"min": 2, "max": 3600}}
    return {"do": "configure", "changes": changes}, lambda model: model.settings.update(changes)
