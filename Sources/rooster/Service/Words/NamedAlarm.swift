// Alarms as the service lists them, and the names by which commands find one.

import API
import Alarms
import CivilTime
import Text

struct ListedAlarm {
    let report: AlarmReport

    init?(_ report: AlarmReport) {
        self.report = report
        guard !report.alarm.id.isEmpty else { return nil }
    }

    var alarm: Alarm { report.alarm }
    var next: RingReport? { report.next }
    var days: String { report.days }
    var isLocked: Bool { report.locked }
}

extension RunningService {
    /// All alarms, in the order in which they were made.
    func alarms() throws(CommandError) -> [ListedAlarm] {
        try ask(ListAlarms()).body.alarms.compactMap(ListedAlarm.init)
    }

    func status() throws(CommandError) -> StatusReport { try ask(GetStatus()).body.status }

    func codes() throws(CommandError) -> [CodeReport] { try ask(ListCodes()).body.codes }

    /// The alarm that a name means: by its id, by its label, or by the beginning of its id.
    func alarm(called name: String) throws(CommandError) -> ListedAlarm {
        let alarms = try alarms()
        let known = AlarmNames(alarms.map(\.alarm))
        let found = known.called(name)
        if found.count == 1 { return alarms[found[0]] }
        guard !found.isEmpty else {
            let advice = known.isTooShort(name) ? ", and as much of an id as is needed" : ""
            throw .notFound("there is no alarm \(name.quoted): 'rooster list' shows all\(advice)")
        }
        let ids = known.shortIDs()
        let names = found.prefix(5).map { index in
            let (alarm, short) = (alarms[index].alarm, ids[index])
            let id = (short.count > 8 ? short : String(alarm.id.prefix(8))).inOneLine
            let time = alarm.time.map { "\($0) " } ?? ""
            return "\(alarm.shownName) (\(id), \(time)\(AlarmTable.days(alarm, alarms[index].days)))"
        }
        let more = found.count > 5 ? ", …" : ""
        throw .refused(
            "\(name.quoted) can be any of \(found.count) alarms: say which by its id: "
                + "\(names.joined(separator: ", "))\(more)")
    }
}

extension Alarm {
    var shownName: String { ShownName.of(id, label) }

    /// The alarm's name in a command: its label, else the beginning of its id.
    var shellName: String { label.isEmpty ? String(id.prefix(8)) : label }
}

/// A report that names its alarm by id and label.
protocol AlarmMention {
    var alarm: Alarm.ID { get }
    var label: String { get }
}

extension AlarmMention {
    var shownName: String { ShownName.of(alarm, label) }
}

extension AlarmLabel: AlarmMention {}
extension RingReport: AlarmMention {}
extension PastRingReport: AlarmMention {}
extension UnlockingReport: AlarmMention {}

extension SessionReport: AlarmMention {
    var shownName: String { test ? "A test" : ShownName.of(alarm, label) }
}

/// The alarm's name for people: its label, else the beginning of its id.
enum ShownName {
    static func of(_ id: Alarm.ID, _ label: String) -> String {
        if !label.isEmpty { return label.inOneLine }
        return id.isEmpty ? "The alarm" : "Alarm \(String(id.prefix(8)).inOneLine)"
    }
}

/// The names by which commands find alarms. There are no numbers: those would shift when an alarm is deleted. The beginning
/// of an id is refused as ambiguous before it could come to mean another alarm.
struct AlarmNames {
    private let alarms: [Alarm]
    private static let prefixLengthMin = 4

    init(_ alarms: [Alarm]) { self.alarms = alarms }

    /// The indices of the alarms that a name may mean; it is ambiguous where there are several.
    func called(_ name: String) -> [Int] {
        let exact = alarms.indices.filter { alarms[$0].id == name }
        if !exact.isEmpty { return exact }
        let name = name.trimmed.lowercased()
        guard !name.isEmpty else { return [] }
        let labelled = alarms.indices.filter { alarms[$0].label.trimmed.lowercased() == name }
        let begun = alarms.indices.filter {
            name.count >= AlarmNames.prefixLengthMin && alarms[$0].id.lowercased().hasPrefix(name)
        }
        // A label that is the beginning of another alarm's id is ambiguous.
        return Set(labelled + begun).sorted()
    }

    /// Whether a name is the beginning of an id, but too short to be accepted.
    func isTooShort(_ name: String) -> Bool {
        let name = name.trimmed.lowercased()
        return !name.isEmpty && name.count < AlarmNames.prefixLengthMin
            && alarms.contains { $0.id.lowercased().hasPrefix(name) }
    }

    /// For each alarm the shortest beginning of its id that is not ambiguous, as far as there is one.
    func shortIDs() -> [String] {
        let sorted = alarms.map { $0.id.lowercased() }.sorted()
        return alarms.map { alarm in
            let id = alarm.id.lowercased()
            // Ids that differ only in large and small letters have no shorter beginning that is not ambiguous.
            if sorted.count(where: { $0 == id }) > 1 { return alarm.id }
            let index = sorted.partitioningIndex { $0 >= id }
            let neighbours = [index - 1, index + 1].filter(sorted.indices.contains).map { sorted[$0] }
            let shared = neighbours.map { other in zip(id, other).prefix { $0 == $1 }.count }.max() ?? 0
            return String(id.prefix(max(AlarmNames.prefixLengthMin, shared + 1)))
        }
    }
}
