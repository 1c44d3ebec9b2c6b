// The commands of the owner: those that set up the evening, and random ones in the night.

import Alarms
import Challenges
import CivilTime
import Engine
import JSON

extension Night {
    /// The enrolled codes. No drawn alarm names the attic's code or the cat's tag.
    private static let codes =
        ["bathroom", "kitchen", "attic"].map { EnrolledCode(label: $0, kind: .qr, digest: CodeDigest($0)) }
        + ["fridge", "cat"].map { EnrolledCode(label: $0, kind: .tag, digest: CodeDigest($0)) }

    var eveningCommands: [Command] {
        Night.codes.map { .enrol($0) }
            + [.saveSettings(settings), .saveCalendar(Night.calendarName, DayCalendar())] + alarms.map { .save($0) }
    }

    private var backup: AlarmsFile {
        var backup = AlarmsFile()
        (backup.alarms, backup.settings, backup.codes) = (alarms, settings, Night.codes)
        return backup
    }

    private func day(at milliseconds: Int) -> CivilDate {
        CivilDate(dayNumber: (start + milliseconds) / Night.dayMilliseconds)
    }

    /// Returns a random command for that time, or nil to repeat the last request.
    func drawCommand(at milliseconds: Int, _ chance: inout SeededGenerator) -> Command? {
        let index = chance.number(in: 0...alarms.count)
        let id = "alarm-\(index)"
        let day = day(at: milliseconds)
        return switch chance.number(in: 0...31) {
        case 0: .save(Night.drawAlarm(alarms.count + chance.number(in: 0...1), after: day, &chance))
        case 1: .save(Night.drawAlarm(index, after: day, &chance))
        case 2: drawNewTime(of: id, &chance)
        case 3: edit(id, "challenges", .array([]))
        case 4: .delete(id)
        case 5, 6: .enable(id, false)
        case 7: .enable(id, true)
        case 8: .skip(id)
        case 9: .unskip(id)
        case 10: .pause(id, DateSet([day...day.advanced(by: 1)]))
        case 11: configure("enabled", .bool(chance.number(in: 0...2) > 0))
        case 12: settingsChange(chance.number(in: 0...7200))
        case 13:
            configure("zone", .text(chance.pick([nil, chance.pick(SimulatedZones.all).name])))
        case 14: .forget(chance.pick(["bathroom", "kitchen", "fridge"]))
        case 15: .restore(backup, isBackup: true)
        case 16: .snooze(seconds: chance.pick([nil, 1, 300, 100_000]))
        case 17: index.isMultiple(of: 2) ? .stop : .awake
        case 18: .unlock(id)
        case 19:
            chance.number(in: 0...1) == 0
                ? .testRing(RingSettings(), inSeconds: 8) : .answer(chance.number(in: 0...99))
        case 20, 21: drawEdit(of: index, isHarder: false, &chance)
        case 22: drawEdit(of: index, isHarder: true, &chance)
        case 23: drawBoundsChange(&chance)
        case 24: configure("emergency", .bool(chance.number(in: 0...1) == 0))
        case 25: drawOtherCode(&chance)
        case 28 where index == 0: .clearHistory
        case 28 where index == 1: .inBed
        case 26, 27: drawCalendar(before: day.advanced(by: 1), &chance)
        case 28, 29: drawPostponement(of: id, &chance)
        case 30: .done(id)
        default: nil
        }
    }

    func drawLifeCommands(at milliseconds: Int, _ chance: inout SeededGenerator) -> [(at: Int, NightEvent)] {
        let index = chance.number(in: 0...alarms.count - 1)
        let id = "alarm-\(index)"
        let day = day(at: milliseconds)
        let later = milliseconds + chance.number(in: 0...3 * Night.dayMilliseconds)
        let command: Command
        switch chance.number(in: 0...14) {
        case 0, 1: command = .skip(id)
        case 2, 3: command = .unskip(id)
        case 4, 5: command = .pause(id, DateSet([day...day.advanced(by: chance.number(in: 0...19))]))
        case 6: command = .pause(id, DateSet())
        // The master switch is on again later.
        case 7:
            let (off, on) = (configure("enabled", .bool(false)), configure("enabled", .bool(true)))
            return [(milliseconds, .ask(off)), (later, .ask(on))]
        case 8: return [(milliseconds, .ask(.enable(id, false))), (later, .ask(.enable(id, true)))]
        case 9: command = drawNewTime(of: id, &chance)
        case 11, 12: command = drawPostponement(of: id, &chance)
        case 13: command = .done(id)
        case 10: command = drawCalendar(before: day.advanced(by: 1), &chance)
        default: command = edit(id, "time", .text(alarms[index].moved(bySeconds: -300)))
        }
        return [(milliseconds, .ask(command))]
    }

