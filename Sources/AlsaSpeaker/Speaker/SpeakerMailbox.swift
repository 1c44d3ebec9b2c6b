// What the speaker's thread shares with everybody else: orders and events go in, status and reports come out.

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
    /// These are the cards, or why nobody knows.
    case cards(Result<[Card], AlsaError>)
    /// A mixer is not as it should be: in words.
    case mixer(String)
    /// The buzzer does as it was told when it was to start or to stop, or does not.
    case buzzed(isOn: Bool, isDone: Bool)
}

/// Nobody who puts something in waits for anything.
final class SpeakerMailbox: Sendable {
    private let order = Mutex<SpeakerOrder?>(nil)
    private let signal = Mutex<PulsePattern?>(nil)
    private let events = Mutex<[SpeakerEvent]>([])
    private let current = Mutex(SpeakerStatus())
    private let isOver = Atomic(false)
    /// How often the thread was asked whether it is alive, and up to which of these it has been.
    private let askedCount = Atomic(0)
    private let answeredCount = Atomic(0)
    let wakeUp: WakeUp
    let reports: AsyncStream<SpeakerReport>
    private let reporting: AsyncStream<SpeakerReport>.Continuation

    /// Whoever does not listen loses the oldest.
    private static let reportsMax = 256

    init() throws(SystemCallError) {
        wakeUp = try WakeUp()
        (reports, reporting) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(SpeakerMailbox.reportsMax))
    }

    /// Takes the place of an order that was not taken yet.
    func post(_ new: SpeakerOrder) {
        order.withLock { $0 = new }
        wakeUp.signal()
    }

    func takeOrder() -> SpeakerOrder? {
        order.withLock { order in
            defer { order = nil }
            return order
        }
    }

    func post(_ new: PulsePattern) {
        signal.withLock { $0 = new }
        wakeUp.signal()
    }

    func takeSignal() -> PulsePattern? {
        signal.withLock { signal in
            defer { signal = nil }
            return signal
        }
    }

    /// Each try tells a few things, each sound and each look for cards one, and there is a bound on all of them.
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

    func report(_ report: SpeakerReport) { reporting.yield(report) }

    func publish(_ status: SpeakerStatus) { current.withLock { $0 = status } }

    var status: SpeakerStatus { current.withLock { $0 } }

    func finish() { reporting.finish() }

    /// Whether the thread has gone round since it was asked last; asks it again.
    func pingAndCheck() -> Bool {
        let isAlive = answeredCount.load(ordering: .relaxed) == askedCount.load(ordering: .relaxed)
        askedCount.add(1, ordering: .relaxed)
        wakeUp.signal()
        return isAlive
    }

    func heartbeat() { answeredCount.store(askedCount.load(ordering: .relaxed), ordering: .relaxed) }
}
