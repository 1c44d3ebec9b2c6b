"""The list of scenarios, and the stage on which each runs: a Rooster of its own and as many phones as it takes."""

from page_browser import Phone
from page_fixture import BUTTONS, START, Rooster

SCENARIOS = []


class Stage:
    def __init__(self, built, clock=START, zone="Europe/Berlin", speed=1, devices=BUTTONS):
        self.built = built
        self.rooster = Rooster(built, clock=clock, zone=zone, speed=speed, devices=devices)
        self.phones = []

    def phone(self, address="", is_open=True, **more):
        """Another phone, on a screen."""
        phone = Phone(self.rooster, **more)
        self.phones.append(phone)
        return phone.open(address) if is_open else phone

    def end(self):
        for phone in self.phones:
            phone.end()
        self.rooster.end()


def scenario(is_fast=False, **stage):
    """Registers a scenario, which throws, or returns lines, if something is wrong. A fast one runs in each run of the
    tests. `stage` are arguments of the Rooster."""
    def register(function):
        SCENARIOS.append((function, is_fast, stage))
        return function
    return register
