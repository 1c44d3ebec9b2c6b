// Listens to the contacts on GPIO lines, and looks for the lines that are not there.

import Devices
import EventLoop
import Glibc
import System

/// What a contact on a line does; by its place in the list of those that are listened to.
enum ContactEvent: Hashable, Sendable {
    case found(Int, isDown: Bool)
    case moved(Int, isDown: Bool, uptime: Int)
    case failed(Int, LineFailure)
    case warning(Int, String)
}

/// Lives on the loop. While nothing moves, nothing wakes it.
actor LineWork {
    private let inputs: [LineInput]
    private let loop: EventLoop
    private let emit: @Sendable (ContactEvent) -> Void
    private var contacts: [Contact?]
    private var failures: [LineFailure?]
    private var timer: LoopTimer?
    private var changes: DeviceChanges?
    private var retry = DeviceRetry()

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ inputs: [LineInput], on loop: EventLoop, _ emit: @escaping @Sendable (ContactEvent) -> Void) {
        (self.inputs, self.loop, self.emit) = (inputs, loop, emit)
        contacts = inputs.map { _ in nil }
        failures = inputs.map { _ in nil }
    }

    // MARK: From its start to its end

    func start() {
        guard timer == nil, !inputs.isEmpty else { return }
        do throws(SystemCallError) {
            timer = try LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.poll() } }
        } catch {
            for index in inputs.indices { fail(index, with: error, "listen to it") }
            return
        }
        changes = DeviceChanges(of: "gpio")
        changes?.subscribe(on: loop) { [weak self] in self?.assumeIsolated { $0.chipsChanged() } }
        open()
        poll()
    }

    func stop() {
        (timer, changes, retry) = (nil, nil, DeviceRetry())
        for index in inputs.indices { (contacts[index], failures[index]) = (nil, nil) }
    }

    // MARK: What happens

    private func chipsChanged() {
        changes?.drain()
        // Of a chip that goes, some kernels tell nobody who waits for its edges.
        for case let (index, contact?) in zip(inputs.indices, contacts) {
            do throws(LineFailure) { try contact.check() } catch { lose(index, error) }
        }
        retry.reset()
        open()
        poll()
    }

    private func lineReady(_ index: Int, _ readiness: Readiness) {
        if !readiness.isDisjoint(with: .lost) { lose(index, .gone(inputs[index].name)) }
        poll()
    }

    /// Hears all contacts, so that what they did is told in its order, and has itself called when there is more to do.
    private func poll() {
        if retry.isDue(at: Uptime.milliseconds) { open() }
        var moves: [(index: Int, move: Debounce.DebouncedEdge)] = []
        for index in contacts.indices {
            do throws(LineFailure) {
                let heard = try contacts[index]?.readEdges() ?? []
                moves += heard.map { (index, $0) }
            } catch {
                lose(index, error)
            }
        }
        for (index, move) in moves.sorted(by: { $0.move.uptime < $1.move.uptime }) {
            emit(.moved(index, isDown: move.isDown, uptime: move.uptime))
        }
        let deadlines = contacts.compactMap { $0?.deadline } + [retry.uptime].compactMap(\.self)
        timer?.set(uptimeMilliseconds: deadlines.min())
    }

    // MARK: Lines that come and go

    private func open() {
        for index in inputs.indices where contacts[index] == nil {
            do throws(LineFailure) {
                let contact = try Contact(inputs[index], on: loop) { [weak self] readiness in
                    self?.assumeIsolated { $0.lineReady(index, readiness) }
                }
                contacts[index] = contact
                failures[index] = nil
                emit(.found(index, isDown: contact.isDown))
                if let warning = contact.warning { emit(.warning(index, warning)) }
            } catch {
                reportFailure(index, error)
            }
        }
        if contacts.contains(where: { $0 == nil }) { retry.fail(at: Uptime.milliseconds) } else { retry.reset() }
    }

    private func lose(_ index: Int, _ failure: LineFailure) {
        guard contacts[index] != nil else { return }
        contacts[index] = nil
        reportFailure(index, failure)
        if retry.uptime == nil { retry.fail(at: Uptime.milliseconds) }
    }

    private func fail(_ index: Int, with error: SystemCallError, _ doing: String) {
        reportFailure(index, .system(inputs[index].name, doing: doing, errorNumber: error.errorNumber))
    }

    /// The same is told once.
    private func reportFailure(_ index: Int, _ failure: LineFailure) {
        guard failures[index] != failure else { return }
        failures[index] = failure
        emit(.failed(index, failure))
    }
}
