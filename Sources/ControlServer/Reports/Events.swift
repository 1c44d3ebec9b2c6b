// The events that followers receive beside the status: recorded facts, prompts and notifications.

import API
import Alarms
import CivilTime
import Engine
import Records
import Service
import Text

/// The latest durable facts. A follower that reconnects receives the ones that it has missed.
struct EventHistory: Sendable {
    private var entries: [RecordedEntry] = []

    mutating func add(_ new: [RecordedEntry]) {
        entries = Array((entries + new).suffix(Service.recentMax))
    }

    /// Returns the entries after this sequence number.
    func entries(since sequence: Int) -> ArraySlice<RecordedEntry> {
        entries[(entries.firstIndex { $0.sequence > sequence } ?? entries.endIndex)...]
    }
}

extension FollowEvent {
    init(_ recorded: RecordedEntry, in engine: Engine) {
        let at = Timestamp(milliseconds: recorded.entry.millisecondsSince1970)
        let line = LogLine(recorded.entry.fact, in: engine)
        let alarm = line.fields["ROOSTER_ALARM"].flatMap { $0.isEmpty ? nil : $0 }
        let ring = line.fields["ROOSTER_AT"].flatMap { Timestamp(text: $0) }
        var record = RecordReport(
            sequence: recorded.sequence, at: at, local: LocalTime(at.instant, in: engine.zone),
            name: recorded.entry.fact.name, text: line.text, alarm: alarm, ring: ring)
        if let alarm, let ring, let terms = engine.terms(of: Occurrence(alarm: alarm, at: ring.instant)) {
            (record.note, record.category) = (terms.note.nilIfEmpty, terms.category.nilIfEmpty)
        }
        self.init(record: record)
    }
}

extension FollowEvent.PromptReport {
    init(_ prompt: Prompt, in engine: Engine) {
        switch prompt {
        case .refused(let refusal): self.init(.refused, "\(refusal)", in: engine)
        case .challenge(let assignment):
            self.init(.challenge, "A challenge is next", in: engine)
            asked = AskedReport(assignment)
        case .wrong(let kind): self.init(.wrong, "Wrong answer: the \(kind.name) challenge goes on", in: engine)
        case .done(let kind): self.init(.done, "The \(kind.name) challenge is done", in: engine)
        case .ended(let occurrence, let ending):
            self.init(.ended, occurrence, in: engine) { "\($0) is over: \(ending.rawValue)" }
        case .check(let occurrence):
            self.init(.check, occurrence, in: engine) { "\($0) asks whether its owner is awake" }
        case .next(let ring?): self.init(.next, ring.occurrence, in: engine) { "The next ring is \($0)" }
        case .next(nil): self.init(.next, "No alarm is going to ring")
        case .notice(let ring):
            self.init(.notice, Occurrence(alarm: ring.occurrence.alarm, at: ring.at), in: engine) {
                "\($0) is going to ring"
            }
        case .bedtime: self.init(.bedtime, "It is bedtime")
        case .inBed: self.init(.inBed, "The owner goes to bed")
        }
    }

    /// Makes the event of a notification, which is meant for an owner in another place.
    init(_ notification: Notification, in engine: Engine) {
        switch notification {
        case .ended(let occurrence, let ending):
            self.init(.ended, occurrence, in: engine) { "\($0) is over: \(ending.rawValue)" }
        case .missed(let occurrence, _): self.init(.missed, occurrence, in: engine) { "\($0) was missed" }
        case .broken(let part, let health): self.init(.broken, "\(part.name.capitalisedFirst): \(health.text)")
        }
    }

    /// Makes an event that names the first open session, if there is one.
    private init(_ about: Topic, _ text: String, in engine: Engine) {
        self.init(about, text)
        if let session = engine.status(nextCount: 0).sessions.first?.session { set(session.occurrence, in: engine) }
    }

    private init(_ about: Topic, _ occurrence: Occurrence, in engine: Engine, text: (String) -> String) {
        self.init(about, text(engine.text(of: occurrence)))
        set(occurrence, in: engine)
    }

    private mutating func set(_ occurrence: Occurrence, in engine: Engine) {
        let (terms, present) = (engine.terms(of: occurrence), engine.alarm(occurrence.alarm)?.alarm)
        alarm = AlarmLabel(alarm: occurrence.alarm, label: terms?.label ?? present?.label ?? "")
        note = (terms?.note ?? present?.note)?.nilIfEmpty
        category = (terms?.category ?? present?.category)?.nilIfEmpty
        ring = Timestamp(occurrence.at)
        ringLocal = LocalTime(occurrence.at, in: engine.zone(of: occurrence.alarm))
    }
}
