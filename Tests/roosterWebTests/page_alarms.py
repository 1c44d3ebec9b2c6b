"""Scenarios of setting alarms. Each asks the service what it has confirmed."""

import re

from page_checks import expect_narrow
from page_fixture import expect, wait_for
from page_scenarios import scenario

WORKDAYS = "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
SUMS = [{"kind": "math", "count": 2}]


def expect_time(phone, time):
    """Waits for a time in the form of an alarm."""
    def read():
        return phone.on(phone.find("InputTime", "^Time$"), "function () { return this.value; }")
    wait_for(lambda: read() == time, lambda: f"The form has {read()}, not {time}")


@scenario(is_fast=True)
def three_taps(stage):
    """The chip of a usual time, and the days of a workday evening."""
    rooster = stage.rooster
    rooster.add(id="old", label="Old", time="06:40", repeat="FREQ=DAILY", challenges=SUMS)
    phone = stage.phone()
    phone.press("link", "^New alarm$")
    phone.press("button", "^06:40$")
    phone.see("Tomorrow, Thursday, 06:40")
    phone.press("button", "^Save$")
    alarms = wait_for(lambda: len(rooster.alarms()) == 2 and rooster.alarms(), "The alarm is not saved")
    [new] = [report for name, report in alarms.items() if name != "old"]
    expect(new["alarm"]["time"] == "06:40" and new["alarm"]["repeat"] == WORKDAYS, f"It has {new['alarm']}")
    expect(new["next"]["local"].startswith("2026-11-26T06:40"), f"It rings {new['next']}")
    # The next one begins like the one before.
    expect(new["alarm"]["challenges"][0]["kind"] == "math", "It has other challenges than the last one")
    phone.await_screen("")
    wait_for(lambda: len(phone.all("switch")) == 3, "Home does not show both alarms")


@scenario()
def first_alarm(stage):
    """What is offered to a new owner, by one tap."""
    phone = stage.phone()
    phone.press("button", "^Set this alarm$")
    alarm = wait_for(lambda: stage.rooster.alarms() and stage.rooster.only_alarm(), "No alarm is set")
    expect(alarm["repeat"] == WORKDAYS and alarm["challenges"][0]["count"] == 3, f"It has {alarm}")
    expect(phone.find("switch", "^Work$").properties["checked"] == "true", "The switch is off")
    phone.see("in 8 h 2\\d min")


@scenario()
def refused_first_alarm(stage):
    """A refusal of the first alarm is over when its reason is."""
    stage.rooster.bedside(disk="full")
    phone = stage.phone()
    phone.press("button", "^Set this alarm$")
    phone.see("disk")
    stage.rooster.bedside(disk="ok")
    phone.press("button", "^Set this alarm$")
    wait_for(lambda: stage.rooster.alarms(), "It is refused again")


@scenario()
def new_alarm_at_once(stage):
    """The form of a new alarm fits a small desktop, where Save covers nothing, and says once that it rings once."""
    for width, height in (1280, 680), (390, 844):
        phone = stage.phone("new", width=width, height=height)
        phone.on(phone.find("InputTime", "^Time$"), "function () { this.focus(); }")
        for key in "0", "7", "4", "5":
            phone.key(key)
        expect_time(phone, "07:45")
        phone.see("Without days: once")
        for day in "Monday", "Tuesday", "Wednesday", "Thursday", "Friday":
            phone.press("button", f"^{day}$")
        phone.see("Tomorrow, Thursday, 07:45:[^$]*Once")
        said = phone.script("return document.querySelector('main').innerText")
        expect(len(re.findall("(?i)once", said)) == 1, f"It says more than once that it rings once: {said}")
        room = phone.script("""
            const [card, save] = ["main .card", ".foot .button"].map((one) => document.querySelector(one).getBoundingClientRect());
            return save.top - card.bottom;""")
        expect(room >= 8, f"Only {room} px are between Save and what is above it")


@scenario()
def typed_time(stage):
    """The keypad and the keyboard."""
    phone = stage.phone("new")
    for digit in "745":
        phone.press("button", f"^{digit}$")
    expect_time(phone, "07:45")
    phone.press("button", "^Delete the last digit$")
    expect_time(phone, "07:40")
    for day in "Monday", "Tuesday", "Wednesday", "Thursday", "Friday":
        phone.press("button", f"^{day}$")
    phone.see("Tomorrow, Thursday, 07:40")
    # The hours and minutes of a keyboard, too.
    phone.on(phone.find("InputTime", "^Time$"), "function () { this.focus(); }")
    for key in "0", "6", "ArrowRight", "5", "5":
        phone.key(key)
    expect_time(phone, "06:55")
    phone.key("Tab")
    phone.key("Tab")
    wait_for(lambda: phone.script("return document.activeElement.type !== 'time'"), "Tab does not leave the time", 3)
    for digit in "740":
        phone.press("button", f"^{digit}$")
    phone.press("button", "^Save$")
    alarm = wait_for(lambda: stage.rooster.alarms() and stage.rooster.only_alarm(), "No alarm is set")
    expect(alarm["time"] == "07:40" and not alarm["repeat"], f"It has {alarm}")
    expect(alarm["date"] is None or alarm["date"] == "2026-11-26", f"It has {alarm}")
    # Without a time nothing is sent.
    wait_for(lambda: "new" not in phone.address, "It stays at the saved alarm")
    phone.go("new")
    phone.press("button", "^Save$")
    expect("new" in phone.address and len(stage.rooster.alarms()) == 1, "An alarm without a time was saved")


