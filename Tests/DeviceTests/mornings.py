"""Mornings on the virtual device, each of which shows something that Rooster promises on real hardware.

    mornings.py [--list] [--planted] [NAME…]

Without names all mornings happen. With --planted, defects are planted in the device, and the mornings must find them.
scripts/virtual-device runs this program. Most mornings share one boot. After a failed morning the device starts anew,
with an empty disk for its alarms.
"""

import argparse
import json
import re
import signal
import sys
import time
import traceback
import uuid

sys.dont_write_bytecode = True

import bedside  # noqa: E402
import planted  # noqa: E402
from checks import (  # noqa: E402
    SOON, Stopwatch, check, eventually, has_lamp, has_state, is_heard, is_quiet, is_silent, longest_silence, rings,
    rings_on, stops, succeeds)
from machine import Failure, Machine, within  # noqa: E402

MORNINGS = []
# The folder of the packages of the next version on the device.
NEXT_VERSION = "/usr/local/share/next"


def morning(function):
    """Adds a function to the mornings."""
    MORNINGS.append(function)
    return function


@morning
def alarm_rings_at_its_second_and_its_sound_rises(device):
    succeeds("the service runs and the page's socket is open", device,
             "systemctl", "is-active", "rooster.service", "rooster-web.socket")
    succeeds("the alarms have a disk of their own", device, "findmnt", "--noheadings", "/var/lib/rooster")
    has_lamp(device, "the lamp is dark without an alarm", False)
    since, before = device.sound_position(), time.monotonic()
    device.require("rooster", "add", "in", "20s", "--label", "Train", "--ramp", "12")
    after = time.monotonic()
    has_lamp(device, "the lamp shines before the ring", True)
    within(60, lambda: device.level(since) >= 1)
    heard = time.monotonic()
    check("it is heard at its time", before + 19 <= heard <= after + 26, f"{heard - after:.1f} s after it was set")
    eventually("it rings", SOON, has_state(device, "ringing"))
    has_lamp(device, "the lamp blinks", True, False)
    eventually("its sound goes on", SOON, lambda: len(device.levels(since)) >= 12)
    levels = device.levels(since)
    check("its level rises", max(levels[8:12]) >= max(levels[:2]) + 6, levels)
    stops(device)
    has_lamp(device, "the lamp is dark again", False)


@morning
def page_is_served_through_its_socket(device):
    ask_for_page(device)


@morning
def press_on_snooze_silences_it_and_it_comes_back(device):
    device.require("rooster", "settings", "--snooze-min", "5s")
    rings(device, "Train", "--snooze", "15s")
    is_heard(device)
    # With the wrong polarity it would be snoozed when the button goes up.
    device.lines.set("snooze", 0)
    eventually("a press snoozes it", SOON, has_state(device, "snoozed"))
    device.lines.set("snooze", 1)
    is_silent(device)
    rings_on(device)
    stops(device)


@morning
def muted_sound_card_is_heard(device):
    device.require("amixer", "--quiet", "--card", "0", "sset", "Master", "0%", "mute")
    rings(device, "Train")
    is_heard(device)
    stops(device)


@morning
def wrong_code_is_refused_and_a_small_dim_one_ends_the_ring(device):
    enrol(device, "bathroom", "A code on the mirror")
    rings(device, "Train", "--code", "bathroom")
    device.lines.press("stop")
    eventually("a press begins the search for the code", SOON, has_state(device, "challenged"))
    device.show(bedside.code("A code on a packet of tea"))
    eventually("another code is refused", 60, lambda: (device.status().get("camera") or {}).get("wrongCodes"))
    rings_on(device)
    device.show(bedside.code("A code on the mirror", points=3, dark=25, light=90, around=60))
    eventually("the right one ends the ring, small and dim", 60, is_quiet(device))
    is_silent(device)


@morning
def frozen_or_killed_camera_helper_is_replaced(device):
    enrol(device, "bathroom", "A code on the mirror")
    rings(device, "Train", "--code", "bathroom")
    device.lines.press("stop")
    for signal in ("STOP", "KILL"):
        before = eventually("the helper runs", SOON, lambda: helper(device))
        # The unit has filters for both, and the helper adds its own.
        check("it may call less of the system than the service",
              filters(device, before) > filters(device, device.main_process()))
        device.shell(f"kill -{signal} {before}")
        # Between two helpers there is none.
        eventually(f"another helper runs after SIG{signal}", 60, lambda: helper(device) not in ("", before))
        rings_on(device)
    device.show(bedside.code("A code on the mirror"))
    eventually("the code ends the ring", 60, is_quiet(device))
    is_silent(device)


