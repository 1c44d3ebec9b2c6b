"""A device that is booted once, and then continued from that state as often as its power is cut.

A boot takes a minute under emulation, and a test of power cuts needs hundreds. So the machine's state is saved when
the system has started, and before the kernel knows the disk with the alarms: its driver is not bound to that disk.
Each continued machine finds the disk, checks it, mounts it and starts the service, as at a boot. All that a cut
leaves behind is on the disk.
"""

import json
import os
import shutil
import socket
import subprocess
import time

from machine import FOLDER, RATE, Failure, Machine, make_disk, path, qemu

# The system of the saved state. The disk of `qemu` is the one without it.
SYSTEM = "booted.img"
STATE = "booted.state"
# What the state was made from. Another test with the same uses it again.
NOTE = "booted.note"
# The loudest sample of a silent card, and the seconds in which a ring must be heard.
SILENCE = 64
HEARD_SECONDS = 20

# Ends the service and the camera, whose pictures cost time, and takes the disk away. The program that connects the host
# to the control socket waits for the service.
PUT_AWAY = """
set -e
systemctl stop rooster.service rooster-web.socket camera.service
systemctl stop var-lib-rooster.mount
basename "$(readlink /sys/block/vdb/device)" >/run/disk
cat /run/disk >/sys/bus/virtio/drivers/virtio_blk/unbind
systemd-run --quiet --unit=bridge -p Restart=always -p RestartSec=100ms \\
    socat GOPEN:/dev/virtio-ports/control,ignoreeof UNIX-CONNECT:/run/rooster/control.sock,forever,interval=0.05
udevadm settle
sync
"""

# Finds the disk and starts the service, which needs the disk: systemd checks and mounts it first.
TAKE_UP = """
set -e
date -s @{now:.3f} >/dev/null
cat /run/disk >/sys/bus/virtio/drivers/virtio_blk/bind
systemctl start rooster.service || {{ systemctl status --no-pager rooster.service var-lib-rooster.mount; exit 1; }}
cat /sys/block/vdb/queue/write_cache
findmnt --noheadings --output FSTYPE /var/lib/rooster
systemctl show --value -p ExecMainStartTimestampMonotonic rooster.service
"""

# Prints the time since the boot at which the card began to play.
PLAYING = """
for turn in $(seq 200); do
    status=$(cat /proc/asound/card0/pcm0p/sub0/status)
    case $status in *RUNNING*) echo "$status" | sed -n 's/^trigger_time: //p'; exit 0 ;; esac
    sleep 0.05
done
exit 1
"""

# Prints the milliseconds that a loop takes.
LOOP = """
begin=$EPOCHREALTIME
for ((turn = 0; turn < 100000; turn++)); do :; done
end=$EPOCHREALTIME
echo $(((${end/./} - ${begin/./}) / 1000))
"""


class Loss(Failure):
    """The disk has lost something that it must have."""