@scenario(is_fast=True)
def edit(stage):
    """Time, days and name of an alarm, and its switch."""
    rooster = stage.rooster
    rooster.add(id="work", label="Work", time="07:45", repeat=WORKDAYS, challenges=[])
    phone = stage.phone()
    phone.press("link", "Work")
    phone.find("heading", "^Work$")
    phone.set("InputTime", "^Time$", "08:10")
    phone.press("button", "^Friday$")
    phone.write("textbox", "^Name$", "Job")
    phone.see("Tomorrow, Thursday, 08:10")
    expect(rooster.only_alarm()["time"] == "07:45", "A draft has changed the alarm")
    phone.see("Not saved yet")
    # The switch of the form is a draft, too.
    phone.press("switch", "^Work$")
    phone.see("Off, not saved yet")
    described = phone.find("switch", "^Work$")
    expect("not saved" in phone.on(described, "function () { return document.getElementById(this.getAttribute('aria-describedby')).textContent; }"),
           "The switch does not say that it is not saved")
    expect(rooster.only_alarm()["enabled"], "The switch of a draft has changed the alarm")
    phone.press("switch", "^Work$")
    phone.see_no("Off, not saved yet")
    phone.press("button", "^Save$")
    alarm = wait_for(lambda: rooster.only_alarm()["time"] == "08:10" and rooster.only_alarm(), "The time is not saved")
    expect(alarm["label"] == "Job" and alarm["repeat"] == "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH", f"It has {alarm}")
    phone.press("switch", "^Job$")
    wait_for(lambda: not rooster.only_alarm()["enabled"], "It is not switched off")
    wait_for(lambda: not phone.is_on("^Job$"), "The switch does not show it")
    phone.see("No alarm is going to ring\\s+Your alarm is off")
    expect(len(phone.all("switch")) == 1, "A single alarm has a second switch for all alarms")
    phone.press("switch", "^Job$")
    wait_for(lambda: rooster.only_alarm()["enabled"] and phone.is_on("^Job$"), "It is not on again")
    rooster.add(id="old", label="Old", time="06:40", date="2026-11-26", challenges=[])
    phone.press("switch", "^All alarms$")
    wait_for(lambda: not rooster.status()["enabled"], "The master switch does nothing")
    phone.see("All alarms are off")
    # It stays as long as it is off.
    rooster.ask("DELETE", "alarms/old", revision="*")
    phone.find_gone("switch", "^Old$")
    phone.press("switch", "^All alarms$")
    wait_for(lambda: rooster.status()["enabled"], "The master switch does nothing")
    phone.find_gone("switch", "^All alarms$")


@scenario()
def switches_wait_for_the_service(stage):
    """No switch shows what is not confirmed, and a refusal stands beside it."""
    rooster = stage.rooster
    rooster.add(id="work", label="Work", time="07:45", repeat=WORKDAYS, challenges=[])
    phone = stage.phone(is_open=False)
    phone.before_each_document("""
        const send = fetch; window.held = [];
        window.fetch = (address, init) => String(address).endsWith("/enable")
            ? new Promise((good, bad) => held.push(() => send(address, init).then(good, bad))) : send(address, init);
    """)
    phone.open()
    phone.press("switch", "^Work$")
    wait_for(lambda: phone.script("return held.length"), "Nothing is sent")
    for _ in range(5):
        expect(phone.is_on("^Work$"), "The switch shows what nobody has confirmed")
    phone.script("held.pop()()")
    wait_for(lambda: not phone.is_on("^Work$") and not rooster.only_alarm()["enabled"], "It is not off")
    rooster.bedside(disk="full")
    phone.press("switch", "^Work$")
    wait_for(lambda: phone.script("return held.length"), "Nothing is sent")
    phone.script("held.pop()()")
    phone.find("alert", "", 20)
    phone.see("(?i)disk")
    expect(not phone.is_on("^Work$") and not rooster.only_alarm()["enabled"], "A refused switch moved")
    rooster.bedside(disk="ok")


PRESETS = {
    "^Once$": None, "^Every day$": "FREQ=DAILY", "^Every 2 days$": "FREQ=DAILY;INTERVAL=2",
    "^Every week$": "FREQ=WEEKLY;BYDAY=", "^Every 2 weeks$": "FREQ=WEEKLY;INTERVAL=2;BYDAY=",
    "^Every 4 weeks$": "FREQ=WEEKLY;INTERVAL=4;BYDAY=", "by date$": "FREQ=MONTHLY;BYMONTHDAY=25",
    "by weekday$": "FREQ=MONTHLY;BYDAY=1WE", "^Every 3 months$": "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=25",
    "^Every 6 months$": "FREQ=MONTHLY;INTERVAL=6;BYMONTHDAY=25", "^Every year, by date$": "FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=25",
}


@scenario()
def every_preset(stage):
    """Each form of repetition comes to the rule that it says, and rings when the page says so."""
    rooster = stage.rooster
    rooster.add(id="a", label="Walk", time="07:30", repeat="FREQ=DAILY", challenges=[])
    phone = stage.phone("alarm/a")
    for option, rule in PRESETS.items():
        phone.go("alarm/a")
        before = rooster.only_alarm()["repeat"]
        phone.choose("^Repeats", option)
        phone.see_no("cannot be saved")
        phone.press("button", "^Save$")
        phone.await_screen("")
        report = rooster.alarms()["a"]
        now = report["alarm"]["repeat"]
        expect(now is None if rule is None else (now or "").startswith(rule), f"{option}: {before} became {now}")
        if report["next"]:
            local = report["next"]["local"]
            phone.find("image", f"^{local[11:16]}$")
    # The last day, the last Friday, and every eighth week.
    phone.go("alarm/a")
    phone.choose("^Repeats", "by weekday$")
    phone.choose("^On the", "^last$")
    phone.choose("^Weekday", "^Friday$")
    phone.press("button", "^Save$")
    wait_for(lambda: rooster.only_alarm()["repeat"] == "FREQ=MONTHLY;BYDAY=-1FR", lambda: rooster.only_alarm()["repeat"])
    phone.await_screen("")
    phone.go("alarm/a")
    phone.choose("^Repeats", "^Every 4 weeks$")
    for _ in range(4):
        phone.press("button", "^Every: more$")
    phone.press("button", "^Save$")
    wait_for(lambda: "INTERVAL=8" in rooster.only_alarm()["repeat"], lambda: rooster.only_alarm()["repeat"])


