"""The states of one session with a wake-up check, by the rules of the session (BEHAVIOUR, 2.4, 2.6, 3.2, 3.3 and 3.10).

Reads one JSON object per line: a history with the terms of its alarm, or a step with the seconds since the step before and
an action. Prints the state after each step.
"""
import json
import sys

CHECKS_MAX = 3


class Session:
    def __init__(self, terms):
        self.terms, self.now = terms, 0
        self.state, self.until, self.since = "ringing", None, 0
        self.snoozes = self.rests = self.checks = self.failed = 0
        self.has_begun = False

    def pause(self, state, seconds):
        self.state, self.until = state, self.now + seconds

    def ring(self):
        if self.state == "checking":
            self.failed, self.rests, self.has_begun = self.checks, 0, False
        self.state, self.until, self.since = "ringing", None, self.now

    def end(self, ending):
        self.state, self.until = ending, None

    def asks(self):
        return self.state == "checking" and self.now >= self.until - self.terms["within"]

    def next(self):
        if self.state == "ringing":
            return self.since + self.terms["for"]
        return self.until

    def deadline(self):
        if self.state != "ringing":
            self.ring()
        elif self.rests + 1 < self.terms["rounds"]:
            self.rests += 1
            self.pause("resting", self.terms["rest"])
        else:
            self.end("unanswered")

    def passes(self, seconds):
        end = self.now + seconds
        while self.next() is not None and self.next() <= end:
            self.now = self.next()
            self.deadline()
        self.now = end

    def refuse(self):
        self.has_begun, self.since = True, self.now

    def do(self, action):
        is_open = self.state in ("ringing", "snoozed", "resting")
        if action in ("stop", "snooze", "key", "tag", "awake") and self.asks():
            self.end("dismissed")
        elif action == "stop" and is_open:
            self.refuse()
        elif action == "snooze" and self.state == "ringing":
            if self.snoozes < self.terms["snoozes"]:
                self.snoozes, self.has_begun = self.snoozes + 1, False
                self.pause("snoozed", self.terms["snooze"])
            else:
                self.refuse()
        elif action == "tag" and (self.state == "ringing" or is_open and self.has_begun):
            if self.failed < CHECKS_MAX:
                self.checks, self.has_begun = self.checks + 1, False
                self.pause("checking", self.terms["after"] + self.terms["within"])
            else:
                self.end("dismissed")

    def cut(self, seconds):
        self.now += seconds
        self.has_begun = False
        if self.state == "ringing" or self.until is not None and self.until <= self.now:
            self.ring()

    def told(self):
        left = "" if self.until is None else f" {self.until - self.now}"
        return f"{self.state}{left}{' asks' if self.asks() else ''}, {self.snoozes} {self.rests} {self.checks} {self.failed}"


session = None
for line in sys.stdin:
    step = json.loads(line)
    if "after" in step:
        session = Session(step)
    else:
        session.passes(step["seconds"])
        if step["action"] == "cut":
            session.cut(step["off"])
        else:
            session.do(step["action"])
        print(session.told())
