// The events of a night, and the queue of future events.

import Alarms
import Engine
import Health
import SimulatedDevices

enum NightEvent: Hashable, Sendable {
    /// A power cut. If `hasClock`, a hardware clock runs on. The network sets the clock after `knownAfter`.
    case powerCut(milliseconds: Int, hasClock: Bool, knownAfter: Int)
    /// The service crashes, and starts again after this time.
    case crash(milliseconds: Int)
    case suspend(milliseconds: Int)
    case clockStep(milliseconds: Int)
    case clockSet
    case zone(Int)
    /// The disk has this fault from its next use on; nil if it works again.
    case disk(DiskFault?)
    /// The disk takes this time for each commit from now on.
    case diskSpeed(milliseconds: Int)
    case camera(View)
    /// The configuration loses these devices, or has them again. The service restarts.
    case configuration(without: Set<Part>)
    case card(Int, isPlugged: Bool, CardFault?)
    case health(Part, Health.Grade)
    case button(Button, isDown: Bool, bounces: Int)
    /// A client sends a command; nil repeats the last request.
    case ask(Command?)
    /// Clients send this number of commands at once.
    case burst(Int)
    /// The sleeper turns over, which the step sensor may notice.
    case movement
    /// Both buttons are held for this time.
    case hold(milliseconds: Int)
    /// Someone holds this tag to the reader.
    case touch(tag: String)

    /// The event happens in the middle of the disk's next operation of this kind.
    indirect case during(DiskStage, NightEvent)

    enum DiskStage: Hashable, Sendable {
        case write
        case compaction
    }

    enum View: Hashable, Sendable {
        case room
        case sock
        /// The camera is unplugged.
        case nothing
    }
}

extension NightEvent {
    /// The kinds of events; each can be left out of a night.
    enum Kind: String, CaseIterable {
        case power, crash, suspend, clock, zone, disk, camera, buttons, people, speaker, devices
    }
}

/// The queue of events, by time and then in the order of planning. Armed events wait for a disk operation.
struct NightEventQueue {
    private var planned: [(at: Int, event: NightEvent)] = []
    private var armed: [(stage: NightEvent.DiskStage, event: NightEvent)] = []

    var nextAt: Int? { planned.first?.at }

    mutating func plan(_ event: NightEvent, at: Int) {
        planned.insert((at, event), at: planned.firstIndex { $0.at > at } ?? planned.count)
    }

    mutating func next() -> NightEvent? {
        planned.isEmpty ? nil : planned.removeFirst().event
    }

    mutating func arm(_ event: NightEvent, for stage: NightEvent.DiskStage) {
        armed.append((stage, event))
    }

    /// Removes and returns the events that are armed for this disk operation.
    mutating func armed(for stage: NightEvent.DiskStage) -> [NightEvent] {
        defer { armed.removeAll { $0.stage == stage } }
        return armed.filter { $0.stage == stage }.map(\.event)
    }
}

/// A filter that keeps a fault of the clock a minute apart from every other fault. It postpones the second
/// one, because the rules do not cover both at once. A clock that becomes trusted again is not a fault.
struct FaultSpacing {
    private var clockFaultAt = Int.min / 2
    private var otherFaultAt = Int.min / 2

    private static let milliseconds = 60_000

    /// Returns the time to which an event is postponed, or nil if it happens now.
    mutating func postponement(of event: NightEvent, at now: Int, awakeSince: Int, isClockTrusted: Bool) -> Int? {
        let isOfClock: Bool
        switch event {
        case .clockStep, .zone, .clockSet: isOfClock = true
        case .powerCut, .crash, .suspend: isOfClock = false
        default: return nil
        }
        let until = (isOfClock ? max(clockFaultAt, otherFaultAt, awakeSince) : clockFaultAt) + FaultSpacing.milliseconds
        let isKnownAtLast = event == .clockSet && !isClockTrusted
        if now < until, !isKnownAtLast { return until }
        if isOfClock { clockFaultAt = now } else { otherFaultAt = now }
        return nil
    }
}
