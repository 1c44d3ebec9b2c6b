"""Scenarios of a ring: from the phone's side and from the device's, and through failures of every part between them."""

import re
import signal
import time

from page_fixture import DEVICES, expect, sum_of, wait_for
from page_scenarios import scenario

CODE = [{"kind": "qr", "codes": ["bathroom"]}]


def last_end(rooster):
    history = rooster.history()
    return history[-1]["ended"] if history else None


def await_end(rooster, how="dismissed"):
    wait_for(lambda: last_end(rooster) == how, lambda: f"The last ring is not {how}: {rooster.history()[-1:]}, {rooster.session()}")


def answer(phone, number):
    for digit in str(abs(number)):
        phone.press("button", f"^{digit}$")
    phone.press("button", "^OK$")


def asked(rooster):
    return (rooster.session() or {}).get("asked") or {}


def sum_pattern(asked):
    return f"^{re.escape(asked['sum'])}$"


def solve(phone, rooster):
    """Solves one sum on the pad."""
    before = asked(rooster)
    phone.find("image", sum_pattern(before))
    answer(phone, sum_of(before["sum"]))
    wait_for(lambda: asked(rooster).get("left") != before["left"], lambda: f"{before} is not solved: {asked(rooster)}")


@scenario(is_fast=True)
def wrong_code_and_right_code(stage):
    """The ring comes to the page by itself, and ends by the right code only."""
    rooster = stage.rooster
    rooster.enrol("bathroom", "milk")
    phone = stage.phone()
    rooster.ring(challenges=CODE, snooze={"max": 3})
    phone.await_screen("ringing")
    phone.press("button", "^I am up: begin with the code$")
    rooster.await_state("challenged")
    phone.see("Show the\\s+bathroom\\s+code to the camera")
    rooster.bedside(show="bread")
    phone.see("This is not the code for this alarm")
    expect(rooster.session()["state"] == "challenged" and not rooster.history(), "A wrong code has ended the ring")
    rooster.bedside(show="milk")
    await_end(rooster)
    phone.see("Good morning")
    phone.press("link", "^Close$")
    phone.await_screen("")


@scenario(is_fast=True)
def snooze(stage):
    """The pane snoozes the ring that is shown, and its owner is told until when."""
    rooster = stage.rooster
    phone = stage.phone()
    rooster.ring(challenges=[{"kind": "math", "count": 1}], snooze={"seconds": 540, "max": 2})
    phone.press("button", "^Snooze")
    session = rooster.await_state("snoozed")
    phone.see("Rings again at")
    phone.find("image", f"^{session['untilLocal'][11:16]}$")
    phone.see("1 of 2 left")
    phone.press("button", "^I am up: begin with the sums$")
    wait_for(lambda: asked(rooster), "No sum is asked")
    solve(phone, rooster)
    await_end(rooster)
    expect(rooster.history()[-1]["by"] == "page", f"It ended {rooster.history()[-1]}")


@scenario()
def snooze_limit(stage):
    rooster = stage.rooster
    phone = stage.phone()
    rooster.ring(snooze={"seconds": 300, "max": 2})
    for left in 1, 0:
        phone.press("button", "^Snooze")
        rooster.await_state("snoozed")
        phone.see(f"{left} of 2 left")
        rooster.bedside(speed=120)
        rooster.await_state("ringing")
        rooster.bedside(speed=1)
        phone.see("Snooze, or get up")
    phone.see("No snooze is left")
    pane = phone.press("button", "^Snooze")
    expect(pane.properties.get("disabled"), "The pane can still be pressed")
    expect(rooster.session()["state"] == "ringing", "It was snoozed beyond its limit")
    phone.press("button", "^I am up$")
    await_end(rooster)