class ResumedMachine(Machine):
    """The device with the disk of an NBD server, and a connection to the service's control socket."""

    def __init__(self, filesystem, disk):
        """Takes the name of the filesystem that the alarms have, and the path of the server's socket."""
        super().__init__(f"file=nbd+unix:///?socket={disk},format=raw,cache=writeback")
        self.filesystem = filesystem
        self.control = None
        self.started = None

    def _start(self, *options):
        for name in ("sound.wav", "console.log", "agent.sock", "monitor.sock", "lines.sock", "control.sock"):
            if os.path.exists(path(name)):
                os.remove(path(name))
        command = [*self._command(), *options]
        with open(path("qemu.log"), "wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.connect(time.monotonic() + 60)

    def _command(self):
        return [*qemu(self.alarms, f"file:{path('console.log')}"), "-set", f"drive.system.file={path(SYSTEM)}",
                "-chardev", f"socket,id=control,path={path('control.sock')},server=on,wait=off",
                "-device", "virtserialport,chardev=control,name=control"]

    def _note(self):
        """Returns a text that differs if the saved state does not fit any more."""
        names = ("system.img", "vmlinuz", "initrd.gz")
        files = [*(os.path.join(FOLDER, name) for name in names), shutil.which("qemu-system-aarch64")]
        return json.dumps([self._command(), PUT_AWAY, [os.stat(file).st_mtime_ns for file in files]])

    def is_prepared(self):
        """Returns true if the state that an earlier test has saved fits."""
        if not os.path.exists(path(NOTE)):
            return False
        with open(path(NOTE), encoding="utf-8") as file:
            return file.read() == self._note()

    def prepare(self, limit=400):
        """Boots the device and saves its state. The server's disk must be an empty one."""
        if os.path.exists(path(NOTE)):
            os.remove(path(NOTE))
        copy(os.path.join(FOLDER, "system.img"), path(SYSTEM))
        self._start("-set", "drive.system.snapshot=off")
        self._line(time.monotonic() + limit, "The device has not started")
        self._succeed(PUT_AWAY)
        self._save()
        self.cut_power()
        with open(path(NOTE), "w", encoding="utf-8") as file:
            file.write(self._note())

    def begin_start(self):
        """Continues the machine with the disk that the server has now."""
        self._start("-incoming", f"file:{path(STATE)}")
        # Connected before the service starts, so that the device never finds a closed port.
        self.control = Control(path("control.sock"))
        self.order(TAKE_UP.format(now=time.time()))

    def switch_on(self):
        """Continues the machine, and waits until the service has started."""
        self.begin_start()
        status, output = self.answer("The service has not started within 120 s", limit=120)
        if status != 0:
            raise Loss(f"The service does not start:\n{output}")
        cache, filesystem, started = output.splitlines()
        if cache != "write back":
            raise Failure(f"The kernel believes that the disk has no write cache: {cache}")
        if filesystem != self.filesystem:
            raise Failure(f"The alarms are on {filesystem}")
        self.started = int(started) / 1_000_000

    def seconds_to_ring(self):
        """Returns the seconds from the start of the service to the first sound that the card played."""
        playing = float(self._succeed(PLAYING))
        deadline = time.monotonic() + HEARD_SECONDS
        while (frame := first_sound()) is None:
            if time.monotonic() > deadline:
                raise Failure(f"Nothing is heard within {HEARD_SECONDS} s")
            time.sleep(0.05)
        return playing + frame / RATE - self.started

    def slowness(self):
        """Returns how many times longer a loop takes on the device than on this machine."""
        here = subprocess.run(["bash", "-c", LOOP], check=True, stdin=subprocess.DEVNULL, capture_output=True)
        return int(self._succeed(LOOP)) / max(int(here.stdout), 1)

    def _succeed(self, script):
        status, output = self.shell(script)
        if status != 0:
            raise Failure(f"The device could not do this (status {status}): {script}\n{output}")
        return output

    def _save(self):
        self.monitor.ask("migrate", uri=f"file:{path(STATE)}")
        while (status := self.monitor.ask("query-migrate").get("status")) != "completed":
            if status == "failed":
                raise Failure("QEMU cannot save the machine's state")
            time.sleep(0.1)


def first_sound():
    """Returns the number of the first frame in the recording that is not silent; None if there is none yet."""
    if not os.path.exists(path("sound.wav")):
        return None
    with open(path("sound.wav"), "rb") as file:
        data = file.read()[44:]
    samples = memoryview(data[:len(data) // 4 * 4]).cast("h")
    return next((number // 2 for number, sample in enumerate(samples) if abs(sample) > SILENCE), None)


class Control:
    """A connection to the control socket. Several requests may be on their way."""

    def __init__(self, name):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(name)
        self.received = b""

    def send(self, request):
        self.socket.settimeout(30)
        self.socket.sendall(json.dumps(request).encode() + b"\n")

    def response(self, seconds):
        """Returns the next response; None if there is none within some seconds, or if the machine is off."""
        while b"\n" not in self.received:
            self.socket.settimeout(max(seconds, 0.001))
            try:
                data = self.socket.recv(1 << 16)
            except OSError:
                return None
            if not data:
                return None
            self.received += data
        line, self.received = self.received.split(b"\n", 1)
        return json.loads(line)

    def ask(self, name, **fields):
        """Sends a request that must succeed, and returns its response."""
        self.send({"do": name, **fields})
        response = self.response(30)
        if response is None or not response["ok"]:
            raise Failure(f"The request {name} has failed: {response}")
        return response


def copy(source, target):
    """Copies an image without the parts that are empty."""
    subprocess.run(["cp", "--sparse=always", source, target], stdin=subprocess.DEVNULL, check=True)


def make_image(name, filesystem):
    """Makes an empty disk for the alarms."""
    make_disk(name)
    if filesystem == "f2fs":
        subprocess.run(["mkfs.f2fs", "-q", "-f", "-l", "alarms", path(name)], stdin=subprocess.DEVNULL, check=True,
                       stdout=subprocess.DEVNULL)
