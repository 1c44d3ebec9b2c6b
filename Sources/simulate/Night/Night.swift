// One simulated day, or a life of up to 80 days: its alarms, its settings and its events.

import Alarms
import Challenges
import CivilTime
import Engine

/// A day from one evening to the next. Every hundredth night is a life: many days with few faults.
struct Night: Sendable {
    let seed: UInt64
    let number: Int
    /// The beginning, in milliseconds since 1970.
    let start: Int
    let zoneIndex: Int
    let days: Int
    var alarms: [Alarm]
    let settings: Settings
    /// The events in their order, with milliseconds since the beginning.
    var events: [(at: Int, NightEvent)]

    static let dayMilliseconds = 86_400_000
    var milliseconds: Int { days * Night.dayMilliseconds }

    /// Draws a night. The same seed and number give the same night on every machine.
    init(seed: UInt64, number: Int, faults: Set<NightEvent.Kind>) {
        self.seed = seed
        self.number = number
        var chance = SeededGenerator(seed: seed, number)
        zoneIndex = chance.number(in: 0...SimulatedZones.all.count - 1)
        let zone = SimulatedZones.all[zoneIndex]
        let day = Night.drawDay(&chance)
        let evening = CivilDateTime(day, ClockTime(hour: 18, minute: 0) ?? .midnight)
        start = Night.instant(evening, in: zone).secondsSince1970 * 1000
        var settings = Settings()
        if chance.number(in: 0...4) == 0 { settings.lockSeconds = chance.number(in: 0...7200) }
        if chance.number(in: 0...9) == 0 { settings.hasEmergencyExit = false }
        if chance.number(in: 0...4) == 0 {
            (settings.snooze.minSeconds, settings.snooze.maxSeconds) = Night.drawBounds(&chance)
        }
        settings.bedtime = Night.bedtimes[number % Night.bedtimes.count]
        settings.bedtimeChime = number % 2 == 0
        self.settings = settings
        let count = chance.number(in: 1...5)
        alarms = (0..<count).map { Night.drawAlarm($0, after: day, &chance) }
        // Some alarms ring at the same time as the first one, or a minute later.
        for index in alarms.indices.dropFirst() where chance.number(in: 0...3) == 0 {
            alarms[index].time = alarms[0].moved(bySeconds: 60 * chance.number(in: 0...1))
        }
        events = []
        let isLife = number % Night.nightsPerLife == Night.nightsPerLife - 1
        days = isLife ? chance.number(in: 2...Night.lifeDaysMax) : 1
        var drawn = isLife ? drawLife(faults, &chance) : drawEvents(faults, &chance)
        if faults.contains(.people) { drawn += drawMovements() }
        events = drawn.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }

    /// The bedtimes of a night, by its number: none, or the same on each weekday.
    private static let bedtimes = ["off", "22:30", "01:30"].map { text in
        let rule = DayRule(text) ?? .off
        return rule == .off ? [:] : Dictionary(uniqueKeysWithValues: Weekday.allCases.map { ($0, rule) })
    }

    /// Some mistakes show only after weeks or months.
    private static let nightsPerLife = 100
    private static let lifeDaysMax = 80

    /// Draws a day: in three of four cases a Saturday of a season in which clocks change.
    private static func drawDay(_ chance: inout SeededGenerator) -> CivilDate {
        let year = chance.number(in: 2024...2035)
        let first = CivilDate(year: year, month: 1, day: 1) ?? .first
        guard chance.number(in: 0...3) > 0 else { return first.advanced(by: chance.number(in: 0...364)) }
        let month = chance.pick([3, 4, 9, 10, 11])
        let change = CivilDate(year: year, month: month, day: 1) ?? first
        let saturday = change.advanced(by: Weekday.saturday.days(after: change.weekday))
        return saturday.advanced(by: 7 * chance.number(in: 0...4))
    }

    private static func instant(_ local: CivilDateTime, in zone: Zone) -> Instant {
        switch zone.instants(of: local) {
        case .once(let instant), .twice(let instant, _): instant
        case .never(let gap): gap.readWithOffsetBefore
        }
    }

