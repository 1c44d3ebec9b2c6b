"""Checks with Chromium what pages of other sites can do to Rooster, on a name that is no secure context.

The arguments are the port of rooster-web and the secret of an invitation. The output has one line for each problem.

Chromium reaches rooster-web through a recorder, which shows whether a request had the cookie.
"""

import http.server
import re
import socket
import sys
import threading

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

web_port, secret = int(sys.argv[1]), sys.argv[2]


def expect(condition, text):
    if not condition:
        print(text, flush=True)


class Recorder:
    """Passes connections on to rooster-web, and keeps the bytes of both directions."""

    def __init__(self):
        self.lock = threading.Lock()
        self.sent, self.received = [], []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            server = socket.create_connection(("127.0.0.1", web_port))
            for source, sink, pieces in (client, server, self.sent), (server, client, self.received):
                threading.Thread(target=self.copy, args=(source, sink, pieces), daemon=True).start()

    def copy(self, source, sink, pieces):
        record = bytearray()
        with self.lock:
            pieces.append(record)
        try:
            while piece := source.recv(65536):
                with self.lock:
                    record += piece
                sink.sendall(piece)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def requests(self):
        """Returns the heads of all requests since the last `forget`."""
        with self.lock:
            text = b"\r\n\r\n".join(self.sent).decode("latin-1")
        heads = re.findall(r"(?:^|(?<=\n)|(?<=\}))([A-Z]+ \S+ HTTP/1\.1\r\n(?:.+\r\n)*)", text)
        return [head for head in heads if " /api/" in head]

    def responses(self):
        with self.lock:
            return b"".join(self.received).decode("latin-1")

    def forget(self):
        with self.lock:
            for record in self.sent + self.received:
                record.clear()


class Page(http.server.BaseHTTPRequestHandler):
    """The other site: an empty page."""

    def do_GET(self):
        body = b"<!doctype html><title>Other site</title><body>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


recorder = Recorder()
sites = [http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) for _ in range(2)]
for site in sites:
    threading.Thread(target=site.serve_forever, daemon=True).start()
ordinary_port, public_port = (site.server_address[1] for site in sites)

rooster = f"http://rooster:{recorder.port}"
rebound = f"http://rebound.test:{recorder.port}"
others = {
    "another site": f"http://evil.test:{ordinary_port}",
    "a public site": f"http://public.test:{public_port}",
}
neighbour = f"http://rooster:{ordinary_port}"

options = webdriver.ChromeOptions()
options.binary_location = "/usr/bin/chromium"
for argument in (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-popup-blocking",
    "--no-first-run",
    "--host-resolver-rules=MAP * 127.0.0.1",
    f"--ip-address-space-overrides=127.0.0.1:{public_port}=public",
):
    options.add_argument(argument)

# Calls a function of a page, which ends within 10 s.
WITHIN = """
const limit = (promise) => Promise.race([
    promise.catch(error => "failed: " + error), new Promise(end => setTimeout(() => end("failed: time"), 10000))]);
"""

OWN = WITHIN + """
const [secret, done] = arguments;
const json = (method, body) => ({method, headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)});
(async () => {
    const facts = {isSecure: isSecureContext};
    facts.before = (await fetch("/api/1/status")).status;
    const claim = await fetch("/api/1/pair/claim", json("POST", {secret, name: "Browser"}));
    facts.claim = claim.status;
    facts.hasToken = "token" in await claim.json();
    facts.cookie = document.cookie;
    facts.after = (await fetch("/api/1/status")).status;
    facts.add = (await fetch("/api/1/alarms", json("POST", {id: "own", time: "07:00"}))).status;
    facts.form = (await fetch("/api/1/alarms", {method: "POST", body: '{"id":"text","time":"07:00"}'})).status;
    facts.event = await limit(new Promise((good, bad) => {
        const stream = new EventSource("/api/1/events");
        stream.addEventListener("status", event => { good(typeof JSON.parse(event.data).now); stream.close(); });
        stream.onerror = () => { bad("error"); stream.close(); };
    }));
    return facts;
})().then(done, error => done("" + error));
"""

