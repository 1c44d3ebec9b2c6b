// One of the nodes by which the kernel tells the keys of a keypad.

import CEvdev
import Devices
import EventLoop
import Glibc
import System

/// A node that is open, and whose keys go nowhere else while it is.
final class KeyNode {
    let name: String
    /// The same for all nodes of one keypad, where the kernel knows; else its own.
    let keypad: String
    let path: String
    private let descriptor: Int32
    private let device: OpaquePointer
    private var watch: Watch?
    private var isGrabbed = false

    /// So many events at most are taken before it is the others' turn.
    private static let eventsMax = 256

    enum KeyEvent: Hashable {
        case key(KeyedNumber.Key)
        /// The kernel has dropped keys: nobody knows what was typed.
        case dropped
    }

    /// Nil where it has no keys for a number, or is not the one that is wanted.
    init?(_ path: String, links: [String], wanted: String?) throws(KeypadFailure) {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw KeyNode.failure("open \(path)", path) }
        var device: OpaquePointer?
        let status = libevdev_new_from_fd(descriptor, &device)
        guard status == 0, let device else {
            close(descriptor)
            throw .system(doing: "read the keys of \(path)", errorNumber: -status)
        }
        let name = libevdev_get_name(device).map { String(cString: $0) } ?? path
        guard KeyNode.hasNumberKeys(device), KeyNode.isWanted(wanted, name, links) else {
            libevdev_free(device)
            close(descriptor)
            return nil
        }
        // Of one that is plugged into USB it ends with its interface.
        let place = libevdev_get_phys(device).map { String(cString: $0).prefix { $0 != "/" } } ?? ""
        (self.name, self.path, self.descriptor, self.device) = (name, path, descriptor, device)
        keypad = place.isEmpty ? path : String(place)
    }

    deinit {
        watch?.cancel()
        libevdev_free(device)
        // The kernel gives its keys back to all others.
        close(descriptor)
    }

    /// By a part of its name, or by the beginning of a name that udev gives it.
    private static func isWanted(_ wanted: String?, _ name: String, _ links: [String]) -> Bool {
        guard let wanted else { return true }
        return name.contains(wanted) || links.contains { $0.hasPrefix(wanted) }
    }

    /// A keypad may have its Enter on another node than its digits.
    private static func hasNumberKeys(_ device: OpaquePointer) -> Bool {
        func has(_ codes: [Int32]) -> Bool {
            codes.allSatisfy { libevdev_has_event_code(device, UInt32(EV_KEY), UInt32($0)) == 1 }
        }
        return has([KEY_KP1, KEY_KP9, KEY_KP0]) || has([KEY_1, KEY_9, KEY_0]) || has([KEY_KPENTER])
    }

    /// Has its keys go nowhere else, and calls the handler on the loop when there are some.
    func subscribe(on loop: EventLoop, _ handler: @escaping EventLoop.Handler) throws(KeypadFailure) {
        try grab()
        do throws(SystemCallError) {
            watch = try loop.watch(descriptor, for: .readable, handler)
        } catch {
            throw .system(doing: "listen to \(name)", errorNumber: error.errorNumber)
        }
    }

    /// Grabs the device as soon as no key is down: another reader that has seen a key go down must also see it go up, or it
    /// repeats that key for ever.
    private func grab() throws(KeypadFailure) {
        let isDown = (1..<UInt32(KEY_CNT)).contains { libevdev_get_event_value(device, UInt32(EV_KEY), $0) != 0 }
        guard !isGrabbed, !isDown else { return }
        let status = libevdev_grab(device, LIBEVDEV_GRAB)
        guard status == 0 else {
            throw -status == EBUSY ? .busy(name: name) : .system(doing: "have \(name) for itself", errorNumber: -status)
        }
        isGrabbed = true
    }

    func readKeys() throws(KeypadFailure) -> [KeyEvent] {
        var (heard, event): ([KeyEvent], input_event) = ([], input_event())
        for _ in 0..<KeyNode.eventsMax {
            switch libevdev_next_event(device, UInt32(LIBEVDEV_READ_FLAG_NORMAL.rawValue), &event) {
            case Int32(LIBEVDEV_READ_STATUS_SUCCESS.rawValue):
                // 1 is pressed; a key that is held repeats itself with 2.
                if event.type == EV_KEY, event.value == 1, let key = KeyedNumber.Key(code: Int32(event.code)) {
                    heard.append(.key(key))
                }
            case Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue):
                heard.append(.dropped)
                skipChanges()
            case -EAGAIN:
                try grab()
                return heard
            case -ENODEV: throw .unplugged(name: name)
            case let status: throw .system(doing: "read the keys of \(name)", errorNumber: -status)
            }
        }
        return heard
    }

    /// Which keys are held now is all that can be known of what was dropped.
    private func skipChanges() {
        var event = input_event()
        let next = UInt32(LIBEVDEV_READ_FLAG_SYNC.rawValue)
        while libevdev_next_event(device, next, &event) == Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue) {}
    }

    private static func failure(_ doing: String, _ path: String) -> KeypadFailure {
        switch errno {
        case EACCES, EPERM: .noAccess(node: path, group: groupWithAccess(to: path))
        case ENODEV, ENOENT, ENXIO: .unplugged(name: path)
        default: .system(doing: doing, errorNumber: errno)
        }
    }
}

extension KeyedNumber.Key {
    /// By the kernel's number of a key, on the row above the letters or on a block of its own; nil for all others.
    init?(code: Int32) {
        let block = [KEY_KP0, KEY_KP1, KEY_KP2, KEY_KP3, KEY_KP4, KEY_KP5, KEY_KP6, KEY_KP7, KEY_KP8, KEY_KP9]
        switch code {
        case KEY_0: self = .digit(0)
        case KEY_1...KEY_9: self = .digit(Int(code - KEY_1) + 1)
        case KEY_MINUS, KEY_KPMINUS: self = .minus
        case KEY_BACKSPACE: self = .backspace
        case KEY_ENTER, KEY_KPENTER: self = .enter
        default:
            guard let digit = block.firstIndex(of: code) else { return nil }
            self = .digit(digit)
        }
    }
}
