"""Scenarios of pairing, and of what the page must bear: other versions of the service, refused storage, lost pairing."""

from page_fixture import expect, wait_for
from page_scenarios import scenario


def begin_pairing(phone):
    phone.open()
    phone.await_screen("pair")
    phone.press("button", "^Begin$")
    phone.see("(?i)press its button")


def shown_presses(phone):
    return phone.script("return [...document.querySelectorAll('.shapes li')].map((one) => one.classList.contains('snooze') ? 'snooze' : 'stop')")


@scenario(is_fast=True)
def pairing_by_presses(stage):
    """An unknown phone sees nothing before its owner has pressed the buttons of the device."""
    rooster = stage.rooster
    rooster.add(id="a", label="Walk", time="07:30", repeat="FREQ=DAILY", challenges=[])
    phone = stage.phone(is_open=False, paired=False)
    phone.open()
    phone.await_screen("pair")
    expect("Walk" not in phone.text(), "An unpaired phone sees alarms")
    phone.write("textbox", "^Name of this phone$", "Ann's phone")
    phone.press("button", "^Begin$")
    phone.see("Waiting for \\w+ presses")
    counts = ["Waiting for three", "Waiting for two", "Waiting for one", "Waiting for no|This phone is paired"]
    for press, count in zip(shown_presses(phone), counts):
        rooster.bedside(press=press, holdMilliseconds=150)
        phone.see(count)
    phone.see("This phone is paired", 20)
    names = [client["name"] for client in rooster.ask("GET", "clients")["clients"]]
    expect("Ann's phone" in names, f"The clients are {names}")
    phone.press("link", "^Go to the alarms$")
    phone.find("link", "Walk")
    phone.press("switch", "^Walk$")
    wait_for(lambda: not rooster.only_alarm()["enabled"], "The paired phone cannot change anything")
    cookies = phone.driver.get_cookies()
    expect([(one["httpOnly"], one["sameSite"]) for one in cookies] == [(True, "Strict")], f"{cookies}")


@scenario()
def pairing_refused(stage):
    """A wrong press ends the try, and while it rings there is none."""
    rooster = stage.rooster
    phone = stage.phone(is_open=False, paired=False)
    begin_pairing(phone)
    first = shown_presses(phone)[0]
    rooster.bedside(press="stop" if first == "snooze" else "snooze", holdMilliseconds=150)
    phone.see("Those were not the right presses", 20)
    expect(len(rooster.ask("GET", "clients")["clients"]) == 1, "A wrong press has paired")
    rooster.ring()
    phone.open()
    phone.await_screen("pair")
    phone.press("button", "^Begin$")
    phone.see("Not while it rings")


@scenario()
def pairing_by_invitation(stage):
    rooster = stage.rooster
    rooster.add(id="a", label="Walk", time="07:30", repeat="FREQ=DAILY", challenges=[])
    owner = stage.phone("settings/phones")
    owner.press("button", "^Add another phone$")
    owner.find("image", "^QR code")
    address = owner.see("http://\\S+#pair=\\S+").group(0)
    guest = stage.phone(is_open=False, paired=False)
    guest.driver.get(address.replace("localhost", "rooster"))
    guest.see("This phone is paired")
    expect("pair=" not in guest.driver.current_url, "The secret stays in the address")
    owner.see("is paired", 20)
    guest.press("link", "^Go to the alarms$")
    guest.find("link", "Walk")
    # An invitation is used up.
    late = stage.phone(is_open=False, paired=False)
    late.driver.get(address.replace("localhost", "rooster"))
    late.see("used up or too old")


@scenario()
def forgotten_phone(stage):
    """A phone that another one forgets goes back to pairing, and shows no more."""
    rooster = stage.rooster
    rooster.add(id="a", label="Walk", time="07:30", repeat="FREQ=DAILY", challenges=[])
    made = rooster.ask("POST", "clients/tokens", {"name": "guest", "may": "change"})
    phone = stage.phone(is_open=False, paired=False)
    phone.cdp("Network.setCookie", name="rooster", value=made["token"], url=rooster.origin, httpOnly=True, sameSite="Strict")
    phone.open()
    phone.find("link", "Walk")
    client = next(one for one in rooster.ask("GET", "clients")["clients"] if one["name"] == "guest")
    rooster.ask("DELETE", f"clients/{client['id']}")
    phone.await_screen("pair", 30)
    expect("Walk" not in phone.text(), "A forgotten phone still shows alarms")


