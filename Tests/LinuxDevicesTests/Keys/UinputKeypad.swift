// A keypad that the kernel treats like a real one.

import CEvdev
import Foundation
import Glibc

/// A uinput keypad, present until its release. It needs a kernel with uinput and the right to use it.
final class UinputKeypad {
    let node: String
    private let device: OpaquePointer

    static var isThere: Bool { access("/dev/uinput", W_OK) == 0 }

    init(_ name: String, keys: [Int32] = Array(KEY_ESC...KEY_KPDOT) + [KEY_KPENTER]) throws {
        guard let model = libevdev_new() else { throw POSIXError(.ENOMEM) }
        defer { libevdev_free(model) }
        libevdev_set_name(model, name)
        for type in [EV_KEY, EV_REP] { libevdev_enable_event_type(model, UInt32(type)) }
        for key in keys { libevdev_enable_event_code(model, UInt32(EV_KEY), UInt32(key), nil) }
        var device: OpaquePointer?
        let status = libevdev_uinput_create_from_device(model, Int32(LIBEVDEV_UINPUT_OPEN_MANAGED.rawValue), &device)
        guard status == 0, let device, let node = libevdev_uinput_get_devnode(device) else {
            throw POSIXError(POSIXErrorCode(rawValue: -status) ?? .EIO)
        }
        (self.device, self.node) = (device, String(cString: node))
    }

    deinit {
        libevdev_uinput_destroy(device)
    }

    /// Presses and releases one key after the other; a held key repeats. The kernel buffers about thirty
    /// keys, so the pauses let the program read them, as fingers do.
    func type(_ keys: [Int32], repeats: Int = 0, pauseMicroseconds: UInt32 = 2000) {
        for key in keys {
            if pauseMicroseconds > 0 { usleep(pauseMicroseconds) }
            for value in [1] + Array(repeating: 2, count: repeats) + [0] { send(key, Int32(value)) }
        }
    }

    private func send(_ key: Int32, _ value: Int32) {
        libevdev_uinput_write_event(device, UInt32(EV_KEY), UInt32(key), value)
        libevdev_uinput_write_event(device, UInt32(EV_SYN), UInt32(SYN_REPORT), 0)
    }
}
