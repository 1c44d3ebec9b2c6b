"""The virtual device: a machine in QEMU with the system that scripts/virtual-device has made.

The tests see the device from outside, as its owner does: `Machine` cuts its power, records its speaker, and gives root
commands to a program in the system, the agent. scripts/virtual-device runs these programs in the Debian system that has
QEMU and the device's files.

    machine.py                 boots the device with a login on this terminal
    machine.py press NAME…     presses buttons of that device: snooze, stop
    machine.py type NUMBER     types a number and Enter on its keypad
    machine.py show [TEXT]     shows its camera a code with a text, or none
"""

import array
import base64
import gzip
import json
import math
import os
import select
import shlex
import socket
import subprocess
import sys
import time

import bedside

# The folder of the device's files, and that of a machine's own ones: several machines can run at once.
FOLDER = "/device"
OWN_FOLDER = os.environ.get("MACHINE_FOLDER", FOLDER)
# QEMU records with 44,100 frames a second, in two channels of 16 bits.
RATE = 44100
FRAME = 4
WAV_HEADER = 44


class Failure(Exception):
    """Something that the device did not do."""


def qemu(alarms, serial, has_clock=True):
    """Returns QEMU's command line.

    alarms: the options of the drive that has the alarms.
    serial: the other end of the device's console.
    has_clock: whether the device has a hardware clock. A Raspberry Pi 4 has none.
    """
    return [
        "qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72", "-smp", "2", "-m", "512", "-nodefaults",
        "-accel", "tcg,thread=multi", "-display", "none", "-serial", serial,
        "-kernel", f"{FOLDER}/vmlinuz", "-initrd", f"{FOLDER}/initrd.gz",
        "-append",
        "console=ttyAMA0 quiet panic=-1" + ("" if has_clock else " initcall_blacklist=pl031_driver_init"),
        # The system itself forgets its changes, like one on a read-only card. The alarms have a disk of their own.
        "-drive", f"file={FOLDER}/system.img,format=raw,if=none,id=system,snapshot=on",
        "-device", "virtio-blk-pci,drive=system",
        "-drive", f"{alarms},if=none,id=alarms", "-device", "virtio-blk-pci,drive=alarms",
        "-audiodev", f"wav,id=speaker,path={path('sound.wav')}",
        "-device", "intel-hda", "-device", "hda-duplex,audiodev=speaker",
        "-chardev", f"socket,id=agent,path={path('agent.sock')},server=on,wait=off", "-device", "virtio-serial-pci",
        "-device", "virtserialport,chardev=agent,name=agent",
        "-device", "virtio-keyboard-pci",
        "-qmp", f"unix:{path('monitor.sock')},server=on,wait=off",
        "-qtest", f"unix:{path('lines.sock')},server=on,wait=off", "-qtest-log", "none",
    ]


def path(name):
    """Returns the path of one of the machine's own files."""
    return os.path.join(OWN_FOLDER, name)


def make_disk(name, mebibytes=256):
    """Makes an empty disk for alarms, and returns the options of its drive."""
    with open(path(name), "wb") as file:
        file.truncate(mebibytes << 20)
    subprocess.run(["mke2fs", "-q", "-F", "-t", "ext4", "-L", "alarms", path(name)],
                   stdin=subprocess.DEVNULL, check=True)
    return f"file={path(name)},format=raw"


