// Decides when the camera's helper process is started, trusted, restarted and killed.
//
// Drivers and decoders parse data that strangers made, so a separate process, the helper, runs them. It may
// crash, fall silent, hang in a driver, or send nonsense because a picture has taken it over. Restarting it
// whenever it exits is not enough: a hung helper never exits, and one that crashes at once would be
// restarted without a pause. Killing it at once leaves the camera's controls changed.
//
// 1. An order to read starts the helper. The first packet must come within 5 s. From then on a packet must
//    come every 2 s, and a frame every 10 s.
// 2. `HelperProtocolCheck` checks every packet. After a breach or a missed deadline the helper is killed,
//    and the failure is reported.
// 3. To end a helper, the service closes its socket. The helper restores the camera's controls and exits. If
//    it is still there after 1 s, it is killed.
// 4. If a killed helper does not exit, a driver hangs. No second helper starts, because the camera is in
//    use. After 2 s the hang is reported.
// 5. After a failure the next start waits, 250 ms at first and 5 s at most. Any change of the cameras ends
//    the wait. 10 s with frames reset the backoff.
//
// Example: the camera is unplugged during a ring. The helper reports this, its socket is closed, and it
// exits. The state is `paused`, and the next two starts find no camera. The owner plugs it in, udev reports
// it, and the helper starts at once.

import Devices

/// The state machine of the helper over all its runs. It is a value: each method records an event and
/// returns the actions that follow.
///
///    off ──read──► running ──off──► ending ──exited──► off
///     ▲               │ ▲              │
///     off     failed, │ └─pause over── paused ◄──exited (still wanted)
///     │       silent, ▼                │
///     │       breach  ending ──exited──┘
///     └────────────────────────────────┘
struct HelperSupervisor: Sendable {
    enum HelperAction: Hashable {
        /// Starts the helper. `processEnded` or `cameraMissing` follows if that fails.
        case start
        case send(HelperMessage)
        /// Closes the socket, so that the helper exits by itself.
        case hangUp
        case kill
        case report(CameraReport)
    }

    private enum State {
        case off
        case paused(untilUptime: Int)
        case running(HelperProtocolCheck)
        /// The socket is closed. `killUptime` is the time to kill the helper or, once it is killed, to
        /// report that it hangs; nil after that.
        case ending(killUptime: Int?, isKilled: Bool)
    }

    private struct Wanted: Hashable {
        var kinds: Set<Symbology>
        var previews: Bool

        var message: HelperMessage { .read(kinds, previews: previews) }
    }

    private var state = State.off
    private var wanted: Wanted?
    /// Failures since the last run that was proven.
    private var failureCount = 0
    private let timeouts: HelperTimeouts

    init(_ timeouts: HelperTimeouts) { self.timeouts = timeouts }

    /// The time of the next call of `tick`; nil for never.
    var deadline: Int? {
        switch state {
        case .off: nil
        case .paused(let uptime): uptime
        case .running(let run): run.deadline
        case .ending(let uptime, _): uptime
        }
    }

    var isOff: Bool {
        if case .off = state { true } else { false }
    }

    // MARK: Events

    mutating func order(_ order: CameraOrder, at uptime: Int) -> [HelperAction] {
        let before = wanted
        switch order {
        case .off: wanted = nil
        case .read(let kinds, let previews): wanted = Wanted(kinds: kinds, previews: previews)
        }
        guard wanted != before else { return [] }
        if before == nil || wanted == nil { failureCount = 0 }
        switch (state, wanted) {
        case (.off, .some): return start(at: uptime)
        case (.paused, nil): state = .off
        case (.running, nil): return end(at: uptime)
        case (.running(var run), .some(let wanted)):
            run.order(wanted.kinds, previews: wanted.previews, at: uptime)
            state = .running(run)
            return [.send(wanted.message)]
        case (.off, nil), (.paused, .some), (.ending, _): break
        }
        return []
    }

    /// Handles a packet; nil stands for a packet that was too long to receive.
    mutating func receive(_ packet: [UInt8]?, at uptime: Int) -> [HelperAction] {
        guard case .running(var run) = state else { return [] }
        let verdict = run.receive(packet, at: uptime)
        state = .running(run)
        if run.isProven(at: uptime) { failureCount = 0 }
        switch verdict {
        case .nothing: return []
        case .report(let report): return [.report(report)]
        case .failed(let failure): return fail(failure) + end(at: uptime)
        case .breach(let reason): return fail(.reader(reason: reason)) + killNow(at: uptime)
        }
    }

    /// Handles the helper's end or failed start. The text follows "the program that reads the camera".
    mutating func processEnded(_ reason: String, at uptime: Int) -> [HelperAction] {
        switch state {
        case .off, .paused: return []
        case .running:
            let acts = fail(.reader(reason: reason)) + [.hangUp]
            return acts + restart(at: uptime)
        case .ending: return restart(at: uptime)
        }
    }

    mutating func cameraMissing(at uptime: Int) -> [HelperAction] {
        guard case .running = state else { return [] }
        return fail(.none) + restart(at: uptime)
    }

    mutating func camerasChanged(at uptime: Int) -> [HelperAction] {
        guard case .paused = state else { return [] }
        return start(at: uptime)
    }

    mutating func tick(at uptime: Int) -> [HelperAction] {
        guard let deadline, deadline <= uptime else { return [] }
        switch state {
        case .off: return []
        case .paused: return start(at: uptime)
        case .running(let run): return fail(.reader(reason: run.overdue)) + killNow(at: uptime)
        case .ending(_, isKilled: false):
            state = .ending(killUptime: uptime + timeouts.killMilliseconds, isKilled: true)
            return [.kill]
        case .ending(_, isKilled: true):
            state = .ending(killUptime: nil, isKilled: true)
            return wanted == nil ? [] : [.report(.failed(.reader(reason: "hangs in the driver")))]
        }
    }

    // MARK: Transitions

    private mutating func start(at uptime: Int) -> [HelperAction] {
        guard let wanted else {
            state = .off
            return []
        }
        state = .running(HelperProtocolCheck(wanted.kinds, previews: wanted.previews, at: uptime, timeouts))
        return [.start, .send(wanted.message)]
    }

    private mutating func fail(_ failure: CameraFailure) -> [HelperAction] {
        failureCount += 1
        return [.report(.failed(failure))]
    }

    private mutating func end(at uptime: Int) -> [HelperAction] {
        state = .ending(killUptime: uptime + timeouts.endMilliseconds, isKilled: false)
        return [.hangUp]
    }

    private mutating func killNow(at uptime: Int) -> [HelperAction] {
        state = .ending(killUptime: uptime + timeouts.killMilliseconds, isKilled: true)
        return [.hangUp, .kill]
    }

    /// Begins a new run, or the pause before it, if codes are still wanted.
    private mutating func restart(at uptime: Int) -> [HelperAction] {
        guard wanted != nil else {
            state = .off
            return []
        }
        guard failureCount > 0 else { return start(at: uptime) }
        let pauses = timeouts.backoffMilliseconds
        state = .paused(untilUptime: uptime + pauses[min(failureCount, pauses.count) - 1])
        return []
    }
}
