"""The screens in the scene of the mock-ups: Wednesday, 25 November 2026, 22:33, in Berlin. Each is opened by its function,
and named as its mock-up. The checks go through all of them, and `scripts/screenshots` takes their pictures."""

import time

import page_checks
from page_fixture import DEVICES, Failure, Refused, expect, sum_of, wait_for
from page_scenarios import Stage, scenario
from selenium.common.exceptions import WebDriverException

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
# The groups with the alarms of the mock-ups.
SCENES = {"scene": {}, "ring": {"without": "work", "lock": 0}, "off": {"lock": 0}}


def screen(name, group="scene"):
    """Registers a screen. Those of a group share a Rooster, and come in their order."""
    def register(function):
        SCREENS[name] = (function, group)
        return function
    return register


def furnish(rooster, without=None, lock=36000):
    """Makes the scene of the mock-ups."""
    rooster.enrol("bathroom", "milk")
    rooster.enrol("kitchen", "bread")
    for alarm in ALARMS:
        if alarm["id"] != without:
            rooster.add(**alarm)
    rooster.settings(lock=lock, bedtime={"mon": "23:00", "wed": "22:30"})
    rooster.ask("PUT", "calendars/workdays", {"weekdays": ["mon", "tue", "wed", "thu", "fri"], "off": ["2026-12-25/2026-12-26"]}, "*")


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


for address in "", "/device", "/defaults", "/calendars", "/calendars/new", "/sounds", "/phones", "/backup":
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


@screen("01-home-off", "off")
def _(phone):
    phone.rooster.settings(enabled=False)
    phone.open()
    phone.see("All alarms are off")


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
    phone.press("button", "^Emergency exit$")
    phone.see("(?i)hold")


@screen("08-sum", "ring")
def _(phone):
    # A code counts once it was out of view for a second.
    for _ in range(4):
        phone.rooster.bedside(show="")
        time.sleep(1.5)
        phone.rooster.bedside(show="milk")
        time.sleep(1.5)
        if asked(phone.rooster).get("kind") == "math":
            break
    phone.rooster.bedside(show="")
    phone.open("ringing")
    phone.find("button", "^7$")


@screen("08b-sum-locked", "ring")
def _(phone):
    while not asked(phone.rooster).get("lockedOutSeconds"):
        try:
            phone.rooster.ask("POST", "session/answer", {"number": sum_of(asked(phone.rooster)["sum"]) + 1})
        except Refused as refusal:
            expect(refusal.name == "lockedOut", str(refusal))
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


def tour(built, visit, names=None, groups=None, **phone):
    """Calls `visit(name, phone)` on each screen, and returns the lines that it returns. `phone` are the arguments of the
    browser."""
    chosen = {}
    for name, (function, group) in SCREENS.items():
        if (names is None or name in names) and (groups is None or group in groups):
            chosen.setdefault(group, []).append((name, function))
    lines = []
    for group, screens in chosen.items():
        stage = Stage(built, devices=DEVICES)
        try:
            if group in SCENES:
                furnish(stage.rooster, **SCENES[group])
            browser = stage.phone(is_open=False, **phone)
            for name, function in screens:
                try:
                    function(browser)
                    lines += [(name, line) for line in visit(name, browser) or []]
                except (Failure, Refused, WebDriverException, KeyError) as error:
                    # The other screens are visited all the same.
                    lines.append((name, f"it cannot be shown: {error!r:.400}"))
            lines += [(group, line) for line in browser.mistakes()]
        finally:
            stage.end()
    # What is wrong in the frame of all screens is one line.
    places = {}
    for name, line in lines:
        places.setdefault(line, []).append(name)
    return [f"{', '.join(names[:3])}{f' and {len(names) - 3} more' if len(names) > 3 else ''}: {line}"
            for line, names in places.items()]


def show_theme(phone, theme):
    """The colours that the owner has chosen."""
    phone.script("localStorage.setItem('theme', arguments[0])", theme)
    # Another tab may have chosen them: the page reads them when it draws.
    phone.script("document.documentElement.dataset.theme = document.body.dataset.screen === 'ringing' ? 'dark' : arguments[0]", theme)


# The screens that a quick check sees.
MAIN = ["01-home", "04-new-alarm", "05-alarm-edit", "06-calendar", "10-codes", "11-nights", "12-health", "15-settings",
        "15-settings-device"]


@scenario(is_fast=True)
def main_screens(stage):
    return tour(stage.built, lambda _, phone: page_checks.check(phone), names=MAIN)


@scenario(is_fast=True)
def ringing_screens(stage):
    return tour(stage.built, lambda _, phone: page_checks.check(phone), names=["07-ringing", "07-ringing-code", "08-sum"])


@scenario()
def screens_dark(stage):
    return tour(stage.built, lambda _, phone: page_checks.check(phone, with_focus=True))


@scenario()
def screens_light(stage):
    return tour(stage.built, lambda _, phone: page_checks.check(phone), dark=False)


@scenario()
def screens_red(stage):
    def visit(_, phone):
        show_theme(phone, "red")
        return page_checks.check(phone)
    return tour(stage.built, visit)


@scenario()
def focus_in_all_colours(stage):
    """The ring around the focus stands out in each theme. That of the dark one is checked on all screens."""
    def visit(_, phone):
        wrong = []
        for theme in "light", "red":
            show_theme(phone, theme)
            wrong += page_checks.focus_order(phone)
        return wrong
    return tour(stage.built, visit, names=[*MAIN, "10b-enrol-name", "05-other-time-sheet", "15-settings-calendars-new"])


@scenario()
def screens_wide(stage):
    return tour(stage.built, lambda _, phone: page_checks.check(phone), width=1280, height=800)


@scenario()
def tabs_of_a_desktop(stage):
    """One tab is marked. The calendar, and the page of an alarm, stand beside the alarms."""
    desktop = stage.phone(width=1280, height=800)
    for address, tab in {"": "Alarms page", "calendar": "Alarms page", "new": "Alarms true", "nights": "Nights page", "settings/phones": "Settings page"}.items():
        desktop.go(address)
        marked = lambda: desktop.script(  # noqa: E731
            "return [...document.querySelectorAll('.top-bar [aria-current]')].map((one) => `${one.innerText.trim()} ${one.getAttribute('aria-current')}`)")
        wait_for(lambda: marked() == [tab], lambda: f"{address} marks {marked()}")


@scenario()
def screens_narrow(stage):
    return tour(stage.built, lambda _, phone: page_checks.look(phone), width=320, height=640)


@scenario()
def screens_of_large_text(stage):
    return tour(stage.built, lambda _, phone: page_checks.look(phone), font=32)


@scenario()
def screens_in_landscape(stage):
    return tour(stage.built, lambda _, phone: page_checks.look(phone), width=844, height=390)


@scenario()
def screens_from_right_to_left(stage):
    def visit(_, phone):
        phone.script("document.documentElement.dir = 'rtl'")
        return page_checks.look(phone)
    return tour(stage.built, visit)