@morning
def sums_on_the_keypad_end_the_ring(device):
    rings(device, "Train", "--math", "2")
    device.lines.press("stop")
    eventually("a press begins the sums", SOON, has_state(device, "challenged"))
    device.monitor.type(["kp_1", "kp_enter"])
    eventually("a wrong answer is refused", SOON, lambda: asked(device).get("wrong") and asked(device)["left"] == 2)
    for left in (2, 1):
        eventually(f"{left} sums are left", SOON, lambda left=left: asked(device).get("left") == left)
        is_heard(device, seconds=1)
        device.monitor.type([f"kp_{digit}" for digit in str(answer(asked(device)["sum"]))] + ["kp_enter"])
    eventually("the answers end the ring", SOON, is_quiet(device))
    is_silent(device)


@morning
def buzzer_sounds_while_the_sound_card_is_gone(device):
    card = device.require("readlink", "-f", "/sys/class/sound/card0/device").strip().rsplit("/", 1)[1]
    driver = "/sys/bus/pci/drivers/snd_hda_intel"
    rings(device, "Train")
    is_heard(device)
    check("the buzzer is off", not device.lines.is_high("buzzer"))
    device.require("bash", "-c", f"echo {card} >{driver}/unbind")
    try:
        eventually("the buzzer sounds without the card", SOON, lambda: device.lines.is_high("buzzer"))
        eventually("the status says so", SOON, lambda: device.health("speaker") != "ok")
    finally:
        # The mornings after a planted defect need the card.
        device.require("bash", "-c", f"echo {card} >{driver}/bind")
    is_heard(device, "the card is heard again")
    eventually("the buzzer is off again", SOON, lambda: not device.lines.is_high("buzzer"))
    stops(device)


@morning
def killed_service_rings_on(device):
    rings(device, "Train")
    is_heard(device)
    before = device.main_process()
    device.shell(f"kill -KILL {before}")
    rings_on(device, before)
    stops(device)


@morning
def frozen_service_is_restarted_and_rings_on(device):
    rings(device, "Train")
    is_heard(device)
    before = device.main_process()
    device.shell(f"kill -STOP {before}")
    is_silent(device, "the frozen service is silent")
    rings_on(device, before)
    stops(device)


@morning
def stopped_service_is_silent_and_rings_on_after_its_start(device):
    rings(device, "Train")
    is_heard(device)
    device.require("systemctl", "stop", "rooster.service")
    is_silent(device)
    has_lamp(device, "the lamp is dark", False)
    device.require("systemctl", "start", "rooster.service")
    rings_on(device)
    stops(device)


@morning
def full_disk_refuses_an_edit_and_the_alarm_rings(device):
    # More than the space that the journal has ahead.
    alarms = [{"id": str(uuid.UUID(int=number)), "label": "Flight", "time": "05:30", "note": "x" * 1000}
              for number in range(400)]
    device.send("/run/many.json", json.dumps({"format": "rooster/1", "alarms": alarms}).encode())
    device.require("rooster", "add", "in", "30s", "--label", "Train", "--ramp", "2")
    device.shell("dd if=/dev/zero of=/var/lib/rooster/fill bs=64k; sync")
    status, output = device.run("rooster", "import", "/run/many.json")
    check("alarms are refused, because the disk is full", status == 1 and "disk is full" in output, output[-300:])
    check("none of them is there", not has_alarms(device, "Flight"))
    check("the test of all parts says so", "disk is full" in device.run("rooster", "doctor")[1])
    eventually("the other one rings", 60, has_state(device, "ringing"))
    is_heard(device)
    device.require("rm", "/var/lib/rooster/fill")
    eventually("with space again, an alarm is set", SOON,
               lambda: device.run("rooster", "add", "05:30", "--label", "Ferry")[0] == 0)
    stops(device)


