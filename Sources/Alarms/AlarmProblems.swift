// The validation of an alarm, which reports every problem at once.

import CivilTime
import JSON
import Text

/// The context of a validation: the names to which an alarm may refer, and the device's hardware for
/// challenges.
public struct ValidationContext: Sendable {
    package var calendars: Set<String> = []
    /// The labels of the enrolled codes; nil if unknown, as in a file that is read away from its device.
    package var codes: Set<String>?
    /// The labels of the enrolled tags; nil if unknown.
    package var tags: Set<String>?
    /// The kinds of challenge that the device's hardware supports; nil if unknown.
    package var kinds: Set<Challenge.Kind>?
    /// True if the device has a bed shaker; nil if unknown.
    package var hasShaker: Bool?
    /// True if the device has a lamp for the sunrise; nil if unknown.
    package var hasSunrise: Bool?
    package var zones: ZoneCatalogue

    /// Adds codes and tags to the enrolled ones, unless the enrolled ones are unknown.
    package mutating func know(_ codes: [EnrolledCode]) {
        self.codes?.formUnion(codes.filter { $0.kind == .qr }.map(\.label))
        tags?.formUnion(codes.filter { $0.kind == .tag }.map(\.label))
    }

    /// Creates a context in which only the zones are known.
    package init(zones: ZoneCatalogue = ZoneCatalogue()) {
        self.zones = zones
    }
}

extension Alarm {
    /// Returns every problem of the alarm, with its path within the alarm. If `misread` refuses a field, the
    /// field is not validated again. `validationContext` keeps the zones that the validation loads.
    package func problems(among validationContext: inout ValidationContext, besides misread: [Problem] = [])
        -> [Problem]
    {
        // A field with only a warning was read, so it is validated.
        var validator = AlarmValidator(unreadable: Set(misread.filter { $0.weight == .refused }.map(\.path)))
        validator.names(self)
        validator.times(self, &validationContext)
        validator.daysOff(self)
        validator.sound(self)
        validator.shaker(self, validationContext.hasShaker)
        validator.early(self, validationContext.kinds)
        validator.light(self, validationContext.hasSunrise)
        for problem in escalationProblems + wakeUpCheckProblems {
            validator.note(problem.path, problem.reason, problem.weight)
        }
        validator.challenges(challenges, at: "challenges", validationContext)
        return validator.problems
    }
}

extension Alarm {
    /// Every reason why the skips and pauses cannot be kept.
    package var daysOffProblems: [Problem] {
        var validator = AlarmValidator(unreadable: [])
        validator.daysOff(self)
        return validator.problems
    }
}

extension RingSettings {
    /// Every reason why an enabled alarm cannot ring with these settings.
    package var problems: [Problem] {
        var alarm = Alarm(id: "")
        alarm.ring = self
        var validator = AlarmValidator(unreadable: [])
        validator.sound(alarm)
        return validator.problems.filter { $0.weight == .refused }
    }
}

private struct AlarmValidator {
    let unreadable: Set<String>
    var problems: [Problem] = []

    init(unreadable: Set<String>) {
        self.unreadable = unreadable
    }

    mutating func note(_ path: String, _ reason: String, _ weight: Problem.Weight = .refused) {
        guard !unreadable.contains(path) else { return }
        problems.append(Problem(path, reason, weight))
    }

    private mutating func warn(_ code: WarningCode, _ path: String, _ reason: String) {
        if !unreadable.contains(path) { problems.append(Problem(code, path, reason)) }
    }

    private mutating func check(
        _ path: String, _ value: Int, within range: ClosedRange<Int>, _ unit: String = "",
        _ weight: Problem.Weight = .refused
    ) {
        guard !range.contains(value) else { return }
        note(path, "must be between \(range.lowerBound) and \(range.upperBound)\(unit), not \(value)", weight)
    }

