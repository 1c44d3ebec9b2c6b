"""The virtual device: a machine in QEMU with the system that scripts/virtual-device has made.

The tests see the device from outside, as its owner does: `Machine` cuts its power, records its speaker, and gives root
commands to a program in the system, the agent. scripts/virtual-device runs these programs in the Debian system that has
QEMU and the device's files.

    machine.py    boots the device with a login on this terminal
"""

import array
import base64
import json
import math
import os
import select
import shlex
import socket
import subprocess
import time

# The folder of the device's files.
FOLDER = "/device"
# QEMU records with 44,100 frames a second, in two channels of 16 bits.
RATE = 44100
FRAME = 4
WAV_HEADER = 44


class Failure(Exception):
    """Something that the device did not do."""


def qemu(alarms, serial):
    """Returns QEMU's command line.

    alarms: the options of the drive that has the alarms.
    serial: the other end of the device's console.
    """
    return [
        "qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72", "-smp", "2", "-m", "512", "-nodefaults",
        "-accel", "tcg,thread=multi", "-display", "none", "-serial", serial,
        "-kernel", f"{FOLDER}/vmlinuz", "-initrd", f"{FOLDER}/initrd.gz",
        "-append", "console=ttyAMA0 quiet panic=-1",
        # The system itself forgets its changes, like one on a read-only card. The alarms have a disk of their own.
        "-drive", f"file={FOLDER}/system.img,format=raw,if=none,id=system,snapshot=on",
        "-device", "virtio-blk-pci,drive=system",
        "-drive", f"{alarms},if=none,id=alarms", "-device", "virtio-blk-pci,drive=alarms",
        "-audiodev", f"wav,id=speaker,path={FOLDER}/sound.wav",
        "-device", "intel-hda", "-device", "hda-duplex,audiodev=speaker",
        "-chardev", f"socket,id=agent,path={FOLDER}/agent.sock,server=on,wait=off", "-device", "virtio-serial-pci",
        "-device", "virtserialport,chardev=agent,name=agent",
    ]


def path(name):
    """Returns the path of one of the device's files."""
    return os.path.join(FOLDER, name)


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
        """Takes the options of the drive that has the alarms; without them it makes an empty disk."""
        self.alarms = alarms or make_disk("test.img")
        self.process = None
        self.port = None
        self.received = b""

    # Power

    def boot(self, limit=300):
        """Switches the device on, waits until its services have started, and returns the seconds that took."""
        begin = time.monotonic()
        for name in ("sound.wav", "agent.sock", "console.log"):
            if os.path.exists(path(name)):
                os.remove(path(name))
        with open(path("qemu.log"), "wb") as log:
            self.process = subprocess.Popen(["nice", *qemu(self.alarms, f"file:{path('console.log')}")],
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._connect(begin + limit)
        self._line(begin + limit, "The device has not started")
        return time.monotonic() - begin

    def cut_power(self):
        """Ends the machine without a warning."""
        if self.port:
            self.port.close()
            self.port = None
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def _connect(self, deadline):
        """Connects to the agent's port as soon as QEMU has opened it."""
        self.received = b""
        self.port = socket.socket(socket.AF_UNIX)
        while self.port.connect_ex(path("agent.sock")) != 0:
            self._require_life(deadline, "QEMU has not started")
            time.sleep(0.05)

    def _require_life(self, deadline, failure):
        """Fails if QEMU has ended or the time is over."""
        if self.process is None or self.process.poll() is not None:
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

    def run(self, *command, limit=60):
        """Runs a command on the device as root, and returns its exit status and its output."""
        return self.shell(shlex.join(command), limit)

    def shell(self, script, limit=60):
        """Runs a script of bash on the device as root, and returns its exit status and its output."""
        self.port.sendall(base64.b64encode(script.encode()) + b"\n")
        answer = self._line(time.monotonic() + limit, f"The device has not answered within {limit} s: {script}")
        status, _, output = answer.partition(" ")
        return int(status), base64.b64decode(output).decode(errors="replace")

    def require(self, *command, limit=60):
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

    # Sound

    def sound_position(self):
        """Returns the number of the frames that the speaker has played since the boot. An idle speaker plays none."""
        try:
            return max(0, os.path.getsize(path("sound.wav")) - WAV_HEADER) // FRAME
        except FileNotFoundError:
            return 0

    def levels(self, since=0):
        """Returns the loudest tenth of each second of the recording in which there is sound.

        The levels are in decibels below full scale. QEMU writes the length in the header only at its end, so that is
        not read.
        """
        samples = array.array("h")
        end = self.sound_position()
        if end > since:
            with open(path("sound.wav"), "rb") as file:
                file.seek(WAV_HEADER + since * FRAME)
                samples.frombytes(file.read((end - since) * FRAME))
        left = samples[::2]
        tenths = [_level(left[start:start + RATE // 10]) for start in range(0, len(left), RATE // 10)]
        seconds = [max(tenths[start:start + 10]) for start in range(0, len(tenths) - 9, 10)]
        return [round(20 * math.log10(level / 32768), 1) for level in seconds if level >= 1]

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


def main():
    if not os.path.exists(path("shell.img")):
        make_disk("shell.img")
    command = qemu(f"file={path('shell.img')},format=raw", "mon:stdio")
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