# Adds what a later service may say: members, kinds, parts, states and records that this page does not know.
UNKNOWN = """
const stranger = { unknown: { deep: [1, null] } };
const change = (value) => {
    if (Array.isArray(value)) return value.map(change);
    if (!value || typeof value !== "object") return value;
    const changed = { ...stranger };
    // The keys of these are days.
    for (const [name, one] of Object.entries(value)) changed[name] = ["dates", "weekly", "bedtime"].includes(name) ? one : change(one);
    if (Array.isArray(value.health)) changed.health = [...changed.health, { part: "teapot", grade: "warning", text: "the teapot is cold", causes: [{ code: "cold" }] }];
    if (Array.isArray(value.challenges) && value.ring) changed.challenges = [...changed.challenges, { kind: "riddle", count: 2 }];
    if (Array.isArray(value.sessions)) changed.sessions = changed.sessions.map((one) => ({ ...one, state: window.strangeState ?? one.state, ...(window.strangeTask ? { asked: { kind: "riddle" } } : {}) }));
    if (Array.isArray(value.challenges) && Array.isArray(value.enrol)) changed.challenges = [...changed.challenges, "riddle"];
    if ("layer" in value) changed.layer = window.strangeLayer ?? value.layer;
    if ("ended" in value) changed.ended = "dreamt";
    if ("name" in value && "sequence" in value) changed.name = "dreamt";
    return changed;
};
const send = fetch;
window.fetch = async (address, init) => {
    const response = await send(address, init);
    const kind = response.headers.get("Content-Type") ?? "";
    if (kind.includes("json")) return new Response(JSON.stringify(change(await response.json())), response);
    if (!kind.includes("event-stream")) return response;
    let rest = "";
    const lines = new TransformStream({ transform(text, out) {
        const all = (rest + text).split("\\n");
        rest = all.pop();
        out.enqueue(all.map((line) => line.startsWith("data: ") ? "data: " + JSON.stringify(change(JSON.parse(line.slice(6)))) : line).join("\\n") + "\\n");
    } });
    return new Response(response.body.pipeThrough(new TextDecoderStream()).pipeThrough(lines).pipeThrough(new TextEncoderStream()), response);
};
"""


@scenario()
def later_service(stage):
    """A service that says more than this page knows."""
    rooster = stage.rooster
    rooster.enrol("bathroom", "milk")
    rooster.add(id="work", label="Work", time="07:45", repeat="FREQ=DAILY", challenges=[{"kind": "math", "count": 1}])
    rooster.ring(challenges=[])
    rooster.stop()
    phone = stage.phone(is_open=False)
    phone.before_each_document(UNKNOWN)
    for address in "", "alarm/work", "new", "calendar", "codes", "nights", "bedside", "settings", "settings/device", "settings/phones", "settings/sounds":
        phone.open(address)
    phone.open()
    phone.see("(?i)teapot")
    phone.press("link", "Work")
    phone.set("InputTime", "^Time$", "07:00")
    phone.see("07:00:")
    phone.open("nights")
    phone.press("button", "Ring")
    phone.find("dialog")
    rooster.ring(id="again", challenges=[{"kind": "math", "count": 1}])
    phone.open("ringing")
    phone.press("button", "^I am up")
    rooster.await_state("challenged")
    phone.script("window.strangeTask = true")
    rooster.bedside(show="x")
    phone.see("does not know", 20)
    phone.script("window.strangeTask = false; window.strangeState = 'dreaming'")
    rooster.bedside(show="")
    rooster.add(id="other", label="Other", time="05:00", repeat="FREQ=DAILY", challenges=[])
    phone.see("sum|Snooze|know", 20)
    phone.go("nights")
    phone.find("link", "^Show$")


