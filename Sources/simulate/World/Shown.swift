// What an engine shows to everybody.

import Alarms
import Engine

/// How things are said to be, as it was read after the last thing that the engine was told.
struct Shown {
    /// When it was read.
    let at: Int
    let status: Status
    let history: [PastRing]
    /// What there is too much of.
    let excess: String?
    /// All that its owner keeps.
    private(set) var file: AlarmsFile
    /// How often that was shown otherwise than before.
    private(set) var changeCount = 0

    init(_ engine: Engine, at now: Int, after before: Shown? = nil, _ shownAlarm: ((Alarm) -> Alarm)? = nil) {
        (at, status, history) = (now, engine.status(nextCount: .max), engine.history)
        (excess, file) = (engine.excess, engine.backup)
        if let shownAlarm { file.alarms = file.alarms.map(shownAlarm) }
        if let before { changeCount = before.changeCount + (file == before.file ? 0 : 1) }
    }

    /// A session that has not ended.
    func session(_ occurrence: Occurrence) -> Session? {
        status.sessions.first { $0.session.occurrence == occurrence }?.session
    }

    /// The second at which an alarm is told to ring next.
    func nextSecond(_ id: Alarm.ID) -> Int? { status.next.first { $0.occurrence.alarm == id }?.occurrence.second }

    func alarm(_ id: Alarm.ID) -> Alarm? { file.alarms.first { $0.id == id } }
}
