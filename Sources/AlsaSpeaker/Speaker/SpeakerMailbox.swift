// The state that the speaker's thread shares: orders and events in, status and reports out.

import Devices
import Sound
import Synchronization
import System

struct SoundKey: Hashable, Sendable {
    var id: String
    var rate: Int
}

enum SpeakerEvent: Sendable {
    case player(RouteAttempt, PlayerThread.PlayerEvent)
    case made(SoundKey, SoundCatalogue.Made)
    /// The list of cards, or the error that prevented it.
    case cards(Result<[Card], AlsaError>)
    /// A text on a mixer that is not set as it should be.
    case mixer(String)
    /// The buzzer's answer to its last order: whether it carried the order out.
    case buzzed(isOn: Bool, isDone: Bool)
}

/// A mailbox whose senders never wait for the thread.
final class SpeakerMailbox: Sendable {
    private let order = Mutex<SpeakerOrder?>(nil)
    private let signal = Mutex<PulsePattern?>(nil)
    private let events = Mutex<[SpeakerEvent]>([])
    private let current = Mutex(SpeakerStatus())
    private let isOver = Atomic(false)
    /// The number of pings to the thread, and the last ping that it has answered.
    private let askedCount = Atomic(0)
    private let answeredCount = Atomic(0)
    let wakeUp: WakeUp
    let stream = ReportStream<SpeakerReport>()

    init() throws(SystemCallError) {
        wakeUp = try WakeUp()
    }

    /// Replaces an order that was not taken yet.
    func post(_ new: SpeakerOrder) {
        order.withLock { $0 = new }
        wakeUp.signal()
    }

    func takeOrder() -> SpeakerOrder? { order.withLock { $0.take() } }

    func post(_ new: PulsePattern) {
        signal.withLock { $0 = new }
        wakeUp.signal()
    }

    func takeSignal() -> PulsePattern? { signal.withLock { $0.take() } }

    /// Adds an event. The queue is bounded, because attempts, sounds and polls are, and each posts few
    /// events.
    func post(_ new: SpeakerEvent) {
        events.withLock { $0.append(new) }
        wakeUp.signal()
    }

    func takeEvents() -> [SpeakerEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }

    func end() {
        isOver.store(true, ordering: .releasing)
        wakeUp.signal()
    }

    var isEnded: Bool { isOver.load(ordering: .acquiring) }

    func publish(_ status: SpeakerStatus) { current.withLock { $0 = status } }

    var status: SpeakerStatus { current.withLock { $0 } }

    /// Returns whether the thread has answered the last ping, and sends another.
    func pingAndCheck() -> Bool {
        let isAlive = answeredCount.load(ordering: .relaxed) == askedCount.load(ordering: .relaxed)
        askedCount.add(1, ordering: .relaxed)
        wakeUp.signal()
        return isAlive
    }

    func heartbeat() { answeredCount.store(askedCount.load(ordering: .relaxed), ordering: .relaxed) }
}
