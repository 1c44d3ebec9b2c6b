// The alarms, as their owner last had them.

import Alarms
import CivilTime

/// An alarm as it was saved.
final class KeptAlarm: Sendable {
    let alarm: Alarm
    /// From then on it rings. It also tells it from what the owner saves later.
    let since: Instant
    /// Whether it was saved by a clock that nobody trusted, and the time has not been known since.
    let isDoubtful: Bool
    /// When it was saved, where the clock was set back behind that: it counts from then again if that clock was wrong.
    let savedAt: Instant?
    /// From then its intervals count, where it does not say from which day.
    let begins: Beginning?
    /// Until then days were left out that are left out no longer: they are over.
    let passed: Instant?
    /// Since when its next time counts, where the house moved while that was to come, and something could have been left out.
    let moved: Since?
    /// How the one time is over that it was to ring by its base.
    let baseEnd: BaseEnd?
    /// Its place among all alarms that were ever made.
    let place: Int

    init(
        _ alarm: Alarm, since: Instant, isDoubtful: Bool, savedAt: Instant? = nil, begins: Beginning?,
        passed: Instant? = nil, moved: Since? = nil, baseEnd: BaseEnd? = nil, place: Int
    ) {
        self.alarm = alarm
        self.since = since
        self.isDoubtful = isDoubtful
        self.savedAt = savedAt
        self.begins = begins
        self.passed = passed
        self.moved = moved
        self.baseEnd = baseEnd
        self.place = place
    }

    /// From then on its rings count; which days they are goes by when it was saved.
    var looksFrom: Instant { max(since, passed ?? since) }

    /// Whether its base is over, where the days that it goes by have counted since `changed`. What passed before these does not
    /// come back by them; what is to pass behind them, by a clock that was set or because it turns out that it was saved then,
    /// has its turn.
    func isBaseOver(where changed: Instant) -> Bool {
        switch baseEnd {
        case .rung: true
        case .passed(let instant): since < instant && instant <= changed
        case nil: false
        }
    }

    /// What makes it again.
    var facts: [Fact] {
        [.alarmSaved(alarm, since: since, isDoubtful: isDoubtful, savedAt: savedAt, begins: begins)]
            + (passed != nil || baseEnd == .rung
                ? [.alarmChanged(alarm, passed: passed, isSpent: baseEnd == .rung)] : [])
            + (moved.map { [.alarmMoved(alarm.id, version: since, since: $0.instant)] } ?? []) + baseOver
    }

    private var baseOver: [Fact] {
        if case .passed(let instant) = baseEnd { [.baseOver(alarm.id, at: instant)] } else { [] }
    }

    /// The same, as its owner wants it now.
    func changed(to alarm: Alarm, passed: Instant? = nil) -> KeptAlarm {
        KeptAlarm(
            alarm, since: since, isDoubtful: isDoubtful, savedAt: savedAt, begins: begins,
            passed: passed ?? self.passed, moved: moved, baseEnd: baseEnd, place: place)
    }

    /// The same, with a base that is over, or is not.
    func withBase(_ end: BaseEnd?) -> KeptAlarm {
        KeptAlarm(
            alarm, since: since, isDoubtful: isDoubtful, savedAt: savedAt, begins: begins, passed: passed, moved: moved,
            baseEnd: end, place: place)
    }

    /// The same, whose next time counts since then, or since later.
    func moved(since: Instant) -> KeptAlarm {
        let latest = moved.flatMap { $0.instant > since ? $0 : nil } ?? Since(since)
        return KeptAlarm(
            alarm, since: self.since, isDoubtful: isDoubtful, savedAt: savedAt, begins: begins, passed: passed,
            moved: latest, baseEnd: baseEnd, place: place)
    }

    /// The same, saved at another time.
    fileprivate func saved(at since: Instant, isDoubtful: Bool) -> KeptAlarm {
        // Who knows when it was saved knows when its intervals began.
        let begins = begins.map { Beginning($0.day, isDoubtful: $0.isDoubtful && isDoubtful) }
        return KeptAlarm(
            alarm, since: since, isDoubtful: isDoubtful, begins: begins, passed: passed, moved: moved, baseEnd: baseEnd,
            place: place)
    }

    /// The same with intervals that count from then, unless it says from which day.
    func beginning(_ begins: Beginning?) -> KeptAlarm {
        KeptAlarm(
            alarm, since: since, isDoubtful: isDoubtful, savedAt: savedAt, begins: begins, passed: passed, moved: moved,
            baseEnd: baseEnd, place: place)
    }

    /// The same, by a clock that was set back.
    fileprivate func pulledBack(by step: Clock.Step) -> KeptAlarm {
        var savedAt = savedAt
        // By a clock that nobody trusted it says nothing.
        if since > step.instant { savedAt = isDoubtful ? nil : savedAt ?? since }
        return KeptAlarm(
            alarm, since: min(since, step.instant), isDoubtful: isDoubtful, savedAt: savedAt,
            begins: begins, passed: passed.map(step.shifted), moved: moved?.after(step), baseEnd: baseEnd, place: place)
    }

    fileprivate func switched(on isEnabled: Bool) -> KeptAlarm {
        var alarm = alarm
        alarm.isEnabled = isEnabled
        return changed(to: alarm)
    }
}

/// How the one time came to be over at which an alarm was to ring by its base.
enum BaseEnd: Hashable, Sendable {
    case rung
    /// It was left out then, or missed.
    case passed(Instant)
}

/// All alarms by their ids.
struct AlarmBook: Sendable {
    private var kept: [Alarm.ID: KeptAlarm] = [:]
    private var handled: [Alarm.ID: HandledRings] = [:]
    private var placesGiven = 0

