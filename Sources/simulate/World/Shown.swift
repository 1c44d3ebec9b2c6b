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

    /// How often anything of what it keeps was shown otherwise than before.
    private(set) var changeCount = 0

    /// `before` is what was shown before; `isStale` says that somebody has been told since that it is no longer so.
    init(_ engine: Engine, before: Shown? = nil, isStale: Bool = true, _ shownAlarms: (Engine) -> [Alarm]) {
        status = engine.status(nextCount: isStale ? .max : 0)
        history = engine.history
        excess = engine.excess
        if let before, !isStale {
            (alarms, settings, codes) = (before.alarms, before.settings, before.codes)
            (calendars, changeCount) = (before.calendars, before.changeCount)
            return
        }
        (alarms, settings, codes) = (shownAlarms(engine), engine.settings, engine.codes)
        calendars = engine.calendars
        guard let before else { return }
        let isSame =
            alarms == before.alarms && settings == before.settings && codes == before.codes
            && calendars == before.calendars
        changeCount = before.changeCount + (isSame ? 0 : 1)
    }

    /// A session that has not ended.
    func session(_ occurrence: Occurrence) -> Session? {
        status.sessions.first { $0.session.occurrence == occurrence }?.session
    }

    /// The second at which an alarm is told to ring next.
    func nextSecond(_ id: Alarm.ID) -> Int? { status.next.first { $0.occurrence.alarm == id }?.occurrence.second }

    func alarm(_ id: Alarm.ID) -> Alarm? { alarms.first { $0.id == id } }
}
