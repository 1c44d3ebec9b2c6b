"""The things around the bed, which the tests handle from outside: buttons, lamp, buzzer, keypad, and the camera's
view.

The buttons, the lamp and the buzzer are on the lines of the machine's own GPIO chip. Its model in QEMU has no hands.
But QEMU's protocol for tests of such models sets inputs and reads registers while a system runs. The keypad is
QEMU's, and its keys are typed over QEMU's monitor. The picture in front of the camera is a file on the device.
"""

import json
import socket
import subprocess
import time

# The lines as Rooster's configuration on the device names them. Line 3 is the machine's power key.
LINES = {"snooze": 0, "stop": 1, "lamp": 2, "buzzer": 4}
# The address of the register that has the levels of all lines.
LEVELS = 0x09030000 + (0xFF << 2)
WIDTH, HEIGHT = 640, 480


class Connection:
    """A socket of QEMU that takes lines and answers with lines."""

    def __init__(self, path):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(30)
        deadline = time.monotonic() + 10
        # A QEMU that has just started opens its sockets one after the other.
        while connection.connect_ex(path) != 0:
            if time.monotonic() > deadline:
                raise OSError(f"No device answers at {path}")
            time.sleep(0.05)
        with connection:
            self.stream = connection.makefile("rw", encoding="utf-8", newline="\n")

    def close(self):
        self.stream.close()


class Monitor(Connection):
    """The connection to QEMU's monitor."""

    def __init__(self, path):
        super().__init__(path)
        self.stream.readline()
        self.ask("qmp_capabilities")

    def ask(self, command, **arguments):
        """Returns the answer to a command. Events between are left out."""
        self.stream.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.stream.flush()
        while True:
            answer = json.loads(self.stream.readline())
            if "error" in answer:
                raise OSError(f"QEMU refuses {command}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]

    def type(self, keys):
        """Presses keys of the keypad one after the other, by QEMU's names."""
        for key in keys:
            for down in (True, False):
                event = {"type": "key", "data": {"down": down, "key": {"type": "qcode", "data": key}}}
                self.ask("input-send-event", events=[event])
                time.sleep(0.05)

    def chip(self):
        """Returns QEMU's path of the GPIO chip."""
        parent = "/machine/unattached"
        names = [entry["name"] for entry in self.ask("qom-list", path=parent) if entry["type"] == "child<pl061>"]
        return f"{parent}/{names[0]}"


class Lines(Connection):
    """The lines of the GPIO chip."""

    def __init__(self, path, chip):
        super().__init__(path)
        self.chip = chip
        # The chip has no resistors, so the buttons' lines need the level of a button that is up.
        for button in ("snooze", "stop"):
            self.set(button, 1)

    def _ask(self, command):
        self.stream.write(command + "\n")
        self.stream.flush()
        answer = self.stream.readline().split()
        if not answer or answer[0] != "OK":
            raise OSError(f"QEMU refuses {command}: {' '.join(answer)}")
        return answer[1:]

    def set(self, name, level):
        """Sets the level of an input."""
        self._ask(f"set_irq_in {self.chip} unnamed-gpio-in {LINES[name]} {level}")

    def is_high(self, name):
        """Returns the level of a line."""
        return int(self._ask(f"readb {LEVELS:#x}")[0], 16) >> LINES[name] & 1 == 1

    def press(self, *names, seconds=0.2):
        """Presses buttons together and lets go of them."""
        for name in names:
            self.set(name, 0)
        time.sleep(seconds)
        for name in names:
            self.set(name, 1)


def code(text, points=6, dark=20, light=235, around=170):
    """Returns the brightness of each point of a picture with a QR code.

    points: the width of the code's smallest square.
    """
    lines = subprocess.run(["qrencode", "-t", "ASCII", "-m", "4", "-l", "M", "-o", "-", text], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    # qrencode draws each square with two characters.
    squares = [line.ljust(2 * len(lines))[::2] for line in lines]
    picture = bytearray([around]) * (WIDTH * HEIGHT)
    left, top = (WIDTH - points * len(squares)) // 2, (HEIGHT - points * len(squares)) // 2
    for row, line in enumerate(squares):
        shades = b"".join(bytes([dark if square == "#" else light]) * points for square in line)
        for y in range(top + row * points, top + (row + 1) * points):
            picture[y * WIDTH + left:y * WIDTH + left + len(shades)] = shades
    return bytes(picture)


def blank(light=170):
    """Returns a picture without a code."""
    return bytes([light]) * (WIDTH * HEIGHT)
