// Listens to the keys of all keypads while somebody is to type.

import Devices
import EventLoop
import Glibc
import System

extension LoopInput<KeypadReport> {
    /// Keypads that are off: those whose name in `ls /dev/input/by-id`, or their own, begins like that; nil for all.
    package convenience init(keypad name: String?, on loop: EventLoop) {
        self.init(on: loop) { reporting in
            let work = KeypadWork(name, in: "/dev/input", on: loop, reporting)
            return ({ await work.order(isOn: $0) }, { await work.end() })
        }
    }
}

/// Lives on the loop. While it is off, no node is open, and all keys go where they always do.
actor KeypadWork {
    private let wanted: String?
    private let loop: EventLoop
    private let folder: String
    private let reporting: AsyncStream<KeypadReport>.Continuation
    private var nodes: [String: KeyNode] = [:]
    private var numbers: [String: KeyedNumber] = [:]
    private var changes: DeviceChanges?
    private var timer: LoopTimer?
    private var retry = DeviceRetry()
    private var failure: KeypadFailure?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(
        _ wanted: String?, in folder: String, on loop: EventLoop,
        _ reporting: AsyncStream<KeypadReport>.Continuation
    ) {
        (self.wanted, self.folder, self.loop, self.reporting) = (wanted, folder, loop, reporting)
    }

    func order(isOn: Bool) {
        guard isOn != (timer != nil) else { return }
        guard isOn else { return stop() }
        do throws(SystemCallError) {
            timer = try LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.openNodes() } }
        } catch {
            return fail(.system(doing: "time a keypad", errorNumber: error.errorNumber))
        }
        changes = DeviceChanges(of: "input")
        changes?.subscribe(on: loop) { [weak self] in self?.assumeIsolated { $0.devicesChanged() } }
        openNodes()
    }

    func end() {
        stop()
        reporting.finish()
    }

    private func stop() {
        (timer, changes, retry, failure) = (nil, nil, DeviceRetry(), nil)
        (nodes, numbers) = ([:], [:])
    }

    // MARK: Nodes that come and go

    private func devicesChanged() {
        changes?.drain()
        retry.reset()
        openNodes()
    }

    /// Opens all nodes that are new. Where there is none, and where udev does not tell of a new one, it looks again.
    private func openNodes() {
        var trouble: KeypadFailure?
        for (path, links) in paths() where nodes[path] == nil {
            do throws(KeypadFailure) {
                guard let node = try KeyNode(path, links: links, wanted: wanted) else { continue }
                try node.subscribe(on: loop) { [weak self] _ in self?.assumeIsolated { $0.nodeReady(path) } }
                let isNew = !nodes.values.contains { $0.keypad == node.keypad }
                nodes[path] = node
                if isNew { reporting.yield(.ready(name: node.name)) }
            } catch {
                // One that was pulled out just now is none.
                if case .unplugged = error { continue }
                trouble = error
            }
        }
        if nodes.isEmpty {
            fail(trouble ?? wanted.map { .missing(wanted: $0) } ?? .none)
        } else if case .busy? = trouble, let trouble {
            fail(trouble)
        } else {
            failure = nil
        }
        if failure == nil { retry.reset() } else { retry.fail(at: Uptime.milliseconds) }
        timer?.set(uptimeMilliseconds: retry.uptime)
    }

    /// All nodes of input devices, with the names that udev gives them.
    private func paths() -> [String: [String]] {
        var paths: [String: [String]] = [:]
        for name in names(folder) where name.hasPrefix("event") { paths["\(folder)/\(name)"] = [] }
        for links in ["by-id", "by-path"] {
            for link in names("\(folder)/\(links)") {
                guard let target = realpath("\(folder)/\(links)/\(link)", nil) else { continue }
                paths[String(cString: target)]?.append(link)
                free(target)
            }
        }
        return paths
    }

    private func names(_ folder: String) -> [String] {
        do throws(FolderError) {
            return try Folder.names(in: folder)
        } catch {
            fail(.system(doing: "look for keypads in \(folder)", errorNumber: error.errorNumber))
            return []
        }
    }

    /// The same is told once.
    private func fail(_ failure: KeypadFailure) {
        guard self.failure != failure else { return }
        self.failure = failure
        reporting.yield(.failed(failure))
    }

    // MARK: Keys

    private func nodeReady(_ path: String) {
        guard let node = nodes[path] else { return }
        do throws(KeypadFailure) {
            for heard in try node.readKeys() { handle(heard, of: node.keypad) }
        } catch {
            nodes[path] = nil
            numbers[node.keypad] = nil
            // Where there is another, that is typed on.
            if nodes.isEmpty { fail(error) }
            retry.reset()
            retry.fail(at: Uptime.milliseconds)
            timer?.set(uptimeMilliseconds: retry.uptime)
        }
    }

    /// Two who type at once on two keypads type two numbers.
    private func handle(_ heard: KeyNode.KeyEvent, of keypad: String) {
        switch heard {
        case .dropped: numbers[keypad] = nil
        case .key(let key):
            if let number = numbers[keypad, default: KeyedNumber()].press(key, uptime: Uptime.milliseconds) {
                reporting.yield(.number(number))
            }
        }
    }
}