@morning
def step_of_the_clock_moves_no_alarm(device):
    device.set_clock("2027-01-12 06:30:00Z")
    device.require("rooster", "add", "7:00", "daily", "--label", "Train", "--ramp", "2")
    device.set_clock("2027-01-12 06:59:55Z")
    eventually("it rings after a step forwards to just before it", SOON, has_state(device, "ringing"))
    is_heard(device)
    stops(device)
    device.set_clock("2027-01-12 06:59:55Z")
    time.sleep(8)
    check("it does not ring again after a step back", is_quiet(device)())
    device.set_clock("2027-01-13 06:00:00Z")
    check("it is planned for its time", next_ring(device) == "2027-01-13T07:00:00+00:00", next_ring(device))
    device.set_clock("2027-01-13 07:10:00Z")
    eventually("it rings late after a step over it", SOON, has_state(device, "ringing"))
    is_heard(device)
    stops(device)


@morning
def alarm_keeps_its_local_time_in_another_zone_and_a_night_of_summer_time(device):
    device.set_clock("2027-03-26 05:59:00Z")
    device.require("rooster", "add", "7:00", "daily", "--label", "Train", "--ramp", "2")
    device.require("timedatectl", "set-timezone", "Europe/Berlin")
    eventually("the alarm moves with the zone", SOON, lambda: next_ring(device) == "2027-03-26T07:00:00+01:00")
    device.set_clock("2027-03-26 05:59:55Z")
    eventually("it rings at the zone's time", SOON, has_state(device, "ringing"))
    is_heard(device)
    stops(device)
    device.require("rooster", "edit", "Train", "2:30")
    # At 02:00 the clocks there go to 03:00, so the alarm is due at 03:30.
    device.set_clock("2027-03-28 00:59:57Z")
    eventually("in the night of summer time it is planned after the gap", SOON,
               lambda: next_ring(device) == "2027-03-28T03:30:00+02:00")
    device.set_clock("2027-03-28 01:29:55Z")
    eventually("it rings after the gap", SOON, has_state(device, "ringing"))
    is_heard(device)
    stops(device)


@morning
def service_of_the_page_is_gone_five_minutes_later(device):
    if not device.page_asked:
        ask_for_page(device)
    if time.monotonic() < device.page_asked + 240:
        succeeds("the service waits for another request", device, "systemctl", "is-active", "rooster-web.service")
    device.shell("while systemctl --quiet is-active rooster-web.service; do sleep 2; done", limit=360)
    check("the service has ended", time.monotonic() > device.page_asked + 280)
    ask_for_page(device)


@morning
def upgrade_while_it_rings_is_heard_as_a_short_pause(device):
    rings(device, "Train")
    is_heard(device)
    restart = pause_of(device, "systemctl restart rooster.service")
    before = device.main_process()
    pause = pause_of(device, f"dpkg --install {NEXT_VERSION}/*.deb")
    # A restart takes longer while dpkg works beside it. With the service stopped while dpkg unpacks the packages, the
    # pause was that of seven or eight restarts.
    check("the upgrade is heard as a pause of one restart", pause < 3 * restart, f"{pause:.1f} s, {restart:.1f} s")
    installed = versions(device, "dpkg-query --show rooster rooster-web")
    expected = versions(device, f"for file in {NEXT_VERSION}/*.deb; do dpkg-deb --show $file; done")
    check("both packages have the next version", installed == expected, installed)
    rings_on(device, before)
    stops(device)
    succeeds("the page's socket is open", device, "systemctl", "is-active", "rooster-web.socket")
    ask_for_page(device)


@morning
def power_cut_while_it_rings_and_in_the_snooze_loses_nothing(device):
    rings(device, "Train")
    is_heard(device)
    succeeds("an alarm is set while it rings", device, "rooster", "add", "05:30", "--label", "Flight")
    before = int(device.require("date", "+%s"))

    cut(device, "while it rang", has_clock=False)
    check("without a hardware clock the device shows the past", int(device.require("date", "+%s")) < before)
    rings_on(device)
    check("no alarm is lost", has_alarms(device, "Train", "Flight"))
    eventually("the status says that the clock may be wrong", SOON, lambda: device.health("clock") == "warning")
    device.set_clock(None)
    # As systemd does once it has the time from the network.
    device.require("install", "-D", "/dev/null", "/run/systemd/timesync/synchronized")
    eventually("the clock is right", SOON, lambda: device.health("clock") == "ok")
    rings_on(device)
    succeeds("it is snoozed", device, "rooster", "snooze", "10")
    eventually("the snooze is shown", SOON, has_state(device, "snoozed"))
    succeeds("an alarm is set in the snooze", device, "rooster", "add", "06:45", "--label", "Ferry")

    cut(device, "in the snooze")
    eventually("the snooze goes on", SOON, has_state(device, "snoozed"))
    check("no alarm is lost", has_alarms(device, "Train", "Flight", "Ferry"))
    stops(device)


