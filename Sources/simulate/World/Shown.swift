// What an engine shows to everybody.

import Alarms
import Engine

/// How things are said to be, as it was read after the last thing that the engine was told.
struct Shown {
    private(set) var status: Status
    private(set) var history: [PastRing]
    /// What there is too much of.
    private(set) var excess: String?
    private(set) var alarms: [Alarm]
    private(set) var settings: Settings
    private(set) var codes: [EnrolledCode]
    private(set) var calendars: [String: DayCalendar]

    /// `before` is what was shown before, if nobody has been told since that it is no longer so.
    init(_ engine: Engine, before: Shown?, _ shownAlarms: (Engine) -> [Alarm]) {
        status = engine.status(nextCount: 0)
        history = engine.history
        excess = engine.excess
        alarms = before?.alarms ?? shownAlarms(engine)
        settings = before?.settings ?? engine.settings
        codes = before?.codes ?? engine.codes
        calendars = before?.calendars ?? engine.calendars
    }

    /// A session that has not ended.
    func session(_ occurrence: Occurrence) -> Session? {
        status.sessions.first { $0.session.occurrence == occurrence }?.session
    }

    func alarm(_ id: Alarm.ID) -> Alarm? { alarms.first { $0.id == id } }
}
