// The alarms file, which is exported, imported, backed up and planned.

import JSON
import Text

/// The contents of an alarms file (`rooster/1`).
public struct AlarmsFile: Hashable, Sendable {
    package var settings = Settings()
    package var calendars: [String: DayCalendar] = [:]
    package var alarms: [Alarm] = []
    /// The indices, in the list that was read, of alarms that were left out.
    package var leftOutPlaces: Set<Int> = []
    /// The enrolled codes and tags, as hashes. A backup includes them.
    package var codes: [EnrolledCode] = []
    /// The keys of these hashes. The exporting device's own comes first.
    package var codeKeys: [CodeKey] = []

    package static let format = "rooster/1"
    /// The bound on alarms. A hostel has hundreds, so a longer list is not a list of alarms.
    package static let alarmsMax = 10_000

    package init() {}

    /// The alarms, each with its index in the list that was read.
    package var placedAlarms: [(index: Int, alarm: Alarm)] {
        let places = (0..<alarms.count + leftOutPlaces.count).filter { !leftOutPlaces.contains($0) }
        return zip(places, alarms).map { (index: $0, alarm: $1) }
    }
}

extension AlarmsFile: TableCoded {
    package mutating func visit(_ table: inout MemberTable) {
        var (format, settings) = (AlarmsFile.format, settings)
        // The settings keep unknown members for the file, which writes them itself.
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

/// The result of reading an alarms file. An invalid alarm does not prevent the use of valid ones.
public struct AlarmsFileReading: Sendable {
    package var file = AlarmsFile()
    /// Alarms that were left out, with every reason.
    package var setAside: [SetAside] = []
    /// The other problems of the file, and warnings about the accepted alarms.
    package var problems: [Problem] = []

    /// An alarm that was left out.
    public struct SetAside: Sendable {
        /// The alarm's index in the file's list.
        package let index: Int
        package let label: String
        package let problems: [Problem]

        /// Every reason, followed by the consequence: the alarm is left out.
        package var whyLeftOut: [Problem] {
            problems + [
                Problem(
                    "alarms[\(index)]", "\(label.isEmpty ? "" : "\(label.quoted) ")is left out because of its mistakes")
            ]
        }
    }

    package var isWhole: Bool { setAside.isEmpty && problems.areHarmless }

    /// Creates the result of reading a valid file.
    package init(_ file: AlarmsFile) { self.file = file }

    /// Reads the text of a file. Throws only if the text is not JSON.
    package init(_ bytes: [UInt8], among validationContext: ValidationContext = ValidationContext())
        throws(JSONSyntaxError)
    {
        self.init(try JSON(parsing: bytes), among: validationContext)
    }

    package init(_ json: JSON, among validationContext: ValidationContext = ValidationContext()) {
        guard case .object(let members) = json else {
            problems.append(Problem("", "the file must be an object { … }, not \(json.shown)"))
            return
        }
        var fields = Fields(members)
        if let format: String = fields.value("format"), format != AlarmsFile.format {
            // In another format, the same members may have other meanings.
            problems.append(Problem("format", "must be \(AlarmsFile.format.quoted), not \(format.quoted)"))
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
            fields.note("codeKeys", "must have at most \(CodeKey.countMax) keys, not \(file.codeKeys.count)")
            file.codeKeys = []
        }
        let codes: [EnrolledCode] = fields.value("codes") ?? []
        guard codes.count <= EnrolledCode.countMax else {
            fields.note("codes", "must have at most \(EnrolledCode.countMax) codes, not \(codes.count)")
            return
        }
        for code in codes {
            if file.codes.contains(where: { $0.label == code.label }) {
                fields.note("codes", "must have only one code named \(code.label.quoted)")
            } else {
                file.codes.append(code)
            }
        }
    }

    private mutating func readAlarms(_ fields: inout Fields, _ validationContext: ValidationContext) {
        let elements: [JSON] = fields.value("alarms") ?? []
        guard elements.count <= AlarmsFile.alarmsMax else {
            fields.note("alarms", "must have at most \(AlarmsFile.alarmsMax) alarms, not \(elements.count)")
            return
        }
        var validationContext = validationContext
        validationContext.calendars.formUnion(file.calendars.keys)
        validationContext.know(file.codes)
        var indexOfID: [Alarm.ID: Int] = [:]
        for (index, element) in elements.enumerated() {
            let path = "alarms[\(index)]"
            var misread: [Problem] = []
            guard let alarm = Alarm.read(element, &misread) else {
                leaveOut(SetAside(index: index, label: "", problems: misread.map { $0.within(path) }))
                continue
            }
            var found = misread + alarm.problems(among: &validationContext, besides: misread)
            if let other = indexOfID[alarm.id], !alarm.id.isEmpty {
                found.append(Problem("id", "must differ from the id of alarms[\(other)]"))
            }
            found = found.map { $0.within(path) }
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
