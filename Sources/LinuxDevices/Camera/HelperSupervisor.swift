// Decides when the camera's program is started, believed and ended.

import Devices

/// The program that reads the camera, over all its runs: a value that is told what happens, and answers what is to be done.
///
///     off ──read──► running ──off──► ending ──ended──► off
///      ▲               │ ▲              │
///      off     failed, │ └─pause over── paused ◄──ended (it is still wanted)
///      │       silent, ▼                │
///      │       breach  ending ──ended───┘
///      └────────────────────────────────┘
///
/// There is one program at most: what cannot be ended, because a driver hangs, is waited for.
struct HelperSupervisor: Sendable {
    enum HelperAction: Hashable {
        /// Starts the program: its end is told, or that there is no camera to start it for.
        case start
        case send(HelperMessage)
        /// Closes its line: it ends by itself.
        case hangUp
        case kill
        case report(CameraReport)
    }

    private enum State {
        case off
        case paused(untilUptime: Int)
        case running(HelperProtocolCheck)
        /// Its line is closed. `killUptime` is when it is killed, or, once it is, when that is said to be in vain; nothing from
        /// then on.
        case ending(killUptime: Int?, isKilled: Bool)
    }

    private struct Wanted: Hashable {
        var kinds: Set<Symbology>
        var previews: Bool

        var message: HelperMessage { .read(kinds, previews: previews) }
    }

    private var state = State.off
    private var wanted: Wanted?
    /// Runs that failed since the last that was proven.
    private var failureCount = 0
    private let timeouts: HelperTimeouts

    init(_ timeouts: HelperTimeouts) { self.timeouts = timeouts }

    /// When it wants to be asked again; nothing for never.
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

    // MARK: What is told

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

    /// The program has said something; nothing stands for what was too long to be taken.
    mutating func receive(_ packet: [UInt8]?, at uptime: Int) -> [HelperAction] {
        guard case .running(var run) = state else { return [] }
        let verdict = run.receive(packet, at: uptime)
        state = .running(run)
        if run.isProven(at: uptime) { failureCount = 0 }
        switch verdict {
        case .nothing: return []
        case .report(let report): return [.report(report)]
        case .failed(let failure): return fail(failure) + end(at: uptime)
        case .breach(let words): return fail(.reader(reason: words)) + killNow(at: uptime)
        }
    }

    /// The program has ended, or could not be started: in words that follow "the program that reads the camera".
    mutating func processEnded(_ words: String, at uptime: Int) -> [HelperAction] {
        switch state {
        case .off, .paused: return []
        case .running:
            let acts = fail(.reader(reason: words)) + [.hangUp]
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
            return wanted == nil ? [] : [.report(.failed(.reader(reason: "hangs in the camera's driver")))]
        }
    }

    // MARK: What comes of it

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

    /// The program is gone: another comes, when it is wanted.
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
