"""The checks of the mornings. Each prints "ok: …" with the seconds since its morning began, or fails."""

import time

from machine import Failure, within

# The limits are for a machine that runs other programs beside the emulated one. A check waits only as long as it must.
SOON = 40


class Stopwatch:
    """The time since the present morning began, for the output, and the patience of the checks."""

    begin = time.monotonic()
    # The part of its limit that a check waits.
    patience = 1

    @classmethod
    def start(cls):
        cls.begin = time.monotonic()


def check(text, value, detail=""):
    """Prints that a check succeeds, or fails with its detail."""
    if not value:
        raise Failure(f"Not so: {text}" + (f" ({detail})" if detail != "" else ""))
    print(f"ok: {text} ({time.monotonic() - Stopwatch.begin:.0f} s)", flush=True)


def eventually(text, seconds, condition):
    """Checks that a condition becomes true within some seconds, and returns its value."""
    value = within(seconds * Stopwatch.patience, condition)
    check(text, value, f"not within {seconds * Stopwatch.patience:.0f} s")
    return value


def succeeds(text, device, *command):
    """Checks that a command on the device succeeds, and returns its output."""
    status, output = device.run(*command)
    check(text, status == 0, output.strip())
    return output


def has_state(device, state):
    return lambda: state in device.states()


def is_quiet(device):
    """Returns a condition: the service answers, and no alarm rings or is snoozed."""
    def condition():
        status = device.status()
        return bool(status) and not status["sessions"]
    return condition


def is_heard(device, text="its sound is heard", seconds=2, limit=SOON):
    """Checks that so many seconds of sound are recorded from now on."""
    since = device.sound_position()
    eventually(text, limit, lambda: len(device.levels(since)) >= seconds)


def is_silent(device, text="it is silent", limit=SOON):
    """Checks that the speaker falls silent: for three seconds it plays no frame, or only zeros."""
    def condition():
        since = device.sound_position()
        time.sleep(3)
        return device.level(since) < 1
    eventually(text, limit, condition)


def longest_silence(device, is_over, limit):
    """Returns the longest time in seconds without sound, until a condition is true and there is sound.

    An idle speaker records nothing, so the time is that of this machine.
    limit: the seconds after which it returns at the latest.
    """
    position, heard, longest = device.sound_position(), time.monotonic(), 0
    deadline = heard + limit
    while time.monotonic() < deadline:
        is_audible = device.level(position) >= 1
        longest = max(longest, time.monotonic() - heard)
        if is_audible:
            position, heard = device.sound_position(), time.monotonic()
            if is_over():
                break
        time.sleep(0.1)
    return longest


def has_lamp(device, text, *levels):
    """Checks that the lamp shows exactly these levels within two seconds: both if it blinks."""
    def condition():
        seen = set()
        for _ in range(40):
            seen.add(device.lines.is_high("lamp"))
            time.sleep(0.05)
        return seen == set(levels)
    eventually(text, SOON, condition)


def rings(device, label, *options, seconds=2):
    """Sets an alarm that rings in some seconds, and checks that it rings."""
    device.require("rooster", "add", "in", f"{seconds}s", "--label", label, "--ramp", "2", *options)
    eventually("it rings", SOON, has_state(device, "ringing"))


def rings_on(device, before=None):
    """Checks that an alarm rings and is heard, and that another process does so if one is given."""
    if before:
        eventually("the service was started again", 90, lambda: device.main_process() not in (before, 0))
    eventually("the alarm rings on", SOON, lambda: {"ringing", "challenged"} & set(device.states()))
    is_heard(device)


def stops(device):
    """Stops the ring by its button."""
    device.lines.press("stop")
    eventually("a press stops it", SOON, is_quiet(device))
    is_silent(device)
