"""A browser that is used as its owner uses it: by the roles and names that a screen reader hears, and by presses at the
place where they are shown."""

import json
import os
import re
import time
import urllib.parse

from page_fixture import Failure, expect, wait_for
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service

KEYS = {
    "Tab": ("Tab", 9, None), "Enter": ("Enter", 13, "\r"), "Escape": ("Escape", 27, None), "Space": (" ", 32, " "),
    "ArrowLeft": ("ArrowLeft", 37, None), "ArrowUp": ("ArrowUp", 38, None), "ArrowRight": ("ArrowRight", 39, None),
    "ArrowDown": ("ArrowDown", 40, None), "Backspace": ("Backspace", 8, None),
}


class Node:
    """A node of the accessibility tree."""

    def __init__(self, raw):
        self.role = raw.get("role", {}).get("value", "")
        self.name = " ".join(raw.get("name", {}).get("value", "").split())
        self.value = raw.get("value", {}).get("value")
        self.id = raw.get("backendDOMNodeId")
        self.properties = {one["name"]: one["value"].get("value") for one in raw.get("properties", [])}

    def __repr__(self):
        return f"{self.role} {self.name!r}"


class Phone:
    """A phone, or a desktop with `width` from 900 on."""

    def __init__(self, rooster, width=390, height=844, scale=1, dark=True, font=16, paired=True, arguments=()):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in (
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
            "--disable-background-networking", "--no-first-run", "--host-resolver-rules=MAP * 127.0.0.1",
            "--lang=en-GB", *arguments,
        ):
            options.add_argument(argument)
        options.add_experimental_option("prefs", {
            "webkit.webprefs.default_font_size": font, "intl.accept_languages": "en-GB"})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        options.set_capability("goog:perfLoggingPrefs", {"enableNetwork": True, "enablePage": False})
        service = Service("/usr/bin/chromedriver", env={**os.environ, "LANGUAGE": "en_GB"})
        self.driver = webdriver.Chrome(options=options, service=service)
        self.driver.set_script_timeout(60)
        self.rooster = rooster
        self.requests = []
        self.console = []
        self.size(width, height, scale)
        self.media(dark)
        if paired:
            self.cdp("Network.setCookie", name="rooster", value=rooster.token, url=rooster.origin, httpOnly=True,
                     sameSite="Strict")

    def end(self):
        try:
            self.driver.quit()
        except WebDriverException:
            pass

    def cdp(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def size(self, width, height, scale=1):
        self.width, self.height = width, height
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                 mobile=width < 900)

    def media(self, dark=True, reduced=True):
        # Without motion, a test never presses a control that still moves.
        self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if reduced else "no-preference"}])

    def before_each_document(self, script):
        self.cdp("Page.addScriptToEvaluateOnNewDocument", source=script)

    # Where it is

    def open(self, address="", seconds=30):
        """Opens the page afresh, and waits until its screen has something to read."""
        self.driver.get("about:blank")
        self.driver.get(f"{self.rooster.origin}/#/{address}")
        self.await_screen(seconds=seconds)
        return self

    def go(self, address):
        """Goes on to another screen, as a link does."""
        self.script("location.hash = arguments[0]", f"#/{address}")
        self.await_screen(address.split("?")[0].split("/")[0])

    def await_screen(self, name=None, seconds=15):
        """Waits for a screen whose texts and controls do not change for a moment."""
        def settled():
            if name is not None and self.screen != (name or "home"):
                return False
            text = self.script("return document.querySelector('main h1, main h2, main [role=alert]') && document.body.innerHTML.length")
            time.sleep(0.15)
            return text and text == self.script("return document.body.innerHTML.length")
        wait_for(settled, lambda: f"No screen {name or ''} at {self.address}: {self.text()[:300]}", seconds)

    @property
    def screen(self):
        return self.script("return document.body.dataset.screen")

    @property
    def address(self):
        return self.script("return location.hash")

    def back(self):
        self.driver.back()

    # What it shows

    def nodes(self):
        """What a screen reader can reach. Behind a sheet there is nothing."""
        raw = self.cdp("Accessibility.getFullAXTree")["nodes"]
        return [Node(one) for one in raw if not one.get("ignored")]

    def text(self):
        return self.script("return document.body?.innerText ?? ''")

    def all(self, role, name=""):
        """The nodes with a role whose names match a pattern."""
        return [node for node in self.nodes() if node.role == role and re.search(name, node.name)]

    def find(self, role, name="", seconds=15):
        """Waits for a node, and returns it."""
        found = []

        def look():
            found[:] = self.nodes()
            return next((one for one in found if one.role == role and re.search(name, one.name)), None)

        def others():
            names = sorted({one.name for one in found if one.role == role})
            return f"No {role} {name!r} on {self.address}, only {names[:25]}"
        return wait_for(look, others, seconds)

    def find_gone(self, role, name="", seconds=15):
        wait_for(lambda: not self.all(role, name), f"{role} {name!r} is still there", seconds)

    def see(self, pattern, seconds=15):
        """Waits for a visible text."""
        return wait_for(
            lambda: re.search(pattern, self.text()),
            lambda: f"{pattern!r} is not in the text of {self.address}: {self.text()[:500]!r}", seconds)

    def see_no(self, pattern, seconds=15):
        wait_for(lambda: not re.search(pattern, self.text()), lambda: f"{pattern!r} is still shown", seconds)

    def shows(self, role, name=""):
        return bool(self.all(role, name))

    # What is done to it

    def on(self, node, function, *arguments):
        """Calls a function of JavaScript on the element of a node."""
        element = self.cdp("DOM.resolveNode", backendNodeId=node.id)["object"]["objectId"]
        result = self.cdp(
            "Runtime.callFunctionOn", objectId=element, functionDeclaration=function, returnByValue=True,
            arguments=[{"value": one} for one in arguments])
        if "exceptionDetails" in result:
            raise Failure(str(result["exceptionDetails"].get("exception", {}).get("description")))
        return result["result"].get("value")

    def place(self, node):
        """The middle of a node, at which nothing else may lie."""
        self.cdp("DOM.scrollIntoViewIfNeeded", backendNodeId=node.id)
        for _ in range(2):
            place = self.on(node, """function () {
                const element = this.nodeType === 1 ? this : this.parentElement;
                const box = element.getBoundingClientRect();
                const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
                const hit = document.elementFromPoint(x, y);
                const is = element === hit || element.contains(hit) || hit?.closest("label")?.control === element || (hit?.contains(element) && hit.closest("a, button, label"));
                return is ? {x, y} : {by: hit?.outerHTML.slice(0, 120) ?? "nothing"};
            }""")
            if "x" in place:
                return place["x"], place["y"]
            self.on(node, "function () { this.scrollIntoView({block: 'center'}); }")
        raise Failure(f"{node} is covered by {place['by']}")

    def press(self, role, name="", seconds=15, hold=0):
        """Presses a control in its middle."""
        deadline = time.monotonic() + seconds
        while True:
            node = self.find(role, name, max(1, deadline - time.monotonic()))
            try:
                x, y = self.place(node)
                break
            except (WebDriverException, Failure) as error:
                # A screen that is drawn again has other elements.
                if time.monotonic() > deadline:
                    raise Failure(f"{node} cannot be pressed: {str(error)[:300]}") from None
                time.sleep(0.1)
        self.mouse(x, y, hold)
        return node

    def mouse(self, x, y, hold=0):
        for kind in "mousePressed", "mouseReleased":
            self.cdp("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
            if kind == "mousePressed" and hold:
                time.sleep(hold)

    def key(self, name, kinds=("keyDown", "keyUp"), **more):
        key, code, text = KEYS.get(name) or (name, ord(name.upper()), name)
        for kind in kinds:
            self.cdp("Input.dispatchKeyEvent", type=kind if text or kind == "keyUp" else "rawKeyDown", key=key,
                     windowsVirtualKeyCode=code, **({"text": text} if text and kind == "keyDown" else {}), **more)

    def write(self, role, name, text):
        """Types a text in the place of the one that is there."""
        node = self.press(role, name)
        self.on(node, "function () { this.select(); }")
        if text:
            self.cdp("Input.insertText", text=text)
        else:
            self.key("Backspace")
        self.on(node, "function () { this.dispatchEvent(new Event('change', {bubbles: true})); }")

    def set(self, role, name, value):
        """Sets a field whose picker belongs to the browser."""
        node = self.find(role, name)
        self.on(node, """function (value) {
            this.focus(); this.value = value;
            for (const kind of ["input", "change"]) this.dispatchEvent(new Event(kind, {bubbles: true}));
        }""", value)

    def choose(self, name, option):
        """Chooses from a list by the text of an option."""
        node = self.find("combobox", name)
        self.on(node, """function (text) {
            const option = [...this.options].find((one) => new RegExp(text).test(one.text));
            if (!option) throw new Error(`no option ${text}, only ${[...this.options].map((one) => one.text)}`);
            this.value = option.value; this.dispatchEvent(new Event("change", {bubbles: true}));
        }""", option)

    def is_on(self, name):
        return self.find("switch", name).properties.get("checked") == "true"

    def focused(self):
        return self.script("return (document.activeElement?.getAttribute('aria-label') || document.activeElement?.innerText || document.activeElement?.tagName || '').trim()")

    def freeze(self):
        """Stops the page as a phone does with one that is not seen."""
        self.cdp("Page.setWebLifecycleState", state="frozen")

    def thaw(self):
        self.cdp("Page.setWebLifecycleState", state="active")
        # Only another tab that was in front makes the page visible again.
        own = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        self.driver.close()
        self.driver.switch_to.window(own)
        wait_for(lambda: not self.script("return document.hidden"), "The page is not seen again")

    # What it must not do

    def drain(self):
        """Takes over what the browser has logged."""
        self.console += self.driver.get_log("browser")
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])

    def mistakes(self):
        """What the page has logged and whom it has asked beside Rooster. Refusals and lost connections of the API are
        logged by the browser itself."""
        self.drain()
        lines = [
            one["message"] for one in self.console
            if not (one["source"] == "network" and re.search(r"/api/1|net::ERR_", one["message"]))]
        elsewhere = [
            url for url in self.requests
            if urllib.parse.urlsplit(url).scheme not in ("data", "blob", "about", "chrome")
            and not url.startswith(f"{self.rooster.origin}/")]
        return [f"the console has: {line[:400]}" for line in dict.fromkeys(lines)] + [
            f"a request elsewhere: {url}" for url in dict.fromkeys(elsewhere)]

    def picture(self, path, whole=False):
        import base64
        answer = self.cdp("Page.captureScreenshot", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(answer["data"]))


__all__ = ["Phone", "expect"]
