// The generator of random alarms files that pass validation.

import CivilTime
import Oracles
import Text

@testable import Alarms

/// Generates files from a seed. They cover all fields of the format.
struct RandomAlarmsFile {
    private var json: RandomJSON
    private var rules: RandomRecurrence

    static let zoneNames = ["UTC", "Europe/Berlin"]

    init(seed: UInt64) {
        json = RandomJSON(seed: seed)
        rules = RandomRecurrence(seed: seed &+ 1)
    }

    private mutating func maybe<Value>(_ value: (inout Self) -> Value) -> Value? {
        json.chance(50) ? value(&self) : nil
    }

    private mutating func list<Value>(_ count: ClosedRange<Int>, _ value: (inout Self) -> Value) -> [Value] {
        (0..<json.number(count)).map { _ in value(&self) }
    }

    mutating func file() throws -> AlarmsFile {
        var file = AlarmsFile()
        file.settings.zoneName = maybe { $0.json.one(of: Self.zoneNames) }
        file.settings.isEnabled = json.chance(80)
        file.settings.lockSeconds = json.number(0...86_400)
        file.settings.snooze.minSeconds = json.number(1...86_400)
        file.settings.snooze.maxSeconds = json.number(1...86_400)
        file.settings.preflight =
            json.chance(20) ? .off : .at(ClockTime(hour: json.number(0...23), minute: 5) ?? .midnight)
        file.settings.hasEmergencyExit = json.chance(80)
        file.settings.unknown = json.unknown()
        file.settings.snooze.unknown = json.unknown()
        for _ in 0..<json.number(0...2) { file.calendars[json.text()] = calendar() }
        for index in 0..<json.number(0...4) {
            let alarm = try alarm(id: "\(index)\(json.chance(50) ? "é \u{1F413}" : "")", among: file.calendars)
            file.alarms.append(alarm)
        }
        for index in 0..<json.number(0...3) {
            let (label, digest) = ("code \(index) \(json.text())", CodeDigest("\(json.number(1...9999))"))
            file.codes.append(EnrolledCode(label: label, kind: json.chance(50) ? .qr : .tag, digest: digest))
        }
        file.settings.file.unknown = json.unknown()
        return file
    }

    private mutating func calendar() -> DayCalendar {
        let from = maybe { $0.date() }
        return DayCalendar(
            weekdays: WeekdaySet(Weekday.allCases.filter { _ in json.chance(70) }), from: from,
            until: maybe { (from ?? .first).advanced(by: $0.json.number(0...900)) },
            off: dates(), on: dates(), unknown: json.unknown())
    }

    private mutating func alarm(id: String, among calendars: [String: DayCalendar]) throws -> Alarm {
        var alarm = Alarm(id: id)
        alarm.label = json.text().withoutBlankEnds
        alarm.isEnabled = json.chance(70)
        alarm.start = maybe { $0.date() }
        try setDays(of: &alarm)
        alarm.zoneName = maybe { $0.json.one(of: Self.zoneNames) }
        alarm.calendarName = calendars.keys.sorted().first
        alarm.skipped = dates()
        alarm.paused = dates()
        alarm.ring.sound = "x\(json.text())"
        alarm.ring.volume = Double.random(in: 0.01...1, using: &json.random)
        alarm.ring.rampSeconds = json.number(0...600)
        alarm.ring.ringSeconds = json.number(1...43_200)
        alarm.ring.shakes = json.chance(30)
        alarm.ring.rounds = json.number(1...12)
        alarm.ring.restSeconds = json.number(60...1800)
        alarm.ring.unknown = json.unknown()
        alarm.escalation = maybe { file in
            (0..<file.json.number(0...3)).map { step in
                EscalationStep(
                    after: step * 9000 + file.json.number(1...9000), sound: "x\(file.json.text())",
                    shakes: file.json.chance(30))
            }
        }
        alarm.snooze.seconds = json.number(1...86_400)
        alarm.snooze.max = maybe { $0.json.number(0...100) }
        alarm.snooze.unknown = json.unknown()
        for challenge in list(0...3, { $0.challenge() }) where !alarm.challenges.contains(challenge) {
            alarm.challenges.append(challenge)
            // An alarm with an impossible challenge is off.
            if challenge.kind == nil || challenge.task == .code(labels: []) { alarm.isEnabled = false }
        }
        alarm.lateWindowSeconds = json.number(0...43_200)
        alarm.earlySeconds = json.number(0...1800)
        alarm.lightSeconds = json.chance(30) ? json.number(1...3600) : 0
        alarm.wakeUpCheck = maybe { WakeUpCheck(after: $0.json.number(60...3600), within: 180) }
        alarm.wakeUpCheck?.unknown = json.unknown()
        alarm.notices = list(0...5) { random in
            NoticeLead(random.json.number(1...31), random.json.one(of: [.minutes, .hours, .days]))
        }
        .compactMap(\.self)
        alarm.note = json.text()
        alarm.category = json.text()
        alarm.unknown = json.unknown()
        return alarm
    }

    private mutating func setDays(of alarm: inout Alarm) throws {
        for weekday in Weekday.allCases where json.chance(20) { alarm.weekly[weekday] = rule() }
        for _ in 0..<json.number(0...3) { alarm.dates[date()] = rule() }
        guard json.chance(80) || alarm.weekly.isEmpty && alarm.dates.isEmpty else { return }
        alarm.time = time()
        switch json.number(0...2) {
        case 0: alarm.recurrence = try Recurrence(parsing: rules.rule())
        case 1: alarm.date = date()
        default: break
        }
    }

    private mutating func date() -> CivilDate {
        json.chance(10) ? json.one(of: [.first, .last]) : rules.start()
    }

    private mutating func dates() -> DateSet {
        DateSet(
            list(0...3) { random in
                let first = random.date()
                return first...first.advanced(by: random.json.chance(50) ? 0 : random.json.number(1...40))
            })
    }

    private mutating func time() -> ClockTime {
        let (hour, minute) = (json.number(0...23), json.number(0...59))
        return ClockTime(hour: hour, minute: minute, second: json.chance(80) ? 0 : json.number(0...59)) ?? .midnight
    }

    private mutating func rule() -> DayRule {
        json.chance(30) ? .off : .at(time())
    }

    private mutating func challenge(isDrawn: Bool = false) -> Challenge {
        let labels = Set(list(0...3) { $0.json.text() }).sorted()
        let task: Challenge.Task =
            switch json.number(isDrawn ? 1...4 : 0...6) {
            case 0: .code(labels: labels)
            case 1:
                .sums(level: json.number(1...3), count: json.number(1...20), limitSeconds: json.number(15...300))
            case 2: .steps(count: json.number(10...500))
            case 3: .pattern(length: json.number(3...12))
            case 4: .tag(labels: labels + ["a tag"])
            case 5: .unknown(kind: "x\(json.text())")
            default: .roulette([challenge(isDrawn: true), Challenge(.code(labels: ["bathroom"]))])
            }
        return Challenge(task, unknown: json.unknown())
    }
}
