"""Cuts the power of the virtual device at random instants, and compares what the service has afterwards with a model.

    power_cuts.py [--cuts N] [--seed S] [--filesystem ext4|f2fs] [--from IMAGE] [--lying-cache[=N]]

The disk with the alarms has a volatile write cache (write_cache.py). While alarms are edited, while one rings, in its
snooze and as it begins to ring, the power fails at an instant that the seed chooses: after some time, or after some
writes to the disk. Some of the next starts are cut as well. The start after that must have

- every change that was acknowledged, and nothing else: changes on their way are there as a whole or not at all, the
  earliest of them first;
- the ring with its sound, or its snooze with the same end, and the number of snoozes that were used.

Each cut has a seed of its own, the first one S, which repeats its choices on an equal disk. If a check fails, a
folder keeps the disk from before and from after the cut.

With --lying-cache the disk ignores one of N flushes, or each. The test then succeeds if it notices that changes are
lost.
"""

import argparse
import os
import random
import sys
import time

sys.dont_write_bytecode = True

import alarm_model as requests  # noqa: E402
from alarm_model import SNOOZES_MAX, Model, closest, time_of  # noqa: E402
from machine import Failure, path  # noqa: E402
from resumed_machine import Loss, ResumedMachine, copy, make_image  # noqa: E402
from write_cache import WriteCache  # noqa: E402

IMAGE = "cuts.img"
# The disk as it was at the last start, and at the one before it.
BEFORE = "before.img"
LAST = "last.img"
DISK = path("disk.sock")
# The folders of cuts that lost something. The device's own folder is made anew for other packages.
LOST = "/lost"
GOALS = ["edit", "edit", "edit", "ring", "ring", "ring", "snooze", "snooze", "snooze", "begin"]


