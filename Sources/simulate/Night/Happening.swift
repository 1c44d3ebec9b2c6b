// What may happen in a night beside time passing.

import Alarms
import Engine
import SimulatedDevices

/// Something that happens, whoever does it.
enum Happening: Hashable, Sendable {
    /// The power goes, and comes back after so long. There may be a clock that goes on meanwhile.
    case powerCut(milliseconds: Int, hasClock: Bool)
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
    /// The camera gives frames, or no longer.
    case camera(Bool)
    /// A button goes down or up, once or bouncing.
    case button(Button, isDown: Bool, bounces: Int)
    /// Somebody asks for something.
    case ask(Want)
    /// Both buttons are held for so long.
    case hold(milliseconds: Int)
}

/// What somebody asks for: the commands that a night may have, before it is known what the alarms are then.
enum Want: Hashable, Sendable {
    case add(Int)
    case edit(Int)
    case weaken(Int)
    case delete(Int)
    case enable(Int, Bool)
    case skip(Int)
    case unskip(Int)
    case pause(Int)
    case master(Bool)
    case lock(seconds: Int)
    case deviceZone(Int?)
    case forget(Int)
    case enrol(Int)
    case restoreOldBackup
    case snooze(seconds: Int?)
    case stop
    case unlock(Int)
    case answer(Int)
    case testRing
    case again
}

extension Happening {
    /// What can be left out of a night one kind at a time.
    enum Kind: String, CaseIterable {
        case power, crash, suspend, clock, zone, disk, camera, buttons, people
    }
}
