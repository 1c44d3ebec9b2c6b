// An input node of a keypad.

import CEvdev
import Devices
import EventLoop
import Glibc
import System

/// An open node. While it is grabbed, its keys reach no other program.
final class KeyNode {
    let name: String
    /// The keypad, identified by the physical path that all its nodes share; the node's own path if the
    /// kernel gives none.
    let keypad: String
    let path: String
    private let descriptor: Int32
    private let device: OpaquePointer
    private var watch: Watch?
    private var isGrabbed = false

    /// The limit of events in one call, so that other handlers get their turn.
    private static let eventsMax = 256

    enum KeyEvent: Hashable {
        case key(KeyedNumber.Key)
        /// The kernel has dropped events, so the typed number is incomplete.
        case dropped
    }

    /// Opens a node. Returns nil if it has no keys for a number, or is not the wanted one.
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
        // The physical path of a USB device ends with its interface, which is dropped.
        let place = libevdev_get_phys(device).map { String(cString: $0).prefix { $0 != "/" } } ?? ""
        (self.name, self.path, self.descriptor, self.device) = (name, path, descriptor, device)
        keypad = place.isEmpty ? path : String(place)
    }

    deinit {
        watch?.cancel()
        libevdev_free(device)
        // Closing ends the grab.
        close(descriptor)
    }

    /// Returns true if the node's name contains `wanted`, or one of its udev links begins with it.
    private static func isWanted(_ wanted: String?, _ name: String, _ links: [String]) -> Bool {
        guard let wanted else { return true }
        return name.contains(wanted) || links.contains { $0.hasPrefix(wanted) }
    }

    /// Returns true if the node has digits, or Enter, which may be on another node of the keypad.
    private static func hasNumberKeys(_ device: OpaquePointer) -> Bool {
        func has(_ codes: [Int32]) -> Bool {
            codes.allSatisfy { libevdev_has_event_code(device, UInt32(EV_KEY), UInt32($0)) == 1 }
        }
        return has([KEY_KP1, KEY_KP9, KEY_KP0]) || has([KEY_1, KEY_9, KEY_0]) || has([KEY_KPENTER])
    }

    /// Grabs the keys and calls the handler on the loop when there are events.
    func subscribe(on loop: EventLoop, _ handler: @escaping EventLoop.Handler) throws(KeypadFailure) {
        try grab()
        do throws(SystemCallError) {
            watch = try loop.watch(descriptor, for: .readable, handler)
        } catch {
            throw .system(doing: "watch \(name)", errorNumber: error.errorNumber)
        }
    }

    /// Grabs the device as soon as no key is down. If another reader has seen a key go down, it must also
    /// see it go up. Otherwise it repeats that key for ever.
    private func grab() throws(KeypadFailure) {
        let isDown = (1..<UInt32(KEY_CNT)).contains { libevdev_get_event_value(device, UInt32(EV_KEY), $0) != 0 }
        guard !isGrabbed, !isDown else { return }
        let status = libevdev_grab(device, LIBEVDEV_GRAB)
        guard status == 0 else {
            throw -status == EBUSY ? .busy(name: name) : .system(doing: "reserve \(name)", errorNumber: -status)
        }
        isGrabbed = true
    }

    func readKeys() throws(KeypadFailure) -> [KeyEvent] {
        var (heard, event): ([KeyEvent], input_event) = ([], input_event())
        for _ in 0..<KeyNode.eventsMax {
            switch libevdev_next_event(device, UInt32(LIBEVDEV_READ_FLAG_NORMAL.rawValue), &event) {
            case Int32(LIBEVDEV_READ_STATUS_SUCCESS.rawValue):
                // 1 is a press. The kernel repeats a held key with 2.
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

    /// Reads the state of the keys after a drop. The dropped presses are lost.
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
    /// The key with a kernel code, on the main block or the keypad; nil for any other key.
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
