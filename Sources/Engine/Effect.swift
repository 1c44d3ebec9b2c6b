// Everything that the engine wants done.

import Alarms
import CivilTime

/// Something to do outside. Effects are carried out in the order in which they are given.
public enum Effect: Hashable, Sendable {
    /// Make these entries durable, all or none, and tell by their number what became of them.
    case keep([Entry], number: Int)
    /// Call again by then. It takes the place of every wake before.
    case wake(Wake)
    /// Which sound will be heard in a moment: the speaker is to be open, and silent until then. Nothing where none will.
    case readySpeaker(sound: String?)
    /// What is heard from now on; nothing for silence.
    case sound(SoundOrder?)
    /// How the codes are printed that the camera is to read from now on, by the camera's names for that; nil for none.
    case camera(reading: Set<String>?)
    /// What the lamps show from now on.
    case lamps(LampOrder)
    /// What is listened to from now on, beside the buttons and the camera.
    case listen(Set<Sense>)
    /// Tell whoever waits in the room.
    case tell(Prompt)
    /// Answer a request.
    case reply(Reply, to: Request)
    /// Tell somebody elsewhere.
    case notify(Notice)
    /// Try out what ringing needs, and tell what each part is like.
    case preflight
    /// What the status says has changed.
    case statusChanged
}

/// What is to be heard.
public struct SoundOrder: Hashable, Sendable {
    /// For which session.
    public var occurrence: Occurrence
    /// Which sound, how loud, and how slowly it rises: by the session's own terms, or louder for one that waits behind it.
    public var ring: RingSettings
    /// When its rise began, by the time since the machine was started. It may be before the session.
    public var rampStartUptime: Int
}

/// What the lamps show.
public struct LampOrder: Hashable, Sendable {
    /// Whether the one beside the camera lights up what is held before it.
    public var isCameraLit: Bool
    /// What the one at the bed says.
    public var status: StatusLight

    /// By themselves they are dark.
    public init(isCameraLit: Bool = false, status: StatusLight = .dark) {
        (self.isCameraLit, self.status) = (isCameraLit, status)
    }
}

/// What the lamp at the bed says.
public enum StatusLight: String, Hashable, Sendable, CaseIterable {
    /// Nothing is going to ring.
    case dark
    /// Something is going to ring, and nothing that is known keeps it from that.
    case armed
    /// It rings; somebody is asked for something; it is silent for a while.
    case ringing, asked, snoozed
    /// The emergency way out is held: quicker, the nearer it is.
    case held, heldLonger = "held longer", heldLongest = "held longest"
    /// Something is broken that ringing needs.
    case notReady = "not ready"
}

/// Something that is listened to while it is asked for, and only then.
public enum Sense: String, Hashable, Sendable, CaseIterable {
    case keypad, stepSensor = "step sensor", tagReader = "tag reader"
}

/// What somebody in the room is told, by voice, by lamp or by a short signal.
public enum Prompt: Hashable, Sendable {
    /// What was asked for is not to be had, and why.
    case refused(Refusal)
    /// A challenge is next.
    case challenge(Assignment)
    /// An answer, a code, a tag or a press was wrong.
    case wrong(Challenge.Kind)
    /// A challenge was completed.
    case done(Challenge.Kind)
    /// The session has ended.
    case ended(Ending)
    /// What rings next, to whoever asks by holding the stop button; nil for nothing.
    case next(PlannedRing?)
    /// Somebody goes to bed, and says so by holding the snooze button: what is broken is told while there is time to mend it.
    case inBed
}

/// What somebody elsewhere is told.
public enum Notice: Hashable, Sendable {
    /// A session ended otherwise than by its challenges.
    case ended(Occurrence, Ending)
    /// Occurrences were missed.
    case missed(Occurrence, first: Instant)
    /// A part that ringing needs is broken.
    case broken(Part, Health)
}

/// When the engine wants to be called if nothing else happens: as soon as one of the clocks shows what it says. It wants no
/// call for a clock that it names no time of.
public struct Wake: Hashable, Sendable {
    /// By the system's clock: alarms are set by it.
    public var wallMilliseconds: Int?
    /// By the time since the machine was started: snoozes and whatever else simply takes so long.
    public var uptimeMilliseconds: Int?
    /// When something will be heard next, or the speaker is to be opened for it, by either clock: a machine that sleeps is
    /// to be awake by then.
    public var soundWallMilliseconds: Int?
    /// The same by the time since the machine was started.
    public var soundUptimeMilliseconds: Int?

    /// No call at all.
    public init() {}
}
