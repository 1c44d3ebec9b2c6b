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
}

extension AlarmsFile: TableCoded {
    package mutating func visit(_ table: inout MemberTable) {
        var (format, settings) = (AlarmsFile.format, settings)
        // The members that the settings keep for the file are its own.
        settings.file = OpenObject()
        table.member("format", &format)
        table.member("settings", &settings)
        table.member("calendars", &calendars)
        table.member("alarms", &alarms)
        table.member("codes", &codes, isOmitted: codes.isEmpty)
        table.member("codeKeys", &codeKeys, isOmitted: codeKeys.isEmpty)
        settings.file = self.settings.file
        self.settings = settings
    }

    package var unknown: [JSON.Member] {
        get { settings.file.unknown }
        set { settings.file.unknown = newValue }
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

    package var isWhole: Bool { setAside.isEmpty && problems.areHarmless }

    /// What reading a valid file would come to.
    package init(_ file: AlarmsFile) { self.file = file }

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
        var fields = Fields(members)
        if let format: String = fields.value("format"), format != AlarmsFile.format {
            // What another format means by the rest, nobody here can know.
            problems.append(Problem("format", "\(format.quoted) is not what this Rooster reads, \(AlarmsFile.format)"))
            return
        }
        file.settings = fields.value("settings") ?? Settings()
        file.calendars = fields.value("calendars") ?? [:]
        readCodes(&fields)
        readAlarms(&fields, validationContext)
        file.settings.file.unknown = fields.unknown()
        problems += fields.problems
    }

    private mutating func readCodes(_ fields: inout Fields) {
        file.codeKeys = fields.value("codeKeys") ?? []
        if file.codeKeys.count > CodeKey.countMax {
            fields.note("codeKeys", "there are \(file.codeKeys.count) keys; Rooster keeps at most \(CodeKey.countMax)")
            file.codeKeys = []
        }
        let codes: [EnrolledCode] = fields.value("codes") ?? []
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

    private mutating func readAlarms(_ fields: inout Fields, _ validationContext: ValidationContext) {
        let elements: [JSON] = fields.value("alarms") ?? []
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
            var misread: [Problem] = []
            guard let alarm = Alarm.read(element, &misread) else {
                leaveOut(SetAside(index: index, label: "", problems: misread.map { $0.within(place) }))
                continue
            }
            var found = misread + alarm.problems(among: &validationContext, besides: misread)
            if let other = indexOfID[alarm.id], !alarm.id.isEmpty {
                found.append(Problem("id", "alarms[\(other)] has the same id"))
            }
            found = found.map { $0.within(place) }
            if !found.areHarmless {
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