class Machine:
    """A device that can be switched on and off, with its agent, its console and the recording of its speaker."""

    def __init__(self, alarms=None):
        """Takes the options of the drive that has the alarms; without them `make_disk` must be called."""
        self.alarms = alarms
        self.process = None
        self.port = None
        self.received = b""
        self.monitor = None
        self.lines = None
        # The alarms file without alarms.
        self.backup = None
        # The time of the last request to the page since the boot.
        self.page_asked = None

    def make_disk(self):
        """Gives the device an empty disk for its alarms. It is small, so that a test can fill it."""
        self.alarms = make_disk("test.img", 64)

    # Power

    def boot(self, limit=300, has_clock=True):
        """Switches the device on, waits until its services have started, and returns the seconds that took."""
        begin = time.monotonic()
        for name in ("sound.wav", "console.log", "agent.sock", "monitor.sock", "lines.sock"):
            if os.path.exists(path(name)):
                os.remove(path(name))
        self.page_asked = None
        with open(path("qemu.log"), "wb") as log:
            self.process = subprocess.Popen(qemu(self.alarms, f"file:{path('console.log')}", has_clock),
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.connect(begin + limit)
        self._line(begin + limit, "The device has not started")
        return time.monotonic() - begin

    def cut_power(self):
        """Ends the machine without a warning."""
        self.leave()
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def leave(self):
        """Closes the connections to the device."""
        for connection in (self.port, self.monitor, self.lines):
            if connection:
                connection.close()
        self.port = self.monitor = self.lines = None

    def reach_bedside(self):
        """Connects to the things around the bed, so that the buttons are up."""
        self.monitor = bedside.Monitor(path("monitor.sock"))
        self.lines = bedside.Lines(path("lines.sock"), self.monitor.chip())

    def attach(self):
        """Connects to the agent's port, and returns whether QEMU has opened it."""
        self.received = b""
        self.port = socket.socket(socket.AF_UNIX)
        return self.port.connect_ex(path("agent.sock")) == 0

    def connect(self, deadline):
        """Connects to the device as soon as QEMU has opened its sockets."""
        while not self.attach():
            self._require_life(deadline, "QEMU has not started")
            time.sleep(0.05)
        self.reach_bedside()

    def _require_life(self, deadline, failure):
        """Fails if QEMU has ended or the time is over. The device may be that of another terminal."""
        if self.process and self.process.poll() is not None:
            with open(path("qemu.log"), encoding="utf-8", errors="replace") as log:
                raise Failure(f"QEMU has ended: {log.read().strip()}")
        if time.monotonic() > deadline:
            raise Failure(failure)

    def _line(self, deadline, failure):
        """Returns the next line from the agent."""
        while b"\n" not in self.received:
            self._require_life(deadline, failure)
            if select.select([self.port], [], [], 0.5)[0]:
                self.received += self.port.recv(65536)
        line, self.received = self.received.split(b"\n", 1)
        return line.decode()

    # Commands

    def run(self, *command, limit=90):
        """Runs a command on the device as root, and returns its exit status and its output."""
        return self.shell(shlex.join(command), limit)

    def shell(self, script, limit=90):
        """Runs a script of bash on the device as root, and returns its exit status and its output."""
        self.order(script)
        return self.answer(f"The device has not answered within {limit} s: {script}", limit)

    def order(self, script):
        """Begins to run a script, whose `answer` comes later."""
        self.port.sendall(base64.b64encode(script.encode()) + b"\n")

    def has_answered(self):
        """Returns whether the script that runs has ended."""
        return b"\n" in self.received or bool(select.select([self.port], [], [], 0)[0])

    def answer(self, failure, limit=60):
        """Returns the exit status and the output of the script that runs."""
        answer = "ready"
        # An agent that starts says so to the first program that connects.
        while answer == "ready":
            answer = self._line(time.monotonic() + limit, failure)
        status, _, output = answer.partition(" ")
        return int(status), base64.b64decode(output).decode(errors="replace")

    def require(self, *command, limit=90):
        """Runs a command on the device that must succeed, and returns its output."""
        status, output = self.run(*command, limit=limit)
        if status != 0:
            raise Failure(f"{shlex.join(command)}: status {status}: {output.strip()}")
        return output

    def status(self):
        """Returns the service's status; without an answer from the service an empty one."""
        status, output = self.run("rooster", "status", "--json")
        return json.loads(output) if status == 0 and output.startswith('{"') else {}

    def states(self):
        """Returns the state of each session."""
        return [session["state"] for session in self.status().get("sessions", [])]

    def health(self, part):
        """Returns the grade of a part."""
        return next((entry["grade"] for entry in self.status().get("health", []) if entry["part"] == part), None)

    def main_process(self):
        """Returns the service's process; 0 if there is none."""
        return int(self.run("systemctl", "show", "--property", "MainPID", "--value", "rooster.service")[1] or 0)

    # The room

    def show(self, picture):
        """Puts a picture in front of the camera."""
        self.send("/run/view", picture)

    def send(self, name, content):
        """Writes a file on the device. Another program there sees the old content or the new one."""
        packed = base64.b64encode(gzip.compress(content)).decode()
        status, output = self.shell(f"base64 -d <<<{packed} | gzip -d >{name}.new && mv {name}.new {name}")
        if status != 0:
            raise Failure(f"{name} could not be written: {output.strip()}")

    def set_clock(self, instant):
        """Sets the device's clock to an instant, or to the real time if there is none."""
        self.require("date", "--utc", "--set", instant or f"@{time.time():.0f}")

    def tidy(self):
        """Removes alarms, codes and settings, and sets the clock to the real time."""
        self.show(bedside.blank())
        self.shell("[[ $(readlink /etc/localtime) == */Etc/UTC ]] || timedatectl set-timezone Etc/UTC")
        self.set_clock(None)
        if self.backup is None:
            self.backup = self.require("rooster", "export").encode()
        self.send("/run/backup.json", self.backup)
        self.run("rooster", "stop", "--all")
        self.require("rooster", "import", "/run/backup.json", "--backup")

    # Sound

    def sound_position(self):
        """Returns the number of the frames that the speaker has played since the boot. An idle speaker plays none."""
        try:
            return max(0, os.path.getsize(path("sound.wav")) - WAV_HEADER) // FRAME
        except FileNotFoundError:
            return 0

    def levels(self, since=0):
        """Returns the loudest tenth of each second of the recording in which there is sound, in decibels below full
        scale, from a position on."""
        samples = self._samples(since)
        tenths = [_level(samples[start:start + RATE // 10]) for start in range(0, len(samples), RATE // 10)]
        seconds = [max(tenths[start:start + 10]) for start in range(0, len(tenths) - 9, 10)]
        return [round(20 * math.log10(level / 32768), 1) for level in seconds if level >= 1]

    def level(self, since):
        """Returns the loudness of the recording from a position on: the root mean square, 0 if there is none."""
        return _level(self._samples(since))

    def _samples(self, since):
        """Returns the left channel. QEMU writes the length in the header only at its end, so that is not read."""
        samples = array.array("h")
        end = self.sound_position()
        if end > since:
            with open(path("sound.wav"), "rb") as file:
                file.seek(WAV_HEADER + since * FRAME)
                samples.frombytes(file.read((end - since) * FRAME))
        return samples[::2]

    # Diagnosis

    def report(self):
        """Returns the service's log, or the end of the console if the device does not answer."""
        try:
            parts = [self.run("rooster", "status")[1],
                     self.run("journalctl", "--no-pager", "--lines", "40", "-u", "rooster.service",
                              "-u", "rooster-web.service")[1]]
        except (Failure, OSError, AttributeError, ValueError) as error:
            parts = [str(error)]
            if os.path.exists(path("console.log")):
                with open(path("console.log"), encoding="utf-8", errors="replace") as console:
                    parts += console.read().splitlines()[-15:]
        return "\n".join(parts)


def _level(samples):
    """Returns the root mean square."""
    return math.sqrt(sum(sample * sample for sample in samples) / len(samples)) if samples else 0


def within(seconds, condition):
    """Returns the first value of the condition that is true, or else its last one after some seconds."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value or time.monotonic() > deadline:
            return value
        time.sleep(0.3)


def boot_with_login():
    """Runs QEMU with the device's console on this terminal, until its plug is pulled."""
    if not os.path.exists(path("shell.img")):
        make_disk("shell.img")
    device = Machine(f"file={path('shell.img')},format=raw")
    with subprocess.Popen(qemu(device.alarms, "mon:stdio")) as device.process:
        device.connect(time.monotonic() + 30)
        # A socket takes one connection. The next ones are those of other terminals.
        device.leave()


def handle(command, arguments):
    """Does something at the bed of the device that has the login."""
    device = Machine()
    device.reach_bedside()
    if command == "press":
        if not set(arguments) <= {"snooze", "stop"}:
            sys.exit("The buttons are snooze and stop")
        device.lines.press(*arguments)
    elif command == "type":
        device.monitor.type([f"kp_{digit}" for digit in arguments[0]] + ["kp_enter"])
    elif command == "show":
        device.attach()
        device.show(bedside.code(arguments[0]) if arguments else bedside.blank())


def main():
    if len(sys.argv) > 1:
        try:
            handle(sys.argv[1], sys.argv[2:])
        except (Failure, OSError) as failure:
            sys.exit(f"{failure}")
    else:
        boot_with_login()


if __name__ == "__main__":
    main()
