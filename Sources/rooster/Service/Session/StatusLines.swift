// The lines of the status: the ring, its challenge, the next rings, and the device's health.

import API
import Alarms
import CivilTime
import Text

struct StatusLines {
    private let status: StatusReport
    private let clock: DeviceClock
    private let style: Style
    /// Notes on single alarms: skipped days, or the reason why the alarm is off.
    private let asides: [String]

    static let allOff = "\(Outlook.allOff.capitalisedFirst): \(Outlook.enableAll)"

    init(_ status: StatusReport, _ style: Style, asides: [String] = []) {
        (self.status, self.style, self.asides) = (status, style, asides)
        clock = DeviceClock(status.device)
    }

    /// The lines of the whole status, none wider than the terminal.
    var lines: [String] {
        var lines = [head]
        let heard = status.sessions.firstIndex(where: \.isHeard)
        for (index, session) in status.sessions.enumerated() {
            lines += self.lines(session) + (index == heard ? devices : [])
        }
        if let unlocking = status.unlocking {
            lines.append(line("▸", unlocking.text, .bold))
            if let wrong = unlocking.asked.wrongText { lines.append(line("!", wrong, .red)) }
        }
        lines += status.unlocked.map { line("✓", "\($0.shownName) \(UnlockCommand.unlocked)", .green) }
        if let scan = status.scan { lines.append(line("▸", scan.text, .bold)) }
        if heard == nil { lines += devices }
        lines += next
        if let light = status.sunrise { lines.append(line("☼", text(light), light.state == .planned ? .dim : .yellow)) }
        if let bedtime = status.bedtime { lines.append(line("☾", BedtimeText.text(bedtime, clock), .dim)) }
        lines += status.noticed.map { line("!", "Notice: \($0.shownName) \(clock.text($0))", .yellow) }
        lines += status.open.map {
            let name = ($0.label.isEmpty ? String($0.alarm.prefix(8)) : $0.label).asWord
            return line(
                "!", "\($0.shownName) of \(clock.day($0.local.dateTime)) is not done: 'rooster done \(name)' marks it",
                .yellow)
        }
        lines += asides.map { line(" ", $0, .dim) }
        lines += status.recentProblems.map { line("!", text($0), .bold, .red) }
        lines += readiness
        for warning in status.warnings { lines.append(line("!", warning.asSentence, .red)) }
        return lines.flatMap { $0.split(separator: "\n").map(String.init) }
    }

    /// Returns a line. If the terminal is too narrow, it has several, each coloured by itself.
    private func line(_ mark: String, _ text: String, _ tints: Style.Tint...) -> String {
        let text = "\(mark) \(text)"
        let parts = style.columns.map { Columns.wrap(text, to: $0, indent: mark.count + 1) } ?? [text]
        return parts.map { style.paint($0, tints) }.joined(separator: "\n")
    }

    private var head: String {
        let local = status.local.dateTime
        // Seconds are always shown, so that the rest of the line does not move.
        let shown =
            "\(WeekdaySet([local.date.weekday]).summary) \(local.date) \(clock.hours.textWithSeconds(local.time))"
        let simulated = status.simulated ? ", simulated" : ""
        let doubt = status.trusted ? "" : ", clock not set"
        return line(" ", "\(shown)  \(status.zone.inOneLine)\(doubt)\(simulated)", .dim)
    }

    // MARK: Sessions

    private func lines(_ session: SessionReport) -> [String] {
        let name = session.shownName
        let early = session.earlySeconds ?? 0
        let due = (session.postponedToLocal ?? session.local).dateTime
        let began = early > 0 ? clock.local(at: session.began)?.dateTime ?? due : due
        let since = began.date == clock.today ? clock.hours.text(began.time) : clock.day(began)
        let late =
            session.lateSeconds > 0
            ? ", \(TimeText.length(session.lateSeconds)) late"
            : early > 0 ? ", \(TimeText.length(early)) early" : ""
        var lines: [String]
        switch session.state {
        case .ringing, .challenged:
            lines = [
                line(
                    "●",
                    "\(name) RINGS since \(since)\(late)\(StatusLines.round(session))\(StatusLines.shaking(session))",
                    .bold, .red)
            ]
        case .waiting: lines = [line("●", "\(name) waits to ring since \(since)\(late)", .red)]
        case .snoozed: lines = [line("◐", "\(text(session))\(snoozesLeft(session))", .bold, .yellow)]
        case .resting: lines = [line("◐", "\(text(session))\(StatusLines.round(session))", .bold, .yellow)]
        case .checking: lines = [line("◐", text(session), .bold, .yellow)]
        }
        if let remark = AlarmRemark.text(note: session.note, category: session.category) {
            lines.append(line("   ", remark))
        }
        if let seconds = session.emergencySeconds {
            lines.append(line("!", "The emergency exit is held: the ring ends in \(seconds) s", .bold, .red))
        }
        if !session.challenges.isEmpty { lines.append(tasks(session)) }
        if let asked = session.askedText {
            lines.append(line("  ▸", asked, .bold))
            if let wrong = session.asked?.wrongText { lines.append(line("  !", wrong, .red)) }
            // A lock-out refuses a snooze as well.
            let isLockedOut = session.asked?.lockedOutSeconds ?? 0 > 0
            if session.isHeard, !session.test, !isLockedOut, !session.busy {
                lines.append(line("   ", StatusLines.snoozes(session), .dim))
            }
        } else if session.isHeard {
            lines.append(line("  ▸", StatusLines.toDo(session)))
        } else if session.check?.secondsToAsk == 0 {
            lines.append(line("  ▸", "rooster awake, or press a button"))
        }
        return lines
    }

