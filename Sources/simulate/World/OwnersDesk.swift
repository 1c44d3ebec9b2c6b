// Everything that the people of a house ask for, and what they are answered.

import Alarms
import CivilTime
import Engine

/// The requests of a night.
struct OwnersDesk {
    private var requestCount = 0
    private var last: (command: Command, request: Request)?
    private var backup = AlarmsFile()

    /// What is set in the evening.
    mutating func prepare(_ night: Night) -> [(Command, Request)] {
        (backup.alarms, backup.settings) = (night.alarms, night.settings)
        // The attic's code and the cat's tag are no alarm's.
        let codes = ["bathroom", "kitchen", "attic"].map {
            EnrolledCode(label: $0, kind: .qr, digest: CodeDigest($0))
        }
        let tags = ["fridge", "cat"].map { EnrolledCode(label: $0, kind: .tag, digest: CodeDigest($0)) }
        backup.codes = codes + tags
        var commands = backup.codes.map { Command.enrol($0) }
        commands += [.saveSettings(night.settings), .saveCalendar(Night.calendarName, DayCalendar())]
        commands += night.alarms.map { .save($0) }
        return commands.map { request($0) }
    }

    /// A command as it is sent now.
    mutating func request(_ command: Command) -> (Command, Request) {
        requestCount += 1
        let sent = (command, Request("r\(requestCount)", by: .page))
        last = sent
        return sent
    }

    /// What somebody asks for, as it comes in; nothing where there is nothing to ask it of.
    mutating func request(_ want: Want, _ shown: Shown, day: CivilDate, _ chance: inout Chance) -> (Command, Request)? {
        if want == .again { return last }
        return command(want, shown, day: day, &chance).map { request($0) }
    }

    /// Who has not been answered when the service died will not be.
    mutating func restarted() {
        last = nil
    }

    private func command(
        _ want: Want, _ shown: Shown, day: CivilDate, _ chance: inout Chance
    ) -> Command? {
        func alarm(_ index: Int) -> Alarm? { shown.alarm("alarm-\(index)") }
        func settings(_ change: (inout Settings) -> Void) -> Command {
            var settings = shown.settings
            change(&settings)
            return .saveSettings(settings)
        }
        switch want {
        case .command(let command): return command
        case .add(let index):
            return .save(Night.drawAlarm(index, after: day, &chance))
        case .edit(let index):
            guard alarm(index) != nil else { return nil }
            let minutes = chance.number(in: 0...1439)
            let time = ClockTime(hour: minutes / 60, minute: minutes % 60).map { JSON.string("\($0)") }
            return .edit(
                "alarm-\(index)", AlarmPatch([.init("note", .string("edited")), .init("time", time ?? .null)]))
        case .weaken(let index):
            guard var alarm = alarm(index) else { return nil }
            alarm.challenges = []
            return .save(alarm)
        case .change(let index, let ease, let isHarder):
            return alarm(index).map { .save($0.changed(ease, isHarder: isHarder)) }
        case .pause(let index, let days):
            let dates = days > 0 ? [day...day.advanced(by: days - 1)] : []
            return .pause("alarm-\(index)", DateSet(dates))
        case .master(let isEnabled): return settings { $0.isEnabled = isEnabled }
        case .snoozeBounds(let least, let most):
            return settings { ($0.snoozeSecondsMin, $0.snoozeSecondsMax) = (least, most) }
        case .emergencyExit(let isThere): return settings { $0.hasEmergencyExit = isThere }
        case .deviceZone(let index):
            return settings { $0.zoneName = index.map { SimulatedZones.all[$0].name } }
        case .enrolOver(let index):
            let label = ["bathroom", "kitchen", "attic"][index]
            return .enrol(EnrolledCode(label: label, kind: .qr, digest: CodeDigest("\(label) \(requestCount)")))
        case .calendar(let days):
            return .saveCalendar(Night.calendarName, DayCalendar(days, tomorrow: day.advanced(by: 1)))
        case .restoreOldBackup: return .restore(backup, isBackup: true)
        case .again: return nil
        }
    }
}

extension DayCalendar {
    fileprivate init?(_ days: Want.DaysOff, tomorrow: CivilDate) {
        switch days {
        case .none: self.init()
        case .tomorrow: self.init(off: DateSet([tomorrow...tomorrow]))
        case .weekend: self.init(weekdays: [.saturday, .sunday])
        case .gone: return nil
        }
    }
}

extension Alarm {
    /// The same, but harder to sleep through or to be done with, or easier.
    fileprivate func changed(_ ease: Want.Ease, isHarder: Bool) -> Alarm {
        let walk = Challenge(.steps(count: 11))
        let labels = isHarder ? ["bathroom"] : ["bathroom", "kitchen", "attic"]
        var alarm = self
        switch ease {
        case .volume: alarm.ring.volume = isHarder ? 1 : 0.3
        case .ramp: alarm.ring.rampSeconds = isHarder ? 0 : 600
        case .ringing: alarm.ring.ringSeconds = isHarder ? 3600 : 60
        case .snoozes: alarm.snooze.max = isHarder ? snooze.max.map { max(0, $0 - 1) } ?? 3 : snooze.max.map { $0 + 1 }
        case .snoozeLength: alarm.snooze.seconds = isHarder ? 300 : 3000
        case .lateness: alarm.lateWindowSeconds = isHarder ? 43_200 : 0
        case .challenges where isHarder: if !challenges.contains(walk) { alarm.challenges.append(walk) }
        case .challenges: alarm.challenges = challenges.dropLast()
        case .sums: alarm.challenges = challenges.map { $0.sized(isHarder ? 3 : 1) }
        case .codes: alarm.challenges = challenges.map { $0.with(labels) }
        case .time: alarm.time = moved(bySeconds: isHarder ? -300 : 300)
        }
        return alarm
    }

    /// Its time, but so much later.
    func moved(bySeconds seconds: Int) -> ClockTime? {
        let moved = ((time?.secondsSinceMidnight ?? 0) + seconds + 86_400) % 86_400
        return ClockTime(hour: moved / 3600, minute: moved / 60 % 60)
    }
}

extension Challenge {
    /// The same with so many sums.
    fileprivate func sized(_ count: Int) -> Challenge {
        guard case .sums(let level, _, let limit) = task else { return self }
        return Challenge(.sums(level: level, count: count, limitSeconds: limit))
    }

    /// The same by these codes.
    fileprivate func with(_ labels: [String]) -> Challenge {
        guard case .code = task else { return self }
        return Challenge(.code(labels: labels))
    }
}
