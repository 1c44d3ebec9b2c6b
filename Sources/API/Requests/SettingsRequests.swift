// The requests about settings, day calendars and alarms files.

import Alarms
import JSON
import Text

package struct GetSettings: Request {
    package struct Response: Codable, Sendable {
        package let settings: Settings
        package let revision: String

        package init(settings: Settings) { (self.settings, revision) = (settings, settings.revision) }
    }

    package init() {}

    package static let spec = RequestSpec(
        "settings", .get, "/settings", changes: false, may: .look, "Returns the settings, as in alarms files")
}

package struct Configure: Request {
    package typealias Response = GetSettings.Response

    package let changes: SettingsPatch

    package init(changes: SettingsPatch) { self.changes = changes }

    package static let spec = RequestSpec(
        "configure", .patch, "/settings", changes: true, may: .change, "Changes the given settings",
        fields: ["changes": "the members to change, as in alarms files"], if: [.ifRevision])
}

package struct ResetSettings: Request {
    package typealias Response = GetSettings.Response

    package init() {}

    package static let spec = RequestSpec(
        "resetSettings", .delete, "/settings", changes: true, may: .change, "Gives every setting its default",
        if: [.ifRevision])
}

package struct ListCalendars: Request {
    package struct Calendar: Codable, Sendable {
        package let name: String
        package let calendar: DayCalendar
        package let revision: String

        package init(name: String, calendar: DayCalendar) {
            (self.name, self.calendar, revision) = (name, calendar, calendar.revision)
        }
    }

    package struct Response: Codable, Sendable {
        package let calendars: [Calendar]

        package init(calendars: [Calendar]) { self.calendars = calendars }
    }

    package init() {}

    package static let spec = RequestSpec(
        "calendars", .get, "/calendars", changes: false, may: .look, "Returns the day calendars, by name")
}

package struct SaveCalendar: Request {
    package struct Response: Codable, Sendable {
        package let revision: String

        package init(revision: String) { self.revision = revision }
    }

    package let name: String
    package let calendar: Patch<DayCalendar>

    package init(name: String, calendar: Patch<DayCalendar>) { (self.name, self.calendar) = (name, calendar) }

    package static let spec = RequestSpec(
        "saveCalendar", .put, "/calendars/{name}", changes: true, may: .change, "Adds or replaces a day calendar",
        fields: ["name": "its name", "calendar": "the calendar, as in alarms files"], if: [.ifRevision])
}

package struct DeleteCalendar: Request {
    package let name: String

    package init(name: String) { self.name = name }

    package static let spec = RequestSpec(
        "deleteCalendar", .delete, "/calendars/{name}", changes: true, may: .change, "Deletes a day calendar",
        fields: ["name": "its name"], if: [.ifRevision])
}

package struct ExportAll: Request {
    package struct Response: Codable, Sendable {
        package let file: AlarmsDocument

        package init(file: AlarmsFile) { self.file = AlarmsDocument(file) }
    }

    package init() {}

    package static let spec = RequestSpec(
        "export", .get, "/file", changes: false, may: .change,
        "Returns alarms, settings, calendars and codes as an alarms file")
}

package struct ImportFile: Request {
    package struct Response: Codable, Sendable {
        package let alarms: Int
        package let setAside: [ProblemReport]
        /// The labels of the imported codes, each of which can end a ring from now on.
        package let codes: [String]

        package init(alarms: Int, setAside: [ProblemReport], codes: [String]) {
            (self.alarms, self.setAside, self.codes) = (alarms, setAside, codes)
        }
    }

    package let file: AlarmsDocument
    package let backup: Bool?

    package init(file: AlarmsDocument, backup: Bool? = nil) { (self.file, self.backup) = (file, backup) }

    package static let spec = RequestSpec(
        "import", .post, "/file", changes: true, may: .change,
        "Imports the valid alarms of a file, and its calendars and codes",
        fields: [
            "file": "the alarms file",
            "backup": "true replaces everything by the file, settings too, or changes nothing; default: false",
        ])
}

/// An alarms file within a request or response. Decoding parses the whole file, which may take a while.
package struct AlarmsDocument: JSONCodable {
    package let json: JSON
    package let reading: AlarmsFileReading

    package init(_ json: JSON) {
        self.json = json
        reading = AlarmsFileReading(json)
    }

    package init(_ file: AlarmsFile) { (json, reading) = (file.json, AlarmsFileReading(file)) }

    package static func read(_ json: JSON, _ problems: inout [Problem]) -> AlarmsDocument? {
        if case .object = json { AlarmsDocument(json) } else { mismatch(json, &problems, "an object { … }") }
    }

    package static var schema: Schema { AlarmsFile.schema }
}
