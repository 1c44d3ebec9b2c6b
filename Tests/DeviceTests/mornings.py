"""Mornings on the virtual device, each of which shows something that Rooster promises on real hardware.

    mornings.py [--list] [NAME…]

Without names all mornings happen. Each check prints "ok: …" with the seconds since its morning began.
scripts/virtual-device runs this program.
"""

import argparse
import sys
import time

sys.dont_write_bytecode = True

from machine import Failure, Machine, within  # noqa: E402

MORNINGS = []


def morning(function):
    """Adds a function to the mornings."""
    MORNINGS.append(function)
    return function


class Clock:
    """The time since the present morning began, for the output."""

    begin = time.monotonic()


def check(text, value, detail=""):
    """Prints that a check succeeds, or fails with its detail."""
    if not value:
        raise Failure(f"Not so: {text}" + (f" ({detail})" if detail != "" else ""))
    print(f"ok: {text} ({time.monotonic() - Clock.begin:.0f} s)", flush=True)


def eventually(text, seconds, condition):
    """Checks that a condition becomes true within some seconds."""
    check(text, within(seconds, condition), f"not within {seconds} s")


def succeeds(text, device, *command):
    """Checks that a command on the device succeeds, and returns its output."""
    status, output = device.run(*command)
    check(text, status == 0, output.strip())
    return output


def cut(device, moment):
    """Cuts the power and boots again."""
    device.cut_power()
    print(f"The power was cut {moment}", flush=True)
    print(f"Booted in {device.boot():.0f} s", flush=True)


def has_state(device, state):
    return lambda: state in device.states()


def is_quiet(device):
    """Returns whether the service answers, and no alarm rings or is snoozed."""
    def condition():
        status = device.status()
        return bool(status) and not status["sessions"]
    return condition


def is_heard(device, seconds, since=0):
    """Returns whether so many seconds of sound were recorded."""
    return lambda: len(device.levels(since)) >= seconds


def has_alarms(device, *labels):
    listed = device.run("rooster", "list")[1]
    return all(label in listed for label in labels)


@morning
def power_cut_while_it_rings_and_in_the_snooze_loses_nothing(device):
    succeeds("the service runs and the page's socket is open", device,
             "systemctl", "is-active", "rooster.service", "rooster-web.socket")
    succeeds("the alarms have a disk of their own", device, "findmnt", "--noheadings", "/var/lib/rooster")
    succeeds("an alarm is set for the next minute", device, "rooster", "add", "in", "1min", "--label", "Train")
    eventually("it rings at its time", 90, has_state(device, "ringing"))
    eventually("its sound is heard", 60, is_heard(device, 12))
    levels = device.levels()
    check("its level rises", levels[-2] >= levels[1] + 6, levels)
    succeeds("an alarm is set while it rings", device, "rooster", "add", "05:30", "--label", "Flight")

    cut(device, "while it rang")
    eventually("the alarm rings on", 30, has_state(device, "ringing"))
    eventually("its sound is heard", 60, is_heard(device, 3))
    check("no alarm is lost", has_alarms(device, "Train", "Flight"))
    succeeds("it is snoozed", device, "rooster", "snooze", "10")
    eventually("the snooze is shown", 5, has_state(device, "snoozed"))
    succeeds("an alarm is set in the snooze", device, "rooster", "add", "06:45", "--label", "Ferry")

    cut(device, "in the snooze")
    eventually("the snooze goes on", 5, has_state(device, "snoozed"))
    check("no alarm is lost", has_alarms(device, "Train", "Flight", "Ferry"))
    succeeds("the ring is stopped", device, "rooster", "stop")
    eventually("it has ended", 10, is_quiet(device))


def happen(device, function):
    """Returns whether a morning goes as it should."""
    Clock.begin = time.monotonic()
    print(f"== {function.__name__}", flush=True)
    try:
        if device.process is None:
            print(f"Booted in {device.boot():.0f} s", flush=True)
        function(device)
        return True
    except Failure as failure:
        print(failure, file=sys.stderr, flush=True)
        print(device.report(), file=sys.stderr, flush=True)
        # The next morning begins with a boot of its own.
        device.cut_power()
        return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--list", action="store_true")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    known = [function.__name__ for function in MORNINGS]
    if given.list:
        print("\n".join(known))
        return
    unknown = [name for name in given.names if name not in known]
    if unknown:
        parser.error(f"there is no morning {unknown[0]}: --list prints their names")
    chosen = [function for function in MORNINGS if function.__name__ in (given.names or known)]
    device = Machine()
    try:
        failed = [function.__name__ for function in chosen if not happen(device, function)]
    finally:
        device.cut_power()
    if failed:
        sys.exit(f"{len(failed)} of {len(chosen)} mornings failed: {', '.join(failed)}")
    print(f"{len(chosen)} mornings passed")


if __name__ == "__main__":
    main()