# Each attack ends with "failed: …", or with the thing that the page has got.
ATTACKS = WITHIN + """
const [rooster, done] = arguments;
const api = rooster + "/api/1";
const alarm = (id) => JSON.stringify({id, time: "06:00"});
const read = async (response) => response.type === "opaque" ? "failed: opaque" : response.status + await response.text();
const request = (path, options) => limit(fetch(api + path, {credentials: "include", ...options}).then(read));
const load = (name, attributes) => limit(new Promise((good, bad) => {
    const element = Object.assign(document.createElement(name), attributes);
    element.onload = () => good(name + " was loaded");
    element.onerror = () => bad("error");
    document.body.append(element);
}));
const frame = (attributes) => new Promise(good => {
    const element = document.createElement("iframe");
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.onload = () => {
        let text = "failed: no document";
        try { text = element.contentDocument?.body.innerText ?? text; } catch (error) { text = "failed: " + error; }
        good(text || "failed: empty");
    };
    document.body.append(element);
});
const submit = async (action, type, fields) => {
    const name = "frame" + Math.random();
    const element = Object.assign(document.createElement("form"), {action, method: "POST", enctype: type, target: name});
    for (const [key, value] of fields) element.append(Object.assign(document.createElement("input"), {name: key, value}));
    document.body.append(element);
    const answer = frame({name});
    element.submit();
    await answer;
    await new Promise(end => setTimeout(end, 300));
    try { return document.querySelector(`[name="${name}"]`).contentDocument?.body.innerText || "failed: empty"; }
    catch (error) { return "failed: " + error; }
};
const sandboxed = limit(new Promise(good => {
    addEventListener("message", event => good(event.data));
    frame({sandbox: "allow-scripts", srcdoc: `<script>
        fetch("${api}/alarms", {method: "POST", mode: "no-cors", credentials: "include", body: '${alarm("sandbox")}'})
            .then(answer => parent.postMessage("failed: " + answer.type, "*"))
            .catch(error => parent.postMessage("failed: " + error, "*"));
    </script>`});
}));
const type = {"Content-Type": "application/json"};
const attacks = {
    get: request("/status"), hello: request(""), getBlindly: request("/status", {mode: "no-cors"}),
    openBlindly: request("", {mode: "no-cors"}),
    post: request("/alarms", {method: "POST", body: alarm("plain")}),
    postBlindly: request("/alarms", {method: "POST", mode: "no-cors", body: alarm("blind")}),
    postForm: request("/alarms", {method: "POST", body: new URLSearchParams({id: "form", time: "06:00"})}),
    json: request("/alarms", {method: "POST", headers: type, body: alarm("json")}),
    put: request("/alarms/put", {method: "PUT", headers: {...type, "If-Match": "*"}, body: alarm("put")}),
    remove: request("/alarms/own", {method: "DELETE", headers: {"If-Match": "*"}}),
    // Browsers send these without asking first, and an empty body needs no type.
    skipBlindly: request("/alarms/own/skip", {method: "POST", mode: "no-cors"}),
    bedBlindly: request("/in-bed", {method: "POST", mode: "no-cors"}),
    beacon: limit(Promise.resolve("failed: " + navigator.sendBeacon(api + "/alarms", alarm("beacon")))),
    image: load("img", {src: api}), script: load("script", {src: api}),
    scriptOfEvents: load("script", {src: api + "/events"}), style: load("link", {rel: "stylesheet", href: api}),
    module: load("script", {type: "module", src: api}),
    frame: limit(frame({src: api + "/status"})), sandboxed,
    form: limit(submit(api + "/alarms", "text/plain", [['{"id":"form","time":"06:00","note":"', '"}']])),
    encodedForm: limit(submit(api + "/alarms", "application/x-www-form-urlencoded", [["id", "form2"]])),
    socket: limit(new Promise((good, bad) => {
        const stream = new WebSocket(api.replace("http", "ws") + "/events");
        stream.onopen = () => good("open");
        stream.onerror = () => bad("error");
    })),
    events: limit(new Promise((good, bad) => {
        const stream = new EventSource(api + "/events", {withCredentials: true});
        stream.addEventListener("status", event => { good(event.data); stream.close(); });
        stream.onopen = () => good("open");
        stream.onerror = () => { bad("error"); stream.close(); };
    })),
};
(async () => {
    const results = {};
    for (const [name, attack] of Object.entries(attacks)) results[name] = await attack;
    return results;
})().then(done, error => done({"the attacks": "" + error}));
"""