@scenario()
def sums(stage):
    """Wrong and late answers, the lock-out, and the last sum by the keys of a keyboard."""
    rooster = stage.rooster
    phone = stage.phone()
    rooster.ring(challenges=[{"kind": "math", "count": 2, "limit": 15}])
    phone.press("button", "^I am up: begin with the sums$")
    phone.see("2 sums to go")
    answer(phone, sum_of(asked(rooster)["sum"]) + 1)
    phone.see("Wrong. Look again")
    expect(asked(rooster)["left"] == 2, "A wrong answer counts")
    solve(phone, rooster)
    phone.see("the last sum")
    # An answer to the sum before is told apart from a wrong one.
    old = asked(rooster)
    for digit in str(abs(sum_of(old["sum"]))):
        phone.press("button", f"^{digit}$")
    wait_for(lambda: asked(rooster)["sumNumber"] != old["sumNumber"], "The sum is not replaced", 30)
    wait_for(lambda: not phone.shows("image", "^Your answer"), "The digits stay for another sum")
    expect(rooster.session(), "The ring is over")
    for _ in range(3):
        if not asked(rooster).get("lockedOutSeconds"):
            answer(phone, sum_of(asked(rooster)["sum"]) + 1)
            time.sleep(0.3)
    wait_for(lambda: asked(rooster).get("lockedOutSeconds"), lambda: f"No lock-out after three wrong answers: {asked(rooster)}")
    phone.see("Wait \\d+ s")
    before = asked(rooster)["sumNumber"]
    phone.press("button", "^7$")
    expect(not phone.shows("image", "^Your answer"), "The pad is open during the lock-out")
    rooster.bedside(speed=20)
    wait_for(lambda: not asked(rooster).get("lockedOutSeconds"), "The lock-out does not end", 30)
    rooster.bedside(speed=1)
    phone.see_no("Wait \\d+ s")
    expect(before, "No sum")
    phone.open("ringing")
    now = asked(rooster)
    phone.find("image", sum_pattern(now))
    for digit in str(abs(sum_of(now["sum"]))):
        phone.key(digit)
    phone.find("image", "^Your answer")
    phone.key("Enter")
    await_end(rooster)


@scenario()
def leaving_changes_nothing(stage):
    """Back from the ring, on every other screen there is a way to it, and it rings on."""
    rooster = stage.rooster
    rooster.enrol("bathroom", "milk")
    phone = stage.phone()
    rooster.ring(challenges=CODE)
    phone.await_screen("ringing")
    before = rooster.session()
    phone.back()
    phone.await_screen("")
    for address in "", "calendar", "nights", "bedside", "codes", "settings", "new":
        phone.go(address)
        phone.find("link", "^Show$")
    after = rooster.session()
    expect([after[name] for name in ("state", "at", "snoozes")] == [before[name] for name in ("state", "at", "snoozes")], f"{after}")
    phone.press("link", "^Show$")
    phone.await_screen("ringing")
    phone.press("button", "^I am up: begin with the code$")
    rooster.await_state("challenged")
    phone.driver.refresh()
    phone.await_screen("ringing")
    phone.see("Show the\\s+bathroom")
    expect(rooster.session()["state"] == "challenged", "A reload has changed the ring")


@scenario()
def rings_in_a_queue(stage):
    rooster = stage.rooster
    phone = stage.phone()
    rooster.ring(id="a", label="First", challenges=[])
    rooster.add(id="b", label="Second", delay=1, challenges=[])
    rooster.add(id="c", label="Third", delay=1, challenges=[])
    wait_for(lambda: len(rooster.status()["sessions"]) == 3, "They do not queue")
    phone.see("and 2 more alarms wait")
    ended = []
    for _ in range(3):
        label = rooster.session()["label"]
        phone.see(label)
        phone.press("button", "^I am up$")
        wait_for(lambda count=len(ended): len(rooster.history()) == count + 1, f"{label} has not ended")
        ended.append(label)
    expect(sorted(ended) == ["First", "Second", "Third"], f"They ended {ended}")
    phone.see("Good morning")


