"""Defects that are planted in the device, each of which must make a morning fail.

A morning that cannot fail shows nothing. Each defect is a mistake in the unit, in the configuration or in the system,
as it may happen to a package.
"""

from checks import Stopwatch
from machine import Failure

UNIT = "/usr/lib/systemd/system/rooster.service"
OVERRIDE = "/run/systemd/system/rooster.service"
OPTIONS = "/etc/rooster/rooster.conf"
# The script that dpkg runs before it replaces the package's programs.
PRERM = "/var/lib/dpkg/info/rooster.prerm"
# Forbids packages to start and restart services.
POLICY = "/usr/sbin/policy-rc.d"


def unit(edit):
    """Returns the script that changes the service's unit."""
    return f"sed -E '{edit}' {UNIT} >{OVERRIDE}"


def options(edit):
    """Returns the script that changes the configuration."""
    return f"sed -i -E '{edit}' {OPTIONS}"


# The morning, the defect, the script that plants it, and the check that must find it.
DEFECTS = [
    # The first one: later, QEMU's card may play although its mixer is muted.
    ("muted_sound_card_is_heard", "the mixer is left alone",
     f"echo 'speaker: {{ mixer = false; }};' >>{OPTIONS}", "its sound is heard"),
    ("frozen_service_is_restarted_and_rings_on", "the unit has no watchdog",
     unit("/^WatchdogSec=/d"), "the service was started again"),
    ("killed_service_rings_on", "the unit does not start a killed service again",
     unit("s/^Restart=.*/Restart=no/"), "the service was started again"),
    ("press_on_snooze_silences_it_and_it_comes_back", "the unit does not allow sound cards",
     unit("/^DeviceAllow=char-116/d"), "its sound is heard"),
    ("press_on_snooze_silences_it_and_it_comes_back", "the buttons' polarity is turned",
     options('s/"9030000.pl061:1";/& active = "high";/'), "a press snoozes it"),
    ("buzzer_sounds_while_the_sound_card_is_gone", "the configuration has no buzzer",
     options("/^buzzer/d"), "the buzzer sounds without the card"),
    ("wrong_code_is_refused_and_a_small_dim_one_ends_the_ring", "the service is no member of the group of cameras",
     unit("s/^(SupplementaryGroups=.*)video /\\1/"), "a code is enrolled"),
    ("wrong_code_is_refused_and_a_small_dim_one_ends_the_ring", "the camera's lines are longer than its driver says",
     "systemctl set-environment LINE_BYTES=1280 && systemctl restart camera.service", "a code is enrolled"),
    ("sums_on_the_keypad_end_the_ring", "the keypad is left alone",
     f"echo 'keypad: {{ use = false; }};' >>{OPTIONS}", "a wrong answer is refused"),
    ("alarm_keeps_its_local_time_in_another_zone_and_a_night_of_summer_time", "the service has no rules of zones",
     unit("s/^ProtectHome=.*/&\\nTemporaryFileSystem=\\/usr\\/share\\/zoneinfo/"), "the alarm moves with the zone"),
    ("page_is_served_through_its_socket", "the page's socket is closed",
     "systemctl stop rooster-web.socket", "the page is served"),
    ("upgrade_while_it_rings_is_heard_as_a_short_pause", "the package stops the service before it is unpacked",
     f"sed -i '2i systemctl stop rooster.service' {PRERM}", "the upgrade is heard as a pause of one restart"),
    ("upgrade_while_it_rings_is_heard_as_a_short_pause", "the upgrade leaves the old version running",
     f"printf '#!/bin/sh\\nexit 101\\n' >{POLICY} && chmod +x {POLICY}", "the service was started again"),
]


def plant(device, script):
    device.require("bash", "-c", "mkdir -p /run/systemd/system /run/kept && "
                   f"cp --parents {OPTIONS} {PRERM} /run/kept && {script} && "
                   "systemctl daemon-reload && systemctl restart rooster.service")


def remove(device):
    """Removes the defect, and the alarm that it may have left ringing."""
    device.require("bash", "-c", "systemctl stop rooster.service; "
                   f"rm -f {OVERRIDE} {POLICY} /var/lib/rooster/journal*; cp -r /run/kept/. /; "
                   "systemctl unset-environment LINE_BYTES; systemctl daemon-reload; "
                   "systemctl restart camera.service; systemctl start rooster.service rooster-web.socket")


def is_found(device, morning, defect, script, expected):
    """Returns whether the morning fails at the expected check."""
    device.tidy()
    plant(device, script)
    Stopwatch.start()
    try:
        morning(device)
        found = "nothing"
    except Failure as failure:
        found = str(failure)
    remove(device)
    if found.startswith(f"Not so: {expected}"):
        print(f"found: {defect}", flush=True)
        return True
    print(f"NOT FOUND: {defect}: {morning.__name__} found {found}", flush=True)
    return False


def all_are_found(device, mornings):
    """Returns whether the mornings find every defect."""
    # A check that fails waits for its limit, so the limits are short.
    Stopwatch.patience = 0.5
    return all([is_found(device, mornings[name], *defect) for name, *defect in DEFECTS if name in mornings])