    func text(_ session: SessionReport) -> String {
        let name = session.shownName
        let again = session.secondsLeft.map { seconds in
            "rings again in \(TimeText.length(seconds)), at \(clock.time(afterSeconds: seconds))"
        }
        switch session.state {
        case .ringing, .challenged, .waiting: return "\(name) rings"
        case .snoozed: return "\(name) \(again ?? "is snoozed")"
        case .resting: return "\(name) pauses because nobody answered\(again.map { ", and \($0)" } ?? "")"
        case .checking:
            let seconds = session.check?.secondsToAsk ?? 0
            guard seconds > 0 else {
                return "\(name) asks whether you are awake\(again.map { "; without an answer it \($0)" } ?? "")"
            }
            let time = clock.time(afterSeconds: seconds)
            return "\(name) asks in \(TimeText.length(seconds)), at \(time), whether you are awake"
        }
    }

    /// Returns the note on the shaker, of which nothing proves that it is felt.
    private static func shaking(_ session: SessionReport) -> String {
        guard session.shaking else { return "" }
        return session.sound == nil ? ", shaken, not heard" : ", and shakes the bed"
    }

    /// Returns the round, if there is more to say than that the first one rings.
    private static func round(_ session: SessionReport) -> String {
        guard let round = session.round, let rounds = session.rounds, rounds > 1 else { return "" }
        return round > 1 || session.state == .resting ? " (round \(round) of \(rounds))" : ""
    }

    private func snoozesLeft(_ session: SessionReport) -> String {
        guard let left = session.snoozesLeft else { return "" }
        return " (\(left == 0 ? "no snooze is left" : StatusLines.count(left)))"
    }

    private static func count(_ snoozes: Int) -> String { "\(snoozes) \(snoozes == 1 ? "snooze" : "snoozes") left" }

    private static func snoozes(_ session: SessionReport) -> String {
        let left = session.snoozesLeft
        guard left != 0 else { return session.snoozesMax == 0 ? "it cannot be snoozed" : "no snooze is left" }
        let details = [session.snoozeSeconds.map { TimeText.length($0) }, left.map(count)].compactMap(\.self)
        return "rooster snooze" + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")
    }

    /// Returns the challenges in order, each marked as done, current or open.
    private func tasks(_ session: SessionReport) -> String {
        let open = session.challenges.firstIndex { !$0.done }
        let parts = session.challenges.enumerated().map { index, task in
            let instead = task.done ? task.replacedBy.map { " (\($0.summary))" } ?? "" : ""
            return "\(task.done ? "✓" : index == open ? "▸" : "·") \(task.name)\(instead)"
        }
        return line("   ", parts.joined(separator: "   "))
    }

    /// Returns the commands for a session whose challenge has not begun.
    static func toDo(_ session: SessionReport) -> String {
        if session.test { return "rooster stop" }
        let isOpen = session.challenges.contains { !$0.done }
        let stop = isOpen ? "rooster stop begins the challenges" : "rooster stop"
        if session.busy { return stop }
        return session.snoozesLeft == 0 ? "\(stop); \(snoozes(session))" : "\(snoozes(session)), \(stop)"
    }

    // MARK: The camera and the speaker

    /// An obstacle for the camera, and the level of the sound. Both belong to the session that is heard.
    private var devices: [String] {
        let trouble = status.cameraTrouble.map { line(status.cameraFault == nil ? "!" : "✗", $0, .bold, .red) }
        return [trouble, meter].compactMap(\.self)
    }

    private static let quietestDecibels = -40.0
    private static let meterCells = 24

    private var meter: String? {
        guard let output = status.speaker.output else { return nil }
        guard let decibels = status.speaker.decibels else { return line("   ", "plays on \(output.inOneLine)") }
        return line(
            "   ", "\(StatusLines.bar(decibels)) \(StatusLines.rounded(decibels)) dB  \(output.inOneLine)", .green)
    }