class Series:
    """Cuts that follow each other on one disk."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.device = ResumedMachine(arguments.filesystem, DISK)
        self.cache = None
        # The state that is acknowledged, and the one after each request on its way.
        self.models = None
        # The revision of each alarm's content.
        self.revisions = {}
        self.ring_seconds = []
        self.slowness = 1

    # The machine

    def prepare(self):
        if not self.device.is_prepared():
            make_image(IMAGE, "ext4")
            self.cache = WriteCache(path(IMAGE), DISK)
            self.device.prepare()
            self.cache.cut(random.Random())
        if self.arguments.image:
            copy(self.arguments.image, path(IMAGE))
        else:
            make_image(IMAGE, self.arguments.filesystem)

    def open_disk(self):
        self.cache = WriteCache(path(IMAGE), DISK, ignored=self.arguments.lying_cache)

    def switch_on(self):
        copy(path(IMAGE), path(BEFORE))
        self.open_disk()
        self.device.switch_on()

    def interrupt_start(self, dice):
        """Cuts the power while the filesystem and the journal recover, and returns a text about it."""
        self.open_disk()
        self.cache.cut_after(dice.randint(1, 15))
        self.device.begin_start()
        self.cache.is_cut.wait(dice.uniform(4, 12))
        writes = self.cache.writes
        return f"cut again in the start after {writes} writes: {self.cut(dice)}"

    def cut(self, dice):
        """Cuts the power, takes the responses that had left the device, and returns the fate of the disk's cache."""
        self.cache.is_cut.set()
        self.device.process.kill()
        self.take_responses(1)
        self.device.cut_power()
        return self.cache.cut(dice)

    # Requests

    def send(self, drawn):
        request, change = drawn
        self.models.append(self.models[-1].after(change))
        self.device.control.send(request)

    def take_responses(self, seconds):
        """Takes the responses that have come, or waits some seconds for the first one."""
        while len(self.models) > 1 and (response := self.device.control.response(seconds)):
            if not response["ok"]:
                raise Failure(f"A request was refused: {response['error']['message']}")
            del self.models[0]
            self.take_outcome(response)
            seconds = 0

    def take_outcome(self, response):
        """Takes what a response adds to the model: the end of a snooze, and the revision of an alarm."""
        if response.get("state") == "snoozed":
            end = time_of(response["until"])
            for model in self.models:
                if model.session and model.session.until:
                    model.session.until = (end, end)
        elif response.get("revision") and response.get("alarm"):
            self.note(response["alarm"], response["revision"])

    def note(self, alarm, revision):
        """Notes the revision of an alarm's content, and fails if the same content had another one."""
        if self.revisions.setdefault(requests.shown(alarm), revision) != revision:
            raise Failure(f"The alarm {alarm['id']} has another revision, but the same content")

    def do(self, drawn):
        """Sends a request, and waits until it is acknowledged."""
        flushes = self.cache.flushes
        self.send(drawn)
        self.take_responses(30)
        if len(self.models) > 1:
            raise Failure(f"There is no response within 30 s to {drawn[0]}")
        if self.cache.flushes == flushes:
            raise Failure("A change was acknowledged without a flush of the disk")

    # The check

    def check(self):
        """Compares the service with the model, and returns texts about its state."""
        ask = self.device.control.ask
        found = Model.read(ask)
        now = time_of(ask("status")["status"]["now"])
        for report in ask("alarms")["alarms"]:
            self.note(report["alarm"], report["revision"])
        texts = []
        if self.models:
            number, differences = closest(found, self.models, now)
            if differences:
                raise Loss("After the cut:\n" + "\n".join(differences))
            if len(self.models) > 1:
                texts.append(f"{number} of {len(self.models) - 1} changes on their way are there")
        if found.session and not found.session.until:
            seconds = self.device.seconds_to_ring()
            self.ring_seconds.append(seconds)
            texts.append(f"rings {seconds:.1f} s after the start")
        if found.session:
            texts.append(f"{found.session.snoozes} snoozes used")
        self.models = [found]
        return texts

    # The work before a cut

    def reach(self, goal, dice):
        """Makes an alarm ring, or snoozes it, or ends it."""
        ringing = self.settle_session()
        if goal in ("edit", "begin"):
            if self.models[0].session:
                self.do(requests.stop())
            if goal == "begin":
                self.do(requests.set_ring(dice, int(time.time()) + 3))
            return
        if not ringing:
            self.begin_ring(dice)
        if goal == "snooze":
            if self.models[0].session.snoozes == SNOOZES_MAX:
                self.require_refusal()
                self.do(requests.stop())
                self.begin_ring(dice)
            self.do(requests.snooze(dice.choice([2, 1200]), time.time()))

    def settle_session(self):
        """Ends a long snooze, and waits for the ring that is planned. Returns true if an alarm rings."""
        session = self.models[0].session
        if session and session.until and session.until[0] > time.time() + 5:
            self.do(requests.stop())
        elif self.models[0].planned():
            self.await_ring()
        return bool(self.models[0].session)

    def begin_ring(self, dice):
        self.do(requests.set_ring(dice, int(time.time()) + 2))
        self.await_ring()

    def await_ring(self):
        deadline = time.monotonic() + 30
        while True:
            sessions = self.device.control.ask("status")["status"]["sessions"]
            if sessions and sessions[0]["state"] == "ringing":
                self.models = [self.models[0].at(time.time() + 10)]
                return
            if time.monotonic() > deadline:
                raise Failure("The alarm does not ring")
            time.sleep(0.1)

    def require_refusal(self):
        self.device.control.send({"do": "snooze", "seconds": 2})
        response = self.device.control.response(30)
        if not response or response["ok"] or response["error"]["code"] != "noSnoozeLeft":
            raise Failure(f"A snooze was granted after {SNOOZES_MAX}: {response}")

    def draw(self, dice):
        """Returns a random request for the newest state."""
        model = self.models[-1]
        session = model.session
        if session and not session.until and dice.random() < 0.03:
            if session.snoozes < SNOOZES_MAX and dice.random() < 0.7:
                return requests.snooze(dice.choice([2, 1200]), time.time())
            return requests.stop()
        return requests.edits(dice, model)

    def work(self, goal, dice):
        """Sends requests until the power is cut. Returns the number of acknowledged ones."""
        end = time.monotonic() + dice.uniform(0.1, 2.5)
        if goal == "begin":
            end = time.monotonic() + self.models[0].planned()[1] - time.time() + dice.uniform(-0.3, 0.8)
        elif dice.random() < 0.7:
            self.cache.cut_after(dice.randint(1, 30))
            end += 5
        on_their_way = dice.randint(1, 3)
        sent = 0
        while time.monotonic() < end and not self.cache.is_cut.is_set():
            if len(self.models) <= on_their_way:
                self.send(self.draw(dice))
                sent += 1
            else:
                self.take_responses(0.01)
        return sent

    def run(self, seed):
        """Does one cut, and returns texts about it."""
        dice = random.Random(seed)
        goal = dice.choice(GOALS)
        self.reach(goal, dice)
        sent = self.work(goal, dice)
        moment = moment_of(self.models[0].at(time.time()), goal)
        fate = self.cut(random.Random(f"{seed} cache"))
        texts = [moment, f"{sent - len(self.models) + 1} of {sent} changes acknowledged", fate]
        dice = random.Random(f"{seed} start")
        if dice.random() < 0.25:
            texts.append(self.interrupt_start(dice))
        return texts