def enrol(device, label, text):
    """Enrols a code, and removes it from the camera's view."""
    device.show(bedside.code(text))
    succeeds("a code is enrolled", device, "rooster", "code", "enrol", label)
    device.show(bedside.blank())


def helper(device):
    """Returns the process of the camera's helper, or an empty text."""
    return device.shell("pidof rooster-camera")[1].strip()


def filters(device, process):
    """Returns the number of a process's filters of system calls."""
    status = device.require("cat", f"/proc/{process}/status")
    return int(re.search(r"^Seccomp_filters:\s*(\d+)", status, re.MULTILINE)[1])


def asked(device):
    """Returns the challenge that is asked for."""
    return next((session["asked"] or {} for session in device.status().get("sessions", [])), {})


def answer(text):
    """Returns the result of a sum of the first level."""
    left, sign, right = re.fullmatch(r"(\d+) (\S) (\d+)", text).groups()
    return int(left) + int(right) if sign == "+" else int(left) - int(right)


def pause_of(device, script):
    """Runs a script that must succeed while an alarm rings, and returns the longest time in seconds without sound."""
    begin = time.monotonic()
    device.order(script)
    pause = longest_silence(device, device.has_answered, 400)
    status, output = device.answer(f"It has not ended: {script}")
    check(f"'{script}' succeeds", status == 0, output.strip())
    print(f"It took {time.monotonic() - begin:.1f} s, and the longest silence was {pause:.1f} s", flush=True)
    return pause


def versions(device, script):
    """Returns the lines that a script prints for the packages, each with a name and a version."""
    return sorted(device.shell(script)[1].splitlines())


def next_ring(device):
    """Returns the local time of the next ring."""
    return next((ring["local"] for ring in device.status().get("next", [])), None)


def ask_for_page(device):
    """Checks that the page is served."""
    request = "GET / HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n"
    page = device.shell(f"exec 4<>/dev/tcp/127.0.0.1/80; printf '{request}' >&4; cat <&4")[1]
    check("the page is served", page.startswith("HTTP/1.1 200") and "<title>Rooster" in page, page[:200])
    device.page_asked = time.monotonic()
    succeeds("its socket has started its service", device, "systemctl", "is-active", "rooster-web.service")


def has_alarms(device, *labels):
    listed = device.run("rooster", "list")[1]
    return all(label in listed for label in labels)


def cut(device, moment, has_clock=True):
    """Cuts the power and boots again, with or without a hardware clock."""
    device.cut_power()
    print(f"The power was cut {moment}", flush=True)
    print(f"Booted in {device.boot(has_clock=has_clock):.0f} s", flush=True)


def start(device):
    """Boots with an empty disk for the alarms, and waits until every part is in order.

    The service may start before the kernel has found every device, and tests its parts again only a minute later.
    """
    device.make_disk()
    print(f"Booted in {device.boot():.0f} s", flush=True)
    device.require("udevadm", "settle")
    if not within(SOON, lambda: device.run("rooster", "doctor")[0] == 0):
        raise Failure("The device is not in order")


def happen(device, function):
    """Returns whether a morning goes as it should."""
    Stopwatch.start()
    print(f"== {function.__name__}", flush=True)
    try:
        if device.process is None:
            start(device)
        device.tidy()
        function(device)
        return True
    except (Failure, OSError, KeyError, TypeError, ValueError) as failure:
        line = traceback.extract_tb(failure.__traceback__)[1].lineno
        print(f"line {line}: {failure}", file=sys.stderr, flush=True)
        print(device.report(), file=sys.stderr, flush=True)
        device.cut_power()
        return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--planted", action="store_true")
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
    # Otherwise a run that is cut short would leave QEMU behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by a signal"))
    try:
        if given.planted:
            start(device)
            sys.exit(not planted.all_are_found(device, {function.__name__: function for function in chosen}))
        failed = [function.__name__ for function in chosen if not happen(device, function)]
    finally:
        device.cut_power()
    if failed:
        sys.exit(f"{len(failed)} of {len(chosen)} mornings failed: {', '.join(failed)}")
    print(f"{len(chosen)} mornings passed")


if __name__ == "__main__":
    main()