    var count: Int { kept.count }

    /// In the order in which they were made. It takes a while where there are many.
    var all: [KeptAlarm] { kept.values.sorted { $0.place < $1.place } }

    subscript(id: Alarm.ID) -> KeptAlarm? { kept[id] }

    func handled(_ id: Alarm.ID) -> HandledRings { handled[id] ?? HandledRings() }

    mutating func save(_ alarm: Alarm, since: Instant, isDoubtful: Bool, savedAt: Instant?, begins: Beginning?) {
        if kept[alarm.id] == nil { placesGiven += 1 }
        kept[alarm.id] = KeptAlarm(
            alarm, since: since, isDoubtful: isDoubtful, savedAt: savedAt, begins: begins,
            place: kept[alarm.id]?.place ?? placesGiven)
    }

    /// Changes an alarm, but not whether it is on.
    mutating func change(_ alarm: Alarm, passed: Instant?, isSpent: Bool) {
        guard let old = kept[alarm.id] else { return }
        let new = old.changed(to: alarm, passed: passed).switched(on: old.alarm.isEnabled)
        kept[alarm.id] = isSpent ? new.withBase(.rung) : new
    }

    /// The intervals of what was saved at `version` count from that day, unless its owner has saved it anew since.
    mutating func begin(_ id: Alarm.ID, version: Instant, on day: CivilDate) {
        guard let old = kept[id], old.since == version else { return }
        // It stood in the place of its owner's once.
        guard old.alarm.start == nil else { return kept[id] = old.changed(to: old.alarm.starting(on: day)) }
        kept[id] = old.beginning(Beginning(day, isDoubtful: old.begins?.isDoubtful ?? old.isDoubtful))
    }

    /// Notes that the base of an alarm was over when other days came to count, or that it was not.
    mutating func endBase(_ id: Alarm.ID, at instant: Instant?) {
        guard let old = kept[id], old.baseEnd != .rung else { return }
        kept[id] = old.withBase(instant.map { .passed($0) })
    }

    /// What was saved at `version` counts since another time, unless its owner has saved it anew since. Its intervals do from
    /// another day, if there is one.
    mutating func count(_ id: Alarm.ID, version: Instant, since: Instant, isDoubtful: Bool, begins: CivilDate?) {
        guard let old = kept[id], old.since == version else { return }
        let new = old.saved(at: since, isDoubtful: isDoubtful)
        kept[id] = begins.map { new.beginning(Beginning($0, isDoubtful: isDoubtful)) } ?? new
    }

    /// The next time of what was saved at `version` counts since then, unless its owner has saved it anew since.
    mutating func move(_ id: Alarm.ID, version: Instant, since: Instant) {
        guard let old = kept[id], version == old.since || version == old.savedAt else { return }
        kept[id] = old.moved(since: since)
    }

    /// Those of which nobody knows for sure when they were saved.
    var doubtful: [KeptAlarm] { kept.values.filter(\.isDoubtful).sorted { $0.place < $1.place } }

    /// Those that would count from a later time, had the clock not been set back.
    var pulledBack: [KeptAlarm] { kept.values.filter { $0.savedAt != nil }.sorted { $0.place < $1.place } }

    /// The time is known: whatever was doubtful has been looked at.
    mutating func trust() {
        for old in doubtful { kept[old.alarm.id] = old.saved(at: old.since, isDoubtful: false) }
    }

    mutating func delete(_ id: Alarm.ID) {
        kept[id] = nil
        handled[id] = nil
    }

    /// Notes that an occurrence has had its turn.
    mutating func ring(_ id: Alarm.ID, _ instant: Instant) {
        guard kept[id] != nil else { return }
        handled[id, default: HandledRings()].ring(instant)
    }

    /// Notes that an alarm as it was saved at `version` rings by its base, unless its owner has saved it anew since.
    mutating func spend(_ id: Alarm.ID, version: Instant) {
        guard let old = kept[id], old.alarm.recurrence == nil, version == old.since || version == old.savedAt else {
            return
        }
        kept[id] = old.withBase(.rung)
    }

    /// Notes that occurrences were missed.
    mutating func miss(_ id: Alarm.ID, _ run: ClosedRange<Instant>) {
        guard kept[id] != nil else { return }
        handled[id, default: HandledRings()].miss(run)
    }

    /// The clock was set. What was saved by one that was ahead counts from now, and nothing was missed but this.
    mutating func pullBack(by step: Clock.Step, missed: [Alarm.ID: [ClosedRange<Instant>]]) {
        for (id, old) in kept where max(old.looksFrom, old.moved?.instant ?? .earliest) > step.instant {
            kept[id] = old.pulledBack(by: step)
        }
        for id in handled.keys { handled[id]?.missedOnly(missed[id] ?? []) }
    }

    /// Switches off what was saved at `version`, unless its owner has saved it anew since.
    mutating func switchOff(_ id: Alarm.ID, version: Instant) {
        guard let old = kept[id], old.since == version, old.alarm.isEnabled else { return }
        kept[id] = old.switched(on: false)
    }

    /// Switches on again what was switched off at `version`, unless its owner has saved it anew since.
    mutating func switchOnAgain(_ id: Alarm.ID, version: Instant) {
        guard let old = kept[id], old.since == version, !old.alarm.isEnabled else { return }
        kept[id] = old.switched(on: true)
    }
}

extension Alarm {
    fileprivate func starting(on date: CivilDate) -> Alarm {
        var alarm = self
        alarm.start = date
        return alarm
    }
}