@scenario(devices=DEVICES)
def steps_pattern_and_tag(stage):
    """Challenges that are done at the device, followed on the page."""
    rooster = stage.rooster
    rooster.enrol_tag("key ring", "04a2b3c4d5e6f7")
    phone = stage.phone()
    rooster.ring(challenges=[
        {"kind": "steps", "count": 20}, {"kind": "pattern", "length": 4}, {"kind": "tag", "tags": ["key ring"]}])
    phone.press("button", "^I am up: begin with the steps$")
    phone.see("Walk on the mat")
    for _ in range(8):
        rooster.bedside(steps=1)
    left = asked(rooster)["left"]
    phone.see(f"{20 - left} of 20 steps are done")
    while asked(rooster).get("kind") == "steps":
        rooster.bedside(steps=1)
        time.sleep(0.3)
    phone.see("Press the buttons on Rooster in this order")
    buttons = asked(rooster)["buttons"]
    wrong = "stop" if buttons[0] == "snooze" else "snooze"
    rooster.bedside(press=wrong, holdMilliseconds=150)
    phone.see("That was another button")
    time.sleep(0.5)
    while asked(rooster).get("kind") == "pattern":
        now = asked(rooster)
        rooster.bedside(press=now["buttons"][now.get("pressed", 0)], holdMilliseconds=150)
        wait_for(lambda: asked(rooster) != now, "A press does not count")
        # A finger lets go first.
        time.sleep(0.3)
    phone.see("Hold the\\s+key ring\\s+tag")
    rooster.bedside(tag="11a2b3c4d5e6f7")
    phone.see("That is another tag")
    rooster.bedside(tag="04a2b3c4d5e6f7")
    await_end(rooster)
    phone.see("Good morning")


@scenario()
def nights_that_are_over(stage):
    """The share that got up is one number, and older nights are offered only if there are any."""
    rooster = stage.rooster
    rooster.ring(challenges=[{"kind": "math", "count": 1}])
    rooster.stop()
    asked = wait_for(lambda: (rooster.session() or {}).get("asked"), "Nothing is asked")
    rooster.ask("POST", "session/answer", {"number": sum_of(asked["sum"])})
    await_end(rooster)
    phone = stage.phone("nights", width=320)
    phone.see("of one ring with challenges got you up")
    number, sign, text = phone.script("""
        return [".percent .numerals", ".percent span", ".success p:last-child"].map((one) => {
            const {left, right, top, bottom} = document.querySelector(one).getBoundingClientRect();
            return {left, right, top, bottom};
        });""")
    expect(sign["left"] >= number["right"] and sign["bottom"] > number["top"] and sign["right"] <= 320, f"100 is apart from its %: {number}, {sign}")
    expect(text["top"] >= sign["bottom"], f"The text is at {text}")
    # The browser has asked for all periods by then.
    wait_for(lambda: phone.drain() or [one for one in phone.requests if "days=4000" in one], "It does not look for older nights")
    phone.see_no("Older nights")
    rooster.bedside(by=40 * 86400)
    phone = stage.phone("nights")
    phone.see("No ring in these days")
    phone.press("button", "^Older nights$")
    phone.see("(?s)3 months.*got you up")
    phone.see_no("Older nights")