@scenario()
def own_rule(stage):
    """A rule that none of the forms has."""
    rooster = stage.rooster
    rooster.add(id="a", label="Walk", time="07:30", repeat="FREQ=DAILY", challenges=[])
    phone = stage.phone("alarm/a")
    phone.choose("^Repeats", "^A rule of your own$")
    phone.write("textbox", "RFC 5545", "FREQ=MONTHLY;BYMONTHDAY=1,15")
    phone.see("1 December|15 December|Tuesday")
    phone.press("button", "^Save$")
    wait_for(lambda: rooster.only_alarm()["repeat"] == "FREQ=MONTHLY;BYMONTHDAY=1,15", lambda: rooster.only_alarm()["repeat"])


@scenario()
def first_day_of_the_week(stage):
    """A rule keeps the first day of its weeks when its days are changed."""
    rooster = stage.rooster
    rooster.add(id="a", label="Walk", time="07:30", repeat="FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;WKST=SU", start="2026-11-24", challenges=[])
    phone = stage.phone("alarm/a")
    phone.press("button", "^Sunday$")
    phone.press("button", "^Save$")
    phone.await_screen("")
    parts = set(rooster.only_alarm()["repeat"].split(";"))
    expect(parts == {"FREQ=WEEKLY", "INTERVAL=2", "BYDAY=TU,SU", "WKST=SU"}, f"The rule is {parts}")


@scenario()
def refused_rule(stage):
    """A refusal stands beside its field, and Save changes nothing."""
    rooster = stage.rooster
    rooster.add(id="a", label="Walk", time="07:30", repeat="FREQ=MONTHLY;BYMONTHDAY=1,15", challenges=[])
    phone = stage.phone("alarm/a")
    phone.write("textbox", "RFC 5545", "FREQ=NEVER")
    phone.see("cannot be saved")
    described = phone.script("""
        const field = [...document.querySelectorAll('input')].find((one) => one.value === 'FREQ=NEVER');
        const problem = document.getElementById('problem-repeat');
        return problem && field && problem.getBoundingClientRect().top - field.getBoundingClientRect().bottom;""")
    expect(described is not None, "There is no problem of the rule")
    phone.press("button", "^Save$")
    expect(rooster.only_alarm()["repeat"] == "FREQ=MONTHLY;BYMONTHDAY=1,15", "A refused rule was saved")
    expect("alarm/a" in phone.address, "A refused draft was left")


@scenario()
def all_options(stage):
    """Challenges in their order, sound, snoozes, late, note and category."""
    rooster = stage.rooster
    rooster.enrol("bathroom", "milk")
    rooster.enrol("kitchen", "bread")
    rooster.add(id="a", label="Walk", time="07:30", repeat="FREQ=DAILY", challenges=[])
    phone = stage.phone("alarm/a")
    phone.press("button", "^Add a challenge$")
    phone.press("button", "^Sums")
    phone.press("button", "^How many: more$")
    phone.press("button", "^hard$")
    phone.press("button", "^Add$")
    phone.press("button", "^Add a challenge$")
    phone.press("button", "^Code")
    phone.press("switch", "^bathroom$")
    phone.press("button", "^Add$")
    phone.press("button", "^Move the code up$")
    phone.press("button", "^Add a challenge$")
    phone.press("button", "^Pattern")
    phone.press("button", "^Add$")
    phone.set("slider", "^Volume", 50)
    phone.press("button", "^At most: less$")
    phone.press("button", "^Still rings up to: more$")
    phone.press("switch", "^Wake-up check$")
    phone.press("button", "^12 h$")
    phone.write("textbox", "^Note$", "Charger is in the hall")
    phone.write("combobox", "^Category$", "Home")
    phone.press("button", "^Another weekday or date$")
    phone.choose("^Day", "^Fridays$")
    phone.set("InputTime", "^Time$", "08:20")
    phone.press("button", "^Ring at this time$")
    phone.press("button", "^Save$")
    alarm = wait_for(lambda: rooster.only_alarm()["note"] and rooster.only_alarm(), "Nothing is saved")
    kinds = [one["kind"] for one in alarm["challenges"]]
    expect(kinds == ["qr", "math", "pattern"], f"The challenges are {kinds}")
    expect(alarm["challenges"][0]["codes"] == ["bathroom"], f"The code is {alarm['challenges'][0]}")
    expect(alarm["challenges"][1]["count"] == 4 and alarm["challenges"][1]["level"] == 3, f"{alarm['challenges'][1]}")
    expect(alarm["ring"]["volume"] == 0.5, f"The volume is {alarm['ring']}")
    expect(alarm["snooze"]["max"] == 2, f"The snoozes are {alarm['snooze']}")
    expect(alarm["late"] == 7200, f"late is {alarm['late']}")
    expect(alarm["check"]["after"] == 300, f"The check is {alarm['check']}")
    expect(alarm["notices"] == ["12h"], f"The notices are {alarm['notices']}")
    expect(alarm["category"] == "Home" and alarm["weekly"] == {"fri": "08:20"}, f"{alarm}")


SHAKER_AND_SUNRISE = """
shaker: { line = "GPIO25"; };
lamps: { sunrise = "pwm:0:0"; };
"""


