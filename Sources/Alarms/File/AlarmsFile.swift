// The alarms file: what is exported, imported, backed up and planned.

import JSON
import Text

/// Everything an alarms file (`rooster/1`) says.
public struct AlarmsFile: Hashable, Sendable {
    package var settings = Settings()
    package var calendars: [String: DayCalendar] = [:]
    package var alarms: [Alarm] = []
    /// The places, in the list that was read, of alarms that could not be taken; these stand at the others.
    package var leftOutPlaces: Set<Int> = []
    /// The codes and tags that alarms may hang on, as hashes: a backup has them.
    package var codes: [EnrolledCode] = []
    /// The keys of these hashes, the exporting device's own first.
    package var codeKeys: [CodeKey] = []

    package static let format = "rooster/1"
    /// A house has dozens of alarms, a hostel hundreds: a file with more than this is not about alarms.
    package static let alarmsMax = 10_000

    package init() {}

    /// The alarms, each with its place in the file's list, from 0.
    package var placedAlarms: [(index: Int, alarm: Alarm)] {
        let places = (0..<alarms.count + leftOutPlaces.count).filter { !leftOutPlaces.contains($0) }
        return zip(places, alarms).map { (index: $0, alarm: $1) }
    }

    package var json: JSON {
        var settings = settings
        let unknown = settings.unknownOfFile
        settings.unknownOfFile = []
        return .object(
            [
                .init("format", .string(AlarmsFile.format)),
                .init("settings", settings.json),
                .init("calendars", .object(calendars.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.json) })),
                .init("alarms", .array(alarms.map(\.json))),
            ] + (codes.isEmpty ? [] : [.init("codes", .array(codes.map(\.json)))])
                + (codeKeys.isEmpty ? [] : [.init("codeKeys", .array(codeKeys.map { .string($0.text) }))]) + unknown)
    }
}

/// What reading an alarms file came to: the alarms that are sound come in, one bad alarm does not keep the others out.
public struct AlarmsFileReading: Sendable {
    package var file = AlarmsFile()
    /// Alarms that cannot be taken, with every reason.
    package var setAside: [SetAside] = []
    /// What else is wrong with the file, and what the owner should know of the alarms that came in.
    package var problems: [Problem] = []

    /// An alarm that cannot be taken.
    public struct SetAside: Sendable {
        /// Its place in the file's list, from 0.
        package let index: Int
        package let label: String
        package let problems: [Problem]

        /// Its place, and its label if it has one: `alarms[2] "Work"`.
        package var name: String { "alarms[\(index)]\(label.isEmpty ? "" : " \(label.quoted)")" }
        /// Every reason, and that an import leaves it out for that.
        package var whyLeftOut: [Problem] {
            problems + [
                Problem(
                    "alarms[\(index)]", "\(label.isEmpty ? "" : "\(label.quoted) ")is left out until that is mended")
            ]
        }
    }

    package var isWhole: Bool { setAside.isEmpty && !problems.contains { $0.weight == .refused } }

    /// Reads the text of a file. Only a text that is no JSON at all is refused as a whole.
    package init(_ bytes: [UInt8], among validationContext: ValidationContext = ValidationContext())
        throws(JSONSyntaxError)
    {
        self.init(try JSON(parsing: bytes), among: validationContext)
    }

    package init(_ json: JSON, among validationContext: ValidationContext = ValidationContext()) {
        guard case .object(let members) = json else {
            problems.append(Problem("", "the file is \(json.shown); it should be an object { … }"))
            return
        }
        var fields = Fields(members, at: "")
        if let format = fields.text("format"), format != AlarmsFile.format {
            // What another format means by the rest, nobody here can know.
            problems.append(Problem("format", "\(format.quoted) is not what this Rooster reads, \(AlarmsFile.format)"))
            return
        }
        fields.object("settings") { Settings(reading: &$0) }.map { file.settings = $0 }
        readCalendars(&fields)
        readCodes(&fields)
        readAlarms(fields.list("alarms") ?? [], &fields, validationContext)
        file.settings.unknownOfFile = fields.unknown()
        problems += fields.problems
    }

    private mutating func readCalendars(_ fields: inout Fields) {
        let calendars = fields.object("calendars") { fields in
            var calendars: [String: DayCalendar] = [:]
            fields.each { fields, name in
                let value = fields.take(name) ?? .null
                guard case .object(let members) = value else {
                    fields.note(name, "\(value.shown) is not an object { … }")
                    return
                }
                let calendar = fields.nested(members, at: name) { DayCalendar(reading: &$0) }
                if fields.isSound { calendars[name] = calendar }
            }
            return calendars
        }
        file.calendars = calendars ?? [:]
    }

    private mutating func readCodes(_ fields: inout Fields) {
        file.codeKeys = fields.codeKeys("codeKeys")
        let codes = fields.codes("codes")
        guard codes.count <= EnrolledCode.countMax else {
            fields.note("codes", "there are \(codes.count) codes; Rooster keeps at most \(EnrolledCode.countMax)")
            return
        }
        for code in codes {
            if file.codes.contains(where: { $0.label == code.label }) {
                fields.note("codes", "there are two codes named \(code.label.quoted)")
            } else {
                file.codes.append(code)
            }
        }
    }

    private mutating func readAlarms(_ elements: [JSON], _ fields: inout Fields, _ validationContext: ValidationContext)
    {
        guard elements.count <= AlarmsFile.alarmsMax else {
            fields.note("alarms", "there are \(elements.count) alarms; Rooster keeps at most \(AlarmsFile.alarmsMax)")
            return
        }
        var validationContext = validationContext
        validationContext.calendars.formUnion(file.calendars.keys)
        validationContext.know(file.codes)
        var indexOfID: [Alarm.ID: Int] = [:]
        for (index, element) in elements.enumerated() {
            let place = "alarms[\(index)]"
            guard case .object(let members) = element else {
                let problem = Problem(place, "\(element.shown) is not an object { … }")
                leaveOut(SetAside(index: index, label: "", problems: [problem]))
                continue
            }
            let (alarm, misread) = Alarm.read(members)
            var found = misread + alarm.problems(among: &validationContext, besides: misread)
            if let other = indexOfID[alarm.id], !alarm.id.isEmpty {
                found.append(Problem("id", "alarms[\(other)] has the same id"))
            }
            found = found.map { Problem($0.place.isEmpty ? place : "\(place).\($0.place)", $0.reason, $0.weight) }
            if found.contains(where: { $0.weight == .refused }) {
                leaveOut(SetAside(index: index, label: alarm.label, problems: found))
                continue
            }
            indexOfID[alarm.id] = index
            problems += found
            var kept = alarm
            if found.contains(where: { $0.weight == .unmet }) { kept.isEnabled = false }
            file.alarms.append(kept)
        }
    }

    private mutating func leaveOut(_ alarm: SetAside) {
        setAside.append(alarm)
        file.leftOutPlaces.insert(alarm.index)
    }
}
