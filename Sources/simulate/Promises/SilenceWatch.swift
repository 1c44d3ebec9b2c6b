// Promise 5, and giving up: it is silent only for a reason, and only for so long.

import Alarms
import CivilTime
import Engine

extension SessionWatch {
    /// It is silent only for a reason, and only for so long.
    mutating func watchSilence(
        _ line: inout SessionLine, _ before: SessionLine, _ world: World, _ watcher: Watcher
    ) {
        let occurrence = line.session.occurrence
        guard line.isSilent else {
            if let silence = before.silence, before.isSilent, !before.isAfterRestart, silence.reason == .snooze,
                silence.isSeen,
                world.now + Silence.patienceMilliseconds
                    < silence.began + silence.shortestMilliseconds,
                world.clockSetCount == silence.clockSetCount
            {
                watcher.broke(.silence, "the snooze of \(occurrence) is over too early")
            }
            return line.silence = nil
        }
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
            return Silence(
                .rest, milliseconds: Silence.restMilliseconds, world,
                isSeen: !before.isAfterRestart)
        }
        let asks = line.asks.filter { ask in
            // A restart may find one that a slow disk has taken long after it was refused.
            let isFresh =
                before.isAfterRestart
                ? diedAt - ask.at < terms.snoozeSeconds(ask) * 1000
                : world.now - ask.at <= Silence.patienceMilliseconds
            return isFresh && isAnother(ask)
        }
        guard let longest = asks.max(by: { terms.snoozeSeconds($0) < terms.snoozeSeconds($1) }) else {
            // That it was over may not have been written down.
            if before.isAfterRestart, watcher.journal.wasBehind, watcher.model.open[occurrence]?.snoozeCount ?? 0 > 0 {
                let most = terms.snoozeBounds.upperBound * 1000
                return Silence(.snooze, milliseconds: most, world, isSeen: false)
            }
            watcher.broke(.silence, "\(occurrence) is silent without a reason")
            return nil
        }
        if let worked = before.work.pieceAt,
            asks.allSatisfy({ 1..<SessionWatch.validatingMilliseconds ~= $0.at - worked })
        {
            watcher.broke(.ending, "\(occurrence) is snoozed while a challenge is done")
        }
        granted = asks.first
        var silence = Silence(
            .snooze, milliseconds: terms.snoozeSeconds(longest) * 1000, world,
            isSeen: !before.isAfterRestart)
        silence.shortestMilliseconds = (asks.map { terms.snoozeSeconds($0) }.min() ?? 0) * 1000
        return silence
    }

    /// Whoever did something for a challenge a moment ago gets no snooze: half a minute, less what a slow disk takes.
    private static let validatingMilliseconds = 19_000

    /// Two presses in half a second are one, unless the service has died between them.
    private func isAnother(_ ask: SnoozeAsk) -> Bool {
        granted.map { !(1..<500 ~= ask.at - $0.at) || $0.at <= diedAt && diedAt < ask.at } ?? true
    }

    /// Nobody answers: it rests when it should.
    func watchGivingUp(_ line: SessionLine, _ world: World, _ watcher: Watcher) {
        guard let heardAt = line.heardAt, !line.session.terms.isTest else { return }
        let heard = world.givenAt - max(heardAt, deedAt, world.awakeSince)
        if heard > line.ringMilliseconds + Silence.patienceMilliseconds {
            watcher.broke(.ending, "\(line.session.occurrence) rings unanswered for \(heard) ms, and does not rest")
        }
    }
}

extension Terms {
    /// How long a snooze is to be that somebody asked for.
    func snoozeSeconds(_ ask: SnoozeAsk) -> Int {
        min(max(ask.seconds ?? snooze.seconds, snoozeBounds.lowerBound), snoozeBounds.upperBound)
    }
}
