// What followers are told beside the status: what happened, and what somebody was told.

import Alarms
import CivilTime
import Engine
import Service
import Vocabulary

/// The last facts that became durable, for whoever has lost the connection for a while.
struct EventHistory: Sendable {
    private var events: [FollowEvent] = []

    private static let eventsMax = 256

    /// Those behind that number.
    func events(since sequence: Int) -> [FollowEvent] {
        events.filter { $0.happened.map { $0.sequence > sequence } ?? false }
    }

    /// Answers with what is to be told of these.
    mutating func add(_ entries: [RecordedEntry], in engine: Engine) -> [FollowEvent] {
        let new = entries.map { recorded in
            let at = Timestamp(milliseconds: recorded.entry.millisecondsSince1970)
            let line = LogLine(recorded.entry.fact)
            return FollowEvent(
                happened: FollowEvent.Happened(
                    sequence: recorded.sequence, at: at, local: LocalTime(at.instant, in: engine.zone),
                    name: "\(recorded.entry.fact.kind)", words: line.words, alarm: line.fields["ROOSTER_ALARM"],
                    ring: line.fields["ROOSTER_AT"].flatMap { Timestamp(text: $0) }))
        }
        events = (events + new).suffix(EventHistory.eventsMax)
        return new
    }
}

extension FollowEvent.Told {
    /// What somebody in the room is told.
    init(_ prompt: Prompt) {
        switch prompt {
        case .refused(let refusal): self.init(.refused, "\(refusal)")
        case .challenge(let assignment):
            self.init(.challenge, "A challenge is next", asked: AskedReport(assignment))
        case .wrong(let kind): self.init(.wrong, "That was wrong, for \(kind.name) challenge")
        case .done(let kind): self.init(.done, "\(kind.name) challenge is done")
        case .ended(let ending): self.init(.ended, "It is over: \(ending.rawValue)")
        case .next(let ring?): self.init(.next, "The next ring is at \(ring.occurrence.at)")
        case .next(nil): self.init(.next, "No ring is to come")
        case .inBed: self.init(.inBed, "Somebody goes to bed")
        }
    }

    /// What somebody elsewhere is told.
    init(_ notice: Notice) {
        switch notice {
        case .ended(let occurrence, let ending): self.init(.ended, "\(occurrence) is over: \(ending.rawValue)")
        case .missed(let occurrence, _): self.init(.missed, "\(occurrence) was missed")
        case .broken(let part, let health): self.init(.broken, "\(part.rawValue): \(health.words)")
        }
    }
}