    /// Draws an alarm for the day after `day`. A third of the alarms get a time from 00:00 to 04:00, the
    /// others any time.
    static func drawAlarm(_ index: Int, after day: CivilDate, _ chance: inout SeededGenerator) -> Alarm {
        var alarm = Alarm(id: "alarm-\(index)")
        alarm.label = "Alarm \(index)"
        let minutes = chance.number(in: 0...2) == 0 ? chance.number(in: 0...240) : chance.number(in: 0...1439)
        alarm.time = ClockTime(hour: minutes / 60, minute: minutes % 60)
        switch chance.number(in: 0...8) {
        case 0: break
        case 1: alarm.date = day.advanced(by: 1)
        case 2:
            let isOff = chance.number(in: 0...3) == 0
            alarm.weekly = [
                day.advanced(by: 1).weekday: isOff ? .off : .at(ClockTime(hour: 1, minute: 30) ?? .midnight)
            ]
            if chance.number(in: 0...1) == 0 { alarm.recurrence = Recurrence(.daily) }
        case 3: (alarm.recurrence, alarm.start) = drawInterval(after: day, &chance)
        case 4:
            let early = ClockTime(hour: chance.number(in: 0...5), minute: 30) ?? .midnight
            alarm.dates[day.advanced(by: 1)] = chance.number(in: 0...2) == 0 ? .off : .at(early)
            alarm.dates[day.advanced(by: 2)] = .at(early)
            // Without a time, the alarm rings only on its dates.
            if chance.number(in: 0...2) == 0 { alarm.time = nil }
        default: alarm.recurrence = Recurrence(.daily)
        }
        alarm.ring.rampSeconds = chance.pick([0, 30, 600])
        alarm.ring.ringSeconds = chance.pick([60, 600, 1800])
        (alarm.ring.rounds, alarm.ring.restSeconds) = chance.pick([(3, 300), (1, 300), (2, 60), (4, 1200)])
        alarm.escalation = chance.pick([
            nil, [], [EscalationStep(after: 60, sound: "bells01"), EscalationStep(after: 900, sound: "horn01")],
            [EscalationStep(after: 120, sound: nil, shakes: true)],
        ])
        alarm.ring.shakes = chance.number(in: 0...3) == 0
        if alarm.ring.shakes, chance.number(in: 0...2) == 0 { alarm.ring.sound = RingSettings.noSound }
        alarm.snooze.max = chance.pick([0, 1, 3, nil])
        alarm.lateWindowSeconds = chance.pick([0, 600, 3600, 43_200])
        if chance.number(in: 0...9) == 0 { alarm.zoneName = chance.pick(SimulatedZones.all).name }
        if chance.number(in: 0...4) == 0 { alarm.calendarName = calendarName }
        alarm.challenges = drawChallenges(&chance)
        alarm.allowsPostponing = minutes % 7 == 0
        alarm.notices = notices[minutes % notices.count]
        alarm.earlySeconds = earlySeconds[minutes % earlySeconds.count]
        alarm.lightSeconds = [0, 600, 0, 1800, 3600][minutes / 5 % 5]
        alarm.wakeUpCheck = alarm.challenges.isEmpty ? nil : checks[minutes % checks.count]
        return alarm
    }

    /// Draws a repeat with an interval or a count. It starts when saved, or up to 20 days before tomorrow.
    private static func drawInterval(after day: CivilDate, _ chance: inout SeededGenerator) -> (
        Recurrence, start: CivilDate?
    ) {
        var recurrence = Recurrence(.daily)
        recurrence.interval = chance.number(in: 2...3)
        let tomorrow = day.advanced(by: 1)
        var start: CivilDate?
        switch chance.number(in: 0...2) {
        case 0: (recurrence.interval, recurrence.end) = (chance.number(in: 1...2), .count(chance.number(in: 1...3)))
        case 1:
            recurrence.frequency = .weekly
            // A weekly repeat may name no day.
            let namesDay = chance.number(in: 0...2) > 0
            if namesDay { recurrence.days = [Recurrence.Day(tomorrow.weekday)] } else { recurrence.interval = 1 }
        default: break
        }
        if chance.number(in: 0...1) == 0 { start = tomorrow.advanced(by: -chance.number(in: 0...20)) }
        return (recurrence, start)
    }

    static let calendarName = "days"

    static func drawBounds(_ chance: inout SeededGenerator) -> (Int, Int) {
        chance.pick([(60, 120), (300, 900), (600, 7200), (900, 300)])
    }

    /// The notices of alarms, chosen by the time of the alarm.
    private static let notices = [[], ["30m"], [], ["1m", "24h", "30m"], ["3d", "5h"]].map {
        $0.compactMap(NoticeLead.init(text:))
    }

    /// The seconds by which alarms may be early, chosen by the time of the alarm.
    private static let earlySeconds = [0, 0, 1800, 0, 0, 300, 0]

    /// The wake-up checks of alarms, chosen by the time of the alarm.
    private static let checks = [
        nil, WakeUpCheck(), WakeUpCheck(after: 60, within: 30), nil, WakeUpCheck(after: 600, within: 300),
        WakeUpCheck(after: 120, within: 60), nil,
    ]

    private static func drawChallenges(_ chance: inout SeededGenerator) -> [Challenge] {
        var challenges: [Challenge] = []
        for _ in 0..<chance.pick([0, 1, 1, 2]) {
            let challenge =
                switch chance.number(in: 0...5) {
                case 0: Challenge(.code(labels: ["bathroom", "kitchen"]))
                case 1: Challenge(.sums(level: chance.number(in: 1...3), count: 2, limitSeconds: 60))
                case 2: Challenge(.steps(count: 10))
                case 3: Challenge(.pattern(length: 4))
                case 4:
                    Challenge(
                        .roulette([
                            Challenge(.steps(count: 12)), Challenge(.sums(level: 1, count: 3, limitSeconds: 60)),
                            Challenge(.pattern(length: 5)),
                        ]))
                default: Challenge(.tag(labels: ["fridge"]))
                }
            if !challenges.contains(challenge) { challenges.append(challenge) }
        }
        return challenges
    }
}

extension Alarm {
    func moved(bySeconds seconds: Int) -> ClockTime? {
        let moved = ((time?.secondsSinceMidnight ?? 0) + seconds + 86_400) % 86_400
        return ClockTime(hour: moved / 3600, minute: moved / 60 % 60)
    }
}

/// The zones of simulated machines: in both hemispheres, with an hour, half an hour or no daylight time.
enum SimulatedZones {
    static let all: [Zone] = [
        Zone(name: "Europe/Berlin", rule: "CET-1CEST,M3.5.0,M10.5.0/3"),
        Zone(name: "America/New_York", rule: "EST5EDT,M3.2.0,M11.1.0"),
        Zone(name: "Australia/Lord_Howe", rule: "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"),
        Zone(name: "America/Santiago", rule: "<-04>4<-03>,M9.1.6/24,M4.1.6/24"),
        Zone(name: "Asia/Tokyo", rule: "JST-9"),
    ].compactMap(\.self)
}

extension SeededGenerator {
    mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[number(in: 0...choices.count - 1)] }
}