    // MARK: changes of single members

    private func edit(_ id: Alarm.ID, _ name: String, _ value: JSON) -> Command {
        .edit(id, AlarmPatch([.init(name, value)]))
    }

    private func configure(_ name: String, _ value: JSON) -> Command {
        .configure(SettingsPatch([.init(name, value)]))
    }

    private func drawNewTime(of id: Alarm.ID, _ chance: inout SeededGenerator) -> Command {
        let minutes = chance.number(in: 0...1439)
        let time = ClockTime(hour: minutes / 60, minute: minutes % 60)
        return .edit(id, AlarmPatch([.init("note", .string("edited")), .init("time", .text(time))]))
    }

    /// Returns an edit that makes an alarm harder to sleep through or to dismiss, or easier.
    private func drawEdit(of index: Int, isHarder: Bool, _ chance: inout SeededGenerator) -> Command {
        func part(_ name: String, _ member: String, _ harder: Int, _ easier: Int) -> (String, JSON) {
            (name, .object([.init(member, .number(isHarder ? harder : easier))]))
        }
        func challenges(_ harder: Challenge.Task, _ easier: Challenge.Task?) -> (String, JSON) {
            ("challenges", .array([isHarder ? harder : easier].compactMap { $0.map { Challenge($0).json } }))
        }
        let (name, value): (String, JSON) =
            switch chance.number(in: 0...9) {
            case 0: ("ring", .object([.init("volume", .number(isHarder ? 1 : 0.3))]))
            case 1: part("ring", "ramp", 0, 600)
            case 2: part("ring", "for", 3600, 60)
            case 3: part("snooze", "max", 0, 10)
            case 4: part("snooze", "seconds", 300, 3000)
            case 5 where index == 1: ("check", isHarder ? WakeUpCheck(after: 60, within: 30).json : .null)
            case 5: ("late", .number(isHarder ? 43_200 : 0))
            case 6: challenges(.steps(count: 11), nil)
            case 7:
                challenges(.sums(level: 2, count: 3, limitSeconds: 60), .sums(level: 1, count: 1, limitSeconds: 60))
            case 8:
                challenges(.code(labels: ["bathroom"]), .code(labels: ["bathroom", "kitchen", "attic"]))
            default:
                // A night that is being shortened may have no alarm left.
                ("time", .text(alarms.prefix(index + 1).last?.moved(bySeconds: isHarder ? -300 : 300)))
            }
        return edit("alarm-\(index)", name, value)
    }

    private func drawPostponement(of id: Alarm.ID, _ chance: inout SeededGenerator) -> Command {
        .postpone(id, chance.pick([.seconds(60), .seconds(3600), .seconds(30_000), .days(1), .days(7)]))
    }

    private func drawBoundsChange(_ chance: inout SeededGenerator) -> Command {
        let (min, max) = Night.drawBounds(&chance)
        return configure("snooze", .object([.init("min", .number(min)), .init("max", .number(max))]))
    }

    /// Returns another lock window; sometimes a reset, or defaults of the house, which must change no alarm.
    /// It draws no number itself, so that the nights of earlier versions stay the same.
    private func settingsChange(_ number: Int) -> Command {
        let ring: JSON = .object([.init("volume", .number(0.1)), .init("ramp", .number(600))])
        return switch number % 16 {
        case 0: .saveSettings(settings.reset)
        case 1, 2: configure("defaults", .object([.init("ring", ring)]))
        default: configure("lock", .number(number))
        }
    }

    /// Returns the enrolment of a new code under a label that is in use.
    private func drawOtherCode(_ chance: inout SeededGenerator) -> Command {
        let label = chance.pick(["bathroom", "kitchen", "attic"])
        return .enrol(
            EnrolledCode(label: label, kind: .qr, digest: CodeDigest("\(label) \(chance.number(in: 0...99))")))
    }

    private func drawCalendar(before tomorrow: CivilDate, _ chance: inout SeededGenerator) -> Command {
        let days: DayCalendar? =
            switch chance.number(in: 0...3) {
            case 0: DayCalendar()
            case 1: DayCalendar(off: DateSet([tomorrow...tomorrow]))
            case 2: DayCalendar(weekdays: [.saturday, .sunday])
            default: nil
            }
        return .saveCalendar(Night.calendarName, days)
    }
}