    static func bar(_ decibels: Double) -> String {
        let share = 1 - min(max(decibels, quietestDecibels), 0) / quietestDecibels
        let full = Int((share * Double(meterCells)).rounded())
        return String(repeating: "█", count: full) + String(repeating: "░", count: meterCells - full)
    }

    private static func rounded(_ decibels: Double) -> Int { Int(min(max(decibels, -999), 999).rounded()) }

    // MARK: The next rings

    private var next: [String] {
        guard status.enabled else { return [line("!", StatusLines.allOff, .bold, .yellow)] }
        guard let first = status.next.first else {
            // The lines above already show sessions that ring or will ring again.
            guard status.sessions.isEmpty else { return [line(" ", "No other alarm is going to ring", .dim)] }
            return [line(" ", "No alarm is going to ring", .yellow)]
        }
        var lines = [line("○", "\(first.shownName) \(clock.text(first))", .bold)]
        for ring in status.next.dropFirst() {
            lines.append(line(" ", "then \(ring.shownName), \(clock.day(ring))\(NextText.why(ring, clock))"))
        }
        return lines
    }

    private func text(_ light: SunriseReport) -> String {
        let full = clock.hours.text(light.untilLocal.dateTime.time)
        return switch light.state {
        case .planned: "The light of \(light.shownName) rises \(clock.day(light.fromLocal.dateTime)) to \(full)"
        case .rising: "The light of \(light.shownName) rises, and is full at \(full)"
        case .full: "The light of \(light.shownName) is full"
        }
    }

    // MARK: Problems

    private func text(_ ring: PastRingReport) -> String {
        let name = ring.shownName
        let at = clock.day(ring.local.dateTime)
        switch ring.ended {
        case .missed where ring.reason == .tooManyRings:
            return "\(name) did not ring \(at): too many alarms rang at once"
        case .missed: return "\(name) did not ring \(at): Rooster was off, or the clock was set past that time"
        case .unanswered: return "\(name) rang \(at), but nobody answered"
        case .emergency: return "\(name) (\(at)) was ended by the emergency exit"
        case .dismissed, .postponed, .done, .cancelled: return "\(name) (\(at)) was \(ring.ended.rawValue)"
        }
    }

    /// The problems: an obstacle for the camera, failed rings, broken parts, and warnings.
    var problems: [String] {
        let broken = status.health.filter { $0.grade == .broken }.map {
            "\($0.name): \($0.advised.asSentence)"
        }
        return [status.camera?.obstacle].compactMap(\.self) + status.recentProblems.map { text($0) } + broken
            + status.warnings.map(\.asSentence)
    }

    private var readiness: [String] {
        // A camera fault that prevents reading a code is shown beside the challenge.
        let bad = status.health.filter { $0.grade != .ok && ($0.part != .camera || status.cameraFault == nil) }
        var lines = bad.map { part in
            let text = part.text.isEmpty ? part.grade.rawValue : part.advised
            let isBroken = part.grade == .broken
            return line(isBroken ? "✗" : "!", "\(part.name): \(text.asSentence)", isBroken ? .red : .yellow)
        }
        // A broken clock already has a line above.
        if !status.trusted, !bad.contains(where: { $0.part == .clock }) {
            let clock = HealthReport.clockUnknown
            lines.append(line("!", "\(clock.name): \(clock.advised.asSentence)", .yellow))
        }
        let good = status.health.filter { $0.grade == .ok }.map(\.name)
        if !good.isEmpty {
            let all = lines.isEmpty && status.cameraFault == nil ? "Ready" : "In order"
            let tested = status.health.compactMap(\.at).min().map { ", tested \(clock.minute($0.instant))" } ?? ""
            lines.append(line("✓", "\(all): \(good.joined(separator: ", "))\(tested)", .green))
        }
        return lines
    }

    /// The most important part on one line, for output that is not a terminal.
    var summary: String {
        let time = clock.hours.text(status.local.dateTime.time)
        guard let session = status.foremost else {
            guard status.enabled else { return "\(time) \(StatusLines.allOff)" }
            let next = status.next.first.map { "\($0.shownName) will ring \(clock.day($0))" }
            let unlocking =
                (status.unlocking.map {
                    ". \([$0.text, $0.asked.wrongText].compactMap(\.self).joined(separator: ". "))"
                } ?? "")
                + status.unlocked.map { ". \($0.shownName) \(UnlockCommand.unlocked)" }.joined()
            let scan = status.scan.map { ". \($0.text)" } ?? ""
            return "\(time) \(next ?? "No alarm is going to ring")\(unlocking)\(scan)"
        }
        let asked = [session.askedText, session.asked?.wrongText].compactMap(\.self).map { ". \($0)" }.joined()
        let others = status.sessions.count > 1 ? " (and \(status.sessions.count - 1) more)" : ""
        return "\(time) \(text(session))\(others)\(asked)"
    }
}
