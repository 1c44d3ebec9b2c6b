// Everything that a service is told and does, in one row.

import CivilTime
import Devices
import Engine
import Service
import Sound
import Synchronization

/// One thing that came to a service, or left it.
package enum Passage: Hashable, Sendable {
    /// It looks at an input.
    case took(Input)
    /// The speaker is to do something else.
    case ordered(SpeakerOrder)
    /// It is to fall silent for good.
    case silenced
    /// The timer is to call at other times.
    case set(WakeTimes)
    /// The disk has got bytes that a power cut could still lose.
    case written
    /// Somebody is answered.
    case replied(Reply, to: RequestHeader)
    /// Whoever wants to know is told.
    case told(ServiceEvent)
    /// What the disk has by now stays there.
    case synced
}

/// What passed, in the order in which it did.
package final class Trace: Subscriber {
    private struct Row {
        var passages: [Passage] = []
        var waiting: [(passage: Passage, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let row = Mutex(Row())

    package init() {}

    /// All that has passed.
    package var passages: [Passage] { row.withLock { $0.passages } }

    package func note(_ passage: Passage) {
        let arrived = row.withLock { row in
            row.passages.append(passage)
            defer { row.waiting.removeAll { $0.passage == passage } }
            return row.waiting.filter { $0.passage == passage }.map(\.continuation)
        }
        for continuation in arrived { continuation.resume() }
    }

    /// Waits until something has passed, or the test has waited long enough.
    package func hasPassed(_ passage: Passage) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = row.withLock { row in
                    guard !Task.isCancelled, !row.passages.contains(passage) else { return true }
                    row.waiting.append((passage, continuation))
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let left = row.withLock { row in
                defer { row.waiting = [] }
                return row.waiting
            }
            for waiting in left { waiting.continuation.resume() }
        }
    }

    package func handle(_ news: ServiceEvent, from service: isolated Service) { note(.told(news)) }

    package func observe(_ input: Input, at moment: Moment, effects: [Effect]) { note(.took(input)) }
}

/// A speaker whose orders are noted.
struct TracedSpeaker: Speaker {
    let speaker: any Speaker
    let trace: Trace

    func order(_ order: SpeakerOrder) {
        trace.note(.ordered(order))
        speaker.order(order)
    }

    func signal(_ signal: PulsePattern) { speaker.signal(signal) }

    func tryCards(then callback: @escaping @Sendable ([Route.ID: RouteStatus.RouteHealth]) -> Void) {
        speaker.tryCards(then: callback)
    }

    func end() {
        trace.note(.silenced)
        speaker.end()
    }
    var reports: AsyncStream<SpeakerReport> { speaker.reports }
    var status: SpeakerStatus { speaker.status }
    func isAlive() -> Bool { speaker.isAlive() }
}

/// A timer of which is noted what it is asked for.
struct TracedTimer: WakeTimer {
    let timer: any WakeTimer
    let trace: Trace

    func set(_ times: WakeTimes) {
        trace.note(.set(times))
        timer.set(times)
    }

    var events: AsyncStream<Set<TimerEvent>> { timer.events }
}