@scenario(devices=SHAKER_AND_SUNRISE)
def shaker_and_sunrise(stage):
    """An alarm that wakes by the shaker and the sunrise, without a sound."""
    rooster = stage.rooster
    rooster.add(id="a", label="Walk", time="07:30", repeat="FREQ=DAILY", challenges=[])
    phone = stage.phone("alarm/a")
    phone.press("switch", "^Shakes the bed$")
    wait_for(lambda: phone.is_on("^Shakes the bed$"), "The switch does not show the draft")
    phone.choose("^Sound", "^No sound, it only shakes$")
    phone.find_gone("slider", "^Volume")
    for _ in range(2):
        phone.press("button", "^Sunrise: more$")
    phone.see("Tomorrow, Thursday, 07:30:")
    phone.press("button", "^Save$")
    phone.await_screen("")
    alarm = rooster.only_alarm()
    expect((alarm["ring"]["shake"], alarm["ring"]["sound"], alarm["light"]) == (True, "none", 600), f"It has {alarm}")
    phone.go("alarm/a")
    phone.choose("^Sound", "^Chimes$")
    phone.find("slider", "^Volume")
    phone.press("switch", "^Shakes the bed$")
    phone.press("button", "^Sunrise: less$")
    phone.press("button", "^Save$")
    phone.await_screen("")
    alarm = rooster.only_alarm()
    expect((alarm["ring"].get("shake"), alarm["ring"]["sound"], alarm["light"]) in [(False, "chimes01", 300), (None, "chimes01", 300)], f"It has {alarm}")
    # Without a sound and without the shaker it is refused.
    phone.go("alarm/a")
    phone.choose("^Sound", "^No sound, it only shakes$")
    phone.see("cannot be saved")
    phone.press("button", "^Save$")
    expect(rooster.only_alarm()["ring"]["sound"] == "chimes01", "A silent alarm was saved")


@scenario()
def skip_pause_delete(stage):
    rooster = stage.rooster
    rooster.add(id="a", label="Walk", time="07:30", repeat="FREQ=DAILY", challenges=[])
    phone = stage.phone("alarm/a")
    phone.press("button", "^Skip tomorrow")
    wait_for(lambda: rooster.only_alarm().get("skip") == ["2026-11-26"], "Nothing is skipped")
    phone.press("button", "^Ring on .*26 November after all")
    wait_for(lambda: not rooster.only_alarm().get("skip"), "It is still skipped")
    phone.find_gone("button", "after all$")
    # Each skip is undone alone.
    rooster.edit("a", skip=["2026-11-27", "2026-11-29", "2026-12-04/2026-12-07"])
    phone.find("button", "^Ring from Friday, 4 December to Monday, 7 December after all$")
    phone.press("button", "^Ring on Friday, 27 November after all$")
    wait_for(lambda: rooster.only_alarm()["skip"] == ["2026-11-29", "2026-12-04/2026-12-07"],
             lambda: f"The skips are {rooster.only_alarm().get('skip')}")
    phone.go("calendar")
    phone.press("button", "^Walk$")
    phone.press("button", "^Sunday, 29 November; skip")
    phone.press("button", "^Ring after all$")
    wait_for(lambda: rooster.only_alarm()["skip"] == ["2026-12-04/2026-12-07"], lambda: f"The skips are {rooster.only_alarm().get('skip')}")
    phone.find("button", "^Sunday, 29 November; 07:30")
    phone.go("alarm/a")
    phone.press("button", "^Ring from Friday, 4 December")
    wait_for(lambda: not rooster.only_alarm().get("skip"), "It is still skipped")
    phone.press("button", "^Pause for some days$")
    phone.set("Date", "^From", "2026-11-27")
    phone.set("Date", "^Until", "2026-12-03")
    phone.press("button", "^Pause it$")
    wait_for(lambda: rooster.only_alarm().get("pause") == ["2026-11-27/2026-12-03"], "Nothing is paused")
    phone.press("button", "^End the pause$")
    wait_for(lambda: not rooster.only_alarm().get("pause"), "It is still paused")
    phone.press("button", "^Delete this alarm$")
    phone.press("button", "^Keep$")
    expect(rooster.alarms(), "It is deleted without a second press")
    phone.press("button", "^Delete this alarm$")
    phone.press("button", "^Delete$")
    wait_for(lambda: not rooster.alarms(), "It is not deleted")
    phone.see("Nothing is set")


@scenario()
def conflict_in_a_day(stage):
    """What another phone has changed since the sheet of a day was opened is not overwritten without a word."""
    rooster = stage.rooster
    rooster.add(id="work", label="Work", time="07:45", repeat=WORKDAYS, challenges=[])
    phone = stage.phone("calendar")
    dates = lambda: rooster.alarms()["work"]["alarm"]["dates"]  # noqa: E731
    phone.press("button", "^Work$")
    phone.press("button", "^Monday, 30 November; 07:45")
    rooster.edit("work", dates={"2026-11-30": "06:06"})
    phone.press("button", "^Off on this date$")
    phone.see("Somebody else has changed this alarm")
    expect(dates() == {"2026-11-30": "06:06"}, f"The dates are {dates()}")
    # The sheet has the present time now, and may change it.
    phone.see("Only on this date")
    phone.press("button", "^Off on this date$")
    wait_for(lambda: dates() == {"2026-11-30": "off"}, lambda: f"The dates are {dates()}")


