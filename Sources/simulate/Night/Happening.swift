// What may happen in a night beside time passing.

import Alarms
import Engine
import SimulatedDevices

/// Something that happens, whoever does it.
enum Happening: Hashable, Sendable {
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
    /// The disk fails so many times, as soon as it is used.
    case disk(DiskFault.Kind, count: Int)
    /// The disk works again.
    case diskMended
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
    /// Somebody asks for something.
    case ask(Want)
    /// So many people ask for something at once.
    case crowd(Int)
    /// Both buttons are held for so long.
    case hold(milliseconds: Int)

    /// In the middle of the next time that the disk does something.
    indirect case during(Stage, Happening)

    /// What the disk does.
    enum Stage: Hashable, Sendable {
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

/// What somebody asks for.
enum Want: Hashable, Sendable {
    /// The same, whatever the alarms are then.
    case command(Command)
    case add(Int)
    case edit(Int)
    case weaken(Int)
    /// To make one thing about an alarm easier, or harder.
    case change(Int, Ease, isHarder: Bool)
    /// From today on; for no days it is over.
    case pause(Int, days: Int)
    case master(Bool)
    case snoozeBounds(Int, Int)
    case emergencyExit(Bool)
    case deviceZone(Int?)
    /// Another code by the name of one that is enrolled.
    case enrolOver(Int)
    case calendar(DaysOff)
    /// What was set in the evening is to be so again.
    case restoreOldBackup
    /// The last request comes once more.
    case again

    /// What of an alarm can be easier or harder.
    enum Ease: CaseIterable {
        case volume, ramp, ringing, snoozes, snoozeLength, lateness, challenges, sums, codes, time
    }

    /// What becomes of the calendar.
    enum DaysOff: CaseIterable {
        case none, tomorrow, weekend, gone
    }
}

extension Happening {
    /// Whether a machine that sleeps notices.
    var wakesTheMachine: Bool {
        if case .powerCut = self { true } else { false }
    }

    /// What can be left out of a night one kind at a time.
    enum Kind: String, CaseIterable {
        case power, crash, suspend, clock, zone, disk, camera, buttons, people, speaker
    }
}
