// The lamps that shine at the bed.

import Sound

package protocol Lamps: Sendable {
    /// Says what a lamp shows from now on, in the place of all before. It returns at once.
    func show(_ light: LampLight, on lamp: LampRole)
    /// Has a lamp flash once in that rhythm, beside what it shows. It returns at once.
    func flash(_ rhythm: Rhythm, on lamp: LampRole)
    /// Puts them out and lets go of them for good; the reports end.
    func end()
    /// What becomes of them, for one listener.
    var reports: AsyncStream<LampReport> { get }
}

package enum LampRole: String, Hashable, Sendable, CaseIterable {
    /// It tells how Rooster is.
    case status
    /// It lights up what is held before the camera.
    case camera
}

package enum LampLight: Hashable, Sendable {
    case off, on
    /// Light and darkness in turns.
    case blinking(Rhythm)
}

package enum LampReport: Hashable, Sendable {
    /// The lamp does as it is told: from the start, or again.
    case ready(LampRole)
    /// The lamp cannot be set, and why. It is tried again.
    case failed(LampRole, LineFailure)
}
