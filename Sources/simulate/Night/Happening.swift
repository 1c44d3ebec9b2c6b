// What may happen in a night beside time passing, and the queue of what is still to happen.

import Engine
import SimulatedDevices

/// Something that happens, whoever does it.
enum NightEvent: Hashable, Sendable {
    /// The power goes, and comes back after so long. There may be a clock that goes on meanwhile; later the network tells
    /// what time it is.
    case powerCut(milliseconds: Int, hasClock: Bool, knownAfter: Int)
    /// The service dies, and is started again after so long.
    case crash(milliseconds: Int)
    /// The machine sleeps for so long, and runs nothing meanwhile.
    case suspend(milliseconds: Int)
    /// Somebody sets the clock, by so much.
    case clockStep(milliseconds: Int)
    /// The network tells what time it is.
    case clockSet
    /// Somebody sets the machine's zone.
    case zone(Int)
    /// The disk fails as soon as it is used, or works again.
    case disk(DiskFault?)
    /// The disk takes so long for each commit from now on.
    case diskSpeed(milliseconds: Int)
    /// The camera gives other frames than before, or none.
    case camera(View)
    /// A sound card is plugged in or out, or does something wrong, or no longer.
    case card(Int, isPlugged: Bool, CardFault?)
    /// Something that ringing needs is found to be so.
    case health(Part, Health.Grade)
    /// A button goes down or up, once or bouncing.
    case button(Button, isDown: Bool, bounces: Int)
    /// Somebody sends a command; nil for the last request once more.
    case ask(Command?)
    /// So many people ask for something at once.
    case crowd(Int)
    /// Both buttons are held for so long.
    case hold(milliseconds: Int)

    /// In the middle of the next time that the disk does something.
    indirect case during(DiskStage, NightEvent)

    /// What the disk does.
    enum DiskStage: Hashable, Sendable {
        case write
        /// A snapshot takes the place of all records.
        case compaction
    }

    /// What a camera shows.
    enum View: Hashable, Sendable {
        case room
        /// Somebody has put a sock over it.
        case sock
        /// It is unplugged.
        case nothing
    }
}

extension NightEvent {
    /// What can be left out of a night one kind at a time.
    enum Kind: String, CaseIterable {
        case power, crash, suspend, clock, zone, disk, camera, buttons, people, speaker
    }
}

/// Happenings at their times, those of one time in the order in which they were planned. Some wait for the disk to be in
/// the middle of something.
struct NightEventQueue {
    private var planned: [(at: Int, happening: NightEvent)] = []
    private var armed: [(stage: NightEvent.DiskStage, happening: NightEvent)] = []

    var nextAt: Int? { planned.first?.at }

    mutating func plan(_ happening: NightEvent, at: Int) {
        planned.insert((at, happening), at: planned.firstIndex { $0.at > at } ?? planned.count)
    }

    /// Takes what happens next off the agenda.
    mutating func next() -> NightEvent? {
        planned.isEmpty ? nil : planned.removeFirst().happening
    }

    mutating func arm(_ happening: NightEvent, for stage: NightEvent.DiskStage) {
        armed.append((stage, happening))
    }

    /// The disk has something to do: takes off the agenda whatever waited for that.
    mutating func armed(for stage: NightEvent.DiskStage) -> [NightEvent] {
        defer { armed.removeAll { $0.stage == stage } }
        return armed.filter { $0.stage == stage }.map(\.happening)
    }
}

/// Two faults of which one is the clock's are a minute apart, or the second waits: what both at once come to is left open.
/// That the time becomes known after a power cut is no fault.
struct FaultSpacing {
    private var clockFaultAt = Int.min / 2
    private var otherFaultAt = Int.min / 2

    private static let milliseconds = 60_000

    /// Until when a happening has to wait; nil where it may happen now, which is noted.
    mutating func postponement(of happening: NightEvent, at now: Int, awakeSince: Int, isClockTrusted: Bool) -> Int? {
        let isOfClock: Bool
        switch happening {
        case .clockStep, .zone, .clockSet: isOfClock = true
        case .powerCut, .crash, .suspend: isOfClock = false
        default: return nil
        }
        let until = (isOfClock ? max(clockFaultAt, otherFaultAt, awakeSince) : clockFaultAt) + FaultSpacing.milliseconds
        let isKnownAtLast = happening == .clockSet && !isClockTrusted
        if now < until, !isKnownAtLast { return until }
        if isOfClock { clockFaultAt = now } else { otherFaultAt = now }
        return nil
    }
}
