// `rooster status --follow`: the status as it changes.

import API
import Glibc
import System
import Text

struct StatusFollower {
    private let call: ServiceCall

    init(_ call: ServiceCall) { self.call = call }

    /// Runs until a signal. If the service stops, waits until it runs again.
    func run() throws(CommandError) {
        try call.service.follow()
        if call.isJSON { return try printObjects() }
        if call.style.rows == nil { return try printLines() }
        try redraw()
    }

    /// Returns the next status, or nil after `milliseconds`, or after the service has stopped and runs again.
    private func next(within milliseconds: Int? = nil) throws(CommandError) -> StatusReport? {
        do throws(CommandError) {
            return try call.service.nextFollowed(within: milliseconds)?.body.status
        } catch {
            guard case .disconnected(let reason) = error else { throw error }
            if call.service.isLossNews { complain("rooster: \(sentences(reason, "Waiting until it runs"))") }
            repeat { usleep(UInt32(RunningService.searchMilliseconds) * 1000) } while try !call.service.followAgain()
            return nil
        }
    }

    private func printObjects() throws(CommandError) {
        while true {
            if let status = try next() { try printNow("\(status.line)\n") }
        }
    }

    /// Prints a line for each change; a rising volume is not a change.
    private func printLines() throws(CommandError) {
        var said = ""
        while true {
            guard let status = try next() else { continue }
            let lines = StatusLines(status, call.style)
            // Neither the time nor the remaining length of a snooze counts as a change.
            let essence = StatusFollower.essence(status)
            guard essence != said else { continue }
            said = essence
            try printNow(([lines.summary] + lines.problems).asSentences + "\n")
        }
    }

    /// Returns the parts of a status whose change is worth a line.
    static func essence(_ status: StatusReport) -> String {
        let sessions = status.sessions.map { session in
            "\(session.alarm) \(session.at) \(session.state) \(session.snoozes) \(session.challenges) "
                + (session.askedText ?? "") + (session.asked?.wrongText ?? "")
        }
        let next = status.next.first.map { "\($0.at) \($0.alarm) \($0.label)" } ?? ""
        let problems = status.recentProblems.map { "\($0.alarm) \($0.at) \($0.ended)" }
        let broken = status.health.filter { $0.grade == .broken }.map { "\($0.part) \($0.text)" }
        let unlocking = "\(status.unlocking?.text ?? "") \(status.unlocking?.asked.wrongText ?? "") \(status.unlocked)"
        let asked = "\(unlocking) \(status.scan?.text ?? "") \(status.camera?.obstacle ?? "")"
        return "\(sessions) \(asked) \(status.enabled) \(next) \(problems) \(broken) \(status.warnings)"
    }

    private func redraw() throws(CommandError) {
        var drawn = 0
        var shown: ShownStatus?
        while true {
            let connections = call.service.connectionCount
            let new = try next(within: ShownStatus.tickMilliseconds)
            if call.service.connectionCount != connections { (shown, drawn) = (nil, 0) }
            if let new { shown = ShownStatus(new) }
            guard let status = shown?.now(call.service.socket) else { continue }
            // The terminal may have been resized.
            let style = Style.ofStandardOutput()
            let lines = StatusLines(status, style).lines.prefix(max(1, (style.rows ?? 24) - 1))
            let up = drawn > 0 ? "\u{1B}[\(drawn)F" : ""
            try printNow(up + lines.map { "\($0)\u{1B}[K" }.joined(separator: "\n") + "\n\u{1B}[J")
            drawn = lines.count
        }
    }
}

/// A status on a screen, whose clock advances while the service sends no event.
struct ShownStatus {
    private let status: StatusReport
    private let uptime = Uptime.milliseconds

    static let tickMilliseconds = 1000

    init(_ status: StatusReport) { self.status = status }

    /// Returns the status with the current time. A simulated clock has its own speed, so this asks the
    /// service for its status again.
    func now(_ socket: String, uptime now: Int = Uptime.milliseconds) -> StatusReport {
        let seconds = (now - uptime) / 1000
        guard seconds > 0 else { return status }
        if status.simulated {
            do throws(CommandError) {
                return try RunningService(socket: socket).status()
            } catch {
                // The follower notices by itself that the service has stopped.
                return status
            }
        }
        var later = status
        later.now = Timestamp(milliseconds: status.now.milliseconds + seconds * 1000)
        later.local = DeviceClock(status.device).local(at: later.now.instant) ?? status.local
        return later
    }
}
