"""The screens in the scene of the mock-ups: Wednesday, 25 November 2026, 22:33, in Berlin. Each is opened by its function,
and named as its mock-up. The checks go through all of them, and `scripts/screenshots` takes their pictures."""

import os

import page_checks
from page_fixture import DEVICES, expect, sum_of, wait_for
from page_scenarios import scenario

WORKDAYS = "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
ALARMS = [
    {"id": "work", "label": "Work", "time": "07:45", "repeat": WORKDAYS, "weekly": {"fri": "07:15"}, "category": "Home",
     "dates": {"2026-12-02": "off", "2026-12-09": "09:00", "2026-12-17": "06:30"}, "note": "Laptop charger is in the hall.",
     "challenges": [{"kind": "qr", "codes": ["bathroom", "kitchen"]}, {"kind": "math", "count": 3}]},
    {"id": "bins", "label": "Bins", "time": "20:15", "repeat": "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH", "start": "2026-11-26",
     "challenges": []},
    {"id": "pills", "label": "Pills", "time": "21:30", "repeat": "FREQ=DAILY", "challenges": []},
    {"id": "school", "label": "School", "time": "07:00", "repeat": WORKDAYS, "weekly": {"fri": "08:10"}, "skip": ["2026-11-26"],
     "challenges": [{"kind": "qr", "codes": ["bathroom"]}]},
    {"id": "market", "label": "Market", "dates": {"2026-11-28": "06:30"}, "challenges": []},
    {"id": "rent", "label": "Rent", "time": "18:00", "repeat": "FREQ=MONTHLY;BYMONTHDAY=31", "challenges": []},
    {"id": "swim", "label": "Swim", "time": "06:15", "repeat": "FREQ=WEEKLY;BYDAY=MO", "pause": ["2026-11-25/2027-01-03"],
     "challenges": []},
    {"id": "nap", "label": "Nap", "time": "13:20", "date": "2026-11-26", "enabled": False, "challenges": []},
]

SCREENS = {}


def screen(name, group="scene"):
    """Registers a screen. Those of a group share a Rooster, and come in their order."""
    def register(function):
        SCREENS[name] = (function, group)
        return function
    return register


def furnish(rooster):
    """Makes the scene of the mock-ups."""
    rooster.enrol("bathroom", "milk")
    rooster.enrol("kitchen", "bread")
    for alarm in ALARMS:
        rooster.add(**alarm)
    rooster.settings(lock=36000, bedtime={"mon": "23:00", "wed": "22:30"})
    rooster.ask("PUT", "calendars/workdays", {"days": ["mon", "tue", "wed", "thu", "fri"], "off": ["2026-12-25/2026-12-26"]}, "*")


@screen("03-home-empty", "empty")
def _(phone):
    phone.open()
    phone.find("button", "^Set this alarm$")


@screen("04-new-alarm-first", "empty")
def _(phone):
    phone.open("new")


@screen("11-nights-empty", "empty")
def _(phone):
    phone.open("nights")


@screen("10-codes-empty", "empty")
def _(phone):
    phone.open("codes")


@screen("13-pairing", "empty")
def _(phone):
    phone.cdp("Network.clearBrowserCookies")
    phone.open()
    phone.await_screen("pair")


@screen("01-home")
def _(phone):
    phone.open()
    phone.find("link", "Work")


@screen("01b-home-list")
def _(phone):
    phone.open()
    phone.find("link", "Work")
    phone.script("scrollTo(0, 420)")


@screen("04-new-alarm")
def _(phone):
    phone.open("new")
    phone.press("button", "^07:00$")
    phone.see("Tomorrow")


@screen("04-new-alarm-options")
def _(phone):
    phone.open("new")
    phone.press("button", "^All options$")
    phone.find("slider", "^Volume")


@screen("05-alarm-edit")
def _(phone):
    phone.open("alarm/school")


@screen("05-challenge-sheet")
def _(phone):
    phone.open("alarm/bins")
    phone.press("button", "^Add a challenge$")
    phone.press("button", "^Sums")
    phone.find("dialog")


@screen("05-other-time-sheet")
def _(phone):
    phone.open("alarm/bins")
    phone.press("button", "^Another weekday or date$")
    phone.find("dialog")


@screen("05b-alarm-locked")
def _(phone):
    phone.open("alarm/work")
    phone.set("InputTime", "^Time$", "08:15")
    phone.see("would be later")


@screen("06-calendar")
def _(phone):
    phone.open("calendar")
    phone.find("button", "27 November; ")


@screen("06b-day-sheet")
def _(phone):
    phone.open("calendar")
    phone.press("button", "^Work$")
    phone.press("button", "27 November; ")
    phone.find("dialog")


@screen("10-codes")
def _(phone):
    phone.open("codes")
    phone.find("button", "bathroom")


@screen("10-code-sheet")
def _(phone):
    phone.open("codes")
    phone.press("button", "bathroom")
    phone.find("dialog")


@screen("10b-enrol-name")
def _(phone):
    phone.open("codes?do=enrol")


@screen("10b-enrol")
def _(phone):
    phone.rooster.bedside(show="cellar")
    phone.rooster.bedside(camera="dark")
    phone.open("codes?do=enrol&label=cellar")
    phone.see("(?i)dark")
    phone.rooster.bedside(camera="ok", show="")


