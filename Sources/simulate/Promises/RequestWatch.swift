// Promise 8: every request is answered once. And promise 3, as far as commands could break it.

import Alarms
import CivilTime
import Engine

/// Follows what was asked for.
struct RequestWatch {
    private struct Line {
        var command: Command
        var at: Int
        /// The ring that the command would be a way to escape.
        var locked: Occurrence?
    }

    private var open: [String: Line] = [:]

    /// Nobody waits longer than this for an answer, however slow the disk is.
    private static let patienceMilliseconds = 3_600_000

    mutating func asked(_ command: Command, _ request: Request, _ model: Model, _ due: DueWatch, _ world: World) {
        guard open[request.id] == nil else { return }
        open[request.id] = Line(command: command, at: world.now, locked: locked(command, model, due, world))
    }

    mutating func answered(_ request: Request, _ reply: Reply, _ watcher: Watcher) {
        guard let line = open.removeValue(forKey: request.id), case .done(let outcome) = reply else { return }
        if !isDurable(line.command, outcome, watcher.model) {
            watcher.broke(4, "\(line.command) was acknowledged, and is not durable")
        }
        guard let locked = line.locked, watcher.model.ended[locked] == nil else { return }
        watcher.broke(3, "\(line.command) was a way to escape \(locked)")
    }

    /// Who waits for an answer when the service dies gets none.
    mutating func died() {
        open = [:]
    }

    func finish(_ world: World, _ watcher: Watcher) {
        // A machine that sleeps answers when it wakes.
        guard world.isRunning else { return }
        for (id, line) in open.sorted(by: { $0.key < $1.key })
        where world.now - line.at > RequestWatch.patienceMilliseconds {
            watcher.broke(8, "\(id) was never answered: \(line.command)")
        }
    }

    /// Whether what was acknowledged is durable, as far as it can be told from the records.
    private func isDurable(_ command: Command, _ outcome: Outcome, _ model: Model) -> Bool {
        switch command {
        case .save(let alarm): model.alarms[alarm.id]?.alarm.challenges == alarm.challenges
        case .delete(let id): model.alarms[id] == nil
        case .saveSettings(let settings): model.settings == settings
        case .enrol(let code): model.codes.contains(code.label)
        case .forget(let label): !model.codes.contains(label)
        default: true
        }
    }

    /// The ring that a command would be a way to escape, if it is locked.
    private func locked(_ command: Command, _ model: Model, _ due: DueWatch, _ world: World) -> Occurrence? {
        let id: Alarm.ID
        switch command {
        case .delete(let alarm), .enable(let alarm, false), .skip(let alarm): id = alarm
        case .save(let alarm) where alarm.challenges.isEmpty: id = alarm.id
        default: return nil
        }
        guard let kept = model.alarms[id], kept.alarm.isEnabled, !kept.alarm.challenges.isEmpty,
            model.settings.lockSeconds > 0, model.settings.isEnabled
        else { return nil }
        let status = world.engine.status(nextCount: 0)
        let now = Instant(secondsSince1970: status.nowMilliseconds / 1000)
        guard let next = due.next(id, after: now), next <= now.advanced(by: model.settings.lockSeconds - 60) else {
            return nil
        }
        let occurrence = Occurrence(alarm: id, at: next)
        // One that has rung by a clock that was set back is no more to be escaped.
        return world.watcher.sessions.isKnown(occurrence, world) ? nil : occurrence
    }
}