    mutating func names(_ alarm: Alarm) {
        if alarm.id.isEmpty {
            note("id", "is missing: every alarm needs its own")
        } else if alarm.id.utf8.count > Alarm.Limits.idBytes {
            note("id", "must have at most \(Alarm.Limits.idBytes) bytes")
        } else if alarm.id.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            note("id", "must have no control characters, not \(alarm.id.quoted)")
        }
        text(alarm.label, "label", Alarm.Limits.labelCharacters)
        text(alarm.category, "category", Alarm.Limits.labelCharacters)
        text(alarm.note, "note", Alarm.Limits.noteCharacters)
        // In two steps: older compilers do not get through a longer sum.
        var unknown: [JSON.Member] = alarm.unknown + alarm.ring.unknown + alarm.snooze.unknown
        unknown += alarm.challenges.flatMap(\.unknown)
        unknown += (alarm.escalation ?? []).flatMap(\.unknown) + (alarm.wakeUpCheck?.unknown ?? [])
        if !unknown.isEmpty, JSON.object(unknown).description.utf8.count > Alarm.Limits.unknownBytes {
            note("", "an alarm must have at most \(Alarm.Limits.unknownBytes) bytes of unknown fields")
        }
    }

    private mutating func text(_ text: String, _ path: String, _ most: Int) {
        if text.isLonger(than: most) { note(path, "must have at most \(most) characters") }
    }

    mutating func times(_ alarm: Alarm, _ validationContext: inout ValidationContext) {
        let hasBase = alarm.time != nil || unreadable.contains("time")
        let saysNothing = !hasBase && alarm.weekly.isEmpty && alarm.dates.isEmpty
        if saysNothing, !unreadable.contains(where: { $0.hasPrefix("weekly") || $0.hasPrefix("dates") }) {
            note("", "an alarm needs \"time\", \"weekly\" or \"dates\"")
        }
        if alarm.recurrence != nil, !hasBase { note("repeat", "needs \"time\" beside it") }
        if alarm.date != nil, !hasBase { note("date", "\"date\" needs \"time\" beside it") }
        if alarm.date != nil, alarm.recurrence != nil {
            note("date", "an alarm has either \"date\" or \"repeat\", not both")
        }
        if let recurrence = alarm.recurrence, recurrence.isEmpty(from: alarm.start) {
            warn(.noRing, "repeat", "\(recurrence) has no date")
        }
        if alarm.dates.count > Alarm.Limits.dateEntries {
            note("dates", "\"dates\" must have at most \(Alarm.Limits.dateEntries) entries, not \(alarm.dates.count)")
        }
        if let name = alarm.zoneName {
            do { _ = try validationContext.zones.zone(chosen: name) } catch { note("zone", "\(error)") }
        }
        if let name = alarm.calendarName, !validationContext.calendars.contains(name) {
            note("days", "there is no calendar \(name.quoted)")
        }
        if alarm.notices.count > NoticeLead.perAlarm {
            note("notices", "must have at most \(NoticeLead.perAlarm) times, not \(alarm.notices.count)")
        }
        check("late", alarm.lateWindowSeconds, within: Alarm.Limits.lateWindowSeconds, " seconds")
    }

    mutating func daysOff(_ alarm: Alarm) {
        for (path, dates) in [("skip", alarm.skipped), ("pause", alarm.paused)]
        where dates.runs.count > Alarm.Limits.dateRuns {
            note(path, "must have at most \(Alarm.Limits.dateRuns) ranges of days, not \(dates.runs.count)")
        }
    }

    mutating func sound(_ alarm: Alarm) {
        let volume = alarm.ring.volume
        if !(0...1).contains(volume) {
            note("ring.volume", "must be between 0.0 and 1.0, not \(volume)")
        } else if volume == 0, alarm.isEnabled, !alarm.ring.shakes {
            note("ring.volume", "must be more than 0, or the alarm is silent")
        } else if volume < Alarm.Limits.volumeThatWakes, volume > 0 || !alarm.ring.shakes {
            warn(
                .quiet, "ring.volume",
                "\(volume) may be too quiet: most people need \(Alarm.Limits.volumeThatWakes) or more")
        }
        if alarm.ring.sound.isEmpty { note("ring.sound", "must not be empty") }
        if alarm.ring.sound == RingSettings.noSound, alarm.isEnabled, !alarm.ring.shakes {
            note("ring.sound", "must be a sound: only an alarm that shakes may have none")
        }
        if alarm.ring.sound.utf8.count > Alarm.Limits.soundBytes {
            note("ring.sound", "must have at most \(Alarm.Limits.soundBytes) bytes")
        }
        check("ring.ramp", alarm.ring.rampSeconds, within: Alarm.Limits.rampSeconds, " seconds")
        check("ring.for", alarm.ring.ringSeconds, within: Alarm.Limits.ringSeconds, " seconds")
        check("ring.rounds", alarm.ring.rounds, within: Alarm.Limits.rounds)
        check("ring.rest", alarm.ring.restSeconds, within: Alarm.Limits.restSeconds, " seconds")
        check("snooze.seconds", alarm.snooze.seconds, within: Alarm.Limits.snoozeSeconds, " seconds")
        if let max = alarm.snooze.max { check("snooze.max", max, within: Alarm.Limits.snoozes) }
    }

    /// An alarm that can only shake needs a shaker. For any other, its lack is worth a warning.
    mutating func shaker(_ alarm: Alarm, _ hasShaker: Bool?) {
        guard hasShaker == false else { return }
        let lack = "this device has no shaker"
        if alarm.ring.shakes, alarm.ring.isSilent {
            note("ring.shake", lack, .unmet)
        } else if alarm.ring.shakes || alarm.escalationSteps.contains(where: \.shakes) {
            note(alarm.ring.shakes ? "ring.shake" : "escalate", "\(lack), so the alarm only sounds", .warning)
        }
    }

    /// Without a device that shows a movement, the alarm rings at its time.
    mutating func early(_ alarm: Alarm, _ kinds: Set<Challenge.Kind>?) {
        check("early", alarm.earlySeconds, within: Alarm.Limits.earlySeconds, " seconds")
        guard alarm.earlySeconds > 0, kinds?.contains(.steps) == false else { return }
        warn(.brokenPart, "early", "\(Challenge.Kind.steps.lack): the alarm rings at its time")
    }

    /// Without a lamp, other programs can still follow the sunrise in the status.
    mutating func light(_ alarm: Alarm, _ hasSunrise: Bool?) {
        check("light", alarm.lightSeconds, within: Alarm.Limits.lightSeconds, " seconds")
        guard alarm.lightSeconds > 0, hasSunrise == false else { return }
        note("light", "this device has no sunrise lamp: only other programs can show the light", .warning)
    }

    mutating func challenges(_ challenges: [Challenge], at path: String, _ validationContext: ValidationContext) {
        if challenges.count > Challenge.Limits.perAlarm {
            note(path, "must have at most \(Challenge.Limits.perAlarm) challenges, not \(challenges.count)")
            return
        }
        for (index, challenge) in challenges.enumerated() {
            let here = "\(path)[\(index)]"
            if unreadable.contains(here) || unreadable.contains("\(here).kind") { continue }
            if let first = challenges.firstIndex(of: challenge), first < index {
                note(here, "asks for the same as \(path)[\(first)]", .unmet)
            }
            if let kind = challenge.kind, kind != .roulette, validationContext.kinds?.contains(kind) == false {
                note(here, kind.lack, .unmet)
            }
            validate(challenge, at: here, validationContext)
        }
    }

    private mutating func validate(_ challenge: Challenge, at path: String, _ validationContext: ValidationContext) {
        switch challenge.task {
        case .code(let labels): known(labels, among: validationContext.codes, "code", at: "\(path).codes")
        case .tag(let labels): known(labels, among: validationContext.tags, "tag", at: "\(path).tags")
        case .sums(let level, let count, let seconds):
            check("\(path).level", level, within: Challenge.Limits.sumLevel, "", .unmet)
            check("\(path).count", count, within: Challenge.Limits.sumCount, "", .unmet)
            check("\(path).limit", seconds, within: Challenge.Limits.sumSeconds, " seconds", .unmet)
        case .steps(let count):
            check("\(path).count", count, within: Challenge.Limits.stepCount, "", .unmet)
        case .pattern(let length):
            check("\(path).length", length, within: Challenge.Limits.patternLength, "", .unmet)
        case .roulette(let choices):
            if choices.count < 2 { note("\(path).of", "must have at least two challenges") }
            if choices.contains(where: { $0.kind == .roulette }) {
                note("\(path).of", "must not have another roulette")
            }
            challenges(choices, at: "\(path).of", validationContext)
        case .unknown(let kind):
            note("\(path).kind", "this version of Rooster has no challenge \(kind.quoted)", .unmet)
        }
    }

    private mutating func known(_ labels: [String], among enrolled: Set<String>?, _ what: String, at path: String) {
        if labels.count > Challenge.Limits.labels {
            note(path, "must name at most \(Challenge.Limits.labels) \(what)s, not \(labels.count)")
        } else if labels.isEmpty {
            note(path, "the alarm asks for a \(what) and names none", .unmet)
        } else if Set(labels).count < labels.count {
            note(path, "the alarm names a \(what) twice", .unmet)
        } else if let enrolled {
            let missing = labels.filter { !enrolled.contains($0) }
            guard !missing.isEmpty else { return }
            let named = missing.prefix(5).map(\.quoted).joined(separator: " or ") + (missing.count > 5 ? " or …" : "")
            let reason = "no \(what) named \(named) is enrolled"
            if missing.count == labels.count { note(path, reason, .unmet) } else { warn(.notEnrolled, path, reason) }
        }
    }
}

extension Challenge.Kind {
    /// The text of the problem if the device lacks the hardware for this kind.
    package var lack: String {
        switch self {
        case .qr: "this device has no camera"
        case .steps: "this device has no step sensor"
        case .pattern: "this device does not have both buttons"
        case .tag: "this device has no tag reader"
        case .math, .roulette: "this device does not support it"
        }
    }
}

extension Recurrence {
    /// Returns whether the rule has no date at all, such as 30 February with SKIP=OMIT.
    fileprivate func isEmpty(from start: CivilDate?) -> Bool {
        var rule = self
        // The end of a COUNT takes long to compute, and is never before the first date.
        rule.end = .never
        let days = RecurrenceDays(rule, from: start ?? CivilDate(dayNumber: 0))
        return days.first(onOrAfter: .first) == nil
    }
}

extension String {
    /// Returns whether the text has more than `characters` characters, or more than 32 bytes for each of
    /// them. A single character can have any number of combining marks.
    func isLonger(than characters: Int) -> Bool { count > characters || utf8.count > 32 * characters }
}