@screen("10c-print")
def _(phone):
    phone.open("codes?do=print")


@screen("11-nights")
def _(phone):
    phone.open("nights")


@screen("12-health")
def _(phone):
    phone.open("bedside")


for address in "", "/device", "/defaults", "/calendars", "/calendars/new", "/phones", "/backup":
    screen("15-settings" + address.replace("/", "-"))(lambda phone, address=address: phone.open(f"settings{address}"))


@screen("01c-home-wrong")
def _(phone):
    phone.rooster.bedside(card={"id": "Speaker", "plugged": False}, camera="unplugged")
    phone.rooster.ask("POST", "doctor", {})
    phone.open()


@screen("12-health-wrong")
def _(phone):
    phone.open("bedside")
    phone.rooster.bedside(card={"id": "Speaker", "plugged": True}, camera="ok")


@screen("01-home-off")
def _(phone):
    phone.rooster.settings(enabled=False)
    phone.open()
    phone.see("All alarms are off")
    phone.rooster.settings(enabled=True)


@screen("07-ringing", "ring")
def _(phone):
    phone.rooster.ring(id="work", label="Work", note="Laptop charger is in the hall.", challenges=ALARMS[0]["challenges"])
    phone.open()
    phone.await_screen("ringing")


@screen("07-ringing-strip", "ring")
def _(phone):
    phone.open("ringing")
    phone.go("nights")
    phone.see("rings")


@screen("07-ringing-code", "ring")
def _(phone):
    begin(phone)
    phone.see("(?i)code")


@screen("09c-emergency", "ring")
def _(phone):
    phone.open("ringing")
    phone.press("button", "^Emergency")
    phone.see("(?i)hold")


@screen("08-sum", "ring")
def _(phone):
    phone.rooster.bedside(show="milk")
    wait_for(lambda: asked(phone.rooster).get("kind") == "math", "No sum is asked")
    phone.rooster.bedside(show="")
    phone.open("ringing")
    phone.find("button", "^7$")


@screen("08b-sum-locked", "ring")
def _(phone):
    while not asked(phone.rooster).get("lockedOutSeconds"):
        phone.rooster.ask("POST", "session/answer", {"number": sum_of(asked(phone.rooster)["sum"]) + 1})
    phone.open("ringing")
    phone.see("(?i)wait")


@screen("07b-snoozed", "snooze")
def _(phone):
    phone.rooster.ring(id="work", label="Work", challenges=[{"kind": "math", "count": 1}])
    phone.rooster.ask("POST", "session/snooze", {})
    phone.open("ringing")
    phone.see("Rings again")


@screen("09b-pattern", "pattern")
def _(phone):
    phone.rooster.ring(challenges=[{"kind": "pattern", "length": 5}])
    begin(phone)
    phone.see("(?i)press")


@screen("09a-steps", "steps")
def _(phone):
    phone.rooster.ring(challenges=[{"kind": "steps", "count": 20}])
    begin(phone)
    phone.rooster.bedside(steps=8)
    phone.see("8")


@screen("09a-tag", "tag")
def _(phone):
    rooster = phone.rooster
    rooster.enrol_tag("key ring", "04a2b3c4d5e6f7")
    rooster.ring(challenges=[{"kind": "tag", "tags": ["key ring"]}])
    begin(phone)
    phone.see("key ring")


@screen("07c-done", "done")
def _(phone):
    phone.rooster.ring(challenges=[])
    phone.open("ringing")
    phone.rooster.stop()
    phone.see("(?i)good|ended")


@screen("14-offline", "offline")
def _(phone):
    phone.open()
    phone.rooster.web.kill()
    phone.see("No connection since", 30)


def asked(rooster):
    return (rooster.session() or {}).get("asked") or {}


def begin(phone):
    """Opens the ringing screen, and begins the challenges there."""
    phone.open("ringing")
    phone.await_screen("ringing")
    phone.press("button", "(?i)I am up")
    wait_for(lambda: asked(phone.rooster), "Nothing is asked")


def tour(stage_of, phone_of, visit, names=None):
    """Calls `visit(name, phone)` on each screen. `stage_of()` makes a stage, and `phone_of(stage)` a browser."""
    groups = {}
    for name, (function, group) in SCREENS.items():
        if names is None or name in names:
            groups.setdefault(group, []).append((name, function))
    for group, screens in groups.items():
        stage = stage_of()
        try:
            if group in ("scene", "ring"):
                furnish(stage.rooster)
            if group == "ring":
                stage.rooster.ask("DELETE", "alarms/work", revision="*")
            phone = phone_of(stage)
            for name, function in screens:
                try:
                    function(phone)
                    visit(name, phone)
                except Exception as error:  # The others are visited all the same.
                    visit(name, phone, error)
            for line in phone.mistakes():
                visit(group, phone, line)
        finally:
            stage.end()


def show_theme(phone, theme):
    """The colours that the owner has chosen."""
    phone.script("localStorage.setItem('theme', arguments[0]); document.documentElement.dataset.theme = arguments[0]", theme)
