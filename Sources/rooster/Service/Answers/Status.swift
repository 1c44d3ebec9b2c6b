// How things are, as the service tells it.

import Alarms
import CivilTime
import JSON
import Text

/// What the service says of itself.
struct Status: Hashable {
    var now: Instant
    let local: CivilDateTime
    let zone: String
    let isClockTrusted: Bool
    let clock: String
    /// The master switch.
    let isEnabled: Bool
    let sessions: [SessionStatus]
    /// What is to be done so that a locked alarm can be changed; nothing where nobody is at it.
    let unlocking: Unlocking?
    /// What a code is held before the camera or a tag to the reader for; nil where nobody does.
    let looking: Looking?
    /// What the camera sees while a code is looked for; nil where none is.
    let sight: CameraSight?
    let next: [NextRing]
    /// What has not gone well in the last day, the latest first.
    let lately: [PastRing]
    let health: [PartHealth]
    /// What is heard now; nothing where nothing is.
    let voice: String?
    let decibels: Double?
    /// All speakers that there are, the best one first.
    let speakers: [SpeakerList.Speaker]
    let warnings: [String]
    let isSimulated: Bool

    init?(_ fields: inout Fields) {
        guard let now = fields.instant("now"), let local = fields.local("local") else { return nil }
        (self.now, self.local) = (now, local)
        zone = fields.text("zone") ?? ""
        isClockTrusted = fields.bool("trusted") ?? true
        clock = fields.text("clock") ?? ""
        isEnabled = fields.bool("enabled") ?? true
        sessions = fields.each(of: "sessions") { SessionStatus(&$0) }
        unlocking = fields.object("unlocking") { Unlocking(&$0) } ?? nil
        looking = fields.object("looking") { Looking(&$0) }
        sight = fields.object("camera") { CameraSight(&$0) }
        next = fields.each(of: "next") { NextRing(&$0) }
        lately = fields.each(of: "lately") { PastRing(&$0) }
        health = fields.each(of: "health") { PartHealth(&$0) }
        let speaker = fields.object("speaker") { fields in
            (
                voice: fields.text("voice"), decibels: fields.decimal("decibels"),
                routes: fields.each(of: "routes") { SpeakerList.Speaker(&$0) }
            )
        }
        (voice, decibels) = (speaker?.voice, speaker?.decibels)
        speakers = (speaker?.routes ?? []).map { [voice] route in
            var route = route
            if route.id == voice { route.health = .isHeard }
            return route
        }
        warnings = fields.texts("warnings") ?? []
        isSimulated = fields.bool("simulated") ?? false
    }

    static func read(_ answer: Answer) throws(Refusal) -> Status {
        try answer.read { fields in fields.object("status") { Status(&$0) } ?? nil }
    }

    /// What a person has to see first: the one that rings, else the first there is.
    var foremost: SessionStatus? { sessions.first { $0.state == .ringing } ?? sessions.first }

    /// What is wrong with the camera, where a code is to be shown to it, or something else takes a code's place.
    var cameraFault: String? {
        let isNeeded =
            unlocking?.asked.needsCamera == true
            || sessions.contains { $0.asked?.needsCamera == true || $0.isInPlaceOfCode }
        guard isNeeded || looking?.isForTag == false else { return nil }
        return health.first { $0.part == "camera" && $0.grade == "broken" }?.words.asSentence
    }

    /// What keeps a code from being seen: that, else what the camera makes of what is held before it.
    var cameraTrouble: String? { cameraFault ?? sight?.trouble }
}

/// A code being held before the camera, or a tag to the reader, while nothing rings.
struct Looking: Hashable {
    /// What it is to be called; nil where it is only tested.
    let label: String?
    /// Whether it is a tag and can be nothing else.
    let isForTag: Bool

    init(_ fields: inout Fields) {
        label = fields.text("label")
        isForTag = fields.text("kind") == Challenge.Kind.tag.rawValue
    }

    var words: String {
        guard let label else { return "Somebody tests a code: hold it before the camera" }
        if isForTag { return "Somebody enrols the tag \(label.quoted): hold it to the reader" }
        return "Somebody enrols the code \(label.quoted): hold it before the camera"
    }
}

/// The challenges of a locked alarm, being done ahead.
struct Unlocking: Hashable {
    /// What the alarm is called.
    let name: String
    let asked: Asked

    init?(_ fields: inout Fields) {
        guard let asked = Asked.read("asked", &fields) else { return nil }
        self.asked = asked
        name = ShownName.of(fields.text("alarm") ?? "", fields.text("label") ?? "")
    }

    /// What to do, and what for.
    var words: String { "\(asked.words), to unlock \(name)" }
}

/// A session that has not ended.
struct SessionStatus: Hashable {
    enum State: Hashable {
        case ringing
        /// It rings behind another.
        case waiting
        case snoozed
        /// Nobody answered.
        case resting
        /// What this rooster does not know.
        case other(String)

        init(_ name: String) {
            self =
                switch name {
                case "ringing": .ringing
                case "waiting": .waiting
                case "snoozed": .snoozed
                case "resting": .resting
                default: .other(name)
                }
        }
    }

    struct Task: Hashable {
        let kind: String
        let isDone: Bool
    }

    let alarm: String
    /// When it was due.
    let at: Instant?
    let local: CivilDateTime
    let label: String
    let state: State
    let secondsLeft: Int?
    /// For so many seconds the emergency way out is to be held still; nothing while it is not held.
    let emergencySeconds: Int?
    let snoozes: Int
    /// Nothing where there is no limit.
    let snoozesMax: Int?
    let lateSeconds: Int
    let isTest: Bool
    let challenges: [Task]
    let asked: Asked?

    init?(_ fields: inout Fields) {
        guard let alarm = fields.text("alarm"), let local = fields.local("local"), let state = fields.text("state")
        else { return nil }
        (self.alarm, self.local, self.state) = (alarm, local, State(state))
        at = fields.instant("at")
        label = fields.text("label") ?? ""
        secondsLeft = fields.integer("secondsLeft")
        emergencySeconds = fields.integer("emergencySeconds")
        snoozes = fields.integer("snoozes") ?? 0
        snoozesMax = fields.integer("snoozesMax")
        lateSeconds = fields.integer("lateSeconds") ?? 0
        isTest = fields.bool("test") ?? false
        challenges = fields.each(of: "challenges") { fields in
            fields.text("kind").map { Task(kind: $0, isDone: fields.bool("done") ?? false) }
        }
        asked = Asked.read("asked", &fields)
    }

    /// Whether something else is asked for than the code whose turn it is, because there is no camera to show that to.
    var isInPlaceOfCode: Bool {
        guard let asked, !asked.needsCamera else { return false }
        return challenges.first { !$0.isDone }?.kind == Challenge.Kind.qr.rawValue
    }

    /// What to do now; nil where nothing is asked.
    var askedWords: String? { asked.map { $0.words + (isInPlaceOfCode ? ", in the place of the code" : "") } }
}