# The alarms and the bedtime, as its own page sees them.
STATE = WITHIN + """
const done = arguments[0];
(async () => {
    const {bedtime} = (await (await fetch("/api/1/status")).json()).status;
    return JSON.stringify({bedtime, alarms: await (await fetch("/api/1/alarms")).json()});
})().then(done, error => done("" + error));
"""

REBOUND = WITHIN + """
const done = arguments[0];
const json = {"Content-Type": "application/json"};
(async () => [
    (await fetch("/api/1")).status, (await fetch("/api/1/status")).status,
    (await fetch("/api/1/pair", {method: "POST", headers: json, body: '{"name":"x"}'})).status,
    (await fetch("/api/1/alarms", {method: "POST", headers: json, body: '{"id":"rebound","time":"06:00"}'})).status,
])().then(done, error => done("" + error));
"""


def attack(driver, name, origin):
    """Lets a page of the origin try everything."""
    driver.get(origin)
    recorder.forget()
    results = driver.execute_async_script(ATTACKS, rooster)
    for what, result in results.items():
        expect(str(result).startswith("failed: "), f"{name}, {what}: {result}")
    return recorder.requests()


def cookies_of(requests):
    return [head for head in requests if re.search(r"^cookie: .*rooster=", head, re.I | re.M)]


def run(driver):
    driver.set_script_timeout(60)
    driver.set_page_load_timeout(60)
    # Rooster serves no page yet, and its responses forbid requests by a page that shows them.
    driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})

    driver.get(f"{rooster}/api/1")
    recorder.forget()
    facts = driver.execute_async_script(OWN, secret)
    wanted = {
        "isSecure": False, "before": 401, "claim": 200, "hasToken": False, "cookie": "", "after": 200, "add": 201,
        "form": 415, "event": "string",
    }
    expect(facts == wanted, f"Its own page: {facts}")
    cookies = driver.get_cookies()
    expect(
        [(c["name"], c["httpOnly"], c["sameSite"], c["secure"]) for c in cookies] == [("rooster", True, "Strict", False)],
        "The cookie has other attributes",
    )
    requests = recorder.requests()
    expect(len(requests) == 6 and len(cookies_of(requests)) == 4, f"The recorder has other requests: {requests}")

    before = state(driver)

    for name, origin in others.items():
        requests = attack(driver, name, origin)
        expect(not cookies_of(requests), f"{name}: its request had the cookie")
        methods = {head.split()[0] for head in requests}
        # Chromium itself stops requests from a public site to a private address.
        expect(name == "a public site" or {"GET", "POST", "OPTIONS"} <= methods, f"{name}: only {methods} came")
        driver.get(origin)
        driver.execute_script(f"location.href = '{rooster}/api/1/status'")
        expect("unpaired" in text_after(driver, origin), f"{name}: its link had the cookie")

    # Cookies know no port, so another program of this device sees the cookie. Only its Origin is another one.
    requests = attack(driver, "another port", neighbour)
    expect(cookies_of(requests), "another port: no request had the cookie, so the Origin was not tested")

    driver.get(f"{rebound}/api/1/status")
    expect("foreignHost" in driver.page_source, f"A rebound name: {driver.page_source}")
    statuses = driver.execute_async_script(REBOUND)
    expect(statuses == [421] * 4, f"A rebound name: {statuses}")

    after = state(driver)
    expect("own" in before and before == after, f"Another page has changed something: {before} {after}")

    # No header opens anything to other sites, in the words of CORS or of Private Network Access.
    expect("access-control-" not in recorder.responses().lower(), "A response has a header of CORS")


def state(driver):
    driver.get(f"{rooster}/api/1")
    return driver.execute_async_script(STATE)


def text_after(driver, origin):
    """Returns the text of the page that follows one of the origin."""
    for _ in range(600):
        if not driver.current_url.startswith(origin) and driver.execute_script("return document.readyState") == "complete":
            break
        threading.Event().wait(0.05)
    return driver.page_source


driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
try:
    run(driver)
finally:
    driver.quit()
