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
        backup.alarms = night.alarms
        // The attic's code and the cat's tag are no alarm's.
        let codes = ["bathroom", "kitchen", "attic"].map {
            EnrolledCode(label: $0, kind: .qr, digest: CodeDigest($0))
        }
        let tags = ["fridge", "cat"].map { EnrolledCode(label: $0, kind: .tag, digest: CodeDigest($0)) }
        let commands =
            (codes + tags).map { Command.enrol($0) } + [.saveSettings(night.settings)]
            + night.alarms.map { .save($0) }
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
    mutating func request(_ want: Want, _ engine: Engine, day: CivilDate, _ chance: inout Chance) -> (Command, Request)?
    {
        if want == .again {
            return last
        }
        return command(want, engine, day: day, &chance).map { request($0) }
    }

    /// Who has not been answered when the service died will not be.
    mutating func restarted() {
        last = nil
    }

    private func command(
        _ want: Want, _ engine: Engine, day: CivilDate, _ chance: inout Chance
    ) -> Command? {
        func alarm(_ index: Int) -> Alarm? { engine.alarm("alarm-\(index)")?.alarm }
        switch want {
        case .add(let index):
            return .save(Night.drawAlarm(index, after: day, &chance))
        case .edit(let index):
            guard var alarm = alarm(index) else { return nil }
            alarm.note = "edited"
            let minutes = chance.number(in: 0...1439)
            alarm.time = ClockTime(hour: minutes / 60, minute: minutes % 60)
            return .save(alarm)
        case .weaken(let index):
            guard var alarm = alarm(index) else { return nil }
            alarm.challenges = []
            return .save(alarm)
        case .delete(let index): return .delete("alarm-\(index)")
        case .enable(let index, let isEnabled): return .enable("alarm-\(index)", isEnabled)
        case .skip(let index): return .skip("alarm-\(index)")
        case .unskip(let index): return .unskip("alarm-\(index)")
        case .pause(let index):
            return .pause("alarm-\(index)", DateSet([day...day.advanced(by: 1)]))
        case .master(let isEnabled):
            var settings = engine.settings
            settings.isEnabled = isEnabled
            return .saveSettings(settings)
        case .lock(let seconds):
            var settings = engine.settings
            settings.lockSeconds = seconds
            return .saveSettings(settings)
        case .deviceZone(let index):
            var settings = engine.settings
            settings.zoneName = index.map { SimulatedZones.all[$0].name }
            return .saveSettings(settings)
        case .forget(let index): return .forget(["bathroom", "kitchen", "fridge"][index])
        case .enrol(let index):
            return .enrol(EnrolledCode(label: "code \(index)", kind: .qr, digest: CodeDigest("code \(index)")))
        case .restoreOldBackup: return .restore(backup)
        case .snooze(let seconds): return .snooze(seconds: seconds)
        case .stop: return .stop
        case .unlock(let index): return .unlock("alarm-\(index)")
        case .answer(let number): return .answer(number)
        case .testRing: return .testRing(RingSettings(), inSeconds: 8)
        case .again: return nil
        }
    }
}
