// The two buttons: bouncing, stuck, or held together, and what a press means.

import Alarms

/// What is known of the buttons.
struct Buttons: Hashable, Sendable {
    private struct Line: Hashable, Sendable {
        var isDown = false
        var edgeUptime = Int.min / 2
        var pressUptime: Int?
        /// When it last went down and up, for as long as that tells a loose wire.
        var edgeUptimes: [Int] = []
        var isLoose = false
    }

    /// Who holds the emergency way out elsewhere says so again and again: a page that was closed holds nothing.
    private struct Hold: Hashable, Sendable {
        var door: Door
        var sinceUptime: Int
        var lastUptime: Int
    }

    /// A press that meant nothing when it was made: held for longer, it asks for something.
    private struct IdlePress: Hashable, Sendable {
        var button: Button
        var uptime: Int
    }

    private var lines: [Button: Line] = [:]
    private var hold: Hold?
    private var idle: IdlePress?
    /// What is wrong with the lines, as whoever reads them tells.
    private var lineHealth = Health.ok
    /// When a button has been held for long, or is stuck, or a loose one has been quiet, or who holds the way out has not said so.
    private(set) var nextDeadline: Int?
    /// Whether something has happened since `update`.
    private var isStale = false

    /// Contacts bounce for less than this.
    private static let bounceMilliseconds = 50
    /// So long both are held by whoever wants the emergency way out.
    static let emergencyMilliseconds = 60_000
    /// From the one to the next, the lamp quickens.
    static let emergencyStageMilliseconds = emergencyMilliseconds / 3
    private static let holdMilliseconds = 5000
    /// Nobody holds a button for longer.
    private static let stuckMilliseconds = 180_000
    /// Nobody presses a button so often: a wire is loose, and is not listened to until it has been quiet for a while.
    private static let looseCount = 80
    private static let looseMilliseconds = 5000
    /// Held for so long, a button that has nothing to do asks for something.
    private static let longMilliseconds = 1000

    /// A button went down or up. Answers whether that is a press.
    mutating func move(_ button: Button, isDown: Bool, uptime: Int) -> Bool {
        var line = lines[button] ?? Line()
        guard isDown != line.isDown else { return false }
        line.isLoose = line.isLoose && uptime - line.edgeUptime < Buttons.looseMilliseconds
        line.edgeUptimes = line.edgeUptimes.suffix(Buttons.looseCount - 1) + [uptime]
        if line.edgeUptimes.count == Buttons.looseCount, uptime - line.edgeUptimes[0] <= Buttons.looseMilliseconds {
            line.isLoose = true
        }
        let isPress = isDown && uptime - line.edgeUptime >= Buttons.bounceMilliseconds && !line.isLoose
        if isPress { line.pressUptime = uptime }
        line.isDown = isDown
        line.edgeUptime = uptime
        lines[button] = line
        isStale = true
        return isPress
    }

    /// A button is down or up when it is first read, or again: when it went down nobody knows.
    mutating func find(_ button: Button, isDown: Bool, uptime: Int) {
        lines[button] = Line(isDown: isDown, edgeUptime: uptime)
        isStale = true
    }

    /// How its lines are was told.
    mutating func hear(_ health: Health) { (lineHealth, isStale) = (health, true) }

    /// Lets time pass. Answers, where anything may have changed, which button has been held for long, and how the buttons are.
    mutating func update(at uptime: Int) -> (longPress: Button?, health: Health)? {
        guard isStale || nextDeadline.map({ $0 <= uptime }) ?? false else { return nil }
        isStale = false
        let button = longPress(at: uptime)
        nextDeadline = deadline(after: uptime)
        return (button, health(at: uptime))
    }

    /// All that is wrong with the buttons.
    private func health(at uptime: Int) -> Health {
        var health = lineHealth
        for button in Button.allCases {
            guard let line = lines[button] else { continue }
            if line.isDown, uptime - line.edgeUptime >= Buttons.stuckMilliseconds {
                health.causes.append(.buttonStuck(button))
            }
            if line.isLoose, uptime - line.edgeUptime < Buttons.looseMilliseconds {
                health.causes.append(.buttonLoose(button))
            }
        }
        return health
    }

    /// A press that has nothing to do, unless it is held for longer.
    mutating func idle(_ button: Button, uptime: Int) {
        (idle, isStale) = (IdlePress(button: button, uptime: uptime), true)
    }

    /// The button that has been held for long while there was nothing for it to do; it is so once.
    private mutating func longPress(at uptime: Int) -> Button? {
        guard let idle, uptime >= idle.uptime + Buttons.longMilliseconds else { return nil }
        self.idle = nil
        guard let line = lines[idle.button], line.isDown, line.pressUptime == idle.uptime else { return nil }
        return idle.button
    }

    private func deadline(after uptime: Int) -> Int? {
        var next = idle.map { $0.uptime + Buttons.longMilliseconds } ?? .max
        if let held = held(at: uptime) { next = min(next, held.lastUptime + Buttons.holdMilliseconds + 1) }
        for line in lines.values where line.isDown || line.isLoose {
            let stuck = line.isDown ? line.edgeUptime + Buttons.stuckMilliseconds : 0
            let quiet = line.isLoose ? line.edgeUptime + Buttons.looseMilliseconds : 0
            for deadline in [stuck, quiet] where deadline > uptime { next = min(next, deadline) }
        }
        return next == .max ? nil : next
    }