@scenario()
def month_and_exceptions(stage):
    """The days of the calendar, and each exception that its sheet makes."""
    rooster = stage.rooster
    rooster.add(id="work", label="Work", time="07:45", repeat=WORKDAYS, challenges=[])
    rooster.add(id="pills", label="Pills", time="21:30", repeat="FREQ=DAILY", challenges=[])
    phone = stage.phone("calendar")
    dates = lambda: rooster.alarms()["work"]["alarm"]["dates"]  # noqa: E731
    phone.press("button", "^Work$")
    phone.press("button", "^Monday, 30 November; 07:45")
    phone.press("button", "^Another time$")
    phone.set("InputTime", "^Time$", "09:00")
    phone.press("button", "^Ring at this time$")
    wait_for(lambda: dates() == {"2026-11-30": "09:00"}, lambda: f"The dates are {dates()}")
    phone.press("button", "^Monday, 30 November; 09:00, only on this date")
    phone.see("Instead of 07:45")
    phone.press("button", "^Back to the usual time")
    wait_for(lambda: dates() == {}, lambda: f"The dates are {dates()}")
    phone.press("button", "^Friday, 27 November; 07:45")
    phone.press("button", "^Off on this date$")
    wait_for(lambda: dates() == {"2026-11-27": "off"}, lambda: f"The dates are {dates()}")
    phone.find("button", "^Friday, 27 November; off")
    phone.press("button", "^The month after$")
    phone.find("heading", "^December 2026$")
    planned = {ring["local"][:10] for ring in rooster.ask(
        "GET", "plan?from=2026-12-01T00:00:00Z&until=2026-12-31T22:00:00Z")["rings"] if ring["alarm"] == "work"}
    wait_for(lambda: phone.all("button", "31 December; 07:45"), "December is empty")
    shown = [node.name for node in phone.all("button", "December; .*07:45")]
    expect(len(shown) == len(planned), f"The month shows {len(shown)} rings, but {len(planned)} are planned")
    # Of all alarms, one that rings every day is named and not drawn.
    phone.press("button", "^All$")
    phone.see("not shown: Pills")
    # The keys of the month.
    phone.press("button", "^Wednesday, 9 December")
    phone.key("Escape")
    phone.key("ArrowRight")
    wait_for(lambda: "10 December" in phone.focused(), lambda: f"The focus is on {phone.focused()}")
    phone.key("ArrowDown")
    wait_for(lambda: "17 December" in phone.focused(), lambda: f"The focus is on {phone.focused()}")
    # A change of another phone is shown at once.
    rooster.edit("work", dates={"2026-12-17": "06:30"})
    phone.find("button", "^Thursday, 17 December; Work 06:30")


@scenario()
def calendar_of_another_zone(stage):
    """A time by another clock than the device's says so."""
    rooster = stage.rooster
    rooster.add(id="call", label="Call", time="07:30", repeat=WORKDAYS, zone="America/New_York", challenges=[])
    rooster.add(id="work", label="Work", time="06:45", repeat=WORKDAYS, challenges=[])
    phone = stage.phone("calendar")
    phone.see("Call: by the clock of New York")
    phone.see_no("Work: by the clock")
    phone.press("button", "27 November; .*Call 07:30 by the clock of New York")
    phone.press("button", "Call")
    phone.see("By the clock of New York")
    phone.key("Escape")
    phone.find("button", "27 November; .*Work 06:45, usual time")


@scenario()
def conflict(stage):
    """Two phones change one alarm: both versions are shown, and none is lost."""
    rooster = stage.rooster
    rooster.add(id="a", label="Walk", time="07:30", repeat="FREQ=DAILY", challenges=[])
    phone = stage.phone("alarm/a")
    phone.set("InputTime", "^Time$", "08:00")
    phone.see("08:00")
    rooster.edit("a", label="Stroll", time="09:00")
    phone.press("button", "^Save$")
    phone.find("heading", "^Somebody else has changed this alarm$")
    text = phone.see("(?s)Yours.*Now")
    for one in "08:00", "09:00", "Stroll":
        expect(one in phone.text(), f"The comparison has no {one}: {text.group(0)}")
    expect(rooster.only_alarm()["time"] == "09:00", "A change was overwritten without a question")
    phone.press("button", "^Discard yours$")
    expect_time(phone, "09:00")
    phone.set("InputTime", "^Time$", "08:30")
    phone.see("08:30:")
    rooster.edit("a", note="new", time="10:00")
    phone.press("button", "^Save$")
    phone.press("button", "^Save yours over it$")
    alarm = wait_for(lambda: rooster.only_alarm()["time"] == "08:30" and rooster.only_alarm(), "It is not saved")
    expect(alarm["label"] == "Stroll" and alarm["note"] == "new", f"The other change is lost: {alarm}")


# The answers to changes of alarms get lost while `window.loses` is true.
LOST_ANSWERS = """
    const send = fetch;
    window.fetch = async (address, init) => {
        const response = await send(address, init);
        if (window.loses && /POST|PATCH/.test(init.method) && /\\/alarms(\\/[^/]+)?$/.test(address)) throw new TypeError("lost");
        return response;
    };
"""


@scenario()
def lost_answer(stage):
    """A second Save after a lost answer changes the alarm that the first one made."""
    rooster = stage.rooster
    phone = stage.phone(is_open=False)
    phone.before_each_document(LOST_ANSWERS)
    phone.open("new")
    phone.press("button", "^07:00$")
    phone.script("window.loses = true")
    phone.press("button", "^Save$")
    phone.see("did not answer")
    expect(rooster.only_alarm()["time"] == "07:00", "The first attempt did not arrive")
    phone.set("InputTime", "^Time$", "08:00")
    phone.see("08:00:")
    phone.script("window.loses = false")
    phone.press("button", "^Save$")
    phone.await_screen("")
    expect(rooster.only_alarm()["time"] == "08:00", f"It has {rooster.only_alarm()}")
    # The answer to a change gets lost as well. What it changed is not a conflict.
    phone.press("link", "08:00")
    phone.await_screen("alarm")
    phone.set("InputTime", "^Time$", "09:00")
    phone.script("window.loses = true")
    phone.press("button", "^Save$")
    phone.see("did not answer")
    wait_for(lambda: rooster.only_alarm()["time"] == "09:00", "The change did not arrive")
    phone.write("textbox", "^Note$", "Lead")
    phone.script("window.loses = false")
    phone.press("button", "^Save$")
    phone.await_screen("")
    expect((rooster.only_alarm()["time"], rooster.only_alarm()["note"]) == ("09:00", "Lead"), f"It has {rooster.only_alarm()}")


