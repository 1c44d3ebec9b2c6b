"""Goes through the morning of scripts/demo in Chromium: the ring, a snooze, the wrong code, the right one, a power cut.

The argument is the address that the demo prints. The output has one line for each problem.
"""

import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

address = sys.argv[1]
options = webdriver.ChromeOptions()
options.binary_location = "/usr/bin/chromium"
for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1440,900"):
    options.add_argument(argument)
options.set_capability("goog:loggingPrefs", {"browser": "ALL"})

# Collects the reports of both documents, the page and the phone in it.
REPORTS = """
window.reports = [];
addEventListener("securitypolicyviolation", (event) => reports.push(event.violatedDirective + " " + event.blockedURI));
"""


def expect(condition, text):
    if not condition:
        print(text, flush=True)


class Bedside:
    def __init__(self, driver):
        self.driver = driver

    def find(self, css):
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def head(self):
        return self.find(".told h1").text

    def wait_for(self, text, seconds=60):
        end = time.monotonic() + seconds
        while text not in self.head():
            if time.monotonic() > end:
                raise TimeoutError(f"never: {text}, but: {self.find('.told').text}")
            time.sleep(0.05)

    def hold(self, css):
        ActionChains(self.driver).click_and_hold(self.find(css)).pause(0.2).release().perform()

    def drag(self, label):
        paper = self.find(f".wall-sheets .paper[aria-label*='{label}']")
        ActionChains(self.driver).drag_and_drop(paper, self.find(".zone")).perform()

    def take_away(self):
        self.find(".zone .paper").click()
        end = time.monotonic() + 20
        while self.driver.find_elements(By.CSS_SELECTOR, ".zone .paper"):
            if time.monotonic() > end:
                raise TimeoutError("the sheet stays before the camera")
            time.sleep(0.05)

    def phone(self):
        return self.driver.execute_script(
            "return document.querySelector('iframe').contentDocument?.body?.innerText ?? ''")

    def check_silence(self, when):
        lines = [entry["message"] for entry in self.driver.get_log("browser")]
        # A browser itself reports requests that the service cannot answer while its power is cut.
        lines = [line for line in lines if when != "power cut" or "/api/1" not in line]
        expect(not lines, f"{when}: the console has {lines[:3]}")
        reports = self.driver.execute_script(
            "return [...reports, ...(document.querySelector('iframe').contentWindow.reports ?? [])]")
        expect(not reports, f"{when}: reports {reports}")


def run(driver):
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": REPORTS})
    driver.get(address)
    bedside = Bedside(driver)
    bedside.wait_for("It rings in")
    expect("token" not in driver.current_url, "the token stays in the address")
    bedside.wait_for("It rings, softly")
    expect(bedside.phone().strip(), "the phone is empty")
    expect("Phone of the demo" in driver.execute_async_script(ANSWER, ""), "the phone is not paired")
    expect("dB" in bedside.find(".level").get_attribute("textContent"), "no level is shown")
    bedside.check_silence("ring")

    check_sizes(driver, bedside)

    bedside.hold(".held.snooze")
    bedside.wait_for("Snoozed")
    bedside.wait_for("It rings again")
    bedside.find(".held.stop").send_keys(Keys.ENTER)
    bedside.wait_for("Only a code")

    bedside.drag("milk")
    bedside.wait_for("That is another code")
    bedside.take_away()
    bedside.find(".pill.light").click()
    bedside.drag("bathroom")
    bedside.wait_for("too dark")
    bedside.find(".pill.light").click()
    bedside.wait_for("It is over")
    bedside.check_silence("morning")

    bedside.find(".pill.power").click()
    bedside.wait_for("The power is cut")
    bedside.wait_for("It is over")
    expect("Wake up" in driver.execute_async_script(ANSWER, "/history"), "the history is lost")
    bedside.check_silence("power cut")


def check_sizes(driver, bedside):
    """On a phone the sentences stay in view. A scroll bar moves nothing on a desktop."""
    wide = driver.get_window_size()
    rights = []
    for height in 1400, 500:
        driver.set_window_size(wide["width"], height)
        rights.append(driver.execute_script(
            "return [document.querySelector('.told-bar').getBoundingClientRect().right, document.documentElement.scrollHeight > innerHeight]"))
    expect([scrolls for _, scrolls in rights] == [False, True], f"only one of the windows shall scroll: {rights}")
    expect(rights[0][0] == rights[1][0], f"a scroll bar moves the page: {rights}")
    driver.set_window_size(500, 800)
    driver.execute_script("scrollTo(0, document.body.scrollHeight)")
    box = driver.execute_script("const {top, bottom} = document.querySelector('.told h1').getBoundingClientRect(); return [top, bottom, scrollY]")
    expect(box[2] > 400 and 0 <= box[0] and box[1] < 120, f"the sentences have left the phone: {box}")
    driver.execute_script("scrollTo(0, 0)")
    driver.set_window_size(wide["width"], wide["height"])


# The phone's cookie is good for the whole origin.
ANSWER = """
fetch("/api/1" + arguments[0]).then((answer) => answer.text()).then(arguments[1], (error) => arguments[1]("" + error));
"""

driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
try:
    driver.set_script_timeout(20)
    run(driver)
except Exception as error:
    print(f"{type(error).__name__}: {error}", flush=True)
finally:
    driver.quit()
