// The events that followers get beside the status: recorded facts, spoken prompts and notices.

import Alarms
import CivilTime
import Engine
import Service
import Text
import Vocabulary

/// The last facts that became durable, for a follower that has lost its connection for a while.
struct EventHistory: Sendable {
    private var entries: [RecordedEntry] = []

    private static let entriesMax = 256

    mutating func add(_ new: [RecordedEntry]) {
        entries = (entries.suffix(EventHistory.entriesMax - min(new.count, EventHistory.entriesMax)) + new)
            .suffix(EventHistory.entriesMax)
    }

    /// Those behind that number.
    func entries(since sequence: Int) -> ArraySlice<RecordedEntry> {
        entries[(entries.firstIndex { $0.sequence > sequence } ?? entries.endIndex)...]
    }
}

extension FollowEvent {
    /// That something was written down.
    init(_ recorded: RecordedEntry, in zone: Zone) {
        let at = Timestamp(milliseconds: recorded.entry.millisecondsSince1970)
        let line = LogLine(recorded.entry.fact)
        self.init(
            happened: Happened(
                sequence: recorded.sequence, at: at, local: LocalTime(at.instant, in: zone),
                name: recorded.entry.fact.kind.name, words: line.words, alarm: line.fields["ROOSTER_ALARM"],
                ring: line.fields["ROOSTER_AT"].flatMap { Timestamp(text: $0) }))
    }
}

extension FollowEvent.Told {
    /// The event for a prompt, which is given in the room.
    init(_ prompt: Prompt, in engine: Engine) {
        switch prompt {
        case .refused(let refusal): self.init(.refused, "\(refusal)")
        case .challenge(let assignment):
            self.init(.challenge, "A challenge is next", asked: AskedReport(assignment))
        case .wrong(let kind): self.init(.wrong, "That was wrong, for \(kind.name) challenge")
        case .done(let kind): self.init(.done, "\(kind.name) challenge is done")
        case .ended(let ending): self.init(.ended, "It is over: \(ending.rawValue)")
        case .next(let ring?): self.init(.next, ring.occurrence, in: engine) { "The next ring is \($0)" }
        case .next(nil): self.init(.next, "No ring is to come")
        case .inBed: self.init(.inBed, "Somebody goes to bed")
        }
    }

    /// The event for a notice, which is meant for the owner outside the room.
    init(_ notice: Notice, in engine: Engine) {
        switch notice {
        case .ended(let occurrence, let ending):
            self.init(.ended, occurrence, in: engine) { "\($0) is over: \(ending.rawValue)" }
        case .missed(let occurrence, _): self.init(.missed, occurrence, in: engine) { "\($0) was missed" }
        case .broken(let part, let health): self.init(.broken, "\(part.rawValue): \(health.words)")
        }
    }

    private init(_ about: About, _ occurrence: Occurrence, in engine: Engine, words: (String) -> String) {
        let local = LocalTime(occurrence.at, in: engine.zone(of: occurrence.alarm))
        let label = engine.alarm(occurrence.alarm)?.alarm.label ?? ""
        let name = label.isEmpty ? "an alarm" : label.quoted
        self.init(about, words("\(name) on \(local.dateTime.date) at \(local.dateTime.time)"))
        alarm = AlarmLabel(alarm: occurrence.alarm, label: label)
        (ring, ringLocal) = (Timestamp(occurrence.at), local)
    }
}