@scenario()
def deleted_meanwhile(stage):
    """The draft of an alarm that another client deletes can be saved as a new one."""
    rooster = stage.rooster
    rooster.add(id="a", label="Walk", time="07:30", repeat="FREQ=DAILY", note="Lead", challenges=[])
    phone = stage.phone()
    phone.press("link", "Walk")
    phone.await_screen("alarm")
    phone.set("InputTime", "^Time$", "08:00")
    phone.see("08:00:")
    rooster.ask("DELETE", "alarms/a", revision="*")
    phone.see("deleted on another device")
    phone.back()
    phone.await_screen("")
    phone.driver.forward()
    phone.await_screen("alarm")
    phone.see("deleted on another device")
    phone.see("Tomorrow, Thursday, 08:00:")
    phone.press("button", "^Save as a new alarm$")
    alarm = wait_for(lambda: rooster.alarms() and rooster.only_alarm(), "Nothing is saved")
    expect((alarm["label"], alarm["time"], alarm["note"]) == ("Walk", "08:00", "Lead"), f"It has {alarm}")
    phone.await_screen("")
    phone.find("link", "Walk")


@scenario()
def conflict_of_settings(stage):
    rooster = stage.rooster
    phone = stage.phone("settings/device")
    phone.choose("^Locked before", "^1 h$")
    rooster.settings(lock=600)
    phone.press("button", "^Save$")
    phone.find("heading", "^Somebody else has changed the settings$")
    expect(rooster.ask("GET", "settings")["settings"]["lock"] == 600, "A change was overwritten")
    phone.press("button", "^Save yours over it$")
    wait_for(lambda: rooster.ask("GET", "settings")["settings"]["lock"] == 3600, "It is not saved")


@scenario()
def conflict_of_left_settings(stage):
    """Changes of settings and calendars that were left overwrite no later change of another phone without a word."""
    rooster = stage.rooster
    rooster.ask("PUT", "calendars/school", {"weekdays": ["mon", "tue"]}, "*")
    phone = stage.phone("settings/device")
    phone.choose("^Locked before", "^1 h$")
    phone.go("settings/calendars?calendar=school")
    phone.press("button", "^Friday$")
    phone.go("")
    rooster.settings(lock=600)
    rooster.ask("PUT", "calendars/school", {"weekdays": ["sat"]}, "*")
    phone.go("settings/device")
    phone.press("button", "^Save$")
    phone.find("heading", "^Somebody else has changed the settings$")
    expect(rooster.ask("GET", "settings")["settings"]["lock"] == 600, "A change was overwritten")
    phone.press("button", "^Discard yours$")
    phone.find_gone("button", "^Save$")
    phone.go("settings/calendars?calendar=school")
    phone.press("button", "^Save$")
    phone.find("heading", "^Somebody else has changed this calendar$")
    [calendar] = rooster.ask("GET", "calendars")["calendars"]
    expect(calendar["calendar"]["weekdays"] == ["sat"], f"The calendar is {calendar}")
    phone.press("button", "^Save yours over it$")
    wait_for(lambda: rooster.ask("GET", "calendars")["calendars"][0]["calendar"]["weekdays"] == ["mon", "tue", "fri"], "It is not saved")
    phone.find("link", "^New calendar$")
    # What another phone has changed beside it is no conflict.
    phone.go("settings/device")
    phone.choose("^Locked before", "^1 h$")
    phone.go("")
    rooster.settings(hours=12)
    phone.go("settings/device")
    phone.press("button", "^Save$")
    wait_for(lambda: rooster.ask("GET", "settings")["settings"]["lock"] == 3600, "It is not saved")


@scenario()
def deleted_calendar(stage):
    """The draft of a calendar that another client deletes can be saved again, also after a step back."""
    rooster = stage.rooster
    calendars = lambda: {one["name"]: one["calendar"]["weekdays"] for one in rooster.ask("GET", "calendars")["calendars"]}  # noqa: E731
    for name in "school", "gym":
        rooster.ask("PUT", f"calendars/{name}", {"weekdays": ["mon", "tue"]}, "*")
    phone = stage.phone("settings/calendars?calendar=school")
    phone.press("button", "^Friday$")
    rooster.ask("DELETE", "calendars/school", revision="*")
    phone.see("This calendar was deleted on another device")
    phone.go("")
    phone.go("settings/calendars?calendar=school")
    phone.see("This calendar was deleted on another device")
    phone.press("button", "^Save it again$")
    phone.find("link", "^school")
    expect(calendars() == {"gym": ["mon", "tue"], "school": ["mon", "tue", "fri"]}, f"The calendars are {calendars()}")
    # If it exists again by then, both versions are shown.
    phone.go("settings/calendars?calendar=school")
    phone.press("button", "^Sunday$")
    rooster.ask("DELETE", "calendars/school", revision="*")
    phone.see("This calendar was deleted on another device")
    rooster.ask("PUT", "calendars/school", {"weekdays": ["wed"]}, "*")
    phone.see_no("This calendar was deleted")
    phone.press("button", "^Save$")
    phone.find("heading", "^Somebody else has changed this calendar$")
    phone.press("button", "^Discard yours$")
    phone.find_gone("button", "^Save$")
    # A deletion that the page does not know yet.
    phone.script("const send = fetch; window.fetch = (address, init) => (init?.method === 'PUT' ? new Promise((go) => { window.held = go; }).then(() => send(address, init)) : send(address, init))")
    phone.press("button", "^Sunday$")
    phone.press("button", "^Save$")
    wait_for(lambda: phone.script("return Boolean(window.held)"), "Nothing is sent")
    rooster.ask("DELETE", "calendars/school", revision="*")
    phone.script("held()")
    phone.see("This calendar was deleted on another device")
    expect("school" not in calendars(), "A deleted calendar came back without a question")
    # Without changes there is nothing to save.
    phone.go("settings/calendars?calendar=gym")
    phone.find("heading", "^gym$")
    rooster.ask("DELETE", "calendars/gym", revision="*")
    phone.see("This calendar is gone")


