// The alarms as the service lists them, and the names by which commands find them.

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
    /// Texts such as "5 sums instead of the tag (this device has no tag reader)".
    var replacedTexts: [String] { (report.replaced ?? []).map { $0.text.inOneLine(atMost: 200) } }
    /// The same without reasons, for a line of a list; nil if there are none.
    var replacedText: String? {
        report.replaced.map { replaced in
            replaced.map { "\($0.by.summary.inOneLine) instead of the \($0.kind.name.lowercased())" }
                .joined(separator: ", ")
        }
    }
}

extension RunningService {
    /// Returns all alarms, in the order of their creation.
    func alarms() throws(CommandError) -> [ListedAlarm] {
        try ask(ListAlarms()).body.alarms.compactMap(ListedAlarm.init)
    }

    func status() throws(CommandError) -> StatusReport { try ask(GetStatus()).body.status }

    func codes() throws(CommandError) -> [CodeReport] { try ask(ListCodes()).body.codes }

    /// Returns the alarm with this id or label, or whose id begins with this text.
    func alarm(called name: String) throws(CommandError) -> ListedAlarm {
        let alarms = try alarms()
        let known = AlarmNames(alarms.map(\.alarm))
        let found = known.called(name)
        if found.count == 1 { return alarms[found[0]] }
        guard !found.isEmpty else {
            let meant = alarms.first { !$0.alarm.label.isEmpty && name.isNearly($0.alarm.label.trimmed) }
            let hint =
                known.isTooShort(name)
                ? "An id needs at least four letters" : meant.map { "Did you mean \($0.alarm.label.quoted)?" }
            throw .notFound(sentences("There is no alarm \(name.quoted)", hint, "'rooster list' shows all"))
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
            "\(name.quoted) may mean any of \(found.count) alarms. Name one by its id: "
                + "\(names.joined(separator: ", "))\(more.isEmpty ? "." : more)")
    }
}

extension Alarm {
    var shownName: String { ShownName.of(id, label) }

    /// The alarm's name in a command: its label, otherwise the beginning of its id.
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
extension LeftOutReport: AlarmMention {}
extension PastRingReport: AlarmMention {}
extension UnlockingReport: AlarmMention {}
extension SunriseReport: AlarmMention {}

extension SessionReport: AlarmMention {
    var shownName: String { test ? "A test" : ShownName.of(alarm, label) }
}

/// The note and the category of an alarm that rings or rang, for people.
enum AlarmRemark {
    /// "Take the 8:10 train (Work)"; nil if the alarm has neither.
    static func text(note: String?, category: String?) -> String? {
        let parts = [note?.inOneLine, category.map { "(\($0.inOneLine))" }].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}

/// The alarm's name for people: its label, otherwise the beginning of its id.
enum ShownName {
    static func of(_ id: Alarm.ID, _ label: String) -> String {
        if !label.isEmpty { return label.inOneLine }
        return id.isEmpty ? "The alarm" : "Alarm \(String(id.prefix(8)).inOneLine)"
    }
}

/// Finds alarms by names. Alarms have no numbers, because a deletion would shift them. An ambiguous
/// beginning of an id is refused, so that it never means another alarm.
struct AlarmNames {
    private let alarms: [Alarm]
    private static let prefixLengthMin = 4

    init(_ alarms: [Alarm]) { self.alarms = alarms }

    /// Returns the indices of the alarms that a name may mean. Several indices mean that the name is
    /// ambiguous.
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

    /// Returns true if a name is the beginning of an id, but too short to be accepted.
    func isTooShort(_ name: String) -> Bool {
        let name = name.trimmed.lowercased()
        return !name.isEmpty && name.count < AlarmNames.prefixLengthMin
            && alarms.contains { $0.id.lowercased().hasPrefix(name) }
    }

    /// Returns the shortest unambiguous beginning of each alarm's id, or the whole id if there is none.
    func shortIDs() -> [String] {
        let sorted = alarms.map { $0.id.lowercased() }.sorted()
        return alarms.map { alarm in
            let id = alarm.id.lowercased()
            // If two ids differ only in case, neither has an unambiguous beginning.
            if sorted.count(where: { $0 == id }) > 1 { return alarm.id }
            let index = sorted.partitioningIndex { $0 >= id }
            let neighbours = [index - 1, index + 1].filter(sorted.indices.contains).map { sorted[$0] }
            let shared = neighbours.map { other in zip(id, other).prefix { $0 == $1 }.count }.max() ?? 0
            return String(id.prefix(max(AlarmNames.prefixLengthMin, shared + 1)))
        }
    }
}