@scenario()
def emergency(stage):
    """Held for a minute by the finger; let go, it begins again."""
    rooster = stage.rooster
    phone = stage.phone()
    rooster.ring(challenges=[{"kind": "math", "count": 5}])
    phone.press("button", "^Emergency exit$")
    phone.press("button", "^Hold for a minute", hold=3)
    wait_for(lambda: rooster.session().get("emergencySeconds") is None, "It is still held")
    expect(rooster.session()["state"] == "ringing", "A short press has ended the ring")
    node = phone.find("button", "^Hold for a minute")
    x, y = phone.place(node)
    phone.cdp("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", clickCount=1)
    wait_for(lambda: rooster.session() is None, lambda: f"It is not over: {rooster.session()}", 75, 0.5)
    phone.cdp("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y, button="left", clickCount=1)
    await_end(rooster, "emergency")
    phone.see("Ended by the emergency exit")
    expect("Good morning" not in phone.text(), "It says good morning")


@scenario()
def emergency_by_keyboard(stage):
    rooster = stage.rooster
    phone = stage.phone("ringing", is_open=False)
    rooster.ring(challenges=[{"kind": "math", "count": 5}])
    phone.open("ringing")
    phone.press("button", "^Emergency exit$")
    hold = phone.find("button", "^Hold for a minute")
    phone.on(hold, "function () { this.focus(); }")
    phone.key("Space", kinds=["keyDown"])
    wait_for(lambda: rooster.session().get("emergencySeconds"), "The key does not hold it")
    phone.key("Space", kinds=["keyUp"])
    wait_for(lambda: rooster.session().get("emergencySeconds") is None, "It is still held")
    # A key that goes up elsewhere lets go too.
    phone.key("Space", kinds=["keyDown"])
    wait_for(lambda: rooster.session().get("emergencySeconds"), "The key does not hold it")
    phone.script("document.activeElement.blur()")
    wait_for(lambda: rooster.session().get("emergencySeconds") is None, "It is held without the focus")
    # The focus is not caught there.
    phone.on(phone.find("button", "^Hold for a minute"), "function () { this.focus(); }")
    before = phone.focused()
    phone.key("Tab")
    wait_for(lambda: phone.focused() != before, "Tab does not leave the button that is held", 3)


@scenario()
def killed_web(stage):
    """rooster-web is killed while it rings: the page says so, comes back by itself, and the ring goes on."""
    rooster = stage.rooster
    phone = stage.phone()
    rooster.ring(challenges=[{"kind": "math", "count": 1}])
    phone.await_screen("ringing")
    rooster.web.kill()
    phone.see("No connection", 10)
    phone.see("It rings on")
    rooster.start_web()
    phone.see_no("No connection", 20)
    phone.press("button", "^I am up: begin with the sums$")
    rooster.await_state("challenged")
    solve(phone, rooster)
    await_end(rooster)


@scenario()
def killed_service(stage):
    """roosterd is killed while it rings, as by a power cut: it rings again after its start, and the page follows."""
    rooster = stage.rooster
    phone = stage.phone()
    session = rooster.ring(challenges=[{"kind": "math", "count": 1}])
    phone.await_screen("ringing")
    phone.press("button", "^I am up: begin with the sums$")
    rooster.await_state("challenged")
    now = rooster.status()["local"]
    rooster.service.kill()
    phone.see("No connection", 10)
    rooster.start_service(clock=now)
    wait_for(lambda: tries(rooster.session), "It rings no more", 20)
    expect(rooster.session()["at"] == session["at"], "Another ring")
    phone.see_no("No connection", 20)
    if rooster.session()["state"] == "ringing":
        phone.press("button", "^I am up: begin with the sums$")
    rooster.await_state("challenged")
    solve(phone, rooster)
    await_end(rooster)


@scenario()
def opened_without_service(stage):
    """Each screen that is opened while no service answers says so, and comes when it does."""
    rooster = stage.rooster
    rooster.add(id="a", label="Walk", time="07:30", repeat="FREQ=WEEKLY;BYDAY=FR", challenges=[])
    now = rooster.status()["local"]
    rooster.service.kill()
    for width in 390, 1280:
        phone = stage.phone("calendar", width=width)
        for address in "calendar", "bedside", "settings", "nights", "alarm/a", "ringing":
            phone.go(address)
            phone.see("No connection")
            phone.see("service does not answer", 20)
            expect(phone.shows("button", "^Try now$"), f"{address} has no button")
            expect("what it said last" not in phone.text(), f"{address} points to nothing")
        phone.go("calendar")
    rooster.start_service(clock=now)
    for phone in stage.phones:
        phone.find("heading", "^November 2026$", 20)
        phone.find("button", "27 November; ")
        phone.see_no("No connection")


@scenario()
def old_health(stage):
    """The health that was reported last has its time while there is no connection."""
    phone = stage.phone("bedside")
    phone.see("Disk")
    stage.rooster.web.kill()
    phone.see("As of 22:3\\d", 10)
    grades = phone.script("return [...document.querySelectorAll('.bedside .card .sign + .unseen')].map((one) => one.textContent)")
    expect(grades and all("as of 22:3" in one for one in grades), f"The grades are {grades}")
    stage.rooster.start_web()
    phone.see_no("As of", 20)


def tries(read):
    """The result of a request that may fail, or None."""
    try:
        return read()
    except Exception:
        return None


@scenario()
def killed_during_a_request(stage):
    """A press whose answer never comes is not shown as done, and a save that was sent twice is done once."""
    rooster = stage.rooster
    phone = stage.phone("new")
    for digit in "0815":
        phone.press("button", f"^{digit}$")
    phone.see("08:15:")
    rooster.web.signal(signal.SIGSTOP)
    phone.press("button", "^Save$")
    phone.see("Asking…")
    rooster.web.signal(signal.SIGCONT)
    wait_for(lambda: len(rooster.alarms()) == 1, "It is not saved")
    phone.await_screen("")
    phone.go("new")
    for digit in "0930":
        phone.press("button", f"^{digit}$")
    phone.see("09:30:")
    rooster.web.kill()
    phone.press("button", "^Save$")
    phone.see("(?i)did not answer|No connection", 40)
    expect("new" in phone.address, "The draft is gone")
    rooster.start_web()
    phone.see_no("No connection", 20)
    phone.press("button", "^Save$")
    wait_for(lambda: len(rooster.alarms()) == 2, "It is not saved")
    phone.await_screen("")
    expect(len(rooster.alarms()) == 2, "It was saved twice")


@scenario()
def freeze_and_thaw(stage):
    """A phone stops the page, and lets it go on long after: it shows the present state at once."""
    rooster = stage.rooster
    phone = stage.phone()
    phone.see("Nothing is set")
    phone.freeze()
    # Its connection ends meanwhile, as on an iPhone.
    rooster.web.kill()
    rooster.start_web()
    rooster.ring(challenges=[{"kind": "math", "count": 1}])
    time.sleep(8)
    phone.thaw()
    phone.await_screen("ringing", 5)
    phone.press("button", "^Snooze")
    rooster.await_state("snoozed")
    phone.see("Rings again at")
    phone.freeze()
    rooster.stop()
    time.sleep(8)
    phone.thaw()
    phone.see("sum", 5)


@scenario()
def uptime_stands_still(stage):
    """The uptime of a phone may stand still while it sleeps: the page reads the state again, and its clock is right."""
    rooster = stage.rooster
    rooster.add(id="a", label="Walk", time="07:30", repeat="FREQ=DAILY", challenges=[])
    phone = stage.phone(is_open=False)
    phone.before_each_document("""
        window.slept = 0; window.streams = 0;
        const [uptime, wall, send] = [performance.now.bind(performance), Date.now, fetch];
        performance.now = () => uptime() - window.slept;
        Date.now = () => wall() + (window.step ?? 0);
        window.fetch = (address, init) => { if (/events/.test(address)) window.streams++; return send(address, init); };
    """)
    phone.open()
    phone.see("Wed 22:3\\d")
    phone.script("window.slept = 3_600_000")
    wait_for(lambda: phone.script("return window.streams") == 2, "Nothing is read again", 5)
    phone.see("Wed 22:3\\d")
    phone.see("in 8 h 5\\d min")
    # The phone's clock is set: the state is read again, and nothing else changes.
    phone.script("window.step = -7_200_000")
    wait_for(lambda: phone.script("return window.streams") == 3, "Nothing is read again", 5)
    phone.see("Wed 22:3\\d")
    phone.see("in 8 h 5\\d min")
    # That is all: it does not go on to read.
    time.sleep(5)
    expect(phone.script("return window.streams") == 3, "It reads again and again")


@scenario()
def silent_connection(stage):
    """rooster-web says nothing more, and closes nothing: after 20 s the page asks anew."""
    rooster = stage.rooster
    rooster.add(id="a", label="Walk", time="07:30", repeat="FREQ=DAILY", challenges=[])
    phone = stage.phone()
    phone.find("link", "Walk")
    rooster.web.signal(signal.SIGSTOP)
    phone.see("No connection since", 40)
    rooster.web.signal(signal.SIGCONT)
    phone.see_no("No connection", 20)
    phone.find("link", "Walk")


@scenario()
def clock_jump(stage):
    """The device's clock is set: the page counts by the new one, and never by the phone's."""
    rooster = stage.rooster
    rooster.add(id="a", label="Walk", time="07:30", repeat="FREQ=DAILY", challenges=[])
    phone = stage.phone()
    phone.see("in 8 h 5\\d min")
    rooster.bedside(clock="2026-11-26T06:00:00")
    phone.see("in 1 h 30 min|in 1 h 29 min")
    phone.see("Today")
    phone.see("Thu 06:00")
    rooster.bedside(clock="2026-11-26T07:29:58")
    phone.await_screen("ringing")
    rooster.await_state("ringing")
    # Back by an hour while it rings.
    rooster.bedside(by=-3600)
    phone.find("image", "^06:3\\d$|^06:2\\d$")
    expect(rooster.session(), "The ring is gone")
    rooster.bedside(zone="America/New_York")
    wait_for(lambda: phone.shows("image", f"^{rooster.status()['local'][11:16]}$"), "Another zone is not shown")


@scenario()
def unlock(stage):
    """The challenges of a locked alarm, done before it rings, open it for a change."""
    rooster = stage.rooster
    rooster.settings(lock=36000)
    rooster.add(id="work", label="Work", time="07:45", repeat="FREQ=DAILY", challenges=[{"kind": "math", "count": 1}])
    phone = stage.phone("alarm/work")
    phone.press("button", "^Unlock with")
    phone.await_screen("ringing")
    phone.see("To change\\s+Work")
    unlocking = wait_for(lambda: rooster.status().get("unlocking"), "Nothing is being unlocked")
    answer(phone, sum_of(unlocking["asked"]["sum"]))
    wait_for(lambda: not rooster.alarms()["work"]["locked"], "It is still locked")
    phone.see("It can be changed now")
    phone.go("alarm/work")
    phone.set("InputTime", "^Time$", "09:00")
    phone.see("09:00:")
    phone.press("button", "^Save$")
    wait_for(lambda: rooster.alarms()["work"]["alarm"]["time"] == "09:00", "It cannot be changed")


@scenario()
def test_ring(stage):
    """A test ring covers no screen, and ends by its button."""
    rooster = stage.rooster
    phone = stage.phone("bedside")
    phone.press("button", "^Test ring")
    wait_for(lambda: (rooster.session() or {}).get("test"), "There is no test ring", 20)
    phone.press("button", "^End the test ring")
    wait_for(lambda: rooster.session() is None, "It rings on")
    expect("bedside" in phone.address, f"It went to {phone.address}")


@scenario()
def wake_up_check(stage):
    rooster = stage.rooster
    phone = stage.phone()
    rooster.ring(challenges=[{"kind": "math", "count": 1}], check={"after": 60, "within": 60})
    phone.press("button", "^I am up: begin with the sums$")
    rooster.await_state("challenged")
    solve(phone, rooster)
    rooster.await_state("checking")
    phone.see("asks whether you are awake")
    rooster.bedside(speed=30)
    phone.find("heading", "^Are you awake\\?$")
    rooster.bedside(speed=1)
    phone.press("button", "^I am awake$")
    await_end(rooster)
    phone.see("Good morning")


@scenario()
def two_phones(stage):
    """What one phone does, the other one shows."""
    rooster = stage.rooster
    first, second = stage.phone(), stage.phone()
    rooster.ring(snooze={"max": 3})
    for phone in first, second:
        phone.await_screen("ringing")
    first.press("button", "^Snooze")
    rooster.await_state("snoozed")
    second.see("Rings again at")
    second.press("button", "^I am up$")
    await_end(rooster)
    first.see("Good morning")