@scenario()
def lock_window(stage):
    """Shortly before it rings, an alarm can be made earlier, and is made later only after its challenges."""
    rooster = stage.rooster
    rooster.settings(lock=36000)
    rooster.add(id="work", label="Work", time="07:45", repeat=WORKDAYS, challenges=[{"kind": "math", "count": 1}])
    phone = stage.phone()
    expect("checked" in phone.find("switch", "^Work").properties, "There is no switch")
    phone.press("switch", "^Work")
    phone.await_screen("alarm")
    expect(rooster.only_alarm()["enabled"], "A locked alarm was switched off")
    phone.set("InputTime", "^Time$", "08:15")
    phone.see("08:15 would be later")
    phone.press("button", "^Save$")
    expect(rooster.only_alarm()["time"] == "07:45", "A locked alarm was made later")
    phone.set("InputTime", "^Time$", "07:00")
    phone.see("Tomorrow, Thursday, 07:00")
    phone.press("button", "^Save$")
    wait_for(lambda: rooster.only_alarm()["time"] == "07:00", "An earlier time was refused")


@scenario()
def back_in_the_middle(stage):
    """A step back loses no draft, sends nothing, and closes no more than it should."""
    rooster = stage.rooster
    rooster.add(id="a", label="Walk", time="07:30", repeat="FREQ=DAILY", challenges=[])
    phone = stage.phone()
    phone.press("link", "Walk")
    phone.await_screen("alarm")
    phone.set("InputTime", "^Time$", "08:00")
    phone.see("Tomorrow, Thursday, 08:00")
    phone.back()
    phone.await_screen("")
    expect(rooster.only_alarm()["time"] == "07:30", "A step back has saved")
    phone.find("image", "^07:30$")
    phone.driver.forward()
    phone.await_screen("alarm")
    expect_time(phone, "08:00")
    phone.see("Not saved yet")
    phone.see("Unsaved changes from 22:3\\d")
    phone.press("button", "^Discard$")
    expect_time(phone, "07:30")
    phone.see_no("Not saved yet|Unsaved changes")
    phone.set("InputTime", "^Time$", "08:00")
    phone.press("button", "^Back$")
    phone.press("button", "^Discard it$")
    phone.await_screen("")
    phone.press("link", "Walk")
    phone.await_screen("alarm")
    expect_time(phone, "07:30")
    # A sheet that is open when the screen goes.
    phone.press("button", "^Pause for some days$")
    phone.back()
    phone.await_screen("")
    expect(not phone.script("return document.querySelector('dialog[open]') !== null"), "The sheet stays over Home")
    phone.press("link", "^New alarm$")
    phone.await_screen("new")


@scenario()
def new_alarm_of_a_date(stage):
    """The date that the calendar gives is not that of another draft, which is kept as well."""
    phone = stage.phone("new")
    phone.press("button", "^07:00$")
    phone.press("button", "^All options$")
    phone.go("calendar")
    phone.press("button", "^Friday, 4 December")
    phone.press("link", "^New alarm on this day$")
    phone.await_screen("new")
    phone.press("button", "^08:00$")
    phone.see("4 December.*08:00:")
    phone.press("button", "^All options$")
    phone.find("Date", "^On")
    phone.set("Date", "^On", "2026-12-03")
    phone.see("3 December.*08:00:")
    phone.go("calendar")
    phone.press("button", "^Friday, 4 December")
    phone.press("link", "^New alarm on this day$")
    phone.await_screen("new")
    phone.press("button", "^06:30$")
    phone.see("4 December.*06:30:")
    phone.press("button", "^Save$")
    alarm = wait_for(lambda: stage.rooster.alarms() and stage.rooster.only_alarm(), "No alarm is set")
    expect((alarm["date"], alarm["time"]) == ("2026-12-04", "06:30"), f"It has {alarm}")
    phone.await_screen("")
    phone.go("new")
    phone.see("Unsaved changes from")
    expect_time(phone, "07:00")


@scenario()
def date_in_words(stage):
    """The date of a one-time alarm is said in words, also if its owner named none."""
    rooster = stage.rooster
    rooster.add(id="a", label="Train", time="07:30", challenges=[])
    phone = stage.phone("alarm/a")
    shown = lambda: phone.script("return document.querySelector('.in-words').textContent")  # noqa: E731
    wait_for(lambda: shown() == "Thursday, 26 November", lambda: f"It shows {shown()}")
    expect(rooster.only_alarm()["date"] in (None, "2026-11-26"), f"It has {rooster.only_alarm()}")
    phone.set("Date", "^On$", "2026-12-04")
    expect(phone.script("return getComputedStyle(document.querySelector('.date-line input')).opacity") == "1", "The field is not seen while it has the focus")
    phone.see("4 December.*07:30:")
    expect(shown() == "Friday, 4 December", f"It shows {shown()}")
    phone.script("document.activeElement.blur()")
    phone.set("Date", "^On$", "2027-12-03")
    wait_for(lambda: shown() == "Friday, 3 December 2027", lambda: f"It shows {shown()}")
    phone.press("button", "^Save$")
    phone.await_screen("")
    expect(rooster.only_alarm()["date"] == "2027-12-03", f"It has {rooster.only_alarm()}")


