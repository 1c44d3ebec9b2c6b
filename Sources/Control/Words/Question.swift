// What somebody wants to know of what is kept, and the answer.

import Alarms
import Engine
import JSON

/// A question that changes nothing, and asks for no device.
enum Question: Sendable {
    case alarms
    case alarm(Alarm.ID)
    case settings
    case calendars
    case codes
    case history(days: Int?)
    case export

    /// Whether there may be a lot to say.
    var isLong: Bool {
        switch self {
        case .alarms, .calendars, .history, .export: true
        case .alarm, .settings, .codes: false
        }
    }

    /// The answer by what an engine knows.
    func answer(by engine: Engine) -> JSON {
        switch self {
        case .alarms: .done([.init("alarms", .array(engine.alarms.compactMap { engine.json(ofAlarm: $0.id) }))])
        case .alarm(let id):
            engine.json(ofAlarm: id).map { .done([.init("alarm", $0)]) } ?? Refusal.noSuchAlarm(id).json
        case .settings: .done([.init("settings", engine.settings.json)])
        case .calendars:
            .done([
                .init(
                    "calendars",
                    .object(engine.calendars.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.json) }))
            ])
        case .codes: .done([.init("codes", .array(engine.codes.map { $0.json(in: engine) }))])
        case .history(let days): .done(engine.historyMembers(days: days))
        case .export: .done([.init("file", engine.backup.json)])
        }
    }
}
