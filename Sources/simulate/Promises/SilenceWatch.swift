// Promise 5: a session is silent only for a reason, and only for so long.

import Alarms
import CivilTime
import Engine

extension SessionWatch {
    /// It is silent only for a reason, and only for so long.
    mutating func watchSilence(
        _ line: inout SessionLine, _ before: SessionLine, _ world: World, _ watcher: Watcher
    ) {
        let occurrence = line.session.occurrence
        guard line.isSilent else { return line.silence = nil }
        let isOther = line.silence?.reason != line.reason
        if !before.isSilent || line.silence == nil || isOther && before.isAfterRestart {
            line.silence = silence(line, before, world, watcher)
            if line.reason == .rest { line.restCount += 1 } else { countSnooze(&line, before, watcher) }
        } else if isOther {
            watcher.broke(.silence, "\(occurrence) is silent for another reason than it was")
        }
        guard let silence = line.silence else { return }
        if line.reason == .snooze, watcher.model.open[occurrence]?.snoozeCount ?? 0 < line.session.snoozeCount {
            watcher.broke(.silence, "\(occurrence) is snoozed, and a power cut would not know")
        }
        // So much was left when it was looked up.
        if world.shownAt + (line.status.leftMilliseconds ?? 0) > silence.deadline + 1000 {
            watcher.broke(.silence, "\(occurrence) is to be silent for too long")
        }
        if silence.deadline + 1000 <= world.now {
            watcher.broke(.silence, "\(occurrence) is silent after its deadline")
        }
    }

    /// One snooze more was granted, or is found by a restart: never more than its alarm allows, whatever the engine counts.
    private func countSnooze(_ line: inout SessionLine, _ before: SessionLine, _ watcher: Watcher) {
        let occurrence = line.session.occurrence
        let known = watcher.model.open[occurrence]?.snoozeCount ?? 0
        line.snoozeCount = before.isAfterRestart ? max(line.snoozeCount, known) : line.snoozeCount + 1
        if let max = line.session.terms.snooze.max, line.snoozeCount > max {
            watcher.broke(.silence, "\(occurrence) was snoozed \(line.snoozeCount) times")
        }
        if line.session.snoozeCount < line.snoozeCount {
            watcher.broke(
                .silence, "\(occurrence) was snoozed \(line.snoozeCount) times, and \(line.session.snoozeCount) count")
        }
    }

    /// A silence that has just begun, if there is a reason for it.
    mutating func silence(
        _ line: SessionLine, _ before: SessionLine, _ world: World, _ watcher: Watcher
    ) -> Silence? {
        let occurrence = line.session.occurrence
        let terms = line.session.terms
        if line.reason == .rest {
            let since = before.unansweredSince(at: world.now) ?? world.now
            let isKnown = before.isAfterRestart && watcher.model.open[occurrence]?.restCount ?? 0 > 0
            // A restart that does not know how it went on finds it resting.
            if !isKnown, before.isSilent || world.now - since < line.ringMilliseconds - 1000 {
                watcher.broke(.ending, "\(occurrence) rests after \(world.now - since) ms")
            }
            return Silence(.rest, milliseconds: Silence.restMilliseconds, world)
        }
        // A restart may find one that a slow disk has taken long after it was refused.
        let asks = line.asks.filter { ask in
            before.isAfterRestart
                ? diedAt - ask.at < terms.snoozeSeconds(ask) * 1000 : world.now - ask.at <= Silence.patienceMilliseconds
        }
        guard let longest = asks.max(by: { terms.snoozeSeconds($0) < terms.snoozeSeconds($1) }) else {
            // That it was over may not have been written down.
            if before.isAfterRestart, watcher.journal.wasBehind, watcher.model.open[occurrence]?.snoozeCount ?? 0 > 0 {
                let most = terms.snoozeBounds.upperBound * 1000
                return Silence(.snooze, milliseconds: most, world)
            }
            watcher.broke(.silence, "\(occurrence) is silent without a reason")
            return nil
        }
        return Silence(.snooze, milliseconds: terms.snoozeSeconds(longest) * 1000, world)
    }
}

extension Terms {
    /// How long a snooze is to be that somebody asked for.
    func snoozeSeconds(_ ask: SnoozeAsk) -> Int {
        min(max(ask.seconds ?? snooze.seconds, snoozeBounds.lowerBound), snoozeBounds.upperBound)
    }
}