@scenario()
def thousand_alarms(stage):
    rooster = stage.rooster
    most = rooster.ask("GET", "capabilities")["alarmsMax"]
    count = min(1000, most)
    file = {"alarms": [
        {"id": f"a{index}", "label": f"Alarm {index}", "time": f"{index % 24:02}:{index % 60:02}", "repeat": "FREQ=DAILY"}
        for index in range(count)]}
    exported = rooster.ask("GET", "file")
    taken = rooster.ask("POST", "file", {**exported.get("file", exported), **file})
    expect(taken["alarms"] == count, f"Only {taken}")
    phone = stage.phone()
    wait_for(lambda: phone.script("return document.querySelectorAll('.row-of-alarm').length") == count, "Not all are shown", 60)
    expect_narrow(phone, 390)
    phone.write("searchbox", "", "Alarm 777")
    wait_for(lambda: phone.script("return document.querySelectorAll('.row-of-alarm').length") == 1, "The search finds others", 30)
    phone.press("switch", "^Alarm 777$")
    wait_for(lambda: not rooster.alarms()["a777"]["alarm"]["enabled"], "It is not switched off", 30)
    phone.go("calendar")
    phone.find("heading", "^November 2026$", 60)
    # It still rings within a moment of the device.
    rooster.ring()
    phone.see("Ring", 30)


LABELS = {
    "emoji": "🐓" * 200, "rtl": "קום ‮abc‬ לעבודה", "script": "<script>document.title='hacked'</script><img src=x onerror=alert(1)>",
    "family": "👩‍👩‍👧‍👦 & \"quotes\" 'n' <b>bold</b> &amp;", "long": "W" * 200, "lines": "a b",
}


@scenario()
def labels_are_text(stage):
    """What a label contains is shown as it is, and breaks no screen."""
    rooster = stage.rooster
    for name, label in LABELS.items():
        rooster.add(id=name, label=label[:200], note=label[:200], category=label[:40], time="07:30", repeat="FREQ=DAILY", challenges=[])
    phone = stage.phone(width=320, height=640)
    for address in "", "alarm/emoji", "alarm/rtl", "alarm/script", "alarm/long", "alarm/family", "calendar", "nights", "settings/defaults":
        phone.go(address)
        expect_narrow(phone, 320)
        expect(phone.script("return document.querySelectorAll('main script, main img, main b:not([class]) + i').length") == 0, f"{address} has markup of a label")
    phone.go("")
    phone.see("<script>document.title")
    expect("hacked" not in phone.driver.title, "A script of a label ran")
    # The direction of a label is its own.
    isolated = phone.script("return [...document.querySelectorAll('.row-of-alarm strong')].every((one) => one.firstElementChild?.tagName === 'BDI')")
    expect(isolated, "A label is not isolated")
    phone.press("switch", "🐓🐓")
    wait_for(lambda: not rooster.alarms()["emoji"]["alarm"]["enabled"], "It is not switched off")
    phone.go("alarm/script")
    phone.write("textbox", "^Name$", "</bdi><script>1</script> ‏שלום")
    phone.press("button", "^Save$")
    wait_for(lambda: rooster.alarms()["script"]["alarm"]["label"].endswith("שלום"), "It is not saved")
    # A whole page from right to left.
    phone.script("document.documentElement.dir = 'rtl'")
    for address in "", "alarm/rtl", "calendar", "nights", "bedside", "settings/device":
        phone.go(address)
        expect_narrow(phone, 320)


@scenario()
def restore(stage):
    """A backup that is saved, and put back."""
    import json
    import os
    rooster = stage.rooster
    rooster.enrol("bathroom", "milk")
    rooster.add(id="work", label="Work", time="07:45", repeat=WORKDAYS, challenges=[{"kind": "qr", "codes": ["bathroom"]}])
    rooster.settings(lock=900)
    phone = stage.phone("settings/backup", is_open=False)
    phone.cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=rooster.folder)
    phone.open("settings/backup")
    phone.press("button", "^Save a backup")
    saved = lambda: [name for name in os.listdir(rooster.folder) if name.endswith(".json")]  # noqa: E731
    name = wait_for(saved, "No file is saved")[0]
    path = os.path.join(rooster.folder, name)
    wait_for(lambda: os.path.getsize(path) > 100, "The file is empty")
    with open(path, encoding="utf-8") as file:
        json.load(file)
    rooster.ask("DELETE", "alarms/work", revision="*")
    rooster.add(id="other", label="Other", time="05:00", repeat="FREQ=DAILY", challenges=[])
    rooster.settings(lock=60)
    phone.driver.find_element("css selector", "input[type=file]").send_keys(path)
    phone.see("1 alarm")
    phone.press("button", "^Replace everything")
    wait_for(lambda: phone.shows("dialog") or "work" in rooster.alarms(), "It asks nothing")
    expect("other" in rooster.alarms(), "It has replaced everything without a question")
    dialog = phone.find("dialog")
    phone.press("button", "^Replace everything" if len(phone.all("button", "^Replace everything")) else "^Replace")
    wait_for(lambda: "work" in rooster.alarms(), lambda: f"Nothing came back, {dialog}")
    expect("other" not in rooster.alarms(), "The other alarm is still there")
    expect(rooster.ask("GET", "settings")["settings"]["lock"] == 900, "The settings did not come back")
    # A file that is none.
    wrong = os.path.join(rooster.folder, "wrong.json")
    with open(wrong, "w", encoding="utf-8") as file:
        file.write("<html>")
    phone.open("settings/backup")
    phone.driver.find_element("css selector", "input[type=file]").send_keys(wrong)
    phone.see("This is no backup")
