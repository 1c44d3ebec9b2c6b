"""A disk with a volatile write cache, as an NBD server on a Unix socket.

Killing an emulator loses nothing that the emulated machine has written, because the host keeps it. A real disk loses
the content of its cache. This disk does so too:

1. A write is acknowledged while its data is only in memory.
2. A flush copies all data in memory to the image. A write with FUA copies its own data.
3. At a power cut a random subset of the writes in memory reaches the image, in random order. Some of them are torn:
   only some of their sectors reach it.

The protocol is NBD with the fixed newstyle handshake, without TLS and structured replies.
"""

import os
import socket
import struct
import threading

SECTOR = 512

# The handshake.
MAGIC = b"NBDMAGICIHAVEOPT"
FIXED_NEWSTYLE, NO_ZEROES = 1, 2
EXPORT_NAME, ABORT, INFO, GO = 1, 2, 6, 7
OPTION_REPLY = 0x3E889045565A9
ACK, INFORMATION, UNSUPPORTED = 1, 3, 0x80000001
INFO_EXPORT, INFO_BLOCK_SIZE = 0, 3
HAS_FLAGS, CAN_FLUSH, CAN_FUA = 1, 4, 8

# The transmission.
REQUEST, REPLY = 0x25609513, 0x67446698
READ, WRITE, DISCONNECT, FLUSH = 0, 1, 2, 3
FUA = 1
EINVAL, ENOSPC = 22, 28


class Lost(Exception):
    """The client has closed the connection, or the power is cut."""


class PendingWrite:
    """A write that is not on the image yet. The sectors that a later write with FUA covers are no part of it."""

    def __init__(self, offset, data):
        first = offset // SECTOR
        self.sectors = {first + at // SECTOR: data[at : at + SECTOR] for at in range(0, len(data), SECTOR)}


class WriteCache:
    """The disk. Its server begins with the first connection, and ends with `cut`."""

    def __init__(self, image, path, ignored=None):
        """Takes the image, the path of the socket, and for a planted defect a number: of so many flushes the cache
        ignores one."""
        self.file = os.open(image, os.O_RDWR)
        self.size = os.fstat(self.file).st_size
        self.ignored = ignored
        self.pending = []
        self.newest = {}
        self.writes = self.flushes = 0
        self.last_write = None
        self.lock = threading.Lock()
        self.is_cut = threading.Event()
        if os.path.exists(path):
            os.unlink(path)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(1)
        threading.Thread(target=self.serve, daemon=True).start()

    def cut_after(self, writes):
        """Cuts the power as soon as the cache has accepted that many further writes."""
        with self.lock:
            self.last_write = self.writes + writes

    def cut(self, dice):
        """Cuts the power, unless it is cut already, and returns a text that says which writes reached the image."""
        with self.lock:
            self.is_cut.set()
            return self.settle(dice)

    def settle(self, dice):
        """Copies a random subset of the unflushed writes to the image."""
        fate = dice.choice(["all lost", "some lost", "some lost", "none lost"])
        share = {"all lost": 0.0, "some lost": dice.random(), "none lost": 1.0}[fate]
        kept = [write for write in self.pending if dice.random() < share]
        dice.shuffle(kept)
        torn = 0
        for write in kept:
            sectors = sorted(write.sectors)
            if fate == "some lost" and len(sectors) > 1 and dice.random() < 0.5:
                sectors = [sector for sector in sectors if dice.random() < 0.5]
                torn += 1
            self.copy({sector: write.sectors[sector] for sector in sectors})
        os.close(self.file)
        self.listener.close()
        return f"{len(self.pending)} unflushed writes, {len(self.pending) - len(kept)} lost, {torn} torn"

    def copy(self, sectors):
        for sector, data in sectors.items():
            os.pwrite(self.file, data, sector * SECTOR)

    def serve(self):
        try:
            while not self.is_cut.is_set():
                connection, _ = self.listener.accept()
                with connection:
                    self.talk(connection)
        except OSError:
            pass  # The listener is closed by the cut.

    def talk(self, connection):
        try:
            if greet(connection, self.size):
                while self.answer(connection):
                    pass
        except (Lost, OSError):
            pass

    def answer(self, connection):
        """Answers one request. Returns false if it was the last one."""
        magic, flags, kind, cookie, offset, length = struct.unpack(">IHHQQI", receive(connection, 28))
        if magic != REQUEST or kind == DISCONNECT:
            return False
        data = receive(connection, length) if kind == WRITE else b""
        with self.lock:
            if self.is_cut.is_set():
                raise Lost
            error, answer = self.execute(kind, flags, offset, length, data)
            if self.is_cut.is_set():
                raise Lost
            connection.sendall(struct.pack(">IIQ", REPLY, error, cookie) + answer)
        return True

    def execute(self, kind, flags, offset, length, data):
        if kind == FLUSH:
            self.flush()
        elif offset % SECTOR or length % SECTOR or kind not in (READ, WRITE):
            return EINVAL, b""
        elif offset + length > self.size:
            return ENOSPC, b""
        elif kind == READ:
            return 0, self.read(offset, length)
        else:
            self.write(offset, data, flags & FUA)
        return 0, b""

    def read(self, offset, length):
        data = bytearray(os.pread(self.file, length, offset))
        first = offset // SECTOR
        for sector in range(first, first + length // SECTOR):
            if sector in self.newest:
                data[(sector - first) * SECTOR : (sector - first + 1) * SECTOR] = self.newest[sector]
        return bytes(data)

    def write(self, offset, data, at_once):
        write = PendingWrite(offset, data)
        self.writes += 1
        if at_once and not self.ignored:
            self.copy(write.sectors)
            for sector in write.sectors:
                self.newest.pop(sector, None)
                for older in self.pending:
                    older.sectors.pop(sector, None)
        else:
            self.pending.append(write)
            self.newest.update(write.sectors)
        if self.last_write is not None and self.writes >= self.last_write:
            self.is_cut.set()

    def flush(self):
        self.flushes += 1
        if not self.ignored or self.flushes % self.ignored:
            self.copy(self.newest)
            self.pending.clear()
            self.newest.clear()


def receive(connection, length):
    data = bytearray()
    while len(data) < length:
        part = connection.recv(length - len(data))
        if not part:
            raise Lost
        data += part
    return bytes(data)


def greet(connection, size):
    """Does the handshake. Returns true if the client goes on to the transmission."""
    flags = HAS_FLAGS | CAN_FLUSH | CAN_FUA
    connection.sendall(MAGIC + struct.pack(">H", FIXED_NEWSTYLE | NO_ZEROES))
    wants_zeroes = not struct.unpack(">I", receive(connection, 4))[0] & NO_ZEROES
    while True:
        _, option, length = struct.unpack(">8sII", receive(connection, 16))
        receive(connection, length)
        if option == EXPORT_NAME:
            connection.sendall(struct.pack(">QH", size, flags) + bytes(124 if wants_zeroes else 0))
            return True
        if option in (INFO, GO):
            reply(connection, option, INFORMATION, struct.pack(">HQH", INFO_EXPORT, size, flags))
            reply(connection, option, INFORMATION, struct.pack(">HIII", INFO_BLOCK_SIZE, SECTOR, 4096, 1 << 25))
        is_known = option in (INFO, GO, ABORT)
        reply(connection, option, ACK if is_known else UNSUPPORTED)
        if option in (GO, ABORT):
            return option == GO


def reply(connection, option, kind, data=b""):
    connection.sendall(struct.pack(">QIII", OPTION_REPLY, option, kind, len(data)) + data)