def moment_of(model, goal):
    if goal == "begin":
        return "as it begins to ring"
    if not model.session:
        return "while editing"
    return "in the snooze" if model.session.until else "while ringing"


class Report:
    """The output, and the figures of all cuts."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.seconds = []
        self.begin = None

    def cut(self, seed, texts):
        now = time.monotonic()
        self.seconds.append(now - self.begin)
        self.begin = now
        print(f"seed {seed}: {'; '.join(texts)} ({self.seconds[-1]:.1f} s)", flush=True)

    def keep(self, seed, error, log):
        """Keeps the disks of a cut that lost something, and the device's log."""
        folder = f"{LOST}/{self.arguments.filesystem}-{seed}"
        os.makedirs(folder, exist_ok=True)
        copy(path(LAST), os.path.join(folder, "before.img"))
        copy(path(BEFORE), os.path.join(folder, "after.img"))
        with open(os.path.join(folder, "log.txt"), "w", encoding="utf-8") as file:
            file.write(f"{error}\n{log}\n")
        lying = f" --lying-cache={self.arguments.lying_cache}" if self.arguments.lying_cache else ""
        print(f"seed {seed}: {error}\nThe Debian system with QEMU has the disk from before and after the cut, and the "
              f"log, in {folder}. The same choices again:\n"
              f"    scripts/virtual-device --cuts 1 --seed {seed} --filesystem {self.arguments.filesystem}{lying} "
              f"--from {folder}/before.img PACKAGE PACKAGE", file=sys.stderr, flush=True)

    def end(self, series):
        print(f"{len(self.seconds)} cuts on {self.arguments.filesystem}: nothing was lost")
        print(f"a cut took {spread(self.seconds)} s")
        if series.ring_seconds:
            print(f"start of the service to the sound: {spread(series.ring_seconds)} s. "
                  f"The device is {series.slowness:.0f} times slower than this machine")


def spread(values):
    values = sorted(values)
    return f"{values[0]:.1f} to {values[-1]:.1f}, median {values[len(values) // 2]:.1f}"


def cut_often(series, report):
    """Does all cuts. Raises Loss at the first that lost something."""
    series.prepare()
    report.begin = time.monotonic()
    series.switch_on()
    series.check()
    series.slowness = series.device.slowness()
    first = series.arguments.seed
    series.do(requests.configure(random.Random(first), series.models[0], []))
    for seed in range(first, first + series.arguments.cuts):
        copy(path(BEFORE), path(LAST))
        try:
            texts = series.run(seed)
            series.switch_on()
            report.cut(seed, texts + series.check())
        except Failure as error:
            report.keep(seed, error, series.device.report())
            raise


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cuts", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--filesystem", choices=["ext4", "f2fs"], default="ext4")
    parser.add_argument("--from", dest="image")
    parser.add_argument("--lying-cache", metavar="N", type=int, nargs="?", const=1)
    arguments = parser.parse_args()
    series, report = Series(arguments), Report(arguments)
    try:
        cut_often(series, report)
    except Failure as error:
        if arguments.lying_cache and isinstance(error, Loss):
            print(f"A loss was noticed after {len(report.seconds) + 1} cuts: {str(error).splitlines()[0]}")
            return 0
        print(error, file=sys.stderr)
        return 1
    finally:
        series.device.cut_power()
    if arguments.lying_cache:
        print(f"{arguments.cuts} cuts have shown no loss, although the disk ignores flushes", file=sys.stderr)
        return 1
    report.end(series)
    return 0


if __name__ == "__main__":
    sys.exit(main())
