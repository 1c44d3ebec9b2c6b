// What is known of one session while it is followed.

import Alarms
import Engine

/// A session, and the world's own account of what was granted to it and done for it. Times are milliseconds of the world.
struct SessionLine {
    var session: Session
    var state: SessionStatus.State
    /// Where it stands in the diagram.
    var place = "planned"
    /// Which version of its alarm it began by.
    var version: Int?
    /// When it began, or was found again after a restart.
    var startedAt: Int
    var work: Work
    var silence: Silence?
    /// The snoozes that were asked for while it was heard, and not granted yet.
    var asks: [SnoozeAsk] = []
    /// Since when it has been heard.
    var heardAt: Int?
    var restCount = 0
    /// How often it has been silent because somebody asked for a snooze.
    var snoozeCount = 0
    /// How loud it was when it was last heard, and what else rang then.
    var loudness = Loudness()
    /// Since when it has rung without a break, by the time since the machine was started.
    var ringsSinceUptime: Int?
    var isAfterRestart = false
    /// Whether its alarm is gone.
    var isOrphan = false
    var assignment: Assignment?
    /// Since when a code is looked for.
    var codeAskedAt: Int?
    /// Whether something has taken the place of a code, and there was no frame since.
    var hasFallback = false

    init(_ current: SessionStatus, at now: Int, version: Int?) {
        (session, state, self.version, startedAt) = (current.session, current.state, version, now)
        work = Work(current.session.terms.challenges)
    }

    var isSilent: Bool { state.isSilent }

    /// Since when nobody has certainly answered it.
    func unansweredSince(at now: Int) -> Int? { heardAt.map { max($0, work.answered(before: now)) } }

    var ringMilliseconds: Int { session.terms.ring.ringSeconds * 1000 }
}

/// Somebody asked for a snooze.
struct SnoozeAsk {
    var at: Int
    var seconds: Int?
}

extension SessionStatus.State {
    var isSilent: Bool {
        switch self {
        case .heard, .waits: false
        case .snoozed, .rests: true
        }
    }

    /// How long it is still to be silent.
    var leftMilliseconds: Int {
        switch self {
        case .heard, .waits: 0
        case .snoozed(let left), .rests(let left): left
        }
    }
}
