// The two buttons: stuck buttons, loose wires, long presses and the emergency exit.

import Alarms
import Health

package struct ButtonStates: Hashable, Sendable {
    package struct ContactState: Hashable, Sendable {
        package fileprivate(set) var isDown = false
        var edgeUptime = Int.min / 2
        var pressUptime: Int?
        /// The last edges, as many as identify a loose wire.
        var edgeUptimes: [Int] = []
        package fileprivate(set) var isLoose = false
    }

    /// A client's hold of the emergency exit, by heartbeats. If the client disappears, the hold ends.
    package struct RemoteHold: Hashable, Sendable {
        package let sender: Sender
        var sinceUptime: Int
        var lastUptime: Int
    }

    /// A press that had no use when it was made. It has one only if it becomes a long press.
    package struct IdlePress: Hashable, Sendable {
        package let button: Button
        var uptime: Int
    }

    package private(set) var contacts: [Button: ContactState] = [:]
    package private(set) var hold: RemoteHold?
    package private(set) var idle: IdlePress?
    package private(set) var lineHealth = Health.ok
    /// The next deadline: of a long press, a stuck button, a loose wire or a client's heartbeat.
    private(set) var nextDeadline = Deadline.never

    /// The time for which both buttons must be held for the emergency exit.
    static let emergencyMilliseconds = 60_000
    /// The length of a stage. In each stage the lamp blinks faster.
    static let emergencyStageMilliseconds = emergencyMilliseconds / 3
    private static let holdMilliseconds = 5000
    /// The time after which a button that is down counts as stuck.
    private static let stuckMilliseconds = 180_000
    /// The edges within 5 s that identify a loose wire. The button is ignored until it is quiet for 5 s.
    private static let looseCount = 80
    private static let looseMilliseconds = 5000
    /// The time between the presses of both buttons within which they count as one, the emergency exit's.
    private static let togetherMilliseconds = 250
    /// The time after which a press counts as long.
    private static let longMilliseconds = 1000

    /// Records an edge, which the driver has debounced. Returns whether it is a press.
    mutating func move(_ button: Button, isDown: Bool, uptime: Int) -> Bool {
        var contact = contacts[button] ?? ContactState()
        guard isDown != contact.isDown else { return false }
        contact.isLoose = contact.isLoose && uptime - contact.edgeUptime < ButtonStates.looseMilliseconds
        contact.edgeUptimes = contact.edgeUptimes.suffix(ButtonStates.looseCount - 1) + [uptime]
        if contact.edgeUptimes.count == ButtonStates.looseCount,
            uptime - contact.edgeUptimes[0] <= ButtonStates.looseMilliseconds
        {
            contact.isLoose = true
        }
        let isPress = isDown && !contact.isLoose
        if isPress { contact.pressUptime = uptime }
        contact.isDown = isDown
        contact.edgeUptime = uptime
        contacts[button] = contact
        nextDeadline = .now
        return isPress
    }

    /// Returns the uptime of the other button's press if both are pressed together: it is still down, and was
    /// pressed at most 250 ms before.
    func pressOfOther(before button: Button, at uptime: Int) -> Int? {
        let other: Button = button == .snooze ? .stop : .snooze
        guard let contact = contacts[other], contact.isDown, let press = contact.pressUptime,
            uptime - press <= ButtonStates.togetherMilliseconds
        else { return nil }
        return press
    }

    /// Records the position of a button when its contact is first read, or read again. The press has no known
    /// time.
    mutating func reset(_ button: Button, isDown: Bool, uptime: Int) {
        contacts[button] = ContactState(isDown: isDown, edgeUptime: uptime)
        nextDeadline = .now
    }

    mutating func setLineHealth(_ health: Health) {
        lineHealth = health
        nextDeadline = .now
    }

    /// Advances to `uptime`. Returns the button of a long press, and the health of the buttons.
    mutating func update(at uptime: Int) -> (longPress: Button?, health: Health) {
        let button = longPress(at: uptime)
        nextDeadline = deadline(after: uptime)
        return (button, health(at: uptime))
    }

    /// The health of the buttons, with stuck and loose buttons.
    private func health(at uptime: Int) -> Health {
        var health = lineHealth
        for button in Button.allCases {
            guard let contact = contacts[button] else { continue }
            if contact.isDown, uptime - contact.edgeUptime >= ButtonStates.stuckMilliseconds {
                health.causes.append(.buttonStuck(button))
            }
            if contact.isLoose, uptime - contact.edgeUptime < ButtonStates.looseMilliseconds {
                health.causes.append(.buttonLoose(button))
            }
        }
        return health
    }

    /// Records a press that has no use unless it becomes a long press.
    mutating func idle(_ button: Button, uptime: Int) {
        idle = IdlePress(button: button, uptime: uptime)
        nextDeadline = .now
    }

    /// Returns the button of a long press, once.
    private mutating func longPress(at uptime: Int) -> Button? {
        guard let idle, uptime >= idle.uptime + ButtonStates.longMilliseconds else { return nil }
        self.idle = nil
        guard let contact = contacts[idle.button], contact.isDown, contact.pressUptime == idle.uptime else {
            return nil
        }
        return idle.button
    }

    private func deadline(after uptime: Int) -> Deadline {
        var next = idle.map { $0.uptime + ButtonStates.longMilliseconds } ?? .max
        if let held = held(at: uptime) { next = min(next, held.lastUptime + ButtonStates.holdMilliseconds + 1) }
        for contact in contacts.values where contact.isDown || contact.isLoose {
            let stuck = contact.isDown ? contact.edgeUptime + ButtonStates.stuckMilliseconds : 0
            let quiet = contact.isLoose ? contact.edgeUptime + ButtonStates.looseMilliseconds : 0
            for deadline in [stuck, quiet] where deadline > uptime { next = min(next, deadline) }
        }
        return .uptime(next)
    }

    /// Forgets all presses: a button that is still down counts only when it is pressed again.
    mutating func forgetPresses() {
        for button in contacts.keys { contacts[button]?.pressUptime = nil }
        hold = nil
    }

    /// Records that a client holds the emergency exit. Each call is a heartbeat.
    mutating func hold(by sender: Sender, uptime: Int) {
        hold = RemoteHold(sender: sender, sinceUptime: held(at: uptime)?.sinceUptime ?? uptime, lastUptime: uptime)
        nextDeadline = .now
    }

    mutating func release() { hold = nil }

    private func held(at uptime: Int) -> RemoteHold? {
        hold.flatMap { uptime - $0.lastUptime <= ButtonStates.holdMilliseconds ? $0 : nil }
    }

    /// Returns the sender and the start of the hold, if any. A button pressed before `began` counts as
    /// stuck.
    func emergency(since began: Int, at uptime: Int) -> (sender: Sender, sinceUptime: Int)? {
        let elsewhere = held(at: uptime)
        let both = bothHeldSinceUptime(pressedSince: began)
        let page = elsewhere.flatMap { $0.sinceUptime >= began ? $0.sinceUptime : nil }
        guard let since = [both, page].compactMap(\.self).min() else { return nil }
        return (elsewhere?.sender ?? Sender(.button), since)
    }

    private func bothHeldSinceUptime(pressedSince began: Int) -> Int? {
        guard let snooze = contacts[.snooze], let stop = contacts[.stop], snooze.isDown, stop.isDown,
            let first = snooze.pressUptime, let second = stop.pressUptime, min(first, second) >= began
        else { return nil }
        return max(first, second)
    }

    /// True if the emergency exit may be held now.
    var areHeld: Bool { hold != nil || contacts.count > 1 && contacts.values.allSatisfy(\.isDown) }
}
