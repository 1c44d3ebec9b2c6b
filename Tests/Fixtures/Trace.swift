// The trace of a service: its inputs and outputs in one sequence.

import CivilTime
import Devices
import Engine
import Service
import Sound
import Synchronization

/// An input or an output of a service.
package enum Passage: Hashable, Sendable {
    /// The engine handles an input.
    case took(Input)
    /// The service sends an order to the speaker.
    case ordered(SpeakerOrder)
    /// The service ends the speaker.
    case silenced
    case set(WakeTimes)
    /// The disk accepts bytes that a power cut could still lose.
    case written
    case replied(Reply, to: RequestHeader)
    /// The service sends an event to its subscribers.
    case told(ServiceEvent)
    /// The disk makes all its bytes durable.
    case synced
}

/// The passages of one service, in order of arrival.
package final class Trace: Subscriber {
    private struct Row {
        var passages: [Passage] = []
        var waiting: [(passage: Passage, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let row = Mutex(Row())

    package init() {}

    /// All passages so far.
    package var passages: [Passage] { row.withLock { $0.passages } }

    package func note(_ passage: Passage) {
        let arrived = row.withLock { row in
            row.passages.append(passage)
            defer { row.waiting.removeAll { $0.passage == passage } }
            return row.waiting.filter { $0.passage == passage }.map(\.continuation)
        }
        for continuation in arrived { continuation.resume() }
    }

    /// Waits until that passage has been recorded. Returns early if the test is cancelled.
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

/// A speaker that records its orders in a trace.
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

/// A timer that records its settings in a trace.
struct TracedTimer: WakeTimer {
    let timer: any WakeTimer
    let trace: Trace

    func set(_ times: WakeTimes) {
        trace.note(.set(times))
        timer.set(times)
    }

    var events: AsyncStream<Set<TimerEvent>> { timer.events }
}