@scenario()
def refused_storage(stage):
    """A browser that keeps nothing for pages, as in a private window."""
    rooster = stage.rooster
    rooster.add(id="work", label="Work", time="07:45", repeat="FREQ=DAILY", challenges=[])
    phone = stage.phone(is_open=False)
    phone.before_each_document("""
        for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"])
            Object.defineProperty(window, name, { get() { throw new DOMException("The operation is insecure.", "SecurityError"); } });
    """)
    phone.open()
    phone.press("button", "^Red colours")
    wait_for(lambda: phone.script("return document.documentElement.dataset.theme") == "red", "The colours do not change")
    for address in "alarm/work", "new", "calendar", "codes", "nights", "bedside", "settings":
        phone.go(address)
        expect(phone.script("return document.documentElement.dataset.theme") == "red", f"{address} has other colours")
    phone.go("")
    phone.press("switch", "^Work$")
    wait_for(lambda: not rooster.only_alarm()["enabled"], "It is not switched off")


@scenario()
def red_at_night(stage):
    """The colours follow hours that this phone keeps, by the clock of the device."""
    def colours():
        return phone.script("return document.documentElement.dataset.theme")
    rooster = stage.rooster
    phone = stage.phone("settings")
    expect(colours() == "dark", f"The colours are {colours()}")
    phone.press("button", "^Red at night$")
    wait_for(lambda: colours() == "red", "The colours are not those of the night")
    phone.set("InputTime", "^Red until", "06:30")
    rooster.bedside(clock="2026-11-26T06:29:50")
    phone.open()
    phone.see("Thu 06:29")
    expect(colours() == "red", "The night is over too early")
    rooster.bedside(clock="2026-11-26T06:30:00")
    wait_for(lambda: colours() == "dark", "The night does not end")
    # The button holds until the hours change.
    phone.press("button", "^Red colours")
    wait_for(lambda: colours() == "red", "The button does nothing")
    rooster.bedside(clock="2026-11-26T22:00:00")
    phone.see("Thu 22:00")
    expect(colours() == "red", "The night does not begin")
    phone.press("button", "^Red colours")
    wait_for(lambda: colours() == "dark", "The button does nothing")


@scenario()
def bedside_by_half_days(stage):
    """The virtual bedside tells times as its owner reads them."""
    rooster = stage.rooster
    rooster.add(id="a", label="Walk", time="19:30", repeat="FREQ=DAILY", challenges=[])
    rooster.settings(hours=12)
    phone = stage.phone(is_open=False, width=1440, height=900)
    phone.driver.get(f"{rooster.origin}/bedside#token={rooster.token}")
    phone.see("The next ring is at 7:30 pm", 20)
    phone.find("image", "^10:3\\d pm$")
    rooster.settings(hours=24)
    phone.see("The next ring is at 19:30", 20)


@scenario()
def another_version(stage):
    """A service of another version has another page, which is loaded."""
    phone = stage.phone(is_open=False)
    phone.before_each_document("""
        const send = fetch;
        window.fetch = async (address, init) => {
            const response = await send(address, init);
            if (!/api\\/1\\/?$/.test(address)) return response;
            return new Response(JSON.stringify({ ...await response.json(), version: window.version ?? "1" }), response);
        };
    """)
    phone.open()
    wait_for(lambda: any(url.endswith("/api/1") for url in [*phone.requests, *(phone.drain() or [])]), "Nobody asks for the version", 20, 0.3)
    phone.script("window.version = '2'; window.isOld = true")
    stage.rooster.web.kill()
    stage.rooster.start_web()
    wait_for(lambda: not phone.script("return window.isOld"), "The page is not loaded again", 20)


@scenario()
def unknown_address(stage):
    """An address of no screen leads back, and the link to the content is none."""
    phone = stage.phone("nowhere/at/all?x=%E0%A4%A", is_open=False)
    phone.open("nowhere/at?x=1")
    phone.see("no such screen")
    phone.open()
    phone.key("Tab")
    expect("Skip" in phone.focused(), f"The first stop is {phone.focused()}")
    phone.key("Enter")
    phone.see("Nothing is set")
    expect("no such screen" not in phone.text(), "The link to the content leads nowhere")
    phone.open("alarm/gone")
    phone.see("gone")
    phone.driver.get(f"{stage.rooster.origin}/#/alarm/%E0%A4%A")
    phone.see("\\w+")
