"""What the tests of the page run against: real processes with simulated hardware, each in a folder of its own."""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse

CHECKOUT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
START = "2026-11-25T22:33:00+01:00"

# All devices that a simulated bedside can have.
DEVICES = """
buttons: { snooze = "GPIO17"; stop = "GPIO27"; };
steps: { line = "GPIO24"; };
tags: { use = true; };
"""
BUTTONS = """
buttons: { snooze = "GPIO17"; stop = "GPIO27"; };
"""


class Failure(Exception):
    """An expectation that does not hold."""


class Refused(Exception):
    """A refusal of the service."""

    def __init__(self, status, problem):
        super().__init__(f"{status} {problem.get('name')}: {problem.get('detail')}")
        self.status, self.problem, self.name = status, problem, problem.get("name")


def expect(condition, text):
    if not condition:
        raise Failure(text)


def wait_for(read, text, seconds=15, pause=0.05):
    """Calls `read` until it returns something true, and returns that. `text` says what was expected, or is a function
    that does."""
    deadline = time.monotonic() + seconds
    while True:
        result = read()
        if result:
            return result
        if time.monotonic() > deadline:
            raise Failure(f"After {seconds} s: {text() if callable(text) else text}")
        time.sleep(pause)


class Process:
    """A program whose output the test reads. It ends with the test."""

    def __init__(self, arguments, ready):
        self.lines = []
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace",
            env={**os.environ, "LLVM_PROFILE_FILE": os.environ.get("LLVM_PROFILE_FILE", "/dev/null")})
        threading.Thread(target=self.read, daemon=True).start()
        self.ready = wait_for(
            lambda: next((line for line in self.lines if ready in line), None),
            lambda: f"{arguments[0]} is not ready: {''.join(self.lines[-5:])}", 60)

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def signal(self, number):
        self.process.send_signal(number)


class Rooster:
    """A roosterd with simulated hardware and a rooster-web, and a client that may change everything."""

    def __init__(self, built, clock=START, zone="Europe/Berlin", speed=1, devices=BUTTONS):
        self.built, self.zone, self.speed = built, zone, speed
        self.folder = tempfile.mkdtemp(prefix="rooster-page-")
        self.configuration = os.path.join(self.folder, "rooster.conf")
        with open(self.configuration, "w", encoding="utf-8") as file:
            file.write(devices)
        self.port = 0
        self.start_service(clock)
        self.start_web()
        self.token = self.control({"do": "addToken", "name": "test", "may": "change"})["token"]

    def start_service(self, clock=None):
        arguments = [
            os.path.join(self.built, "roosterd"), "--simulate", "--silent", "--state", f"{self.folder}/state",
            "--socket", f"{self.folder}/s", "--zone", self.zone, "--speed", str(self.speed), "--config",
            self.configuration]
        self.service = Process(arguments + (["--clock", clock] if clock else []), "Ready")

    def start_web(self, page=f"{CHECKOUT}/Sources/rooster-web/page"):
        self.web = Process(
            [os.path.join(self.built, "rooster-web"), "--socket", f"{self.folder}/web.sock", "--listen",
             f"127.0.0.1:{self.port}", "--page", page], "Listening on")
        self.port = int(self.web.ready.rsplit(":", 1)[1])

    def end(self):
        for process in self.web, self.service:
            process.signal(signal.SIGCONT)
            process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def origin(self):
        """Not a secure context, as at home."""
        return f"http://rooster:{self.port}"

    def control(self, request):
        """Sends a request over the socket of the command line."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(f"{self.folder}/s")
            connection.sendall(json.dumps(request).encode() + b"\n")
            return json.loads(connection.makefile().readline())

    def ask(self, method, path, body=None, revision=None, token=None):
        """Sends a request over HTTP. A refusal is thrown."""
        headers = {"Authorization": f"Bearer {token or self.token}", "Content-Type": "application/json"}
        if revision:
            headers["If-Match"] = "*" if revision == "*" else f'"{revision}"'
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(
                method, f"/api/1/{path}", None if body is None else json.dumps(body).encode(), headers)
            response = connection.getresponse()
            answer = json.loads(response.read() or b"{}")
        finally:
            connection.close()
        if response.status >= 400:
            raise Refused(response.status, answer)
        return answer

    # What it says

    def status(self):
        return self.ask("GET", "status")["status"]

    def alarms(self):
        """The reports of all alarms by their ids."""
        return {report["alarm"]["id"]: report for report in self.ask("GET", "alarms")["alarms"]}

    def only_alarm(self):
        alarms = self.alarms()
        expect(len(alarms) == 1, f"There are {len(alarms)} alarms")
        return next(iter(alarms.values()))["alarm"]

    def session(self):
        """The session that the page shows, or None."""
        sessions = self.status()["sessions"]
        return sessions[0] if sessions else None

    def history(self):
        return self.ask("GET", "history")["history"]

    def await_state(self, *states, seconds=15):
        """Waits for a session in one of the states, or without any for the end of all sessions."""
        def reached():
            session = self.session()
            return session if session and session["state"] in states else not states and not session
        return wait_for(reached, lambda: f"The session is not {states or 'over'}, but {self.session()}", seconds)

    # What is done to it

    def add(self, **alarm):
        query = "".join(f"?delaySeconds={alarm.pop('delay')}" for _ in range("delay" in alarm))
        return self.ask("POST", f"alarms{query}", alarm)

    def edit(self, alarm, revision="*", **changes):
        return self.ask("PATCH", f"alarms/{urllib.parse.quote(alarm)}", changes, revision)

    def bedside(self, **changes):
        """Changes the simulated hardware."""
        return self.ask("POST", "bedside", changes)

    def settings(self, **changes):
        return self.ask("PATCH", "settings", changes, "*")

    def ring(self, wait=True, **alarm):
        """Lets an alarm ring at once."""
        self.add(**{"id": "ring", "label": "Ring", "delay": 1, "challenges": [], **alarm})
        return self.await_state("ringing") if wait else None

    def stop(self):
        """Ends the ring, or begins its challenges, which is told as a refusal."""
        try:
            self.ask("POST", "session/stop", {})
        except Refused as refusal:
            expect(refusal.name == "challengesOpen", str(refusal))

    def enrol(self, label, text):
        """Enrols a code, and takes it out of view again."""
        self.bedside(show=text)
        self.ask("POST", "codes", {"label": label})
        self.bedside(show="")

    def enrol_tag(self, label, number):
        """Enrols a tag, which is held to the reader meanwhile."""
        request = threading.Thread(target=self.ask, args=("POST", "codes", {"label": label, "kind": "tag"}))
        request.start()
        while request.is_alive():
            self.bedside(tag=number)
            request.join(0.5)


def sum_of(text):
    """The result of a sum such as `7 × 8 + 3`."""
    return eval(text.replace("×", "*").replace("−", "-").replace("–", "-").replace("÷", "//"), {"__builtins__": {}})