    /// What has been held so far has had its effect: it counts again when it is pressed again.
    mutating func forgetPresses() {
        for button in lines.keys { lines[button]?.pressUptime = nil }
        hold = nil
    }

    /// The emergency way out is held elsewhere, or still is.
    mutating func hold(by door: Door, uptime: Int) {
        hold = Hold(door: door, sinceUptime: held(at: uptime)?.sinceUptime ?? uptime, lastUptime: uptime)
        isStale = true
    }

    mutating func release() { hold = nil }

    private func held(at uptime: Int) -> Hold? {
        hold.flatMap { uptime - $0.lastUptime <= Buttons.holdMilliseconds ? $0 : nil }
    }

    /// Where the emergency way out is held, and since when without a break. What was held before `began` is stuck.
    func emergency(since began: Int, at uptime: Int) -> (door: Door, sinceUptime: Int)? {
        let elsewhere = held(at: uptime)
        let both = bothHeldSinceUptime(pressedSince: began)
        let page = elsewhere.flatMap { $0.sinceUptime >= began ? $0.sinceUptime : nil }
        guard let since = [both, page].compactMap(\.self).min() else { return nil }
        return (elsewhere?.door ?? .button, since)
    }

    private func bothHeldSinceUptime(pressedSince began: Int) -> Int? {
        guard let snooze = lines[.snooze], let stop = lines[.stop], snooze.isDown, stop.isDown,
            let first = snooze.pressUptime, let second = stop.pressUptime, min(first, second) >= began
        else { return nil }
        return max(first, second)
    }

    /// Whether anything is held that could be the emergency way out.
    var areHeld: Bool { hold != nil || lines.count > 1 && lines.values.allSatisfy(\.isDown) }

    /// What tells them apart from others: see `Engine.stateKey`.
    func combineState(into hasher: inout Hasher) {
        for button in Button.allCases {
            hasher.combine(lines[button]?.isDown)
            hasher.combine(lines[button]?.isLoose)
        }
        hasher.combine(hold?.door)
        hasher.combine(idle?.button)
        hasher.combine(lineHealth)
    }
}

extension Engine {
    mutating func buttonMoved(_ button: Button, isDown: Bool, at uptime: Int) {
        guard buttons.move(button, isDown: isDown, uptime: uptime) else { return }
        // A press from before the ring, handled late, is not meant for the ring.
        if let began = sessions.addressed?.timing?.startUptime, uptime < began { return }
        if attempts.current?.wantsButtons == true { return apply(.press(button), at: .button) }
        // At night nobody is to be startled for having touched it.
        guard !sessions.isEmpty else { return buttons.idle(button, uptime: uptime) }
        switch button {
        case .snooze: receive(.snooze(seconds: nil), from: asking(.button))
        case .stop: receive(.stop, from: asking(.button))
        }
    }

    /// A button is held for long that has nothing else to do.
    private mutating func answerLongPress(_ button: Button?) {
        guard sessions.isEmpty else { return }
        switch button {
        case .stop?: effects.append(.tell(.next(agenda.due.first)))
        case .snooze?:
            effects.append(.tell(.inBed))
            effects.append(.preflight)
        case nil: break
        }
    }

    /// The emergency way out of the session that is addressed, as far as it is held.
    private var emergency: (session: Session, door: Door, sinceUptime: Int)? {
        guard buttons.areHeld, let session = sessions.addressed, session.terms.hasEmergencyExit,
            let began = session.timing?.startUptime,
            let (door, since) = buttons.emergency(since: began, at: clock.uptime)
        else { return nil }
        return (session, door, since)
    }

    /// Whose emergency way out is held, and for how long still until it opens.
    var emergencyLeft: (session: Occurrence, milliseconds: Int)? {
        emergency.map { ($0.session.occurrence, $0.sinceUptime + Buttons.emergencyMilliseconds - clock.uptime) }
    }

    /// How far it is, for the lamp; nil while it is not held.
    var emergencyLight: StatusLight? {
        emergencyLeft.map { left in
            switch left.milliseconds {
            case ...Buttons.emergencyStageMilliseconds: .heldLongest
            case ...(2 * Buttons.emergencyStageMilliseconds): .heldLonger
            default: .held
            }
        }
    }

    /// When the emergency way out will have been held for long enough for the lamp to show more, or to open.
    var emergencyUptime: Int? {
        emergencyLeft.map { left in
            let stage = Buttons.emergencyStageMilliseconds
            return clock.uptime + max(0, left.milliseconds - (left.milliseconds - 1) / stage * stage)
        }
    }

    /// Ends the session whose owner has no other way: a code can burn.
    mutating func watchButtons() {
        if let (longPress, health) = buttons.update(at: clock.uptime) {
            answerLongPress(longPress)
            if health != preflight.health[.buttons] ?? .ok { found(.buttons, health) }
        }
        guard let (session, door, since) = emergency, since + Buttons.emergencyMilliseconds <= clock.uptime else {
            return
        }
        end(session, .emergency, by: door)
        buttons.forgetPresses()
    }
}
