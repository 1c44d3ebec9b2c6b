// Promise 3: a session ends only as its challenges, the emergency way out, or giving up allow.

import Alarms
import CivilTime
import Engine

extension SessionWatch {
    mutating func end(_ gone: [Occurrence: SessionLine], _ world: World, _ watcher: Watcher) {
        let history = world.shown.history
        var rings: [Occurrence: PastRing] = [:]
        for occurrence in gone.keys {
            rings[occurrence] = history.last { $0.occurrence == occurrence && $0.session != nil }
        }
        let stopped = gone.filter { rings[$0.key]?.ending == .dismissed && $0.value.session.terms.challenges.isEmpty }
        if stopped.count > 1 { watcher.broke(3, "one stop ended \(stopped.count) sessions") }
        for (occurrence, line) in gone.sorted(by: { ($0.key.at, $0.key.alarm) < ($1.key.at, $1.key.alarm) }) {
            open[occurrence] = nil
            guard !line.session.terms.isTest else { continue }
            closed[occurrence] = line
            // What nobody could write down is found again after a restart by its plan alone.
            if line.isAfterRestart, !watcher.model.begun.contains(occurrence) {
                closed[occurrence] = nil
                watcher.due.forgot(occurrence)
                continue
            }
            if !line.isOrphan { ended.insert(occurrence) }
            endedNow.append(occurrence)
            guard let ring = rings[occurrence] else {
                watcher.broke(4, "\(occurrence) has ended, and history does not know")
                continue
            }
            if !line.isAfterRestart { steps.insert(SessionStep(from: line.place, to: ring.ending.rawValue)) }
            judgeEnd(line, ring.ending, gone, world, watcher)
        }
    }

    private mutating func judgeEnd(
        _ line: SessionLine, _ ending: Ending, _ gone: [Occurrence: SessionLine], _ world: World, _ watcher: Watcher
    ) {
        let occurrence = line.session.occurrence
        switch ending {
        case .dismissed where line.work.challenges.isEmpty:
            if !isStop { watcher.broke(3, "\(occurrence) was dismissed by \(input.map { "\($0)" } ?? "nothing")") }
            if let heard, heard != occurrence, open[heard] != nil, gone[heard] == nil {
                watcher.broke(3, "\(occurrence) was dismissed, and another was heard")
            }
        case .dismissed:
            if !line.work.isDone, !hasAlike(line, gone) {
                watcher.broke(3, "\(occurrence) was dismissed, but its challenges were not done")
            }
        case .unanswered:
            let since = line.unansweredSince(at: world.now) ?? world.now
            if line.restCount < SessionWatch.restsMax || world.now - since < line.ringMilliseconds - 1000 {
                watcher.broke(3, "\(occurrence) gave up after \(line.restCount) rests and \(world.now - since) ms")
            }
        case .emergency:
            let isHeld = [emergency, emergencyBefore].contains { $0.isHeld(at: world.now, since: line.startedAt) }
            if !isHeld || !line.session.terms.hasEmergencyExit {
                watcher.broke(3, "\(occurrence) ended as an emergency that was none")
            }
            emergency.ended()
        case .cancelled, .missed: watcher.broke(3, "\(occurrence) was \(ending.rawValue) while it rang")
        }
    }

    /// It rings, rests, rings, rests, rings, and gives up.
    private static let restsMax = 2

    private var isStop: Bool {
        switch input {
        case .button(.stop, true), .command(.stop, _): true
        default: false
        }
    }

    /// Whether a session with the very same challenges ended honestly just now, while this one rang behind it.
    private func hasAlike(_ line: SessionLine, _ gone: [Occurrence: SessionLine]) -> Bool {
        !line.isSilent
            && gone.values.contains { other in
                other.session.occurrence != line.session.occurrence && other.work.isDone
                    && other.work.challenges.map(\.task) == line.work.challenges.map(\.task)
            }
    }
}
