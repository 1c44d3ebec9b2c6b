// The keypads, which are read while a sum is asked.

import Devices
import EventLoop
import Glibc
import System

extension LoopDriver<KeypadReport> {
    /// Keypads that are off at first: those whose own name or udev link begins with `name`; nil for all.
    package convenience init(keypad name: String?, on loop: EventLoop) {
        self.init(KeypadDriver(name, in: "/dev/input"), on: loop) { $0 }
    }
}

/// Reads numbers from keypads. While the driver is off, no node is open and all keys go to other programs.
struct KeypadDriver: DeviceDriver {
    static let subsystem = "input"
    private let wanted: String?
    private let folder: String
    private var nodes: [String: KeyNode] = [:]
    private var numbers: [String: KeyedNumber] = [:]

    init(_ wanted: String?, in folder: String) {
        self.wanted = wanted
        self.folder = folder
    }

    static func report(_ failure: KeypadFailure, of _: AllDevices) -> KeypadReport { .failed(failure) }

    func failures(of error: SystemCallError) -> [AllDevices: KeypadFailure] {
        [AllDevices(): .system(doing: "start a timer for keypads", errorNumber: error.errorNumber)]
    }

    mutating func close(then callback: @escaping @Sendable () -> Void) {
        nodes = [:]
        numbers = [:]
        callback()
    }

    // MARK: Nodes

    mutating func open(_ port: inout Port) {
        do throws(KeypadFailure) {
            let failure = try openNodes(port)
            if nodes.isEmpty { throw failure ?? wanted.map { .missing(wanted: $0) } ?? .none }
            // A keypad whose keys go to another program is reported even if another keypad works.
            if case .busy? = failure, let failure { throw failure }
            port.succeed(AllDevices())
        } catch {
            port.fail(AllDevices(), error)
        }
    }

    /// Opens all nodes that are new. Returns the failure of one that could not be opened.
    private mutating func openNodes(_ port: Port) throws(KeypadFailure) -> KeypadFailure? {
        var failure: KeypadFailure?
        for (path, links) in try paths() where nodes[path] == nil {
            do throws(KeypadFailure) {
                guard let node = try KeyNode(path, links: links, wanted: wanted) else { continue }
                try node.subscribe(on: port.loop) { [post = port.post] _ in post(path) }
                let isNew = !nodes.values.contains { $0.keypad == node.keypad }
                nodes[path] = node
                if isNew { port.emit(.ready(name: node.name)) }
            } catch {
                // A node that has just been unplugged is not a failure.
                if case .unplugged = error { continue }
                failure = error
            }
        }
        return failure
    }

    /// Returns the nodes of all input devices, with the names that udev gives them.
    private func paths() throws(KeypadFailure) -> [String: [String]] {
        var paths: [String: [String]] = [:]
        for name in try names(folder) where name.hasPrefix("event") { paths["\(folder)/\(name)"] = [] }
        for links in ["by-id", "by-path"] {
            for link in try names("\(folder)/\(links)") {
                guard let target = realpath("\(folder)/\(links)/\(link)", nil) else { continue }
                paths[String(cString: target)]?.append(link)
                free(target)
            }
        }
        return paths
    }

    private func names(_ folder: String) throws(KeypadFailure) -> [String] {
        do throws(FileError) {
            return try Folder.names(in: folder)
        } catch {
            throw .system(doing: "look for keypads in \(folder)", errorNumber: error.errorNumber)
        }
    }

    // MARK: Keys

    mutating func handle(_ path: String, _ port: inout Port) {
        guard let node = nodes[path] else { return }
        do throws(KeypadFailure) {
            for event in try node.readKeys() { handle(event, of: node.keypad, port) }
        } catch {
            nodes[path] = nil
            numbers[node.keypad] = nil
            // If another keypad is left, numbers can still be typed.
            if nodes.isEmpty { port.lose(AllDevices(), error) } else { port.retrySoon() }
        }
    }

    /// Each keypad has a number of its own.
    private mutating func handle(_ event: KeyNode.KeyEvent, of keypad: String, _ port: Port) {
        switch event {
        case .dropped: numbers[keypad] = nil
        case .key(let key):
            port.emit(.pressed)
            if let number = numbers[keypad, default: KeyedNumber()].press(key, uptime: Uptime.milliseconds) {
                port.emit(.number(number))
            }
        }
    }
}
